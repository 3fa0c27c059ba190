//! Small products of static layouts, hot in the first cache: `C += A * B` column by column.

use nalgebra::{SMatrixView, SMatrixViewMut};
use static_layout::kernels::{Level, gemm, probe};
use static_layout::{StaticLayout, Tensor, layout};
use versus::{Bench, Case, Random};

use crate::openblas::OpenBlas;
use crate::peers::{self, Element, Product};

/// The matrices of a product.
pub(crate) struct Data<T: Copy, A, B, C> {
    pub(crate) a: Tensor<T, A>,
    pub(crate) b: Tensor<T, B>,
    pub(crate) c: Tensor<T, C>,
}

/// Fills with whole and small numbers, so that sums are the same in every order.
pub(crate) fn fill<T: Element>(slice: &mut [T], seed: u64) {
    let mut random = Random(seed);
    slice.fill_with(|| T::from(random.below(8) as i8 - 4));
}

/// How many turns of independent products and sums take about 100 nanoseconds.
const PEAK_TURNS: usize = 64;

/// Adds the limit of all products: what the processor can do at most.
pub(crate) fn limit_of_products<T: Element, D>(case: &mut Case<'_, D>) {
    let level = Level::detect();
    let work = probe::peak::<T, T>(level, PEAK_TURNS) as f64 / 1e9;
    case.limit("FMA", work, move |_| {
        probe::peak::<T, T>(level, PEAK_TURNS);
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
    let mut data =
        Data { a: Tensor::<T, A>::zeros(), b: Tensor::<T, B>::zeros(), c: Tensor::<T, C>::zeros() };
    fill(data.a.as_mut_slice(), 1);
    fill(data.b.as_mut_slice(), 2);
    let product = Product::in_columns(M, N, K);
    let mut case = Case::new(name, "GFLOP/s", (2 * M * N * K) as f64 / 1e9, data);
    case.ours(|d| gemm(<T as Element>::ONE, &d.a, &d.b, <T as Element>::ONE, &mut d.c));
    case.peer("loops", |d| {
        let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        peers::dot_loops::<T, M, N, K>(a, b, c, |x, y, z| x * y + z);
    });
    case.peer("column loops", |d| {
        let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        peers::column_loops::<T, M, N, K>(a, b, c, |x, y, z| x * y + z);
    });
    #[cfg(target_arch = "x86_64")]
    if matches!(Level::detect(), Level::Avx512(_)) {
        case.peer("loops with AVX-512", |d| {
            let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
            // SAFETY: the level says that the instructions are there.
            unsafe { peers::avx512::dot_loops::<T, M, N, K>(a, b, c) };
        });
        case.peer("column loops with AVX-512", |d| {
            let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
            // SAFETY: the level says that the instructions are there.
            unsafe { peers::avx512::column_loops::<T, M, N, K>(a, b, c) };
        });
    }
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
    let plan = T::nano_gemm(M, N, K);
    case.peer("nano-gemm", move |d| {
        peers::nano_gemm(&plan, &product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
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
    limit_of_products::<T, _>(&mut case);

    let d = case.data();
    let (a, b) = (d.a.as_slice(), d.b.as_slice());
    let expected: Vec<T> = (0..M * N).map(|i| product.element(a, b, i % M, i / M)).collect();
    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, way| assert_eq!(d.c.as_slice(), expected, "{name}: {way}"),
    );
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
