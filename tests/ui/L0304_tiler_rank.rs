use static_layout::layout;

type T0 = layout!(logical_divide(8:1, <4, 4>));

fn main() {
    let _ = layout!(logical_divide(8:1, <4, 4>));
}
