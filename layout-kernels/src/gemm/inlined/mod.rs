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
use crate::gemm::plan::tiles::Way;
use crate::gemm::problem::modes::Modes;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::Level;

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
    const AVX512: Option<Make<T>> = InCaller::<T, <T as sealed::Element>::Avx512, P>::MAKE;
    #[cfg(target_arch = "x86_64")]
    const AVX2: Option<Make<T>> = InCaller::<T, <T as sealed::Element>::Avx2, P>::MAKE;
}

impl<T: Float, P: Product> Static<T> for OfFloats<T, P> {
    const EXISTS: bool = {
        let exists = Self::TINY;
        #[cfg(target_arch = "x86_64")]
        let exists = exists || Self::AVX512.is_some() || Self::AVX2.is_some();
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
        let tiny: Option<Make<T>> =
            const { if Self::TINY { Some(tiny::run::<T, P>) } else { None } };
        if let Some(make) = tiny {
            // SAFETY: as required here.
            unsafe { make(scale, a, b, c) };
            return Ok(());
        }
        // One by one, and so in registers.
        let Scale { alpha, beta, kind } = *scale;
        let level = level();
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) if const { Self::AVX512.is_some() } => {
                // SAFETY: the token proves the instructions; the rest is required here.
                unsafe { avx512::<T, P>(alpha, beta, kind, a, b, c) };
                Ok(())
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) if const { Self::AVX2.is_some() } => {
                // SAFETY: as above.
                unsafe { avx2::<T, P>(alpha, beta, kind, a, b, c) };
                Ok(())
            }
            _ => Err(level),
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
    if let Some(make) = const { OfFloats::<T, P>::AVX512 } {
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
    if let Some(make) = const { OfFloats::<T, P>::AVX2 } {
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
