use static_layout::layout;

type T0 = layout!(upcast((4, 8):(1, 6), 4));

fn main() {
    let _ = layout!(upcast((4, 8):(1, 6), 4));
}
