use static_layout::{Tensor, layout};

fn main() {
    let _ = Tensor::<f64, layout!((2147483648, 1073741824):(1073741824, 1))>::zeros();
}
