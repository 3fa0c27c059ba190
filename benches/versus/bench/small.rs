//! Small products of static column-major layouts, hot in L1: `C += A * B`.

use nalgebra::{SMatrixView, SMatrixViewMut};
use static_layout::kernels::{Level, Multiply, probe};
use static_layout::{StaticLayout, layout};
use versus::{Bench, Case};

use crate::columns;
use crate::openblas::OpenBlas;
use crate::peers::{self, Element, Product};

/// Iterations of the peak loop, enough that the start and the end of the loop do not count. (64
/// iterations reached 0.7 of this rate.)
const PEAK_ITERATIONS: usize = 1 << 13;

/// Adds the peak of the processor for elements `X` and `Y` as a limit.
pub(crate) fn limit_of_products<X: Multiply<Y>, Y, D>(case: &mut Case<'_, D>, name: &str) {
    let level = Level::detect();
    let work = probe::peak::<X, Y>(level, PEAK_ITERATIONS) as f64 / 1e9;
    case.limit(name, work, move |_| {
        probe::peak::<X, Y>(level, PEAK_ITERATIONS);
    });
}

fn case<T, A, B, C, const M: usize, const N: usize, const K: usize>(
    bench: &mut Bench,
    name: &str,
    openblas: Option<&OpenBlas>,
) where
    T: Element,
    A: StaticLayout,
    B: StaticLayout,
    C: StaticLayout,
{
    let product = Product::in_columns(M, N, K);
    let mut case = columns::case::<T, A, B, C, M, N, K>(name);
    case.peer("nalgebra +=", |d| {
        let a = SMatrixView::<T, M, K>::from_slice(d.a.as_slice());
        let b = SMatrixView::<T, K, N>::from_slice(d.b.as_slice());
        let mut c = SMatrixViewMut::<T, M, N>::from_slice(d.c.as_mut_slice());
        c += a * b;
    });
    case.peer("nalgebra gemm", |d| {
        let a = SMatrixView::<T, M, K>::from_slice(d.a.as_slice());
        let b = SMatrixView::<T, K, N>::from_slice(d.b.as_slice());
        let mut c = SMatrixViewMut::<T, M, N>::from_slice(d.c.as_mut_slice());
        c.gemm(<T as Element>::ONE, &a, &b, <T as Element>::ONE);
    });
    case.peer("gemm", move |d| {
        peers::gemm(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("faer", move |d| {
        peers::faer(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("matrixmultiply", move |d| {
        T::matrixmultiply(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    if let Some(library) = openblas {
        case.peer("OpenBLAS", move |d| {
            T::openblas(library, &product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        });
    }
    limit_of_products::<T, T, _>(&mut case, "FMA");

    columns::check::<T, A, B, C, M, N, K>(name, &mut case);
    bench.run(case);
}

macro_rules! cases {
    ($bench:ident, $openblas:ident: $t:ident: $($m:literal x $n:literal x $k:literal,)*) => {$(
        let name = concat!("gemm ", stringify!($t), " ", $m, "x", $n, "x", $k, " static");
        if $bench.wants(name) {
            type A = layout!(($m, $k):(1, $m));
            type B = layout!(($k, $n):(1, $k));
            type C = layout!(($m, $n):(1, $m));
            case::<$t, A, B, C, $m, $n, $k>($bench, name, $openblas);
        }
    )*};
}

macro_rules! all {
    ($bench:ident, $openblas:ident: $($t:ident)*) => {$({
        cases! {
            $bench, $openblas: $t:
            2 x 2 x 2, 3 x 3 x 3, 4 x 4 x 4, 5 x 5 x 5, 6 x 6 x 6, 7 x 7 x 7, 8 x 8 x 8,
            12 x 12 x 12, 13 x 13 x 13, 16 x 16 x 16, 24 x 24 x 24, 31 x 31 x 31, 32 x 32 x 32,
            48 x 48 x 48, 64 x 64 x 64, 4 x 4 x 128, 16 x 16 x 4, 64 x 8 x 64, 5 x 9 x 13,
            1 x 32 x 32, 32 x 1 x 32, 33 x 1 x 17,
        }
    })*};
}

pub(crate) fn cases(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    all!(bench, openblas: f32 f64);
}
