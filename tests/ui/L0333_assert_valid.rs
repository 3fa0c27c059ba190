//! `assert_valid!` of casts, quotients and parts of a shape that do not exist.
use static_layout::typenum::{U0, U4, U6, U8};
use static_layout::{StaticLayout, ops::{DomainDistribute, Downcast, Recast, ShapeDiv, Upcast}};
use static_layout::{Layout, assert_valid, layout};

type Shape<L> = <L as StaticLayout>::Shape;
type A = Shape<layout!((4, 6))>;
type B = Shape<layout!((2, 4))>;
assert_valid!(Upcast<layout!((4, 8):(1, 6)), U4>);
assert_valid!(Upcast<layout!((3, 2):(2, 3)), U6>);
assert_valid!(Downcast<layout!((4, 8):(2, 8)), U4>);
assert_valid!(Downcast<layout!((4, 8):(1, 1)), U4>);
assert_valid!(Recast<layout!((4, 8):(8, 1)), U8, U0>);
assert_valid!(DomainDistribute<A, U0>);
assert_valid!(Layout<ShapeDiv<A, B>, A>);

fn main() {}
