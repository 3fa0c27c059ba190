//! A Kalman filter on the stack. It tracks a point on a spiral from noisy measurements, four times as
//! accurately as the measurements. The filter needs neither `std` nor a heap; see `filter.rs`.
//!
//! `cargo run --release --example kalman`

#[path = "../common/mod.rs"]
mod common;
mod filter;

use std::hint::black_box;

use common::{table, times};
use filter::Filter;

/// Seconds between measurements, and the number of measurements.
const DT: f32 = 0.01;
const STEPS: usize = 2000;
/// Standard deviation of a measurement.
const NOISE: f32 = 0.3;

fn main() {
    let truth = |step: usize| {
        let t = step as f32 * DT;
        [3.0 * (0.7 * t).cos(), 3.0 * (0.7 * t).sin(), 0.4 * t]
    };
    let mut random = 1u32;
    let mut noise = || {
        // The sum of twelve uniform numbers is approximately normal.
        let sum: f32 = (0..12)
            .map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 8) as f32 / (1 << 24) as f32
            })
            .sum();
        NOISE * (sum - 6.0)
    };
    let seen: Vec<[f32; 3]> = (0..STEPS).map(|step| truth(step).map(|x| x + noise())).collect();

    let (mut filter, mut arrays) =
        (Filter::new(DT, 40.0, NOISE * NOISE), Arrays::new(DT, 40.0, NOISE * NOISE));
    let (mut error_seen, mut error_filtered) = (0.0, 0.0);
    for (step, z) in seen.iter().enumerate() {
        filter.step(z);
        arrays.step(z);
        for (ours, theirs) in filter.state().iter().zip(&arrays.x) {
            assert!(
                (ours - theirs).abs() <= 1e-3 * (1.0 + ours.abs()),
                "{ours} and {theirs} at {step}"
            );
        }
        // Errors count after the first second.
        if step >= 100 {
            let distance =
                |x: &[f32]| truth(step).iter().zip(x).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
            error_seen += distance(z);
            error_filtered += distance(&filter.state()[..3]);
        }
    }
    let root = |sum: f32| (sum / (STEPS - 100) as f32).sqrt();
    println!("seen to {:.3}, followed to {:.3}\n", root(error_seen), root(error_filtered));
    assert!(
        error_filtered < error_seen / 12.0,
        "the filter is more than three times as exact as the sensor"
    );

    let seconds = times(
        20,
        [&mut || black_box(&seen).iter().for_each(|z| filter.step(z)), &mut || {
            black_box(&seen).iter().for_each(|z| arrays.step(z))
        }],
    );
    table("Msteps/s", STEPS as f64 / 1e6, ["stack tensors", "loops over arrays"], seconds);
    println!("\n{:.0} ns a step", seconds[0] / STEPS as f64 * 1e9);
}

/// The same filter with loops over arrays.
struct Arrays {
    f: [[f32; 6]; 6],
    q: [[f32; 6]; 6],
    r: f32,
    x: [f32; 6],
    p: [[f32; 6]; 6],
}

/// The product of two matrices.
fn product<const M: usize, const K: usize, const N: usize>(
    a: &[[f32; K]; M],
    b: &[[f32; N]; K],
) -> [[f32; N]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..K).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed<const M: usize, const N: usize>(a: &[[f32; N]; M]) -> [[f32; M]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

impl Arrays {
    fn new(dt: f32, acceleration: f32, sensor: f32) -> Self {
        let matrix = |f: &dyn Fn(usize, usize) -> f32| {
            std::array::from_fn(|i| std::array::from_fn(|j| f(i, j)))
        };
        Self {
            f: matrix(&|i, j| {
                if i == j {
                    1.0
                } else if i + 3 == j {
                    dt
                } else {
                    0.0
                }
            }),
            q: matrix(&|i, j| match (i % 3 == j % 3, i / 3 + j / 3) {
                (false, _) => 0.0,
                (true, 0) => acceleration * dt.powi(4) / 4.0,
                (true, 1) => acceleration * dt.powi(3) / 2.0,
                (true, _) => acceleration * dt.powi(2),
            }),
            r: sensor,
            x: [0.0; 6],
            p: matrix(&|i, j| if i == j { 10.0 } else { 0.0 }),
        }
    }

    fn step(&mut self, z: &[f32; 3]) {
        let x: [f32; 6] = std::array::from_fn(|i| (0..6).map(|j| self.f[i][j] * self.x[j]).sum());
        let mut p = product(&product(&self.f, &self.p), &transposed(&self.f));
        p.as_flattened_mut().iter_mut().zip(self.q.as_flattened()).for_each(|(p, q)| *p += q);
        let y: [f32; 3] = std::array::from_fn(|i| z[i] - x[i]);
        let g: [[f32; 6]; 3] = std::array::from_fn(|i| p[i]);
        let [[a, b, c], [_, d, e], [.., f]]: [[f32; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| g[i][j] + if i == j { self.r } else { 0.0 })
        });
        let (u, v, w) = (d * f - e * e, c * e - b * f, b * e - c * d);
        let factor = 1.0 / (a * u + b * v + c * w);
        let s = [[u, v, w], [v, a * f - c * c, b * c - a * e], [w, b * c - a * e, a * d - b * b]];
        let k = product(&transposed(&g), &s.map(|row| row.map(|x| x * factor)));
        self.x = std::array::from_fn(|i| x[i] + (0..3).map(|j| k[i][j] * y[j]).sum::<f32>());
        let kg = product(&k, &g);
        p.as_flattened_mut().iter_mut().zip(kg.as_flattened()).for_each(|(p, kg)| *p -= kg);
        self.p = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (p[i][j] + p[j][i])));
    }
}
