//! A composition without a layout, behind an alias, where a bound asks for one.
use static_layout::{Composition, StaticLayout, Valid, layout};

type Steps = Composition<layout!((6, 2):(1, 7)), layout!(4:2)>;

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

fn main() {
    size::<Steps>();
}
