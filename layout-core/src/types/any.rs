//! `AnyLayout`: what static, mixed and dynamic layouts have in common.

use core::fmt::{Debug, Display};

use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;

/// A layout: static ([`Layout`](super::Layout)), mixed ([`Mixed`](super::Mixed)) or dynamic
/// ([`DynLayout`]).
///
/// It is a function from coordinates to offsets. Kernels and tensors are generic over it and
/// decide at compile time whatever [`STATIC`](Self::STATIC) makes known.
pub trait AnyLayout: Copy + Display + Debug + Send + Sync + 'static {
    /// The layout's value, when its type fixes every number.
    ///
    /// A compile error names the reason where an operation of the algebra had no result.
    const STATIC: Option<DynLayout>;

    /// What can still go wrong with this layout when the program runs: nothing, for a static one.
    type Check: Check;

    /// A coordinate with one number for each mode, as a closure receives it: `usize`, `(usize,)`,
    /// `(usize, usize)` and so on, and a slice-like value when the rank is not known.
    type Coord: ModeCoord;

    /// The layout as a value.
    ///
    /// # Errors
    ///
    /// When run-time leaves make a size or an offset that does not fit.
    fn to_dyn(&self) -> Result<DynLayout, LayoutError>;
}

/// Whether the checks of a call are done by the compiler or when the program runs.
///
/// A kernel returns [`Outcome<T>`](Self::Outcome): plain `T` when every layout in the call is
/// static, because then nothing is left that could fail, and `Result<T, LayoutError>` otherwise.
pub trait Check: 'static {
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
}

/// Everything was checked while the program compiled; an outcome is plain.
#[derive(Debug)]
pub enum AtCompileTime {}

/// Something is checked when the program runs; an outcome is a `Result`.
#[derive(Debug)]
pub enum AtRunTime {}

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
}

/// A coordinate with one number for each mode.
pub trait ModeCoord: Copy + Debug {
    /// The coordinate with these numbers, one for each mode.
    ///
    /// # Panics
    ///
    /// When the number of modes is not that of the type.
    fn from_modes(modes: &[usize]) -> Self;
}

impl ModeCoord for usize {
    fn from_modes(modes: &[usize]) -> Self {
        assert_eq!(modes.len(), 1, "a coordinate of an integer shape is one number");
        modes[0]
    }
}

macro_rules! mode_coord_tuple {
    ($($n:literal: $($t:ident $i:tt),+;)+) => {$(
        impl ModeCoord for ($($t,)+) {
            fn from_modes(modes: &[usize]) -> Self {
                assert_eq!(modes.len(), $n, "a coordinate has one number for each mode");
                ($(modes[$i],)+)
            }
        }
    )+};
}
// Type aliases would do; an identifier for each position keeps the macro short.
type U = usize;
mode_coord_tuple! {
    1: U 0;
    2: U 0, U 1;
    3: U 0, U 1, U 2;
    4: U 0, U 1, U 2, U 3;
    5: U 0, U 1, U 2, U 3, U 4;
    6: U 0, U 1, U 2, U 3, U 4, U 5;
    7: U 0, U 1, U 2, U 3, U 4, U 5, U 6;
    8: U 0, U 1, U 2, U 3, U 4, U 5, U 6, U 7;
}

/// An [`IntTuple`] is the coordinate of a layout whose rank is known at run time; one integer when
/// the layout has an integer shape, a flat tuple otherwise.
impl ModeCoord for IntTuple {
    fn from_modes(modes: &[usize]) -> Self {
        match Self::flat(modes) {
            Ok(t) => t,
            Err(e) => e.panic(),
        }
    }
}

impl AnyLayout for DynLayout {
    const STATIC: Option<DynLayout> = None;
    type Check = AtRunTime;
    type Coord = IntTuple;
    fn to_dyn(&self) -> Result<DynLayout, LayoutError> {
        Ok(*self)
    }
}
