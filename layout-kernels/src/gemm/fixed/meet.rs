//! Sums in lanes that meet elements of C which follow each other.

use crate::gemm::fixed::choice::Pieces;
use crate::gemm::fixed::picks::MOST;
use crate::gemm::float::Float;
use crate::gemm::scale::{Kind, Scale, scaled};
use crate::gemm::unroll::unroll;
use crate::simd::vector::{Isa, MAX_LANES, Vector};

/// Lets the first `size` lanes of all sums meet the elements of C from `c` on.
///
/// # Safety
///
/// The instructions of `I` are there, and the elements can be read and written.
#[inline(always)]
pub(crate) unsafe fn meet_all<T: Float, I: Isa<T>>(
    scale: &Scale<T>,
    sums: &[I::Full; MOST],
    c: *mut T,
    size: usize,
) {
    unroll!(i < size / I::Full::LANES, 8, {
        let p = c.wrapping_add(i * I::Full::LANES);
        // SAFETY: C has an element at each of these places.
        unsafe { meet(scale, sums[i], p, I::Full::LANES) };
    });
    if !size.is_multiple_of(I::Full::LANES) {
        let (full, last) = (size / I::Full::LANES, size % I::Full::LANES);
        let c = c.wrapping_add(full * I::Full::LANES);
        // SAFETY: C has elements for as many lanes.
        unsafe { end::<T, I>(scale, sums[full], c, last) };
    }
}

/// The last register of C, of which so many lanes are in use, not all: in [`Pieces`], since what a
/// masked store wrote can be read only when it has reached the cache.
///
/// # Safety
///
/// The instructions of `I` are there, and the elements of C from `c` on can be read and written.
#[inline(always)]
unsafe fn end<T: Float, I: Isa<T>>(scale: &Scale<T>, sum: I::Full, c: *mut T, used: usize) {
    let pieces = Pieces::new::<T, I>(used);
    let mut lanes = [T::ZERO; MAX_LANES];
    // SAFETY: there are at least as many as a register has.
    unsafe { sum.store(lanes.as_mut_ptr()) };
    let (mut lanes, mut c) = (lanes.as_ptr(), c);
    if pieces.half {
        // SAFETY: the first of the lanes.
        let half = unsafe { I::Half::load(lanes) };
        // SAFETY: elements of C.
        unsafe { meet(scale, half, c, I::Half::LANES) };
        (lanes, c) = (lanes.wrapping_add(I::Half::LANES), c.wrapping_add(I::Half::LANES));
    }
    if pieces.quarter {
        // SAFETY: the next of the lanes.
        let quarter = unsafe { I::Quarter::load(lanes) };
        // SAFETY: elements of C.
        unsafe { meet(scale, quarter, c, I::Quarter::LANES) };
        (lanes, c) = (lanes.wrapping_add(I::Quarter::LANES), c.wrapping_add(I::Quarter::LANES));
    }
    if pieces.rest > 0 {
        // SAFETY: the next of the lanes.
        let rest = unsafe { I::Quarter::load(lanes) };
        // SAFETY: elements of C.
        unsafe { meet(scale, rest, c, pieces.rest) };
    }
}

/// Lets the first `n` lanes of a sum meet the elements of C from `c` on.
///
/// # Safety
///
/// The instructions of `V` are there, and the elements can be read and written.
#[inline(always)]
unsafe fn meet<T: Float, V: Vector<Element = T>>(scale: &Scale<T>, sum: V, c: *mut T, n: usize) {
    // SAFETY: the caller's promise.
    let read = || unsafe { load(c, n) };
    let new = match scale.kind {
        Kind::Assign => sum,
        // SAFETY: the caller's promise.
        Kind::Add => unsafe { sum.add(read()) },
        // SAFETY: the caller's promise.
        Kind::Scale | Kind::ScaleAdd => unsafe { scaled(scale, sum, read) },
    };
    if n < V::LANES {
        // SAFETY: the caller's promise.
        unsafe { new.store_first(c, n) };
    } else {
        // SAFETY: as above, of all lanes.
        unsafe { new.store(c) };
    }
}

/// The first `n` lanes from `p` on.
///
/// # Safety
///
/// The instructions of `V` are there, and the elements can be read.
#[inline(always)]
unsafe fn load<V: Vector>(p: *const V::Element, n: usize) -> V {
    if n < V::LANES {
        // SAFETY: the caller's promise.
        unsafe { V::load_first(p, n) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { V::load(p) }
    }
}
