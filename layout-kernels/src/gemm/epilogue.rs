//! `Epilogue`: what happens to finished elements.

use crate::gemm::exec::arguments::Finished;

/// What [`Gemm`](crate::Gemm) does with finished elements: nothing, or what [`Gemm::then`](crate::Gemm::then) was told.
pub trait Epilogue<T>: sealed::Sealed + Sync {
    #[doc(hidden)]
    const KEEPS: bool;

    /// # Safety
    ///
    /// As [`Finished::each`], for elements `T`.
    #[doc(hidden)]
    unsafe fn apply(&self, part: &Finished<'_>);
}

/// Finished elements stay as they are.
#[derive(Clone, Copy, Debug)]
pub struct AsIs;

/// Finished elements are replaced by what a function makes of them.
#[derive(Clone, Copy, Debug)]
pub struct Then<F>(pub(crate) F);

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AsIs {}
    impl<F> Sealed for super::Then<F> {}
}

impl<T> Epilogue<T> for AsIs {
    const KEEPS: bool = true;

    #[inline(always)]
    unsafe fn apply(&self, _: &Finished<'_>) {}
}

impl<T: Copy, F: Fn(T, (usize, usize)) -> T + Sync> Epilogue<T> for Then<F> {
    const KEEPS: bool = false;

    #[inline(always)]
    unsafe fn apply(&self, part: &Finished<'_>) {
        // SAFETY: as required here.
        unsafe { part.each(&self.0) };
    }
}
