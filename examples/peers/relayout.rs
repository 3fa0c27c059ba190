//! Converts tensors of a `safetensors` file to layouts of devices, and back to a file.
//!
//! Activations and weights are stored as NCHW. Vector kernels want blocks of 16 contiguous channels
//! (NCHW16c), a Spyre wants padded sticks of 128 bytes. Both are layouts, so reading the file *is*
//! the conversion: one pass over the bytes of the file.
//!
//! `cargo run --release -p examples --bin relayout
//! [FILE.safetensors]` converts each tensor in the file that has four axes of `f32`. Without an
//! argument it generates a file.

#[path = "../common/mod.rs"]
mod common;

use std::error::Error;
use std::hint::black_box;
use std::{env, fs};

use ndarray::{Array, ArrayView};
use safetensors::{Dtype, SafeTensors, serialize, tensor::TensorView};
use static_layout::devices::spyre::SpyreLayout;
use static_layout::interop::safetensors::{Stored, read};
use static_layout::kernels::copy;
use static_layout::{DynLayout, IntTuple, LayoutError, PlacedTensor, Tensor, layout};

use common::{table, times};

fn main() -> Result<(), Box<dyn Error>> {
    let file = match env::args().nth(1) {
        Some(path) => fs::read(&path).map_err(|error| format!("{path}: {error}"))?,
        None => a_file()?,
    };
    let tensors = SafeTensors::deserialize(&file)?;
    let mut stored = Vec::new();
    for (name, tensor) in tensors.tensors() {
        match *tensor.shape() {
            [n, c, h, w] if tensor.dtype() == Dtype::F32 => {
                println!("{name}: {n} x {c} x {h} x {w}");
                stored.push((name, there_and_back(&tensor, [n, c, h, w])?));
            }
            _ => println!("{name}: {:?} of {}, left out", tensor.shape(), tensor.dtype()),
        }
    }

    // Write the converted-back tensors; they equal those of the input.
    let views = stored.iter().map(|(name, tensor)| Ok((name, Stored::new(tensor)?)));
    let written = serialize(views.collect::<Result<Vec<_>, LayoutError>>()?, None)?;
    let again = SafeTensors::deserialize(&written)?;
    for (name, _) in &stored {
        assert!(again.tensor(name)?.data() == tensors.tensor(name)?.data(), "{name}");
    }
    println!("{} tensors read, converted, and written: the same bytes", stored.len());
    Ok(())
}

/// A file like those written by Python programs.
fn a_file() -> Result<Vec<u8>, Box<dyn Error>> {
    type Activations = layout!(row_major((8, 256, 28, 28)));
    type Weights = layout!(row_major((64, 48, 3, 3)));
    let value = |i: usize| (i % 1013) as f32 - 500.0;
    let x = Tensor::<f32, Activations>::from_fn(|(n, c, h, w)| value(n * 7 + c * 31 + h * 5 + w));
    let w = Tensor::<f32, Weights>::from_fn(|(k, c, y, x)| value(k * 11 + c * 3 + 7 * y + x));
    Ok(serialize([("activations", Stored::new(&x)?), ("weights", Stored::new(&w)?)], None)?)
}

/// Reads a tensor into sticks of a Spyre, and copies it back to row-major.
fn there_and_back(
    tensor: &TensorView<'_>,
    [n, c, h, w]: [usize; 4],
) -> Result<Tensor<f32, DynLayout>, Box<dyn Error>> {
    // Sticks along the last axis, padded.
    let device = format!("spyre {{ size: [{n}, {c}, {h}, {w}], dtype: f32 }}");
    let mut sticks = PlacedTensor::<f32, _>::zeros_in(SpyreLayout::parse(&device)?)?;
    read(tensor, &mut sticks)?;
    let mut back = Tensor::zeros_in(DynLayout::row_major(&IntTuple::flat(&[n, c, h, w])?)?)?;
    copy(&sticks, &mut back)?;

    if c.is_multiple_of(16) {
        let from_blocks = in_blocks(tensor, [n, c, h, w])?;
        assert!(from_blocks.as_slice() == back.as_slice(), "by blocks and by sticks");
    } else {
        println!("  {c} channels are not blocks of 16: no NCHW16c");
    }
    Ok(back)
}

/// Reads a tensor into NCHW16c, compares with loops and `ndarray`, and copies it back.
fn in_blocks(
    tensor: &TensorView<'_>,
    [n, c, h, w]: [usize; 4],
) -> Result<Tensor<f32, DynLayout>, Box<dyn Error>> {
    // The channels are 16 contiguous ones times c / 16 blocks, with stride `block`.
    let blocks = c / 16;
    let block = 16 * h * w;
    let nchw16c = layout!((n, (16, blocks), h, w):({c * h * w}, (1, block), {16 * w}, 16));
    let mut ours = Tensor::<f32, _>::zeros_in(nchw16c)?;

    // A row-major copy, for the competitors.
    let rows = Tensor::<f32, DynLayout>::try_from(tensor)?;
    let mut loops = vec![0.0; rows.as_slice().len()];
    let array = ArrayView::from_shape((n, blocks, 16, h, w), rows.as_slice())?;
    let mut assigned = Array::zeros((n, blocks, h, w, 16));

    let seconds = times(
        20,
        [
            &mut || read(black_box(tensor), &mut ours).expect("the same shape"),
            &mut || {
                let mut to = loops.iter_mut();
                for image in black_box(rows.as_slice()).chunks_exact(c * h * w) {
                    for block in image.chunks_exact(block) {
                        for pixel in 0..h * w {
                            for (channel, to) in (0..16).zip(&mut to) {
                                *to = block[channel * h * w + pixel];
                            }
                        }
                    }
                }
            },
            &mut || assigned.assign(&black_box(array).permuted_axes([0, 1, 3, 4, 2])),
        ],
    );
    assert!(ours.as_slice() == loops && assigned.as_slice() == Some(&loops[..]));

    let bytes = 2 * size_of_val(rows.as_slice());
    table("GB/s", bytes as f64 / 1e9, ["read to NCHW16c", "loops", "ndarray, assign"], seconds);
    let mut back = Tensor::zeros_in(rows.layout())?;
    copy(&ours, &mut back)?;
    Ok(back)
}
