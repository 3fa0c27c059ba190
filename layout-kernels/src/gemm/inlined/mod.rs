//! Products of static layouts: planned at compile time and inlined into the caller.
//!
//! Only products that gain from it are inlined. Larger products, or products whose operands must be
//! rearranged, run the shared kernels.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod pack;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod permute;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod tiles;
mod tiny;

use core::marker::PhantomData;
#[cfg(feature = "num-complex-0_4")]
use core::ops::{Add, Mul};

use layout_core::types::AnyLayout;

use crate::gemm::float::Float;
#[cfg(feature = "num-complex-0_4")]
use crate::gemm::float::sealed::Sum;
use crate::gemm::plan::tiles::Way;
use crate::gemm::problem::modes::Modes;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::simd::Level;

/// A product of layouts that may all be static.
pub(crate) struct Layouts<A, B, C>(PhantomData<(A, B, C)>);

/// What is known about a product at compile time.
pub trait Product {
    /// The modes. `None` unless all three layouts are static and their shapes match.
    const MODES: Option<Modes>;
    /// The same, if each mode has a constant stride.
    const STRIDED: Option<Strided> = match &Self::MODES {
        Some(modes) => Strided::new(modes),
        None => None,
    };
}

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> Product for Layouts<A, B, C> {
    const MODES: Option<Modes> = match (A::STATIC, B::STATIC, C::STATIC) {
        (Some(a), Some(b), Some(c)) => match Modes::new(&a, &b, &c) {
            Ok(modes) => Some(modes),
            // `gemm` itself reports mismatched shapes, once.
            Err(_) => None,
        },
        _ => None,
    };
}

/// A product that may be planned at compile time.
pub trait Static<T> {
    /// Whether it has a compile-time plan at any level.
    const EXISTS: bool;

    /// The algorithm for a level; `None` if the product is planned by each call.
    fn way(level: Level) -> Option<Way>;

    /// Computes `C = alpha * A * B + beta * C` if there is a compile-time plan for the level;
    /// otherwise returns the level as `Err`.
    ///
    /// # Safety
    ///
    /// At every offset of the layouts, elements of A and B must be valid for reads, and elements of
    /// C for reads and writes. Nothing else accesses C during the call.
    unsafe fn run(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level>;
}

/// The product `P` of floats `T`.
pub struct OfFloats<T, P>(PhantomData<(T, P)>);

impl<T: Float, P: Product> OfFloats<T, P> {
    const TINY: bool = tiny::is_tiny::<T, P>(tiny::FEW);
}

impl<T: Float, P: Product> Static<T> for OfFloats<T, P> {
    const EXISTS: bool = {
        // In this order: a tiny product needs no other plan.
        if Self::TINY { true } else { levels::exists::<T, P>() }
    };

    fn way(level: Level) -> Option<Way> {
        if Self::TINY {
            return Some(Way::Written);
        }
        levels::way::<T, P>(level)
    }

    #[inline(always)]
    unsafe fn run(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level> {
        // The condition is a `const` block, so that no code is generated for the branch not taken.
        if const { Self::TINY } {
            // SAFETY: guaranteed by the caller.
            unsafe { tiny::run::<T, P>(scale, a, b, c) };
            return Ok(());
        }
        let level = level();
        // SAFETY: guaranteed by the caller.
        if unsafe { levels::run::<T, P>(level, scale, a, b, c) } { Ok(()) } else { Err(level) }
    }
}

/// Compile-time plans on targets with several levels.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod levels {
    use super::tiles::{InCaller, Make};
    use super::{OfFloats, Product};
    use crate::gemm::float::{Float, sealed::Element};
    use crate::gemm::plan::nested::Nested;
    use crate::gemm::plan::tiles::Way;
    use crate::gemm::scale::{Kind, Scale};
    use crate::simd::Level;
    use crate::simd::vector::Isa;

    /// The compile-time plan for a level.
    enum Compiled<T> {
        /// None: each call plans the product.
        Nothing,
        /// Code inlined into the caller.
        InCaller(Make<T>),
        /// A plan over shared tiles.
        Shared(Nested),
    }

    /// The product `P` of floats `T` with the registers of `I`.
    struct At<T, I, P>(core::marker::PhantomData<(T, I, P)>);

    impl<T: Float, I: Isa<T>, P: Product> At<T, I, P> {
        const COMPILED: &'static Compiled<T> = &if OfFloats::<T, P>::TINY {
            Compiled::Nothing
        } else {
            match (InCaller::<T, I, P>::WAY, InCaller::<T, I, P>::MAKE) {
                (Some(Way::Shared(plan)), _) => Compiled::Shared(plan),
                (_, Some(make)) => Compiled::InCaller(make),
                _ => Compiled::Nothing,
            }
        };
        const EXISTS: bool = !matches!(Self::COMPILED, Compiled::Nothing);
        const IS_IN_CALLER: bool = matches!(Self::COMPILED, Compiled::InCaller(_));
    }

