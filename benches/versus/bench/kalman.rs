//! A step of a Kalman filter with a state of 6 and a measurement of 3: small products, with sums,
//! transposes and accesses to single elements between them.
//!
//! `cargo bench -p versus --bench kalman` prints a line for each case, like `versus`, in millions of
//! steps per second. Besides the whole step, its products and the rest are measured separately. All
//! variants use the same formulas, on dense column-major matrices:
//!
//! ```text
//! x = F x            P = F P F' + Q          predict
//! y = z - H x        G = H P                 measure
//! S = G H' + R       K = G' S^-1             gain
//! x = x + K y        P = P - K G             correct
//! P = (P + P') / 2
//! ```

use std::process::ExitCode;

use static_layout::kernels::Level;
use versus::{Bench, Options};

/// The data of a filter in `f64`: a moving point in space, and its measured positions.
mod numbers {
    pub(super) const N: usize = 6;
    pub(super) const M: usize = 3;

    fn diagonal(i: usize, j: usize, value: f64) -> f64 {
        if i == j { value } else { 0.001 * ((i * j) % 5) as f64 }
    }

    pub(super) fn f(i: usize, j: usize) -> f64 {
        if i + M == j { 0.1 } else { diagonal(i, j, 1.0) }
    }
    pub(super) fn h(i: usize, j: usize) -> f64 {
        diagonal(i, j, 1.0)
    }
    pub(super) fn q(i: usize, j: usize) -> f64 {
        diagonal(i.min(j), i.max(j), 0.01)
    }
    pub(super) fn r(i: usize, j: usize) -> f64 {
        diagonal(i.min(j), i.max(j), 0.5)
    }
    pub(super) fn p(i: usize, j: usize) -> f64 {
        diagonal(i.min(j), i.max(j), 1.0)
    }
    pub(super) fn z(i: usize) -> f64 {
        i as f64 - 0.7
    }
}

