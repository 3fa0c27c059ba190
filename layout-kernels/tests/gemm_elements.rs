//! Products of bytes, 16-bit floats and complex numbers compared with three loops, at every level,
//! for any layouts.

mod common;

use std::fmt::Debug;

use common::{Pair, Random, flat};
use layout_core::engine::DynLayout;
use layout_core::types::{Layout, StaticLayout};
use layout_kernels::simd::Level;
use layout_kernels::{GemmPlan, Multiply, View, ViewMut, gemm_at};
use typenum::{U1, U2, U3, U5, U8, U12, U13, U16, U18, U19, U20, U33, U64, U100, U300};

const GUARD: usize = 40;

/// The offsets of a matrix, as `[m][n]`.
fn offsets(layout: &DynLayout) -> Vec<Vec<usize>> {
    // Computed from one table per mode: offsets are sums over the modes.
    let [rows, columns] = [0, 1].map(|mode| -> Vec<usize> {
        let mode: DynLayout = layout.mode(mode);
        (0..mode.size()).map(|at| mode.offset_of_index(at)).collect()
    });
    rows.iter().map(|row| columns.iter().map(|column| row + column).collect()).collect()
}

/// One product compared with sums by `add`. Elements around C and in its gaps must not change.
fn check<X, Y, T>(
    level: Level,
    [a, b, c]: [DynLayout; 3],
    (alpha, beta): (T, T),
    (x, y, z): (impl Fn(usize) -> X, impl Fn(usize) -> Y, impl Fn(usize) -> T),
    add: impl Fn(T, X, Y) -> T,
    scaled: impl Fn(T, T) -> T,
    random: &mut Random,
) where
    X: Multiply<Y, Sum = T>,
    Y: Copy,
    T: Copy + PartialEq + Debug + Default,
{
    let a_data: Vec<X> = (0..a.cosize()).map(|_| x(random.below(256))).collect();
    let b_data: Vec<Y> = (0..b.cosize()).map(|_| y(random.below(256))).collect();
    let before: Vec<T> = (0..c.cosize() + 2 * GUARD).map(|_| z(random.below(256))).collect();
    let mut expected = before.clone();
    let (ao, bo, co) = (offsets(&a), offsets(&b), offsets(&c));
    for (m, row) in co.iter().enumerate() {
        for (n, &place) in row.iter().enumerate() {
            let sum = ao[m]
                .iter()
                .zip(&bo)
                .fold(T::default(), |sum, (&i, row)| add(sum, a_data[i], b_data[row[n]]));
            expected[GUARD + place] = scaled(sum, before[GUARD + place]);
        }
    }
    let mut after = before;
    let end = after.len() - GUARD;
    let (av, bv) = (View::new_in(&a_data, a).unwrap(), View::new_in(&b_data, b).unwrap());
    let mut cv = ViewMut::new_in(&mut after[GUARD..end], c).unwrap();
    gemm_at(level, alpha, &av, &bv, beta, &mut cv).unwrap();
    assert!(after == expected, "{level}: {alpha:?} * {a} * {b} + {beta:?} * {c}");
}

fn bytes<X, Y>(layouts: [DynLayout; 3], factors: (i32, i32), random: &mut Random)
where
    X: Multiply<Y, Sum = i32> + Into<i32> + Bits,
    Y: Copy + Into<i32> + Bits,
{
    for level in Level::available() {
        let add = |sum: i32, x: X, y: Y| sum.wrapping_add(x.into() * y.into());
        let scaled = |sum: i32, old: i32| {
            factors.0.wrapping_mul(sum).wrapping_add(factors.1.wrapping_mul(old))
        };
        let elements = (X::bits, Y::bits, |z: usize| (z as i32).wrapping_mul(0x0123_4567));
        check(level, layouts, factors, elements, add, scaled, random);
    }
}

/// A byte with any bit pattern.
trait Bits {
    fn bits(x: usize) -> Self;
}

impl Bits for u8 {
    fn bits(x: usize) -> u8 {
        x as u8
    }
}

impl Bits for i8 {
    fn bits(x: usize) -> i8 {
        x as u8 as i8
    }
}

