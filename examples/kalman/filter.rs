//! The filter. It only uses inline tensors and no `std`, so that it also runs on a microcontroller.
//! `.ci/targets` builds it for `thumbv7em-none-eabihf`.

use static_layout::kernels::{axpby, gemm};
use static_layout::{ArrayTensor, layout};

/// Position and velocity in space: 6 numbers. A sensor measures the position: 3 numbers.
type State = ArrayTensor<f32, layout!((6, 1))>;
type Seen = ArrayTensor<f32, layout!((3, 1))>;
type Square = ArrayTensor<f32, layout!((6, 6))>;
type Small = ArrayTensor<f32, layout!((3, 3))>;
/// The observation matrix, 3 x 6, from a state to a measurement.
type Wide = ArrayTensor<f32, layout!((3, 6))>;
type Tall = ArrayTensor<f32, layout!((6, 3))>;

/// A Kalman filter for a point with slowly changing velocity.
pub(crate) struct Filter {
    transition: Square,
    observation: Wide,
    /// Covariances of the process noise and of the sensor noise.
    process_noise: Square,
    sensor_noise: Small,
    state: State,
    covariance: Square,
}

impl Filter {
    /// A filter with steps of `dt` seconds and these variances of the acceleration and of the sensor.
    pub(crate) fn new(dt: f32, acceleration: f32, sensor: f32) -> Self {
        Self {
            transition: Square::from_fn(|(i, j)| match () {
                () if i == j => 1.0,
                () if i + 3 == j => dt,
                () => 0.0,
            }),
            observation: Wide::from_fn(|(i, j)| if i == j { 1.0 } else { 0.0 }),
            process_noise: Square::from_fn(|(i, j)| match (i / 3, j / 3) {
                _ if i % 3 != j % 3 => 0.0,
                (0, 0) => acceleration * dt * dt * dt * dt / 4.0,
                (1, 1) => acceleration * dt * dt,
                _ => acceleration * dt * dt * dt / 2.0,
            }),
            sensor_noise: Small::from_fn(|(i, j)| if i == j { sensor } else { 0.0 }),
            state: State::zeros(),
            covariance: Square::from_fn(|(i, j)| if i == j { 10.0 } else { 0.0 }),
        }
    }

    /// One step: predicts the position, then corrects it by the measurement.
    pub(crate) fn step(&mut self, seen: &[f32; 3]) {
        let Self { transition: f, observation: h, state: x, covariance: p, .. } = self;

        // Predict: x = F x, P = F P F' + Q.
        let mut next = State::zeros();
        gemm(1.0, &*f, &*x, 0.0, &mut next);
        let mut fp = Square::zeros();
        gemm(1.0, &*f, &*p, 0.0, &mut fp);
        *p = self.process_noise.clone();
        gemm(1.0, &fp, &f.view().transposed(), 1.0, p);

        // Measure: y = z - H x, G = H P, S = G H' + R.
        let mut y = Seen::from_fn(|(i, _)| seen[i]);
        gemm(-1.0, &*h, &next, 1.0, &mut y);
        let mut g = Wide::zeros();
        gemm(1.0, &*h, &*p, 0.0, &mut g);
        let mut s = self.sensor_noise.clone();
        gemm(1.0, &g, &h.view().transposed(), 1.0, &mut s);

        // Correct: K = G' S^-1, x = x + K y, P = P - K G.
        let mut k = Tall::zeros();
        gemm(1.0, &g.view().transposed(), &inverse(&s), 0.0, &mut k);
        gemm(1.0, &k, &y, 1.0, &mut next);
        gemm(-1.0, &k, &g, 1.0, p);
        *x = next;

        // Rounding makes P slightly unsymmetric.
        let half = p.clone();
        axpby(0.5, &half.view().transposed(), 0.5, p);
    }

    /// Position and velocity.
    pub(crate) fn state(&self) -> &[f32] {
        self.state.as_slice()
    }
}

/// The inverse of a symmetric 3 x 3 matrix.
fn inverse(s: &Small) -> Small {
    let (a, b, c) = (s[(0, 0)], s[(0, 1)], s[(0, 2)]);
    let (d, e, f) = (s[(1, 1)], s[(1, 2)], s[(2, 2)]);
    let (x, y, z) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let factor = 1.0 / (a * x + b * y + c * z);
    let rows = [[x, y, z], [y, a * f - c * c, b * c - a * e], [z, b * c - a * e, a * d - b * b]];
    Small::from_fn(|(i, j)| rows[i][j] * factor)
}
