//! A profile with more modes than a layout that has a name.
use static_layout::{StaticLayout, Valid, layout};

type Rows = layout!((4, 8):(8, 1));
type ByMode = layout!(coalesce(Rows, (0, 0, 0)));

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

static_layout::assert_valid!(ByMode);

fn main() {
    size::<ByMode>();
}
