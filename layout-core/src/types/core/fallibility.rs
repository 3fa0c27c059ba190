//! `Check`: whether what can go wrong with a call is known when the program is compiled.

use crate::error::LayoutError;
use crate::types::core::sealed::Sealed;

/// Whether the checks of a call are done by the compiler or when the program runs.
///
/// A kernel returns [`Outcome<T>`](Self::Outcome): plain `T` when every layout in the call is
/// static, because then nothing is left that could fail, and `Result<T, LayoutError>` otherwise.
pub trait Check: Sealed + 'static {
    /// The check of a call with another layout in it.
    type And<Other: Check>: Check;
    /// `T`, or `Result<T, LayoutError>`.
    type Outcome<T>;
    /// Makes an outcome.
    ///
    /// # Panics
    ///
    /// [`AtCompileTime`] panics on an `Err`. The caller has checked the same in a `const`.
    fn outcome<T>(result: Result<T, LayoutError>) -> Self::Outcome<T>;
    /// The outcome as a `Result`, for generic code.
    ///
    /// # Errors
    ///
    /// The `Err` that the outcome holds; never for [`AtCompileTime`].
    fn into_result<T>(outcome: Self::Outcome<T>) -> Result<T, LayoutError>;

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
impl Sealed for AtCompileTime {}

/// Something is checked when the program runs; an outcome is a `Result`.
#[derive(Debug)]
pub enum AtRunTime {}
impl Sealed for AtRunTime {}

impl Check for AtCompileTime {
    type And<Other: Check> = Other;
    type Outcome<T> = T;
    fn outcome<T>(result: Result<T, LayoutError>) -> T {
        match result {
            Ok(value) => value,
            Err(error) => error.panic(),
        }
    }
    fn into_result<T>(outcome: T) -> Result<T, LayoutError> {
        Ok(outcome)
    }

    type Held<T: Clone> = ();
    #[inline(always)]
    fn hold<T: Clone>(_: impl FnOnce() -> T) {}
    #[inline(always)]
    fn held<T: Clone>((): &mut ()) -> Option<&mut T> {
        None
    }
}

impl Check for AtRunTime {
    type And<Other: Check> = Self;
    type Outcome<T> = Result<T, LayoutError>;
    fn outcome<T>(result: Result<T, LayoutError>) -> Result<T, LayoutError> {
        result
    }
    fn into_result<T>(outcome: Result<T, LayoutError>) -> Result<T, LayoutError> {
        outcome
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
