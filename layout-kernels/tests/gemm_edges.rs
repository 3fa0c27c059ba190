//! Products of extreme layouts: huge strides that are never stepped along, empty products, and
//! extents of 1.

mod common;

use std::fmt::Debug;
use std::ops::Add;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Pair, Random};
use layout_core::engine::{DynLayout, IntTuple};
use layout_core::types::{AnyLayout, Layout};
use layout_kernels::simd::Level;
use layout_kernels::{Gemm, GemmPlan, Multiply, Par, View, ViewMut, gemm, gemm_at};
use typenum::consts::*;

/// The largest stride.
const HUGE: usize = isize::MAX as usize;

/// Element types, with exact sums.
trait Number: Copy + Debug + PartialEq + Default + Send + Sync + 'static {
    fn of(x: usize) -> Self;
    fn to_i64(self) -> i64;
}

macro_rules! number {
    ($($t:ty: |$x:ident| $small:expr, |$y:ident| $to:expr;)*) => {$(
        impl Number for $t {
            fn of($x: usize) -> Self {
                $small
            }
            fn to_i64(self) -> i64 {
                let $y = self;
                $to
            }
        }
    )*};
}
number! {
    f32: |x| x as f32 - 3.0, |x| x as i64;
    f64: |x| x as f64 - 3.0, |x| x as i64;
    u8: |x| x as u8, |x| x.into();
    i8: |x| x as i8 - 3, |x| x.into();
    i32: |x| x as i32 - 3, |x| x.into();
}
#[cfg(feature = "half")]
number! {
    half::bf16: |x| half::bf16::from_f32(x as f32 - 3.0), |x| x.to_f32() as i64;
    half::f16: |x| half::f16::from_f32(x as f32 - 3.0), |x| x.to_f32() as i64;
}

/// The offsets of a matrix, as `[m][n]`; empty for an empty matrix.
fn offsets(layout: &DynLayout) -> Vec<Vec<usize>> {
    if layout.size() == 0 {
        return Vec::new();
    }
    let (rows, columns) = (layout.mode(0), layout.mode(1));
    let columns: Vec<_> = (0..columns.size()).map(|j| columns.offset_of_index(j)).collect();
    let row = |i| columns.iter().map(|j| rows.offset_of_index(i) + j).collect();
    (0..rows.size()).map(row).collect()
}

/// One product at every level, with and without a function of finished elements, compared with three
/// loops.
fn check<X, Y>([a, b, c]: [DynLayout; 3], random: &mut Random)
where
    X: Multiply<Y, Sum: Number + Add<Output = X::Sum>> + Number,
    Y: Number,
{
    let a_data: Vec<X> = (0..a.cosize()).map(|_| X::of(random.below(7))).collect();
    let b_data: Vec<Y> = (0..b.cosize()).map(|_| Y::of(random.below(7))).collect();
    let before: Vec<X::Sum> = (0..c.cosize()).map(|_| Number::of(random.below(7))).collect();
    let some = c.size() > 0 && a.size() > 0;
    let [ao, bo] = [&a, &b].map(|l| if some { offsets(l) } else { Vec::new() });
    let co = offsets(&c);
    for beta in [0, 1] {
        let mut sums: Vec<i64> = before.iter().map(|x| x.to_i64()).collect();
        let mut finished = sums.clone();
        for (i, row) in co.iter().enumerate() {
            for (j, &place) in row.iter().enumerate() {
                let pairs = ao.get(i).into_iter().flatten().zip(&bo);
                let products = pairs.map(|(&x, y)| a_data[x].to_i64() * b_data[y[j]].to_i64());
                sums[place] = products.sum::<i64>() + beta * sums[place];
                finished[place] = sums[place] + (i + 2 * j) as i64;
            }
        }
        let (alpha, beta) = (Number::of(4), Number::of(3 + beta as usize));
        for level in Level::available() {
            let (av, bv) = (View::new_in(&a_data, a).unwrap(), View::new_in(&b_data, b).unwrap());
            let mut after = before.clone();
            let mut cv = ViewMut::new_in(&mut after, c).unwrap();
            gemm_at(level, alpha, &av, &bv, beta, &mut cv).unwrap();
            let after: Vec<i64> = after.iter().map(|x| x.to_i64()).collect();
            assert!(after == sums, "{level}: {a} * {b} to {c}");

            let mut after = before.clone();
            let mut cv = ViewMut::new_in(&mut after, c).unwrap();
            let add = |x: X::Sum, (i, j): (usize, usize)| x + Number::of(3 + i + 2 * j);
            Gemm::new(alpha, beta).then(add).run_at(level, &av, &bv, &mut cv).unwrap();
            let after: Vec<i64> = after.iter().map(|x| x.to_i64()).collect();
            assert!(after == finished, "{level}, then: {a} * {b} to {c}");
        }
    }
}

