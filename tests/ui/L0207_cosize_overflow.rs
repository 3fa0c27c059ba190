use static_layout::layout;

type T0 = layout!((4, 3):(4611686018427387904, 1));

fn main() {
    let n = 6;
    let _ = layout!((4, 3):(4611686018427387904, 1));
    let _ = layout!((4, n):(4611686018427387904, 1));
}
