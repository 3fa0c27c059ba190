//! The algebra as plain `const fn`s on fixed-size values: no allocation, no panics.

mod analysis;
mod coalesce;
mod common;
mod complement;
mod compose;
mod coordinate;
mod distribute;
mod divide;
mod filter;
mod identity;
mod int_tuple;
mod inverse;
mod layout;
mod modes;
mod morello;
mod order;
mod product;
mod recast;
mod shape;
mod slice;
mod slicer;
mod swizzle;
mod tiler;

pub use identity::CoordinateLayout;
pub use int_tuple::{IntTuple, MAX_DEPTH, MAX_LEAVES, MAX_SIZE};
pub use layout::DynLayout;
pub use morello::{MorelloLayout, PhysDim};
pub use slicer::Slicer;
pub use swizzle::{ComposedLayout, Swizzle};
pub use tiler::Tiler;
