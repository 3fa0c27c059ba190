use static_layout::layout;

type T0 = layout!([0 p(4), 1] for (_, 8));

fn main() {
    let n = 6;
    let _ = layout!([0 p(4), 1] for (_, 8));
    let _ = layout!([1] for (n, 8));
}
