//! Static products: everything is decided while the program compiles, and the code is part of the
//! caller.
//!
//! Only what pays is compiled so. A product that is larger, or whose operands have to be rearranged,
//! runs the kernels that all products share.

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

/// What the compiler knows of a product.
pub trait Product {
    /// The modes, when all three layouts are static and make a product.
    const MODES: Option<Modes>;
    /// The same, where each mode has one distance.
    const STRIDED: Option<Strided> = match &Self::MODES {
        Some(modes) => Strided::new(modes),
        None => None,
    };
}

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> Product for Layouts<A, B, C> {
    const MODES: Option<Modes> = match (A::STATIC, B::STATIC, C::STATIC) {
        (Some(a), Some(b), Some(c)) => match Modes::new(&a, &b, &c) {
            Ok(modes) => Some(modes),
            // `gemm` itself reports shapes that make no product, once.
            Err(_) => None,
        },
        _ => None,
    };
}

/// A static product that may be compiled into the caller.
pub trait Static<T> {
    /// Whether it is, at any level.
    const EXISTS: bool;

    /// How it is made at a level.
    fn way(level: Level) -> Option<Way>;

    /// `C = alpha * A * B + beta * C`, if it is compiled for the level; otherwise `Err` has the level.
    ///
    /// # Safety
    ///
    /// Elements of A and B can be read, and of C read and written, at every offset of the layouts;
    /// nothing else accesses C meanwhile.
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
        // One after the other: what is tiny has no other plan.
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
        // What is not compiled for a product is behind a constant, so that nothing is made of it.
        if const { Self::TINY } {
            // SAFETY: as required here.
            unsafe { tiny::run::<T, P>(scale, a, b, c) };
            return Ok(());
        }
        let level = level();
        // SAFETY: as required here.
        if unsafe { levels::run::<T, P>(level, scale, a, b, c) } { Ok(()) } else { Err(level) }
    }
}

/// Products for the levels that compile some.
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

    /// What the compiler decided for a level.
    enum Compiled<T> {
        /// Nothing: the product is planned by each call.
        Nothing,
        /// Code in the caller.
        InCaller(Make<T>),
        /// A plan for shared tiles.
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
            /// Whether the product is compiled for any level.
            pub(super) const fn exists<T: Float, P: Product>() -> bool {
                false $(|| At::<T, <T as Element>::$level, P>::EXISTS)*
            }

            /// How it is made at a level.
            pub(super) fn way<T: Float, P: Product>(level: Level) -> Option<Way> {
                match level {
                    $(Level::$level(_) => InCaller::<T, <T as Element>::$level, P>::WAY,)*
                    _ => None,
                }
            }

            /// Makes the product, if it is compiled for the level; says whether it is.
            ///
            /// # Safety
            ///
            /// As [`Static::run`](super::Static::run).
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
                            // One by one, and so in registers.
                            let Scale { alpha, beta, kind } = *scale;
                            // SAFETY: the token proves the instructions; the rest is required here.
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
            /// The product with the instructions of a level, where it is compiled so.
            ///
            /// # Safety
            ///
            /// As [`run`]; the instructions are there.
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
                    // SAFETY: as required here; this function has the instructions.
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

/// Products for a target with one level: nothing is compiled into the caller, and the plan over shared
/// tiles is a constant. A program whose products all have one has no code that plans.
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

    /// Whether the product has a plan.
    pub(super) const fn exists<T: Float, P: Product>() -> bool {
        Shared::<T, P>::PLAN.is_some()
    }

    /// How it is made.
    pub(super) fn way<T: Float, P: Product>(_: Level) -> Option<Way> {
        Shared::<T, P>::PLAN.map(Way::Shared)
    }

    /// Makes the product, if it has a plan; says whether it has.
    ///
    /// # Safety
    ///
    /// As [`Static::run`](super::Static::run).
    #[inline(always)]
    pub(super) unsafe fn run<T: Float, P: Product>(
        level: Level,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> bool {
        let Some(plan) = (const { &Shared::<T, P>::PLAN }) else { return false };
        // SAFETY: as required here; the plan is one for the tiles of all levels of the target.
        unsafe { T::over_shared(level, plan, scale, a, b, c) };
        true
    }
}

/// The product `P` of complex numbers `T`: compiled into the caller where it is tiny.
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
        // SAFETY: as required here.
        unsafe { tiny::run::<T, P>(scale, a, b, c) };
        Ok(())
    }
}

/// A product of small numbers: never compiled into the caller.
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
