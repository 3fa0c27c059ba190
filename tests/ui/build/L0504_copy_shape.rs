use static_layout::{Tensor, kernels, layout};

fn main() {
    let source = Tensor::<f32, layout!((64, 128):(128, 1))>::zeros();
    let mut destination = Tensor::<f32, layout!((64, 120):(120, 1))>::zeros();
    kernels::copy(&source, &mut destination);
}
