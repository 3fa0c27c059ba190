//! The register tile of a product whose layouts are known when the program runs: a few rows of A
//! and vectors of B, each at a constant distance along K, make a small block of C.

use core::hint::black_box;

use crate::gemm::dynamic::dot::Dot;
use crate::gemm::float::sealed::Sum as _;
use crate::gemm::scale::Scale;
use crate::gemm::unroll::unroll;
use crate::simd::vector::Vector;
use crate::simd::{own_register, prefetch, prefetch_second};

/// The most rows of a tile, and the most vectors in one.
pub(crate) const MAX_ROWS: usize = 8;
pub(crate) const MAX_VECTORS: usize = 3;

/// The bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// Steps from the vectors that a tile packs to those it asks for: the last cache takes as long, and
/// rows may be far from each other, where no processor expects the next one.
const LATER: usize = 16;

/// The operands of a batch of tiles; distances are in bytes.
pub(crate) struct Panels {
    /// Words along K.
    pub(crate) depth: usize,
    /// The first word of A, and the distances of steps and of rows.
    pub(crate) a: *const u8,
    pub(crate) a_step: usize,
    pub(crate) a_row: usize,
    /// The first word of B, and the distances of vectors and of steps.
    pub(crate) b: *const u8,
    pub(crate) b_vector: usize,
    pub(crate) b_step: usize,
    /// From the words of A of a tile to those of the one below, and from those of B to the one
    /// beside.
    pub(crate) a_down: usize,
    pub(crate) b_across: usize,
    /// What the second cache should have soon: how far it is from the words of A of the first tile
    /// in a row, and how far it goes on with each step.
    pub(crate) soon: usize,
    pub(crate) soon_step: usize,
    /// Where a tile that packs B puts its vectors, one after the other.
    pub(crate) packed_b: *mut u8,
}

/// Where a batch of tiles goes; offsets are in elements.
pub(crate) struct Target<'a, T> {
    pub(crate) scale: &'a Scale<T>,
    pub(crate) c: *mut T,
    /// How many tiles are below each other, and how far they are apart; the same beside each other.
    pub(crate) down: [usize; 2],
    pub(crate) across: [usize; 2],
    /// The offsets of rows and of vectors; those of an element's row and vector add up.
    pub(crate) rows: &'a [usize; MAX_ROWS],
    pub(crate) vectors: &'a [usize; MAX_VECTORS],
    /// The lanes of the last vector that are there.
    pub(crate) last: usize,
}

impl<T> Target<'_, T> {
    /// The first element of a row in a vector of the tile at `c`.
    #[inline(always)]
    fn at(&self, c: *mut T, row: usize, vector: usize) -> *mut T {
        // Wrapping, but the offset of an element.
        c.wrapping_add(self.rows[row].wrapping_add(self.vectors[vector]))
    }
}

/// The offsets of rows, or vectors, at a distance.
#[inline(always)]
pub(crate) fn at_distance<const N: usize>(step: usize) -> [usize; N] {
    core::array::from_fn(|i| i.wrapping_mul(step))
}