/// All element types.
fn check_all(layouts: [DynLayout; 3], random: &mut Random) {
    check::<f32, f32>(layouts, random);
    check::<f64, f64>(layouts, random);
    check::<u8, i8>(layouts, random);
    check::<i8, u8>(layouts, random);
    check::<i8, i8>(layouts, random);
    #[cfg(feature = "half")]
    {
        check::<half::bf16, half::bf16>(layouts, random);
        check::<half::f16, half::f16>(layouts, random);
    }
}

/// A matrix whose extents of 1 have the largest strides: as `m`, as `(m)`, or with extra `1`s in
/// tuples.
fn matrix(random: &mut Random, sizes: [usize; 2]) -> DynLayout {
    let first = random.below(2);
    let mut strides = [0; 2];
    let mut step = 1;
    for i in [first, 1 - first] {
        strides[i] = if sizes[i] == 1 { HUGE } else { step };
        step *= sizes[i];
    }
    let nesting = random.below(4);
    let mode = |size: usize, stride: usize| {
        let (shape, stride): (&[_], &[_]) = match nesting {
            0 => return (IntTuple::leaf(size), IntTuple::leaf(stride)),
            1 => (&[size], &[stride]),
            2 => (&[1, size], &[HUGE, stride]),
            _ => (&[size, 1, 1], &[stride, HUGE, HUGE / 2]),
        };
        (IntTuple::flat(shape).unwrap(), IntTuple::flat(stride).unwrap())
    };
    let (rows, columns) = (mode(sizes[0], strides[0]), mode(sizes[1], strides[1]));
    DynLayout::new(&rows.0.pair(&columns.0), &rows.1.pair(&columns.1)).unwrap()
}

#[test]
fn strides_of_extents_of_one_mean_nothing() {
    let mut random = Random::new(1);
    let sizes = [1, 1, 1, 2, 3, 8, 17, 33];
    for _ in 0..120 {
        let [m, n, k] = [0; 3].map(|_| random.one_of(&sizes));
        let layouts = [[m, k], [k, n], [m, n]].map(|sizes| matrix(&mut random, sizes));
        check_all(layouts, &mut random);
    }
}

#[test]
fn and_not_in_large_products() {
    let mut random = Random::new(2);
    for [m, n, k] in [
        [1, 700, 300],
        [700, 1, 300],
        [300, 200, 1],
        [1, 1, 5000],
        [1, 3000, 1],
        [5000, 1, 1],
        [1, 9, 1000],
        [60, 70, 90],
    ] {
        let layouts = [[m, k], [k, n], [m, n]].map(|sizes| matrix(&mut random, sizes));
        check::<f32, f32>(layouts, &mut random);
        check::<u8, i8>(layouts, &mut random);
    }
}

/// A plan of a B that will be packed has no strides between its vectors.
#[test]
fn plans_of_large_strides() {
    let a = DynLayout::strided(&[40, 2], &[1, 40]).unwrap();
    for n in [2, 3, 40] {
        let c = DynLayout::strided(&[40, n], &[n, 1]).unwrap();
        let b = DynLayout::strided(&[2, n], &[1, HUGE / n]).unwrap();
        for level in Level::available() {
            let plan = GemmPlan::new::<f32, f32, _, _, _>(level, &a, &b, &c);
            assert!(plan.unwrap().to_string().contains("pack"), "{b} at {level}");
        }
    }
}

