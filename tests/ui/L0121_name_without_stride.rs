use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!(Rows);

fn main() {
    let _ = layout!(Rows);
}
