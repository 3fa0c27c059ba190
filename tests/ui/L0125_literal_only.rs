use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!(table(Rows));

fn main() {
    let _ = layout!(slice_and_offset(Rows, (3, _)));
    let _ = layout!(table(Rows));
}
