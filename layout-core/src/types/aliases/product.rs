//! The products: a layout repeated by another.

use crate::types::any::AnyLayout;
use crate::types::arranged::{Blocked, Raked, TiledToShape, TiledToShapeOrdered};
use crate::types::by_mode::Product;
use crate::types::int_tuple::AnyIntTuple;
use crate::types::kind::{LayoutOf, ModesOf};
use crate::types::operand::Join;
use crate::types::operation::operations;
use crate::types::tiler::AnyTiler;
use crate::types::zipped::{Flat, Tiled, Zipped};

operations! {
/// `(A, complement(A, n) o B)` for an `n` that is large enough: copies of `A`, laid out as `B`. `B` is
/// a layout or a [tiler](super::super::StaticTiler), which multiplies mode by mode.
LogicalProduct<A: AnyLayout, B: AnyTiler> = LayoutOf<Join<A, B>, <B as AnyTiler>::Apply<Product, ModesOf<A>>>;

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
