use static_layout::layout;

type T0 = layout!([0, 1 p(1)] for (4, 1));

fn main() {
    let _ = layout!([0, 1 p(1)] for (4, 1));
}
