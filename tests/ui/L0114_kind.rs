use static_layout::layout;

type T0 = layout!(coalesce((4, 8), <1, 1>));

fn main() {
    let _ = layout!(coalesce((4, 8), <1, 1>));
    let _ = layout!(complement(4:1, 8:1));
    let _ = layout!((4:1, 8):(1, 4));
}
