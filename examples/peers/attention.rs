//! Multi-head attention: `softmax(Q K' / sqrt(d)) V` per head, on tensors in the layout of a model.
//!
//! Queries, keys and values are (batch, time, head, feature). A head is a mode, so nothing is copied
//! to split or to merge heads. One `einsum!` computes the scores, a softmax runs along contiguous
//! rows, and a second `einsum!` weights the values.
//!
//! `cargo run --release -p examples --bin attention`

#[path = "../common/mod.rs"]
mod common;

use std::hint::black_box;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, ShapeBuilder};
use static_layout::kernels::update;
use static_layout::typenum::{U64, U256};
use static_layout::{Tensor, View, einsum, layout};

use common::{assert_close, table, times};

const BATCH: usize = 2;
const TIME: usize = 256;
const HEADS: usize = 8;
const FEATURES: usize = 64;

/// (batch, time, head, feature): the heads of one time step are contiguous.
type Tokens = layout!((2, 256, 8, 64):(131072, 512, 64, 1));
/// (batch, head, query, key): a row-major matrix per head.
type Scores = layout!((2, 8, 256, 256):(524288, 65536, 256, 1));

/// The scores of one head.
type Matrix = layout!((256, 256):(256, 1));
/// One number per row, broadcast to `N` columns.
type OfRows<N> = layout!((256, N):(1, 0));

fn main() {
    let numbers = |seed: usize| {
        move |(b, t, h, d): (usize, usize, usize, usize)| {
            let n = ((b * TIME + t) * HEADS + h) * FEATURES + d;
            ((n * 2654435761 + seed * 40503) % 1021) as f32 / 340.0 - 1.5
        }
    };
    let q = Tensor::<f32, Tokens>::from_fn(numbers(1));
    let k = Tensor::<f32, Tokens>::from_fn(numbers(2));
    let v = Tensor::<f32, Tokens>::from_fn(numbers(3));
    let scale = 1.0 / (FEATURES as f32).sqrt();

    let mut scores = Tensor::<f32, Scores>::zeros();
    let mut out = Tensor::<f32, Tokens>::zeros();
    let mut at_once = || {
        einsum!("bthd,bshd->bhts", black_box(&q), k, &mut scores, alpha = scale);
        scores.as_mut_slice().chunks_exact_mut(TIME).for_each(softmax);
        einsum!("bhts,bshd->bthd", scores, v, &mut out);
    };
    at_once();

    // The same head by head, so that the scores of a head stay in cache. A slice of a static layout
    // is static: its offset is a run-time value, its extents and strides are types. `update` compiles
    // its function for the vector registers of this processor. A row has one number for all of its
    // columns: their stride is 0.
    let mut head = Tensor::<f32, Matrix>::zeros();
    let ones = Tensor::<f32, layout!(256:1)>::full(1.0);
    let (mut largest, mut sums) = ([0.0; TIME], Tensor::<f32, layout!(256:1)>::zeros());
    let mut out_by_head = Tensor::<f32, Tokens>::zeros();
    let mut by_slices = || {
        for (b, h) in (0..BATCH).flat_map(|b| (0..HEADS).map(move |h| (b, h))) {
            let [q, k, v] = [black_box(&q), &k, &v].map(|x| x.view().slice((b, .., h, ..)));
            einsum!("td,sd->ts", q, k, &mut head, alpha = scale);
            for (row, largest) in head.as_slice().chunks_exact(TIME).zip(&mut largest) {
                *largest = maximum(row);
            }
            update(&View::<_, OfRows<U256>>::from_array(&largest), &mut head, |m, x| exp(x - m));
            einsum!("ts,s->t", head, ones, &mut sums);
            let mut out = out_by_head.view_mut();
            let mut out = out.slice_mut((b, .., h, ..));
            einsum!("ts,sd->td", head, v, &mut out);
            update(&sums.view().with_layout(OfRows::<U64>::default()), &mut out, |s, x| x / s);
        }
    };
    by_slices();

    let parts = [q.as_slice(), k.as_slice(), v.as_slice()];
    let mut row = vec![0.0; TIME];
    let mut by_loops = vec![0.0; BATCH * TIME * HEADS * FEATURES];
    let mut loops = || {
        let [q, k, v] = black_box(parts);
        for_each_head(|start| {
            let at = |t: usize| start + t * HEADS * FEATURES;
            for t in 0..TIME {
                let query = &q[at(t)..][..FEATURES];
                for (s, score) in row.iter_mut().enumerate() {
                    let key = &k[at(s)..][..FEATURES];
                    *score = scale * query.iter().zip(key).map(|(x, y)| x * y).sum::<f32>();
                }
                softmax(&mut row);
                let out = &mut by_loops[at(t)..][..FEATURES];
                out.fill(0.0);
                for (s, weight) in row.iter().enumerate() {
                    for (out, value) in out.iter_mut().zip(&v[at(s)..][..FEATURES]) {
                        *out += weight * value;
                    }
                }
            }
        });
    };
    loops();

    let mut by_head = Array2::<f32>::zeros((TIME, TIME));
    let mut by_products = vec![0.0; BATCH * TIME * HEADS * FEATURES];
    let mut products = || {
        let [q, k, v] = black_box(parts);
        for_each_head(|start| {
            let head = (TIME, FEATURES).strides((HEADS * FEATURES, 1));
            let [q, k, v] = [q, k, v].map(|x| {
                ArrayView2::from_shape(head, &x[start..]).expect("the features of a head")
            });
            general_mat_mul(scale, &q, &k.t(), 0.0, &mut by_head);
            for mut row in by_head.rows_mut() {
                softmax(row.as_slice_mut().expect("a row"));
            }
            let out = ArrayViewMut2::from_shape(head, &mut by_products[start..]);
            general_mat_mul(1.0, &by_head, &v, 0.0, &mut out.expect("a part of the result"));
        });
    };
    products();

    let seconds = times(10, [&mut by_slices, &mut at_once, &mut loops, &mut products]);
    for (other, what) in
        [(out.as_slice(), "all heads"), (&by_loops, "loops"), (&by_products, "ndarray")]
    {
        assert_close(out_by_head.as_slice(), other, what);
    }

    println!("attention: {BATCH} x {TIME} tokens, {HEADS} heads of {FEATURES} features\n");
    let flops = (4 * BATCH * HEADS * TIME * TIME * FEATURES) as f64;
    let names = [
        "einsum!, head by head",
        "einsum!, all heads at once",
        "loops over slices",
        "ndarray, head by head",
    ];
    table("GFLOP/s", flops / 1e9, names, seconds);
}

