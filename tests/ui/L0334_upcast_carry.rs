use static_layout::layout;

type T0 = layout!(upcast((3, 2):(2, 3), 6));

fn main() {
    let _ = layout!(upcast((3, 2):(2, 3), 6));
}