macro_rules! filters {
    ($t:ident) => {
        mod $t {
            use super::numbers::{self, M, N};
            use nalgebra::SMatrix;
            use static_layout::kernels::{axpby, copy, gemm};
            use static_layout::{ArrayTensor, layout};
            use versus::{Bench, Case};

            type T = $t;
    type Square = ArrayTensor<T, layout!((6, 6):(1, 6))>;
    type Wide = ArrayTensor<T, layout!((3, 6):(1, 3))>;
    type Tall = ArrayTensor<T, layout!((6, 3):(1, 6))>;
    type Small = ArrayTensor<T, layout!((3, 3):(1, 3))>;
    type State = ArrayTensor<T, layout!((6, 1):(1, 6))>;
    type Seen = ArrayTensor<T, layout!((3, 1):(1, 3))>;

            /// The inverse of a symmetric 3 x 3 matrix, element by element.
            macro_rules! inverse {
                ($s:expr, $set:expr) => {{
                    let s = $s;
                    let (a, b, c) = (s(0, 0), s(0, 1), s(0, 2));
                    let (d, e, f) = (s(1, 1), s(1, 2), s(2, 2));
                    let (x, y, z) = (d * f - e * e, c * e - b * f, b * e - c * d);
                    let g = 1.0 / (a * x + b * y + c * z);
                    let (u, v, w) = (a * f - c * c, b * c - a * e, a * d - b * b);
                    $set([x * g, y * g, z * g, y * g, u * g, v * g, z * g, v * g, w * g])
                }};
            }

            struct Ours {
                f: Square,
                h: Wide,
                q: Square,
                r: Small,
                z: Seen,
                x: State,
                p: Square,
                // Intermediate results.
                x_next: State,
                fp: Square,
                y: Seen,
                g: Wide,
                s: Small,
                s_inverse: Small,
                k: Tall,
            }

            impl Ours {
                fn new() -> Self {
                    Self {
                        f: Square::from_fn(|(i, j)| numbers::f(i, j) as T),
                        h: Wide::from_fn(|(i, j)| numbers::h(i, j) as T),
                        q: Square::from_fn(|(i, j)| numbers::q(i, j) as T),
                        r: Small::from_fn(|(i, j)| numbers::r(i, j) as T),
                        z: Seen::from_fn(|(i, _)| numbers::z(i) as T),
                        x: State::zeros(),
                        p: Square::from_fn(|(i, j)| numbers::p(i, j) as T),
                        x_next: State::zeros(),
                        fp: Square::zeros(),
                        y: Seen::zeros(),
                        g: Wide::zeros(),
                        s: Small::zeros(),
                        s_inverse: Small::zeros(),
                        k: Tall::zeros(),
                    }
                }

                #[inline(always)]
                fn step<const PRODUCTS: bool, const REST: bool>(&mut self) {
                    if PRODUCTS {
                        gemm(1.0, &self.f, &self.x, 0.0, &mut self.x_next);
                        gemm(1.0, &self.f, &self.p, 0.0, &mut self.fp);
                        gemm(1.0, &self.fp, &self.f.view().transposed(), 0.0, &mut self.p);
                    }
                    if REST {
                        axpby(1.0, &self.q, 1.0, &mut self.p);
                    }
                    if PRODUCTS {
                        gemm(1.0, &self.h, &self.x_next, 0.0, &mut self.y);
                        gemm(1.0, &self.h, &self.p, 0.0, &mut self.g);
                        gemm(1.0, &self.g, &self.h.view().transposed(), 0.0, &mut self.s);
                    }
                    if REST {
                        axpby(1.0, &self.z, -1.0, &mut self.y);
                        axpby(1.0, &self.r, 1.0, &mut self.s);
                        inverse!(|i, j| self.s[(i, j)], |new: [T; 9]| self.s_inverse =
                            Small::from_fn(|(i, j)| new[i + 3 * j]));
                    }
                    if PRODUCTS {
                        gemm(1.0, &self.g.view().transposed(), &self.s_inverse, 0.0, &mut self.k);
                        gemm(1.0, &self.k, &self.y, 1.0, &mut self.x_next);
                        gemm(-1.0, &self.k, &self.g, 1.0, &mut self.p);
                    }
                    if REST {
                        copy(&self.x_next, &mut self.x);
                        copy(&self.p, &mut self.fp);
                        axpby(0.5, &self.fp.view().transposed(), 0.5, &mut self.p);
                    }
                }
            }

            struct Nalgebra {
                f: SMatrix<T, N, N>,
                h: SMatrix<T, M, N>,
                q: SMatrix<T, N, N>,
                r: SMatrix<T, M, M>,
                z: SMatrix<T, M, 1>,
                x: SMatrix<T, N, 1>,
                p: SMatrix<T, N, N>,
                fp: SMatrix<T, N, N>,
                y: SMatrix<T, M, 1>,
                g: SMatrix<T, M, N>,
                s: SMatrix<T, M, M>,
                s_inverse: SMatrix<T, M, M>,
                k: SMatrix<T, N, M>,
            }

            impl Nalgebra {
                fn new() -> Self {
                    Self {
                        f: SMatrix::from_fn(|i, j| numbers::f(i, j) as T),
                        h: SMatrix::from_fn(|i, j| numbers::h(i, j) as T),
                        q: SMatrix::from_fn(|i, j| numbers::q(i, j) as T),
                        r: SMatrix::from_fn(|i, j| numbers::r(i, j) as T),
                        z: SMatrix::from_fn(|i, _| numbers::z(i) as T),
                        x: SMatrix::zeros(),
                        p: SMatrix::from_fn(|i, j| numbers::p(i, j) as T),
                        fp: SMatrix::zeros(),
                        y: SMatrix::zeros(),
                        g: SMatrix::zeros(),
                        s: SMatrix::zeros(),
                        s_inverse: SMatrix::zeros(),
                        k: SMatrix::zeros(),
                    }
                }

                #[inline(always)]
                fn step<const PRODUCTS: bool, const REST: bool>(&mut self) {
                    if PRODUCTS {
                        self.x = self.f * self.x;
                        self.fp = self.f * self.p;
                        self.p = self.fp * self.f.transpose();
                    }
                    if REST {
                        self.p += self.q;
                    }
                    if PRODUCTS {
                        self.y = self.h * self.x;
                        self.g = self.h * self.p;
                        self.s = self.g * self.h.transpose();
                    }
                    if REST {
                        self.y = self.z - self.y;
                        self.s += self.r;
                        inverse!(|i, j| self.s[(i, j)], |new: [T; 9]| self.s_inverse =
                            SMatrix::from_column_slice(&new));
                    }
                    if PRODUCTS {
                        self.k = self.g.transpose() * self.s_inverse;
                        self.x += self.k * self.y;
                        self.p -= self.k * self.g;
                    }
                    if REST {
                        self.p = (self.p + self.p.transpose()) * 0.5;
                    }
                }
            }

            /// An array of columns.
            type Matrix<const R: usize, const C: usize> = [[T; R]; C];

            #[derive(Default)]
            struct Arrays {
                f: Matrix<N, N>,
                h: Matrix<M, N>,
                q: Matrix<N, N>,
                r: Matrix<M, M>,
                z: Matrix<M, 1>,
                x: Matrix<N, 1>,
                p: Matrix<N, N>,
                fp: Matrix<N, N>,
                y: Matrix<M, 1>,
                g: Matrix<M, N>,
                s: Matrix<M, M>,
                s_inverse: Matrix<M, M>,
                k: Matrix<N, M>,
            }

            fn matrix<const R: usize, const C: usize>(
                f: impl Fn(usize, usize) -> f64,
            ) -> Matrix<R, C> {
                std::array::from_fn(|j| std::array::from_fn(|i| f(i, j) as T))
            }

            #[inline(always)]
            fn product<const R: usize, const K: usize, const C: usize>(
                a: &Matrix<R, K>,
                b: &Matrix<K, C>,
            ) -> Matrix<R, C> {
                let mut c = [[0.0; R]; C];
                for (c, b) in c.iter_mut().zip(b) {
                    for (a, b) in a.iter().zip(b) {
                        for (c, a) in c.iter_mut().zip(a) {
                            *c += a * b;
                        }
                    }
                }
                c
            }

            #[inline(always)]
            fn transposed<const R: usize, const C: usize>(a: &Matrix<R, C>) -> Matrix<C, R> {
                std::array::from_fn(|j| std::array::from_fn(|i| a[i][j]))
            }

            #[inline(always)]
            fn each<const R: usize, const C: usize>(
                a: &mut Matrix<R, C>,
                b: &Matrix<R, C>,
                f: impl Fn(T, T) -> T,
            ) {
                for (a, b) in a.iter_mut().zip(b) {
                    for (a, b) in a.iter_mut().zip(b) {
                        *a = f(*a, *b);
                    }
                }
            }

            impl Arrays {
                fn new() -> Self {
                    Self {
                        f: matrix(numbers::f),
                        h: matrix(numbers::h),
                        q: matrix(numbers::q),
                        r: matrix(numbers::r),
                        z: matrix(|i, _| numbers::z(i)),
                        p: matrix(numbers::p),
                        ..Self::default()
                    }
                }

                #[inline(always)]
                fn step<const PRODUCTS: bool, const REST: bool>(&mut self) {
                    if PRODUCTS {
                        self.x = product(&self.f, &self.x);
                        self.fp = product(&self.f, &self.p);
                        self.p = product(&self.fp, &transposed(&self.f));
                    }
                    if REST {
                        each(&mut self.p, &self.q, |p, q| p + q);
                    }
                    if PRODUCTS {
                        self.y = product(&self.h, &self.x);
                        self.g = product(&self.h, &self.p);
                        self.s = product(&self.g, &transposed(&self.h));
                    }
                    if REST {
                        each(&mut self.y, &self.z, |y, z| z - y);
                        each(&mut self.s, &self.r, |s, r| s + r);
                        inverse!(|i: usize, j: usize| self.s[j][i], |new: [T; 9]| {
                            self.s_inverse =
                                std::array::from_fn(|j| std::array::from_fn(|i| new[i + 3 * j]));
                        });
                    }
                    if PRODUCTS {
                        self.k = product(&transposed(&self.g), &self.s_inverse);
                        let ky = product(&self.k, &self.y);
                        each(&mut self.x, &ky, |x, ky| x + ky);
                        let kg = product(&self.k, &self.g);
                        each(&mut self.p, &kg, |p, kg| p - kg);
                    }
                    if REST {
                        let turned = transposed(&self.p);
                        each(&mut self.p, &turned, |p, turned| 0.5 * (p + turned));
                    }
                }
            }

            struct Data {
                ours: Ours,
                nalgebra: Nalgebra,
                arrays: Arrays,
            }

            impl Data {
                fn new() -> Self {
                    Self { ours: Ours::new(), nalgebra: Nalgebra::new(), arrays: Arrays::new() }
                }
            }

            /// Compares all filters after the same steps.
            fn check() {
                let mut data = Data::new();
                for step in 0..50 {
                    data.ours.step::<true, true>();
                    data.nalgebra.step::<true, true>();
                    data.arrays.step::<true, true>();
                    let near = |a: T, b: T| (a - b).abs() <= 1000.0 * T::EPSILON;
                    for i in 0..N {
                        for j in 0..N {
                            let p = data.nalgebra.p[(i, j)];
                            assert!(near(data.ours.p[(i, j)], p), "P({i},{j}) in step {step}");
                            assert!(near(data.arrays.p[j][i], p), "P({i},{j}) in step {step}");
                        }
                        let x = data.nalgebra.x[(i, 0)];
                        assert!(near(data.ours.x[(i, 0)], x), "x({i}) in step {step}");
                        assert!(near(data.arrays.x[0][i], x), "x({i}) in step {step}");
                    }
                }
            }

            fn case<const PRODUCTS: bool, const REST: bool>(bench: &mut Bench, name: &str) {
                let name = format!(concat!("kalman ", stringify!($t), " {}"), name);
                if !bench.wants(&name) {
                    return;
                }
                // One step, in millions.
                let mut case = Case::new(&name, "M/s", 1e-6, Data::new());
                case.ours(|d| d.ours.step::<PRODUCTS, REST>());
                case.peer("nalgebra", |d| d.nalgebra.step::<PRODUCTS, REST>());
                case.peer("arrays", |d| d.arrays.step::<PRODUCTS, REST>());
                bench.run(case);
            }

            pub(super) fn cases(bench: &mut Bench) {
                check();
                case::<true, true>(bench, "step");
                case::<true, false>(bench, "products");
                case::<false, true>(bench, "sums, transposes, elements");
            }
        }
    };
}
filters!(f32);
filters!(f64);

fn main() -> ExitCode {
    let Some(options) = Options::from_arguments(std::env::args().skip(1)) else {
        eprintln!("arguments: [--list] [--seconds PER_CASE] [SUBSTRING OF A CASE'S NAME]...");
        return ExitCode::FAILURE;
    };
    println!("# {}", Level::detect());
    let mut bench = Bench::new(options);
    f32::cases(&mut bench);
    f64::cases(&mut bench);
    bench.finish();
    ExitCode::SUCCESS
}
