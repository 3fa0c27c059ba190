//! Nearest neighbours on the UCI handwritten digits: 1797 images of 8 x 8 pixels.
//!
//! Each image is classified by its nearest neighbour among all the others (leave one out). The
//! squared distances come from the Gram matrix, `|a - b|^2 = a.a + b.b - 2 a.b`, which is computed by
//! a GEMM. All values are small integers, so f32 is exact.
//!
//! The samples are packed into panels of 16, written in Morello notation. The number of features, 64,
//! is known at compile time, the number of samples only at run time. The product is computed four
//! times: with static tiles, with mixed layouts, with dynamic layouts, and with naive loops.
//!
//! `cargo run --release --example digits`

mod common;

use std::error::Error;
use std::time::Instant;

use static_layout::engine::{DynLayout, IntTuple};
use static_layout::{AnyLayout, LayoutError, Tensor, View, ViewMut, kernels, layout};

use common::digits;

/// Pixels per image, known at compile time.
const FEATURES: usize = 64;

/// Samples per tile: two panels.
const TILE: usize = 32;

/// Two panels as the left operand: 32 samples by 64 features.
type Left = layout!([0, 1, 0 p(16)] for (32, 64));
/// The same memory as the right operand: transposed without a copy.
type Right = layout!([1, 0, 1 p(16)] for (64, 32));
/// A tile of the Gram matrix.
type Tile = layout!([0, 1] for (32, 32));

fn main() -> Result<(), Box<dyn Error>> {
    let (samples, labels) = digits();
    let count = labels.len();
    assert_eq!(samples.len(), count * FEATURES, "one label for each row of 64 features");

    // Pad to whole panels with samples of zeros, which are not classified.
    let padded = count.next_multiple_of(TILE);
    let mut rows = samples;
    rows.resize(padded * FEATURES, 0.0);

    // Pack the rows into panels. The number of panels is only known here; divisibility is checked.
    let rows = View::new_in(&rows, layout!((padded, 64):(64, 1)))?;
    let mut panels = Tensor::zeros_in(layout!([0, 1, 0 p(16)] for (padded, 64))?)?;
    kernels::copy(&rows, &mut panels)?;

    println!("{count} samples of {FEATURES} features, Gram matrix {padded} x {padded}\n");
    println!("{:<28}{:>10}{:>10}", "", "seconds", "GFLOP/s");
    let flops = 2.0 * (padded * padded * FEATURES) as f64;
    let (rows, panels) = (rows.as_slice(), panels.as_slice());
    let ways: [(&str, Way); 4] = [
        ("static tiles, 32 x 32 x 64", &|gram| static_tiles(panels, padded, gram)),
        ("mixed, 64 features static", &|gram| mixed(panels, padded, gram)),
        ("dynamic", &|gram| dynamic(rows, padded, gram)),
        ("naive loops", &|gram| naive(rows, padded, gram)),
    ];
    let mut gram = vec![0.0; padded * padded];
    let mut correct = Vec::new();
    for (name, way) in ways {
        gram.fill(f32::NAN);
        let mut best = f64::INFINITY;
        let mut layout = DynLayout::UNIT;
        for _ in 0..5 {
            let start = Instant::now();
            layout = way(&mut gram)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name:<28}{best:>10.5}{:>10.1}", flops / best / 1e9);
        correct.push(nearest_neighbours_that_agree(&gram, &layout, &labels));
    }
    assert!(correct.iter().all(|&c| c == correct[0]), "four ways, one answer: {correct:?}");
    println!("\n{}/{count} correct", correct[0]);
    Ok(())
}

/// The layout of a computed Gram matrix.
type Gram = Result<DynLayout, LayoutError>;
/// A way to compute a Gram matrix.
type Way<'a> = &'a dyn Fn(&mut [f32]) -> Gram;

/// Each tile of the Gram matrix is a product of two panels, with three static layouts.
fn static_tiles(panels: &[f32], padded: usize, gram: &mut [f32]) -> Gram {
    let mut tiles = gram.chunks_exact_mut(TILE * TILE);
    for a in panels.chunks_exact(TILE * FEATURES) {
        let a = View::<f32, Left>::new(a)?;
        for (b, c) in panels.chunks_exact(TILE * FEATURES).zip(&mut tiles) {
            let b = View::<f32, Right>::new(b)?;
            let mut c = ViewMut::<f32, Tile>::new(c)?;
            kernels::gemm(1.0, &a, &b, 0.0, &mut c);
        }
    }
    // Tiles in row-major order, each of them row-major.
    layout!([0, 1, 0 p(32), 1 p(32)] for (padded, padded))?.to_dyn()
}

/// One call on the panels: 64 and 16 are part of the type, the number of samples is not.
fn mixed(panels: &[f32], padded: usize, gram: &mut [f32]) -> Gram {
    let a = View::new_in(panels, layout!([0, 1, 0 p(16)] for (padded, 64))?)?;
    let b = View::new_in(panels, layout!([1, 0, 1 p(16)] for (64, padded))?)?;
    let mut c = ViewMut::new_in(gram, layout!((padded, padded):(padded, 1)))?;
    kernels::gemm(1.0, &a, &b, 0.0, &mut c)?;
    c.layout().to_dyn()
}

/// One call on the original rows, with dynamic layouts.
fn dynamic(rows: &[f32], padded: usize, gram: &mut [f32]) -> Gram {
    let row_major = DynLayout::row_major(&IntTuple::flat(&[padded, FEATURES])?)?;
    let transposed = DynLayout::make(&IntTuple::flat(&[FEATURES, padded])?)?;
    let square = DynLayout::row_major(&IntTuple::flat(&[padded, padded])?)?;
    let a = View::new_in(rows, row_major)?;
    let b = View::new_in(rows, transposed)?;
    let mut c = ViewMut::new_in(gram, square)?;
    kernels::gemm(1.0, &a, &b, 0.0, &mut c)?;
    c.layout().to_dyn()
}

fn naive(rows: &[f32], padded: usize, gram: &mut [f32]) -> Gram {
    for i in 0..padded {
        for j in 0..padded {
            let mut sum = 0.0;
            for k in 0..FEATURES {
                sum += rows[i * FEATURES + k] * rows[j * FEATURES + k];
            }
            gram[i * padded + j] = sum;
        }
    }
    DynLayout::row_major(&IntTuple::flat(&[padded, padded])?)
}

/// Number of samples whose nearest neighbour has the same label. Among equal distances the first
/// counts.
fn nearest_neighbours_that_agree(gram: &[f32], layout: &DynLayout, labels: &[u8]) -> usize {
    let n = labels.len();
    // The offset of a coordinate is a sum over the modes, so one table per mode is enough.
    let offsets = |mode: usize| -> Vec<usize> {
        (0..n).map(|i| layout.mode(mode).offset_of_index(i)).collect()
    };
    let (row, column) = (offsets(0), offsets(1));
    let product = |i: usize, j: usize| gram[row[i] + column[j]];
    let norms: Vec<f32> = (0..n).map(|i| product(i, i)).collect();
    let agrees = |i: &usize| {
        let distance = |j: usize| norms[*i] + norms[j] - 2.0 * product(*i, j);
        let others = (0..n).filter(|j| j != i);
        let nearest = others.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest.is_some_and(|j| labels[j] == labels[*i])
    };
    (0..n).filter(agrees).count()
}
