use static_layout::layout;

type T0 = layout!([0, 1, 0 p(4), 1 p(2), 0 p(4)] for (2, 2));

fn main() {
    let _ = layout!([0, 1, 0 p(4), 1 p(2), 0 p(4)] for (2, 2));
}
