use static_layout::layout;

type T0 = layout!(composition((6, 2):(1, 7), 4:2));

fn main() {
    let _ = layout!(composition((6, 2):(1, 7), 4:2));
    let _ = layout!((6, 2):(1, 7) o 4:2);
}
