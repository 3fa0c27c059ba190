//! Layouts as types: the same algebra as the engine's, done by the compiler.
//!
//! A [`Layout<S, D>`](Layout) is a zero-sized type. Every operation is an associated type that
//! exists for all arguments, so generic code needs the bound [`StaticLayout`] and no other; one
//! that has no result is [`Invalid`], with the reason.
//!
//! # Static, mixed and dynamic
//!
//! The aliases and the methods of [`Algebra`] work on layouts of every [`Kind`], and on tilers and
//! integer tuples of every kind as arguments. What a result looks like depends on what the types of
//! the operands fix:
//!
//! * A static [`Layout`] and a [`DynLayout`](crate::engine::DynLayout) work by value: modes merge
//!   and disappear where the numbers allow it. Both give the same layout.
//! * A [`Mixed`] layout keeps the structure that its types promise, for all values of its run-time
//!   leaves, as CuTe does: an extent that happens to be 1 stays, and modes that happen to continue
//!   each other stay apart. What is known stays in the type: the tiles of a matrix of run-time
//!   shape have static extents.
//!
//! ```
//! use layout_core::engine::DynLayout;
//! use layout_core::types::{Algebra, AnyLayout, Cons, Dyn, Layout, Mixed, Nil};
//! use typenum::{U1, U2, U6, U12};
//! type List<A, B, C> = Cons<A, Cons<Cons<B, Cons<C, Nil>>, Nil>>;
//! // (2,(1,6)):(1,(6,2)), three times.
//! let known = Layout::<List<U2, U1, U6>, List<U1, U6, U2>>;
//! let value: DynLayout = known.to_dyn()?;
//! let mixed: Mixed<List<Dyn, Dyn, Dyn>, List<Dyn, Dyn, Dyn>> = value.try_into()?;
//!
//! assert_eq!(known.coalesce(), Layout::<U12, U1>);
//! assert_eq!(value.coalesce().to_string(), "12:1");
//! assert_eq!(mixed.coalesce()?.to_string(), "(2,1,6):(1,6,2)");
//! # Ok::<(), layout_core::error::LayoutError>(())
//! ```
//!
//! The values of a mixed result are never trusted: each is compared with what the engine computes
//! from the operands by value. Where that has other modes than the types promise, the result is an
//! `Err`; where the types promise nothing, as the complement of two run-time strides, the call is a
//! compile error. [`to_dyn`](AnyLayout::to_dyn) on the operands gives the result by value.
//!
//! # Limits
//!
//! A layout has at most [`MAX_LEAVES`](crate::engine::MAX_LEAVES) leaves, and sizes and offsets stay
//! below 2^63. An operation on very many modes of very large numbers may come to the compiler's
//! `recursion_limit` first, which is 128 by default: compositions of 32 modes are below it, and so
//! are complements of 22 modes with numbers up to 2^44, or of few modes up to 2^58. rustc then
//! reports E0275, or E0284 ("type annotations needed"), and a larger `recursion_limit` helps.
//!
//! # How it works
//!
//! * `nat`, `truth`: integers, comparisons and decisions. A decision dispatches to a branch that is
//!   an associated type *of the truth value*, since rustc computes every argument it is given.
//! * `tree`, `modes`: shapes and strides as [`Cons`] lists, and the two zipped.
//! * `flat`, and one file for each operation: lists of leaves, and what is done to them.
//! * `symbolic`, `evaluate`: the same operation on expressions gives the values of a mixed result.
//! * `kind`, `operand`: what operations take and give, for layouts of all kinds.
//! * [`operations`](crate::operations): the list of all operations.
//! * `reason`: [`Invalid`] takes part in every list and tree and gives itself.

mod any;
pub(crate) mod arranged;
pub(crate) mod by_mode;
mod by_profile;
mod check;
pub(crate) mod coalesce;
pub(crate) mod common;
pub(crate) mod compact;
pub(crate) mod complement;
mod compose;
pub mod constant;
mod coordinate;
pub(crate) mod distribute;
pub(crate) mod evaluate;
pub(crate) mod filter;
pub(crate) mod flat;
mod gcd;
mod int_tuple;
pub(crate) mod inverse;
mod kind;
mod layout;
mod leafwise;
pub(crate) mod left_inverse;
pub(crate) mod local;
pub(crate) mod make_ordered;
mod mixed;
mod mode_coord;
mod modes;
mod morello;
mod nat;
mod number;
mod numbers;
mod offset;
mod operand;
mod outcome;
pub(crate) mod permute;
mod place;
mod queries;
pub(crate) mod range;
mod reason;
pub(crate) mod recast;
mod sealed;
pub(crate) mod select;
pub(crate) mod shape_div;
mod slice;
pub(crate) mod slicer;
mod static_morello;
mod symbolic;
pub(crate) mod tiler;
mod tree;
mod truth;
pub(crate) mod unflatten;
mod visit;
pub(crate) mod windows;
pub(crate) mod zip;
pub(crate) mod zipped;

pub use crate::operations::*;
pub use any::AnyLayout;
pub use check::Valid;
#[doc(hidden)]
pub use compact::CompactStride;
pub use constant::Constant;
pub use coordinate::{Coordinate, CoordinateIn, CoordinateValue};
pub use int_tuple::AnyIntTuple;
pub use kind::{DynamicKind, Kind, MixedKind, StaticKind};
pub(crate) use kind::{LayoutOf, ModesOf};
pub use layout::{ArrayLayout, Layout, StaticLayout};
pub use local::TileCoordinate;
pub use mixed::{Mixed, MixedValues};
pub use mode_coord::ModeCoord;
pub(crate) use modes::ModeTree;
pub use morello::{
    Dimension0, Morello, Next, OddEvenPart, On, PackedPart, PartOf, Parts, RestPart,
    ShapelessLayout,
};
pub use nat::{Nat, NatAdd, NatCeilDiv, NatDiv, NatMin, NatMul, NatRem, NatSub};
pub use number::Number;
pub use numbers::{NumberList, Numbers};
pub use operand::{Join, KindOf, Operand};
pub use outcome::{AtCompileTime, AtRunTime, Check};
pub use reason::{Invalid, Reason};
pub use slice::{SliceCoordinate, SliceValue};
pub use slicer::{SlicerList, StaticSlicer};
pub use static_morello::StaticMorello;
pub use symbolic::Dyn;
pub use tiler::{AnyTiler, Keep, StaticTiler, Tile, TilerList};
pub use tree::{Cons, Nil, Tree};
