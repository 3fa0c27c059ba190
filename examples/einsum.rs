//! The discrete cosine transform of all digits as two contractions, and how much information 16 of
//! its 64 coefficients keep.
//!
//! The transform of an image `x` of 8 x 8 pixels is `y(u,v) = sum over i,j of c(u,i) x(i,j) c(v,j)`.
//! For a batch `n` of images it is two `einsum!`s. Coefficients with small `u` and `v` are the coarse
//! shapes, which JPEG keeps. The 16 with `u, v < 4` are a view of the result. A third contraction
//! computes their Gram matrix without a copy.
//!
//! `cargo run --release --example einsum`

mod common;

use std::error::Error;
use std::f32::consts::PI;
use std::hint::black_box;

use static_layout::{Tensor, View, einsum, layout};

use common::{assert_close, digits, table, times};

/// Number of images.
const N: usize = 1797;

/// A batch of images or of their transforms, row-major.
type Images = layout!((1797, 8, 8):(64, 8, 1));
/// The cosines, one row per frequency.
type Cosines = layout!((8, 8):(8, 1));

fn main() -> Result<(), Box<dyn Error>> {
    let (pixels, labels) = digits();
    let images = View::<f32, Images>::new(&pixels)?;

    let scale = |u: usize| if u == 0 { (1.0f32 / 8.0).sqrt() } else { 0.5 };
    let cosines = Tensor::<f32, Cosines>::from_fn(|(u, i)| {
        scale(u) * (PI / 8.0 * (i as f32 + 0.5) * u as f32).cos()
    });

    // All layouts are static, so there is no `Result`: letters and extents are checked at compile
    // time.
    let mut rows = Tensor::<f32, Images>::zeros();
    let mut transform = Tensor::<f32, Images>::zeros();
    let mut ours = || {
        einsum!("ui,nij->nuj", cosines, images, &mut rows);
        einsum!("vj,nuj->nuv", cosines, rows, &mut transform);
    };
    ours();

    let (mut loops_rows, mut loops) = (vec![0.0; N * 64], vec![0.0; N * 64]);
    let mut naive = || {
        naive(black_box(&pixels), cosines.as_slice(), &mut loops_rows, &mut loops);
    };
    naive();
    let seconds = times(20, [&mut ours, &mut naive]);
    assert_close(transform.as_slice(), &loops, "two contractions and loops");

    println!("cosine transform of {N} images of 8 x 8\n");
    let flops = (2 * 2 * N * 8 * 8 * 8) as f64;
    table("GFLOP/s", flops / 1e9, ["einsum!", "loops over arrays"], seconds);

    // The transform preserves lengths, since the cosines are orthonormal.
    let energy = |x: &[f32]| x.iter().map(|x| f64::from(x * x)).sum::<f64>();
    let (before, after) = (energy(&pixels), energy(transform.as_slice()));
    assert!((before / after - 1.0).abs() < 1e-5, "{before} and {after}");

    // 16 of 64 coefficients: a view of a part of each image.
    let coarse = View::<f32, layout!((1797, 4, 4):(64, 8, 1))>::new(transform.as_slice())?;
    let kept: f64 = coarse.iter().map(|x| f64::from(x * x)).sum();
    let mut gram = Tensor::<f32, layout!((1797, 1797):(1797, 1))>::zeros();
    einsum!("nuv,muv->nm", coarse, coarse, &mut gram);
    let correct = nearest_neighbours_that_agree(gram.as_slice(), &labels);
    println!("\n16 of 64 numbers have {:.1} % of the energy", 100.0 * kept / after);
    println!("{correct}/{N} correct by nearest neighbours on them");
    assert!(correct > 1700, "the coarse shapes are enough to tell digits apart");
    Ok(())
}

/// The same with loops over arrays with constant extents.
fn naive(images: &[f32], cosines: &[f32], rows: &mut [f32], result: &mut [f32]) {
    for n in 0..N {
        for u in 0..8 {
            for j in 0..8 {
                let terms = (0..8).map(|i| cosines[8 * u + i] * images[64 * n + 8 * i + j]);
                rows[64 * n + 8 * u + j] = terms.sum();
            }
        }
        for u in 0..8 {
            for v in 0..8 {
                let terms = (0..8).map(|j| cosines[8 * v + j] * rows[64 * n + 8 * u + j]);
                result[64 * n + 8 * u + v] = terms.sum();
            }
        }
    }
}

/// Number of images whose nearest neighbour among the others has the same label.
fn nearest_neighbours_that_agree(gram: &[f32], labels: &[u8]) -> usize {
    let agrees = |i: &usize| {
        let row = &gram[i * N..][..N];
        let distance = |j: usize| gram[j * N + j] - 2.0 * row[j];
        let nearest =
            (0..N).filter(|j| j != i).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest.is_some_and(|j| labels[j] == labels[*i])
    };
    (0..N).filter(agrees).count()
}
