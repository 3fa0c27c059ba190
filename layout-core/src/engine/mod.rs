//! The algebra as plain `const fn`s on fixed-size values: no allocation, no panics.

mod analysis;
mod coalesce;
mod complement;
mod compose;
mod coordinate;
mod divide;
mod int_tuple;
mod inverse;
mod layout;
mod morello;
mod product;
mod slice;
mod tiler;

pub use int_tuple::{IntTuple, MAX_LEAVES, MAX_SIZE};
pub use layout::DynLayout;
pub use morello::{MorelloLayout, PhysDim};
pub use slice::Slicer;
pub use tiler::Tiler;
