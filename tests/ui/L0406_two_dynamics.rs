use static_layout::layout;

type T0 = layout!([0, 1, 0] for (4, 4));

fn main() {
    let n = 6;
    let _ = layout!([0, 1, 0] for (4, 4));
    let _: Result<_, static_layout::LayoutError> = layout!([0, 0] for (n));
}
