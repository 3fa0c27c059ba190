//! `assert_valid!` of left inverses without a layout.
use static_layout::{assert_valid, layout, ops::{LeftInverse, MaxCommonLayout}};

type Gaps = layout!((4, 3):(6, 10));
type Overlap = layout!((2, 6):(4, 1));
assert_valid!(LeftInverse<Gaps>);
assert_valid!(LeftInverse<Overlap>);
assert_valid!(MaxCommonLayout<layout!(4:1), LeftInverse<Gaps>>);

fn main() {}
