use static_layout::layout;

type T0 = layout!([0, 0 oe(6)] for (3));

fn main() {
    let _ = layout!([0, 0 oe(6)] for (3));
}
