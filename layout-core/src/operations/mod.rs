//! The operations of the algebra, each defined in one place.
//!
//! Every operation is below as a type: an alias with CuTe's name in CamelCase. [`Algebra`] has the
//! operations as methods of layouts of any kind. The notation has them by the same name in snake
//! case.
//!
//! An operation on static layouts gives a [`Layout`](crate::types::Layout) in normal form: the same
//! type as `layout!` gives for the resulting layout. If there is no result, it gives an
//! [`Invalid`](crate::types::Invalid) layout, whose constants are compile errors.
//! [`assert_valid!`](crate::assert_valid) turns it into a compile error that names the problem.
//!
//! # The list
//!
//! Each file here is a part of the list. A row has the name, the documentation, the operands, the
//! type and the value of one operation:
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
//! * `filter_by` is the method, and `filter` the name in the notation, if it differs.
//! * An operand has a name as a value, a name as a type, and the [`Kind`](crate::text::Kind) that
//!   the notation expects. As a type and as a method's argument it is an
//!   [`AnyLayout`](crate::types::AnyLayout), an [`AnyTiler`](crate::types::AnyTiler), an
//!   [`AnyIntTuple`](crate::types::AnyIntTuple), a [`Nat`](crate::types::Nat) or a
//!   [`StaticSlicer`](crate::types::StaticSlicer). The kind of the first operand determines the
//!   layouts for which the value is defined: a `Layout` is in memory, an `Offsets` may also be
//!   swizzled, a `Strided` may have strides that are negative or have a direction, and a `Domain`
//!   may be any of these.
//! * `type` is the result on the modes of layouts. `value` is computed by the engine, and is an
//!   `Err` if there is no result. `law` is the condition for a mixed `result` that has other modes
//!   than the engine's result. Without it both must be the same function.
//! * `text` is the value in the notation, if it differs from `value`.
//!
//! A `type` row has no method. A `text` row exists only in the notation. The macros are in `rows`.

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

/// The result of the operation `O` for these operands, a tuple of types.
///
/// The alias of an operation stands for an associated type of its operands, not for its expansion.
/// The expansion names an operand several times, so the compiler would need time and memory
/// exponential in `n` for `n` nested operations. As an argument of a trait, an operand is evaluated
/// once.
#[cfg(feature = "types")]
#[doc(hidden)]
pub trait Operands<O> {
    /// The layout; [`Invalid`](crate::types::Invalid) if there is none.
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

/// All rows, as forms of the notation.
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
