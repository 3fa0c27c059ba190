use static_layout::layout;

type T0 = layout!(composition((4, 2):(2, 1), (2, 4):(2, 1)));

fn main() {
    let _ = layout!(composition((4, 2):(2, 1), (2, 4):(2, 1)));
}
