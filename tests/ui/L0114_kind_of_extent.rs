use static_layout::{layout, typenum};

type N = typenum::U8;
type A = layout!([1, 0, 1 p(4)] for (N, _));
type B = layout!([1, 0, 1 p(4)] for (N, (2, 4)));

fn main() {
    let n = 8;
    let _: (A, B);
    let _ = layout!([1, 0, 1 p(4)] for (n, N));
}
