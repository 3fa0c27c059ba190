//! The register tile of a product whose layouts are known when the program runs: a few columns of
//! A and rows of B, each at a constant distance along K, make a small block of C.

use crate::gemm::float::{Float, sealed};
use crate::gemm::place::read;
use crate::gemm::plan::MAX_ROWS;
use crate::gemm::tile::{Scale, unroll};
use crate::simd::Level;
use crate::simd::vector::{Isa, Vector};

/// The most vectors in a row of the tile.
pub(crate) const VECTORS: usize = 2;

/// The operands of one tile.
pub(crate) struct Panels<T> {
    /// Steps along K.
    pub(crate) depth: usize,
    /// The elements of A of a step are consecutive; steps are this far apart.
    pub(crate) a: *const T,
    pub(crate) a_step: usize,
    /// The vectors of B of a step; steps are this far apart.
    pub(crate) b: [*const T; VECTORS],
    pub(crate) b_step: usize,
}

/// Where the tile goes.
pub(crate) struct Target<'a, T> {
    pub(crate) scale: &'a Scale<T>,
    pub(crate) c: *mut T,
    /// The offsets of the rows that there are, at most as many as the tile has.
    pub(crate) rows: &'a [usize],
    /// The offsets of the columns that there are.
    pub(crate) columns: &'a [usize],
    /// Whether the columns of each vector are consecutive.
    pub(crate) direct: bool,
}

