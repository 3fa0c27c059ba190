use static_layout::layout;

type T0 = layout!((4, (2, 2)):(4, 1));

fn main() {
    let n = 6;
    let _ = layout!((4, (2, 2)):(4, 1));
    let _ = layout!((4, n):(n, (1)));
    let _ = layout!(8:(1));
}
