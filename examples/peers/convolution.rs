//! A small convolutional network on the handwritten digits: two layers of 3 x 3 filters, a pooling
//! layer, and a linear classifier. The first 1200 images train it, the other 597 test it.
//!
//! A convolution is a matrix product whose right operand is a layout of windows over the image. This
//! needs no copy ("im2col"). The result is written where the next layer reads it: into the middle of
//! images with a border of zeros. Bias and ReLU are a function of each finished element. Pooling is a
//! contraction with a 2 x 2 window of 1/4.
//!
//! The filters are not trained: they are patches of training images, and of the first layer's output.
//! The classifier is the least-squares solution, by a Cholesky factorisation.
//!
//! `cargo run --release -p examples --bin convolution`

#[path = "../common/mod.rs"]
mod common;

use std::error::Error;
use std::hint::black_box;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use static_layout::kernels::{Gemm, gemm};
use static_layout::{Tensor, View, ViewMut, einsum, layout};

use common::{assert_close, digits, table, times};

/// Number of images, of training images, and of classes.
const N: usize = 1797;
const TRAIN: usize = 1200;
const CLASSES: usize = 10;
/// Features of an image before the classifier: 4 x 4 positions with 32 channels.
const FEATURES: usize = 512;

/// Images of 8 x 8 with a border of zeros, and 3 x 3 windows over them: ((window), (positions)).
type Images = layout!((1797, 10, 10):(100, 10, 1));
type Windows1 = layout!(windows((1797, 10, 10):(100, 10, 1), (1, 3, 3)));
type Filters1 = layout!((16, (1, 3, 3)):(9, (0, 3, 1)));
/// The first layer's output: 16 channels, again inside a border. `BORDER` is the offset of its first
/// element.
type Hidden = layout!((1797, 10, 10, 16):(1600, 160, 16, 1));
type Inside = layout!((16, (1797, 8, 8)):(1, (1600, 160, 16)));
const BORDER: usize = 160 + 16;
/// Windows over all 16 channels, 32 filters, and the second layer's output.
type Windows2 = layout!(windows((1797, 10, 10, 16):(1600, 160, 16, 1), (1, 3, 3, 16)));
type Filters2 = layout!((32, (1, 3, 3, 16)):(144, (0, 48, 16, 1)));
type Result2 = layout!((32, (1797, 8, 8, 1)):(1, (2048, 256, 32, 0)));
/// The same memory as 4 x 4 positions of 2 x 2 pixels, for pooling.
type Places = layout!((1797, 4, 2, 4, 2, 32):(2048, 512, 256, 64, 32, 1));
type Pooled = layout!((1797, 4, 4, 32):(512, 128, 32, 1));

fn main() -> Result<(), Box<dyn Error>> {
    let (pixels, labels) = digits();
    let images = Tensor::<f32, Images>::from_fn(|(n, y, x)| match (y, x) {
        (1..=8, 1..=8) => pixels[64 * n + 8 * (y - 1) + x - 1] / 16.0,
        _ => 0.0,
    });

    // The first layer. Its filters are selected columns of the window matrix.
    let windows = images.view().with_layout(Windows1::default());
    let patches = contrasts(16, 9, |at, position| windows[(at, position)]);
    let filters = Tensor::<f32, Filters1>::from_fn(|(filter, at)| patches[filter][at]);
    let mut hidden = Tensor::<f32, Hidden>::zeros();
    let mut inside = ViewMut::<f32, Inside>::new(&mut hidden.as_mut_slice()[BORDER..])?;
    let rectified = Gemm::new(1.0, 0.0).then(|x: f32, _| x.max(0.0));
    rectified.run(&filters, &windows, &mut inside);

    // The second layer.
    let windows = hidden.view().with_layout(Windows2::default());
    let patches = contrasts(32, 144, |at, position| windows[(at, position)]);
    let filters = Tensor::<f32, Filters2>::from_fn(|(filter, at)| patches[filter][at]);
    let mut result = Tensor::<f32, Result2>::zeros();
    let mut ours = || rectified.run(&filters, black_box(&windows), &mut result);
    ours();

    // The same with an explicit patch matrix (im2col), as libraries without such layouts need it.
    let (mut matrix, mut copied) = (vec![0.0; N * 64 * 144], vec![0.0; N * 64 * 32]);
    let rows = Tensor::<f32, layout!((32, 144):(144, 1))>::from_fn(|(f, k)| {
        // Window by window (y, x, channel), channels fastest.
        filters[(f, k / 48 + 3 * (k / 16 % 3) + 9 * (k % 16))]
    });
    let mut im2col = || {
        let hidden = black_box(hidden.as_slice());
        for (p, row) in matrix.chunks_exact_mut(144).enumerate() {
            let (n, y, x) = (p / 64, p / 8 % 8, p % 8);
            for (dy, part) in row.chunks_exact_mut(48).enumerate() {
                part.copy_from_slice(&hidden[1600 * n + 160 * (y + dy) + 16 * x..][..48]);
            }
        }
        let patches = ArrayView2::from_shape((N * 64, 144), &matrix).expect("a matrix");
        let filters = ArrayView2::from_shape((32, 144), rows.as_slice()).expect("a matrix");
        let result = ArrayViewMut2::from_shape((N * 64, 32), &mut copied);
        general_mat_mul(1.0, &patches, &filters.t(), 0.0, &mut result.expect("a matrix"));
        copied.iter_mut().for_each(|x| *x = x.max(0.0));
    };
    im2col();
    let mut direct = vec![0.0; N * 64 * 32];
    let columns = Tensor::<f32, layout!((32, 144):(1, 32))>::from_fn(|(f, k)| rows[(f, k)]);
    let mut loops = || {
        let (hidden, filters) = (black_box(hidden.as_slice()), columns.as_slice());
        for (p, to) in direct.chunks_exact_mut(32).enumerate() {
            let (n, y, x) = (p / 64, p / 8 % 8, p % 8);
            to.fill(0.0);
            for dy in 0..3 {
                let row = &hidden[1600 * n + 160 * (y + dy) + 16 * x..][..48];
                for (x, filters) in row.iter().zip(filters[1536 * dy..].chunks_exact(32)) {
                    for (to, weight) in to.iter_mut().zip(filters) {
                        *to += x * weight;
                    }
                }
            }
            to.iter_mut().for_each(|x| *x = x.max(0.0));
        }
    };
    loops();
    let seconds = times(3, [&mut ours, &mut im2col, &mut loops]);
    assert_close(result.as_slice(), &copied, "a layout of windows and a matrix of them");
    assert_close(result.as_slice(), &direct, "a layout of windows and loops");
    println!("3 x 3 filters from 16 to 32 channels over {N} images of 8 x 8\n");
    let flops = (2 * N * 64 * 32 * 144) as f64;
    let names = ["gemm over a layout of windows", "im2col and ndarray", "loops over slices"];
    table("GFLOP/s", flops / 1e9, names, seconds);

    // Pooling, and the classifier.
    let places = View::<f32, Places>::new(result.as_slice())?;
    let quarter = Tensor::<f32, layout!((2, 2):(2, 1))>::full(0.25);
    let mut pooled = Tensor::<f32, Pooled>::zeros();
    einsum!("nyaxbc,ab->nyxc", places, quarter, &mut pooled);
    let weights = least_squares(&pooled.as_slice()[..TRAIN * FEATURES], &labels)?;
    let correct = |from: usize, to: usize| {
        let agrees = |n: &usize| {
            class(&pooled.as_slice()[FEATURES * n..][..FEATURES], &weights) == labels[*n]
        };
        (from..to).filter(agrees).count()
    };
    let (trained, tested) = (correct(0, TRAIN), correct(TRAIN, N));
    println!(
        "\n{trained}/{TRAIN} correct of those that trained it, {tested}/{} of the others",
        N - TRAIN
    );
    assert!(tested > 570, "{tested}");
    Ok(())
}

