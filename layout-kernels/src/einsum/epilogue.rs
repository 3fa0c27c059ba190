//! `EinsumEpilogue`: what happens to the finished elements of a contraction.

use crate::gemm::{AsIs, Then};

/// What [`Einsum`](crate::Einsum) applies to finished elements: nothing, or the function given to
/// [`Einsum::then`](crate::Einsum::then).
pub trait EinsumEpilogue<T>: sealed::Sealed + Sync {
    #[doc(hidden)]
    const IS_IDENTITY: bool;

    /// The new value of an element `x` at a coordinate of C.
    #[doc(hidden)]
    fn call(&self, x: T, at: &[usize]) -> T;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AsIs {}
    impl<F> Sealed for super::Then<F> {}
}

impl<T> EinsumEpilogue<T> for AsIs {
    const IS_IDENTITY: bool = true;

    #[inline(always)]
    fn call(&self, x: T, _: &[usize]) -> T {
        x
    }
}

impl<T, F: Fn(T, &[usize]) -> T + Sync> EinsumEpilogue<T> for Then<F> {
    const IS_IDENTITY: bool = false;

    #[inline(always)]
    fn call(&self, x: T, at: &[usize]) -> T {
        (self.0)(x, at)
    }
}
