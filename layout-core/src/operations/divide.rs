//! Divides: split a layout into a tile and the rest.

#[cfg(feature = "text")]
use super::forms::forms;
#[cfg(feature = "text")]
use crate::text::domain::on_start;
#[cfg(feature = "types")]
use {
    super::rows::aliases,
    crate::types::ops::by_mode::Divide,
    crate::types::ops::partition::{PartOf, TileOf},
    crate::types::ops::tiled::Tiling,
    crate::types::ops::zipped::{Flat, Tiled, Zipped},
};

macro_rules! divides {
    ($then:ident) => {
        $then! {

        /// A mode that runs through a tile, and one that runs over the tiles.
        ///
        /// `logical_divide(A, T) = A o (T, complement(T, size(A)))`. `T` is a layout or a
        /// [tiler](crate::types::StaticTiler), which divides mode by mode.
        ///
        /// ```
        /// use static_layout::{layout, ops::LogicalDivide, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type A = layout!(24:3);
        /// type T = layout!(4:2);
        /// assert_type_eq!(LogicalDivide<A, T>, layout!((4,(2,3)):(6,(3,24))));
        ///
        /// // Element t of tile r is element T(t) + R(r) of A, R the complement of T.
        /// let (tiles, rest) = (layout!(logical_divide(A, T)), layout!(complement(T, 24)));
        /// for (t, r) in (0..4).flat_map(|t| (0..6).map(move |r| (t, r))) {
        ///     assert_eq!(tiles.offset((t, r)), layout!(24:3).offset(layout!(4:2).offset(t) + rest.offset(r)));
        /// }
        /// ```
        fn logical_divide(a: A as Domain, tiler: T as Tiler) -> LogicalDivide {
            type = <T as Tiling>::Apply<Divide, A>;
            value = a.logical_divide_by(tiler);
        }

        /// The tiles in the first mode, the rests in the second: `((tile..), (rest.., further modes..))`.
        ///
        /// The modes of [`LogicalDivide`] in another order. `_` keeps a mode that is already a
        /// (tile, rest) pair.
        ///
        /// ```
        /// use static_layout::{layout, ops::ZippedDivide, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type Columns = layout!((8,8):(1,8));
        /// type Tiles = ZippedDivide<Columns, layout!(<4, 4>)>;
        /// assert_type_eq!(Tiles, layout!(((4,4),(2,2)):((1,8),(4,32))));
        /// // Element (1, 2) of tile (1, 0) is element (4 + 1, 0 + 2).
        /// assert_eq!(Tiles::default().offset(((1, 2), (1, 0))), Columns::default().offset((5, 2)));
        /// ```
        fn zipped_divide(a: A as Domain, tiler: T as Tiler) -> ZippedDivide {
            type = Zipped<Divide, A, T>;
            value = a.zipped_divide_by(tiler);
        }

        /// The tiles in the first mode, the rests as modes: `((tile..), rest.., further modes..)`.
        ///
        /// [`ZippedDivide`] with its second mode unpacked. A rest of one mode stays as it is.
        ///
        /// ```
        /// use static_layout::{layout, ops::TiledDivide, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type Columns = layout!((8,8):(1,8));
        /// type Tiles = TiledDivide<Columns, layout!(<4, 4>)>;
        /// assert_type_eq!(Tiles, layout!(((4,4),2,2):((1,8),4,32)));
        /// assert_eq!(Tiles::default().offset(((1, 2), 1, 0)), Columns::default().offset((5, 2)));
        /// ```
        fn tiled_divide(a: A as Domain, tiler: T as Tiler) -> TiledDivide {
            type = Tiled<Divide, A, T>;
            value = a.tiled_divide_by(tiler);
        }

        /// The tiles and the rests as modes: `(tile.., rest.., further modes..)`.
        ///
        /// [`ZippedDivide`] with both modes unpacked. A tile or a rest of one mode stays as it is.
        ///
        /// ```
        /// use static_layout::{layout, ops::FlatDivide, prelude::*};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// type Columns = layout!((8,8):(1,8));
        /// type Tiles = FlatDivide<Columns, layout!(<4, 4>)>;
        /// assert_type_eq!(Tiles, layout!((4,4,2,2):(1,8,4,32)));
        /// assert_eq!(Tiles::default().offset((1, 2, 1, 0)), Columns::default().offset((5, 2)));
        /// ```
        fn flat_divide(a: A as Domain, tiler: T as Tiler) -> FlatDivide {
            type = Flat<Divide, A, T>;
            value = a.flat_divide_by(tiler);
        }

        /// The tile at a coordinate of the rests, and the offset of its first element.
        text local_tile(Domain, Tiler, Slicer) {
            |a| {
                let (by, at) = (a[1].tiler()?, a[2].coordinate()?);
                on_start!(a[0], l => l.local_tile(&by, &at)?)
            }
        }

        /// The elements of one thread, when the layout of threads is repeated, and the offset of the first.
        text local_partition(Domain, Layout, Integer) {
            |a| {
                let (threads, index) = (a[1].layout()?, a[2].integer()?);
                on_start!(a[0], l => l.local_partition(&threads, index)?)
            }
        }

            }
    };
}
#[cfg(feature = "types")]
divides!(aliases);
#[cfg(feature = "text")]
divides!(forms);
#[cfg(feature = "types")]
pub(crate) use divides;

/// The types of parts. Their start is a value.
#[cfg(feature = "types")]
mod parts {
    use super::{PartOf, TileOf};

    crate::operations::rows::aliases! {
        /// The layout of one tile of `A` cut by `T`, with the modes of `T`.
        ///
        /// It is the type of the tile that [`local_tile`](crate::types::AnyLayout::local_tile)
        /// returns for a coordinate without `_`: `local_tile(A, T, c)(t) + offset = zipped_divide(A,
        /// T)(t, c)`.
        ///
        /// ```
        /// use static_layout::{layout, ops::LocalTile, prelude::*};
        ///
        /// type Rows = layout!((8,8):(8,1));
        /// type Block = layout!(<4, 4>);
        /// let (block, offset) = Rows::default().local_tile(&Block::default(), (1, 0));
        /// assert_eq!(block, LocalTile::<Rows, Block>::default());
        /// assert_eq!((block.to_string().as_str(), offset), ("(4,4):(8,1)", 32));
        /// ```
        type local_tile(a: A as Layout, tiler: T as Tiler) -> LocalTile {
            type = TileOf<A, T>;
        }

        /// The part of one thread when the layout of threads `T` is repeated over `A`.
        ///
        /// It is the type of the part that
        /// [`local_partition`](crate::types::AnyLayout::local_partition) returns.
        ///
        /// ```
        /// use static_layout::{layout, ops::LocalPartition};
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// // 2 by 4 threads: each has every second row and every fourth column.
        /// type Part = LocalPartition<layout!((8,8):(8,1)), layout!((2,4):(4,1))>;
        /// assert_type_eq!(Part, layout!((4,2):(16,4)));
        /// ```
        type local_partition(a: A as Layout, threads: T as Layout) -> LocalPartition {
            type = PartOf<A, T>;
        }
    }
}
#[cfg(feature = "types")]
pub use parts::{LocalPartition, LocalTile};