/// Threads cut N where the axis that is contiguous in C has one element left, and B overlaps itself.
#[test]
#[cfg(feature = "rayon")]
fn parts_of_overlapping_columns() {
    let parse = |text: &str| DynLayout::parse(text).unwrap();
    let cases = [
        (5, "(4,4000):(4000,1)", "(4000,(17,4,3)):(60,(3,1,1))", "(4,(17,4,3)):(816,(1,34,136))"),
        (
            9,
            "(4,4000):(4000,1)",
            "(4000,(65,8,3)):(100,(3,1,1))",
            "(4,(65,8,3)):(4000,(1,130,1040))",
        ),
    ];
    for (threads, a, b, c) in cases {
        let (a, b, c) = (parse(a), parse(b), parse(c));
        let a_data: Vec<f64> = (0..a.cosize()).map(|i| (i % 5) as f64).collect();
        let b_data: Vec<f64> = (0..b.cosize()).map(|i| (i % 7) as f64 - 3.0).collect();
        let (av, bv) = (View::new_in(&a_data, a).unwrap(), View::new_in(&b_data, b).unwrap());
        let (ao, bo, co) = (offsets(&a), offsets(&b), offsets(&c));
        for level in Level::available() {
            let mut result = vec![f64::NAN; c.cosize()];
            let mut cv = ViewMut::new_in(&mut result, c).unwrap();
            let par = Par::Rayon(std::num::NonZero::new(threads).unwrap());
            Gemm::new(1.0, 0.0).par(par).run_at(level, &av, &bv, &mut cv).unwrap();
            let mut expected = vec![f64::NAN; c.cosize()];
            for (i, row) in co.iter().enumerate() {
                for (j, &place) in row.iter().enumerate() {
                    let products = ao[i].iter().zip(&bo).map(|(&x, y)| a_data[x] * b_data[y[j]]);
                    expected[place] = products.sum();
                }
            }
            let same = |(x, y): (&f64, &f64)| x == y || x.is_nan() && y.is_nan();
            assert!(result.iter().zip(&expected).all(same), "{c} at {level}");
        }
    }
}

/// Layouts of products with an extent of 0, whose other strides are as large as possible.
fn empties() -> Vec<[DynLayout; 3]> {
    const TEXTS: [[&str; 3]; 9] = [
        ["(0,2):(1,4611686018427387903)", "(2,2):(2,1)", "(0,2):(1,4611686018427387903)"],
        ["(0,2):(1,1)", "(2,2305843009213693952):(0,0)", "(0,2305843009213693952):(1,0)"],
        ["(2305843009213693952,2):(0,0)", "(2,0):(1,1)", "(2305843009213693952,0):(0,3)"],
        ["(0,2305843009213693952):(1,1)", "(2305843009213693952,3):(0,1)", "(0,3):(1,1)"],
        [
            "(0,(2,1152921504606846976)):(1,(4611686018427387904,1))",
            "((1152921504606846976,2),3):((0,0),1)",
            "(0,3):(1,1)",
        ],
        [
            "(0,0):(9223372036854775807,9223372036854775807)",
            "(0,0):(9223372036854775807,9223372036854775807)",
            "(0,0):(9223372036854775807,9223372036854775807)",
        ],
        [
            "((2,0),3):((9223372036854775000,1),4)",
            "(3,2):(1,3)",
            "((0,2),2):((7,9223372036854775000),1)",
        ],
        // K = 0: C is only scaled.
        ["(3,0):(4611686018427387903,1)", "(0,2):(1,9223372036854775806)", "(3,2):(2,1)"],
        [
            "((3,5),(0,7)):((1152921504606846976,1152921504606846976),(1,1))",
            "((7,0),2):((1152921504606846976,3),1152921504606846976)",
            "((5,3),2):((6,1),3)",
        ],
    ];
    TEXTS
        .map(|texts| texts.map(|text| DynLayout::parse(text).unwrap_or_else(|e| panic!("{e}"))))
        .into()
}

/// Nothing is read or written, and no loop runs over the other extents.
#[test]
fn products_without_elements_return_at_once() {
    let mut random = Random::new(3);
    for layouts in empties() {
        check_all(layouts, &mut random);
        let [a, b, c] = layouts;
        for level in Level::available() {
            let plan = GemmPlan::new::<f32, f32, _, _, _>(level, &a, &b, &c).unwrap();
            assert!(plan.to_string().contains("nothing"), "{plan}");
            GemmPlan::new::<u8, i8, _, _, _>(level, &a, &b, &c).unwrap();
        }
    }
}

