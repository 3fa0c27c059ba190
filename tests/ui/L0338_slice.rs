//! Coordinates that do not slice a layout.
use static_layout::{StaticLayout, Valid, assert_valid, layout};

type Rows = layout!((4, 8):(8, 1));
assert_valid!(layout!(slice(Rows, (1, _, _))));
assert_valid!(layout!(slice(Rows, (_, 8))));
assert_valid!(layout!(slice(Rows, (1, 2))));
assert_valid!(layout!(dice(Rows, _)));

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

fn main() {
    let n = 3;
    let _ = layout!(slice(Rows, (n, _)));
    let _ = layout!(slice(Rows, (4:1, _)));
    let _ = layout!(slice((4, 8):(8, 1), (4, _)));
    size::<layout!(slice(Rows, (1, (2, _))))>();
    size::<layout!(slice(Rows, (4, _)))>();
    size::<layout!(dice(Rows, (_, _)))>();
}
