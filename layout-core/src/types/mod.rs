//! Layouts as types: the same algebra as the engine's, done by the compiler.

mod any;
mod coordinate;
mod layout;
mod mixed;
mod modes;
mod nat;
mod reason;
mod tree;
mod truth;

pub use any::{AnyLayout, AtCompileTime, AtRunTime, Check, ModeCoord};
pub use coordinate::{Coordinate, CoordinateIn, CoordinateValue};
pub use layout::{ArrayLayout, Layout, StaticLayout};
pub use mixed::{Mixed, MixedValues};
pub use nat::{Dyn, Nat, NatAdd, NatCeilDiv, NatDiv, NatMin, NatMul, NatRem, NatSub};
pub use reason::{Incongruent, Invalid, Poison, Reason, ZeroExtent};
pub use tree::{Cons, Nil, Tree};
