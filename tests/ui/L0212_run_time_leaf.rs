//! A layout with run-time leaves where every number must be in the type.
use static_layout::{StaticLayout, layout};

fn size<L: StaticLayout>() -> usize {
    L::SIZE
}

fn main() {
    size::<layout!((_, 4):(4, 1))>();
}
