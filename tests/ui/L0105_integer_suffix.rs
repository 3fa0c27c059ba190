use static_layout::layout;

type T0 = layout!((4u32, 8):(8, 1));

fn main() {
    let _ = layout!((4u32, 8):(8, 1));
    let _ = layout!((4, 8):(8usize, 1));
}
