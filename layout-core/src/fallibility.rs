//! `Fallibility`: whether a call is checked at compile time or at run time.

use crate::error::LayoutError;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AtCompileTime {}
    impl Sealed for super::AtRunTime {}
}

/// Whether a call is checked at compile time or at run time.
///
/// A kernel returns [`Outcome<T>`](Self::Outcome). If every layout of the call is static, nothing
/// can fail at run time and the outcome is a plain `T`. Otherwise it is a `Result<T, LayoutError>`.
/// Generic code calls [`into_result`](IntoResult::into_result) on either.
pub trait Fallibility: sealed::Sealed + 'static {
    /// The fallibility of a call that takes one more layout.
    type And<Other: Fallibility>: Fallibility;
    /// `T`, or `Result<T, LayoutError>`.
    type Outcome<T>: IntoResult<T>;
    /// Converts the result of a call to its outcome.
    ///
    /// # Panics
    ///
    /// [`AtCompileTime`] panics on an `Err`. The caller has made the same check in a `const`.
    fn outcome<T>(result: Result<T, LayoutError>) -> Self::Outcome<T>;

    /// Data that a call must store because it is not in a type: `T`, or `()` for [`AtCompileTime`].
    #[doc(hidden)]
    type Held<T: Clone>: Clone;
    #[doc(hidden)]
    fn hold<T: Clone>(value: impl FnOnce() -> T) -> Self::Held<T>;
    #[doc(hidden)]
    fn held<T: Clone>(held: &mut Self::Held<T>) -> Option<&mut T>;
}

/// All checks happened at compile time. An outcome is a plain value.
#[derive(Debug)]
pub enum AtCompileTime {}

/// Some checks happen at run time. An outcome is a `Result`.
#[derive(Debug)]
pub enum AtRunTime {}

impl Fallibility for AtCompileTime {
    type And<Other: Fallibility> = Other;
    type Outcome<T> = T;
    fn outcome<T>(result: Result<T, LayoutError>) -> T {
        or_fail!(result)
    }
    type Held<T: Clone> = ();
    #[inline(always)]
    fn hold<T: Clone>(_: impl FnOnce() -> T) {}
    #[inline(always)]
    fn held<T: Clone>((): &mut ()) -> Option<&mut T> {
        None
    }
}

impl Fallibility for AtRunTime {
    type And<Other: Fallibility> = Self;
    type Outcome<T> = Result<T, LayoutError>;
    fn outcome<T>(result: Result<T, LayoutError>) -> Result<T, LayoutError> {
        result
    }
    type Held<T: Clone> = T;
    #[inline(always)]
    fn hold<T: Clone>(value: impl FnOnce() -> T) -> T {
        value()
    }
    #[inline(always)]
    fn held<T: Clone>(held: &mut T) -> Option<&mut T> {
        Some(held)
    }
}

/// Converts the outcome of a call to a `Result`, for code that is generic over the kind of its
/// layouts.
///
/// A call on static layouts returns plain `T`, and a call on others `Result<T, LayoutError>`. Where
/// the layouts are a type parameter, only the bound [`AnyLayout`](crate::types::AnyLayout) is needed:
///
/// ```
/// use static_layout::kernels::{copy, gemm};
/// use static_layout::{layout, prelude::*};
///
/// fn square<L: AnyLayout>(a: &Tensor<f32, L>) -> Result<Tensor<f32, L>, LayoutError> {
///     let mut product = Tensor::zeros_in(a.layout()).into_result()?;
///     gemm(1.0, a, a, 0.0, &mut product).into_result()?;
///     Ok(product)
/// }
///
/// let rows = layout!((2, 2):(2, 1));
/// let known = square(&Tensor::full_in(rows, 3.0))?;
/// let by_value = square(&Tensor::full_in(rows.to_dyn()?, 3.0)?)?;
/// assert_eq!((known.as_slice(), by_value.as_slice()), (&[18.0; 4][..], &[18.0; 4][..]));
///
/// // Over any kind of layout on each side:
/// fn relaid<S: AnyLayout, D: AnyLayout>(
///     source: View<'_, u8, S>,
///     layout: D,
/// ) -> Result<Tensor<u8, D>, LayoutError> {
///     let mut moved = Tensor::zeros_in(layout).into_result()?;
///     copy(&source, &mut moved).into_result()?;
///     Ok(moved)
/// }
/// let n = 3;
/// let columns = relaid(View::new_in(&[1, 2, 3, 4, 5, 6], layout!((2, n):(n, 1)))?, layout!((2, n)))?;
/// assert_eq!(columns.as_slice(), [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), LayoutError>(())
/// ```
pub trait IntoResult<T> {
    /// Wraps a plain value in `Ok`; returns a `Result` as it is.
    ///
    /// # Errors
    ///
    /// The `Err` of the call. A call on static layouts has no `Err`.
    fn into_result(self) -> Result<T, LayoutError>;
}

impl<T> IntoResult<T> for T {
    #[inline(always)]
    fn into_result(self) -> Result<T, LayoutError> {
        Ok(self)
    }
}

impl<T> IntoResult<T> for Result<T, LayoutError> {
    #[inline(always)]
    fn into_result(self) -> Result<T, LayoutError> {
        self
    }
}