fn all_bytes(layouts: [DynLayout; 3], factors: (i32, i32), random: &mut Random) {
    bytes::<u8, i8>(layouts, factors, random);
    bytes::<i8, u8>(layouts, factors, random);
    bytes::<i8, i8>(layouts, factors, random);
}

/// 16-bit floats and complex numbers, with integer values so that sums are exact.
#[allow(unused_variables, reason = "without features there are none")]
fn others(layouts: [DynLayout; 3], factors: (i32, i32), random: &mut Random) {
    #[cfg(any(feature = "half", feature = "num-complex-0_4"))]
    let whole = |x: usize| (x % 17) as f32 - 8.0;
    #[cfg(feature = "half")]
    for level in Level::available() {
        let (alpha, beta) = (factors.0 as f32, factors.1 as f32);
        let scaled = |sum: f32, old: f32| alpha * sum + beta * old;
        macro_rules! of {
            ($t:ty) => {{
                let small = |x: usize| <$t>::from_f32(whole(x));
                let add = |sum: f32, x: $t, y: $t| sum + x.to_f32() * y.to_f32();
                let elements = (small, small, |z: usize| z as f32 - 128.0);
                check(level, layouts, (alpha, beta), elements, add, scaled, random);
            }};
        }
        of!(half::bf16);
        of!(half::f16);
    }
    #[cfg(feature = "num-complex-0_4")]
    for level in Level::available() {
        use num_complex::Complex;
        macro_rules! of {
            ($t:ty) => {
                // Real factors take a separate path.
                for turn in [0.0, 2.0] {
                    let number = |x: usize| {
                        Complex::new(<$t>::from(whole(x)), <$t>::from(whole(x / 17 + 3 * x)))
                    };
                    let alpha = Complex::new(<$t>::from(factors.0 as f32), turn);
                    let beta = Complex::new(<$t>::from(factors.1 as f32), -turn);
                    let add = |sum, x: Complex<$t>, y: Complex<$t>| sum + x * y;
                    let scaled = |sum: Complex<$t>, old: Complex<$t>| alpha * sum + beta * old;
                    let elements = (number, number, number);
                    check(level, layouts, (alpha, beta), elements, add, scaled, random);
                }
            };
        }
        of!(f32);
        of!(f64);
    }
}

#[test]
fn generated_shapes_and_layouts() {
    let mut random = Random::new(11);
    for i in 0..if cfg!(debug_assertions) { 120 } else { 1500 } {
        let (m, n, k) = (1 + random.below(37), 1 + random.below(60), 1 + random.below(45));
        let [a, b, c] = match i % 3 {
            0 if i % 2 == 0 => random.windows(),
            0 => random.short_runs(&[2, 4, 6, 8, 16]),
            _ => random.matrices([m, n, k], true),
        };
        let factors = [(1, 0), (1, 1), (-3, 0), (7, -2), (0, 5)][i % 5];
        all_bytes([a, b, c], factors, &mut random);
        others([a, b, c], factors, &mut random);
    }
}

#[test]
fn rows_and_columns_of_every_small_extent() {
    let mut random = Random::new(12);
    let row_major = |m, n| flat(&[m, n], &[n, 1]);
    let column_major = |m, n| flat(&[m, n], &[1, m]);
    for [m, n, k] in [
        [8, 48, 8],
        [9, 49, 5],
        [3, 16, 4],
        [1, 1, 3],
        [17, 33, 64],
        [16, 5, 130],
        [20, 91, 2],
        [20, 91, 4],
    ] {
        for a in [row_major(m, k), column_major(m, k)] {
            for b in [row_major(k, n), column_major(k, n)] {
                for c in [row_major(m, n), column_major(m, n)] {
                    all_bytes([a, b, c], (1, 1), &mut random);
                    others([a, b, c], (1, 1), &mut random);
                }
            }
        }
    }
}

