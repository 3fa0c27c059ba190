use static_layout::layout;

type T0 = layout!((4, 8):(8, 1, 2));

fn main() {
    let _ = layout!((4, 8):(8, 1, 2));
    let _ = layout!((4, (2, 2)):(4, (1, 2, 8)));
    let _ = layout!((_, 8):(8, 1, 2));
}