    macro_rules! levels {
        ($($level:ident: $name:ident, $features:literal;)*) => {
            /// Whether the product has a compile-time plan at any level.
            pub(super) const fn exists<T: Float, P: Product>() -> bool {
                false $(|| At::<T, <T as Element>::$level, P>::EXISTS)*
            }

            /// The algorithm for a level.
            pub(super) fn way<T: Float, P: Product>(level: Level) -> Option<Way> {
                match level {
                    $(Level::$level(_) => InCaller::<T, <T as Element>::$level, P>::WAY,)*
                    _ => None,
                }
            }

            /// Computes the product and returns `true`, if it has a compile-time plan for the
            /// level.
            ///
            /// # Safety
            ///
            /// Same as [`Static::run`](super::Static::run).
            #[inline(always)]
            pub(super) unsafe fn run<T: Float, P: Product>(
                level: Level,
                scale: &Scale<T>,
                a: *const T,
                b: *const T,
                c: *mut T,
            ) -> bool {
                match level {
                    $(Level::$level(_) => {
                        if const { At::<T, <T as Element>::$level, P>::IS_IN_CALLER } {
                            // Passed as separate arguments, and so in registers.
                            let Scale { alpha, beta, kind } = *scale;
                            // SAFETY: the token proves that the CPU has the instructions; the rest
                            // is guaranteed by the caller.
                            unsafe { $name::<T, P>(alpha, beta, kind, a, b, c) };
                            return true;
                        }
                        if let Compiled::Shared(plan) =
                            const { At::<T, <T as Element>::$level, P>::COMPILED }
                        {
                            // SAFETY: as above.
                            unsafe { T::over_shared(level, plan, scale, a, b, c) };
                            return true;
                        }
                    })*
                    _ => {}
                }
                false
            }

            $(
            /// The inlined product with the instructions of a level.
            ///
            /// # Safety
            ///
            /// Same as [`run`]; the CPU must have the instructions.
            #[target_feature(enable = $features)]
            unsafe fn $name<T: Float, P: Product>(
                alpha: T,
                beta: T,
                kind: Kind,
                a: *const T,
                b: *const T,
                c: *mut T,
            ) {
                let compiled = const { At::<T, <T as Element>::$level, P>::COMPILED };
                if let Compiled::InCaller(make) = compiled {
                    // SAFETY: guaranteed by the caller; this function enables the instructions.
                    unsafe { make(&Scale { alpha, beta, kind }, a, b, c) };
                }
            }
            )*
        };
    }

    levels! {
        Avx512: avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma";
        Avx2: avx2, "avx2,fma";
    }
}

/// Compile-time plans on targets with one level. Only tiny products are inlined; for others the
/// plan over shared tiles is a constant. A program in which every product has such a plan contains
/// no planning code.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod levels {
    use super::{OfFloats, Product};
    use crate::gemm::float::{Float, sealed::Element};
    use crate::gemm::kernel::shapes::Shapes;
    use crate::gemm::kernel::table::{PLAIN_ROWS, shapes_of_floats};
    use crate::gemm::plan::nested::Nested;
    use crate::gemm::plan::tiles::Way;
    use crate::gemm::scale::Scale;
    use crate::simd::Level;

    /// The product `P` of floats `T`.
    struct Shared<T, P>(core::marker::PhantomData<(T, P)>);

    impl<T: Float, P: Product> Shared<T, P> {
        const SHAPES: Shapes = shapes_of_floats::<T, <T as Element>::Portable>(&PLAIN_ROWS);
        const PLAN: Option<Nested> = match &P::MODES {
            Some(modes) if !OfFloats::<T, P>::TINY => Nested::new(modes, &Self::SHAPES),
            _ => None,
        };
    }

    /// Whether the product has a compile-time plan.
    pub(super) const fn exists<T: Float, P: Product>() -> bool {
        Shared::<T, P>::PLAN.is_some()
    }

    /// The algorithm of the product.
    pub(super) fn way<T: Float, P: Product>(_: Level) -> Option<Way> {
        Shared::<T, P>::PLAN.map(Way::Shared)
    }

    /// Computes the product and returns `true`, if it has a compile-time plan.
    ///
    /// # Safety
    ///
    /// Same as [`Static::run`](super::Static::run).
    #[inline(always)]
    pub(super) unsafe fn run<T: Float, P: Product>(
        level: Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> bool {
        let Some(plan) = (const { &Shared::<T, P>::PLAN }) else { return false };
        // SAFETY: guaranteed by the caller; the plan fits the tiles of all levels of the target.
        unsafe { T::over_shared(level, plan, scale, a, b, c) };
        true
    }
}

/// The product `P` of complex numbers `T`: inlined if it is tiny.
#[cfg(feature = "num-complex-0_4")]
pub struct OfComplex<T, P>(PhantomData<(T, P)>);

#[cfg(feature = "num-complex-0_4")]
impl<T, P> Static<T> for OfComplex<T, P>
where
    T: Sum + Add<Output = T> + Mul<Output = T>,
    P: Product,
{
    const EXISTS: bool = tiny::is_tiny::<T, P>(tiny::FEW_COMPLEX);

    fn way(_: Level) -> Option<Way> {
        Self::EXISTS.then_some(Way::Written)
    }

    #[inline(always)]
    unsafe fn run(
        level: impl FnOnce() -> Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Result<(), Level> {
        if const { !Self::EXISTS } {
            return Err(level());
        }
        // SAFETY: guaranteed by the caller.
        unsafe { tiny::run::<T, P>(scale, a, b, c) };
        Ok(())
    }
}

/// A product of integers or 16-bit floats: never inlined.
pub struct Never;

impl<T> Static<T> for Never {
    const EXISTS: bool = false;

    fn way(_: Level) -> Option<Way> {
        None
    }

    #[inline(always)]
    unsafe fn run(
        level: impl FnOnce() -> Level,
        _: &Scale<T>,
        _: *const T,
        _: *const T,
        _: *mut T,
    ) -> Result<(), Level> {
        Err(level())
    }
}
