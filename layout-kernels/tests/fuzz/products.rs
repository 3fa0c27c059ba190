//! Matrix products compared with three loops.

use std::iter::Sum;
use std::ops::{Add, Mul};
use std::time::{Duration, Instant};

use layout_core::engine::DynLayout;
use layout_core::types::{Layout, StaticLayout};
use layout_kernels::simd::Level;
use layout_kernels::{Gemm, Multiply, View, ViewMut, gemm_at};
#[cfg(feature = "num-complex-0_4")]
use num_complex::Complex;
use typenum::consts::*;

use crate::common::{Pair, Random};
use crate::memory::Exact;
use crate::{Counts, any_level, log, threads};

/// Element types, with exact sums.
trait Number: Copy + PartialEq + Default + Send + Sync + 'static {
    /// Integers, or complex integers.
    type Exact: Copy + PartialEq + Add<Output = Self::Exact> + Mul<Output = Self::Exact> + Sum;

    /// The number with this real and imaginary part. Real types ignore the imaginary part.
    fn of(x: i32, imaginary: i32) -> Self;
    fn exact(x: i32, imaginary: i32) -> Self::Exact;
    fn value(self) -> Self::Exact;
}

macro_rules! number {
    ($($t:ty: |$x:ident| $of:expr, |$y:ident| $value:expr;)*) => {$(
        impl Number for $t {
            type Exact = i64;

            fn of($x: i32, _: i32) -> Self {
                $of
            }
            fn exact(x: i32, _: i32) -> i64 {
                x.into()
            }
            fn value(self) -> i64 {
                let $y = self;
                $value
            }
        }
    )*};
}
number! {
    f32: |x| x as f32, |x| x as i64;
    f64: |x| x.into(), |x| x as i64;
    u8: |x| (x + 4) as u8, |x| x.into();
    i8: |x| x as i8, |x| x.into();
    i32: |x| x, |x| x.into();
}
#[cfg(feature = "half")]
number! {
    half::bf16: |x| half::bf16::from_f32(x as f32), |x| x.to_f32() as i64;
    half::f16: |x| half::f16::from_f32(x as f32), |x| x.to_f32() as i64;
}

#[cfg(feature = "num-complex-0_4")]
mod complex {
    use num_complex::Complex;

    use super::Number;

    impl<T: Number<Exact = i64>> Number for Complex<T> {
        type Exact = Complex<i64>;

        fn of(x: i32, imaginary: i32) -> Self {
            Self::new(T::of(x, 0), T::of(imaginary, 0))
        }
        fn exact(x: i32, imaginary: i32) -> Complex<i64> {
            Complex::new(x.into(), imaginary.into())
        }
        fn value(self) -> Complex<i64> {
            Complex::new(self.re.value(), self.im.value())
        }
    }
}

fn extent(random: &mut Random) -> usize {
    match random.below(40) {
        0 => random.one_of(&[97, 128, 200, 255, 300]),
        1..=5 => random.one_of(&[40, 48, 50, 64, 65, 70]),
        _ => {
            random.one_of(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 20, 24, 31, 32, 33])
        }
    }
}

/// A product of dynamic layouts.
pub(crate) fn products(random: &mut Random, counts: &mut Counts) {
    let layouts = match random.below(16) {
        0..4 => random.windows(),
        4 => random.short_runs(&[2, 4, 8, 16, 64]),
        5 => random.short_matrices(),
        _ => {
            let [m, n, mut k] = [0; 3].map(|_| extent(random));
            // Occasionally more than one block along K.
            if random.below(60) == 0 {
                k = random.one_of(&[1281, 1300, 2562, 2563, 4099]);
            }
            let broadcast = random.below(6) == 0;
            random.matrices([m, n, k], broadcast)
        }
    };
    let [m, k] = [0, 1].map(|mode| layouts[0].mode(mode).size());
    let n = layouts[1].mode(1).size();
    counts.products += 1;
    let time = match random.below(9) {
        0 | 1 | 8 => product::<f32, f32>(random, layouts),
        2 => product::<f64, f64>(random, layouts),
        3 => product::<u8, i8>(random, layouts),
        4 => product::<i8, u8>(random, layouts),
        #[cfg(feature = "half")]
        5 if random.below(2) == 0 => product::<half::f16, half::f16>(random, layouts),
        #[cfg(feature = "half")]
        5 => product::<half::bf16, half::bf16>(random, layouts),
        #[cfg(feature = "num-complex-0_4")]
        6 => product::<Complex<f32>, Complex<f32>>(random, layouts),
        #[cfg(feature = "num-complex-0_4")]
        7 => product::<Complex<f64>, Complex<f64>>(random, layouts),
        _ => product::<i8, i8>(random, layouts),
    };
    let rate = time.as_nanos() as usize * 1000 / (m * n * k + 20_000);
    if rate > counts.slowest.0 {
        let [a, b, c] = layouts;
        counts.slowest = (rate, format!("{a} * {b} to {c} in {time:?}"));
    }
}

