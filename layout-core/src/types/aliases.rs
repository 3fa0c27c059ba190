//! The operations by name: CuTe's, in CamelCase.
//!
//! Each gives a [`Layout`](super::Layout) in normal form, equal as a type to the same layout
//! written out. An operation that has no result gives an [`Invalid`](super::Invalid) layout, whose
//! constants are compile errors; [`assert_valid!`](crate::assert_valid) asks for the error by name.

use super::any::AnyLayout;
use super::arranged::{Blocked, Raked, TiledToShape, TiledToShapeOrdered};
use super::by_mode::{Compose, Divide, Product};
use super::coalesce::{Coalesced, CoalescedBy};
use super::common::{CommonLayout, CommonVector};
use super::compact::{ColumnMajor, RowMajorOf};
use super::complement::{Complemented, ComplementedInside};
use super::distribute::Distributed;
use super::filter::{Filtered, FilteredBy, NullspaceModes, ZerosFiltered};
use super::flat::Flattened;
use super::int_tuple::AnyIntTuple;
use super::inverse::RightInverseModes;
use super::kind::{LayoutOf, ModesOf};
use super::left_inverse::LeftInverseModes;
use super::local::{PartOf, TileOf};
use super::make_ordered::OrderedOf;
use super::nat::Nat;
use super::operand::{Join, KindOf};
use super::operation::operation;
use super::range::{Grouped, Taken};
use super::recast::{DowncastModes, RecastModes, UpcastModes};
use super::select::{Appended, Prepended, Replaced, Selected};
use super::shape_div::ShapeDivide;
use super::slicer::{Diced, Sliced, StaticSlicer};
use super::tiler::AnyTiler;
use super::unflatten::Unflattened;
use super::zip::{ZipOf, ZipWithOf};
use super::zipped::{Flat, Tiled, Zipped};

/// A name for each operation, to tell them apart.
#[doc(hidden)]
pub(super) mod marks {
    macro_rules! marks {
        ($($name:ident)+) => {$(
            #[derive(Debug)]
            pub enum $name {}
        )+};
    }
    marks! {
        Composition Complement ComplementInCosize Coalesce CoalesceBy Flatten
        LogicalDivide ZippedDivide TiledDivide FlatDivide LocalTile LocalPartition
        LogicalProduct ZippedProduct TiledProduct FlatProduct BlockedProduct RakedProduct
        TileToShape TileToShapeOrdered RightInverse FilterZeros Filter FilterBy
        Nullspace LeftInverse MaxCommonLayout Upcast Downcast Recast
        DomainDistribute Make RowMajor MakeOrdered Take Select
        Group Append Prepend Replace Unflatten Zip
        ZipWith Slice Dice
    }
}

operation! {
/// `composition(A, B)(c) = A(B(c))`, with the shape of B refined. `B` is a layout or a
/// [tiler](super::StaticTiler).
///
/// ```
/// use layout_core::types::{Composition, Cons, Layout, Nil};
/// use typenum::{U1, U2, U4, U5, U8, U20, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type B = Layout<Pair<U5, U4>, Pair<U4, U1>>;
/// assert_type_eq!(Composition<Layout<U20, U2>, B>, Layout<Pair<U5, U4>, Pair<U8, U2>>);
/// ```
Composition<A: AnyLayout, B: AnyTiler> = LayoutOf<Join<A, B>, <B as AnyTiler>::Apply<Compose, ModesOf<A>>>;
}

operation! {
/// What `A` leaves out of the first `N` offsets, `N` a typenum integer: a layout that is ordered and
/// disjoint from `A`, and with which `A` covers them.
///
/// For a shape `N` the last mode repeats as often as each mode of the shape needs by itself.
///
/// ```
/// use layout_core::types::{Complement, Cons, Layout, Nil};
/// use typenum::{U1, U2, U4, U6, U24, assert_type_eq};
/// assert_type_eq!(Complement<Layout<U4, U1>, U24>, Layout<U6, U4>);
/// assert_type_eq!(Complement<Layout<U4, U1>, Cons<U6, Cons<U2, Nil>>>, Layout<U4, U4>);
/// ```
Complement<A: AnyLayout, N: AnyIntTuple> = LayoutOf<Join<A, N>, Complemented<ModesOf<A>, <N as AnyIntTuple>::Tree>>;
}

