//! A product of static column-major layouts, hot in L1: `C += A * B`. Ours, plain loops over
//! constants, and nano-gemm.

use static_layout::kernels::{Level, gemm};
use static_layout::{StaticLayout, Tensor};
use versus::{Case, Random};

use crate::peers::{self, Element, Product};

/// The matrices of a product.
pub(crate) struct Data<T: Copy, A, B, C> {
    pub(crate) a: Tensor<T, A>,
    pub(crate) b: Tensor<T, B>,
    pub(crate) c: Tensor<T, C>,
}

/// Fills with small integers, so that sums are the same in every order.
pub(crate) fn fill<T: Element>(slice: &mut [T], seed: u64) {
    let mut random = Random(seed);
    slice.fill_with(|| T::from(random.below(8) as i8 - 4));
}

/// The case with its standard peers; more can be added.
pub(crate) fn case<T, A, B, C, const M: usize, const N: usize, const K: usize>(
    name: &str,
) -> Case<'static, Data<T, A, B, C>>
where
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
            // SAFETY: checked above: the CPU has AVX-512.
            unsafe { peers::avx512::dot_loops::<T, M, N, K>(a, b, c) };
        });
        case.peer("column loops with AVX-512", |d| {
            let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
            // SAFETY: checked above: the CPU has AVX-512.
            unsafe { peers::avx512::column_loops::<T, M, N, K>(a, b, c) };
        });
    }
    let plan = T::nano_gemm(M, N, K);
    case.peer("nano-gemm", move |d| {
        peers::nano_gemm(&plan, &product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case
}

/// Checks the results of all variants.
pub(crate) fn check<T, A, B, C, const M: usize, const N: usize, const K: usize>(
    name: &str,
    case: &mut Case<'_, Data<T, A, B, C>>,
) where
    T: Element,
    A: StaticLayout,
    B: StaticLayout,
    C: StaticLayout,
{
    let product = Product::in_columns(M, N, K);
    let d = case.data();
    let (a, b) = (d.a.as_slice(), d.b.as_slice());
    let expected: Vec<T> = (0..M * N).map(|i| product.element(a, b, i % M, i / M)).collect();
    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, variant| assert_eq!(d.c.as_slice(), expected, "{name}: {variant}"),
    );
}
