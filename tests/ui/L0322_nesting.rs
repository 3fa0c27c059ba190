//! A profile with other leaves, and modes that do not zip.
use static_layout::{StaticLayout, Valid, assert_valid, layout};

type Rows = layout!((4, (2, 8)):(16, (8, 1)));
assert_valid!(layout!(unflatten(Rows, (0, 0))));
assert_valid!(layout!(zip(((2, 2), 3), Rows)));

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

fn main() {
    let _ = layout!(zip(((2, 2), 3)));
    size::<layout!(unflatten(Rows, (0, 0, 0, 0)))>();
    size::<layout!(zip((2, (3, 4)), ((2, 2), 3, 1)))>();
}
