//! Elementwise functions between small static layouts: constant plans, inlined into the caller or compiled
//! for the SIMD level.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::engine::DynLayout;
use layout_core::types::AnyLayout;

use super::constant::{Constant, ConstantPlan, run};
use super::plan::{CopyKernel, CopyPlan};
use super::planned_update::BUFFER_ALIGN;
use super::transform::{UpdateLoops, at_level, each_element};
use crate::simd::Level;
use crate::transpose::{CACHE_LINE, L1_COPY_BYTES, Line};

/// Maximum elements of an inlined call. Its buffer stays in registers. (6 x 6 `f64` transposed: 10 ns
/// inlined, 13 to 17 ns as a function compiled for the SIMD level.)
const MAX_INLINED_ELEMENTS: usize = 40;
const MAX_INLINED_BYTES: usize = 1 << 10;

/// Small calls between two static layouts, with constant plans.
pub(super) struct StaticUpdate<T, U, S, D>(PhantomData<(T, U, S, D)>);

impl<T, U, S, D> Clone for StaticUpdate<T, U, S, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, U, S, D> Copy for StaticUpdate<T, U, S, D> {}

/// The plan of the copy from the source into the buffer.
impl<T, U, S: AnyLayout, D: AnyLayout> ConstantPlan for StaticUpdate<T, U, S, D> {
    type Element = T;
    const PLAN: CopyPlan = match (&S::STATIC, &Self::BUFFER) {
        (Some(source), Some(buffer)) => plan_or_nothing::<T>(source, buffer),
        _ => CopyPlan::nothing(),
    };
}

const fn plan_or_nothing<T>(source: &DynLayout, destination: &DynLayout) -> CopyPlan {
    match CopyPlan::new::<T>(source, destination) {
        Ok(plan) => plan,
        Err(_) => CopyPlan::nothing(),
    }
}

impl<T, U, S: AnyLayout, D: AnyLayout> StaticUpdate<T, U, S, D> {
    /// Layout of the buffer: compact, in the order of the destination.
    const BUFFER: Option<DynLayout> = match &D::STATIC {
        Some(layout) => match DynLayout::make_ordered(&layout.shape(), &layout.stride()) {
            Ok(buffer) => Some(buffer),
            Err(_) => None,
        },
        None => None,
    };

    /// The plan from the buffer to the destination.
    const FROM_BUFFER: CopyPlan = match (&Self::BUFFER, &D::STATIC) {
        (Some(buffer), Some(destination)) => plan_or_nothing::<T>(buffer, destination),
        _ => CopyPlan::nothing(),
    };

    const BYTES: usize = match D::STATIC {
        Some(d) => d.size().saturating_mul(if size_of::<T>() > size_of::<U>() {
            size_of::<T>()
        } else {
            size_of::<U>()
        }),
        None => usize::MAX,
    };

    const KERNEL: CopyKernel = Constant::<T, S, D>::PLAN.kernel();

    const IS_INLINED: bool = matches!(&D::STATIC, Some(d) if d.size() <= MAX_INLINED_ELEMENTS)
        && Self::BYTES <= MAX_INLINED_BYTES;

    const IS_TRANSPOSED: bool = matches!(Self::KERNEL, CopyKernel::Transpose { .. });

    /// Whether elements can go through a buffer.
    const HAS_BUFFER: bool = align_of::<T>() <= BUFFER_ALIGN
        && !matches!(Self::PLAN.kernel(), CopyKernel::Irregular | CopyKernel::Nothing)
        && matches!(Self::FROM_BUFFER.kernel(), CopyKernel::Run { .. } | CopyKernel::Strided(_));

    /// Whether the layouts are static and the call is small.
    pub(super) const IS_SMALL_STATIC: bool = Constant::<T, S, D>::IS_STATIC
        && Self::BYTES <= L1_COPY_BYTES
        && size_of::<T>() > 0
        && !matches!(Self::KERNEL, CopyKernel::Irregular)
        && (!Self::IS_TRANSPOSED || Self::HAS_BUFFER);

    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Copy + 'static, U: Copy, S: AnyLayout, D: AnyLayout> StaticUpdate<T, U, S, D> {
    #[inline(always)]
    pub(super) fn run(self, level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        // SAFETY: views hold at least the cosize of their layouts.
        unsafe {
            match const { Self::IS_INLINED } {
                true => self.apply(level, from, to, f),
                false => at_level(level, self, from, to, f),
            }
        }
    }
}

impl<T: Copy + 'static, U: Copy, S: AnyLayout, D: AnyLayout> UpdateLoops<T, U>
    for StaticUpdate<T, U, S, D>
{
    #[inline(always)]
    unsafe fn apply(self, level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        if const { !Self::IS_TRANSPOSED } {
            // SAFETY: all offsets of the plan are inside the slices.
            return unsafe { each_element(const { &Constant::<T, S, D>::PLAN }, from, to, f) };
        }
        let plan = const { &Self::FROM_BUFFER };
        if const { Self::IS_INLINED } {
            let mut lines =
                [const { MaybeUninit::<Line>::uninit() }; MAX_INLINED_BYTES / CACHE_LINE];
            let memory: *mut MaybeUninit<T> = lines.as_mut_ptr().cast();
            // SAFETY: the buffer is large enough, and the copy initialises everything that is read
            // from it.
            unsafe {
                each_element(const { &Self::PLAN }, from.cast(), memory, &|x, _| x);
                each_element(plan, memory.cast_const().cast(), to, f);
            }
        } else {
            let mut lines = [const { MaybeUninit::<Line>::uninit() }; L1_COPY_BYTES / CACHE_LINE];
            let memory: *mut T = lines.as_mut_ptr().cast();
            // SAFETY: as above.
            unsafe {
                run::<T, Self>(level, from, memory);
                each_element(plan, memory, to, f);
            }
        }
    }
}
