use static_layout::layout;

type Rows = layout!((4, 8):(8, 1));

fn main() {
    let n = 6;
    let _ = layout!(upcast(Rows, n));
    let _ = layout!(take((n, 8):(8, 1), 0, {n / 3}));
    let _ = layout!(slice(Rows, (n, _)));
    let _ = layout!(dice((n, 8):(8, 1), (0, _)));
    let _ = layout!(coalesce(shape_div((n, 8), 2)));
    let _ = layout!(composition((_, 8):(8, 1), n));
}
