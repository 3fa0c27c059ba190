use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!(swizzle_compose(Sw<3, 0, 3>, Rows));

fn main() {
    let _ = layout!(swizzle_compose(Sw<3, 0, 3>, Rows));
    let _ = layout!(slice_and_offset(Rows, (3, _)));
    let _ = layout!(table(Rows));
}