/// Few vectors times rows that are contiguous along K: inner products of several rows and columns together,
/// also over a copy of an operand that is not contiguous along K.
#[test]
fn few_columns_of_every_number() {
    fn floats<T: layout_kernels::Float>(
        layouts: [DynLayout; 3],
        number: impl Fn(usize) -> T + Copy,
        random: &mut Random,
    ) {
        for level in Level::available() {
            let (add, scaled) = (|sum: T, x, y| sum + x * y, |sum: T, old: T| sum + old);
            let one = number(129);
            check(level, layouts, (one, one), (number, number, number), add, scaled, random);
        }
    }
    let mut random = Random::new(17);
    for (n, is_transposed) in (1..=9).flat_map(|n| [(n, false), (n, true)]) {
        let (m, k) = (n + 20, 120 + 5 * n);
        let layout = |[x, y]: [usize; 2], [dx, dy]: [usize; 2]| match is_transposed {
            false => flat(&[x, y], &[dx, dy]),
            true => flat(&[y, x], &[dy, dx]),
        };
        let rows = layout([m, k], [k, 1]);
        let c = layout([m, n], if n % 2 == 0 { [n, 1] } else { [1, m] });
        for b in [[1, k], [n, 1]].map(|strides| layout([k, n], strides)) {
            let layouts = if is_transposed { [b, rows, c] } else { [rows, b, c] };
            floats(layouts, |x| x as f32 - 128.0, &mut random);
            floats(layouts, |x| x as f64 - 128.0, &mut random);
            all_bytes(layouts, (1, 1), &mut random);
            others(layouts, (1, 0), &mut random);
        }
    }
    // A copy for which the stack has no room.
    let large =
        [flat(&[40, 1000], &[1000, 1]), flat(&[1000, 12], &[12, 1]), flat(&[40, 12], &[1, 40])];
    floats(large, |x| x as f64 - 128.0, &mut random);
}

#[test]
fn inner_products_are_cut_along_k() {
    // The columns of B have more than half of 2 MB.
    let (mut random, n) = (Random::new(18), 4);
    let layouts = |k| [flat(&[n, k], &[k, 1]), flat(&[k, n], &[1, k]), flat(&[n, n], &[n, 1])];
    all_bytes(layouts(262_147), (1, 1), &mut random);
    others(layouts(131_075), (1, 0), &mut random);
}

#[test]
fn operands_in_words() {
    // B in VNNI order (words of 4 elements along K) and in BF16 order (words of 2).
    let mut random = Random::new(13);
    for depth in [2, 4] {
        let (m, n, k) = (20, 96, 64);
        let a = flat(&[m, k], &[k, 1]);
        let text = format!("(({depth},{}),{n}):((1,{}),{depth})", k / depth, depth * n);
        let b = DynLayout::parse(&text).unwrap();
        all_bytes([a, b, flat(&[m, n], &[n, 1])], (1, 0), &mut random);
        others([a, b, flat(&[m, n], &[n, 1])], (1, 0), &mut random);
    }
}

#[test]
fn large_products_are_cut_into_blocks() {
    let mut random = Random::new(14);
    let all = [[30, 200, 2500], [300, 50, 1300], [1, 90, 5000]];
    let few = if cfg!(debug_assertions) { &all[2..] } else { &all[..] };
    for &[m, n, k] in few {
        let (a, b) = (random.layout(&[m, k], false), random.layout(&[k, n], false));
        let c = random.layout(&[m, n], false);
        all_bytes([a, b, c], (1, 1), &mut random);
        others([a, b, c], (1, 0), &mut random);
    }
}

/// The last block along K ends in a part of a word, although operands in place have whole words in the
/// others.
#[test]
fn last_blocks_along_k_have_parts_of_words() {
    let mut random = Random::new(16);
    let layouts =
        |m, n, k| [flat(&[m, k], &[k, 1]), flat(&[k, n], &[n, 1]), flat(&[m, n], &[n, 1])];
    all_bytes(layouts(16, 20, 2563), (1, 1), &mut random);
    all_bytes(layouts(1, 40, 2561), (1, 1), &mut random);
    #[cfg(feature = "half")]
    others(layouts(16, 20, 1281), (1, 0), &mut random);
}

