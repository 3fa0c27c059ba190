use static_layout::layout;

type T0 = layout!(compositon(20:2, 5:1));

fn main() {
    let _ = layout!(compositon(20:2, 5:1));
    let _ = layout!(transpose((4, 8):(8, 1)));
}