/// `count` columns of the windows over training images, with `len` numbers each, normalised to mean 0
/// and length 1. Flat windows are skipped.
fn contrasts(count: usize, len: usize, window: impl Fn(usize, usize) -> f32) -> Vec<Vec<f32>> {
    // Positions are indexed image first, so that a step of N goes to the next position.
    let positions = (0..).map(|i: usize| (i * 89) % TRAIN + N * ((i * 37) % 64));
    let patch = |position| {
        let numbers: Vec<f32> = (0..len).map(|at| window(at, position)).collect();
        let mean = numbers.iter().sum::<f32>() / len as f32;
        let length = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f32>().sqrt();
        (length > 0.5).then(|| numbers.iter().map(|x| (x - mean) / length).collect())
    };
    positions.filter_map(patch).take(count).collect()
}

/// The row-major 512 x 10 matrix `W` that minimises `|X W - Y|^2 + |W|^2 / 10`, where the rows of `Y`
/// are 1 at the label and 0 elsewhere.
fn least_squares(features: &[f32], labels: &[u8]) -> Result<Vec<f32>, Box<dyn Error>> {
    let x = View::<f32, layout!((1200, 512):(512, 1))>::new(features)?;
    let y = Tensor::<f32, layout!((1200, 10):(10, 1))>::from_fn(|(n, class)| {
        if usize::from(labels[n]) == class { 1.0 } else { 0.0 }
    });
    let mut gram =
        Tensor::<f32, layout!((512, 512):(512, 1))>::from_fn(
            |(i, j)| {
                if i == j { 0.1 } else { 0.0 }
            },
        );
    gemm(1.0, &x.transposed(), &x, 1.0, &mut gram);
    let mut right = Tensor::<f32, layout!((512, 10):(10, 1))>::zeros();
    gemm(1.0, &x.transposed(), &y, 0.0, &mut right);

    // Cholesky: gram = L L', row by row; then solve L z = right and L' W = z.
    let (l, w) = (gram.as_mut_slice(), right.as_mut_slice());
    for i in 0..FEATURES {
        for j in 0..=i {
            let (a, b) = (&l[FEATURES * i..][..j], &l[FEATURES * j..][..j]);
            let rest = l[FEATURES * i + j] - a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            l[FEATURES * i + j] = if i == j { rest.sqrt() } else { rest / l[FEATURES * j + j] };
        }
    }
    for class in 0..CLASSES {
        for i in 0..FEATURES {
            let known = (0..i).map(|j| l[FEATURES * i + j] * w[CLASSES * j + class]).sum::<f32>();
            w[CLASSES * i + class] = (w[CLASSES * i + class] - known) / l[FEATURES * i + i];
        }
        for i in (0..FEATURES).rev() {
            let known = (i + 1..FEATURES).map(|j| l[FEATURES * j + i] * w[CLASSES * j + class]);
            w[CLASSES * i + class] =
                (w[CLASSES * i + class] - known.sum::<f32>()) / l[FEATURES * i + i];
        }
    }
    Ok(w.to_vec())
}

/// The class with the largest score.
fn class(features: &[f32], weights: &[f32]) -> u8 {
    let mut scores = [0.0; CLASSES];
    for (x, weights) in features.iter().zip(weights.chunks_exact(CLASSES)) {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += x * weight;
        }
    }
    (0..CLASSES as u8)
        .max_by(|&a, &b| scores[usize::from(a)].total_cmp(&scores[usize::from(b)]))
        .unwrap_or(0)
}
