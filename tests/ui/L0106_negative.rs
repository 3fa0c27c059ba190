use static_layout::layout;

type T0 = layout!((4, -8):(8, 1));

fn main() {
    let _ = layout!(-4:1);
    let _ = layout!([0, 1 p(-2)] for (4, 8));
}
