//! Products of static layouts in which both operands are consecutive along K: each element of C is
//! a dot product, with vectors along K.
//!
//! It pays where C has so few rows, or columns, that rearranging the other operand costs more than
//! the product: a matrix times a vector, most of all. Rows of C are its columns where it has fewer
//! of these.

use core::marker::PhantomData;

use crate::gemm::fixed::tables::Starts;
use crate::gemm::fixed::{Planned, Product};
use crate::gemm::float::Float;
use crate::gemm::modes::Modes;
use crate::gemm::scale::Scale;
use crate::simd::vector::{self, Isa, Vector};

/// How many inner products are made at a time.
const TOGETHER: usize = 4;

/// The product `P` as inner products with the vectors `I`.
pub(crate) struct Inner<T, I, P>(PhantomData<(T, I, P)>);

/// Where the rows of A and C are, and the columns of B and C.
struct Places {
    am: Starts,
    bn: Starts,
    cm: Starts,
    cn: Starts,
}

impl Places {
    const fn new(modes: &Modes) -> Self {
        let Modes { am, bn, cm, cn, m, n, .. } = modes;
        Self {
            am: Starts::new(am, 1, *m),
            bn: Starts::new(bn, 1, *n),
            cm: Starts::new(cm, 1, *m),
            cn: Starts::new(cn, 1, *n),
        }
    }
}

impl<T: Float, I: Isa<T>, P: Product> Inner<T, I, P> {
    /// Whether to make it so.
    pub(crate) const PAYS: bool = Self::COST.is_some();
    /// Whether C is made column by column.
    const SWAPPED: bool = matches!(&P::MODES, Some(modes) if modes.n < modes.m);
    /// The modes, with C's longer one along n.
    const MODES: Modes = match &P::MODES {
        Some(modes) if Self::SWAPPED => modes.transposed(),
        Some(modes) => *modes,
        None => Modes::UNIT,
    };
    const M: usize = Self::MODES.m;
    const N: usize = Self::MODES.n;
    const K: usize = Self::MODES.k;
    /// The lanes of the widest vector that a row of A fills, or of the narrowest.
    pub(crate) const LANES: usize = if Self::K >= I::Full::LANES {
        I::Full::LANES
    } else if Self::K >= I::Half::LANES {
        I::Half::LANES
    } else {
        I::Quarter::LANES
    };
    /// What it takes, where operands are consecutive and that is less than the plan.
    pub(crate) const COST: Option<usize> = match &Planned::<T, I, P>::PLAN {
        Some(plan) => {
            // In half cycles: two loads a cycle, and until lanes are added up about four cycles for
            // several sums together. The largest registers have fewer ports for that.
            let adding = if Self::LANES * size_of::<T>() > 32 { 20 } else { 8 };
            let Modes { am, ak, bk, bn, cm, cn, m, n, k } = &Self::MODES;
            let loads = *n * (*k).div_ceil(Self::LANES);
            let cost = *m * (2 * loads + (*n).div_ceil(TOGETHER) * adding);
            let pays = ak.runs(*k)
                && bk.runs(*k)
                && cost < plan.cost()
                && Starts::exist(am, 1, *m)
                && Starts::exist(bn, 1, *n)
                && Starts::exist(cm, 1, *m)
                && Starts::exist(cn, 1, *n);
            if pays { Some(cost) } else { None }
        }
        None => None,
    };
    const PLACES: &'static Places =
        &Places::new(if Self::PAYS { &Self::MODES } else { &Modes::UNIT });
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
    let (a, b) = if const { Inner::<T, I, P>::SWAPPED } { (b, a) } else { (a, b) };
    let rows = const {
        let lanes = Inner::<T, I, P>::LANES;
        if lanes == I::Full::LANES {
            rows::<T, I, P, I::Full>
        } else if lanes == I::Half::LANES {
            rows::<T, I, P, I::Half>
        } else {
            rows::<T, I, P, I::Quarter>
        }
    };
    // SAFETY: the caller's promise.
    unsafe { rows(scale, a, b, c) };
}

