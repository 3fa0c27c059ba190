//! Layouts as types: the same algebra as the engine's, done by the compiler.
//!
//! A [`Layout<S, D>`](Layout) is a zero-sized type. Every operation is an associated type that
//! exists for all arguments, so generic code needs the bound [`StaticLayout`] and no other; one
//! that has no result is [`Invalid`], with the reason.
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
//! * `reason`: [`Invalid`] takes part in every list and tree and gives itself.

mod aliases;
mod any;
mod arranged;
mod by_mode;
mod by_profile;
mod check;
mod coalesce;
mod common;
mod compact;
mod complement;
mod compose;
mod coordinate;
mod distribute;
mod filter;
mod flat;
mod gcd;
mod inverse;
mod kind;
mod layout;
mod leafwise;
mod left_inverse;
mod local;
mod make_ordered;
mod mixed;
mod modes;
mod morello;
mod nat;
mod place;
mod range;
mod reason;
mod recast;
mod sealed;
mod select;
mod shape_div;
mod slice;
mod tiler;
mod tree;
mod truth;
mod unflatten;
mod zip;
mod zipped;

pub use aliases::{
    Append, BlockedProduct, Coalesce, CoalesceBy, Complement, ComplementInCosize, Composition,
    DomainDistribute, Downcast, Filter, FilterZeros, FlatDivide, FlatProduct, Flatten, Group,
    LeftInverse, LocalPartition, LocalTile, LogicalDivide, LogicalProduct, Make, MakeOrdered,
    MaxCommonLayout, MaxCommonVector, Nullspace, Prepend, RakedProduct, Recast, Replace,
    RightInverse, RowMajor, Select, ShapeDiv, Take, TileToShape, TileToShapeOrdered, TiledDivide,
    TiledProduct, Unflatten, Upcast, Zip, ZipWith, ZippedDivide, ZippedProduct,
};
pub use any::{AnyLayout, AtCompileTime, AtRunTime, Check, ModeCoord};
pub use check::Valid;
pub use coordinate::{Coordinate, CoordinateIn, CoordinateValue};
pub use kind::{DynamicKind, Join, Kind, KindOf, MixedKind, StaticKind};
pub use layout::{ArrayLayout, Layout, StaticLayout};
pub use local::TileCoordinate;
pub use mixed::{Mixed, MixedValues};
pub use morello::{
    Dimension0, Morello, Next, OddEvenPart, On, PackedPart, PartOf, Parts, RestPart,
    ShapelessLayout,
};
pub use nat::{Dyn, Nat, NatAdd, NatCeilDiv, NatDiv, NatMin, NatMul, NatRem, NatSub};
pub use reason::{Invalid, Reason};
pub use slice::{SliceCoordinate, SliceValue};
pub use tiler::{AnyTiler, Keep, StaticTiler, Tile, TilerList};
pub use tree::{Cons, Nil, Tree};
