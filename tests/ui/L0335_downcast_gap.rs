use static_layout::layout;

type T0 = layout!(downcast((4, 8):(2, 8), 4));

fn main() {
    let _ = layout!(downcast((4, 8):(2, 8), 4));
}
