//! Tensors in placements: the buffers of cores, or one memory with all of them.

mod fill;
#[cfg(feature = "std")]
mod tensor;
mod view;

pub use fill::FillValue;
#[cfg(feature = "std")]
pub use tensor::PlacedTensor;
pub use view::{PlacedView, PlacedViewMut};
