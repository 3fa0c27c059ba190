//! Products: a layout repeated at the positions of another.

#[cfg(feature = "text")]
use super::forms::forms;
#[cfg(feature = "types")]
use {
    super::rows::aliases,
    crate::types::ops::blocked::{Blocked, Raked, TiledToShape, TiledToShapeOrdered},
    crate::types::ops::by_mode::Product,
    crate::types::ops::tiled::Tiling,
    crate::types::ops::zipped::{Flat, Tiled, Zipped},
};

macro_rules! products {
    ($then:ident) => { $then! {

/// The layout as a block, and a mode that runs over its copies.
///
/// `logical_product(A, B) = (A, complement(A, n) o B)` for a large enough `n`: copies of `A`, laid
/// out as `B`. `B` is a layout or a [tiler](crate::types::StaticTiler), which multiplies mode by
/// mode.
///
/// ```
/// use static_layout::{layout, ops::LogicalProduct, prelude::*};
/// use static_layout::typenum::assert_type_eq;
///
/// type A = layout!((2,2):(4,1));
/// type B = layout!(6:1);
/// assert_type_eq!(LogicalProduct<A, B>, layout!(((2,2),(2,3)):((4,1),(2,8))));
///
/// // Copy b starts where the complement of A has element B(b).
/// let (copies, starts) = (layout!(logical_product(A, B)), layout!(complement(A, 24)));
/// for b in 0..6 {
///     assert_eq!(copies.offset((0, b)), starts.offset(b));
/// }
/// ```
fn logical_product(a: A as Domain, b: B as Tiler) -> LogicalProduct {
    type = <B as Tiling>::Apply<Product, A>;
    value = a.logical_product_by(b);
}

/// The blocks in the first mode, the copies in the second: `((block..), (copies.., further modes..))`.
///
/// The modes of [`LogicalProduct`] in another order. `_` keeps a mode that is already a (block,
/// copies) pair. Works mode by mode, as in CuTe: the copies in one mode do not take the reach of the
/// other modes into account.
///
/// ```
/// use static_layout::{layout, ops::ZippedProduct};
/// use static_layout::typenum::assert_type_eq;
///
/// type Blocks = ZippedProduct<layout!((2,5):(5,1)), layout!(<3:5, 4:6>)>;
/// assert_type_eq!(Blocks, layout!(((2,5),(3,4)):((5,1),(10,30))));
/// ```
fn zipped_product(a: A as Domain, b: T as Tiler) -> ZippedProduct {
    type = Zipped<Product, A, T>;
    value = a.zipped_product_by(b);
}

/// The blocks in the first mode, the copies as modes: `((block..), copies.., further modes..)`.
///
/// [`ZippedProduct`] with its second mode unpacked. Copies of one mode stay as they are.
///
/// ```
/// use static_layout::{layout, ops::TiledProduct};
/// use static_layout::typenum::assert_type_eq;
///
/// type Blocks = TiledProduct<layout!((2,5):(5,1)), layout!(<3:5, 4:6>)>;
/// assert_type_eq!(Blocks, layout!(((2,5),3,4):((5,1),10,30)));
/// ```
fn tiled_product(a: A as Domain, b: T as Tiler) -> TiledProduct {
    type = Tiled<Product, A, T>;
    value = a.tiled_product_by(b);
}

/// The blocks and the copies as modes: `(block.., copies.., further modes..)`.
///
/// [`ZippedProduct`] with both modes unpacked. A block or copies of one mode stay as they are.
///
/// ```
/// use static_layout::{layout, ops::FlatProduct};
/// use static_layout::typenum::assert_type_eq;
///
/// type Blocks = FlatProduct<layout!((2,5):(5,1)), layout!(<3:5, 4:6>)>;
/// assert_type_eq!(Blocks, layout!((2,5,3,4):(5,1,10,30)));
/// ```
fn flat_product(a: A as Domain, b: T as Tiler) -> FlatProduct {
    type = Flat<Product, A, T>;
    value = a.flat_product_by(b);
}

/// Copies of a block next to each other, mode by mode: `((A_0,B_0), (A_1,B_1), ..)`.
///
/// The modes of [`LogicalProduct`] zipped, after both are padded with `1:0` to the same rank.
///
/// ```
/// use static_layout::{layout, ops::BlockedProduct};
/// use static_layout::typenum::assert_type_eq;
///
/// type Blocks = BlockedProduct<layout!((2,5):(5,1)), layout!((3,4):(1,3))>;
/// assert_type_eq!(Blocks, layout!(((2,3),(5,4)):((5,10),(1,30))));
/// ```
fn blocked_product(a: A as Domain, b: B as Layout) -> BlockedProduct {
    type = Blocked<A, B>;
    value = a.blocked_product(b);
}

/// Copies of a block interleaved, mode by mode: `((B_0,A_0), (B_1,A_1), ..)`.
///
/// [`BlockedProduct`] with the parts of each mode exchanged.
///
/// ```
/// use static_layout::{layout, ops::RakedProduct};
/// use static_layout::typenum::assert_type_eq;
///
/// type Blocks = RakedProduct<layout!((2,5):(5,1)), layout!((3,4):(1,3))>;
/// assert_type_eq!(Blocks, layout!(((3,2),(4,5)):((10,5),(30,1))));
/// ```
fn raked_product(a: A as Domain, b: B as Layout) -> RakedProduct {
    type = Raked<A, B>;
    value = a.raked_product(b);
}

/// A block repeated until it has a shape, along the first mode first.
///
/// `compatible(S, shape(tile_to_shape(A, S)))`, and the first copy is the block itself.
///
/// ```
/// use static_layout::{layout, ops::TileToShape, prelude::*};
/// use static_layout::typenum::assert_type_eq;
///
/// type Block = layout!((8,4):(4,1));
/// type Filled = layout!(tile_to_shape(Block, (32, 8)));
/// assert_type_eq!(Filled, layout!(((8,4),(4,2)):((4,32),(1,128))));
/// // Element (9, 1) is element (1, 1) of the second copy, which starts at 32.
/// assert_eq!(Filled::default().offset((9, 1)), 32 + Block::default().offset((1, 1)));
/// ```
fn tile_to_shape(a: A as Domain, target: S as IntTuple) -> TileToShape {
    type = TiledToShape<A, S>;
    value = a.tile_to_shape(target);
}

/// A block repeated until it has a shape, along the mode with the smallest integer of an order first.
///
/// [`TileToShape`] has the order `(0, 1, ..)`.
///
/// ```
/// use static_layout::layout;
/// use static_layout::typenum::assert_type_eq;
///
/// type Block = layout!((8,4):(4,1));
/// type Rows = layout!(tile_to_shape(Block, (32, 8), (1, 0)));
/// assert_type_eq!(Rows, layout!(((8,4),(4,2)):((4,64),(1,32))));
/// ```
fn tile_to_shape_ordered as tile_to_shape(a: A as Domain, target: S as IntTuple, order: O as IntTuple)
    -> TileToShapeOrdered
{
    type = TiledToShapeOrdered<A, S, O>;
    value = a.tile_to_shape_ordered(target, order);
}

    }};
}
#[cfg(feature = "types")]
products!(aliases);
#[cfg(feature = "text")]
products!(forms);
#[cfg(feature = "types")]
pub(crate) use products;
