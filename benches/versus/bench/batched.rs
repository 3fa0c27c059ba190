//! Ten thousand small products of static layouts, consecutive in memory: `C += A * B`.

use nalgebra::{SMatrixView, SMatrixViewMut};
use static_layout::kernels::{Level, gemm};
use static_layout::{DynLayout, IntTuple, StaticLayout, Tensor, View, ViewMut, layout};
use versus::{Bench, Case};

use crate::columns::{Data, fill};
use crate::openblas::OpenBlas;
use crate::peers::{self, Element, Product};

const BATCH: usize = 10_000;

/// A buffer of `n` elements that starts at a cache line.
pub(crate) fn buffer<T: Copy + Default>(n: usize) -> Tensor<T, DynLayout> {
    let layout = IntTuple::flat(&[n]).and_then(|shape| DynLayout::row_major(&shape));
    layout.and_then(Tensor::zeros_in).expect("a buffer that fits")
}

type Buffers<T> = Data<T, DynLayout, DynLayout, DynLayout>;

/// A variant that computes the products one by one.
fn each<T: Element, const M: usize, const N: usize, const K: usize>(
    f: impl Fn(&[T], &[T], &mut [T]),
) -> impl FnMut(&mut Buffers<T>) {
    move |d| {
        let (a, b) = (d.a.as_slice().chunks_exact(M * K), d.b.as_slice().chunks_exact(K * N));
        for ((a, b), c) in a.zip(b).zip(d.c.as_mut_slice().chunks_exact_mut(M * N)) {
            f(a, b, c);
        }
    }
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
    let mut data = Data {
        a: buffer::<T>(BATCH * M * K),
        b: buffer::<T>(BATCH * K * N),
        c: buffer::<T>(BATCH * M * N),
    };
    fill(data.a.as_mut_slice(), 1);
    fill(data.b.as_mut_slice(), 2);
    let product = Product::in_columns(M, N, K);
    let work = (2 * M * N * K * BATCH) as f64 / 1e9;
    let mut case = Case::new(name, "GFLOP/s", work, data);
    case.ours(each::<T, M, N, K>(|a, b, c| {
        let a = View::<T, A>::new(a).expect("a matrix");
        let b = View::<T, B>::new(b).expect("a matrix");
        let mut c = ViewMut::<T, C>::new(c).expect("a matrix");
        gemm(<T as Element>::ONE, &a, &b, <T as Element>::ONE, &mut c);
    }));
    case.peer(
        "loops",
        each::<T, M, N, K>(|a, b, c| {
            peers::dot_loops::<T, M, N, K>(a, b, c, |x, y, z| x * y + z);
        }),
    );
    case.peer(
        "column loops",
        each::<T, M, N, K>(|a, b, c| {
            peers::column_loops::<T, M, N, K>(a, b, c, |x, y, z| x * y + z);
        }),
    );
    #[cfg(target_arch = "x86_64")]
    if matches!(Level::detect(), Level::Avx512(_)) {
        case.peer(
            "loops with AVX-512",
            each::<T, M, N, K>(|a, b, c| {
                // SAFETY: checked above: the CPU has AVX-512.
                unsafe { peers::avx512::dot_loops::<T, M, N, K>(a, b, c) };
            }),
        );
        case.peer(
            "column loops with AVX-512",
            each::<T, M, N, K>(|a, b, c| {
                // SAFETY: checked above: the CPU has AVX-512.
                unsafe { peers::avx512::column_loops::<T, M, N, K>(a, b, c) };
            }),
        );
    }
    case.peer(
        "nalgebra +=",
        each::<T, M, N, K>(|a, b, c| {
            let a = SMatrixView::<T, M, K>::from_slice(a);
            let b = SMatrixView::<T, K, N>::from_slice(b);
            let mut c = SMatrixViewMut::<T, M, N>::from_slice(c);
            c += a * b;
        }),
    );
    let plan = T::nano_gemm(M, N, K);
    case.peer(
        "nano-gemm",
        each::<T, M, N, K>(move |a, b, c| peers::nano_gemm(&plan, &product, a, b, c)),
    );
    case.peer("gemm", each::<T, M, N, K>(move |a, b, c| peers::gemm(&product, a, b, c)));
    case.peer("faer", each::<T, M, N, K>(move |a, b, c| peers::faer(&product, a, b, c)));
    if let Some(library) = openblas {
        case.peer(
            "OpenBLAS",
            each::<T, M, N, K>(move |a, b, c| T::openblas(library, &product, a, b, c)),
        );
    }
    // A product reads A, B and C and writes C. A copy of half as many elements moves the same bytes.
    let half = BATCH * (M * K + K * N + 2 * M * N) / 2;
    let (from, mut to) = (buffer::<T>(half), buffer::<T>(half));
    case.limit("memcpy of as many bytes", work, move |_| {
        to.as_mut_slice().copy_from_slice(from.as_slice());
    });

    let d = case.data();
    let (a, b) = (d.a.as_slice(), d.b.as_slice());
    let expected: Vec<T> = (0..BATCH * M * N)
        .map(|i| {
            let (at, i) = (i / (M * N), i % (M * N));
            product.element(&a[at * M * K..], &b[at * K * N..], i % M, i / M)
        })
        .collect();
    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, variant| assert!(d.c.as_slice() == expected, "{name}: {variant}"),
    );
    bench.run(case);
}

macro_rules! cases {
    ($bench:ident, $openblas:ident: $t:ident: $($m:literal x $n:literal x $k:literal,)*) => {$(
        let name = concat!("gemm ", stringify!($t), " ", $m, "x", $n, "x", $k, " batched");
        if $bench.wants(name) {
            type A = layout!(($m, $k):(1, $m));
            type B = layout!(($k, $n):(1, $k));
            type C = layout!(($m, $n):(1, $m));
            case::<$t, A, B, C, $m, $n, $k>($bench, name, $openblas);
        }
    )*};
}

pub(crate) fn cases(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    cases!(bench, openblas: f32: 4 x 4 x 4, 8 x 8 x 8, 16 x 16 x 16, 32 x 32 x 32,);
    cases!(bench, openblas: f64: 4 x 4 x 4, 8 x 8 x 8, 16 x 16 x 16,);
}
