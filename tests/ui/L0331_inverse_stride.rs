use static_layout::layout;

type T0 = layout!(left_inverse((4, 3):(6, 10)));

fn main() {
    let _ = layout!(left_inverse((4, 3):(6, 10)));
}