operation! {
/// What `A` leaves out of its own cosize: [`Complement`] without a cotarget.
///
/// ```
/// use layout_core::types::{ComplementInCosize, Layout};
/// use typenum::{U1, U2, U4, assert_type_eq};
/// assert_type_eq!(ComplementInCosize<Layout<U4, U2>>, Layout<U2, U1>);
/// ```
ComplementInCosize<A: AnyLayout> = LayoutOf<KindOf<A>, ComplementedInside<ModesOf<A>>>;
}

operation! {
/// `coalesce(A)(i) = A(i)`, with the fewest modes.
///
/// ```
/// use layout_core::types::{Coalesce, Cons, Layout, Nil};
/// use typenum::{U1, U2, U6, U12, assert_type_eq};
/// type A = Layout<Cons<U2, Cons<U6, Nil>>, Cons<U1, Cons<U2, Nil>>>;
/// assert_type_eq!(Coalesce<A>, Layout<U12, U1>);
/// ```
Coalesce<A: AnyLayout> = LayoutOf<KindOf<A>, Coalesced<ModesOf<A>>>;
}

operation! {
/// [`Coalesce`] at each leaf of the profile `P`, whose integers mean nothing: modes that the profile
/// names stay apart, and modes beyond it as they are. `coalesce(A, P)(i) = A(i)`.
///
/// ```
/// use layout_core::types::{CoalesceBy, Cons, Layout, Nil};
/// use typenum::{U1, U2, U6, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U2, Pair<U1, U6>>, Pair<U1, Pair<U6, U2>>>;
/// assert_type_eq!(CoalesceBy<A, Pair<U1, U1>>, Layout<Pair<U2, U6>, Pair<U1, U2>>);
/// ```
CoalesceBy<A: AnyLayout, P: AnyIntTuple> = LayoutOf<Join<A, P>, CoalescedBy<ModesOf<A>, <P as AnyIntTuple>::Tree>>;
}

operation! {
/// `flatten(A)(i) = A(i)`, with all leaves as modes.
Flatten<A: AnyLayout> = LayoutOf<KindOf<A>, Flattened<ModesOf<A>>>;
}

operation! {
/// `A o (T, complement(T, size(A)))`: a mode that runs through a tile and one that runs over the
/// tiles. `T` is a layout or a [tiler](super::StaticTiler), which divides mode by mode.
LogicalDivide<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, <T as AnyTiler>::Apply<Divide, ModesOf<A>>>;
}

operation! {
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
}

operation! {
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
}

operation! {
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
}

operation! {
/// The layout of one tile that `T` makes of `A`, with the modes of `T`: the type that
/// [`local_tile`](super::AnyLayout::local_tile) has for a coordinate that is all numbers.
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
}

