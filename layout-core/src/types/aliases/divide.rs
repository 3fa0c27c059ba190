//! The divides: a layout as tiles and the rest.

use crate::types::any::AnyLayout;
use crate::types::by_mode::Divide;
use crate::types::kind::{LayoutOf, ModesOf};
use crate::types::local::{PartOf, TileOf};
use crate::types::operand::Join;
use crate::types::operation::operations;
use crate::types::tiler::AnyTiler;
use crate::types::zipped::{Flat, Tiled, Zipped};

operations! {
/// `A o (T, complement(T, size(A)))`: a mode that runs through a tile and one that runs over the
/// tiles. `T` is a layout or a [tiler](super::super::StaticTiler), which divides mode by mode.
LogicalDivide<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, <T as AnyTiler>::Apply<Divide, ModesOf<A>>>;

/// [`LogicalDivide`] with the tiles gathered in the first mode and the rests in the second:
/// `((tile..), (rest.., further modes..))`.
///
/// `_` says that a mode is a (tile, rest) pair already.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Tile, ZippedDivide};
/// use typenum::{U1, U2, U4, U8, U32, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Columns = Layout<Pair<U8, U8>, Pair<U1, U8>>;
/// type Tiles = ZippedDivide<Columns, Tile<Pair<Layout<U4, U1>, Layout<U4, U1>>>>;
/// assert_type_eq!(Tiles, Layout<Pair<Pair<U4, U4>, Pair<U2, U2>>, Pair<Pair<U1, U8>, Pair<U4, U32>>>);
/// ```
ZippedDivide<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, Zipped<Divide, ModesOf<A>, T>>;

/// [`ZippedDivide`] with the modes of the rest unpacked: `((tile..), rest.., further modes..)`. A
/// rest of one mode stays as it is.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Tile, TiledDivide};
/// use typenum::{U1, U2, U4, U8, U32, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Columns = Layout<Pair<U8, U8>, Pair<U1, U8>>;
/// type Tiles = TiledDivide<Columns, Tile<Pair<Layout<U4, U1>, Layout<U4, U1>>>>;
/// assert_type_eq!(Tiles, Layout<Cons<Pair<U4, U4>, Pair<U2, U2>>, Cons<Pair<U1, U8>, Pair<U4, U32>>>);
/// ```
TiledDivide<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, Tiled<Divide, ModesOf<A>, T>>;

/// [`ZippedDivide`] with the modes of both unpacked: `(tile.., rest.., further modes..)`. A tile or a
/// rest of one mode stays as it is.
///
/// ```
/// use layout_core::types::{Cons, FlatDivide, Layout, Nil, StaticLayout, Tile};
/// use typenum::{U1, U4, U8};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Columns = Layout<Pair<U8, U8>, Pair<U1, U8>>;
/// type Tiles = FlatDivide<Columns, Tile<Pair<Layout<U4, U1>, Layout<U4, U1>>>>;
/// assert_eq!(Tiles::LAYOUT.to_string(), "(4,4,2,2):(1,8,4,32)");
/// ```
FlatDivide<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, Flat<Divide, ModesOf<A>, T>>;

/// The layout of one tile that `T` makes of `A`, with the modes of `T`: the type that
/// [`local_tile`](super::super::AnyLayout::local_tile) has for a coordinate that is all numbers.
///
/// ```
/// use layout_core::types::{Cons, Layout, LocalTile, Nil, Tile};
/// use typenum::{U1, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Rows = Layout<Pair<U8, U8>, Pair<U8, U1>>;
/// type Block = LocalTile<Rows, Tile<Pair<Layout<U4, U1>, Layout<U4, U1>>>>;
/// assert_type_eq!(Block, Layout<Pair<U4, U4>, Pair<U8, U1>>);
/// ```
LocalTile<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, TileOf<ModesOf<A>, T>>;

/// The layout of what one thread has when the layout of threads `T` is repeated over `A`; see
/// [`local_partition`](super::super::AnyLayout::local_partition).
///
/// ```
/// use layout_core::types::{Cons, Layout, LocalPartition, Nil};
/// use typenum::{U1, U2, U4, U8, U16, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Rows = Layout<Pair<U8, U8>, Pair<U8, U1>>;
/// type Threads = Layout<Pair<U2, U4>, Pair<U4, U1>>;
/// assert_type_eq!(LocalPartition<Rows, Threads>, Layout<Pair<U4, U2>, Pair<U16, U4>>);
/// ```
LocalPartition<A: AnyLayout, T: AnyLayout> = LayoutOf<Join<A, T>, PartOf<ModesOf<A>, ModesOf<T>>>;
}