/// The offsets of a matrix, as `[m][n]`.
fn offsets(layout: &DynLayout) -> Vec<Vec<usize>> {
    let (rows, columns) = (layout.mode(0), layout.mode(1));
    let columns: Vec<_> = (0..columns.size()).map(|j| columns.offset_of_index(j)).collect();
    let row = |i| columns.iter().map(|j| rows.offset_of_index(i) + j).collect();
    (0..rows.size()).map(row).collect()
}

/// An integer small enough for exact sums in every type.
fn small(random: &mut Random) -> i32 {
    random.below(9) as i32 - 4
}

fn numbers<T: Number>(random: &mut Random, len: usize) -> Exact<T> {
    let front = random.below(4) == 0;
    let numbers: Vec<T> = (0..len).map(|_| T::of(small(random), small(random))).collect();
    Exact::new(numbers.into_iter(), front)
}

/// Expected C after `alpha * A * B + beta * C`, plus `m + 2 * n` if `then`.
fn expected<E, X, Y, T>(
    [a, b, c]: [&DynLayout; 3],
    (x, y, z): (&[X], &[Y], &[T]),
    [alpha, beta]: [E; 2],
    then: bool,
) -> Vec<E>
where
    X: Number<Exact = E>,
    Y: Number<Exact = E>,
    T: Number<Exact = E>,
    E: Copy + Add<Output = E> + Mul<Output = E> + Sum,
{
    let mut result: Vec<E> = z.iter().map(|z| z.value()).collect();
    let (ao, bo, co) = (offsets(a), offsets(b), offsets(c));
    let x: Vec<E> = x.iter().map(|x| x.value()).collect();
    let y: Vec<E> = y.iter().map(|y| y.value()).collect();
    for (m, (row, sums)) in ao.iter().zip(&co).enumerate() {
        for (n, &place) in sums.iter().enumerate() {
            let sum: E = row.iter().zip(&bo).map(|(&i, row)| x[i] * y[row[n]]).sum();
            let finished = T::exact(if then { (m + 2 * n) as i32 } else { 0 }, 0);
            result[place] = alpha * sum + beta * result[place] + finished;
        }
    }
    result
}

fn product<X, Y>(random: &mut Random, [a, b, c]: [DynLayout; 3]) -> Duration
where
    X: Multiply<Y, Sum: Number<Exact = X::Exact> + Add<Output = X::Sum>> + Number,
    Y: Number<Exact = X::Exact>,
{
    let level = any_level(random);
    // Real and imaginary parts.
    let alpha = random.one_of(&[(1, 0), (1, 0), (-2, 0), (0, 0), (0, 1), (2, -1)]);
    let beta = random.one_of(&[(0, 0), (1, 0), (-1, 0), (0, -1)]);
    let then = random.below(3) == 0;
    let kind = std::any::type_name::<(X, Y)>();
    log(|| format!("{level}: {alpha:?} * {a} * {b} + {beta:?} * {c} of {kind}, then {then}"));
    let (x, y) = (numbers::<X>(random, a.cosize()), numbers::<Y>(random, b.cosize()));
    let mut z = numbers::<X::Sum>(random, c.cosize());
    let exact = [alpha, beta].map(|(x, imaginary)| X::exact(x, imaginary));
    let expected = expected([&a, &b, &c], (&x, &y, &z), exact, then);
    let (av, bv) = (View::new_in(&x, a).unwrap(), View::new_in(&y, b).unwrap());
    let mut cv = ViewMut::new_in(&mut z, c).unwrap();
    let start = Instant::now();
    let [alpha, beta] = [alpha, beta].map(|(x, imaginary)| X::Sum::of(x, imaginary));
    let gemm = Gemm::new(alpha, beta);
    let add = |x: X::Sum, (m, n): (usize, usize)| x + X::Sum::of((m + 2 * n) as i32, 0);
    match (then, random.below(6)) {
        (false, 0) => gemm.par(threads(random)).run(&av, &bv, &mut cv),
        (false, _) => gemm_at(level, alpha, &av, &bv, beta, &mut cv),
        (true, 0) => gemm.par(threads(random)).then(add).run(&av, &bv, &mut cv),
        (true, _) => gemm.then(add).run_at(level, &av, &bv, &mut cv),
    }
    .unwrap();
    let time = start.elapsed();
    let same = z.iter().zip(&expected).all(|(z, expected)| z.value() == *expected);
    assert!(same, "{level}: {kind} {a} * {b} to {c}, then {then}");
    time
}

