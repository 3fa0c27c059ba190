use static_layout::layout;

type T0 = layout!([0 p(2), 1] for (6, 8));

fn main() {
    let _ = layout!([0 p(2), 1] for (6, 8));
}