#[test]
fn sums_beyond_an_i32_wrap_around() {
    let k = 70_000;
    let (a, b) = (vec![255u8; k], vec![-128i8; k]);
    let exact = -(k as i64) * 255 * 128;
    for level in Level::available() {
        let mut c = [0i32];
        let av = View::new_in(&a, flat(&[1, k], &[k, 1])).unwrap();
        let bv = View::new_in(&b, flat(&[k, 1], &[1, 1])).unwrap();
        let mut cv = ViewMut::new_in(&mut c, flat(&[1, 1], &[1, 1])).unwrap();
        gemm_at(level, 1, &av, &bv, 0, &mut cv).unwrap();
        assert_eq!(c[0], exact as i32, "{level}");
        assert_ne!(i64::from(c[0]), exact);
    }
}

/// A product of static layouts equals that of the same dynamic layouts, which other tests check.
fn fixed<X, Y, A, B, C>(
    (x, y, sum): (impl Fn(usize) -> X, impl Fn(usize) -> Y, impl Fn(i16) -> X::Sum),
    random: &mut Random,
) where
    X: Multiply<Y, Sum: PartialEq + Debug>,
    Y: Copy,
    A: StaticLayout,
    B: StaticLayout,
    C: StaticLayout,
{
    let [a, b, c] = [A::LAYOUT, B::LAYOUT, C::LAYOUT];
    let a_data: Vec<X> = (0..a.cosize()).map(|_| x(random.below(256))).collect();
    let b_data: Vec<Y> = (0..b.cosize()).map(|_| y(random.below(256))).collect();
    let before: Vec<X::Sum> =
        (0..c.cosize() + 2 * GUARD).map(|_| sum(random.below(256) as i16)).collect();
    let end = before.len() - GUARD;
    for level in Level::available() {
        let (mut known, mut by_value) = (before.clone(), before.clone());
        for (alpha, beta) in [(1, 0), (1, 1), (-3, 2)] {
            let (alpha, beta) = (sum(alpha), sum(beta));
            let (av, bv) =
                (View::<X, A>::new(&a_data).unwrap(), View::<Y, B>::new(&b_data).unwrap());
            let mut cv = ViewMut::<X::Sum, C>::new(&mut known[GUARD..end]).unwrap();
            gemm_at(level, alpha, &av, &bv, beta, &mut cv);
            let (av, bv) = (View::new_in(&a_data, a).unwrap(), View::new_in(&b_data, b).unwrap());
            let mut cv = ViewMut::new_in(&mut by_value[GUARD..end], c).unwrap();
            gemm_at(level, alpha, &av, &bv, beta, &mut cv).unwrap();
            assert_eq!(known, by_value, "{level}: {a} * {b} to {c}");
        }
    }
}

/// All combinations of row-major and column-major layouts for a shape.
macro_rules! fixed {
    ($random:ident: $($m:ident x $n:ident x $k:ident),*) => {$(
        fixed!(@ $random, Rows<$m, $k>, Rows<$k, $n>, Rows<$m, $n>);
        fixed!(@ $random, Rows<$m, $k>, Columns<$k, $n>, Rows<$m, $n>);
        fixed!(@ $random, Columns<$m, $k>, Rows<$k, $n>, Columns<$m, $n>);
        fixed!(@ $random, Columns<$m, $k>, Columns<$k, $n>, Columns<$m, $n>);
    )*};
    (@ $random:ident, $a:ty, $b:ty, $c:ty) => {
        fixed::<u8, i8, $a, $b, $c>((u8::bits, i8::bits, i32::from), &mut $random);
        fixed::<i8, u8, $a, $b, $c>((i8::bits, u8::bits, i32::from), &mut $random);
        fixed::<i8, i8, $a, $b, $c>((i8::bits, i8::bits, i32::from), &mut $random);
        #[cfg(feature = "half")]
        {
            // Integer values, so that sums are exact.
            let small = |x: usize| half::bf16::from_f32((x % 17) as f32 - 8.0);
            fixed::<half::bf16, half::bf16, $a, $b, $c>((small, small, f32::from), &mut $random);
            let small = |x: usize| half::f16::from_f32((x % 17) as f32 - 8.0);
            fixed::<half::f16, half::f16, $a, $b, $c>((small, small, f32::from), &mut $random);
        }
        #[cfg(feature = "num-complex-0_4")]
        {
            use num_complex::Complex;
            let number = |x: usize| Complex::new((x % 17) as f32 - 8.0, (x % 5) as f32);
            let sum = |x: i16| Complex::new(f32::from(x), f32::from(x - 1));
            fixed::<Complex<f32>, Complex<f32>, $a, $b, $c>((number, number, sum), &mut $random);
        }
    };
}

