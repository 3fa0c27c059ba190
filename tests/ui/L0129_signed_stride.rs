use static_layout::layout;

type T0 = layout!((4, 8):(-8, 1));

fn main() {
    let _ = layout!((4, 8):(-8, 1));
    let _ = layout!(logical_divide((4, 8):(8, -1), <2, 4>));
}
