use static_layout::{Tensor, layout};

fn main() {
    let _ = Tensor::<f32, layout!((4, 8):(0, 1))>::zeros();
}
