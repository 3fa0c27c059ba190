//! `assert_valid!` of compositions and a complement without a layout, as items and as a statement.
use static_layout::typenum::U24;
use static_layout::{Complement, Composition, TiledDivide, assert_valid, layout, ops::FlatProduct};

type A = layout!((6, 2):(1, 7));
type Steps = Composition<A, layout!(4:2)>;
assert_valid!(A, Steps);
assert_valid!(Complement<layout!((4, 4):(1, 2)), U24>);

fn main() {
    assert_valid!(Composition<A, layout!((3, 2):(2, 3))>);
    assert_valid!(TiledDivide<layout!((8, (6, 2)):(1, (8, 56))), layout!(<4, 4:2>)>);
    assert_valid!(FlatProduct<layout!((2, 8)), layout!(<4, _>)>);
}
