//! The register tile of a static product: every place and every count is a constant.
//!
//! The body is written out by macros, guarded by constants, over accumulators for the largest
//! tile; what a tile does not use is removed by the compiler. A loop over the rows in its place
//! may or may not be unrolled, and where it is not, the accumulators live in memory. Rows and
//! vectors as const parameters would do as well, but then each kernel of a user's program pays
//! for every combination when it is compiled.

use crate::gemm::Epilogue;
use crate::gemm::fixed::ahead::Ahead;
use crate::gemm::fixed::finish::Finish;
use crate::gemm::fixed::plan::{MAX_ROWS, MAX_VECTORS};
use crate::gemm::fixed::tables::Tile;
use crate::gemm::float::Float;
use crate::gemm::scale::{Kind, Scale, scaled};
use crate::gemm::unroll::unroll;
use crate::simd::vector::Vector;

/// A tile's numbers, as a type.
pub(crate) trait Tiled {
    const TILE: &'static Tile;
    /// Sets of sums: step `u` along K adds to set `u % SETS`. A sum can be added to again after
    /// four cycles, in which eight others could have been: with fewer, sets hide the wait.
    const SETS: usize = {
        let t = Self::TILE;
        let work = t.rows * t.across();
        let least = if work >= 8 || t.depth() < 4 {
            1
        } else if work > 3 || t.depth() < 8 {
            2
        } else {
            4
        };
        if t.sets > least { t.sets } else { least }
    };
}

impl Tile {
    /// Vectors of a row, with the one that is not full.
    pub(crate) const fn across(&self) -> usize {
        self.vectors + (self.last > 0) as usize
    }

    /// Steps along K.
    pub(crate) const fn depth(&self) -> usize {
        self.k_blocks * self.steps + self.k_rest
    }

    /// Where A and B are at a step.
    #[inline(always)]
    pub(crate) const fn step(&self, p: usize) -> (usize, usize) {
        let (block, u) = (p / self.steps, p % self.steps);
        (self.ak_starts.at(block) + self.ak[u], self.bk_starts.at(block) + self.bk[u])
    }
}

/// The sums of a tile: full vectors, and for each row one that is not full. Those of set `s` are
/// `s * rows` behind those of the first.
struct Sums<V, W> {
    full: [[V; MAX_VECTORS]; MAX_ROWS],
    last: [W; MAX_ROWS],
}

impl<T: Float, V: Vector<Element = T>, W: Vector<Element = T>> Sums<V, W> {
    /// Sums that start at zero.
    ///
    /// # Safety
    ///
    /// The instructions of `V` and `W` are there.
    #[inline(always)]
    unsafe fn zeros() -> Self {
        // SAFETY: the caller's promise.
        let z = unsafe { V::splat(T::ZERO) };
        // SAFETY: the caller's promise.
        let w = unsafe { W::splat(T::ZERO) };
        // Written out: a repeat expression is a loop, which stays one until late.
        let row = [z, z, z, z];
        Self {
            full: [row, row, row, row, row, row, row, row, row, row, row, row, row, row, row, row],
            last: [w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w],
        }
    }
}

