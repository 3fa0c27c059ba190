use static_layout::{Algebra, layout};

fn main() {
    let (m, n) = (4, 8);
    let strided = layout!((4, 8):(m, n));
    let _ = strided.complement(&64);
}
