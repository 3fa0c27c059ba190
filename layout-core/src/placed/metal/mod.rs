//! Tensors on Tenstorrent devices: `#tt.metal_layout`.

mod affine_map;
mod layout;
mod memory_space;
mod print;
mod query;
mod tile;

pub use affine_map::AffineMap;
pub use layout::MetalLayout;
pub use memory_space::MemorySpace;
pub use query::{CoreFacts, Located};
pub use tile::Tile;
