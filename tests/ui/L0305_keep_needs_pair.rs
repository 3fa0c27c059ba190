use static_layout::layout;

type T0 = layout!(zipped_divide((8, 8), <4, _>));

fn main() {
    let _ = layout!(zipped_divide((8, 8), <4, _>));
}
