//! What the examples share: data, times, and a table of them.

#![allow(dead_code, reason = "each example uses its part")]

use std::error::Error;
use std::time::Instant;

/// The values of an npy file in `examples/data`.
pub(crate) fn read<T: npyz::Deserialize>(name: &str) -> Result<Vec<T>, Box<dyn Error>> {
    let path = format!("{}/examples/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).map_err(|e| format!("{path}: {e}"))?;
    Ok(npyz::NpyFile::new(&bytes[..])?.into_vec::<T>()?)
}

/// The least seconds of some runs of each way to do the same, in turns.
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

/// Prints what each way took, what it did in a second, and how many times as long the first took.
pub(crate) fn table<const N: usize>(unit: &str, work: f64, names: [&str; N], seconds: [f64; N]) {
    println!("{:<34}{:>12}{unit:>12}{:>12}", "", "seconds", "to ours");
    for (name, time) in names.iter().zip(seconds) {
        let ratio = time / seconds[0];
        println!("{name:<34}{time:>12.6}{:>12.1}{ratio:>12.2}", work / time / 1e9);
    }
}

/// Panics where two numbers differ by more than a rounding error of `f32` sums.
pub(crate) fn assert_close(ours: &[f32], theirs: &[f32], what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= 1e-4 * (1.0 + a.abs().max(b.abs())), "{what}: {a} and {b} at {i}");
    }
}
