use static_layout::layout;

type T0 = layout!([0p(4), 1] for (4, 8));

fn main() {
    let _ = layout!([0p(4), 1] for (4, 8));
    let _ = layout!([1, 0, 1p(4)] for (6, 8));
}