/// Makes a batch of tiles.
///
/// # Safety
///
/// The instructions are there. For each step the words of A and those of the vectors of B can be
/// read: all lanes of each, of the last one only `last` in a tile for that. A tile that packs can
/// write as many vectors where it puts them. C can be read and written for each row and each lane of
/// a vector, of the last one for `last`, of which there is at least one. All that holds for each tile
/// of the batch.
pub(crate) type Micro<T> = unsafe fn(&Panels, &Target<'_, T>);

/// What a tile knows of its operands.
#[derive(Clone, Copy)]
pub(crate) enum Tiles {
    /// Vectors of B are whole.
    InPlace,
    /// As above, and the words of A for each step follow those of the step before, so that their
    /// places are constants.
    PackedA,
    /// The last vector of B is read only as far as it is there. (Masked loads take a turn of a
    /// multiplier on some processors: 3 % of 256 cubed.)
    PartOfB,
}

/// Tiles with `ROWS` rows of `N` vectors. When `PACKED`, A is as in [`Tiles::PackedA`]; when `PART`,
/// B is as in [`Tiles::PartOfB`]. When `PACKS`, the vectors of B are packed for the tiles below these:
/// beside the products, that takes hardly longer.
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
pub(crate) unsafe fn micro<
    D: Dot,
    const ROWS: usize,
    const N: usize,
    const PACKED: bool,
    const PART: bool,
    const PACKS: bool,
>(
    panels: &Panels,
    target: &Target<'_, D::Sum>,
) {
    let (mut a, mut row, mut packed_b) = (panels.a, target.c, panels.packed_b);
    for _ in 0..target.down[0] {
        let (mut b, mut c, mut soon) = (panels.b, row, a.wrapping_add(panels.soon));
        for _ in 0..target.across[0] {
            let at = Tile { a, b, c, soon, packed_b };
            // SAFETY: the caller's promise; the tile is one of the batch.
            unsafe { tile::<D, ROWS, N, PACKED, PART, PACKS>(panels, target, at) };
            // Wrapping, since the last step leads behind the operand.
            b = b.wrapping_add(panels.b_across);
            c = c.wrapping_add(target.across[1]);
            soon = soon.wrapping_add(panels.depth * panels.soon_step);
            if PACKS {
                packed_b = packed_b.wrapping_add(panels.depth * N * size_of::<D::Words>());
            }
        }
        a = a.wrapping_add(panels.a_down);
        row = row.wrapping_add(target.down[1]);
    }
}

/// Where one tile of a batch is.
struct Tile<T> {
    a: *const u8,
    b: *const u8,
    c: *mut T,
    soon: *const u8,
    packed_b: *mut u8,
}

/// One tile of [`micro`].
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
unsafe fn tile<
    D: Dot,
    const ROWS: usize,
    const N: usize,
    const PACKED: bool,
    const PART: bool,
    const PACKS: bool,
>(
    panels: &Panels,
    target: &Target<'_, D::Sum>,
    at: Tile<D::Sum>,
) {
    let lanes = <D::Sums as Vector>::LANES;
    // SAFETY: the caller's promise.
    let zero = unsafe { D::Sums::splat(D::Sum::ZERO) };
    let mut sums = [[zero; N]; ROWS];
    let Tile { a, mut b, c, mut soon, mut packed_b } = at;
    let rows = Rows::new(if PACKED { 0 } else { ROWS }, panels.a_row);
    // The compiler would have a pointer for each row instead.
    let mut a = if PACKED { a } else { own_register(a) };
    if D::SHIFTED {
        // Wrapping, but the row that ends the panel.
        let starts = b.wrapping_add(panels.depth * panels.b_step);
        unroll!(j < N, 3, {
            let p = starts.wrapping_add(j * panels.b_vector).cast();
            // SAFETY: a vector of this row can be read.
            let start = unsafe { D::Sums::load(p) };
            unroll!(i < ROWS, 8, {
                sums[i][j] = start;
            });
        });
    }
    // What is only written may arrive later, and the operands would wait behind it. In the first
    // cache, rows of C that are a power of two apart would be where those of A are.
    if target.scale.reads() {
        unroll!(i < ROWS, 8, {
            unroll!(j < N, 3, {
                prefetch_second(target.at(c, i, j));
            });
        });
    }
    let mut later = b.wrapping_add(LATER * panels.b_step);
    let next = panels.depth.saturating_sub(LATER);
    // A tile that packs is followed by one that does.
    let beside = b.wrapping_add(panels.b_across);
    for step in 0..panels.depth {
        if !PART && !PACKS {
            // A little at a time, since what the tile reads itself would wait behind many lines.
            prefetch_second(soon);
            soon = soon.wrapping_add(panels.soon_step);
        }
        let last = b.wrapping_add((N - 1) * panels.b_vector).cast();
        let last = if PART {
            // SAFETY: the last vector of this step, as far as it can be read.
            unsafe { D::load_first(last, target.last) }
        } else {
            // SAFETY: the last vector of this step, which can be read.
            unsafe { D::load(last) }
        };
        let mut vectors = [last; N];
        unroll!(j < N - 1, 2, {
            // SAFETY: a vector of this step, which can be read.
            vectors[j] = unsafe { D::load(b.wrapping_add(j * panels.b_vector).cast()) };
        });
        if PACKS {
            later = if step == next { beside } else { later };
            unroll!(j < N, 3, {
                prefetch(later.wrapping_add(j * panels.b_vector));
                let to = packed_b.wrapping_add(j * size_of::<D::Words>());
                // SAFETY: the panel has a vector for it.
                unsafe { D::store(vectors[j], to.cast()) };
            });
            later = later.wrapping_add(panels.b_step);
            packed_b = packed_b.wrapping_add(N * size_of::<D::Words>());
        }
        unroll!(i < ROWS, 8, {
            let row = if PACKED { i * size_of::<D::Word>() } else { rows.at(i) };
            let p = a.wrapping_add(row).cast::<D::Word>();
            // SAFETY: the word of this row and this step can be read.
            let x = unsafe { p.read_unaligned() };
            // SAFETY: the caller's promise.
            let x = unsafe { D::splat(x) };
            unroll!(j < N, 3, {
                // SAFETY: the caller's promise.
                sums[i][j] = unsafe { D::dot(x, vectors[j], sums[i][j]) };
            });
        });
        // Wrapping, since the last step leads behind the operand.
        a = a.wrapping_add(if PACKED { ROWS * size_of::<D::Word>() } else { panels.a_step });
        b = b.wrapping_add(panels.b_step);
    }
    match (target.scale.reads(), target.last == lanes) {
        // SAFETY: the caller's promise.
        (false, true) => unsafe { finish::<D, ROWS, N, false, false>(&sums, target, c) },
        // SAFETY: the caller's promise.
        (false, false) => unsafe { finish::<D, ROWS, N, false, true>(&sums, target, c) },
        // SAFETY: the caller's promise.
        (true, true) => unsafe { finish::<D, ROWS, N, true, false>(&sums, target, c) },
        // SAFETY: the caller's promise.
        (true, false) => unsafe { finish::<D, ROWS, N, true, true>(&sums, target, c) },
    }
}

/// The distances of rows of A that are used in place, as addresses can have them: a register times
/// 1, 2, 4 or 8. A pointer that goes from row to row takes a step's time.
struct Rows {
    /// One row, three, five, seven.
    odd: [usize; MAX_ROWS / 2],
}

impl Rows {
    /// Of `rows` rows, each `row` bytes after the one before.
    #[inline(always)]
    fn new(rows: usize, row: usize) -> Self {
        // Hidden from the compiler, which would find the sums again.
        let odd = |n: usize| if n < rows { black_box(n.wrapping_mul(row)) } else { 0 };
        Self { odd: core::array::from_fn(|i| odd(2 * i + 1)) }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.odd[i >> i.trailing_zeros() >> 1] << i.trailing_zeros() }
    }
}

