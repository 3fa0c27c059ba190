use static_layout::layout;

type T0 = layout!(logical_divide((8, 8), (4, 4)));

fn main() {
    let _ = layout!(logical_divide((8, 8), (4, 4)));
    let _ = layout!((8, 8) o (4, 2));
}
