//! Functions whose machine code `tests/ui/codegen` reads.

use layout_core::engine::DynLayout;
use layout_core::types::{Cons, Layout, Nil};
use layout_kernels::simd::Level;
use layout_kernels::{Gemm, Tensor, axpby, copy, gemm, gemm_at};
use typenum::{U1, U2, U3, U4, U5, U7, U8, U9, U13, U14, U16, U24, U32, U64};

type Pair<A, B> = Cons<A, Cons<B, Nil>>;
type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
type Matrix<N> = Tensor<f32, Rows<N, N>>;

/// A static product that is fully unrolled in the caller.
#[unsafe(no_mangle)]
pub fn product_of_2(a: &Matrix<U2>, b: &Matrix<U2>, c: &mut Matrix<U2>) {
    gemm(1.0, a, b, 1.0, c);
}

/// A static product with vectors along K.
#[unsafe(no_mangle)]
pub fn product_of_rows(
    level: Level,
    a: &Tensor<f32, Rows<U1, U64>>,
    b: &Tensor<f32, Columns<U64>>,
    c: &mut Tensor<f32, Rows<U1, U64>>,
) {
    gemm_at(level, 1.0, a, b, 1.0, c);
}

type Columns<N> = Layout<Pair<N, N>, Pair<U1, N>>;

/// Static products of some elements, by their extents.
macro_rules! products {
    ($($name:ident: $t:ty, $m:ty, $n:ty, $k:ty;)*) => {
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

        fn products(level: Level) -> f64 {
            let mut sum = 0.0;
            $(
                let mut c = Tensor::zeros();
                $name(level, &Tensor::full(1.0), &Tensor::full(1.0), &mut c);
                sum += f64::from(c.as_slice()[0]);
            )*
            sum
        }
    };
}

products! {
    // One register is a row, several are, and rows end in a mask or in half a register.
    product_of_5: f32, U5, U5, U5;
    product_of_9: f32, U9, U9, U9;
    product_of_16: f32, U16, U16, U16;
    product_of_24: f32, U24, U24, U24;
    doubles_of_4: f64, U4, U4, U4;
    doubles_of_7: f64, U7, U7, U7;
    // The largest tiles: one more row would not fit the registers.
    tiles_of_13_by_8: f32, U13, U8, U24;
    doubles_of_14_by_16: f64, U14, U16, U24;
    // Few steps along K.
    short_k_13_by_24: f64, U13, U24, U3;
    // C with short rows.
    narrow_c_32_by_3: f32, U32, U3, U9;
    // By tiles that all products share.
    product_of_64: f32, U64, U64, U64;
}

/// A small static product with a function of each element of C.
#[unsafe(no_mangle)]
pub fn product_then_relu(
    level: Level,
    a: &Matrix<U16>,
    b: &Matrix<U16>,
    c: &mut Matrix<U16>,
    bias: &[f32; 16],
) {
    let relu = |x: f32, (_, n): (usize, usize)| (x + bias[n]).max(0.0);
    Gemm::new(1.0, 1.0).then(relu).run_at(level, a, b, c);
}

/// A static transposition of one tile.
#[unsafe(no_mangle)]
pub fn transposition_of_4(a: &Matrix<U4>, b: &mut Tensor<f32, Columns<U4>>) {
    copy(a, b);
}

/// Rows with gaps between them.
type Spaced = Layout<Pair<U4, U4>, Pair<U8, U1>>;

/// A static copy of a few runs.
#[unsafe(no_mangle)]
pub fn rows_of_4_from_8(a: &Tensor<f32, Spaced>, b: &mut Tensor<f32, Rows<U4, U4>>) {
    copy(a, b);
}

/// A static layout at a constant coordinate.
#[unsafe(no_mangle)]
pub fn constant_offset() -> usize {
    Rows::<U16, U32>::default().offset((3, 5))
}

/// Calls with dynamic layouts, whose errors are unwrapped.
#[unsafe(no_mangle)]
pub fn calls_with_dynamic_layouts(a: &Tensor<f32, DynLayout>, b: &mut Tensor<f32, DynLayout>) {
    copy(a, b).expect("one shape");
    axpby(2.0, a, 3.0, b).expect("one shape");
}

fn main() {
    let one = || Tensor::full_in(DynLayout::UNIT, 1.0).expect("a small layout");
    calls_with_dynamic_layouts(&one(), &mut one());
    let (row, columns) = (Tensor::full(1.0), Tensor::full(1.0));
    let (mut product, mut two, mut relu) = (Tensor::zeros(), Matrix::zeros(), Matrix::zeros());
    let (mut transposed, mut rows) = (Tensor::zeros(), Tensor::zeros());
    product_of_2(&Matrix::full(1.0), &Matrix::full(2.0), &mut two);
    transposition_of_4(&Matrix::full(1.0), &mut transposed);
    rows_of_4_from_8(&Tensor::full(1.0), &mut rows);
    println!("{} {} {}", two.as_slice()[0], transposed.as_slice()[0], rows.as_slice()[0]);
    for level in Level::available() {
        product_of_rows(level, &row, &columns, &mut product);
        product_then_relu(level, &Matrix::full(1.0), &Matrix::full(1.0), &mut relu, &[1.0; 16]);
        let all = [products(level), product.as_slice()[0].into(), relu.as_slice()[0].into()];
        println!("{level}: {all:?} {}", constant_offset());
    }
}
