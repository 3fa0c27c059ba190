use static_layout::{Tensor, kernels, layout};

fn main() {
    let a = Tensor::<f32, layout!((4, 8):(8, 1))>::zeros();
    let b = Tensor::<f32, layout!((8, (2, 3), 4):(24, (12, 4), 1))>::zeros();
    let mut c = Tensor::<f32, layout!((4, 4):(4, 1))>::zeros();
    kernels::gemm(1.0, &a, &b, 0.0, &mut c);
}
