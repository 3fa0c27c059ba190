use static_layout::layout;

type T0 = layout!((8, 8) o (4, 4));

fn main() {
    let _ = layout!((8, 8) o (4, 2));
}
