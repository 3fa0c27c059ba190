//! The algebra as plain `const fn`s on fixed-size values: no allocation, no panics.

mod analysis;
mod coalesce;
mod coordinate;
mod int_tuple;
mod layout;

pub use int_tuple::{IntTuple, MAX_LEAVES, MAX_SIZE};
pub use layout::DynLayout;
