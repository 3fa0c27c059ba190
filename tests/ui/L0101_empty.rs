use static_layout::layout;

type T0 = layout!();

fn main() {
    let _ = layout!();
}
