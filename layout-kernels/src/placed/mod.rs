//! Tensors and views in placements: one buffer per core, or one memory with all buffers.

mod fill;
#[cfg(feature = "std")]
mod tensor;
mod view;

pub use fill::FillValue;
#[cfg(feature = "std")]
pub use tensor::PlacedTensor;
pub use view::{PlacedView, PlacedViewMut};
