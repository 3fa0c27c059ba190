use static_layout::layout;

type T0 = layout!(composition((6, 2):(1, 7), 4:2));

fn main() {
    let _ = layout!(composition((6, 2):(1, 7), 4:2));
    let _ = layout!((6, 2):(1, 7) o 4:2);
    let _ = layout!(composition((6, 2):(1, 7), (3, 8):(4, 1)));
    let _ = layout!(logical_divide((8, (6, 2)):(1, (8, 56)), <4, 4:2>));
    let _ = layout!(logical_divide((8, (6, 2)):(1, (8, 56)), <4, 4>));
    let _ = layout!(logical_product(2:3, 4:1));
}
