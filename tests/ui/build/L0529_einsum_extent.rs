use static_layout::{Tensor, einsum, layout};

fn main() {
    let a = Tensor::<f32, layout!((4, 8):(8, 1))>::zeros();
    let b = Tensor::<f32, layout!((9, 16):(16, 1))>::zeros();
    let mut c = Tensor::<f32, layout!((4, 16):(16, 1))>::zeros();
    einsum!("ij,jk->ik", a, b, &mut c);
}
