//! Functions whose machine code `tests/codegen.rs` reads.

use layout_core::types::{AnyLayout, Cons, Layout, Nil};
use layout_kernels::simd::Level;
use layout_kernels::{Gemm, Tensor, copy_at, gemm, gemm_at};
use typenum::{
    U1, U2, U3, U4, U6, U8, U9, U10, U13, U14, U16, U18, U19, U20, U24, U25, U30, U31, U32, U48,
    U64, U256,
};

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
type Matrix<N> = Tensor<f32, Rows<N, N>>;

/// A static product that is written out.
#[unsafe(no_mangle)]
pub fn product_of_16(level: Level, a: &Matrix<U16>, b: &Matrix<U16>, c: &mut Matrix<U16>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static product with vectors that do not fill the widest register.
#[unsafe(no_mangle)]
pub fn product_of_24(level: Level, a: &Matrix<U24>, b: &Matrix<U24>, c: &mut Matrix<U24>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static product whose rows end in a part of a register.
#[unsafe(no_mangle)]
pub fn product_of_31(level: Level, a: &Matrix<U31>, b: &Matrix<U31>, c: &mut Matrix<U31>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static product with vectors along K.
#[unsafe(no_mangle)]
pub fn product_of_rows(
    level: Level,
    a: &Tensor<f32, Rows<U1, U64>>,
    b: &Tensor<f32, Columns>,
    c: &mut Tensor<f32, Rows<U1, U64>>,
) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static product that is written out in the caller.
#[unsafe(no_mangle)]
pub fn product_of_2(a: &Matrix<U2>, b: &Matrix<U2>, c: &mut Matrix<U2>) {
    gemm(1.0, a, b, 1.0, c);
}

/// A static product whose C is one register.
#[unsafe(no_mangle)]
pub fn product_of_4(level: Level, a: &Matrix<U4>, b: &Matrix<U4>, c: &mut Matrix<U4>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// A static product with a loop over K.
#[unsafe(no_mangle)]
pub fn product_of_32(level: Level, a: &Matrix<U32>, b: &Matrix<U32>, c: &mut Matrix<U32>) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

/// Static products of some elements, by their extents.
macro_rules! products {
    ($all:ident: $($name:ident: $t:ty, $m:ty, $n:ty, $k:ty;)*) => {
        $(
            /// See [`products`].
            #[unsafe(no_mangle)]
            pub fn $name(
                level: Level,
                a: &Tensor<$t, Rows<$m, $k>>,
                b: &Tensor<$t, Rows<$k, $n>>,
                c: &mut Tensor<$t, Rows<$m, $n>>,
            ) {
                gemm_at(level, 1.0, a, b, 1.0, c);
            }
        )*

        fn $all(level: Level) {
            $($name(level, &Tensor::full(1.0), &Tensor::full(1.0), &mut Tensor::zeros());)*
        }
    };
}

// The largest tiles: of so many rows that one more would not fit the registers, with rows of one to
// four vectors, and some that end in a part of one.
products! { largest_tiles:
    tiles_of_13_by_8: f32, U13, U8, U24;
    tiles_of_16_by_16: f32, U16, U16, U24;
    tiles_of_14_by_32: f32, U14, U32, U24;
    tiles_of_14_by_31: f32, U14, U31, U24;
    tiles_of_9_by_48: f32, U9, U48, U24;
    tiles_of_6_by_64: f32, U6, U64, U24;
    doubles_of_16_by_8: f64, U16, U8, U24;
    doubles_of_14_by_16: f64, U14, U16, U24;
    doubles_of_9_by_24: f64, U9, U24, U24;
    doubles_of_6_by_31: f64, U6, U31, U24;
}

// Few steps along K.
products! { few_steps:
    steps_of_24_by_48: f32, U24, U48, U10;
    steps_of_18_by_19: f64, U18, U19, U4;
    steps_of_25_by_30: f64, U25, U30, U9;
    short_k_24_by_48: f32, U24, U48, U9;
    short_k_31_by_32: f32, U31, U32, U4;
    short_k_13_by_24: f64, U13, U24, U3;
    short_k_13_by_8: f64, U13, U8, U8;
}

// C with short rows.
products! { short_rows:
    narrow_c_32_by_3: f32, U32, U3, U9;
    narrow_c_20_by_2: f64, U20, U2, U8;
}

/// A static product with a function of each element of C.
#[unsafe(no_mangle)]
pub fn product_then_relu(
    level: Level,
    a: &Matrix<U32>,
    b: &Matrix<U32>,
    c: &mut Matrix<U32>,
    bias: &[f32; 32],
) {
    let relu = |x: f32, (_, n): (usize, usize)| (x + bias[n]).max(0.0);
    Gemm::new(1.0, 1.0).then(relu).run_at(level, a, b, c);
}

/// A static transposition of whole tiles.
#[unsafe(no_mangle)]
pub fn transposition_of_64(level: Level, a: &Matrix<U64>, b: &mut Tensor<f32, Columns>) {
    copy_at(level, a, b);
}

type Columns = Layout<Pair<U64, U64>, Pair<U1, U64>>;

/// A static copy of runs of 8 elements.
#[unsafe(no_mangle)]
pub fn rows_from_tiles(level: Level, a: &Tensor<f32, Tiles>, b: &mut Matrix<U32>) {
    copy_at(level, a, b);
}

type Tiles = Layout<Pair<Pair<U8, U4>, Pair<U8, U4>>, Pair<Pair<U8, U256>, Pair<U1, U64>>>;

/// A static layout at a constant coordinate.
#[unsafe(no_mangle)]
pub fn constant_offset() -> usize {
    Rows::<U16, U32>::default().offset((3, 5))
}

fn main() {
    let (a, b) = (Matrix::<U16>::full(1.0), Matrix::<U16>::full(2.0));
    let (g, h) = (Matrix::<U24>::full(1.0), Matrix::<U24>::full(2.0));
    let mut i = Matrix::<U24>::zeros();
    let (d, e) = (Matrix::<U32>::full(1.0), Matrix::<U32>::full(2.0));
    let (mut c, mut f) = (Matrix::<U16>::zeros(), Matrix::<U32>::zeros());
    let (j, mut k) = (Matrix::<U31>::full(1.0), Matrix::<U31>::zeros());
    let (row, mut product) = (Tensor::full(1.0), Tensor::zeros());
    let mut two = Matrix::<U2>::zeros();
    let mut four = Matrix::<U4>::zeros();
    product_of_2(&Matrix::full(1.0), &Matrix::full(2.0), &mut two);
    let mut columns = Tensor::zeros();
    let tiles = Tensor::full(3.0);
    for level in Level::available() {
        transposition_of_64(level, &Matrix::full(1.0), &mut columns);
        rows_from_tiles(level, &tiles, &mut f);
        product_of_4(level, &Matrix::full(1.0), &Matrix::full(2.0), &mut four);
        product_of_16(level, &a, &b, &mut c);
        product_of_24(level, &g, &h, &mut i);
        product_of_31(level, &j, &j, &mut k);
        product_of_rows(level, &row, &columns, &mut product);
        product_of_32(level, &d, &e, &mut f);
        product_then_relu(level, &d, &e, &mut f, &[1.0; 32]);
        largest_tiles(level);
        few_steps(level);
        short_rows(level);
        println!(
            "{level}: {} {}",
            c.as_slice()[constant_offset()],
            i.as_slice()[0] + f.as_slice()[0] + k.as_slice()[0] + product.as_slice()[0]
        );
    }
    println!("{} {}", two.as_slice()[0], four.as_slice()[0]);
}
