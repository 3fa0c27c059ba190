use static_layout::{StaticLayout, Tensor, kernels, layout};

fn relayout<A: StaticLayout, B: StaticLayout>(source: &Tensor<f32, A>) -> Tensor<f32, B> {
    let mut destination = Tensor::zeros();
    kernels::copy(source, &mut destination);
    destination
}

fn main() {
    let source = Tensor::<f32, layout!((8, 8):(8, 1))>::zeros();
    let _: Tensor<f32, layout!((64):(1))> = relayout(&source);
}
