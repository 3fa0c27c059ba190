//! Products of static layouts in which both operands are consecutive along K: each element of C is
//! a dot product, with vectors along K.
//!
//! It pays where C has so few rows, or columns, that rearranging the other operand costs more than
//! the product: a matrix times a vector, most of all.

use core::marker::PhantomData;

use crate::gemm::fixed::{Planned, Product, offsets};
use crate::gemm::float::Float;
use crate::gemm::plan::MAX_EXTENT;
use crate::gemm::tile::Scale;
use crate::simd::vector::{Isa, Vector};

/// How many inner products are made at a time.
const TOGETHER: usize = 4;

/// The product `P` as inner products with the vectors `I`.
pub(crate) struct Inner<T, I, P>(PhantomData<(T, I, P)>);

/// The offsets of the rows of A and C, and of the columns of B and C.
struct Places {
    am: [usize; MAX_EXTENT],
    bn: [usize; MAX_EXTENT],
    cm: [usize; MAX_EXTENT],
    cn: [usize; MAX_EXTENT],
}

impl<T: Float, I: Isa<T>, P: Product> Inner<T, I, P> {
    /// Whether to make it so: where operands are consecutive and it takes less than the plan.
    pub(crate) const PAYS: bool = match (&P::MODES, &Planned::<T, I, P>::PLAN) {
        (Some(modes), Some(plan)) => {
            // In half cycles: two loads a cycle, and about six cycles until lanes are added up.
            let vectors = modes.k.div_ceil(I::Full::LANES);
            let cost = modes.m * modes.n * (2 * vectors + 12);
            modes.ak.runs(modes.k) && modes.bk.runs(modes.k) && cost < plan.cost()
        }
        _ => false,
    };
    const PLACES: &'static Places = match &P::MODES {
        Some(modes) if Self::PAYS => &Places {
            am: offsets(&modes.am),
            bn: offsets(&modes.bn),
            cm: offsets(&modes.cm),
            cn: offsets(&modes.cn),
        },
        _ => &Places {
            am: [0; MAX_EXTENT],
            bn: [0; MAX_EXTENT],
            cm: [0; MAX_EXTENT],
            cn: [0; MAX_EXTENT],
        },
    };
    const M: usize = Self::extents()[0];
    const N: usize = Self::extents()[1];
    const K: usize = Self::extents()[2];

    const fn extents() -> [usize; 3] {
        match &P::MODES {
            Some(modes) => [modes.m, modes.n, modes.k],
            None => [0; 3],
        }
    }
}

/// `C = alpha * A * B + beta * C`, for a product of which [`Inner::PAYS`] is true.
///
/// # Safety
///
/// The instructions of `I` are there. Elements of A and B can be read, and of C read and written,
/// at every offset of the layouts of `P`; nothing else accesses C meanwhile.
#[inline(always)]
pub(crate) unsafe fn run<T: Float, I: Isa<T>, P: Product>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let places = const { Inner::<T, I, P>::PLACES };
    for i in 0..const { Inner::<T, I, P>::M } {
        // SAFETY: the first element of a row of A.
        let a = unsafe { a.add(places.am[i]) };
        // SAFETY: a place in C, or the first of it.
        let c = unsafe { c.add(places.cm[i]) };
        let (together, rest) = places.bn.split_at(Inner::<T, I, P>::N).0.as_chunks::<TOGETHER>();
        let (c_together, c_rest) =
            places.cn.split_at(Inner::<T, I, P>::N).0.as_chunks::<TOGETHER>();
        for (starts, to) in together.iter().zip(c_together) {
            // SAFETY: the caller's promise, for these columns.
            unsafe { columns::<T, I, P, TOGETHER>(scale, a, b, starts, c, to) };
        }
        for (start, to) in rest.iter().zip(c_rest) {
            // SAFETY: the caller's promise, for this column.
            unsafe { columns::<T, I, P, 1>(scale, a, b, &[*start], c, &[*to]) };
        }
    }
}

/// Some elements of a row of C: the row of A at `a` times the columns of B that start at `starts`
/// from `b`, to the places `to` from `c`.
///
/// # Safety
///
/// As [`run`].
#[inline(always)]
unsafe fn columns<T: Float, I: Isa<T>, P: Product, const N: usize>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    starts: &[usize; N],
    c: *mut T,
    to: &[usize; N],
) {
    let lanes = I::Full::LANES;
    // SAFETY: the caller's promise.
    let mut sums = [unsafe { I::Full::splat(T::ZERO) }; N];
    let mut p = 0;
    while p + lanes <= Inner::<T, I, P>::K {
        // SAFETY: `p < K`.
        let x = unsafe { a.add(p) };
        // SAFETY: `p + lanes <= K`, and the row is consecutive.
        let x = unsafe { I::Full::load(x) };
        for (sum, start) in sums.iter_mut().zip(starts) {
            // SAFETY: `p < K`.
            let y = unsafe { b.add(start + p) };
            // SAFETY: `p + lanes <= K`, and the column is consecutive.
            let y = unsafe { I::Full::load(y) };
            // SAFETY: the caller's promise.
            *sum = unsafe { x.mul_add(y, *sum) };
        }
        p += lanes;
    }
    if const { !Inner::<T, I, P>::K.is_multiple_of(I::Full::LANES) } {
        let n = const { Inner::<T, I, P>::K % I::Full::LANES };
        // SAFETY: `p < K`.
        let x = unsafe { a.add(p) };
        // SAFETY: `p + n = K`, and the row is consecutive.
        let x = unsafe { I::Full::load_first(x, n) };
        for (sum, start) in sums.iter_mut().zip(starts) {
            // SAFETY: `p < K`.
            let y = unsafe { b.add(start + p) };
            // SAFETY: `p + n = K`, and the column is consecutive.
            let y = unsafe { I::Full::load_first(y, n) };
            // SAFETY: the caller's promise.
            *sum = unsafe { x.mul_add(y, *sum) };
        }
    }
    for (sum, to) in sums.into_iter().zip(to) {
        // SAFETY: an element of C.
        let place = unsafe { c.add(*to) };
        // SAFETY: the caller's promise.
        let sum = unsafe { sum.sum() };
        // SAFETY: an element of C.
        unsafe { scale.store(sum, place) };
    }
}
