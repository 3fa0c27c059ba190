use static_layout::{On, assert_valid, layout};

type Pack = layout!([1, 0, 1 p(4)]);

assert_valid!(On<Pack, layout!((6, 8))>);
assert_valid!(On<Pack, layout!((6, 10))>);

fn main() {}
