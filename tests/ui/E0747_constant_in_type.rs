//! A name in capitals may name a type, so the macro takes it for one. rustc then finds a constant, and no
//! attribute reaches its error. `{N}` is a value wherever it stands, and has an error of ours.
use static_layout::{Tensor, layout};

fn rows<const N: usize>() -> Tensor<f32, layout!((N, 4):(4, 1))> {
    Tensor::zeros()
}

fn tiler<const N: usize>() {
    let _ = layout!(<N, N>);
}

fn main() {
    rows::<3>();
    tiler::<3>();
}
