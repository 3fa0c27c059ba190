//! Modes that a layout does not have.
use static_layout::{StaticLayout, Valid, assert_valid, layout};

type Rows = layout!((4, 8):(8, 1));
assert_valid!(layout!(take(Rows, 1, 3)));
assert_valid!(layout!(group(Rows, 2, 1)));
assert_valid!(layout!(select(Rows, (0, 2))));
assert_valid!(layout!(replace(Rows, 5, 2:1)));

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

fn main() {
    let _ = layout!(take((4, 8):(8, 1), 1, 3));
    let _ = layout!(take(Rows, <1>, 3));
    let _ = layout!(select(Rows, (0, 1):(1, 2)));
    size::<layout!(take(Rows, 1, 1))>();
    size::<layout!(select(Rows, 2))>();
}
