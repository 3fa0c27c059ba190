//! Morello layouts: the order of the dimensions in memory, optionally split into parts.
//!
//! A [`MorelloLayout`] lists physical dimensions, from the slowest varying to the fastest. Each is a
//! [`PhysDim`] of a logical dimension of the tensor. The list has no shape: it gives a layout for
//! every shape that fits its sizes. So a tensor and its tiles share one list.
//!
//! | physical dimension | notation | part of its logical dimension |
//! |---|---|---|
//! | [`Dynamic`](PhysDim::Dynamic) | `0` | the rest that the sizes inside it leave |
//! | [`Packed(n)`](PhysDim::Packed) | `0 p(n)` | `n` neighbours, or all if there are fewer |
//! | [`OddEven(n)`](PhysDim::OddEven) | `0 oe(n)` | `n` neighbours, the even ones first |
//!
//! In `layout!` and in run-time text, a list in `[]` is a `MorelloLayout`; with `for (shape)` it is
//! the layout. The functions:
//!
//! | purpose | function |
//! |---|---|
//! | create a list from parts, from text, by name | [`new`](MorelloLayout::new), [`parse`](MorelloLayout::parse), [`row_major`](MorelloLayout::row_major), [`NHWC`](MorelloLayout::NHWC), [`nchwc`](MorelloLayout::nchwc), .. |
//! | the layout and the physical sizes for a shape | [`for_shape`](MorelloLayout::for_shape), [`physical_shape`](MorelloLayout::physical_shape) |
//! | the offset as an expression | [`IndexExpression::of`](super::IndexExpression::of) the layout |
//! | the list of a layout | [`of`](MorelloLayout::of), [`of_composed`](MorelloLayout::of_composed) |
//! | the canonical form of a list | [`view`](MorelloLayout::view), then [`canonical`](MorelloView::canonical) |
//! | tiles, their contiguous part, cache lines | [`tile`](MorelloView::tile), [`is_fully_contiguous`](MorelloView::is_fully_contiguous), [`estimate_cache_lines`](MorelloView::estimate_cache_lines) |
//! | drop, swap or simplify dimensions | [`drop_dims`](MorelloView::drop_dims), [`swap_dims`](MorelloView::swap_dims), [`without_units`](MorelloLayout::without_units) |
//! | the rule that a mistake breaks | [`MorelloError::rule`](crate::error::MorelloError::rule) |
//!
//! In the notation they are operations: `canonical([1, 0, 1 p(4)], (6, 8))`, `drop_dims(L, (0, 2))`,
//! `swap_dims(L, 0, 1)`, `tile_dims(L, shape, tile)` and `contiguous_dims(L, shape, tile)`,
//! `cache_lines(L, shape, bytes)`, and `nhwc(shape)` and `nchwc(shape, 4)`, which include a shape.
//!
//! All of them are `const fn`, so the results for a static layout are constants; see
//! [`StaticMorello`](crate::types::StaticMorello).
//!
//! # Order of dimensions
//!
//! A matrix of 6 rows and 8 columns: in row-major order the elements of a row are contiguous, in
//! column-major order the elements of a column:
//!
//! ```
//! use static_layout::engine::{IndexExpression, MorelloLayout, PhysDim::Dynamic};
//! let rows = MorelloLayout::new(&[(0, Dynamic), (1, Dynamic)])?;
//! assert_eq!(rows, MorelloLayout::row_major(2)?);
//! let layout = rows.for_shape(&[6, 8])?;
//! assert_eq!(layout.to_string(), "(6,8):(8,1)");
//! assert_eq!(IndexExpression::of(&layout).to_string(), "8*d0 + d1");
//!
//! let columns = MorelloLayout::new(&[(1, Dynamic), (0, Dynamic)])?;
//! assert_eq!(columns, MorelloLayout::col_major(2)?);
//! assert_eq!(columns.for_shape(&[6, 8])?.to_string(), "(6,8):(1,6)");
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! # Packing
//!
//! With four columns of each row packed together, a logical dimension has two physical ones:
//!
//! ```
//! use static_layout::engine::{DynLayout, IndexExpression, MorelloLayout, PhysDim::{Dynamic, Packed}};
//! let packed = MorelloLayout::new(&[(1, Dynamic), (0, Dynamic), (1, Packed(4))])?;
//! assert_eq!(packed.to_string(), "[1, 0, 1 p(4)]");
//! assert_eq!(packed.physical_shape(&[6, 8])?.sizes(), [2, 6, 4]);
//! let layout = packed.for_shape(&[6, 8])?;
//! assert_eq!(layout.to_string(), "(6,(4,2)):(4,(1,24))");
//! let row = |i| -> Vec<usize> { (0..8usize).map(|j| layout.offset_of_index(i + 6 * j)).collect() };
//! assert_eq!(row(0), [0, 1, 2, 3, 24, 25, 26, 27]);
//! assert_eq!(row(5), [20, 21, 22, 23, 44, 45, 46, 47]);
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! From the fastest physical dimension to the slowest, each adds a term to the offset: the product
//! of all sizes inside it, times its own digit of the coordinate. Here the terms are `d1 mod 4`,
//! `4*d0` and `24*floor(d1/4)`. (The text that describes Morello adds the first term once more in
//! its last line. That would give 2 for row 0 and column 1, and 50 of 48 for row 5 and column 7.)
//!
//! ```
//! use static_layout::engine::{DynLayout, IndexExpression};
//! let offset = IndexExpression::of(&DynLayout::parse("[1, 0, 1 p(4)] for (6, 8)")?);
//! assert_eq!(offset.to_string(), "24*floor(d1/4) + 4*d0 + d1 mod 4");
//! assert_eq!((offset.at(&[0, 1]), offset.at(&[5, 7])), (Ok(1), Ok(47)));
//! # Ok::<(), static_layout::text::ParseError>(())
//! ```
//!
//! Images are packed in the same way. The logical dimensions are batch, channel, row and column. The
//! list can put all channels fastest, or groups of 4 channels.
//!
//! ```
//! use static_layout::engine::MorelloLayout;
//! let shape = [2, 8, 3, 2];
//! let text = |list: MorelloLayout| list.for_shape(&shape).unwrap().to_string();
//! assert_eq!(text(MorelloLayout::NCHW), "(2,8,3,2):(48,6,2,1)");
//! assert_eq!(text(MorelloLayout::NHWC), "(2,8,3,2):(48,1,16,8)");
//! assert_eq!(text(MorelloLayout::nchwc(4)?), "(2,(4,2),3,2):(48,(1,24),8,4)");
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! # Odd and even
//!
//! `oe(n)` puts the even ones of `n` neighbours first, counting from 0: position `x` goes to
//! `x/2 + (x mod 2) * n/2`. It is one digit of its dimension, even if a smaller part of the
//! dimension is inside it. (Morello permutes before it divides, so its own lists of that kind map
//! several coordinates to one offset.)
//!
//! ```
//! use static_layout::engine::DynLayout;
//! let table = |text| DynLayout::parse(text).unwrap().table().collect::<Vec<_>>();
//! assert_eq!(table("[0 oe(8)] for (8)"), [0, 4, 1, 5, 2, 6, 3, 7]);
//! assert_eq!(table("[0 oe(4), 0 p(2)] for (8)"), [0, 1, 4, 5, 2, 3, 6, 7]);
//! ```
//!
//! # Rules
//!
//! There is no padding, and every coordinate has its own offset: `cosize == size`. So sizes must
//! fit. Each [`MorelloError`](crate::error::MorelloError) names its rule, the dimension and the
//! numbers:
//!
//! ```
//! use static_layout::engine::DynLayout;
//! let why = |text| DynLayout::parse(text).unwrap_err().to_string();
//! assert!(why("[0, 1, 0] for (6, 8)").contains("dimension 0 takes the rest of its extent twice"));
//! assert!(why("[1, 0, 1 p(4)] for (6, 10)")
//!     .contains("size 4 does not divide 10, what is left of dimension 1"));
//! assert!(why("[0 p(2), 1] for (6, 8)")
//!     .contains("the sizes of dimension 0 multiply to 2 but its extent is 6"));
//! ```
//!
//! A packed size larger than the rest of the extent takes the whole rest, once in each dimension:
//! `[0 p(4)]` is a layout for extents 1 to 4. `oe(n)` may take 1 if only 1 is left.
//!
//! Neighbours of one dimension, as in `[0, 1, 1 p(4)]`, are accepted, although Morello refuses such
//! a list in a debug build: it is the map of the merged list, for shapes whose extents are divisible
//! by 4. Two odd-even neighbours are refused, as are `p(1)`, sizes of 0 and odd sizes in `oe`.
//! Syntax that only an accident of Morello's macro accepts is refused, too: `[0,,1]`, `[(0) p(4)]`,
//! and numbers such as `0x1`.
//!
//! # The canonical form
//!
//! Different lists may be the same map. [`canonical`](MorelloView::canonical) has no part of size 1,
//! no `oe(2)`, which changes nothing, and no neighbours that could be one part; the slowest part of
//! each dimension has no size, unless it is odd-even. For a given shape, each map has exactly one
//! canonical list. It is its own canonical form, and [`of`](MorelloLayout::of) recovers it from the
//! layout.
//!
//! Morello's canonical form keeps `oe(2)`, a slower part of size 1 beside `oe`, and neighbours that
//! it creates itself. So it has several forms for one map, and applying it twice may change the
//! result. Where its form has no such factors, it equals ours.
//!
//! One case needs a separator: if the shape makes two odd-even digits of a dimension neighbours, as
//! in `[0 oe(4), 1, 0 oe(4)]` for extents 16 and 1, they cannot be adjacent in the list. A part of
//! size 1 is written between them, of the first dimension that has one to spare.
//!
//! # Contiguous parts
//!
//! A tile has the list of its tensor, but the memory between its elements belongs to other tiles.
//! [`tile`](MorelloView::tile) returns the list and the number of physical dimensions, from the
//! fastest, that form one contiguous run of the buffer. Going outwards, the run continues as long as
//! the stride of a digit equals the number of elements of the tile inside it, and all tiles cut the
//! digit in the same way. (Morello does not check how tiles cut a digit. It takes tiles of 3 of
//! `[0, 1, 0 p(4)]` to be contiguous, but the second tile is at offsets 3, 12 and 13.)
//!
//! ```
//! use static_layout::engine::MorelloLayout;
//! let packed = MorelloLayout::parse("[1, 0, 1 p(4)]").unwrap().view();
//! let tile = |extents: [usize; 2]| packed.tile(&[6, 8], &extents).unwrap().to_string();
//! assert_eq!(tile([6, 4]), "[0, 1]"); // all rows of four columns
//! assert_eq!(tile([2, 4]), "[0, 1]"); // two rows of them
//! assert_eq!(tile([2, 8]), "([1, 0, 1 p(4)], c2)"); // two such pieces
//! assert_eq!(tile([6, 2]), "([0, 1], c1)"); // pieces of two columns
//! ```

mod back;
mod descriptor;
mod digits;
mod named;
mod shape;
mod view;

pub use descriptor::{MorelloLayout, PhysDim};
pub use shape::PhysicalShape;
pub use view::{CACHE_LINE_BYTES, MorelloView};
