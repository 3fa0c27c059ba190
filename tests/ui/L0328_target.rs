//! A block that does not tile its target shape: at a named layout, and written out.
use static_layout::typenum::{U6, U10, U16};
use static_layout::types::{Cons, Nil};
use static_layout::{TileToShape, assert_valid, layout};

type Block = layout!((8, 4):(4, 1));
assert_valid!(TileToShape<Block, Cons<U16, Cons<U10, Nil>>>);
assert_valid!(TileToShape<Block, U6>);

fn main() {
    let _ = layout!(tile_to_shape((8, 4):(4, 1), (16, 10)));
    let _ = layout!(tile_to_shape((8, 4):(4, 1), 32));
}
