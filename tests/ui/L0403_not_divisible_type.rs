use static_layout::{assert_valid, layout, typenum};

type N = typenum::U10;

assert_valid!(layout!([1, 0, 1 p(4)] for (6, N)));

// An extent that is a number is checked where it is written.
type A = layout!([1, 0, 0 p(4)] for (6, N));

fn main() {
    let _ = A::default();
}
