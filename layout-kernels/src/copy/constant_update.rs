//! Elementwise functions between small static layouts: constant plans, inlined into the caller or compiled
//! for the SIMD level.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use super::constant::{Constant, ConstantPlan, run};
use super::plan::{CopyKernel, CopyPlan};
use super::transform::{BUFFER_ALIGN, Line, each_element};
use crate::simd::Level;
use crate::transpose::{CACHE_LINE, L1_COPY_BYTES};

/// Small calls between two static layouts, with constant plans.
pub(super) struct StaticUpdate<T, U, S, D>(PhantomData<(T, U, S, D)>);

/// Constant plan of the copy from the source into the buffer.
struct Gather<T, S, D>(PhantomData<(T, S, D)>);

/// Constant plan from the buffer to the destination.
struct FromBuffer<T, S, D>(PhantomData<(T, S, D)>);

macro_rules! is_copy {
    ($($name:ident)*) => {$(
        impl<T, S, D> Clone for $name<T, S, D> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, S, D> Copy for $name<T, S, D> {}
    )*};
}
is_copy!(Gather FromBuffer);

/// Layout of the buffer: compact, in the order of the destination.
const fn buffer(destination: &DynLayout) -> Result<DynLayout, LayoutError> {
    DynLayout::make_ordered(&destination.shape(), &destination.stride())
}

impl<T, S: AnyLayout, D: AnyLayout> ConstantPlan for Gather<T, S, D> {
    type Element = T;
    const PLAN: CopyPlan = match (S::STATIC, D::STATIC) {
        (Some(s), Some(d)) => plan_or_nothing::<T>(&Ok(s), &buffer(&d)),
        _ => CopyPlan::NOTHING,
    };
}

impl<T, S: AnyLayout, D: AnyLayout> ConstantPlan for FromBuffer<T, S, D> {
    type Element = T;
    const PLAN: CopyPlan = match D::STATIC {
        Some(d) => plan_or_nothing::<T>(&buffer(&d), &Ok(d)),
        _ => CopyPlan::NOTHING,
    };
}

const fn plan_or_nothing<T>(
    source: &Result<DynLayout, LayoutError>,
    destination: &Result<DynLayout, LayoutError>,
) -> CopyPlan {
    match (source, destination) {
        (Ok(s), Ok(d)) => match CopyPlan::new::<T>(s, d) {
            Ok(plan) => plan,
            Err(_) => CopyPlan::NOTHING,
        },
        _ => CopyPlan::NOTHING,
    }
}

/// Maximum elements of an inlined call. Its buffer stays in registers. (6 x 6 `f64` transposed: 10 ns
/// inlined, 13 to 17 ns as a function compiled for the SIMD level.)
const MAX_INLINED_ELEMENTS: usize = 40;
const MAX_INLINED_BYTES: usize = 1 << 10;

impl<T: Copy + 'static, U: Copy + 'static, S: AnyLayout, D: AnyLayout> StaticUpdate<T, U, S, D> {
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
        && !matches!(Gather::<T, S, D>::PLAN.kernel(), CopyKernel::Irregular | CopyKernel::Nothing)
        && matches!(
            FromBuffer::<T, S, D>::PLAN.kernel(),
            CopyKernel::Run { .. } | CopyKernel::Strided(_)
        );

    /// Whether the layouts are static and the call is small.
    pub(super) const IS_SMALL_STATIC: bool = Constant::<T, S, D>::IS_STATIC
        && Self::BYTES <= L1_COPY_BYTES
        && size_of::<T>() > 0
        && !matches!(Self::KERNEL, CopyKernel::Irregular)
        && (!Self::IS_TRANSPOSED || Self::HAS_BUFFER);

    #[inline(always)]
    pub(super) fn run(level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        if const { Self::IS_INLINED } {
            // SAFETY: views hold at least the cosize of their layouts.
            return unsafe { Self::run_body(level, from, to, f) };
        }
        match level {
            // SAFETY: as above; `level` proves that the CPU has the instructions.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx512(_) => unsafe { Self::avx512(level, from, to, f) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx2(_) => unsafe { Self::avx2(level, from, to, f) },
            // SAFETY: as above.
            _ => unsafe { Self::baseline(level, from, to, f) },
        }
    }

    /// # Safety
    ///
    /// Same conditions as [`run_body`](Self::run_body). The CPU must have the enabled target
    /// features.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
    unsafe fn avx512(level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        // SAFETY: guaranteed by the caller, see `# Safety`.
        unsafe { Self::run_body(level, from, to, f) };
    }

    /// # Safety
    ///
    /// Same conditions as [`run_body`](Self::run_body). The CPU must have the enabled target
    /// features.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2(level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        // SAFETY: guaranteed by the caller, see `# Safety`.
        unsafe { Self::run_body(level, from, to, f) };
    }

    /// # Safety
    ///
    /// Same conditions as [`run_body`](Self::run_body).
    #[inline(never)]
    unsafe fn baseline(level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        // SAFETY: guaranteed by the caller, see `# Safety`.
        unsafe { Self::run_body(level, from, to, f) };
    }

    /// # Safety
    ///
    /// The slices must hold at least the cosize of their layouts.
    #[inline(always)]
    unsafe fn run_body(level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        if const { !Self::IS_TRANSPOSED } {
            // SAFETY: all offsets of the plan are inside the slices.
            return unsafe { Self::apply(const { &Constant::<T, S, D>::PLAN }, from, to, f) };
        }
        let plan = const { &FromBuffer::<T, S, D>::PLAN };
        if const { Self::IS_INLINED } {
            let mut lines =
                [const { MaybeUninit::<Line>::uninit() }; MAX_INLINED_BYTES / CACHE_LINE];
            let memory: *mut MaybeUninit<T> = lines.as_mut_ptr().cast();
            // SAFETY: the buffer is large enough, and the copy initialises everything that is read
            // from it.
            unsafe {
                let gather = const { &Gather::<T, S, D>::PLAN };
                each_element::<true, _, _>(gather, from.cast(), memory, &|x, _| x);
                Self::apply(plan, memory.cast_const().cast(), to, f);
            }
        } else {
            let mut lines = [const { MaybeUninit::<Line>::uninit() }; L1_COPY_BYTES / CACHE_LINE];
            let memory: *mut T = lines.as_mut_ptr().cast();
            // SAFETY: as above.
            unsafe {
                run(level, Gather::<T, S, D>(PhantomData), from, memory);
                Self::apply(plan, memory, to, f);
            }
        }
    }

    /// # Safety
    ///
    /// Same conditions as [`each_element`].
    #[inline(always)]
    unsafe fn apply(plan: &CopyPlan, from: *const T, to: *mut U, f: &impl Fn(T, U) -> U) {
        if const { Self::IS_INLINED } {
            // SAFETY: guaranteed by the caller, see `# Safety`.
            unsafe { each_element::<true, _, _>(plan, from, to, f) };
        } else {
            // SAFETY: guaranteed by the caller, see `# Safety`.
            unsafe { each_element::<false, _, _>(plan, from, to, f) };
        }
    }
}
