use static_layout::{Tensor, einsum, layout};

fn main() {
    let a = Tensor::<f32, layout!((4, 4):(4, 1))>::zeros();
    let mut c = Tensor::<f32, layout!((4, 4):(4, 1))>::zeros();
    einsum!("ij,jk", a, a, &mut c);
}
