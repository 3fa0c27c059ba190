//! Matrix products with other crates and plain loops: `C = A * B + beta * C`.

use std::ffi::c_int;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use gemm::Parallelism;
use static_layout::kernels::Float;

use crate::openblas::OpenBlas;

/// The strides of a matrix between rows and between columns, in elements.
#[derive(Clone, Copy)]
pub(crate) struct Strides {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// A product: extents, the strides of all three matrices, whether it adds to C, and the number of
/// threads.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) a: Strides,
    pub(crate) b: Strides,
    pub(crate) c: Strides,
    pub(crate) add: bool,
    pub(crate) threads: usize,
}

impl Product {
    /// `C += A * B` with column-major matrices.
    pub(crate) const fn in_columns(m: usize, n: usize, k: usize) -> Self {
        Self {
            m,
            n,
            k,
            a: Strides { row: 1, column: m },
            b: Strides { row: 1, column: k },
            c: Strides { row: 1, column: m },
            add: true,
            threads: 1,
        }
    }

    /// Whether slices of these lengths hold the matrices.
    fn fits(&self, a: usize, b: usize, c: usize) -> bool {
        let last =
            |s: Strides, rows: usize, columns: usize| s.row * (rows - 1) + s.column * (columns - 1);
        last(self.a, self.m, self.k) < a
            && last(self.b, self.k, self.n) < b
            && last(self.c, self.m, self.n) < c
    }

    /// One element of `A * B`.
    pub(crate) fn element<T: Float>(&self, a: &[T], b: &[T], i: usize, j: usize) -> T {
        let mut sum = T::default();
        for p in 0..self.k {
            let x = a[i * self.a.row + p * self.a.column];
            sum = sum + x * b[p * self.b.row + j * self.b.column];
        }
        sum
    }
}

/// An element type that all peers support.
pub(crate) trait Element:
    Float + From<i8> + nalgebra::RealField + faer::traits::ComplexField
{
    const ONE: Self;
    const NAME: &'static str;

    fn mul_add(self, b: Self, c: Self) -> Self;

    fn nano_gemm(m: usize, n: usize, k: usize) -> nano_gemm::Plan<Self>;

    fn openblas(library: &OpenBlas, product: &Product, a: &[Self], b: &[Self], c: &mut [Self]);

    fn matrixmultiply(product: &Product, a: &[Self], b: &[Self], c: &mut [Self]);
}

macro_rules! element {
    ($t:ident, $plan:ident, $blas:ident, $matrixmultiply:ident) => {
        impl Element for $t {
            const ONE: Self = 1.0;
            const NAME: &'static str = stringify!($t);

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                $t::mul_add(self, b, c)
            }

            fn nano_gemm(m: usize, n: usize, k: usize) -> nano_gemm::Plan<Self> {
                nano_gemm::Plan::$plan(m, n, k)
            }

            #[inline(always)]
            fn openblas(library: &OpenBlas, p: &Product, a: &[Self], b: &[Self], c: &mut [Self]) {
                const COLUMN_MAJOR: c_int = 102;
                assert!(p.fits(a.len(), b.len(), c.len()) && p.c.row == 1);
                // CBLAS `NoTrans` (111) if column-major, else `Trans` (112), and the leading
                // dimension.
                let stored = |s: Strides| if s.row == 1 { (111, s.column) } else { (112, s.row) };
                let ((ta, sa), (tb, sb)) = (stored(p.a), stored(p.b));
                let int = |x: usize| x as c_int;
                // SAFETY: the slices hold the matrices.
                unsafe {
                    (library.$blas)(
                        COLUMN_MAJOR,
                        ta,
                        tb,
                        int(p.m),
                        int(p.n),
                        int(p.k),
                        1.0,
                        a.as_ptr(),
                        int(sa),
                        b.as_ptr(),
                        int(sb),
                        if p.add { 1.0 } else { 0.0 },
                        c.as_mut_ptr(),
                        int(p.c.column),
                    );
                }
            }

            #[inline(always)]
            fn matrixmultiply(p: &Product, a: &[Self], b: &[Self], c: &mut [Self]) {
                assert!(p.fits(a.len(), b.len(), c.len()));
                let strides = |s: Strides| (s.row as isize, s.column as isize);
                let ((ra, ca), (rb, cb), (rc, cc)) = (strides(p.a), strides(p.b), strides(p.c));
                // SAFETY: the slices hold the matrices.
                unsafe {
                    matrixmultiply::$matrixmultiply(
                        p.m,
                        p.k,
                        p.n,
                        1.0,
                        a.as_ptr(),
                        ra,
                        ca,
                        b.as_ptr(),
                        rb,
                        cb,
                        if p.add { 1.0 } else { 0.0 },
                        c.as_mut_ptr(),
                        rc,
                        cc,
                    );
                }
            }
        }
    };
}

element!(f32, new_colmajor_lhs_and_dst_f32, sgemm, sgemm);
element!(f64, new_colmajor_lhs_and_dst_f64, dgemm, dgemm);

