//! Plans as constants, for static layouts.
//!
//! A static copy is a constant plan that the shared code of this crate runs. Only a copy of a few
//! words is a list of moves instead, which the compiler writes out where the copy is called.

use core::marker::PhantomData;
use core::ptr;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::exec::exec_of;
use super::fixed::Fixed;
use super::plan::{Caching, CopyKernel, CopyPlan};
use super::refine::{Loop, MAX_LOOPS};
use crate::facts::must;
use crate::place::Place;
use crate::simd::Level;

/// The most moves that are written out. (Transpositions of 48 words take as long as in registers.)
const MOST_MOVES: usize = 48;

/// The most bytes of one of several moves, and of all.
const MOST_BYTES: usize = 128;
const MOST_BYTES_IN_ALL: usize = 1 << 10;

/// A copy as a list of moves of `bytes` bytes, with their offsets in bytes.
pub(super) struct Moves {
    offsets: [(usize, usize); MOST_MOVES],
    count: usize,
    bytes: usize,
}

impl Moves {
    /// The moves of a plan, if they are few.
    const fn of(plan: &CopyPlan) -> Option<Self> {
        let (mut loops, mut len) = ([Loop::ONCE; MAX_LOOPS + 2], 0);
        while len < plan.loops().len() {
            loops[len] = plan.loops()[len];
            len += 1;
        }
        let size = plan.element_bytes();
        let bytes = match plan.kernel() {
            CopyKernel::Nothing | CopyKernel::Irregular => return None,
            CopyKernel::Run { elements } => elements.saturating_mul(size),
            CopyKernel::Transpose { columns, rows } => {
                (loops[len], loops[len + 1]) = (columns, rows);
                len += 2;
                plan.word()
            }
            CopyKernel::Strided(inner) => {
                loops[len] = inner;
                len += 1;
                size
            }
        };
        let (mut count, mut k) = (1usize, 0);
        while k < len {
            count = count.saturating_mul(loops[k].extent);
            k += 1;
        }
        let few = count <= MOST_MOVES && bytes <= MOST_BYTES && count * bytes <= MOST_BYTES_IN_ALL;
        if size == 0 || !matches!(plan.caching(), Caching::Direct) || count > 1 && !few {
            return None;
        }
        let mut moves = Self { offsets: [(0, 0); MOST_MOVES], count, bytes };
        let mut turn = 0;
        while turn < count {
            let (mut rest, mut k, mut at) = (turn, len, (0, 0));
            while k > 0 {
                k -= 1;
                let digit = rest % loops[k].extent;
                rest /= loops[k].extent;
                at.0 += digit * loops[k].source * size;
                at.1 += digit * loops[k].destination * size;
            }
            moves.offsets[turn] = at;
            turn += 1;
        }
        Some(moves)
    }
}

/// A plan that is a constant.
pub(super) trait ConstantPlan: Copy {
    /// What is copied.
    type Element;
    const PLAN: CopyPlan;
    /// The moves, if the copy is small.
    const MOVES: Option<Moves> = Moves::of(&Self::PLAN);
}

/// Runs a constant plan that is not [`CopyKernel::Irregular`].
///
/// # Safety
///
/// That of [`exec`](super::exec::exec), with room for elements `T`.
#[inline(always)]
pub(super) unsafe fn run<T: Copy + 'static, P: ConstantPlan<Element = T>>(
    level: Level,
    _: P,
    source: *const T,
    destination: *mut T,
) {
    let Some(moves) = (const { &P::MOVES }) else {
        // SAFETY: the same.
        return unsafe { exec_of(level, const { &P::PLAN }, source, destination) };
    };
    let (source, destination) = (source.cast::<u8>(), destination.cast::<u8>());
    for &(s, d) in moves.offsets.split_at(moves.count).0 {
        let (from, to) = (source.wrapping_add(s), destination.wrapping_add(d));
        // SAFETY: elements of the plan.
        unsafe { ptr::copy_nonoverlapping(from, to, moves.bytes) };
    }
}

/// The plan of a copy of `T` between two static layouts, as a constant.
pub(super) struct Constant<T, S, D>(PhantomData<(T, S, D)>);

impl<T, S: Place, D: Place> Constant<T, S, D> {
    /// The layouts, when both are static. There is a value in any case, because the compiler
    /// evaluates it also for calls with other layouts, which do not come here.
    const LAYOUTS: Option<(DynLayout, DynLayout)> = match (S::LAYOUT, D::LAYOUT) {
        (Some(source), Some(destination)) => Some((source, destination)),
        _ => None,
    };

    const CHECKED: Result<CopyPlan, LayoutError> = match (&S::LAYOUT, &D::LAYOUT) {
        (Some(source), Some(destination)) => CopyPlan::new::<T>(source, destination),
        _ => match &Fixed::<T, S, D>::COUNT {
            Ok(_) => Ok(CopyPlan::NOTHING),
            Err(error) => Err(*error),
        },
    };

    /// Evaluated first in each public function, so that the compiler shows the line that calls it.
    pub(super) const AGREE: () = must(&Self::CHECKED);

    /// Whether one is a layout behind a swizzle. The other one is no placement then.
    pub(super) const IS_SWIZZLED: bool = {
        let swizzled = S::IS_SWIZZLED || D::IS_SWIZZLED;
        let layouts = (S::IS_LAYOUT || S::IS_SWIZZLED) && (D::IS_LAYOUT || D::IS_SWIZZLED);
        assert!(
            layouts || !swizzled,
            "a copy between a swizzled layout and a placement goes by way of a plain layout"
        );
        swizzled
    };

    /// Whether both layouts are static.
    pub(super) const EXISTS: bool = S::LAYOUT.is_some() && D::LAYOUT.is_some();

    /// The plan, when both layouts are static.
    pub(super) const KNOWN: Option<CopyPlan> = if Self::EXISTS { Some(Self::PLAN) } else { None };

    /// The layouts, when the plan is irregular.
    pub(super) const IRREGULAR: Option<(DynLayout, DynLayout)> = match Self::PLAN.kernel() {
        CopyKernel::Irregular => Self::LAYOUTS,
        _ => None,
    };

    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T, S, D> Clone for Constant<T, S, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, S, D> Copy for Constant<T, S, D> {}

impl<T, S: Place, D: Place> ConstantPlan for Constant<T, S, D> {
    type Element = T;
    // Silent about errors, which `AGREE` has reported.
    const PLAN: CopyPlan = match Self::CHECKED {
        Ok(plan) => plan,
        Err(_) => CopyPlan::NOTHING,
    };
}
