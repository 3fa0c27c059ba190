use static_layout::layout;

type T0 = layout!((4, 8):);

fn main() {
    let _ = layout!((4, 8):);
    let _ = layout!((4,, 8):(8, 1));
    let _ = layout!((4 8):(8, 1));
    let _ = layout!([0, 1 p 4] for (4, 8));
    let _ = layout!([p(4)] for (8));
    let _ = layout!((4; 8):(8, 1));
    let _ = layout!((2 * 4, 8):(8, 1));
    let _ = layout!([0, 1] for 8);
    let _ = layout!(<2, U>:1);
}
