//! Casts and quotients that do not exist where a bound asks for them.
use static_layout::typenum::{U0, U4, U6, U8};
use static_layout::{Layout, StaticLayout, Valid, layout, ops::{Downcast, Recast, ShapeDiv, Upcast}};

fn size<L: StaticLayout + Valid>() -> usize {
    L::SIZE
}

type Shape<L> = <L as StaticLayout>::Shape;
type A = Shape<layout!((4, 6))>;
type B = Shape<layout!((2, 4))>;
type C = Shape<layout!((2, 3, 1))>;

fn main() {
    size::<Upcast<layout!((4, 8):(1, 6)), U4>>();
    size::<Upcast<layout!((3, 2):(2, 3)), U6>>();
    size::<Downcast<layout!((4, 8):(2, 8)), U4>>();
    size::<Downcast<layout!((4, 8):(1, 1)), U4>>();
    size::<Recast<layout!((4, 8):(8, 1)), U8, U0>>();
    size::<Layout<ShapeDiv<A, B>, A>>();
    size::<Layout<ShapeDiv<A, C>, A>>();
}
