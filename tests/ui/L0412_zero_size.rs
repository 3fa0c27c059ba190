use static_layout::layout;

type T0 = layout!([0, 1, 0 p(0)] for (6, 4));

fn main() {
    let _ = layout!([0, 1, 0 p(0)] for (6, 4));
    let _ = layout!([0, 1, 0 oe(0)] for (6, 4));
}
