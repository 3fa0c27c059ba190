//! The algebra as plain `const fn`s on fixed-size values: no allocation, no panics.

#[cfg(feature = "types")]
pub mod algebra;
mod analysis;
mod coalesce;
mod complement;
mod compose;
mod coordinate;
mod coordinate_compose;
mod coordinate_function;
mod coordinate_layout;
mod coordinate_modes;
mod coordinate_product;
mod cursor;
mod distribute;
mod divide;
mod expression;
mod filter;
mod int_tuple;
mod inverse;
mod layout;
mod linear;
mod max_common;
mod modes;
pub mod morello;
mod offsets_of_box;
mod order;
mod permute;
mod product;
mod recast;
mod shape;
mod signed;
mod slice;
mod slicer;
mod subscripts;
mod subset_sum;
mod swizzle;
mod swizzle_behind;
mod swizzle_function;
mod tiler;
mod vector;
mod windows;

#[cfg(feature = "types")]
pub(crate) use cursor::Cursor;
pub(crate) use distribute::gcd;

pub use coordinate_layout::CoordinateLayout;
pub use expression::{IndexExpression, IndexTerm};
pub use int_tuple::{IntTuple, MAX_DEPTH, MAX_LEAVES, MAX_SIZE};
pub use layout::DynLayout;
pub use linear::{LinearDimension, LinearLayout};
#[doc(no_inline)]
pub use morello::{MorelloLayout, PhysDim};
pub use signed::SignedTuple;
pub use slicer::Slicer;
pub use subscripts::{SubscriptText, Subscripts};
pub use swizzle::{ComposedLayout, Swizzle};
pub use tiler::Tiler;
pub use vector::{Path, Vector};
