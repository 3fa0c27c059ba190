//! The model shared by all devices: where each element of a tensor is.

mod any;
mod builder;
#[cfg(feature = "alloc")]
mod core_cuts;
mod digit_walk;
mod element;
mod error;
mod fill;
mod layout_form;
mod loop_nest;
mod model;
mod padding;
mod region;
#[cfg(feature = "alloc")]
mod reshard;
mod slot;

pub use any::AnyPlacement;
pub use builder::Builder;
pub use element::ElementType;
pub use error::PlacementError;
pub use fill::Fill;
pub use loop_nest::{MAX_STEPS, Patch, Patches, Step};
pub use model::{Leaf, MAX_DIMENSIONS, Piece, Placement};
pub use padding::{PaddingBox, PaddingBoxes};
pub use region::Region;
#[cfg(feature = "alloc")]
pub use reshard::{CoreMoves, Move, Reshard, Transfer, Transfers};
pub use slot::Slot;
