//! `gemm` of static layouts with randomly chosen shapes, compared with loops over constants and
//! nano-gemm. No shape should be slower than its peers.
//!
//! `cargo bench -p versus --bench sweep` prints a line for each slower shape, best peer and ratio
//! last, and a summary. Shapes are chosen at compile time:
//! `SWEEP_SEED=7 cargo bench -p versus --bench sweep` builds and measures others. Shapes that seem
//! slower are measured again, for longer.

mod columns;
#[allow(dead_code, reason = "the sweep has few peers")]
mod openblas;
#[allow(dead_code, reason = "the sweep has few peers")]
mod peers;

use std::process::ExitCode;
use std::time::Duration;

use static_layout::typenum::U;
use static_layout::{StaticLayout, layout};
use versus::Measured;

use crate::peers::Element;

/// Number of shapes, each in f32 and in f64.
const SHAPES: usize = 50;
/// The largest extent.
const LARGEST: u64 = 33;
/// The shapes: M, N and K.
const ALL: [[usize; 3]; SHAPES] = shapes(seed());

/// The seed from the environment at compile time.
const fn seed() -> u64 {
    let Some(text) = option_env!("SWEEP_SEED") else { return 1 };
    match u64::from_str_radix(text, 10) {
        Ok(seed) => seed,
        Err(_) => panic!("SWEEP_SEED is not a number"),
    }
}

/// Half of all extents are small, where a single operation more or less matters.
const fn shapes(seed: u64) -> [[usize; 3]; SHAPES] {
    let (mut state, mut shapes, mut i) = (seed, [[0; 3]; SHAPES], 0);
    while i < 3 * SHAPES {
        let limit = if random(&mut state).is_multiple_of(2) { 9 } else { LARGEST };
        shapes[i / 3][i % 3] = 1 + (random(&mut state) % limit) as usize;
        i += 1;
    }
    shapes
}

/// SplitMix64.
const fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Measures one shape.
fn measure<T, A, B, C, const M: usize, const N: usize, const K: usize>(seconds: f64) -> Measured
where
    T: Element,
    A: StaticLayout,
    B: StaticLayout,
    C: StaticLayout,
{
    let name = format!("{} {M}x{N}x{K}", T::NAME);
    let mut case = columns::case::<T, A, B, C, M, N, K>(&name);
    columns::check::<T, A, B, C, M, N, K>(&name, &mut case);
    case.measure(Duration::from_secs_f64(seconds))
}

/// The ratios of all shapes.
#[derive(Default)]
struct Summary {
    ratios: Vec<f64>,
}

impl Summary {
    /// Measures one shape, and again if it is slower.
    fn add(&mut self, measure: fn(f64) -> Measured) {
        let ratio = |measured: &Measured| measured.ratio().expect("there are peers");
        let mut measured = measure(0.1);
        if ratio(&measured) < 1.0 {
            measured = measure(0.5);
        }
        self.ratios.push(ratio(&measured));
        if ratio(&measured) < 1.0
            && let Some(line) = measured.versus()
        {
            println!("{line}");
        }
    }

    /// Prints the summary line.
    fn print(&self) {
        let n = self.ratios.len();
        let behind = self.ratios.iter().filter(|&&ratio| ratio < 1.0).count();
        let mean = (self.ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n as f64).exp();
        let worst = self.ratios.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "# {n} shapes, behind in {behind}, geometric mean of the ratios {mean:.2}, worst {worst:.2}"
        );
    }
}

/// Measures the shapes with these indices.
macro_rules! shapes {
    ($summary:ident: $($i:literal)*) => {$({
        const M: usize = ALL[$i][0];
        const N: usize = ALL[$i][1];
        const K: usize = ALL[$i][2];
        type Rows = U<M>;
        type Columns = U<N>;
        type Depth = U<K>;
        type A = layout!((Rows, Depth):(1, Rows));
        type B = layout!((Depth, Columns):(1, Depth));
        type C = layout!((Rows, Columns):(1, Rows));
        $summary.add(measure::<f32, A, B, C, M, N, K>);
        $summary.add(measure::<f64, A, B, C, M, N, K>);
    })*};
}

fn main() -> ExitCode {
    if std::env::args().skip(1).any(|argument| argument != "--bench") {
        eprintln!("no arguments; the seed is SWEEP_SEED, when this is compiled");
        return ExitCode::FAILURE;
    }
    let mut summary = Summary::default();
    shapes!(summary:
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
        25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
    );
    summary.print();
    ExitCode::SUCCESS
}