/// Makes a tile.
///
/// # Safety
///
/// The instructions are there. For each step, as many elements of A as the tile has rows, and all
/// lanes of its vectors of B, can be read; C can be read and written at each row's offset plus
/// each column's.
pub(crate) type Micro<T> = unsafe fn(&Panels<T>, &Target<'_, T>);

/// The tile with `ROWS` rows of `N` vectors.
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
unsafe fn micro<T: Float, V: Vector<Element = T>, const ROWS: usize, const N: usize>(
    panels: &Panels<T>,
    target: &Target<'_, T>,
) {
    // SAFETY: the caller's promise.
    let zero = unsafe { V::splat(T::ZERO) };
    let mut sums = [[zero; N]; ROWS];
    let (mut a, mut b) = (panels.a, panels.b);
    for _ in 0..panels.depth {
        let mut row = [zero; N];
        unroll!(j < N, 2, {
            // SAFETY: the vectors of this step can be read.
            row[j] = unsafe { V::load(b[j]) };
            // Wrapping, since the last step leads behind the operand.
            b[j] = b[j].wrapping_add(panels.b_step);
        });
        unroll!(i < ROWS, 16, {
            // SAFETY: the elements of this step can be read.
            let x = unsafe { read(a, i) };
            // SAFETY: the caller's promise.
            let x = unsafe { V::splat(x) };
            unroll!(j < N, 2, {
                // SAFETY: the caller's promise.
                sums[i][j] = unsafe { x.mul_add(row[j], sums[i][j]) };
            });
        });
        a = a.wrapping_add(panels.a_step);
    }
    if target.direct && target.rows.len() == ROWS && target.columns.len() == N * V::LANES {
        unroll!(i < ROWS, 16, {
            unroll!(j < N, 2, {
                // SAFETY: the first element of this vector of C.
                let p = unsafe { target.c.add(target.rows[i] + target.columns[j * V::LANES]) };
                // SAFETY: its columns are consecutive, and all are there.
                unsafe { meet(target.scale, sums[i][j], p) };
            });
        });
    } else {
        // SAFETY: the caller's promise.
        unsafe { scatter::<T, V, ROWS, N>(&sums, target) };
    }
}

/// Lets a vector of sums meet C.
///
/// # Safety
///
/// The instructions are there, and the elements from `p` can be read and written.
#[inline(always)]
unsafe fn meet<T: Float, V: Vector<Element = T>>(scale: &Scale<T>, sum: V, p: *mut T) {
    // SAFETY: the caller's promise.
    let alpha = unsafe { V::splat(scale.alpha) };
    // SAFETY: the caller's promise.
    let mut new = unsafe { alpha.mul(sum) };
    if scale.beta != T::ZERO {
        // SAFETY: the caller's promise.
        let beta = unsafe { V::splat(scale.beta) };
        // SAFETY: the caller's promise.
        let old = unsafe { V::load(p) };
        // SAFETY: the caller's promise.
        new = unsafe { beta.mul_add(old, new) };
    }
    // SAFETY: the caller's promise.
    unsafe { new.store(p) };
}

/// Lets the sums meet C one by one, where it has no runs, or the tile hangs over its end.
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
unsafe fn scatter<T: Float, V: Vector<Element = T>, const ROWS: usize, const N: usize>(
    sums: &[[V; N]; ROWS],
    target: &Target<'_, T>,
) {
    const WIDEST: usize = 16 * VECTORS;
    const { assert!(N * V::LANES <= WIDEST && ROWS <= MAX_ROWS) };
    let mut block = [T::ZERO; MAX_ROWS * WIDEST];
    for (i, row) in sums.iter().enumerate() {
        for (j, vector) in row.iter().enumerate() {
            // SAFETY: `i < MAX_ROWS` and `j * LANES < WIDEST`.
            let p = unsafe { block.as_mut_ptr().add(i * WIDEST + j * V::LANES) };
            // SAFETY: the vector ends within the row of `WIDEST`.
            unsafe { vector.store(p) };
        }
    }
    for (row, &i) in block.chunks_exact(WIDEST).zip(target.rows) {
        if target.direct {
            for (sums, columns) in row.chunks(V::LANES).zip(target.columns.chunks(V::LANES)) {
                // SAFETY: the first of these columns of C.
                let p = unsafe { target.c.add(i + columns[0]) };
                // SAFETY: the columns of a vector are consecutive, and a chunk of a row has as many
                // sums, for `WIDEST` is a multiple of `LANES`.
                unsafe { meet_first::<T, V>(target.scale, sums.as_ptr(), p, columns.len()) };
            }
            continue;
        }
        for (&sum, &j) in row.iter().zip(target.columns) {
            // SAFETY: an offset of C.
            let p = unsafe { target.c.add(i + j) };
            // SAFETY: as above.
            unsafe { target.scale.store(sum, p) };
        }
    }
}

/// Lets the first `n` of `LANES` sums meet C.
///
/// # Safety
///
/// The instructions are there, `LANES` sums can be read, and `n` elements from `p` can be read and
/// written.
#[inline(always)]
unsafe fn meet_first<T: Float, V: Vector<Element = T>>(
    scale: &Scale<T>,
    sums: *const T,
    p: *mut T,
    n: usize,
) {
    // SAFETY: the caller's promise.
    let sum = unsafe { V::load(sums) };
    // SAFETY: the caller's promise.
    let alpha = unsafe { V::splat(scale.alpha) };
    // SAFETY: the caller's promise.
    let mut new = unsafe { alpha.mul(sum) };
    if scale.beta != T::ZERO {
        // SAFETY: the caller's promise.
        let beta = unsafe { V::splat(scale.beta) };
        // SAFETY: the caller's promise.
        let old = unsafe { V::load_first(p, n) };
        // SAFETY: the caller's promise.
        new = unsafe { beta.mul_add(old, new) };
    }
    // SAFETY: the caller's promise.
    unsafe { new.store_first(p, n) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Float, const ROWS: usize, const N: usize>(
    panels: &Panels<T>,
    target: &Target<'_, T>,
) {
    type V<T> = <<T as sealed::Element>::Avx512 as Isa<T>>::Full;
    // SAFETY: the caller's promise; this function has the instructions.
    unsafe { micro::<T, V<T>, ROWS, N>(panels, target) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Float, const ROWS: usize, const N: usize>(
    panels: &Panels<T>,
    target: &Target<'_, T>,
) {
    type V<T> = <<T as sealed::Element>::Avx2 as Isa<T>>::Full;
    // SAFETY: the caller's promise; this function has the instructions.
    unsafe { micro::<T, V<T>, ROWS, N>(panels, target) }
}

#[cfg(target_arch = "x86_64")]
unsafe fn sse2<T: Float, const ROWS: usize, const N: usize>(
    panels: &Panels<T>,
    target: &Target<'_, T>,
) {
    type V<T> = <<T as sealed::Element>::Sse2 as Isa<T>>::Full;
    // SAFETY: the caller's promise; SSE2 is part of x86-64.
    unsafe { micro::<T, V<T>, ROWS, N>(panels, target) }
}

unsafe fn portable<T: Float, const ROWS: usize, const N: usize>(
    panels: &Panels<T>,
    target: &Target<'_, T>,
) {
    type V<T> = <<T as sealed::Element>::Portable as Isa<T>>::Full;
    // SAFETY: the caller's promise.
    unsafe { micro::<T, V<T>, ROWS, N>(panels, target) }
}

/// The tiles of one level.
pub(crate) struct Kernels<T: 'static> {
    /// Lanes of a vector.
    pub(crate) lanes: usize,
    /// Tiles of 2, 4, 6, ... rows, each with one vector and with two.
    tiles: &'static [[Micro<T>; VECTORS]],
}

impl<T> Kernels<T> {
    /// The most rows of a tile.
    pub(crate) fn max_rows(&self) -> usize {
        2 * self.tiles.len()
    }

    /// The tile of `rows` rows, an even number up to [`max_rows`](Self::max_rows).
    pub(crate) fn tile(&self, rows: usize, vectors: usize) -> Micro<T> {
        self.tiles[rows / 2 - 1][vectors - 1]
    }
}

/// Rows of a level's tiles, as even numbers up to what its registers hold with two vectors.
macro_rules! tiles {
    ($level:ident: $($rows:literal)*) => {
        const { &[$([$level::<T, $rows, 1>, $level::<T, $rows, 2>]),*] }
    };
}

/// The tiles of a level.
pub(crate) fn kernels<T: Float>(level: Level) -> Kernels<T> {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => Kernels {
            lanes: <<T as sealed::Element>::Avx512 as Isa<T>>::Full::LANES,
            tiles: tiles!(avx512: 2 4 6 8 10 12 14),
        },
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => Kernels {
            lanes: <<T as sealed::Element>::Avx2 as Isa<T>>::Full::LANES,
            tiles: tiles!(avx2: 2 4 6),
        },
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => Kernels {
            lanes: <<T as sealed::Element>::Sse2 as Isa<T>>::Full::LANES,
            tiles: tiles!(sse2: 2 4 6),
        },
        _ => Kernels {
            lanes: <<T as sealed::Element>::Portable as Isa<T>>::Full::LANES,
            tiles: tiles!(portable: 2 4),
        },
    }
}