/// Lets the sums meet C, which is read when `READ`; when `PART`, the last vector is not whole.
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
unsafe fn finish<D: Dot, const ROWS: usize, const N: usize, const READ: bool, const PART: bool>(
    sums: &[[D::Sums; N]; ROWS],
    target: &Target<'_, D::Sum>,
    c: *mut D::Sum,
) {
    // SAFETY: the caller's promise.
    let alpha = unsafe { D::Sums::splat(target.scale.alpha) };
    // SAFETY: the caller's promise.
    let beta = unsafe { D::Sums::splat(target.scale.beta) };
    let mut new = *sums;
    // All is read before any is written: a row that ends in a mask would wait for the one before,
    // and rows a power of two apart, too.
    unroll!(i < ROWS, 8, {
        unroll!(j < N, 3, {
            let part = PART && j + 1 == N;
            let p = target.at(c, i, j);
            // SAFETY: the caller's promise.
            new[i][j] = unsafe { alpha.mul(new[i][j]) };
            if READ {
                let old = if part {
                    // SAFETY: the lanes of the last vector that are there.
                    unsafe { D::Sums::load_first(p, target.last) }
                } else {
                    // SAFETY: a whole vector of C.
                    unsafe { D::Sums::load(p) }
                };
                // SAFETY: the caller's promise.
                new[i][j] = unsafe { beta.mul_add(old, new[i][j]) };
            }
        });
    });
    unroll!(i < ROWS, 8, {
        unroll!(j < N, 3, {
            let part = PART && j + 1 == N;
            let (p, new) = (target.at(c, i, j), new[i][j]);
            if part {
                // SAFETY: the lanes of the last vector that are there.
                unsafe { new.store_first(p, target.last) };
            } else {
                // SAFETY: a whole vector of C.
                unsafe { new.store(p) };
            }
        });
    });
}
