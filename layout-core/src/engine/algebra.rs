//! The operations of the algebra as `const fn`s of values.
//!
//! [`Algebra`](crate::types::Algebra) has the same operations as methods of layouts of any kind, and
//! calls these functions. Use these in a `const`, which cannot call trait methods.
//!
//! ```
//! use static_layout::engine::{DynLayout, Tiler, algebra};
//!
//! const ROWS: DynLayout = DynLayout::leaf(24, 1);
//! const BY: Tiler = Tiler::layout(&DynLayout::leaf(4, 2));
//! const TILES: DynLayout = match algebra::logical_divide(&ROWS, &BY) {
//!     Ok(tiles) => tiles,
//!     Err(error) => error.panic(),
//! };
//! assert_eq!(TILES.to_string(), "(4,(2,3)):(2,(1,8))");
//! ```

use crate::engine::{DynLayout, IntTuple, Slicer, Tiler};
use crate::error::LayoutError;
use crate::operations::rows::const_functions;
use crate::operations::{divides, functions, products, structures};

structures!(const_functions);
functions!(const_functions);
divides!(const_functions);
products!(const_functions);

/// The modes that a coordinate keeps.
///
/// # Errors
///
/// If the coordinate does not fit the shape, or keeps no mode.
#[inline]
pub const fn slice(a: &DynLayout, at: &Slicer) -> Result<DynLayout, LayoutError> {
    a.slice(at)
}

/// The modes that a coordinate fixes with an integer.
///
/// # Errors
///
/// If the coordinate does not fit the shape, or fixes no mode.
#[inline]
pub const fn dice(a: &DynLayout, at: &Slicer) -> Result<DynLayout, LayoutError> {
    a.dice(at)
}

/// The tile at a coordinate of the grid of tiles, and the offset of its first element.
///
/// # Errors
///
/// If there is no such tile.
#[inline]
pub const fn local_tile(
    a: &DynLayout,
    tiler: &Tiler,
    at: &Slicer,
) -> Result<(DynLayout, usize), LayoutError> {
    a.local_tile(tiler, at)
}

/// The elements of one thread, with the layout of threads repeated over `a`, and the offset of the
/// first element.
///
/// # Errors
///
/// If the threads do not divide the layout, or there is no such thread.
#[inline]
pub const fn local_partition(
    a: &DynLayout,
    threads: &DynLayout,
    index: usize,
) -> Result<(DynLayout, usize), LayoutError> {
    a.local_partition(threads, index)
}

/// The longest vector that can be copied between two layouts: the largest number of elements, from
/// offset 0 on, that both layouts have at the same coordinates. These coordinates must form a
/// layout.
#[inline]
pub const fn max_common_vector(a: &DynLayout, b: &DynLayout) -> usize {
    a.max_common_vector(b)
}
