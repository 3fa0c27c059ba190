//! Static products: everything is decided while the program compiles, and the code is part of the
//! caller.
//!
//! Only what pays is compiled so. A product that is larger, or whose operands have to be rearranged,
//! runs the kernels that all products share.

mod permute;
mod tiles;
mod tiny;

use core::marker::PhantomData;

use layout_core::types::AnyLayout;

use crate::gemm::float::{Float, sealed};
use crate::gemm::inlined::tiles::{InCaller, Make};
use crate::gemm::plan::shared::OverShared;
use crate::gemm::plan::tiles::Way;
use crate::gemm::problem::modes::Modes;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::Level;
use crate::simd::vector::Isa;

/// A product of layouts that may all be static.
pub(crate) struct Layouts<A, B, C>(PhantomData<(A, B, C)>);

/// What the compiler knows of a product.
pub trait Product {
    /// The modes, when all three layouts are static and make a product.
    const MODES: Option<Modes>;
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
    const TINY: bool = tiny::is_tiny::<T, P>();
    #[cfg(target_arch = "x86_64")]
    const AVX512: &'static Compiled<T> = &Compiled::new::<<T as sealed::Element>::Avx512, P>();
    #[cfg(target_arch = "x86_64")]
    const AVX2: &'static Compiled<T> = &Compiled::new::<<T as sealed::Element>::Avx2, P>();
}

/// What the compiler decided for a level.
enum Compiled<T> {
    /// Nothing: the product is planned by each call.
    Nothing,
    /// Code in the caller.
    InCaller(Make<T>),
    /// A plan for shared tiles.
    Shared(OverShared),
}

impl<T: Float> Compiled<T> {
    const fn new<I: Isa<T>, P: Product>() -> Self {
        if OfFloats::<T, P>::TINY {
            return Self::Nothing;
        }
        match (InCaller::<T, I, P>::WAY, InCaller::<T, I, P>::MAKE) {
            (Some(Way::Shared(plan)), _) => Self::Shared(plan),
            (_, Some(make)) => Self::InCaller(make),
            _ => Self::Nothing,
        }
    }

    const fn is_something(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    const fn is_in_caller(&self) -> bool {
        matches!(self, Self::InCaller(_))
    }
}

impl<T: Float, P: Product> Static<T> for OfFloats<T, P> {
    const EXISTS: bool = {
        let exists = Self::TINY;
        #[cfg(target_arch = "x86_64")]
        let exists = exists || Self::AVX512.is_something() || Self::AVX2.is_something();
        exists
    };

    fn way(level: Level) -> Option<Way> {
        if Self::TINY {
            return Some(Way::Written);
        }
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => InCaller::<T, <T as sealed::Element>::Avx512, P>::WAY,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => InCaller::<T, <T as sealed::Element>::Avx2, P>::WAY,
            _ => None,
        }
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
            Ok(())
        } else {
            let level = level();
            match level {
                #[cfg(target_arch = "x86_64")]
                Level::Avx512(_) => {
                    if const { Self::AVX512.is_in_caller() } {
                        // One by one, and so in registers.
                        let Scale { alpha, beta, kind } = *scale;
                        // SAFETY: the token proves the instructions; the rest is required here.
                        unsafe { avx512::<T, P>(alpha, beta, kind, a, b, c) };
                        return Ok(());
                    }
                    if let Compiled::Shared(plan) = const { Self::AVX512 } {
                        // SAFETY: as above.
                        unsafe { T::over_shared(level, plan, scale, a, b, c) };
                        return Ok(());
                    }
                }
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(_) => {
                    if const { Self::AVX2.is_in_caller() } {
                        let Scale { alpha, beta, kind } = *scale;
                        // SAFETY: as above.
                        unsafe { avx2::<T, P>(alpha, beta, kind, a, b, c) };
                        return Ok(());
                    }
                    if let Compiled::Shared(plan) = const { Self::AVX2 } {
                        // SAFETY: as above.
                        unsafe { T::over_shared(level, plan, scale, a, b, c) };
                        return Ok(());
                    }
                }
                _ => {}
            }
            Err(level)
        }
    }
}

/// The product with AVX-512, where it is compiled so.
///
/// # Safety
///
/// As [`Static::run`]; AVX-512 is there.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Float, P: Product>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    if let Compiled::InCaller(make) = const { OfFloats::<T, P>::AVX512 } {
        // SAFETY: as required here; this function has the instructions.
        unsafe { make(&Scale { alpha, beta, kind }, a, b, c) };
    }
}

/// The product with AVX2, where it is compiled so.
///
/// # Safety
///
/// As [`Static::run`]; AVX2 and FMA are there.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Float, P: Product>(
    alpha: T,
    beta: T,
    kind: Kind,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    if let Compiled::InCaller(make) = const { OfFloats::<T, P>::AVX2 } {
        // SAFETY: as required here; this function has the instructions.
        unsafe { make(&Scale { alpha, beta, kind }, a, b, c) };
    }
}

/// A product whose words are not floats: never compiled into the caller.
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
