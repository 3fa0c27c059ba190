use static_layout::layout;

type T0 = layout!((4294967296, 4294967296):(1, 1));

fn main() {
    let n = 6;
    let _ = layout!((4294967296, 4294967296):(1, 1));
    let _ = layout!((4294967296, n, 4294967296):(1, 1, 1));
}
