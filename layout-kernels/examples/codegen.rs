//! Functions whose machine code `tests/codegen.rs` reads.

use layout_core::types::{AnyLayout, Cons, Layout, Nil};
use layout_kernels::simd::Level;
use layout_kernels::{Tensor, gemm_at};
use typenum::{U1, U16, U32};

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
type Matrix<N> = Tensor<f32, Rows<N, N>>;

/// A static product that is written out.
#[unsafe(no_mangle)]
pub fn product_of_16(level: Level, a: &Matrix<U16>, b: &Matrix<U16>, c: &mut Matrix<U16>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static product with a loop over K.
#[unsafe(no_mangle)]
pub fn product_of_32(level: Level, a: &Matrix<U32>, b: &Matrix<U32>, c: &mut Matrix<U32>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static layout at a constant coordinate.
#[unsafe(no_mangle)]
pub fn constant_offset() -> usize {
    Rows::<U16, U32>::default().offset((3, 5))
}

fn main() {
    let (a, b) = (Matrix::<U16>::full(1.0), Matrix::<U16>::full(2.0));
    let (d, e) = (Matrix::<U32>::full(1.0), Matrix::<U32>::full(2.0));
    let (mut c, mut f) = (Matrix::<U16>::zeros(), Matrix::<U32>::zeros());
    for level in Level::available() {
        product_of_16(level, &a, &b, &mut c);
        product_of_32(level, &d, &e, &mut f);
        println!("{level}: {} {}", c.as_slice()[constant_offset()], f.as_slice()[0]);
    }
}
