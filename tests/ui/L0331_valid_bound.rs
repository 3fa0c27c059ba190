//! Left inverses without a layout where a bound asks for one.
use static_layout::{StaticLayout, Valid, layout, ops::LeftInverse};

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

fn main() {
    size::<LeftInverse<layout!((4, 3):(6, 10))>>();
    size::<LeftInverse<layout!((2, 6):(4, 1))>>();
}
