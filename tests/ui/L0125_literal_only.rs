use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!(coalesce(Rows, (1, 1)));

fn main() {
    let _ = layout!(coalesce(Rows, (1, 1)));
    let _ = layout!(slice(Rows, (3, _)));
    let _ = layout!(swizzle_compose(Sw<3, 0, 3>, Rows));
}
