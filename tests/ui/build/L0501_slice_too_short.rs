use static_layout::{View, layout};

fn main() {
    let _ = View::<f32, layout!((4, 32):(32, 1))>::from_array(&[0.0; 100]);
}