/// A product of static layouts.
pub(crate) fn fixed(random: &mut Random, counts: &mut Counts) {
    type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
    type Columns<M, N> = Layout<Pair<M, N>, Pair<U1, M>>;
    type Nested = Layout<Pair<Pair<U2, U3>, U7>, Pair<Pair<U1, U20>, U2>>;
    macro_rules! products {
        ($($t:ty: $a:ty, $b:ty, $c:ty;)*) => {
            [$(static_product::<$t, $a, $b, $c> as fn(&mut Random),)*]
        };
    }
    #[cfg(feature = "num-complex-0_4")]
    if random.below(4) == 0 {
        let products = products! {
            Complex<f32>: Rows<U7, U9>, Columns<U9, U13>, Rows<U7, U13>;
            Complex<f64>: Columns<U5, U4>, Columns<U4, U19>, Rows<U5, U19>;
            Complex<f32>: Nested, Rows<U7, U10>, Rows<U6, U10>;
        };
        counts.products += 1;
        return products[random.below(products.len())](random);
    }
    let products = products! {
        f32: Rows<U3, U3>, Rows<U3, U3>, Rows<U3, U3>;
        f32: Rows<U7, U9>, Columns<U9, U13>, Rows<U7, U13>;
        f32: Columns<U17, U6>, Rows<U6, U5>, Columns<U17, U5>;
        f64: Rows<U8, U16>, Rows<U16, U11>, Columns<U8, U11>;
        f64: Columns<U5, U4>, Columns<U4, U19>, Rows<U5, U19>;
        f32: Nested, Rows<U7, U10>, Rows<U6, U10>;
        f32: Columns<U20, U33>, Rows<U33, U24>, Rows<U20, U24>;
    };
    counts.products += 1;
    products[random.below(products.len())](random);
}

fn static_product<T, A, B, C>(random: &mut Random)
where
    T: Multiply<Sum = T> + Number,
    A: StaticLayout,
    B: StaticLayout,
    C: StaticLayout,
{
    log(|| format!("{} * {} to {}", A::LAYOUT, B::LAYOUT, C::LAYOUT));
    let (x, y) = (numbers::<T>(random, A::COSIZE), numbers::<T>(random, B::COSIZE));
    let (av, bv) = (View::<T, A>::new(&x).unwrap(), View::<T, B>::new(&y).unwrap());
    for level in Level::available() {
        let beta = random.one_of(&[0, 1, -1]);
        let mut z = numbers::<T>(random, C::COSIZE);
        let layouts = [&A::LAYOUT, &B::LAYOUT, &C::LAYOUT];
        let expected = expected(layouts, (&x, &y, &z), [1, beta].map(|x| T::exact(x, 0)), false);
        let mut cv = ViewMut::<T, C>::new(&mut z).unwrap();
        gemm_at(level, T::of(1, 0), &av, &bv, T::of(beta, 0), &mut cv);
        let same = z.iter().zip(&expected).all(|(z, expected)| z.value() == *expected);
        assert!(same, "{level}: {} * {} to {}", A::LAYOUT, B::LAYOUT, C::LAYOUT);
    }
}
