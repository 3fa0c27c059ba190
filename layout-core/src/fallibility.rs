//! `Fallibility`: whether what can go wrong with a call is known when the program is compiled.

use crate::error::LayoutError;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AtCompileTime {}
    impl Sealed for super::AtRunTime {}
}

/// Whether the checks of a call are done by the compiler or when the program runs.
///
/// A kernel returns [`Outcome<T>`](Self::Outcome): plain `T` when every layout in the call is
/// static, because then nothing is left that could fail, and `Result<T, LayoutError>` otherwise.
/// Generic code calls [`into_result`](IntoResult::into_result) on either.
pub trait Fallibility: sealed::Sealed + 'static {
    /// The check of a call with another layout in it.
    type And<Other: Fallibility>: Fallibility;
    /// `T`, or `Result<T, LayoutError>`.
    type Outcome<T>: IntoResult<T>;
    /// Makes an outcome.
    ///
    /// # Panics
    ///
    /// [`AtCompileTime`] panics on an `Err`. The caller has checked the same in a `const`.
    fn outcome<T>(result: Result<T, LayoutError>) -> Self::Outcome<T>;

    /// What a call has to hold because it is not in a type: `T`, or `()` for [`AtCompileTime`].
    #[doc(hidden)]
    type Held<T: Clone>: Clone;
    #[doc(hidden)]
    fn hold<T: Clone>(value: impl FnOnce() -> T) -> Self::Held<T>;
    #[doc(hidden)]
    fn held<T: Clone>(held: &mut Self::Held<T>) -> Option<&mut T>;
}

/// Everything was checked while the program compiled; an outcome is plain.
#[derive(Debug)]
pub enum AtCompileTime {}

/// Something is checked when the program runs; an outcome is a `Result`.
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

/// What a call returns, as a `Result`: for code that is generic over the kind of its layouts.
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
    /// `Ok` of a plain value, and a `Result` as it is.
    ///
    /// # Errors
    ///
    /// The `Err` of the call; none for a call on static layouts.
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
