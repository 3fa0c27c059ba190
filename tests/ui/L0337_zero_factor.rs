use static_layout::layout;

type T0 = layout!(recast((4, 8):(8, 1), 32, 0));

fn main() {
    let _ = layout!(recast((4, 8):(8, 1), 32, 0));
}
