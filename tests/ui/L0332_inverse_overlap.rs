use static_layout::layout;

type T0 = layout!(left_inverse((2, 6):(4, 1)));

fn main() {
    let _ = layout!(left_inverse((2, 6):(4, 1)));
}
