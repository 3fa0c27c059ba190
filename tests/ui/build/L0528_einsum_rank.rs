use static_layout::{DynLayout, Tensor, einsum, layout};

fn main() {
    let a = Tensor::<f32, layout!((4, 8):(8, 1))>::zeros();
    let b = Tensor::<f32, _>::zeros_in(DynLayout::parse("(4,8):(8,1)").unwrap()).unwrap();
    let mut c = Tensor::<f32, layout!((4, 4):(4, 1))>::zeros();
    einsum!("ijk,jk->ij", a, b, &mut c).unwrap();
}