/// [`run`] with the vectors `V`.
///
/// # Safety
///
/// As there.
#[inline(always)]
unsafe fn rows<T: Float, I: Isa<T>, P: Product, V: Vector<Element = T>>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let places = const { Inner::<T, I, P>::PLACES };
    for i in 0..const { Inner::<T, I, P>::M } {
        // SAFETY: the first element of a row of A.
        let a = unsafe { a.add(places.am.at(i)) };
        // SAFETY: a place in C, or the first of it.
        let c = unsafe { c.add(places.cm.at(i)) };
        let mut j = 0;
        while j + TOGETHER <= const { Inner::<T, I, P>::N } {
            // SAFETY: the caller's promise, for these columns.
            unsafe { columns::<T, I, P, V, TOGETHER>(scale, a, b, c, j) };
            j += TOGETHER;
        }
        if const { Inner::<T, I, P>::N % TOGETHER == 1 } {
            // SAFETY: the caller's promise, for the last column.
            unsafe { columns::<T, I, P, V, 1>(scale, a, b, c, j) };
        } else if const { Inner::<T, I, P>::N % TOGETHER == 2 } {
            // SAFETY: the caller's promise, for the last columns.
            unsafe { columns::<T, I, P, V, 2>(scale, a, b, c, j) };
        } else if const { Inner::<T, I, P>::N % TOGETHER == 3 } {
            // SAFETY: the caller's promise, for the last columns.
            unsafe { columns::<T, I, P, V, 3>(scale, a, b, c, j) };
        }
    }
}

/// Some elements of a row of C: the row of A at `a` times the columns of B from column `j` on.
///
/// # Safety
///
/// As [`rows`].
#[inline(always)]
unsafe fn columns<T: Float, I: Isa<T>, P: Product, V: Vector<Element = T>, const N: usize>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    j: usize,
) {
    let places = const { Inner::<T, I, P>::PLACES };
    // SAFETY: the first element of a column of B.
    let b: [*const T; N] = core::array::from_fn(|i| unsafe { b.add(places.bn.at(j + i)) });
    // SAFETY: an element of C.
    let c: [*mut T; N] = core::array::from_fn(|i| unsafe { c.add(places.cn.at(j + i)) });
    let lanes = V::LANES;
    // SAFETY: the caller's promise.
    let mut sums = [unsafe { V::splat(T::ZERO) }; N];
    let mut p = 0;
    while p + lanes <= Inner::<T, I, P>::K {
        // SAFETY: `p < K`.
        let x = unsafe { a.add(p) };
        // SAFETY: `p + lanes <= K`, and the row is consecutive.
        let x = unsafe { V::load(x) };
        for (sum, b) in sums.iter_mut().zip(b) {
            // SAFETY: `p < K`.
            let y = unsafe { b.add(p) };
            // SAFETY: `p + lanes <= K`, and the column is consecutive.
            let y = unsafe { V::load(y) };
            // SAFETY: the caller's promise.
            *sum = unsafe { x.mul_add(y, *sum) };
        }
        p += lanes;
    }
    if const { !Inner::<T, I, P>::K.is_multiple_of(V::LANES) } {
        let n = const { Inner::<T, I, P>::K % V::LANES };
        // SAFETY: `p < K`.
        let x = unsafe { a.add(p) };
        // SAFETY: `p + n = K`, and the row is consecutive.
        let x = unsafe { V::load_first(x, n) };
        for (sum, b) in sums.iter_mut().zip(b) {
            // SAFETY: `p < K`.
            let y = unsafe { b.add(p) };
            // SAFETY: `p + n = K`, and the column is consecutive.
            let y = unsafe { V::load_first(y, n) };
            // SAFETY: the caller's promise.
            *sum = unsafe { x.mul_add(y, *sum) };
        }
    }
    // SAFETY: the caller's promise.
    let sums = unsafe { vector::sums(sums) };
    // SAFETY: elements of C, each at its place.
    unsafe { scale.store_all(sums, c) };
}
