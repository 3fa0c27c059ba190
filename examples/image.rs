//! The usual preprocessing of vision models: interleaved `u8` pixels (HWC) become normalised `f32`
//! planes (CHW), in one pass over memory.
//!
//! `transform` copies from one layout to another and applies a function. A slice selects the colour,
//! so that its mean and deviation are two numbers.
//!
//! `cargo run --release --example image`

mod common;

use std::error::Error;
use std::hint::black_box;

use static_layout::kernels::transform;
use static_layout::{Tensor, layout};

use common::{assert_close, table, times};

const HEIGHT: usize = 720;
const WIDTH: usize = 1280;

/// Interleaved colours.
type Pixels = layout!((720, 1280, 3):(3840, 3, 1));
/// One plane per colour. The modes are in the order of the pixels: rows, columns, colours.
type Planes = layout!((720, 1280, 3):(1280, 1, 921600));

/// The means and standard deviations that models trained on ImageNet expect.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

fn main() -> Result<(), Box<dyn Error>> {
    let pixels =
        Tensor::<u8, Pixels>::from_fn(|(y, x, c)| (y * 7 + x * (c + 2) + (x * y) / 64) as u8);

    let mut planes = Tensor::<f32, Planes>::zeros();
    let mut by_plane = || {
        let source = black_box(pixels.view());
        let mut to = planes.view_mut();
        for c in 0..3 {
            let (factor, shift) = (1.0 / (255.0 * DEVIATION[c]), MEAN[c] / DEVIATION[c]);
            transform(&source.slice((.., .., c)), &mut to.slice_mut((.., .., c)), |x: u8| {
                f32::from(x) * factor - shift
            });
        }
    };
    by_plane();

    let mut loops = vec![0.0; 3 * HEIGHT * WIDTH];
    let mut naive = || {
        let pixels = black_box(pixels.as_slice());
        for c in 0..3 {
            for (i, to) in loops[c * HEIGHT * WIDTH..][..HEIGHT * WIDTH].iter_mut().enumerate() {
                *to = (f32::from(pixels[3 * i + c]) / 255.0 - MEAN[c]) / DEVIATION[c];
            }
        }
    };
    naive();
    let seconds = times(10, [&mut by_plane, &mut naive]);
    assert_close(planes.as_slice(), &loops, "planes and loops");

    println!("{HEIGHT} x {WIDTH} pixels of 3 colours, from u8 HWC to normalised f32 CHW\n");
    let bytes = (HEIGHT * WIDTH * 3 * (1 + 4)) as f64;
    table("GB/s", bytes / 1e9, ["transform of each plane", "loops"], seconds);
    assert_eq!(planes[(0, 0, 1)], loops[HEIGHT * WIDTH]);
    Ok(())
}
