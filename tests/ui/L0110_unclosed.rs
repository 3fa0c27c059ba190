use static_layout::layout;

type T0 = layout!(<8, 4);

fn main() {
    let _ = layout!(<8, 4);
    let _ = layout!(logical_divide((8, 8), <4, 4));
}
