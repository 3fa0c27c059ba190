//! Matrix products compared with three nested loops, at every level, for static, mixed and dynamic
//! layouts.

mod common;

use common::{Pair, Random, flat};
use layout_core::engine::{DynLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Dyn, IntoResult, Layout, Mixed};
use layout_kernels::simd::Level;
use layout_kernels::{Float, Tensor, View, ViewMut, gemm, gemm_at};
use typenum::*;

/// Element types with exact products and sums, so that results can be compared for equality.
trait Exact: Float {
    fn from_small(x: i32) -> Self;
    fn to_f64(self) -> f64;
}

impl Exact for f32 {
    fn from_small(x: i32) -> Self {
        x as f32
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Exact for f64 {
    fn from_small(x: i32) -> Self {
        x.into()
    }
    fn to_f64(self) -> f64 {
        self
    }
}

/// Integers from -4 to 4.
fn elements<T: Exact>(random: &mut Random, n: usize) -> Vec<T> {
    (0..n).map(|_| T::from_small(random.below(9) as i32 - 4)).collect()
}

const GUARD: usize = 24;

/// The offsets of a matrix, as `[m][n]`.
fn offsets(layout: &DynLayout) -> Vec<Vec<usize>> {
    let (m, n) = (layout.mode(0).size(), layout.mode(1).size());
    let at = |i, j| layout.offset_of(&IntTuple::flat(&[i, j]).unwrap()).unwrap();
    (0..m).map(|i| (0..n).map(|j| at(i, j)).collect()).collect()
}

/// One product in these layouts. Elements around C and in its gaps must not change.
fn check<T: Exact, A: AnyLayout, B: AnyLayout, C: AnyLayout>(
    level: Level,
    (a, b, c): (A, B, C),
    (alpha, beta): (f64, f64),
    to: impl Fn(f64) -> T,
    seed: u64,
) {
    let (da, db, dc) = (a.to_dyn().unwrap(), b.to_dyn().unwrap(), c.to_dyn().unwrap());
    let mut random = Random::new(seed);
    let a_data: Vec<T> = elements(&mut random, da.cosize());
    let b_data: Vec<T> = elements(&mut random, db.cosize());
    let before: Vec<T> = elements(&mut random, dc.cosize() + 2 * GUARD);
    let mut after = before.clone();

    let (ao, bo, co) = (offsets(&da), offsets(&db), offsets(&dc));
    let mut expected: Vec<f64> = before.iter().map(|x| x.to_f64()).collect();
    for (m, row) in co.iter().enumerate() {
        for (n, &place) in row.iter().enumerate() {
            let sum: f64 = ao[m]
                .iter()
                .zip(&bo)
                .map(|(&i, row)| a_data[i].to_f64() * b_data[row[n]].to_f64())
                .sum();
            let old = &mut expected[GUARD + place];
            *old = alpha * sum + if beta == 0.0 { 0.0 } else { beta * *old };
        }
    }

    let a_view = View::new_in(&a_data, a).unwrap();
    let b_view = View::new_in(&b_data, b).unwrap();
    let end = after.len() - GUARD;
    let mut c_view = ViewMut::new_in(&mut after[GUARD..end], c).unwrap();
    let outcome = gemm_at(level, to(alpha), &a_view, &b_view, to(beta), &mut c_view);
    outcome.into_result().unwrap();
    let after: Vec<f64> = after.iter().map(|x| x.to_f64()).collect();
    assert_eq!(after, expected, "{level}: {alpha} * {a} * {b} + {beta} * {c}");
}

const FACTORS: [(f64, f64); 6] =
    [(1.0, 0.0), (1.0, 1.0), (-0.5, 0.0), (-0.5, 1.0), (1.0, -0.5), (0.0, -0.5)];

/// Both element types, at every level, with all factors.
fn check_all<A: AnyLayout, B: AnyLayout, C: AnyLayout>(layouts: (A, B, C)) {
    for level in Level::available() {
        for (i, factors) in FACTORS.into_iter().enumerate() {
            check::<f32, _, _, _>(level, layouts, factors, |x| x as f32, i as u64);
            check::<f64, _, _, _>(level, layouts, factors, |x| x, i as u64);
        }
    }
}

/// The static layouts, and the same layouts as dynamic ones.
fn check_static<A, B, C>()
where
    A: AnyLayout + Default,
    B: AnyLayout + Default,
    C: AnyLayout + Default,
{
    let (a, b, c) = (A::default(), B::default(), C::default());
    check_all((a, b, c));
    check_all((a.to_dyn().unwrap(), b.to_dyn().unwrap(), c.to_dyn().unwrap()));
    check_all((a, b.to_dyn().unwrap(), c));
}

macro_rules! product {
    ($test:ident: $a:ty, $b:ty, $c:ty) => {
        #[test]
        fn $test() {
            check_static::<$a, $b, $c>();
        }
    };
}

type Strided<M, N, SM, SN> = Layout<Pair<M, N>, Pair<SM, SN>>;
type Rows<M, N> = Strided<M, N, N, U1>;
type Columns<M, N> = Strided<M, N, U1, M>;

product!(one_element: Rows<U1, U1>, Rows<U1, U1>, Rows<U1, U1>);
product!(row_times_column: Rows<U1, U7>, Rows<U7, U1>, Rows<U1, U1>);
product!(column_times_row: Rows<U9, U1>, Rows<U1, U5>, Rows<U9, U5>);
product!(four: Rows<U4, U4>, Rows<U4, U4>, Rows<U4, U4>);
product!(eight_in_columns: Columns<U8, U8>, Columns<U8, U8>, Columns<U8, U8>);
product!(odd: Rows<U5, U13>, Rows<U13, U9>, Rows<U5, U9>);
product!(odd_in_columns: Columns<U5, U13>, Columns<U13, U9>, Columns<U5, U9>);
// Tiny products, cheaper than a kernel call: fully unrolled into the caller.
product!(two: Rows<U2, U2>, Rows<U2, U2>, Rows<U2, U2>);
product!(tiny_in_columns: Columns<U3, U2>, Columns<U2, U4>, Columns<U3, U4>);
product!(tiny_in_registers: Columns<U8, U3>, Columns<U3, U2>, Columns<U8, U2>);
product!(tiny_in_rows: Rows<U3, U2>, Rows<U2, U8>, Rows<U3, U8>);
product!(tiny_and_strided: Strided<U2, U3, U1, U3>, Strided<U3, U4, U2, U9>, Strided<U2, U4, U7, U1>);
product!(small_and_strided: Strided<U2, U4, U1, U3>, Strided<U4, U5, U2, U9>, Strided<U2, U5, U7, U1>);
// C in a few registers, with operands permuted into its lanes: from one register, from several, from
// a broadcast or from none. The last register of C is a half, a quarter, or a part of these.
product!(fourteen: Columns<U3, U1>, Columns<U1, U14>, Columns<U3, U14>);
product!(five: Columns<U5, U5>, Columns<U5, U5>, Columns<U5, U5>);
product!(five_by_seven: Columns<U5, U6>, Columns<U6, U7>, Columns<U5, U7>);
product!(three_in_columns: Columns<U3, U3>, Columns<U3, U3>, Columns<U3, U3>);
product!(three_in_rows: Rows<U3, U3>, Columns<U3, U3>, Rows<U3, U3>);
product!(pairs: Columns<U2, U6>, Columns<U6, U16>, Columns<U2, U16>);
product!(quarters: Columns<U4, U4>, Columns<U4, U18>, Columns<U4, U18>);
product!(halves: Columns<U8, U1>, Columns<U1, U11>, Columns<U8, U11>);
product!(row_of_sums: Columns<U1, U5>, Columns<U5, U16>, Columns<U1, U16>);
product!(column_of_sums: Rows<U13, U2>, Rows<U2, U1>, Rows<U13, U1>);
product!(eight_registers: Rows<U6, U4>, Columns<U4, U20>, Columns<U6, U20>);
product!(four_in_columns: Columns<U4, U8>, Columns<U8, U4>, Rows<U4, U4>);
product!(four_by_eight: Rows<U4, U3>, Strided<U3, U8, U8, U1>, Columns<U4, U8>);
// C in blocks of columns or rows that fill registers and share one permutation: blocks of one, three
// and five registers, operands in one to five parts, with and without a remainder of columns.
product!(blocks_of_pairs: Columns<U2, U3>, Columns<U3, U26>, Columns<U2, U26>);
product!(blocks_of_long_pairs: Columns<U2, U8>, Columns<U8, U27>, Columns<U2, U27>);
product!(blocks_of_threes: Columns<U3, U6>, Columns<U6, U32>, Columns<U3, U32>);
product!(blocks_of_fours: Columns<U4, U5>, Columns<U5, U33>, Columns<U4, U33>);
product!(blocks_of_four_and_one: Columns<U4, U1>, Columns<U1, U18>, Columns<U4, U18>);
product!(blocks_of_fives: Rows<U5, U2>, Columns<U2, U35>, Columns<U5, U35>);
product!(blocks_of_rows: Rows<U51, U4>, Columns<U4, U3>, Rows<U51, U3>);
product!(blocks_of_eights: Columns<U8, U1>, Columns<U1, U9>, Columns<U8, U9>);
// C with short columns or rows, and B transposed in registers: blocks of as many columns as lanes, or
// fewer, with K a multiple of a quarter register or not.
product!(turned_pairs: Columns<U2, U22>, Columns<U22, U17>, Columns<U2, U17>);
product!(turned_threes: Columns<U3, U8>, Columns<U8, U32>, Columns<U3, U32>);
product!(turned_fives: Rows<U5, U11>, Strided<U11, U23, U1, U13>, Columns<U5, U23>);
product!(turned_rows: Rows<U21, U10>, Columns<U10, U4>, Rows<U21, U4>);
product!(turned_sixes: Columns<U6, U30>, Columns<U30, U25>, Columns<U6, U25>);
// Rows whose last register is a half, a quarter, or a part of these.
product!(twelve: Columns<U12, U12>, Columns<U12, U12>, Columns<U12, U12>);
product!(twenty: Rows<U7, U9>, Rows<U9, U20>, Rows<U7, U20>);
product!(seventeen: Rows<U17, U5>, Rows<U5, U17>, Rows<U17, U17>);
// K is so small that B stays in registers; rows end in several partial registers.
product!(three_steps: Rows<U5, U3>, Rows<U3, U31>, Rows<U5, U31>);
product!(twelve_steps: Rows<U10, U12>, Rows<U12, U24>, Rows<U10, U24>);
product!(nine_steps: Rows<U6, U9>, Rows<U9, U48>, Rows<U6, U48>);
product!(nine_steps_and_a_part: Rows<U6, U9>, Rows<U9, U24>, Rows<U6, U24>);
product!(thirteen_steps: Rows<U6, U13>, Rows<U13, U24>, Rows<U6, U24>);
product!(eight_steps: Rows<U20, U8>, Rows<U8, U35>, Strided<U20, U35, U40, U1>);
// Both operands are contiguous along K: vectors along K, the last one partial.
product!(row_times_columns: Rows<U1, U37>, Columns<U37, U11>, Columns<U1, U11>);
product!(rows_times_column: Rows<U11, U37>, Columns<U37, U1>, Rows<U11, U1>);
product!(short_row_times_columns: Columns<U1, U7>, Columns<U7, U14>, Columns<U1, U14>);
product!(rows_times_short_column: Rows<U7, U6>, Columns<U6, U1>, Strided<U7, U1, U3, U1>);
product!(few_rows_times_columns: Rows<U2, U64>, Columns<U64, U9>, Strided<U2, U9, U1, U5>);
product!(row_times_column_alone: Rows<U1, U100>, Columns<U100, U1>, Rows<U1, U1>);
// One row of five vectors, the last one partial.
product!(five_vectors: Columns<U33, U17>, Columns<U17, U1>, Columns<U33, U1>);
product!(sixteen: Rows<U16, U16>, Rows<U16, U16>, Rows<U16, U16>);
product!(thirty_one: Rows<U31, U31>, Rows<U31, U31>, Rows<U31, U31>);
product!(thirty_three: Columns<U33, U33>, Rows<U33, U33>, Rows<U33, U33>);
product!(long: Rows<U3, U40>, Rows<U40, U33>, Columns<U3, U33>);
product!(second_transposed: Rows<U16, U16>, Columns<U16, U16>, Rows<U16, U16>);
product!(first_transposed: Columns<U12, U20>, Rows<U20, U24>, Rows<U12, U24>);
product!(result_transposed: Rows<U12, U20>, Rows<U20, U24>, Columns<U12, U24>);
product!(padded: Strided<U6, U10, U19, U1>, Strided<U10, U17, U40, U1>, Strided<U6, U17, U23, U1>);
product!(strided: Strided<U6, U10, U40, U3>, Strided<U10, U17, U50, U2>, Strided<U6, U17, U60, U3>);
product!(broadcast_inputs: Strided<U8, U6, U0, U1>, Strided<U6, U10, U0, U0>, Rows<U8, U10>);
// Few elements for many steps along K.
product!(broadcast_along_k: Rows<U8, U48>, Strided<U48, U8, U0, U2>, Rows<U8, U8>);
product!(a_broadcast_along_k: Strided<U4, U80, U3, U0>, Columns<U80, U4>, Columns<U4, U4>);

// Tiles of 4 x 8, row-major inside and outside.
type Tiled = Layout<Pair<Pair<U4, U4>, Pair<U8, U2>>, Pair<Pair<U8, U64>, Pair<U1, U32>>>;
product!(tiled: Tiled, Tiled, Tiled);

// Columns packed by 4, fewer than the lanes of most registers.
type Packed<M, S> = Layout<Pair<M, Pair<U4, U5>>, Pair<U4, Pair<U1, S>>>;
product!(packed: Rows<U12, U24>, Packed<U24, U96>, Packed<U12, U48>);

// Nested modes in one operand and flat ones in the other, with extents that no tile divides.
product!(nested:
    Layout<Pair<Pair<U3, U5>, Pair<U7, U2>>, Pair<Pair<U1, U80>, Pair<U3, U400>>>,
    Strided<U14, U21, U30, U1>,
    Layout<Pair<Pair<U5, U3>, Pair<U7, U3>>, Pair<Pair<U7, U200>, Pair<U1, U35>>>);

#[test]
fn mixed_layouts() {
    type Wide = Mixed<Pair<Dyn, U8>, Pair<U8, U1>>;
    let square = rows(8, 8);
    for m in [1, 5, 16] {
        let mixed = Wide::new(((m, ()), (((), ()), ())));
        check_all((mixed, square, mixed));
        check_all((mixed, Rows::<U8, U8>::default(), rows(m, 8)));
    }
}

/// The row-major layout as a `DynLayout`.
fn rows(m: usize, n: usize) -> DynLayout {
    flat(&[m, n], &[n, 1])
}

#[test]
fn generated_shapes_and_layouts() {
    let mut random = Random::new(1);
    let count = if cfg!(debug_assertions) { 300 } else { 3000 };
    for i in 0..count {
        let (m, n, k) = (1 + random.below(33), 1 + random.below(33), 1 + random.below(33));
        let a = random.layout(&[m, k], true);
        let b = random.layout(&[k, n], true);
        let c = random.layout(&[m, n], false);
        let factors = FACTORS[random.below(FACTORS.len())];
        for level in Level::available() {
            check::<f32, _, _, _>(level, (a, b, c), factors, |x| x as f32, i);
            check::<f64, _, _, _>(level, (a, b, c), factors, |x| x, i);
        }
    }
}

#[test]
fn large_products_are_cut_into_blocks() {
    let mut random = Random::new(2);
    let all = [[150, 70, 700], [1, 300, 900], [300, 1, 40], [61, 1100, 5], [257, 130, 300]];
    // Without optimisation, one multiply-add takes a microsecond.
    let few = if cfg!(debug_assertions) { &all[1..4] } else { &all[..] };
    for &[m, n, k] in few {
        let a = random.layout(&[m, k], true);
        let b = random.layout(&[k, n], true);
        let c = random.layout(&[m, n], false);
        for level in Level::available() {
            check::<f32, _, _, _>(level, (a, b, c), (1.0, 1.0), |x| x as f32, 3);
            check::<f64, _, _, _>(level, (a, b, c), (-0.5, 0.0), |x| x, 4);
        }
    }
}

/// Modes of many axes of 2 and 3, as in a network of tensors: more than a plan of a copy has loops.
#[test]
fn modes_of_many_axes() {
    let mut random = Random::new(11);
    let count = if cfg!(debug_assertions) { 1 } else { 6 };
    for (seed, [m, n, k]) in
        (0..count).flat_map(|i| [(i, [9, 9, 2]), (i, [3, 8, 8]), (i, [8, 6, 3])])
    {
        let extents = [m, n, k].map(|axes| (0..axes).map(|_| 2 + random.below(9) / 8).collect());
        let [m, n, k]: [Vec<usize>; 3] = extents;
        let [a, b, c] = [[&m, &k], [&k, &n], [&m, &n]].map(|modes| random.permuted(modes));
        let factors = FACTORS[random.below(FACTORS.len())];
        for level in Level::available() {
            check::<f32, _, _, _>(level, (a, b, c), factors, |x| x as f32, seed);
        }
    }
}

/// Tiles of 4 in one operand and of 6 in another, also in the whole block of a larger C.
#[test]
fn modes_without_common_axes() {
    let tiles = |[rows, columns]: [usize; 2], [height, width]: [usize; 2]| {
        let text = format!(
            "(({height},{}),({width},{})):((1,{}),({height},{}))",
            rows / height,
            columns / width,
            height * width,
            rows * width
        );
        DynLayout::parse(&text).unwrap()
    };
    let large = if cfg!(debug_assertions) { [96, 144, 60] } else { [240, 300, 120] };
    for [m, n, k] in [[12, 24, 36], large] {
        for (i, [of_a, of_b, of_c]) in
            [[[4, 4], [6, 6], [4, 6]], [[4, 6], [6, 4], [6, 6]], [[6, 4], [6, 4], [4, 4]]]
                .into_iter()
                .enumerate()
        {
            let (a, b, c) = (tiles([m, k], of_a), tiles([k, n], of_b), tiles([m, n], of_c));
            for level in Level::available() {
                check::<f32, _, _, _>(level, (a, b, c), FACTORS[i], |x| x as f32, 5);
                check::<f64, _, _, _>(level, (a, b, c), FACTORS[i], |x| x, 6);
            }
        }
    }
}

#[test]
fn few_rows_are_cut_along_k() {
    // Packing transposes B, in shorter blocks along K than those of other products.
    let columns = |last: [usize; 2]| {
        let columns = flat(&[48, 20], &last);
        move |rows| DynLayout::tuple(&[rows, columns]).unwrap()
    };
    let (a, b) = (rows(5, 700), columns([20, 1])(flat(&[700], &[960])));
    let c = columns([1, 48])(flat(&[5], &[960]));
    for level in Level::available() {
        check::<f32, _, _, _>(level, (a, b, c), (1.0, 1.0), |x| x as f32, 8);
        check::<f64, _, _, _>(level, (a, b, c), (-0.5, 0.0), |x| x, 9);
    }
}

#[test]
fn vectors_cross_the_ends_of_runs() {
    let mut random = Random::new(7);
    for i in 0..if cfg!(debug_assertions) { 40 } else { 400 } {
        let [a, b, c] = random.short_runs(&[2, 4, 6, 8, 16, 128]);
        let factors = FACTORS[random.below(FACTORS.len())];
        for level in Level::available() {
            check::<f32, _, _, _>(level, (a, b, c), factors, |x| x as f32, i);
            check::<f64, _, _, _>(level, (a, b, c), factors, |x| x, i);
        }
    }
}

#[test]
fn tiles_pack_what_they_read() {
    // Rows of B can be loaded as vectors, and B is too large to be read repeatedly.
    let layouts = (rows(17, 250), rows(250, 67), rows(17, 67));
    for level in Level::available() {
        check::<f32, _, _, _>(level, layouts, (1.0, 1.0), |x| x as f32, 5);
        check::<f64, _, _, _>(level, layouts, (1.0, 0.0), |x| x, 6);
    }
}

#[test]
fn a_matrix_times_few_vectors() {
    let columns = |m, n| flat(&[m, n], &[1, m]);
    for [m, n, k] in [[30, 1, 70], [1, 30, 70], [19, 2, 131], [2, 9, 160], [1, 1, 200], [8, 1, 64]]
    {
        check_all((rows(m, k), columns(k, n), rows(m, n)));
        check_all((rows(m, k), columns(k, n), columns(m, n)));
    }
}

/// One pass over K, from operands in place or over copies of one of them or both.
#[test]
fn few_rows_and_columns_of_a_long_k() {
    for [m, n, k] in [[2, 2, 4200], [3, 5, 1400], [9, 13, 650]] {
        for order in 0..8 {
            let layout = |[rows, columns]: [usize; 2], bit: usize| match order & bit {
                0 => flat(&[rows, columns], &[columns, 1]),
                _ => flat(&[rows, columns], &[1, rows]),
            };
            let layouts = (layout([m, k], 1), layout([k, n], 2), layout([m, n], 4));
            for level in Level::available() {
                match order % 2 {
                    0 => check::<f32, _, _, _>(level, layouts, (-0.5, 1.0), |x| x as f32, 12),
                    _ => check::<f64, _, _, _>(level, layouts, (1.0, 0.0), |x| x, 13),
                }
            }
        }
    }
}

#[test]
fn inner_products_are_cut_along_k() {
    // The columns of B have more than half of 2 MB.
    let (m, n, k) = (5, 4, 70_001);
    let layouts = (rows(m, k), flat(&[k, n], &[1, k]), rows(m, n));
    for level in Level::available() {
        check::<f32, _, _, _>(level, layouts, (-0.5, 1.0), |x| x as f32, 10);
        check::<f64, _, _, _>(level, layouts, (2.0, 0.0), |x| x, 11);
    }
}

#[test]
fn beta_zero_does_not_read_c() {
    type Square = Rows<U12, U12>;
    for level in Level::available() {
        for alpha in [0.0, 1.0, 2.0] {
            let a = Tensor::<f32, Square>::full(1.0);
            let mut c = Tensor::<f32, Square>::full(f32::NAN);
            gemm_at(level, alpha, &a, &a, 0.0, &mut c);
            assert_eq!(c.as_slice(), [alpha * 12.0; 144], "{level}");
            let a = Tensor::full_in(rows(12, 12), 1f32).unwrap();
            let mut c = Tensor::full_in(rows(12, 12), f32::NAN).unwrap();
            gemm_at(level, alpha, &a, &a, 0.0, &mut c).unwrap();
            assert_eq!(c.as_slice(), [alpha * 12.0; 144], "{level}");
        }
    }
}

#[test]
fn alpha_zero_does_not_read_a_and_b() {
    type Square = Rows<U12, U12>;
    for level in Level::available() {
        let a = Tensor::<f64, Square>::full(f64::NAN);
        let mut c = Tensor::<f64, Square>::full(3.0);
        gemm_at(level, 0.0, &a, &a, 2.0, &mut c);
        assert_eq!(c.as_slice(), [6.0; 144], "{level}");
        let a = Tensor::full_in(rows(12, 12), f64::NAN).unwrap();
        gemm_at(level, 0.0, &a, &a, 2.0, &mut c).unwrap();
        assert_eq!(c.as_slice(), [12.0; 144], "{level}");
    }
}

#[test]
fn nan_and_infinity_stay() {
    type Square = Rows<U9, U9>;
    fn run<L: AnyLayout>(level: Level, layout: L) {
        let mut data = [1f32; 81];
        data[3 * 9 + 2] = f32::NAN;
        data[5 * 9 + 8] = f32::INFINITY;
        let (ones, mut c) = ([1f32; 81], [0f32; 81]);
        let outcome = gemm_at(
            level,
            1.0,
            &View::new_in(&data, layout).unwrap(),
            &View::new_in(&ones, layout).unwrap(),
            1.0,
            &mut ViewMut::new_in(&mut c, layout).unwrap(),
        );
        outcome.into_result().unwrap();
        for (i, x) in c.into_iter().enumerate() {
            match i / 9 {
                3 => assert!(x.is_nan(), "{level}"),
                5 => assert_eq!(x, f32::INFINITY, "{level}"),
                _ => assert_eq!(x, 9.0, "{level}"),
            }
        }
    }
    for level in Level::available() {
        run(level, Square::default());
        run(level, rows(9, 9));
    }
}

#[test]
fn empty_modes() {
    for level in Level::available() {
        for [m, n, k] in [[0, 3, 4], [3, 0, 4], [3, 4, 0], [0, 0, 0]] {
            let a = Tensor::full_in(rows(m, k), 1f32).unwrap();
            let b = Tensor::full_in(rows(k, n), 1f32).unwrap();
            let mut c = Tensor::full_in(rows(m, n), 2f32).unwrap();
            gemm_at(level, 1.0, &a, &b, 0.5, &mut c).unwrap();
            assert_eq!(c.as_slice(), vec![1.0; m * n], "{level}");
        }
    }
}

#[test]
fn shapes_that_make_no_product() {
    let tensor = |layout: DynLayout| Tensor::<f32, _>::zeros_in(layout).unwrap();
    let (a, b) = (tensor(rows(4, 8)), tensor(rows(9, 16)));
    type Dynamic = Tensor<f32, DynLayout>;
    let error = |a: &Dynamic, b: &Dynamic, c: &mut Dynamic| {
        gemm(1.0, a, b, 0.0, c).unwrap_err().to_string()
    };
    assert_eq!(
        error(&a, &b, &mut tensor(rows(4, 16))),
        "gemm: A is (4,8) but B is (9,16): A has 8 columns, B has 9 rows"
    );
    let b = tensor(rows(8, 16));
    assert_eq!(
        error(&a, &b, &mut tensor(rows(5, 16))),
        "gemm: A is (4,8) but C is (5,16): A has 4 rows, C has 5 rows"
    );
    assert_eq!(
        error(&a, &b, &mut tensor(DynLayout::parse("(4,(3,6)):(18,(1,3))").unwrap())),
        "gemm: B is (8,16) but C is (4,(3,6)): B has 16 columns, C has 18 columns"
    );
    let cube = tensor(DynLayout::parse("(4,8,2):(16,2,1)").unwrap());
    let refused = gemm(1.0, &cube, &b, 0.0, &mut tensor(rows(4, 16))).unwrap_err();
    assert!(matches!(refused, LayoutError::MatrixRank { operand: "gemm: A", .. }));
    assert_eq!(refused.to_string(), "gemm: A has shape (4,8,2), but a matrix has 2 modes, not 3");
}