/// Turns scores into weights with sum 1.
fn softmax(row: &mut [f32]) {
    let largest = maximum(row);
    // Eight accumulators, so that the compiler can vectorise.
    let mut sums = [0.0; 8];
    for part in row.chunks_exact_mut(8) {
        for (x, sum) in part.iter_mut().zip(&mut sums) {
            *x = exp(*x - largest);
            *sum += *x;
        }
    }
    let factor = 1.0 / sums.iter().sum::<f32>();
    row.iter_mut().for_each(|x| *x *= factor);
}

/// The largest number of a row.
fn maximum(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; 16];
    for part in row.chunks_exact(16) {
        for (lane, x) in lanes.iter_mut().zip(part) {
            *lane = if *x > *lane { *x } else { *lane };
        }
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// `e^x` for `x <= 0`, with a relative error of 3e-7. Branch-free, so that loops over it vectorise.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Adding this rounds to the nearest integer, in the low bits of the sum.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(-87.0) * std::f32::consts::LOG2_E;
    let shifted = x + ROUND;
    let part = (x - (shifted - ROUND)) * std::f32::consts::LN_2;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()));
    let taylor = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    power * taylor.into_iter().fold(0.0, |sum, term| sum * part + term)
}

/// Calls `f` with the offset of the first feature of each head of each batch.
fn for_each_head(mut f: impl FnMut(usize)) {
    for b in 0..BATCH {
        for h in 0..HEADS {
            f((b * TIME * HEADS + h) * FEATURES);
        }
    }
}
