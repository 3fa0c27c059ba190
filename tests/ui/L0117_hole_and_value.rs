use static_layout::layout;


fn main() {
    let n = 6;
    let _ = layout!((n, _):(1, 4));
}
