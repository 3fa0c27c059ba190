use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));
type T0 = layout!(composition((_, 8):(8, 1), 4:1));

fn main() {
    let n = 6;
    let _ = layout!(composition((_, 8):(8, 1), 4:1));
    let _ = layout!(coalesce((n, 8):(8, 1)));
    let _ = layout!(Rows o {n});
    let _ = layout!(logical_divide(Rows, <2, n>));
    let _ = layout!(<2, n>);
}
