//! The register tile of a static product: every place and every count is a constant.
//!
//! The body is written out by macros, guarded by constants, over accumulators for the largest
//! tile; what a tile does not use is removed by the compiler. A loop over the rows in its place
//! may or may not be unrolled, and where it is not, the accumulators live in memory. Rows and
//! vectors as const parameters would do as well, but then each kernel of a user's program pays
//! for every combination when it is compiled.

use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::plan::{MAX_ROWS, MAX_VECTORS, Tile};
use crate::simd::vector::Vector;

/// A tile's numbers, as a type.
pub(crate) trait Tiled {
    const TILE: &'static Tile;
}

/// How a product meets what C holds: `C = alpha * A * B + beta * C`.
#[derive(Clone, Copy)]
pub struct Scale<T> {
    pub(crate) alpha: T,
    pub(crate) beta: T,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `alpha = 1, beta = 0`: C is not read.
    Assign,
    /// `alpha = 1, beta = 1`: the sums start from C.
    Add,
    /// `beta = 0`: C is not read.
    Scale,
    /// Anything else.
    ScaleAdd,
}

impl<T: Sum> Scale<T> {
    #[inline(always)]
    pub(crate) fn new(alpha: T, beta: T) -> Self {
        let kind = match (alpha == T::ONE, beta == T::ZERO) {
            (true, true) => Kind::Assign,
            (true, false) if beta == T::ONE => Kind::Add,
            (false, true) => Kind::Scale,
            _ => Kind::ScaleAdd,
        };
        Self { alpha, beta, kind }
    }

    /// How later products are added to the first one.
    #[cfg(feature = "std")]
    pub(crate) fn later(&self) -> Self {
        Self::new(self.alpha, T::ONE)
    }

    /// Whether C is read.
    #[inline(always)]
    pub(crate) fn reads(&self) -> bool {
        self.beta != T::ZERO
    }

    /// Lets a sum of products meet one element of C.
    ///
    /// # Safety
    ///
    /// `c` can be read and written.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, sum: T, c: *mut T) {
        let mut new = self.alpha.times_plus(sum, T::ZERO);
        if self.reads() {
            // SAFETY: the caller's promise.
            new = self.beta.times_plus(unsafe { *c }, new);
        }
        // SAFETY: the caller's promise.
        unsafe { c.write(new) };
    }
}

/// Writes `$body` out for each number below `$limit` from a list of literals.
macro_rules! unroll {
    ($i:ident < $limit:expr, 2, $body:block) => {
        unroll!(@ $i $limit, $body 0 1)
    };
    ($i:ident < $limit:expr, 3, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2)
    };
    ($i:ident < $limit:expr, 4, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2 3)
    };
    ($i:ident < $limit:expr, 8, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2 3 4 5 6 7)
    };
    ($i:ident < $limit:expr, 16, $body:block) => {
        unroll!(@ $i $limit, $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $i:ident $limit:expr, $body:block $($literal:literal)*) => {
        $(if $literal < $limit {
            let $i: usize = $literal;
            $body
        })*
    };
}

#[cfg(feature = "std")]
pub(crate) use unroll;

type Sums<V> = [[V; MAX_VECTORS]; MAX_ROWS];

/// Sums of a tile that start at zero.
///
/// # Safety
///
/// The instructions of `V` are there.
#[inline(always)]
unsafe fn zeros<T: Float, V: Vector<Element = T>>() -> Sums<V> {
    // SAFETY: the caller's promise.
    let z = unsafe { V::splat(T::ZERO) };
    // Written out: a repeat expression is a loop, which stays one until late.
    let row = [z, z, z, z];
    [row, row, row, row, row, row, row, row, row, row, row, row, row, row, row, row]
}

