use static_layout::{Tensor, View, ViewMut, kernels, layout};

type Rows = layout!((4, 32):(32, 1));

fn main() {
    let source = View::<f32, Rows>::from_array(&[1.0; 128]);
    let mut tensor = Tensor::<f32, layout!((4, (8, 4)):(8, (1, 32)))>::zeros();
    kernels::copy(&source, &mut tensor);
    let mut array = [0.0; 128];
    kernels::copy(&tensor, &mut ViewMut::<f32, Rows>::from_array(&mut array));
    assert_eq!(array, [1.0; 128]);
}
