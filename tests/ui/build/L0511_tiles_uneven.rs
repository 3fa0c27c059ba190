use static_layout::{Tensor, layout};

fn main() {
    let a = Tensor::<f32, layout!((7, 10):(10, 1))>::zeros();
    let _ = a.view().local_tile(&layout!(<4, 5>), (0, 0));
}
