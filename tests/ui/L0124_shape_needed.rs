use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!(composition(Rows, [0, 1]));

fn main() {
    let _ = layout!(flatten([1, 0, 1 p(4)]));
    let _ = layout!([1, 0, 1 p(4)] o 4:1);
}
