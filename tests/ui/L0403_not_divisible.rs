use static_layout::layout;

type T0 = layout!([1, 0, 1 p(4)] for (6, 10));

fn main() {
    let _ = layout!([1, 0, 1 p(4)] for (6, 10));
}
