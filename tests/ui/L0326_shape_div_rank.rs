use static_layout::layout;

type T0 = layout!(make(shape_div((4, 6), (2, 3, 1))));

fn main() {
    let _ = layout!(make(shape_div((4, 6), (2, 3, 1))));
}
