//! Products of static layouts: planned at compile time and inlined into the caller.
//!
//! Only products that gain from it are inlined. Larger products, or products whose operands must be
//! rearranged, run the shared kernels.

mod pack;
mod permute;
mod plan;
mod tiles;
mod tiny;

pub(crate) use tiny::MAX_MULTIPLICATIONS as MAX_UNROLLED;

use core::marker::PhantomData;
#[cfg(feature = "num-complex-0_4")]
use core::ops::{Add, Mul};

use layout_core::engine::DynLayout;
use layout_core::types::AnyLayout;

use crate::gemm::float::Float;
#[cfg(feature = "num-complex-0_4")]
use crate::gemm::float::sealed::Sum;
use crate::gemm::plan::tiles::StaticStrategy;
use crate::gemm::problem::loops::Reordered;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::modes::{Modes, check_shapes};
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::simd::Level;

/// A product of layouts that may all be static.
pub(crate) struct Layouts<A, B, C>(PhantomData<(A, B, C)>);

/// What is known about a product at compile time.
pub trait StaticModes {
    /// The modes, in the order of memory. `None` unless all three layouts are static and their shapes match.
    const MODES: Option<Modes>;
    /// The same, if each mode has a constant stride.
    const STRIDED: Option<Strided> = match &Self::MODES {
        Some(modes) => Strided::new(modes),
        None => None,
    };
}

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> Layouts<A, B, C> {
    /// Whether all three are static, and their shapes match. (`gemm` itself reports it if they do not.)
    const FIT: bool = match (&A::STATIC, &B::STATIC, &C::STATIC) {
        (Some(a), Some(b), Some(c)) => check_shapes(a, b, c).is_ok(),
        _ => false,
    };
    /// The layouts; if one is dynamic, placeholders that are never used.
    pub(crate) const GIVEN: [MatrixLayout<'static>; 3] =
        MatrixLayout::all([or_unit(&A::STATIC), or_unit(&B::STATIC), or_unit(&C::STATIC)]);
    /// The same product with its loops in the order of memory, if that differs.
    pub(crate) const REORDERED: Option<Reordered> = {
        let mut reordered = Reordered::new();
        if Self::FIT && reordered.set(&Self::GIVEN) { Some(reordered) } else { None }
    };
}

const fn or_unit(layout: &'static Option<DynLayout>) -> &'static DynLayout {
    match layout {
        Some(layout) => layout,
        None => &DynLayout::UNIT,
    }
}

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> StaticModes for Layouts<A, B, C> {
    const MODES: Option<Modes> = match &Self::REORDERED {
        Some(reordered) => Some(Modes::of(reordered.layouts())),
        None if Self::FIT => Some(Modes::of(Self::GIVEN)),
        None => None,
    };
}

/// A product that may be planned at compile time.
pub trait StaticProduct<T> {
    /// Whether it has a compile-time plan at any level.
    const HAS_PLAN: bool;

    /// The algorithm for a level; `None` if the product is planned by each call.
    fn strategy(level: Level) -> Option<StaticStrategy>;

    /// Computes `C = alpha * A * B + beta * C` if there is a compile-time plan for the level;
    /// otherwise returns the level as `Err`.
    ///
    /// # Safety
    ///
    /// At every offset of the layouts, elements of A and B must be valid for reads, and elements of
    /// C for reads and writes. Nothing else accesses C during the call.
    unsafe fn run(
        level: impl Fn() -> Level + Copy,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level>;
}

/// Computes a product, or some tiles of it.
type InlinedKernel<T> = unsafe fn(&Scale<T>, *const T, *const T, *mut T);

/// The product `P` of floats `T`.
pub struct InlinedFloats<T, P>(PhantomData<(T, P)>);

impl<T: Float, P: StaticModes> InlinedFloats<T, P> {
    const IS_TINY: bool = tiny::is_tiny::<T, P>(tiny::MAX_MULTIPLICATIONS);
    /// Whether it is a small product that has no other plan: of nested modes, or without vectors in C.
    const HAS_LOOPS: bool = {
        // In this order: most products have another plan.
        !Self::IS_TINY && !levels::has_plan::<T, P>() && tiny::fits_loops::<P>()
    };
    /// The product for all levels. A constant, so that nothing is compiled for others.
    const FOR_ALL_LEVELS: Option<InlinedKernel<T>> = if Self::IS_TINY {
        Some(tiny::run::<T, P>)
    } else if Self::HAS_LOOPS {
        Some(tiny::run_loops::<T, P>)
    } else {
        None
    };
}

impl<T: Float, P: StaticModes> StaticProduct<T> for InlinedFloats<T, P> {
    const HAS_PLAN: bool = {
        // In this order: a tiny product needs no other plan.
        if Self::IS_TINY { true } else { Self::HAS_LOOPS || levels::has_plan::<T, P>() }
    };

    fn strategy(level: Level) -> Option<StaticStrategy> {
        if Self::IS_TINY {
            return Some(StaticStrategy::Unrolled);
        }
        if Self::HAS_LOOPS {
            return Some(StaticStrategy::Loops);
        }
        levels::strategy::<T, P>(level)
    }

    #[inline(always)]
    unsafe fn run(
        level: impl Fn() -> Level + Copy,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level> {
        if let Some(kernel) = const { Self::FOR_ALL_LEVELS } {
            // SAFETY: guaranteed by the caller.
            unsafe { kernel(scale, a, b, c) };
            return Ok(());
        }
        // SAFETY: guaranteed by the caller.
        unsafe { levels::run::<T, P>(level(), scale, a, b, c) }
    }
}

/// Compile-time plans on targets with vector registers.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod levels {
    use super::tiles::Inlined;
    use super::{InlinedFloats, InlinedKernel, StaticModes};
    use crate::gemm::float::{Float, sealed::Element};
    use crate::gemm::plan::nested::Nested;
    use crate::gemm::plan::tiles::StaticStrategy;
    use crate::gemm::scale::{Kind, Scale};
    use crate::simd::Level;
    use crate::simd::vector::Isa;

    /// The compile-time plan for a level.
    enum Compiled<T> {
        /// None: each call plans the product.
        Nothing,
        /// Code inlined into the caller.
        Inlined(InlinedKernel<T>),
        /// A plan over shared tiles.
        Shared(Nested),
    }

    /// The product `P` of floats `T` with the registers of `I`.
    struct AtLevel<T, I, P>(core::marker::PhantomData<(T, I, P)>);

    impl<T: Float, I: Isa<T>, P: StaticModes> AtLevel<T, I, P> {
        const COMPILED: &'static Compiled<T> = &if InlinedFloats::<T, P>::IS_TINY {
            Compiled::Nothing
        } else {
            match (Inlined::<T, I, P>::STRATEGY, Inlined::<T, I, P>::KERNEL) {
                (Some(StaticStrategy::Shared(plan)), _) => Compiled::Shared(plan),
                (_, Some(kernel)) => Compiled::Inlined(kernel),
                _ => Compiled::Nothing,
            }
        };
        const HAS_PLAN: bool = !matches!(Self::COMPILED, Compiled::Nothing);
        const IS_INLINED: bool = matches!(Self::COMPILED, Compiled::Inlined(_));
    }

    macro_rules! levels {
        ($($level:ident: $name:ident, $features:literal;)*) => {
            /// Whether the product has a compile-time plan at any level.
            pub(super) const fn has_plan<T: Float, P: StaticModes>() -> bool {
                false $(|| AtLevel::<T, <T as Element>::$level, P>::HAS_PLAN)*
            }

            /// The algorithm for a level.
            pub(super) fn strategy<T: Float, P: StaticModes>(level: Level) -> Option<StaticStrategy> {
                match level {
                    $(Level::$level(_) => Inlined::<T, <T as Element>::$level, P>::STRATEGY,)*
                    _ => None,
                }
            }

            /// Computes the product if it has a compile-time plan for the level; otherwise returns
            /// the level as `Err`.
            ///
            /// # Safety
            ///
            /// Same as [`StaticProduct::run`](super::StaticProduct::run).
            #[inline(always)]
            pub(super) unsafe fn run<T: Float, P: StaticModes>(
                level: Level,
                scale: &Scale<T>,
                a: *const T,
                b: *const T,
                c: *mut T,
            ) -> Result<(), Level> {
                match level {
                    $(Level::$level(_) => {
                        if const { AtLevel::<T, <T as Element>::$level, P>::IS_INLINED } {
                            // Passed as separate arguments, and so in registers.
                            let Scale { alpha, beta, kind } = *scale;
                            // SAFETY: the token proves that the CPU has the instructions; the rest
                            // is guaranteed by the caller.
                            unsafe { $name::<T, P>(alpha, beta, kind, a, b, c) };
                            return Ok(());
                        }
                        if let Compiled::Shared(plan) =
                            const { AtLevel::<T, <T as Element>::$level, P>::COMPILED }
                        {
                            // SAFETY: as above.
                            unsafe { T::run_shared(level, plan, scale, a, b, c) };
                            return Ok(());
                        }
                    })*
                    _ => {}
                }
                Err(level)
            }

            $(
            /// The inlined product with the instructions of a level.
            ///
            /// # Safety
            ///
            /// Same as [`run`]; the CPU must have the instructions.
            #[target_feature(enable = $features)]
            unsafe fn $name<T: Float, P: StaticModes>(
                alpha: T,
                beta: T,
                kind: Kind,
                a: *const T,
                b: *const T,
                c: *mut T,
            ) {
                let compiled = const { AtLevel::<T, <T as Element>::$level, P>::COMPILED };
                if let Compiled::Inlined(kernel) = compiled {
                    // SAFETY: guaranteed by the caller; this function enables the instructions.
                    unsafe { kernel(&Scale { alpha, beta, kind }, a, b, c) };
                }
            }
            )*
        };
    }

    #[cfg(target_arch = "aarch64")]
    levels! { Neon: neon, "neon"; }

    #[cfg(target_arch = "x86_64")]
    levels! {
        Avx512: avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma";
        Avx2: avx2, "avx2,fma";
    }
}

/// Compile-time plans on other targets, which have one level. Only tiny products are inlined; for others the
/// plan over shared tiles is a constant. A program in which every product has such a plan contains
/// no planning code.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
mod levels {
    use super::{InlinedFloats, StaticModes};
    use crate::gemm::float::{Float, sealed::Element};
    use crate::gemm::kernel::shapes::Shapes;
    use crate::gemm::kernel::table::{PLAIN_ROWS, shapes_of_floats};
    use crate::gemm::plan::nested::Nested;
    use crate::gemm::plan::tiles::StaticStrategy;
    use crate::gemm::scale::Scale;
    use crate::simd::Level;

    /// The product `P` of floats `T`.
    struct SharedPlan<T, P>(core::marker::PhantomData<(T, P)>);

    impl<T: Float, P: StaticModes> SharedPlan<T, P> {
        const SHAPES: Shapes = shapes_of_floats::<T, <T as Element>::Portable>(&PLAIN_ROWS);
        const PLAN: Option<Nested> = match &P::MODES {
            Some(modes) if !InlinedFloats::<T, P>::IS_TINY => {
                Nested::new(modes, &P::STRIDED, &Self::SHAPES)
            }
            _ => None,
        };
    }

    /// Whether the product has a compile-time plan.
    pub(super) const fn has_plan<T: Float, P: StaticModes>() -> bool {
        SharedPlan::<T, P>::PLAN.is_some()
    }

    /// The algorithm of the product.
    pub(super) fn strategy<T: Float, P: StaticModes>(_: Level) -> Option<StaticStrategy> {
        SharedPlan::<T, P>::PLAN.map(StaticStrategy::Shared)
    }

    /// Computes the product if it has a compile-time plan; otherwise returns the level as `Err`.
    ///
    /// # Safety
    ///
    /// Same as [`StaticProduct::run`](super::StaticProduct::run).
    #[inline(always)]
    pub(super) unsafe fn run<T: Float, P: StaticModes>(
        level: Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level> {
        let Some(plan) = (const { &SharedPlan::<T, P>::PLAN }) else { return Err(level) };
        // SAFETY: guaranteed by the caller; the plan fits the tiles of all levels of the target.
        unsafe { T::run_shared(level, plan, scale, a, b, c) };
        Ok(())
    }
}

/// The product `P` of complex numbers `T`: inlined if it is tiny.
#[cfg(feature = "num-complex-0_4")]
pub struct InlinedComplex<T, P>(PhantomData<(T, P)>);

#[cfg(feature = "num-complex-0_4")]
impl<T, P> StaticProduct<T> for InlinedComplex<T, P>
where
    T: Sum + Add<Output = T> + Mul<Output = T>,
    P: StaticModes,
{
    const HAS_PLAN: bool = tiny::is_tiny::<T, P>(tiny::MAX_COMPLEX_MULTIPLICATIONS);

    fn strategy(_: Level) -> Option<StaticStrategy> {
        Self::HAS_PLAN.then_some(StaticStrategy::Unrolled)
    }

    #[inline(always)]
    unsafe fn run(
        level: impl Fn() -> Level + Copy,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level> {
        if const { !Self::HAS_PLAN } {
            return Err(level());
        }
        // SAFETY: guaranteed by the caller.
        unsafe { tiny::run::<T, P>(scale, a, b, c) };
        Ok(())
    }
}

/// A product of integers or 16-bit floats: never inlined.
pub struct NotInlined;

impl<T> StaticProduct<T> for NotInlined {
    const HAS_PLAN: bool = false;

    fn strategy(_: Level) -> Option<StaticStrategy> {
        None
    }

    #[inline(always)]
    unsafe fn run(
        level: impl Fn() -> Level + Copy,
        _: &Scale<T>,
        _: *const T,
        _: *const T,
        _: *mut T,
    ) -> Result<(), Level> {
        Err(level())
    }
}