/// The function of finished elements is never called for an empty C.
#[test]
fn nothing_is_finished_where_nothing_is() {
    let called = AtomicUsize::new(0);
    for [a, b, c] in empties().into_iter().filter(|[_, _, c]| c.size() == 0) {
        let data = [1.0f32; 8];
        let (a, b) = (View::new_in(&data, a).unwrap(), View::new_in(&data, b).unwrap());
        // An empty slice may have any address.
        let mut memory = Vec::new();
        let mut c = ViewMut::new_in(&mut memory, c).unwrap();
        for alpha in [0.0, 1.0] {
            let gemm = Gemm::new(alpha, 1.0).then(|x: f32, _| {
                called.fetch_add(1, Ordering::Relaxed);
                x
            });
            gemm.run(&a, &b, &mut c).unwrap();
            gemm.par(Par::default()).run(&a, &b, &mut c).unwrap();
        }
    }
    assert_eq!(called.load(Ordering::Relaxed), 0);
}

/// The same for static layouts, whose call returns `()`: `C += A * B`, then plus 1.
#[test]
fn static_layouts() {
    type Huge = U4611686018427387904;
    type Matrix<M, N, SM, SN> = Layout<Pair<M, N>, Pair<SM, SN>>;
    fn run<A, B, C>(a: &[f32], b: &[f32], c: &[f32]) -> Vec<f32>
    where
        A: AnyLayout + Default,
        B: AnyLayout + Default,
        C: AnyLayout + Default,
    {
        let mut results = Vec::new();
        for level in Level::available() {
            let mut result = c.to_vec();
            let (a, b) = (View::new_in(a, A::default()), View::new_in(b, B::default()));
            let mut c = ViewMut::new_in(&mut result, C::default()).unwrap();
            let _plain = Gemm::new(1.0, 1.0).then(|x: f32, _| x + 1.0).run_at(
                level,
                &a.unwrap(),
                &b.unwrap(),
                &mut c,
            );
            results.push(result);
        }
        assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
        results.swap_remove(0)
    }
    let (a, b, c) = ([1.0, 2.0, 3.0], [2.0; 3], [10.0; 6]);
    type Row<N> = Matrix<U1, N, Huge, U1>;
    type Column<M> = Matrix<M, U1, U1, Huge>;
    type One = Matrix<U1, U1, Huge, Huge>;
    let outer = run::<Column<U3>, Row<U2>, Matrix<U3, U2, U1, U3>>(&a, &b, &c);
    assert_eq!(outer, [13.0, 15.0, 17.0, 13.0, 15.0, 17.0]);
    assert_eq!(run::<One, One, One>(&a, &b, &c[..1]), [13.0]);
    assert_eq!(run::<Row<U3>, Column<U3>, One>(&a, &b, &c[..1]), [23.0]);
    // Products that are not computed by a register tile.
    let many = vec![1.0; 60_000];
    type Square = Matrix<U200, U300, U300, U1>;
    assert_eq!(run::<Row<U200>, Square, Row<U300>>(&many, &many, &many[..300]), [202.0; 300]);
    assert_eq!(run::<Square, Column<U300>, Column<U200>>(&many, &many, &many[..200]), [302.0; 200]);
    assert_eq!(run::<Column<U200>, Row<U300>, Square>(&many, &many, &many), vec![3.0; 60_000]);
}

/// With `alpha = 0` the operands are not read, and the function of finished elements is still called.
#[test]
fn without_alpha_nothing_is_read() {
    let rows = DynLayout::parse("(2,3):(3,1)").unwrap();
    let (a, b) = ([f32::NAN; 6], [f32::NAN; 6]);
    let a = View::new_in(&a, rows).unwrap();
    let b = View::new_in(&b, DynLayout::parse("(3,2):(1,3)").unwrap()).unwrap();
    let mut c = [2.0; 4];
    let mut cv = ViewMut::new_in(&mut c, DynLayout::parse("(2,2):(2,1)").unwrap()).unwrap();
    gemm(0.0, &a, &b, 2.0, &mut cv).unwrap();
    Gemm::new(0.0, 1.0).then(|x: f32, (i, j)| x + (i + j) as f32).run(&a, &b, &mut cv).unwrap();
    assert_eq!(c, [4.0, 5.0, 5.0, 6.0]);
}
