use static_layout::layout;

type T0 = layout!((4, 0):(1, 4));

fn main() {
    let _ = layout!((4, 0):(1, 4));
    let _ = layout!(0);
    let _ = layout!([0, 1] for (0, 0));
    let _ = layout!(composition((0, 4):(1, 1), 4:1));
}
