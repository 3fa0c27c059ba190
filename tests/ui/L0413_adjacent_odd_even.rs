use static_layout::layout;

type T0 = layout!([0, 0 oe(4), 0 oe(2)] for (16));

fn main() {
    let _ = layout!([0, 0 oe(4), 0 oe(2)] for (16));
}
