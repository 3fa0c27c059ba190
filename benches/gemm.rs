//! `gemm` of static, mixed and dynamic layouts, compared with naive loops and the processor's peak.
//!
//! `cargo bench --bench gemm` prints the throughput of each as a fraction of a loop of independent
//! FMAs, from the best of many runs that alternate with that loop. Every result is checked before it
//! is timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use static_layout::kernels::{Float, Level, gemm, probe};
use static_layout::{AnyLayout, DynLayout, IntTuple, IntoResult, Tensor, layout};

/// Measurements of one case: its name, and the GFLOP/s and the fraction of the peak for each variant.
struct Row {
    name: &'static str,
    variants: Vec<(&'static str, f64, f64)>,
}

/// Duration of a timed run: long enough for the clock, short enough to be rarely interrupted.
const RUN: Duration = Duration::from_micros(20);
const RUNS: usize = 400;

/// Seconds that `f` takes.
fn seconds(f: impl FnOnce()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64()
}

/// A variant of a product.
type Variant<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// Measures each variant, alternating with the peak loop. The fraction is the median over neighbouring
/// runs, because the clock rate of a processor depends on the code that runs.
fn measure<T: Float>(
    operations: usize,
    mut variants: Vec<Variant<'_>>,
) -> Vec<(&'static str, f64, f64)> {
    let level = Level::detect();
    let counts: Vec<usize> = variants
        .iter_mut()
        .map(|(_, f)| {
            let once = (0..5).map(|_| seconds(&mut *f)).fold(f64::INFINITY, f64::min);
            (RUN.as_secs_f64() / once) as usize + 1
        })
        .collect();
    let mut peak_iterations = 100;
    let peak_time = |iterations| {
        let mut operations = 0;
        let time = seconds(|| operations = probe::peak::<T, T>(level, iterations));
        (time, operations as f64 / time)
    };
    while peak_time(peak_iterations).0 < RUN.as_secs_f64() {
        peak_iterations *= 2;
    }
    let peak = || peak_time(peak_iterations).1;
    let mut rates = vec![Vec::new(); variants.len()];
    let mut shares = vec![Vec::new(); variants.len()];
    for _ in 0..RUNS {
        for (variant, (_, f)) in variants.iter_mut().enumerate() {
            let before = peak();
            let time = seconds(|| (0..counts[variant]).for_each(|_| f()));
            let rate = (operations * counts[variant]) as f64 / time;
            rates[variant].push(rate);
            shares[variant].push(2.0 * rate / (before + peak()));
        }
    }
    let mut rows = Vec::new();
    for (variant, (name, _)) in variants.iter().enumerate() {
        rates[variant].sort_by(f64::total_cmp);
        shares[variant].sort_by(f64::total_cmp);
        rows.push((*name, rates[variant][RUNS - 1] / 1e9, shares[variant][RUNS / 2]));
    }
    rows
}

/// Three naive loops over variable extents.
fn naive<T: Float>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    for i in 0..m {
        for j in 0..n {
            let mut sum = c[i * n + j];
            for p in 0..k {
                sum = sum + a[i * k + p] * b[p * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// A tensor with small integer elements, so that sums are the same in every order.
fn tensor<T: Float + From<i8>, L: AnyLayout>(layout: L) -> Tensor<T, L> {
    let mut next = 0u8;
    let made = Tensor::from_fn_in(layout, |_| {
        next = next.wrapping_mul(5).wrapping_add(1);
        T::from((next >> 5) as i8 - 4)
    });
    made.into_result().expect("a layout that can be written")
}

/// Row-major `C += A * B` with these extents.
macro_rules! case {
    ($t:ty, $m:literal x $n:literal x $k:literal) => {{
        let name = concat!(stringify!($t), " ", $m, "x", $n, "x", $k);
        let a = tensor::<$t, _>(layout!(($m, $k):($k, 1)));
        let b = tensor::<$t, _>(layout!(($k, $n):($n, 1)));
        let zeros = Tensor::<$t, layout!(($m, $n):($n, 1))>::zeros();
        let mut expected = vec![0.0; $m * $n];
        naive([$m, $n, $k], a.as_slice(), b.as_slice(), &mut expected);
        let expected = expected.as_slice();

        let mut c_static = zeros.clone();
        gemm(1.0, &a, &b, 1.0, &mut c_static);
        assert_eq!(c_static.as_slice(), expected, "{name} static");

        // `black_box` hides the extents of the mixed layouts from the compiler.
        let (m, k) = (black_box($m), black_box($k));
        let (a_mixed, b_mixed) =
            (tensor::<$t, _>(layout!((m, $k):($k, 1))), tensor(layout!((k, $n):($n, 1))));
        let mut c_mixed = Tensor::zeros_in(layout!((m, $n):($n, 1))).expect("a small tensor");
        gemm(1.0, &a_mixed, &b_mixed, 1.0, &mut c_mixed).expect("a product");

        let (a_dynamic, b_dynamic) =
            (tensor::<$t, _>(dynamic($m, $k)), tensor(dynamic($k, $n)));
        let mut c_dynamic = Tensor::zeros_in(dynamic($m, $n)).expect("a small tensor");
        gemm(1.0, &a_dynamic, &b_dynamic, 1.0, &mut c_dynamic).expect("a product");
        assert_eq!(c_mixed.as_slice(), expected, "{name} mixed");
        assert_eq!(c_dynamic.as_slice(), expected, "{name} dynamic");

        let mut assigned = zeros.clone();
        let mut c_naive = zeros.clone();
        let variants: Vec<Variant<'_>> = vec![
            ("static", Box::new(|| gemm(1.0, black_box(&a), &b, 1.0, black_box(&mut c_static)))),
            ("static, C = A*B", Box::new(|| {
                gemm(1.0, black_box(&a), &b, 0.0, black_box(&mut assigned));
            })),
            ("mixed", Box::new(|| {
                let c = black_box(&mut c_mixed);
                gemm(1.0, black_box(&a_mixed), &b_mixed, 1.0, c).expect("a product");
            })),
            ("dynamic", Box::new(|| {
                let c = black_box(&mut c_dynamic);
                gemm(1.0, black_box(&a_dynamic), &b_dynamic, 1.0, c).expect("a product");
            })),
            ("naive", Box::new(|| {
                let extents = black_box([$m, $n, $k]);
                naive(extents, a.as_slice(), b.as_slice(), black_box(c_naive.as_mut_slice()));
            })),
        ];
        Row { name, variants: measure::<$t>(2 * $m * $n * $k, variants) }
    }};
}

fn dynamic(m: usize, n: usize) -> DynLayout {
    let shape = IntTuple::flat(&[m, n]).expect("two modes");
    DynLayout::row_major(&shape).expect("a small layout")
}

fn main() {
    let rows = [
        case!(f32, 4 x 4 x 4),
        case!(f32, 8 x 8 x 8),
        case!(f32, 5 x 9 x 13),
        case!(f32, 16 x 16 x 16),
        case!(f32, 31 x 31 x 31),
        case!(f32, 32 x 32 x 32),
        case!(f32, 64 x 64 x 64),
        case!(f64, 8 x 8 x 8),
        case!(f64, 16 x 16 x 16),
        case!(f64, 32 x 32 x 32),
        case!(f64, 64 x 64 x 64),
    ];
    println!("\nGFLOP/s, and the share of independent FMAs at {}", Level::detect());
    for Row { name, variants } in &rows {
        println!("{name}");
        for (variant, rate, share) in variants {
            println!("  {variant:16} {rate:8.1} {:6.1} %", 100.0 * share);
        }
        let rate = |name| {
            variants.iter().find(|variant| variant.0 == name).map_or(0.0, |variant| variant.1)
        };
        println!("  static / dynamic {:8.2}", rate("static") / rate("dynamic"));
    }
}
