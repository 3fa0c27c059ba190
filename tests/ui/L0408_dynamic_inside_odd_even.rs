use static_layout::layout;

type T0 = layout!([0 oe(4), 1, 0] for (8, 8));

fn main() {
    let _ = layout!([0 oe(4), 1, 0] for (8, 8));
}