#[test]
fn static_layouts() {
    type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
    type Columns<M, N> = Layout<Pair<M, N>, Pair<U1, M>>;
    let mut random = Random::new(15);
    fixed!(random: U2 x U5 x U2, U3 x U3 x U3, U16 x U16 x U16, U5 x U33 x U13, U1 x U20 x U8, U20 x U1 x U8);
    fixed!(random: U64 x U64 x U64);
    // C without contiguous runs, and operands that exceed one packed panel.
    type Apart = Layout<Pair<U5, U33>, Pair<U100, U2>>;
    fixed!(@ random, Rows<U5, U13>, Columns<U13, U33>, Apart);
    fixed!(@ random, Rows<U5, U300>, Columns<U300, U33>, Rows<U5, U33>);
    // Rows and columns with gaps between them.
    type Wide = Layout<Pair<U20, U12>, Pair<U13, U1>>;
    fixed!(@ random, Wide, Layout<Pair<U12, U18>, Pair<U1, U16>>, Layout<Pair<U20, U18>, Pair<U19, U1>>);
}

#[test]
fn small_static_products_need_no_blocks() {
    type Square = Layout<Pair<U16, U16>, Pair<U16, U1>>;
    let square = Square::default();
    let plan = GemmPlan::new::<u8, i8, _, _, _>(Level::detect(), &square, &square, &square);
    assert!(plan.unwrap().to_string().contains("without cache blocking"));
}

#[cfg(feature = "half")]
#[test]
fn nan_and_infinity_of_bf16_stay() {
    use half::bf16;
    let rows = flat(&[9, 9], &[9, 1]);
    let mut a = [bf16::ONE; 81];
    (a[3 * 9 + 2], a[5 * 9 + 8]) = (bf16::NAN, bf16::INFINITY);
    for level in Level::available() {
        let mut c = [f32::NAN; 81];
        let (av, bv) = (View::new_in(&a, rows), View::new_in(&[bf16::ONE; 81], rows));
        let (av, bv) = (av.unwrap(), bv.unwrap());
        gemm_at(level, 1.0, &av, &bv, 0.0, &mut ViewMut::new_in(&mut c, rows).unwrap()).unwrap();
        for (i, x) in c.into_iter().enumerate() {
            match i / 9 {
                3 => assert!(x.is_nan(), "{level}"),
                5 => assert_eq!(x, f32::INFINITY, "{level}"),
                _ => assert_eq!(x, 9.0, "{level}"),
            }
        }
    }
}

