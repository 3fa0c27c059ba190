//! Products of static layouts whose elements are not words: bytes, and `bf16`.
//!
//! Several of them along K make a word, so that operands are packed nearly always. What is known of
//! the layouts saves the checks, plans and blocks of a call that decides when it runs; the kernels
//! are compiled here and once.

use core::marker::PhantomData;

use crate::gemm::dynamic::direct::{Matrices, fits};
use crate::gemm::dynamic::flat::Flat;
use crate::gemm::fixed::{Kernel, Product, Static};
use crate::gemm::multiply::Multiply;
use crate::gemm::scale::Scale;
use crate::simd::Level;

/// The product `P` of elements `X` and `Y`, whose words have 32 bits.
pub struct Stacked<X, Y, P>(PhantomData<(X, Y, P)>);

impl<X, Y, P: Product> Stacked<X, Y, P> {
    /// The product, when its modes have one distance each, C has runs, and packed operands fit.
    const FLAT: Option<Flat> = match &P::MODES {
        Some(modes) => match Flat::new(modes) {
            Some(flat) if flat.has_runs() && !flat.is_empty() && fits(&flat, size_of::<u32>()) => {
                Some(flat)
            }
            _ => None,
        },
        None => None,
    };
}

impl<X: Multiply<Y>, Y: Copy, P: Product> Static<X, Y, X::Sum> for Stacked<X, Y, P> {
    const EXISTS: bool = Self::FLAT.is_some();

    fn kernel(_: Level) -> Option<Kernel> {
        Self::FLAT.map(|_| Kernel::Stacked)
    }

    #[inline(always)]
    unsafe fn run<const ANY: bool>(
        level: impl FnOnce() -> Level,
        scale: &Scale<X::Sum>,
        a: *const X,
        b: *const Y,
        c: *mut X::Sum,
    ) {
        if let Some(flat) = const { &Self::FLAT } {
            // SAFETY: the caller's promise; the operands fit.
            unsafe { X::small(level(), flat, &Matrices { scale, a, b, c, finish: None }) };
        }
    }
}
