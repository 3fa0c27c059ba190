use static_layout::{ViewMut, layout};

fn main() {
    let _ = ViewMut::<f32, layout!((4, 32):(32, 1))>::from_array(&mut [0.0; 127]);
}
