//! Layouts as types: the same algebra as the engine's, done by the compiler.
//!
//! A [`Layout<S, D>`](Layout) is a zero-sized type. Every operation is an associated type that
//! exists for all arguments, so generic code needs the bound [`StaticLayout`] and no other; one
//! that has no result is [`Invalid`], with the reason.

mod aliases;
mod any;
mod by_mode;
mod check;
mod coalesce;
mod complement;
mod compose;
mod coordinate;
mod flat;
mod inverse;
mod layout;
mod mixed;
mod modes;
mod nat;
mod reason;
mod slice;
mod tiler;
mod tree;
mod truth;

pub use aliases::{
    Coalesce, Complement, Composition, Flatten, LogicalDivide, LogicalProduct, RightInverse,
    ZippedDivide,
};
pub use any::{AnyLayout, AtCompileTime, AtRunTime, Check, ModeCoord};
pub use check::Valid;
pub use coordinate::{Coordinate, CoordinateIn, CoordinateValue};
pub use layout::{ArrayLayout, Layout, StaticLayout};
pub use mixed::{Mixed, MixedValues};
pub use nat::{Dyn, Nat, NatAdd, NatCeilDiv, NatDiv, NatMin, NatMul, NatRem, NatSub};
pub use reason::{Invalid, Reason};
pub use slice::{SliceCoordinate, SliceValue};
pub use tiler::{Keep, StaticTiler, Tile, TilerList};
pub use tree::{Cons, Nil, Tree};