operation! {
/// The layout of what one thread has when the layout of threads `T` is repeated over `A`; see
/// [`local_partition`](super::AnyLayout::local_partition).
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

operation! {
/// `(A, complement(A, n) o B)` for an `n` that is large enough: copies of `A`, laid out as `B`. `B` is
/// a layout or a [tiler](super::StaticTiler), which multiplies mode by mode.
LogicalProduct<A: AnyLayout, B: AnyTiler> = LayoutOf<Join<A, B>, <B as AnyTiler>::Apply<Product, ModesOf<A>>>;
}

operation! {
/// [`LogicalProduct`] with the blocks gathered in the first mode and the copies in the second:
/// `((block..), (copies.., further modes..))`.
///
/// `_` says that a mode is a (block, copies) pair already. Mode by mode the copies of one mode do not
/// know how far the others reach, as in CuTe.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, StaticLayout, Tile, ZippedProduct};
/// use typenum::{U1, U2, U3, U4, U5, U6};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Block = Layout<Pair<U2, U5>, Pair<U5, U1>>;
/// type Blocks = ZippedProduct<Block, Tile<Pair<Layout<U3, U5>, Layout<U4, U6>>>>;
/// assert_eq!(Blocks::LAYOUT.to_string(), "((2,5),(3,4)):((5,1),(10,30))");
/// ```
ZippedProduct<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, Zipped<Product, ModesOf<A>, T>>;
}

operation! {
/// [`ZippedProduct`] with the modes of the copies unpacked: `((block..), copies.., further modes..)`.
/// Copies of one mode stay as they are.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, StaticLayout, Tile, TiledProduct};
/// use typenum::{U1, U2, U3, U4, U5, U6};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Block = Layout<Pair<U2, U5>, Pair<U5, U1>>;
/// type Blocks = TiledProduct<Block, Tile<Pair<Layout<U3, U5>, Layout<U4, U6>>>>;
/// assert_eq!(Blocks::LAYOUT.to_string(), "((2,5),3,4):((5,1),10,30)");
/// ```
TiledProduct<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, Tiled<Product, ModesOf<A>, T>>;
}

operation! {
/// [`ZippedProduct`] with the modes of both unpacked: `(block.., copies.., further modes..)`. A block
/// or copies of one mode stay as they are.
///
/// ```
/// use layout_core::types::{Cons, FlatProduct, Layout, Nil, StaticLayout, Tile};
/// use typenum::{U1, U2, U3, U4, U5, U6};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Block = Layout<Pair<U2, U5>, Pair<U5, U1>>;
/// type Blocks = FlatProduct<Block, Tile<Pair<Layout<U3, U5>, Layout<U4, U6>>>>;
/// assert_eq!(Blocks::LAYOUT.to_string(), "(2,5,3,4):(5,1,10,30)");
/// ```
FlatProduct<A: AnyLayout, T: AnyTiler> = LayoutOf<Join<A, T>, Flat<Product, ModesOf<A>, T>>;
}

operation! {
/// Copies of the block `A` next to each other in the arrangement `B`, mode by mode:
/// `((A_0,B_0), (A_1,B_1), ..)`.
///
/// The modes of [`LogicalProduct`] zipped, after both were padded with `1:0` to the same rank.
///
/// ```
/// use layout_core::types::{BlockedProduct, Cons, Layout, Nil, StaticLayout};
/// use typenum::{U1, U2, U3, U4, U5};
/// type Block = Layout<Cons<U2, Cons<U5, Nil>>, Cons<U5, Cons<U1, Nil>>>;
/// type Copies = Layout<Cons<U3, Cons<U4, Nil>>, Cons<U1, Cons<U3, Nil>>>;
/// assert_eq!(BlockedProduct::<Block, Copies>::LAYOUT.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
/// ```
BlockedProduct<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, Blocked<ModesOf<A>, ModesOf<B>>>;
}

operation! {
/// Copies of the block `A` interleaved in the arrangement `B`, mode by mode:
/// `((B_0,A_0), (B_1,A_1), ..)`.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, RakedProduct, StaticLayout};
/// use typenum::{U1, U2, U3, U4, U5};
/// type Block = Layout<Cons<U2, Cons<U5, Nil>>, Cons<U5, Cons<U1, Nil>>>;
/// type Copies = Layout<Cons<U3, Cons<U4, Nil>>, Cons<U1, Cons<U3, Nil>>>;
/// assert_eq!(RakedProduct::<Block, Copies>::LAYOUT.to_string(), "((3,2),(4,5)):((10,5),(30,1))");
/// ```
RakedProduct<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, Raked<ModesOf<A>, ModesOf<B>>>;
}

operation! {
/// The block `A` repeated until it has the shape `S`: `compatible(S, shape(result))`. It repeats
/// along the first mode first.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, StaticLayout, TileToShape};
/// use typenum::{U1, U4, U8, U32};
/// type Block = Layout<Cons<U8, Cons<U4, Nil>>, Cons<U4, Cons<U1, Nil>>>;
/// type Shape = Cons<U32, Cons<U8, Nil>>;
/// assert_eq!(TileToShape::<Block, Shape>::LAYOUT.to_string(), "((8,4),(4,2)):((4,32),(1,128))");
/// ```
TileToShape<A: AnyLayout, S: AnyIntTuple> = LayoutOf<Join<A, S>, TiledToShape<ModesOf<A>, <S as AnyIntTuple>::Tree>>;
}

operation! {
/// [`TileToShape`] that repeats the block along the mode with the smallest integer in the order `O`
/// first.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, StaticLayout, TileToShapeOrdered};
/// use typenum::{U0, U1, U4, U8, U32};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Rows = TileToShapeOrdered<Layout<Pair<U8, U4>, Pair<U4, U1>>, Pair<U32, U8>, Pair<U1, U0>>;
/// assert_eq!(Rows::LAYOUT.to_string(), "((8,4),(4,2)):((4,64),(1,32))");
/// ```
TileToShapeOrdered<A: AnyLayout, S: AnyIntTuple, O: AnyIntTuple> = LayoutOf<
    Join<A, (S, O)>,
    TiledToShapeOrdered<ModesOf<A>, <S as AnyIntTuple>::Tree, <O as AnyIntTuple>::Tree>,
>;
}

operation! {
/// `A(right_inverse(A)(i)) = i`, on the longest domain that there is.
RightInverse<A: AnyLayout> = LayoutOf<KindOf<A>, RightInverseModes<ModesOf<A>>>;
}

operation! {
/// The layout with extent 1 wherever the stride is 0: the same offsets, each mode in its place.
///
/// ```
/// use layout_core::types::{Cons, FilterZeros, Layout, Nil};
/// use typenum::{U0, U1, U3, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U4, U3>, Pair<U0, U1>>;
/// assert_type_eq!(FilterZeros<A>, Layout<Pair<U1, U3>, Pair<U0, U1>>);
/// ```
FilterZeros<A: AnyLayout> = LayoutOf<KindOf<A>, ZerosFiltered<ModesOf<A>>>;
}

operation! {
/// `coalesce(filter_zeros(A))`: the layout with the fewest modes that has the same offsets without
/// the repetitions of stride-0 modes.
///
/// ```
/// use layout_core::types::{Cons, Filter, Layout, Nil};
/// use typenum::{U0, U1, U3, U4, assert_type_eq};
/// type A = Layout<Cons<U4, Cons<U3, Nil>>, Cons<U0, Cons<U1, Nil>>>;
/// assert_type_eq!(Filter<A>, Layout<U3, U1>);
/// ```
Filter<A: AnyLayout> = LayoutOf<KindOf<A>, Filtered<ModesOf<A>>>;
}

operation! {
/// [`Filter`] at each leaf of the profile `P`, whose integers mean nothing; modes beyond the profile
/// stay as they are.
///
/// ```
/// use layout_core::types::{Cons, FilterBy, Layout, Nil};
/// use typenum::{U0, U1, U2, U3, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<Pair<U2, U4>, U3>, Pair<Pair<U1, U0>, U2>>;
/// assert_type_eq!(FilterBy<A, Pair<U1, U1>>, Layout<Pair<U2, U3>, Pair<U1, U2>>);
/// ```
FilterBy<A: AnyLayout, P: AnyIntTuple> = LayoutOf<Join<A, P>, FilteredBy<ModesOf<A>, <P as AnyIntTuple>::Tree>>;
}

operation! {
/// `A(nullspace(A)(i)) = 0`: the layout of the coordinates that do not move the offset, of size
/// `size(A) / size(filter(A))`.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Nullspace};
/// use typenum::{U0, U3, U5, U7, assert_type_eq};
/// type A = Layout<Cons<U7, Cons<U5, Nil>>, Cons<U3, Cons<U0, Nil>>>;
/// assert_type_eq!(Nullspace<A>, Layout<U5, U7>);
/// ```
Nullspace<A: AnyLayout> = LayoutOf<KindOf<A>, NullspaceModes<ModesOf<A>>>;
}

operation! {
/// `A(left_inverse(A)(A(i))) = A(i)`: a coordinate of every offset of `A`, and the only one where
/// `A` is injective. Between the offsets of `A` it is whatever continues it.
///
/// ```
/// use layout_core::types::{Cons, Layout, LeftInverse, Nil};
/// use typenum::{U1, U4, U5, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Padded = Layout<Pair<U4, U8>, Pair<U1, U5>>;
/// assert_type_eq!(LeftInverse<Padded>, Layout<Pair<U5, U8>, Pair<U1, U4>>);
/// ```
LeftInverse<A: AnyLayout> = LayoutOf<KindOf<A>, LeftInverseModes<ModesOf<A>>>;
}

operation! {
/// `A(R(i)) = B(R(i)) = i`: the largest layout R of coordinates that `A` and `B` have in common.
/// They are those of `B`; the last mode of `A` goes on, as in [`Composition`].
///
/// ```
/// use layout_core::types::{Cons, Layout, MaxCommonLayout, Nil};
/// use typenum::{U1, U2, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U4, U2>, Pair<U2, U1>>;
/// assert_type_eq!(MaxCommonLayout<A, A>, Layout<Pair<U2, U4>, Pair<U4, U1>>);
/// ```
MaxCommonLayout<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, CommonLayout<ModesOf<A>, ModesOf<B>>>;
}

/// The largest `N` such that `A` and `B` have the offsets `0..N` at the same coordinates: the longest
/// vector that can be copied between them. A typenum integer, at least 1.
///
/// ```
/// use layout_core::types::{Cons, Layout, MaxCommonVector, Nil};
/// use typenum::{U1, U2, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U4, U2>, Pair<U1, U4>>;
/// type B = Layout<Pair<U4, U2>, Pair<U1, U8>>;
/// assert_type_eq!(MaxCommonVector<A, B>, U4);
/// ```
pub type MaxCommonVector<A, B> = CommonVector<ModesOf<A>, ModesOf<B>>;

operation! {
/// The layout in elements of `N` old ones: its offsets are those of `A` divided by `N`, rounded
/// down. A mode that steps inside a new element shrinks to the new elements that it reaches. `N` is
/// a typenum integer.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Upcast};
/// use typenum::{U1, U3, U4, U10, U12, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U12, U10>, Pair<U1, U12>>;
/// assert_type_eq!(Upcast<A, U3>, Layout<Pair<U4, U10>, Pair<U1, U4>>);
/// ```
Upcast<A: AnyLayout, N: Nat> = LayoutOf<KindOf<A>, UpcastModes<ModesOf<A>, N>>;
}

operation! {
/// The layout in elements of which an old one has `N`: the mode of stride 1 gets longer, the others
/// step further. Its offsets are `N * o .. N * (o + 1)` for those of `A`. `N` is a typenum integer.
///
/// ```
/// use layout_core::types::{Cons, Downcast, Layout, Nil};
/// use typenum::{U1, U4, U6, U8, U10, U24, U40, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U6, U10>, Pair<U10, U1>>;
/// assert_type_eq!(Downcast<A, U4>, Layout<Pair<U6, U40>, Pair<U40, U1>>);
/// ```
Downcast<A: AnyLayout, N: Nat> = LayoutOf<KindOf<A>, DowncastModes<ModesOf<A>, N>>;
}

operation! {
/// The layout of elements of `O` bits in elements of `N` bits: an [`Upcast`], a [`Downcast`], or one
/// after the other. `O` and `N` are typenum integers.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Recast};
/// use typenum::{U1, U3, U4, U8, U12, U32, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Bytes = Layout<Pair<U12, U4>, Pair<U1, U12>>;
/// assert_type_eq!(Recast<Bytes, U8, U32>, Layout<Pair<U3, U4>, Pair<U1, U3>>);
/// ```
Recast<A: AnyLayout, O: Nat, N: Nat> = LayoutOf<KindOf<A>, RecastModes<ModesOf<A>, O, N>>;
}

operation! {
/// A layout of coordinates of the shape `S`, of a size that divides `N`, that tiles the shape: each
/// extent gives as much of `N` as divides it, from left to right. `N` is a typenum integer.
///
/// ```
/// use layout_core::types::{Cons, DomainDistribute, Layout, Nil};
/// use typenum::{U1, U2, U3, U6, U14, U15, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(DomainDistribute<Pair<U15, U14>, U6>, Layout<Pair<U3, U2>, Pair<U1, U15>>);
/// ```
DomainDistribute<S: AnyIntTuple, N: Nat> = LayoutOf<KindOf<S>, Distributed<<S as AnyIntTuple>::Tree, N>>;
}

/// The shape `S` divided by the shape or the integer `D`: a shape.
///
/// Tuples divide mode by mode, an integer by the product of a tuple. A tuple is divided by an integer
/// from left to right: each mode takes what it can, and what is left of the divisor goes on.
///
/// ```
/// use layout_core::types::{Cons, Nil, ShapeDiv};
/// use typenum::{U1, U3, U4, U5, U6, U40, assert_type_eq};
/// type Three<A, B, C> = Cons<A, Cons<B, Cons<C, Nil>>>;
/// assert_type_eq!(ShapeDiv<Three<U4, U5, U6>, U40>, Three<U1, U1, U3>);
/// ```
pub type ShapeDiv<S, D> = <S as ShapeDivide>::DivideBy<D>;

operation! {
/// The compact column-major layout of the shape `S`: the first leaf is contiguous. `make(S)(i) = i`.
///
/// A leaf of extent 1 has the stride 0.
///
/// ```
/// use layout_core::types::{Cons, Layout, Make, Nil};
/// use typenum::{U1, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(Make<Pair<U4, U8>>, Layout<Pair<U4, U8>, Pair<U1, U4>>);
/// ```
Make<S: AnyIntTuple> = LayoutOf<KindOf<S>, ColumnMajor<<S as AnyIntTuple>::Tree>>;
}

operation! {
/// The compact row-major layout of the shape `S`: the last leaf is contiguous.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, RowMajor};
/// use typenum::{U1, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(RowMajor<Pair<U4, U8>>, Layout<Pair<U4, U8>, Pair<U8, U1>>);
/// ```
RowMajor<S: AnyIntTuple> = LayoutOf<KindOf<S>, RowMajorOf<<S as AnyIntTuple>::Tree>>;
}

operation! {
/// The compact layout of the shape `S` whose modes follow each other in the order of the integers
/// in `O`, the smallest contiguous. A mode below one integer of the order is column-major.
///
/// ```
/// use layout_core::types::{Cons, Layout, MakeOrdered, Nil};
/// use typenum::{U0, U1, U2, U3, U4, U12, assert_type_eq};
/// type Triple<A, B, C> = Cons<A, Cons<B, Cons<C, Nil>>>;
/// type Shape = Triple<U12, U4, U3>;
/// assert_type_eq!(MakeOrdered<Shape, Triple<U2, U0, U1>>, Layout<Shape, Triple<U12, U1, U4>>);
/// ```
MakeOrdered<S: AnyIntTuple, O: AnyIntTuple> = LayoutOf<Join<S, O>, OrderedOf<<S as AnyIntTuple>::Tree, <O as AnyIntTuple>::Tree>>;
}

operation! {
/// The modes `[B, E)` of `A`, `B` and `E` typenum integers.
///
/// ```
/// use layout_core::types::{Cons, Make, Layout, Nil, Take};
/// use typenum::{U1, U2, U3, U5, U6, assert_type_eq};
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// assert_type_eq!(Take<A, U1, U3>, Layout<Cons<U3, Cons<U5, Nil>>, Cons<U2, Cons<U6, Nil>>>);
/// ```
Take<A: AnyLayout, B: Nat, E: Nat> = LayoutOf<KindOf<A>, Taken<ModesOf<A>, B, E>>;
}

operation! {
/// The modes of `A` with the numbers `I`, a typenum integer or a flat tuple of them, in this order;
/// always a tuple.
///
/// ```
/// use layout_core::types::{Cons, Make, Layout, Nil, Select};
/// use typenum::{U0, U1, U2, U3, U5, U6, assert_type_eq};
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(Select<A, Pair<U2, U0>>, Layout<Pair<U5, U2>, Pair<U6, U1>>);
/// assert_type_eq!(Select<A, U1>, Layout<Cons<U3, Nil>, Cons<U2, Nil>>);
/// ```
Select<A: AnyLayout, I: AnyIntTuple> = LayoutOf<Join<A, I>, Selected<ModesOf<A>, <I as AnyIntTuple>::Tree>>;
}

operation! {
/// `group(A)(i) = A(i)`, with the modes `[B, E)` as one mode.
///
/// ```
/// use layout_core::types::{Cons, Group, Make, Nil};
/// use typenum::{U0, U2, U3, U5, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// assert_type_eq!(Group<A, U0, U2>, Make<Pair<Pair<U2, U3>, U5>>);
/// ```
Group<A: AnyLayout, B: Nat, E: Nat> = LayoutOf<KindOf<A>, Grouped<ModesOf<A>, B, E>>;
}

operation! {
/// The modes of `A`, and the layout `B` after them as one mode.
///
/// ```
/// use layout_core::types::{Append, Cons, Layout, Nil};
/// use typenum::{U1, U3, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Columns = Append<Layout<U3, U1>, Layout<U4, U3>>;
/// assert_type_eq!(Columns, Layout<Pair<U3, U4>, Pair<U1, U3>>);
/// ```
Append<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, Appended<ModesOf<A>, ModesOf<B>>>;
}

operation! {
/// The modes of `A`, and the layout `B` before them as one mode.
Prepend<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, Prepended<ModesOf<A>, ModesOf<B>>>;
}

operation! {
/// The modes of `A` with the layout `B` in the place of mode `N`.
///
/// ```
/// use layout_core::types::{Cons, Layout, Make, Nil, Replace};
/// use typenum::{U0, U1, U2, U3, U6, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Replace<Make<Pair<U3, U2>>, U0, Layout<U6, U0>>;
/// assert_type_eq!(A, Layout<Pair<U6, U2>, Pair<U0, U3>>);
/// ```
Replace<A: AnyLayout, N: Nat, B: AnyLayout> = LayoutOf<Join<A, B>, Replaced<ModesOf<A>, N, ModesOf<B>>>;
}

operation! {
/// The leaves of `A` under the parentheses of `P`, whose integers mean nothing:
/// `unflatten(A, P)(i) = A(i)`.
///
/// ```
/// use layout_core::types::{Cons, Make, Nil, Unflatten};
/// use typenum::{U0, U2, U3, U5, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// assert_type_eq!(Unflatten<A, Pair<U0, Pair<U0, U0>>>, Make<Pair<U2, Pair<U3, U5>>>);
/// ```
Unflatten<A: AnyLayout, P: AnyIntTuple> = LayoutOf<Join<A, P>, Unflattened<ModesOf<A>, <P as AnyIntTuple>::Tree>>;
}

operation! {
/// The two top levels of `A` transposed: mode `j` has the modes `j` of all modes. Integer modes
/// become one mode.
///
/// ```
/// use layout_core::types::{Cons, Layout, Make, Nil, Zip};
/// use typenum::{U1, U2, U3, U5, U6, U7, U30, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Make<Pair<Pair<U2, U3>, Pair<U5, U7>>>;
/// type Columns = Layout<Pair<Pair<U2, U5>, Pair<U3, U7>>, Pair<Pair<U1, U6>, Pair<U2, U30>>>;
/// assert_type_eq!(Zip<A>, Columns);
/// ```
Zip<A: AnyLayout> = LayoutOf<KindOf<A>, ZipOf<ModesOf<A>>>;
}

operation! {
/// The modes of both in pairs: `((A_0,B_0), (A_1,B_1), ..)`.
ZipWith<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, ZipWithOf<ModesOf<A>, ModesOf<B>>>;
}

operation! {
/// The modes of `A` that the coordinate `C` keeps, those inside a tuple spliced into one list. `C` is
/// a [`StaticSlicer`](super::StaticSlicer): integers, and [`Keep`](super::Keep) for `_`.
///
/// `slice(A, C)(k) + A(C with _ = 0) = A(C with _ = k)`. An integer may be [`Dyn`](super::Dyn), as
/// the offset alone depends on it; [`AnyLayout::slice`](super::AnyLayout::slice) has that.
///
/// ```
/// use layout_core::types::{Cons, Keep, Layout, Nil, Slice};
/// use typenum::{U1, U2, U3, U4, U12, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U2, Pair<U3, U4>>, Pair<U12, Pair<U1, U3>>>;
/// assert_type_eq!(Slice<A, Pair<Keep, Pair<U1, Keep>>>, Layout<Pair<U2, U4>, Pair<U12, U3>>);
/// ```
Slice<A: AnyLayout, C: StaticSlicer> = LayoutOf<KindOf<A>, Sliced<ModesOf<A>, C>>;
}

operation! {
/// The modes of `A` that the coordinate `C` fixes with an integer, whatever it is: what
/// [`Slice`] leaves out.
///
/// ```
/// use layout_core::types::{Cons, Dice, Keep, Layout, Nil};
/// use typenum::{U1, U2, U3, U4, U12, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U2, Pair<U3, U4>>, Pair<U12, Pair<U1, U3>>>;
/// assert_type_eq!(Dice<A, Pair<Keep, Pair<U1, Keep>>>, Layout<Cons<U3, Nil>, Cons<U1, Nil>>);
/// ```
Dice<A: AnyLayout, C: StaticSlicer> = LayoutOf<KindOf<A>, Diced<ModesOf<A>, C>>;
}
