use static_layout::layout;

type T0 = layout!(((4u8, 0x2), 8, -2):(1, (2, 2)));

fn main() {
    let _ = layout!(((4u8, 0x2), 8, -2):(1, (2, 2)));
    let _ = layout!([0 q(4), 2p(2), 1 oe(x)] for (8, 8));
    let _ = layout!(composition(coalese(4:1), flaten(8:1)));
    let _ = layout!((4, (2, 2), (3, 3)):((1, 2), (1), (1, 2, 3)));
}