#[cfg(feature = "num-complex-0_4")]
#[test]
fn complex_products_in_blocks_and_batches() {
    use layout_core::engine::IntTuple;
    use layout_kernels::{Einsum, Gemm, Par};
    use num_complex::Complex;
    // More than one block.
    let (m, n, k) = (600, 7, 900);
    let number = |x: usize| Complex::new((x % 7) as f64 - 3.0, (x % 5) as f64 - 2.0);
    let a: Vec<_> = (0..m * k).map(number).collect();
    let b: Vec<_> = (0..k * n).map(number).collect();
    for (rows, columns) in [(true, true), (true, false), (false, true), (false, false)] {
        let matrix =
            |m, n, rows| if rows { flat(&[m, n], &[n, 1]) } else { flat(&[m, n], &[1, m]) };
        let (la, lb, lc) = (matrix(m, k, rows), matrix(k, n, columns), matrix(m, n, rows));
        let mut c = vec![Complex::new(1.0, 1.0); m * n];
        let mut cv = ViewMut::new_in(&mut c, lc).unwrap();
        let turned = |x: Complex<f64>, (i, _): (usize, usize)| if i == 5 { x.conj() } else { x };
        let (av, bv) = (View::new_in(&a, la).unwrap(), View::new_in(&b, lb).unwrap());
        let i = Complex::new(0.0, 1.0);
        Gemm::new(i, i).par(Par::Sequential).then(turned).run(&av, &bv, &mut cv).unwrap();
        for row in [0, 5, m - 1] {
            for column in 0..n {
                let sum: Complex<f64> = (0..k).map(|k| av[(row, k)] * bv[(k, column)]).sum();
                let expected = i * sum + i * Complex::new(1.0, 1.0);
                let expected = if row == 5 { expected.conj() } else { expected };
                assert_eq!(
                    c[lc.offset_of(&IntTuple::flat(&[row, column]).unwrap()).unwrap()],
                    expected
                );
            }
        }
    }
    // A batch letter between the others.
    let (a, b) = (flat(&[3, 4, 20], &[20, 60, 1]), flat(&[3, 20, 5], &[100, 5, 1]));
    let c = flat(&[3, 4, 5], &[20, 5, 1]);
    let (ad, bd): (Vec<_>, Vec<_>) =
        ((0..240).map(number).collect(), (0..300).map(number).collect());
    let mut cd = vec![Complex::default(); 60];
    let (av, bv) = (View::new_in(&ad, a).unwrap(), View::new_in(&bd, b).unwrap());
    let subscripts = "bij,bjk->bik";
    let mut cv = ViewMut::new_in(&mut cd, c).unwrap();
    Einsum::default().run(subscripts, &av, &bv, &mut cv).unwrap();
    for (x, y, z) in (0..60).map(|i| (i / 20, i / 5 % 4, i % 5)) {
        let sum: Complex<f64> = (0..20).map(|j| av[(x, y, j)] * bv[(x, j, z)]).sum();
        assert_eq!(cd[x * 20 + y * 5 + z], sum);
    }
}

/// `alpha = 1`, and `beta` of 0 or 1, multiply nothing: an infinite number times `1 + 0i` has a NaN.
#[cfg(feature = "num-complex-0_4")]
#[test]
fn infinite_complex_numbers_stay() {
    use layout_kernels::Einsum;
    use num_complex::Complex;
    type Number = Complex<f32>;
    let (one, zero) = (Number::new(1.0, 0.0), Number::new(0.0, 0.0));
    let infinite = Number::new(f32::INFINITY, 1.0);
    // Added to zeros: tiles of vectors, scattered elements, inner products, one element.
    let cases =
        [([4, 8, 16], [16, 1]), ([4, 8, 16], [64, 2]), ([4, 64, 1], [1, 1]), ([1, 1, 1], [1, 1])];
    for ([m, k, n], strides) in cases {
        let layout = flat(&[m, n], &strides);
        let (a, b) = (vec![zero; m * k], vec![zero; k * n]);
        let columns = if n == 1 { [1, k] } else { [n, 1] };
        let av = View::new_in(&a, flat(&[m, k], &[k, 1])).unwrap();
        let bv = View::new_in(&b, flat(&[k, n], &columns)).unwrap();
        for level in Level::available() {
            let mut c = vec![infinite; layout.cosize()];
            let mut cv = ViewMut::new_in(&mut c, layout).unwrap();
            gemm_at(level, one, &av, &bv, one, &mut cv).unwrap();
            assert!(c.iter().all(|x| *x == infinite), "{m}x{k}x{n} at {level}: {:?}", c[0]);
        }
    }
    // Products of elements, without sums.
    let (a, b) = ([Number::new(1e30, 1e-30); 3], [Number::new(1e30, 0.0); 3]);
    let line = flat(&[3], &[1]);
    let (av, bv) = (View::new_in(&a, line).unwrap(), View::new_in(&b, line).unwrap());
    for beta in [zero, one] {
        let mut c = [zero; 3];
        let mut cv = ViewMut::new_in(&mut c, line).unwrap();
        Einsum::new(one, beta).run("i,i->i", &av, &bv, &mut cv).unwrap();
        assert_eq!(c, [infinite; 3]);
    }
}
