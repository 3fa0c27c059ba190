//! `Number`: an integer argument, known at compile time or at run time.

use crate::types::api::int_tuple::AnyIntTuple;
use crate::types::api::kind::{DynamicKind, Kind, StaticKind};
use crate::types::core::nat::Nat;
use crate::types::core::symbolic::Dyn;

/// A mode index, a factor or another number that determines the modes of a result.
///
/// With a typenum integer, such as `U2::new()`, the result has the kind of the layout. With a
/// `usize` it is a [`DynLayout`](crate::engine::DynLayout), as its modes depend on a value.
///
/// ```
/// use static_layout::{layout, prelude::*};
/// use static_layout::typenum::{U1, U3};
///
/// let layout = layout!((2,3,5):(1,2,6));
/// let known: layout!((3,5):(2,6)) = layout.take(U1::new(), U3::new());
/// let by_value: DynLayout = layout.take(1, 3)?;
/// assert_eq!(by_value.to_string(), known.to_string());
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a number is needed here",
    label = "not a typenum integer or a `usize`"
)]
pub trait Number: AnyIntTuple + Copy {
    /// The number, if the type has it.
    #[doc(hidden)]
    type Nat: Nat;
    /// The kind of results: any kind, or by value only.
    #[doc(hidden)]
    type Results: Kind;
}

impl<N: Nat> Number for N {
    type Nat = N;
    type Results = StaticKind;
}

impl Number for usize {
    type Nat = Dyn;
    type Results = DynamicKind;
}
