//! An order with other modes than the shape, in notation and as types.
use static_layout::typenum::{U4, U8};
use static_layout::types::{Cons, Nil};
use static_layout::{StaticLayout, Valid, assert_valid, layout};

type Shape = Cons<U4, Cons<U8, Nil>>;
type Ordered = layout!(make_ordered(Shape, (0, 1, 2)));
assert_valid!(Ordered);

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

fn main() {
    let _ = layout!(make_ordered((4, 8), (0, (1, 2))));
    size::<Ordered>();
}