/// The vector that is not full.
///
/// # Safety
///
/// The instructions of `W` are there and the lanes in use can be read.
#[inline(always)]
unsafe fn load_last<T: Float, W: Vector<Element = T>, X: Tiled>(p: *const T) -> W {
    if X::TILE.last < W::LANES {
        // SAFETY: the caller's promise.
        unsafe { W::load_first(p, X::TILE.last) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { W::load(p) }
    }
}

/// The counterpart of [`load_last`].
///
/// # Safety
///
/// The instructions of `W` are there and the lanes in use can be written.
#[inline(always)]
unsafe fn store_last<T: Float, W: Vector<Element = T>, X: Tiled>(w: W, p: *mut T) {
    if X::TILE.last < W::LANES {
        // SAFETY: the caller's promise.
        unsafe { w.store_first(p, X::TILE.last) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { w.store(p) };
    }
}

/// Whether the vectors that are not full meet C after the products and not before: what a masked
/// store wrote can be read only when it has reached the cache, and the products of the next call
/// need not wait for that.
#[inline(always)]
fn is_late<W: Vector, X: Tiled>() -> bool {
    X::TILE.last > W::UNMASKED && X::TILE.last < W::LANES
}

/// Whether the first row does: a masked store at the end of the tile above may reach into it.
#[inline(always)]
fn is_first_late<W: Vector, X: Tiled>() -> bool {
    is_late::<W, X>() && X::TILE.others
}

/// A row of B: full vectors, and one that is not full.
///
/// # Safety
///
/// The instructions of `V` and `W` are there. `b` is the place of the tile's first element of this
/// row, and all others can be read.
#[inline(always)]
unsafe fn row<T: Float, V: Vector<Element = T>, W: Vector<Element = T>, X: Tiled>(
    b: *const T,
) -> ([V; MAX_VECTORS], W) {
    let t = X::TILE;
    // SAFETY: the caller's promise.
    let zero = unsafe { V::splat(T::ZERO) };
    // SAFETY: the caller's promise.
    let mut last = unsafe { W::splat(T::ZERO) };
    let mut row = [zero, zero, zero, zero];
    unroll!(j < const { X::TILE.vectors }, 4, {
        // SAFETY: an element of the tile, by the caller's promise.
        let p = unsafe { b.add(t.bn[j]) };
        // SAFETY: as above, and so are the lanes after it.
        row[j] = unsafe { V::load(p) };
    });
    if const { X::TILE.last > 0 } {
        // SAFETY: an element of the tile, by the caller's promise.
        let p = unsafe { b.add(t.bn[t.vectors]) };
        // SAFETY: as above, and so are the lanes in use after it.
        last = unsafe { load_last::<T, W, X>(p) };
    }
    (row, last)
}

/// Adds the products of one k to the sums of a set: the tile's column of A times its row of B.
///
/// # Safety
///
/// The instructions of `V` and `W` are there. `a` and `b` are the places of the tile's first
/// elements at this k, and all others of this k can be read.
#[inline(always)]
unsafe fn step<T: Float, V: Vector<Element = T>, W: Vector<Element = T>, X: Tiled>(
    a: *const T,
    b: *const T,
    sums: &mut Sums<V, W>,
    set: usize,
) {
    let t = X::TILE;
    // SAFETY: the caller's promise.
    let (row, last) = unsafe { row::<T, V, W, X>(b) };
    unroll!(i < const { X::TILE.rows }, 16, {
        // SAFETY: an element of the tile, by the caller's promise.
        let p = unsafe { a.add(t.am[i]) };
        // SAFETY: as above.
        let x = unsafe { *p };
        // SAFETY: the caller's promise.
        let wide = unsafe { V::splat(x) };
        unroll!(j < const { X::TILE.vectors }, 4, {
            let sum = &mut sums.full[set * t.rows + i][j];
            // SAFETY: the caller's promise.
            *sum = unsafe { wide.mul_add(row[j], *sum) };
        });
        if const { X::TILE.last > 0 } {
            // SAFETY: the caller's promise.
            let narrow = unsafe { W::splat(x) };
            let sum = &mut sums.last[set * t.rows + i];
            // SAFETY: the caller's promise.
            *sum = unsafe { narrow.mul_add(last, *sum) };
        }
    });
}

/// `C = f(alpha * A * B + beta * C)` for one tile, with full vectors `V` and the last one, which is
/// not full, as `W`.
///
/// # Safety
///
/// The instructions of `V` and `W` are there. `a`, `b` and `c` are the places of the first
/// elements of the tile; at the offsets that `X` says, elements of A and B can be read and of C
/// read and written.
#[inline(always)]
pub(crate) unsafe fn tile<
    T: Float,
    V: Vector<Element = T>,
    W: Vector<Element = T>,
    F: Epilogue<T>,
    X: Tiled,
>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
    ahead: &mut Ahead,
) {
    let t = X::TILE;
    // SAFETY: the caller's promise.
    let mut sums = unsafe { Sums::<V, W>::zeros() };
    if scale.kind == Kind::Add {
        unroll!(i < const { X::TILE.rows }, 16, {
            unroll!(j < const { X::TILE.vectors }, 4, {
                if i > 0 || !is_first_late::<W, X>() {
                    // SAFETY: an element of C in the tile.
                    let p = unsafe { c.add(t.cm[i] + t.cn[j]) };
                    // SAFETY: as above, and so are the lanes after it.
                    sums.full[i][j] = unsafe { V::load(p) };
                }
            });
            if const { X::TILE.last > 0 } && !is_late::<W, X>() {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[t.vectors]) };
                // SAFETY: as above, and so are the lanes in use after it.
                sums.last[i] = unsafe { load_last::<T, W, X>(p) };
            }
        });
    }
    let mut block = 0;
    while block < t.k_blocks {
        // SAFETY: elements of A and B in the tile, at the first k of this block.
        let (a, b) = unsafe { at(a, t.ak_starts.at(block), b, t.bk_starts.at(block)) };
        unroll!(u < const { X::TILE.steps }, 16, {
            // SAFETY: as above, `u` further along K.
            let (a, b) = unsafe { at(a, t.ak[u], b, t.bk[u]) };
            // SAFETY: `a` and `b` are the places for this k; the rest is the caller's promise.
            unsafe { step::<T, V, W, X>(a, b, &mut sums, u % X::SETS) };
            if u.is_multiple_of(t.pace.every) {
                ahead.ask(t.pace.lines);
            }
        });
        block += 1;
    }
    if const { X::TILE.k_rest > 0 } {
        // SAFETY: elements of A and B in the tile, at the first k of the rest.
        let (a, b) = unsafe { at(a, t.ak_starts.at(t.k_blocks), b, t.bk_starts.at(t.k_blocks)) };
        unroll!(u < const { X::TILE.k_rest }, 16, {
            // SAFETY: as above, `u` further along K.
            let (a, b) = unsafe { at(a, t.ak[u], b, t.bk[u]) };
            // SAFETY: `a` and `b` are the places for this k; the rest is the caller's promise.
            unsafe { step::<T, V, W, X>(a, b, &mut sums, u % X::SETS) };
            if u.is_multiple_of(t.pace.every) {
                ahead.ask(t.pace.lines);
            }
        });
    }
    unroll!(set < const { X::SETS - 1 }, 3, {
        unroll!(i < const { X::TILE.rows }, 16, {
            let other = (set + 1) * t.rows + i;
            unroll!(j < const { X::TILE.vectors }, 4, {
                // SAFETY: the caller's promise.
                sums.full[i][j] = unsafe { sums.full[i][j].add(sums.full[other][j]) };
            });
            if const { X::TILE.last > 0 } {
                // SAFETY: the caller's promise.
                sums.last[i] = unsafe { sums.last[i].add(sums.last[other]) };
            }
        });
    });
    if is_first_late::<W, X>() && scale.kind == Kind::Add {
        unroll!(j < const { X::TILE.vectors }, 4, {
            // SAFETY: an element of C in the tile.
            let p = unsafe { c.add(t.cm[0] + t.cn[j]) };
            // SAFETY: as above, and so are the lanes after it.
            let old = unsafe { V::load(p) };
            // SAFETY: the caller's promise.
            sums.full[0][j] = unsafe { sums.full[0][j].add(old) };
        });
    }
    if is_late::<W, X>() && scale.kind == Kind::Add {
        unroll!(i < const { X::TILE.rows }, 16, {
            // SAFETY: an element of C in the tile.
            let p = unsafe { c.add(t.cm[i] + t.cn[t.vectors]) };
            // SAFETY: as above, and so are the lanes in use after it.
            let old = unsafe { load_last::<T, W, X>(p) };
            // SAFETY: the caller's promise.
            sums.last[i] = unsafe { sums.last[i].add(old) };
        });
    }
    if matches!(scale.kind, Kind::Assign | Kind::Add) {
        unroll!(i < const { X::TILE.rows }, 16, {
            unroll!(j < const { X::TILE.vectors }, 4, {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[j]) };
                // SAFETY: the caller's promise.
                let new = unsafe { finish.lanes(sums.full[i][j], V::LANES, i, j * V::LANES) };
                // SAFETY: an element of C, and so are the lanes after it.
                unsafe { new.store(p) };
            });
            if const { X::TILE.last > 0 } {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[t.vectors]) };
                // SAFETY: the caller's promise.
                let new = unsafe { finish.lanes(sums.last[i], t.last, i, t.vectors * V::LANES) };
                // SAFETY: an element of C, and so are the lanes in use after it.
                unsafe { store_last::<T, W, X>(new, p) };
            }
        });
    } else {
        unroll!(i < const { X::TILE.rows }, 16, {
            unroll!(j < const { X::TILE.vectors }, 4, {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[j]) };
                // SAFETY: as above, and so are the lanes after it.
                let read = || unsafe { V::load(p) };
                // SAFETY: the caller's promise.
                let new = unsafe { scaled(scale, sums.full[i][j], read) };
                // SAFETY: the caller's promise.
                let new = unsafe { finish.lanes(new, V::LANES, i, j * V::LANES) };
                // SAFETY: as for the load.
                unsafe { new.store(p) };
            });
            if const { X::TILE.last > 0 } {
                // SAFETY: an element of C in the tile.
                let p = unsafe { c.add(t.cm[i] + t.cn[t.vectors]) };
                // SAFETY: as above, and so are the lanes in use after it.
                let read = || unsafe { load_last::<T, W, X>(p) };
                // SAFETY: the caller's promise.
                let new = unsafe { scaled(scale, sums.last[i], read) };
                // SAFETY: the caller's promise.
                let new = unsafe { finish.lanes(new, t.last, i, t.vectors * V::LANES) };
                // SAFETY: as for the load.
                unsafe { store_last::<T, W, X>(new, p) };
            }
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
