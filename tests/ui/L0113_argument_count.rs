use static_layout::layout;

type T0 = layout!(composition(20:2));

fn main() {
    let _ = layout!(composition(20:2));
    let _ = layout!(coalesce(4:1, 1, 1));
    let _ = layout!(flatten());
}
