//! Shared by the examples: data, timing, and result tables.

#![allow(dead_code, reason = "each example uses its part")]

use std::time::Instant;

/// The handwritten digits: 64 pixels from 0 to 16 per image, and the label of each image.
pub(crate) fn digits() -> (Vec<f32>, Vec<u8>) {
    let pixels = include_bytes!("../data/digits_x.u8");
    (pixels.map(f32::from).to_vec(), include_bytes!("../data/digits_y.u8").to_vec())
}

/// Minimum time in seconds of each way, from alternating runs.
pub(crate) fn times<const N: usize>(rounds: usize, mut ways: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..rounds {
        for (best, way) in best.iter_mut().zip(&mut ways) {
            let start = Instant::now();
            way();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// Prints for each way the seconds, the throughput, and the time relative to the first way.
pub(crate) fn table<const N: usize>(unit: &str, work: f64, names: [&str; N], seconds: [f64; N]) {
    println!("{:<34}{:>12}{unit:>12}{:>12}", "", "seconds", "to ours");
    for (name, time) in names.iter().zip(seconds) {
        let ratio = time / seconds[0];
        println!("{name:<34}{time:>12.6}{:>12.1}{ratio:>12.2}", work / time);
    }
}

/// Panics if two numbers differ by more than rounding errors of `f32` sums.
pub(crate) fn assert_close(ours: &[f32], theirs: &[f32], what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= 1e-4 * (1.0 + a.abs().max(b.abs())), "{what}: {a} and {b} at {i}");
    }
}
