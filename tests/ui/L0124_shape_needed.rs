use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!([1, 0, 1 p(4)]);

fn main() {
    let _ = layout!([1, 0, 1 p(4)]);
    let _ = layout!(composition(Rows, [0, 1]));
}
