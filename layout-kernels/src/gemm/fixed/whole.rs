//! Products of static layouts whose C is as large as a few registers: a lane makes an element of C,
//! wherever it is, and picks what it needs from registers that hold a part of A and of B.
//!
//! Such a C has rows and columns that are shorter than a register, so that tiles of rows leave
//! lanes idle, and its elements are few, so that they would wait for each other.

use core::marker::PhantomData;

use crate::gemm::fixed::choice::{Pieces, cost};
use crate::gemm::fixed::inner::Inner;
use crate::gemm::fixed::picks::{MAX_K, MOST, Operand, Picks, load};
use crate::gemm::fixed::plan::Plan;
use crate::gemm::fixed::{Planned, Product};
use crate::gemm::float::Float;
use crate::gemm::modes::Modes;
use crate::gemm::scale::{Kind, Scale, scaled};
use crate::gemm::unroll::unroll;
use crate::simd::vector::{Isa, MAX_LANES, Vector};

/// The product `P` with the vectors `I`.
pub(crate) struct Whole<T, I, P>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: Product> Whole<T, I, P> {
    const MODES: Modes = match P::MODES {
        Some(modes) => modes,
        None => Modes::UNIT,
    };
    /// The picks, where it pays to make it so: where all fits and takes less than other ways.
    const CHOSEN: Option<Picks> = match &Planned::<T, I, P>::PLAN {
        Some(plan) => {
            let (Modes { m, n, k, .. }, most) = (Self::MODES, MOST * I::Full::LANES);
            let fits = k <= MAX_K && m * n <= most && m * k <= most && k * n <= most;
            // At least what each register takes.
            if I::PICKS && fits && (2 * k + 2) * Self::REGISTERS < Self::other(plan) {
                match Picks::new::<T, I>(&Self::MODES) {
                    Some(picks) if picks.cost(Self::REGISTERS, k) < Self::other(plan) => {
                        Some(picks)
                    }
                    _ => None,
                }
            } else {
                None
            }
        }
        None => None,
    };

    /// What another way takes.
    const fn other(plan: &Plan) -> usize {
        match Inner::<T, I, P>::COST {
            Some(cost) => cost,
            None => cost::<T, I>(plan),
        }
    }

    /// Whether to make it so.
    pub(crate) const FITS: bool = Self::CHOSEN.is_some();
    const PICKS: &'static Picks = &match Self::CHOSEN {
        Some(picks) => picks,
        None => Picks::NONE,
    };
    const A: usize = Self::MODES.m * Self::MODES.k;
    const B: usize = Self::MODES.k * Self::MODES.n;
    const C: usize = Self::MODES.m * Self::MODES.n;
    const K: usize = Self::MODES.k;
    /// Registers of C, with one that is not full.
    pub(crate) const REGISTERS: usize = Self::C.div_ceil(I::Full::LANES);
    /// Lanes of one that is not full.
    const LAST: usize = Self::C % I::Full::LANES;
}

/// `C = alpha * A * B + beta * C`, for a product of which [`Whole::FITS`] is true.
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
    let picks = const { Whole::<T, I, P>::PICKS };
    let a = Operand::new(a, const { Whole::<T, I, P>::A });
    let b = Operand::new(b, const { Whole::<T, I, P>::B });
    // SAFETY: the caller's promise.
    let zero = unsafe { I::Full::splat(T::ZERO) };
    let mut sums = [zero; MOST];
    unroll!(i < const { Whole::<T, I, P>::REGISTERS }, 8, {
        unroll!(p < const { Whole::<T, I, P>::K }, 8, {
            // SAFETY: A has an element at each of its first places, by `FITS`.
            let x = unsafe { picks.a[p][i].of::<T, I>(&a) };
            // SAFETY: as above, of B.
            let y = unsafe { picks.b[p][i].of::<T, I>(&b) };
            // SAFETY: the caller's promise.
            sums[i] = unsafe { x.mul_add(y, sums[i]) };
        });
    });
    unroll!(i < const { Whole::<T, I, P>::C / I::Full::LANES }, 8, {
        let p = c.wrapping_add(i * I::Full::LANES);
        // SAFETY: C has an element at each of these places.
        unsafe { meet(scale, sums[i], p, I::Full::LANES) };
    });
    if const { Whole::<T, I, P>::LAST > 0 } {
        let full = const { Whole::<T, I, P>::C / I::Full::LANES };
        let c = c.wrapping_add(full * I::Full::LANES);
        // SAFETY: C has elements for as many lanes.
        unsafe { end::<T, I, P>(scale, sums[full], c) };
    }
}

/// The last register of C, where it is not full: in [`Pieces`], since what a masked store wrote can
/// be read only when it has reached the cache.
///
/// # Safety
///
/// The instructions of `I` are there, and the elements of C from `c` on can be read and written.
#[inline(always)]
unsafe fn end<T: Float, I: Isa<T>, P: Product>(scale: &Scale<T>, sum: I::Full, c: *mut T) {
    let pieces = const { Pieces::new::<T, I>(Whole::<T, I, P>::LAST) };
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
