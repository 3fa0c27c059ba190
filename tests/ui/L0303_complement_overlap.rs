use static_layout::layout;

type T0 = layout!(complement((4, 4):(1, 2), 24));

fn main() {
    let _ = layout!(complement((4, 4):(1, 2), 24));
}
