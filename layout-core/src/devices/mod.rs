//! Where the elements of a tensor are on a machine: cut into pieces, padded, spread over cores.
//!
//! A CuTe layout says where an element is in one memory. An accelerator adds three things that a
//! shape and a stride cannot say: a grid of cores with a memory each, padding, and dimensions
//! that are joined before they are cut. [`Placement`] is the one model for all of them, in two
//! stages:
//!
//! 1. a matrix of integers that are not negative takes a logical coordinate to an *index*: row
//!    `i` is the number `x_i = sum of row[i][d] * c[d]`. It is the identity for CuTe, Morello
//!    and Spyre, and the affine map of a metal layout;
//! 2. each index dimension is cut into *pieces*, innermost first, and each piece into *leaves*
//!    with a stride. `x_i` is a mixed-radix number in the extents of its pieces, and each of the
//!    digits is one in the extents of its leaves. A dimension or a piece whose extent is smaller
//!    than the product of its parts is *padded*: the rest of its slots hold no element.
//!
//! A *slot* is a place in memory: `offset` elements into the buffer of core `core`. The buffers are
//! all of the same size, the *storage*, so that `core * storage + offset` is a number for it.
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
