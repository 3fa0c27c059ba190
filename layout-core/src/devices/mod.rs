//! Tensors on a machine: cut into pieces, padded, distributed over cores.
//!
//! A CuTe layout gives the position of an element in one memory. An accelerator adds three things
//! that a shape and a stride cannot express: a grid of cores, each with its own memory; padding; and
//! dimensions that are joined before they are cut. [`Placement`] models all of them, in two stages:
//!
//! 1. A nonnegative integer matrix maps a logical coordinate to an *index*. Row `i` gives the
//!    component `x_i = sum of row[i][d] * c[d]`. The matrix is the identity for CuTe, Morello and
//!    Spyre, and the affine map of a metal layout.
//! 2. Each index dimension is cut into *pieces*, innermost first, and each piece into *leaves* with
//!    a stride. `x_i` is a mixed-radix number in the extents of its pieces. Each of its digits is a
//!    mixed-radix number in the extents of the piece's leaves. A dimension or a piece is *padded* if
//!    its extent is smaller than the product of its parts: the remaining slots hold no element.
//!
//! A *slot* is a place in memory: `offset` elements into the buffer of core `core`. All buffers have
//! the same size, the *storage*. The number of a slot is `core * storage + offset`.
//!
//! ```
//! use static_layout::{devices::AnyPlacement, layout};
//! // 5 rows on a column of two cores: 3 rows and 2.
//! type Rows = layout!(tensor<5x4xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x1>>>);
//! let placement = Rows::default().placement();
//! let slot = placement.slot(&[4, 2])?;
//! assert_eq!((slot.core, slot.offset), (1, 4 + 2));
//! assert_eq!((placement.storage(), placement.slots(), placement.padding()), (3 * 4, 24, 4));
//! # Ok::<(), static_layout::LayoutError>(())
//! ```

mod numbers;
mod placement;
mod print;
pub mod spyre;
#[cfg(feature = "types")]
mod static_type;
pub mod tenstorrent;

pub use placement::{
    AnyPlacement, Builder, ElementType, Fill, Leaf, MAX_DIMENSIONS, MAX_STEPS, PaddingBox,
    PaddingBoxes, Patch, Patches, Piece, Placement, PlacementError, Region, Slot, Step,
};
#[cfg(feature = "alloc")]
pub use placement::{CoreMoves, Move, Reshard, Transfer, Transfers};