/// Vector `j` of a row of the tile.
///
/// # Safety
///
/// The instructions of `V` are there and the lanes in use can be read.
#[inline(always)]
unsafe fn load<T: Float, V: Vector<Element = T>, X: Tiled>(p: *const T, j: usize) -> V {
    let t = X::TILE;
    if j + 1 == t.vectors && t.last < V::LANES {
        // SAFETY: the caller's promise.
        unsafe { V::load_first(p, t.last) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { V::load(p) }
    }
}

/// The counterpart of [`load`].
///
/// # Safety
///
/// The instructions of `V` are there and the lanes in use can be written.
#[inline(always)]
unsafe fn store<T: Float, V: Vector<Element = T>, X: Tiled>(v: V, p: *mut T, j: usize) {
    let t = X::TILE;
    if j + 1 == t.vectors && t.last < V::LANES {
        // SAFETY: the caller's promise.
        unsafe { v.store_first(p, t.last) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { v.store(p) };
    }
}

/// Adds the products of one k to the sums: the tile's column of A times its row of B.
///
/// # Safety
///
/// The instructions of `V` are there. `a` and `b` are the places of the tile's first elements at
/// this k, and all others of this k can be read.
#[inline(always)]
unsafe fn step<T: Float, V: Vector<Element = T>, X: Tiled>(
    a: *const T,
    b: *const T,
    sums: &mut Sums<V>,
) {
    let t = X::TILE;
    // SAFETY: the caller's promise.
    let z = unsafe { V::splat(T::ZERO) };
    let mut row = [z, z, z, z];
    unroll!(j < t.vectors, 4, {
        // SAFETY: an element of the tile, by the caller's promise.
        let p = unsafe { b.add(t.bn[j]) };
        // SAFETY: as above, and so are the lanes in use after it.
        row[j] = unsafe { load::<T, V, X>(p, j) };
    });
    unroll!(i < t.rows, 16, {
        // SAFETY: an element of the tile, by the caller's promise.
        let p = unsafe { a.add(t.am[i]) };
        // SAFETY: as above.
        let x = unsafe { *p };
        // SAFETY: the caller's promise.
        let x = unsafe { V::splat(x) };
        unroll!(j < t.vectors, 4, {
            // SAFETY: the caller's promise.
            sums[i][j] = unsafe { x.mul_add(row[j], sums[i][j]) };
        });
    });
}

/// `C = alpha * A * B + beta * C` for one tile.
///
/// # Safety
///
/// The instructions of `V` are there. `a`, `b` and `c` are the places of the first elements of the
/// tile; at the offsets that `X` says, elements of A and B can be read and of C read and written.
#[inline(always)]
pub(crate) unsafe fn tile<T: Float, V: Vector<Element = T>, X: Tiled>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let t = X::TILE;
    // SAFETY: the caller's promise.
    let mut sums = unsafe { zeros::<T, V>() };
    // SAFETY: the caller's promise.
    let mut odd = unsafe { zeros::<T, V>() };
    if scale.kind == Kind::Add {
        unroll!(i < t.rows, 16, {
            unroll!(j < t.vectors, 4, {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[j]) };
                // SAFETY: as above, and so are the lanes in use after it.
                sums[i][j] = unsafe { load::<T, V, X>(p, j) };
            });
        });
    }
    let mut block = 0;
    while block < t.k_blocks {
        // SAFETY: elements of A and B in the tile, at the first k of this block.
        let (a, b) = unsafe { at(a, t.ak_starts.at(block), b, t.bk_starts.at(block)) };
        unroll!(u < t.steps, 16, {
            // SAFETY: as above, `u` further along K.
            let (a, b) = unsafe { at(a, t.ak[u], b, t.bk[u]) };
            let sums = if t.sets == 2 && u % 2 == 1 { &mut odd } else { &mut sums };
            // SAFETY: `a` and `b` are the places for this k; the rest is the caller's promise.
            unsafe { step::<T, V, X>(a, b, sums) };
        });
        block += 1;
    }
    if t.k_rest > 0 {
        // SAFETY: elements of A and B in the tile, at the first k of the rest.
        let (a, b) = unsafe { at(a, t.ak_starts.at(t.k_blocks), b, t.bk_starts.at(t.k_blocks)) };
        unroll!(u < t.k_rest, 16, {
            // SAFETY: as above, `u` further along K.
            let (a, b) = unsafe { at(a, t.ak[u], b, t.bk[u]) };
            let sums = if t.sets == 2 && u % 2 == 1 { &mut odd } else { &mut sums };
            // SAFETY: `a` and `b` are the places for this k; the rest is the caller's promise.
            unsafe { step::<T, V, X>(a, b, sums) };
        });
    }
    if t.sets == 2 {
        unroll!(i < t.rows, 16, {
            unroll!(j < t.vectors, 4, {
                // SAFETY: the caller's promise.
                sums[i][j] = unsafe { sums[i][j].add(odd[i][j]) };
            });
        });
    }
    if matches!(scale.kind, Kind::Assign | Kind::Add) {
        unroll!(i < t.rows, 16, {
            unroll!(j < t.vectors, 4, {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[j]) };
                // SAFETY: as above, and so are the lanes in use after it.
                unsafe { store::<T, V, X>(sums[i][j], p, j) };
            });
        });
    } else {
        // SAFETY: the caller's promise.
        let alpha = unsafe { V::splat(scale.alpha) };
        // SAFETY: the caller's promise.
        let beta = unsafe { V::splat(scale.beta) };
        unroll!(i < t.rows, 16, {
            unroll!(j < t.vectors, 4, {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[j]) };
                // SAFETY: the caller's promise.
                let mut sum = unsafe { alpha.mul(sums[i][j]) };
                if scale.kind == Kind::ScaleAdd {
                    // SAFETY: an element of C in the tile, and the lanes in use after it.
                    let old = unsafe { load::<T, V, X>(p, j) };
                    // SAFETY: the caller's promise.
                    sum = unsafe { beta.mul_add(old, sum) };
                }
                // SAFETY: an element of C in the tile, and the lanes in use after it.
                unsafe { store::<T, V, X>(sum, p, j) };
            });
        });
    }
}

/// Two pointers, moved.
///
/// # Safety
///
/// Both stay within what they point into.
#[inline(always)]
unsafe fn at<T>(a: *const T, i: usize, b: *const T, j: usize) -> (*const T, *const T) {
    // SAFETY: the caller's promise.
    let a = unsafe { a.add(i) };
    // SAFETY: the caller's promise.
    let b = unsafe { b.add(j) };
    (a, b)
}
