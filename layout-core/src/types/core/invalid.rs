//! `Invalid`: the result of an operation that has none, with the reason in its type.

use core::marker::PhantomData;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::nat::Nat;
use crate::types::core::sealed::Sealed;

/// A layout that does not exist. Every operation on it returns it unchanged, so the first reason is
/// reported. Its constants are compile errors with the reason's message.
#[derive(Debug)]
pub struct Invalid<R>(PhantomData<R>);
impl<R> Sealed for Invalid<R> {}

/// Why a layout does not exist.
pub trait Reason: 'static {
    /// The error with its numbers, the same as from the run-time algebra.
    const ERROR: LayoutError;
}

/// Modes that exist.
#[diagnostic::on_unimplemented(
    message = "there is no such layout",
    label = "an operation in this layout has no result"
)]
pub trait ValidModes {}

/// Never implements the check traits of reasons, so each bound on it fails with its own message.
#[derive(Debug)]
pub enum Never {}

/// Defines reasons: the name, its parameters, the error, and the compiler message for a failed bound
/// [`Valid`](crate::types::Valid).
///
/// `with value = constant` binds a constant that is a `Result`; if it is an `Err`, that is the
/// reason. `else Trait: message, label` is the trait that is not implemented.
macro_rules! reasons {
    ($(
        $(#[$doc:meta])*
        $name:ident<$($param:ident: $bound:ident),+> $(with $value:ident = $result:expr,)* => $error:expr,
            else $check:ident: $message:literal, $label:literal;
    )+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<$($param),+>(core::marker::PhantomData<($($param,)+)>);

        impl<$($param: $bound),+> $crate::types::core::invalid::Reason for $name<$($param),+> {
            const ERROR: $crate::error::LayoutError =
                $crate::types::core::invalid::reasons!(@error $($value = $result,)* => $error);
        }

        #[diagnostic::on_unimplemented(
            message = $message,
            label = $label,
            note = "assert_valid! prints the numbers"
        )]
        #[doc(hidden)]
        pub trait $check<R> {}
        impl<$($param),+> $crate::types::core::invalid::ValidModes
            for $crate::types::core::invalid::Invalid<$name<$($param),+>>
        where
            $crate::types::core::invalid::Never: $check<$name<$($param),+>>,
        {
        }
    )+};
    (@error => $error:expr) => { $error };
    (@error $value:ident = $result:expr, $($rest:tt)*) => {
        match $result {
            Ok($value) => $crate::types::core::invalid::reasons!(@error $($rest)*),
            Err(error) => error,
        }
    };
}
pub(crate) use reasons;

/// The integer that a message quotes.
pub(crate) const fn number<N: Nat>() -> usize {
    match N::VALUE {
        Some(value) => value,
        // A decision about a run-time leaf has the reason `RunTimeLeaf` instead.
        None => 0,
    }
}

/// A static extent of zero.
#[derive(Debug)]
pub enum ZeroExtent {}

impl Reason for ZeroExtent {
    const ERROR: LayoutError = LayoutError::ZeroExtent;
}

/// A tuple without modes.
#[derive(Debug)]
pub enum EmptyTuple {}

impl Reason for EmptyTuple {
    const ERROR: LayoutError = LayoutError::EmptyTuple;
}

/// An operation has to decide something about a run-time leaf.
#[derive(Debug)]
pub enum RunTimeLeaf {}

impl Reason for RunTimeLeaf {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::RunTimeDecision);
}

/// An operation whose name appears in several reasons.
pub trait Named: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
}
