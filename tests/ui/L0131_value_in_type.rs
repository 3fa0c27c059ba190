//! Values where a type is needed: what to write instead.
use static_layout::{Tensor, layout};

const WIDTH: usize = 4;
const TILE_M: usize = 4;

fn rows(n: usize) -> layout!((n, 4)) {
    layout!((n, 4))
}

fn generic<const N: usize>() {
    Tensor::<f32, layout!(({ N }, 4):(4, 1))>::zeros();
}

type Wide = layout!((4, {WIDTH}));
type Rows = layout!((TILE_M, 4));
type Tiles = layout!(logical_divide((8, 8):(8, 1), <tile, 4>));

fn main() {
    rows(3);
    generic::<3>();
}
