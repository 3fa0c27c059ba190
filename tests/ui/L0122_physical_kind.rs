use static_layout::layout;

type T0 = layout!([0 q(4), 1] for (8, 8));

fn main() {
    let _ = layout!([0 q(4), 1] for (8, 8));
    let _ = layout!([0 P(4), 1 OE(4)] for (8, 8));
}
