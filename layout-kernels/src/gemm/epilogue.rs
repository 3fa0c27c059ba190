//! `Epilogue`: what happens to finished elements.

use crate::gemm::exec::arguments::Finished;

/// What [`Gemm`](crate::Gemm) applies to finished elements: nothing, or the function given to
/// [`Gemm::then`](crate::Gemm::then).
pub trait Epilogue<T>: sealed::Sealed + Sync {
    #[doc(hidden)]
    const IS_IDENTITY: bool;

    /// Applies the epilogue to a part of C; see [`Finished::map`] for `inlined`.
    ///
    /// # Safety
    ///
    /// Same as [`Finished::map`], for elements of type `T`.
    #[doc(hidden)]
    unsafe fn apply(&self, part: &Finished<'_>, inlined: bool);
}

/// No epilogue: finished elements stay as they are.
#[derive(Clone, Copy, Debug)]
pub struct AsIs;

/// An epilogue that replaces each finished element by the result of a function.
#[derive(Clone, Copy, Debug)]
pub struct Then<F>(pub(crate) F);

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AsIs {}
    impl<F> Sealed for super::Then<F> {}
}

impl<T> Epilogue<T> for AsIs {
    const IS_IDENTITY: bool = true;

    #[inline(always)]
    unsafe fn apply(&self, _: &Finished<'_>, _: bool) {}
}

impl<T: Copy, F: Fn(T, (usize, usize)) -> T + Sync> Epilogue<T> for Then<F> {
    const IS_IDENTITY: bool = false;

    #[inline(always)]
    unsafe fn apply(&self, part: &Finished<'_>, inlined: bool) {
        // SAFETY: guaranteed by the caller.
        unsafe { part.map(&self.0, inlined) };
    }
}
