use static_layout::{ViewMut, layout};

fn main() {
    let mut data = [0u8; 100];
    let _ = ViewMut::<u8, layout!((4, 3):(1, 2))>::new(&mut data[..]);
}