/// With a plan that was built before.
#[inline(always)]
pub(crate) fn nano_gemm<T: Element>(
    plan: &nano_gemm::Plan<T>,
    p: &Product,
    a: &[T],
    b: &[T],
    c: &mut [T],
) {
    assert!(p.fits(a.len(), b.len(), c.len()) && p.a.row == 1 && p.c.row == 1 && p.add);
    // SAFETY: the slices hold the matrices, which are column-major as the plan requires.
    unsafe {
        plan.execute_unchecked(
            p.m,
            p.n,
            p.k,
            c.as_mut_ptr(),
            1,
            p.c.column as isize,
            a.as_ptr(),
            1,
            p.a.column as isize,
            b.as_ptr(),
            p.b.row as isize,
            p.b.column as isize,
            <T as Element>::ONE,
            <T as Element>::ONE,
            false,
            false,
        );
    }
}

#[inline(always)]
pub(crate) fn gemm<T: Element>(p: &Product, a: &[T], b: &[T], c: &mut [T]) {
    assert!(p.fits(a.len(), b.len(), c.len()));
    // SAFETY: the slices hold the matrices.
    unsafe {
        gemm::gemm(
            p.m,
            p.n,
            p.k,
            c.as_mut_ptr(),
            p.c.column as isize,
            p.c.row as isize,
            p.add,
            a.as_ptr(),
            p.a.column as isize,
            p.a.row as isize,
            b.as_ptr(),
            p.b.column as isize,
            p.b.row as isize,
            <T as Element>::ONE,
            <T as Element>::ONE,
            false,
            false,
            false,
            if p.threads > 1 { Parallelism::Rayon(p.threads) } else { Parallelism::None },
        );
    }
}

#[inline(always)]
pub(crate) fn faer<T: Element>(p: &Product, a: &[T], b: &[T], c: &mut [T]) {
    assert!(p.fits(a.len(), b.len(), c.len()));
    let strides = |s: Strides| (s.row as isize, s.column as isize);
    let ((ra, ca), (rb, cb), (rc, cc)) = (strides(p.a), strides(p.b), strides(p.c));
    // SAFETY: the slice holds the matrix.
    let a = unsafe { MatRef::from_raw_parts(a.as_ptr(), p.m, p.k, ra, ca) };
    // SAFETY: the slice holds the matrix.
    let b = unsafe { MatRef::from_raw_parts(b.as_ptr(), p.k, p.n, rb, cb) };
    // SAFETY: the slice holds the matrix.
    let c = unsafe { MatMut::from_raw_parts_mut(c.as_mut_ptr(), p.m, p.n, rc, cc) };
    let accum = if p.add { Accum::Add } else { Accum::Replace };
    let par = if p.threads > 1 { Par::rayon(p.threads) } else { Par::Seq };
    matmul(c, accum, a, b, <T as Element>::ONE, par);
}

/// Column-major `C += A * B`, with constant loop bounds. This and [`column_loops`] are the two loop
/// orders that compilers optimise best.
#[inline(always)]
pub(crate) fn dot_loops<T: Element, const M: usize, const N: usize, const K: usize>(
    a: &[T],
    b: &[T],
    c: &mut [T],
    mul_add: impl Fn(T, T, T) -> T,
) {
    let (a, b, c) = (&a[..M * K], &b[..K * N], &mut c[..M * N]);
    for j in 0..N {
        for i in 0..M {
            let mut sum = c[i + j * M];
            for p in 0..K {
                sum = mul_add(a[i + p * M], b[p + j * K], sum);
            }
            c[i + j * M] = sum;
        }
    }
}

/// Like [`dot_loops`], with each column of C in an array.
#[inline(always)]
pub(crate) fn column_loops<T: Element, const M: usize, const N: usize, const K: usize>(
    a: &[T],
    b: &[T],
    c: &mut [T],
    mul_add: impl Fn(T, T, T) -> T,
) {
    let (a, b, c) = (&a[..M * K], &b[..K * N], &mut c[..M * N]);
    for j in 0..N {
        let mut sums = [T::default(); M];
        sums.copy_from_slice(&c[j * M..][..M]);
        for p in 0..K {
            let factor = b[p + j * K];
            for i in 0..M {
                sums[i] = mul_add(a[i + p * M], factor, sums[i]);
            }
        }
        c[j * M..][..M].copy_from_slice(&sums);
    }
}

/// The loops in functions compiled for AVX-512, as needed in a program that must start on any
/// processor.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512 {
    use super::Element;

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    pub(crate) fn dot_loops<T: Element, const M: usize, const N: usize, const K: usize>(
        a: &[T],
        b: &[T],
        c: &mut [T],
    ) {
        super::dot_loops::<T, M, N, K>(a, b, c, Element::mul_add);
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    pub(crate) fn column_loops<T: Element, const M: usize, const N: usize, const K: usize>(
        a: &[T],
        b: &[T],
        c: &mut [T],
    ) {
        super::column_loops::<T, M, N, K>(a, b, c, Element::mul_add);
    }
}
