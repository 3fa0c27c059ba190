use static_layout::layout;

type T0 = layout!([0, 1, 2] for (4, 8));

fn main() {
    let _ = layout!([0, 1, 2] for (4, 8));
}
