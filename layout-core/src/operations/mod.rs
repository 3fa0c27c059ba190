//! The operations of the algebra, each stated once.
//!
//! Below is every operation as a type: an alias with CuTe's name in CamelCase. [`Algebra`] has them
//! as methods of layouts of any kind, and the notation has them by the same name in snake case.
//!
//! An operation on static layouts gives a [`Layout`](crate::types::Layout) in normal form, equal as a
//! type to the same layout written out. An operation that has no result gives an
//! [`Invalid`](crate::types::Invalid) layout, whose constants are compile errors;
//! [`assert_valid!`](crate::assert_valid) asks for the error by name.
//!
//! # The list
//!
//! Each file here is a part of the list. A row has the name, the documentation, the operands, the type
//! and the value of one operation:
//!
//! ```text
//! /// One line that says what it gives.
//! ///
//! /// Its law, and an example.
//! fn filter_by as filter(a: A as Domain, profile: P as IntTuple) -> FilterBy {
//!     type = FilteredBy<A, P>;
//!     value = a.filter_by(profile);
//!     law(result, by_value) = agree(&result.filter_by(profile)?, by_value);
//! }
//! ```
//!
//! * `filter_by` is the method, `filter` the name in the notation, where that differs.
//! * An operand has a name as a value, a name as a type, and what the notation takes for it, a
//!   [`Kind`](crate::text::Kind). As a type and as a method's argument it is an
//!   [`AnyLayout`](crate::types::AnyLayout), an [`AnyTiler`](crate::types::AnyTiler), an
//!   [`AnyIntTuple`](crate::types::AnyIntTuple), a [`Nat`](crate::types::Nat) or a
//!   [`StaticSlicer`](crate::types::StaticSlicer). The kind of the first operand says which layouts
//!   the value is defined for: a `Layout` is in memory, an `Offsets` may also be swizzled, a `Strided`
//!   may have strides that are negative or have a direction, a `Domain` may be all of that.
//! * `type` is the result on the modes of layouts. `value` is what the engine computes, an `Err` where
//!   there is no result. `law` says when a mixed `result` is right that has other modes than the
//!   engine's; without it both must be the same function.
//! * `text` is the value in the notation, where that is more than `value`.
//!
//! A `type` row has no method. A `text` row is of the notation alone. `rows` has the macros.

#[cfg(feature = "types")]
mod algebra;
mod divide;
#[cfg(feature = "text")]
mod facts;
#[cfg(feature = "text")]
mod forms;
mod function;
#[cfg(feature = "text")]
mod linear;
#[cfg(feature = "text")]
mod morello;
mod product;
#[cfg(feature = "types")]
pub(crate) mod rows;
mod shape;
mod structure;

#[cfg(feature = "types")]
pub use {
    algebra::{Algebra, Outcome, ShapeAlgebra},
    divide::*,
    function::*,
    product::*,
    shape::*,
    structure::*,
};
#[cfg(feature = "types")]
pub(crate) use {
    divide::divides, function::functions, product::products, shape::shape_operations,
    structure::structures,
};

/// What the operation `O` gives for these operands, a tuple of types.
///
/// The alias of an operation stands for an associated type of its operands, and not for what that
/// expands to: what it expands to names an operand several times, so that the compiler would work
/// out `n` nested operations in time and memory exponential in `n`. As an argument of a trait an
/// operand is worked out once.
#[cfg(feature = "types")]
#[doc(hidden)]
pub trait Operands<O> {
    /// The layout, [`Invalid`](crate::types::Invalid) where there is none.
    type Layout;
}

/// The results of all operations as modes of layouts, by the names of their aliases.
#[cfg(feature = "types")]
pub(crate) mod modes {
    pub(crate) use super::divide::modes::*;
    pub(crate) use super::function::modes::*;
    pub(crate) use super::product::modes::*;
    pub(crate) use super::shape::modes::*;
    pub(crate) use super::structure::modes::*;
}

/// All rows as the notation has them.
#[cfg(feature = "text")]
pub(crate) const FORMS: &[&[crate::text::operations::Form]] = &[
    divide::FORMS,
    facts::FORMS,
    function::FORMS,
    linear::FORMS,
    morello::FORMS,
    product::FORMS,
    shape::FORMS,
    structure::FORMS,
];
