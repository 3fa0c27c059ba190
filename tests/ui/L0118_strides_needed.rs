use static_layout::layout;
use static_layout::typenum::U4;


fn main() {
    let n = 6;
    let _ = layout!((U4, n, 2));
}
