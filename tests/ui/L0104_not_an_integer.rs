use static_layout::layout;

type T0 = layout!((4.8):(1));

fn main() {
    let _ = layout!((4.8):(1));
    let _ = layout!((0x10, "8"):(1, 16));
}
