//! `Invalid`: the layout that an operation has instead of a result, with the reason in its type.

use core::marker::PhantomData;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::nat::Nat;
use crate::types::core::sealed::Sealed;

/// A layout that does not exist: every operation on it gives it again, so that the first reason is
/// the one reported. Its constants are compile errors with the reason's message.
#[derive(Debug)]
pub struct Invalid<R>(PhantomData<R>);
impl<R> Sealed for Invalid<R> {}

/// Why a layout does not exist.
pub trait Reason: 'static {
    /// The error, with the numbers in it; the same that the run-time algebra gives.
    const ERROR: LayoutError;
}

/// Modes that exist.
#[diagnostic::on_unimplemented(
    message = "there is no such layout",
    label = "an operation in this layout has no result"
)]
pub trait ValidModes {}

/// Nothing: what reasons are asked of, so that each has its own message.
#[derive(Debug)]
pub enum Never {}

/// States reasons: the name, its parameters, the error, and what the compiler says where
/// [`Valid`](crate::types::Valid) is asked for.
///
/// `with value = constant` takes numbers from a constant that is a `Result`, and the reason is the
/// `Err` where it is one. `else Trait: message, label` is the trait that is not implemented.
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
        // A decision about a run-time leaf has the reason `RunTimeLeaf`.
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

/// A run-time leaf where an operation has to decide.
#[derive(Debug)]
pub enum RunTimeLeaf {}

impl Reason for RunTimeLeaf {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::RunTimeDecision);
}

/// An operation that several reasons name.
pub trait Named: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
}
