use static_layout::layout;

type T0 = layout!(coalesce((4, 8):(8, 1), (1, 1, 1)));

fn main() {
    let _ = layout!(coalesce((4, 8):(8, 1), (1, 1, 1)));
}
