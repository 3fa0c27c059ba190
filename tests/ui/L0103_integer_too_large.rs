use static_layout::layout;

type T0 = layout!((4, 9223372036854775808):(1, 4));

fn main() {
    let _ = layout!((4, 9223372036854775808):(1, 4));
    let _ = layout!(8:99999999999999999999999999);
}
