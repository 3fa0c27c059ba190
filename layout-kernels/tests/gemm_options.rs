//! Options of `Gemm`: threads, and a function of each finished element.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Pair, Random, flat};
use layout_core::engine::{DynLayout, IntTuple};
use layout_core::types::{AnyLayout, IntoResult, Layout};
use layout_kernels::simd::Level;
use layout_kernels::{Gemm, GemmPlan, Multiply, Par, Tensor, View, ViewMut, gemm_at};
use typenum::{U1, U2, U3, U4, U5, U6, U8, U9, U10, U17, U24, U31, U32, U40, U64, U136, U512};

/// All ways to run, with as many pieces as threads or more.
fn pars() -> Vec<Par> {
    #[cfg(feature = "rayon")]
    {
        let threads = |n| Par::Rayon(std::num::NonZero::new(n).unwrap());
        vec![Par::Sequential, Par::rayon(), threads(3), threads(8)]
    }
    #[cfg(not(feature = "rayon"))]
    vec![Par::Sequential]
}

fn elements(random: &mut Random, n: usize) -> Vec<f32> {
    (0..n).map(|_| random.below(9) as f32 - 4.0).collect()
}

/// `C(m, n) = f(C(m, n), (m, n))`, sequentially.
fn each(layout: &DynLayout, c: &mut [f32], f: impl Fn(f32, (usize, usize)) -> f32) {
    let (m, n) = (layout.mode(0).size(), layout.mode(1).size());
    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let at = layout.offset_of(&IntTuple::flat(&[i, j]).unwrap()).unwrap();
        c[at] = f(c[at], (i, j));
    }
}

#[test]
fn each_element_is_finished_once_on_any_number_of_threads() {
    let mut random = Random::new(21);
    let f = |x: f32, (m, n): (usize, usize)| (2.0 * x + m as f32 - 3.0 * n as f32).max(-50.0);
    let sizes = [[70, 90, 80], [5, 9, 13], [1, 300, 70], [200, 40, 600]];
    for i in 0..if cfg!(debug_assertions) { 12 } else { 80 } {
        let [m, n, k] = sizes[i % sizes.len()];
        let [a, b, c] = match i % 3 {
            0 if i % 2 == 0 => random.windows(),
            0 => random.short_runs(&[2, 4, 6, 8, 16, 128]),
            _ => random.matrices([m, n, k], true),
        };
        let [m, n] = [c.mode(0).size(), c.mode(1).size()];
        let (ad, bd) = (elements(&mut random, a.cosize()), elements(&mut random, b.cosize()));
        let before = elements(&mut random, c.cosize());
        let (av, bv) = (View::new_in(&ad, a).unwrap(), View::new_in(&bd, b).unwrap());
        let (alpha, beta) = [(1.0, 0.0), (1.0, 1.0), (-0.5, 2.0), (0.0, 1.0)][i / 4 % 4];
        let mut product = before.clone();
        let mut cv = ViewMut::new_in(&mut product, c).unwrap();
        gemm_at(Level::Portable, alpha, &av, &bv, beta, &mut cv).unwrap();
        let mut expected = product.clone();
        each(&c, &mut expected, f);
        for level in Level::available() {
            for par in pars() {
                let calls = AtomicUsize::new(0);
                let mut after = before.clone();
                let mut cv = ViewMut::new_in(&mut after, c).unwrap();
                let plain = Gemm::new(alpha, beta).par(par);
                plain.run_at(level, &av, &bv, &mut cv).unwrap();
                assert_eq!(after, product, "{level} {par:?}: {a} * {b} = {c}");
                after.copy_from_slice(&before);
                let then = plain.then(|x, at| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    f(x, at)
                });
                let mut cv = ViewMut::new_in(&mut after, c).unwrap();
                then.run_at(level, &av, &bv, &mut cv).unwrap();
                assert_eq!(after, expected, "{level} {par:?}: {a} * {b} = {c}");
                assert_eq!(calls.into_inner(), m * n, "{level} {par:?}: {a} * {b} = {c}");
            }
        }
    }
}

/// With values whose sums depend on the order of addition.
#[test]
fn sums_are_the_same_on_any_number_of_threads() {
    let mut random = Random::new(23);
    let by_rows = |m, n| flat(&[m, n], &[n, 1]);
    let by_columns = |m, n| flat(&[m, n], &[1, m]);
    // Inner products, combinations of rows of B, small products, and products with cache blocking.
    let all = [
        [700, 1, 900],
        [1, 900, 700],
        [3, 500, 601],
        [20, 20, 20],
        [200, 170, 90],
        [65, 300, 1500],
    ];
    for ([m, n, k], is_b_by_rows) in all.into_iter().flat_map(|all| [(all, false), (all, true)]) {
        let b = if is_b_by_rows { by_rows(k, n) } else { by_columns(k, n) };
        let (a, c) = (by_rows(m, k), by_rows(m, n));
        let mut elements = |n| -> Vec<f32> {
            (0..n).map(|_| (random.below(1 << 20) as f32).sqrt() - 700.0).collect()
        };
        let (ad, bd) = (elements(m * k), elements(k * n));
        for level in Level::available() {
            let all: Vec<Vec<f32>> = pars()
                .into_iter()
                .map(|par| {
                    let mut sums = vec![f32::NAN; m * n];
                    let (a, b) = (View::new_in(&ad, a).unwrap(), View::new_in(&bd, b).unwrap());
                    let mut c = ViewMut::new_in(&mut sums, c).unwrap();
                    Gemm::new(1.0, 0.0).par(par).run_at(level, &a, &b, &mut c).unwrap();
                    sums
                })
                .collect();
            assert!(all.iter().all(|sums| sums == &all[0]), "{level}: {m} x {n} x {k}");
        }
    }
}

#[test]
fn static_products_are_finished_too() {
    type A = Layout<Pair<U9, U5>, Pair<U5, U1>>;
    type B = Layout<Pair<U5, U24>, Pair<U1, U5>>;
    type C = Layout<Pair<U9, U24>, Pair<U40, U1>>;
    let (a, b) = (Tensor::<f32, A>::full(1.0), Tensor::<f32, B>::full(2.0));
    for level in Level::available() {
        for alpha in [1.0, 0.0] {
            let mut c = Tensor::<f32, C>::full(7.0);
            let bias = |x: f32, (m, n): (usize, usize)| x + (100 * m + n) as f32;
            Gemm::new(alpha, 0.0).then(bias).run_at(level, &a, &b, &mut c);
            for (m, n) in (0..9).flat_map(|m| (0..24).map(move |n| (m, n))) {
                assert_eq!(c[(m, n)], alpha * 10.0 + (100 * m + n) as f32, "{level}");
            }
            // The gap after the first row.
            assert_eq!(c.as_slice()[24], 7.0);
        }
    }
}

/// The product of static layouts, with elements finished in registers or in a second pass.
fn finished<A, B, C>()
where
    A: AnyLayout + Default,
    B: AnyLayout + Default,
    C: AnyLayout + Default,
{
    let mut random = Random::new(22);
    let [a, b, c] = [A::default().to_dyn(), B::default().to_dyn(), C::default().to_dyn()];
    let (a, b, c) = (a.unwrap(), b.unwrap(), c.unwrap());
    let f = |x: f32, (m, n): (usize, usize)| (2.0 * x + m as f32 - 3.0 * n as f32).max(-50.0);
    let (ad, bd) = (elements(&mut random, a.cosize()), elements(&mut random, b.cosize()));
    let before = elements(&mut random, c.cosize());
    let (av, bv) = (View::new_in(&ad, a).unwrap(), View::new_in(&bd, b).unwrap());
    let at = View::new_in(&ad, A::default()).unwrap();
    let bt = View::new_in(&bd, B::default()).unwrap();
    for (alpha, beta) in [(1.0, 0.0), (1.0, 1.0), (-0.5, 2.0)] {
        let mut expected = before.clone();
        let mut cv = ViewMut::new_in(&mut expected, c).unwrap();
        gemm_at(Level::Portable, alpha, &av, &bv, beta, &mut cv).unwrap();
        each(&c, &mut expected, f);
        for level in Level::available() {
            let calls = AtomicUsize::new(0);
            let then = Gemm::new(alpha, beta).then(|x, at| {
                calls.fetch_add(1, Ordering::Relaxed);
                f(x, at)
            });
            let mut after = before.clone();
            let mut ct = ViewMut::new_in(&mut after, C::default()).unwrap();
            let outcome = then.run_at(level, &at, &bt, &mut ct);
            outcome.into_result().unwrap();
            assert_eq!(after, expected, "{level}: {a} * {b} = {c}");
            assert_eq!(calls.swap(0, Ordering::Relaxed), c.size(), "{level}: {a} * {b} = {c}");
            // The same layouts at run time.
            after.copy_from_slice(&before);
            let mut cv = ViewMut::new_in(&mut after, c).unwrap();
            then.run_at(level, &av, &bv, &mut cv).unwrap();
            assert_eq!(after, expected, "dynamic, {level}: {a} * {b} = {c}");
            assert_eq!(calls.into_inner(), c.size(), "dynamic, {level}: {a} * {b} = {c}");
        }
    }
}

#[test]
fn elements_are_finished_in_every_kernel() {
    type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
    type Columns<M, N> = Layout<Pair<M, N>, Pair<U1, M>>;
    // Tiles of accumulators, rows ending in a mask.
    finished::<Rows<U17, U10>, Rows<U10, U31>, Rows<U17, U31>>();
    // B-stationary tiles of the transposed product, rows ending in partial registers.
    finished::<Columns<U31, U3>, Columns<U3, U5>, Columns<U31, U5>>();
    // Tiles addressed through offset tables.
    type Tiled = Layout<Pair<Pair<U4, U4>, Pair<U8, U2>>, Pair<Pair<U8, U64>, Pair<U1, U32>>>;
    finished::<Tiled, Tiled, Tiled>();
    // Nested modes that are one loop in another order; coordinates stay as given.
    type Nested<M, N, R, C> = Layout<Pair<Pair<M, N>, U8>, Pair<Pair<R, C>, U1>>;
    finished::<Nested<U4, U4, U32, U8>, Rows<U8, U8>, Nested<U4, U4, U32, U8>>();
    finished::<Nested<U2, U17, U136, U8>, Rows<U8, U8>, Nested<U2, U17, U136, U8>>();
    type RowMajor<M, N> =
        Layout<Pair<Pair<U2, M>, Pair<U2, N>>, Pair<Pair<U136, U17>, Pair<N, U1>>>;
    finished::<RowMajor<U3, U5>, RowMajor<U5, U8>, RowMajor<U3, U8>>();
    // C is computed in a buffer on the stack.
    finished::<Rows<U6, U10>, Rows<U10, U17>, Layout<Pair<U6, U17>, Pair<U64, U3>>>();
    // One lane per column, one lane per element, and scalar code.
    finished::<Columns<U3, U8>, Columns<U8, U17>, Columns<U3, U17>>();
    finished::<Rows<U4, U4>, Rows<U4, U4>, Columns<U4, U4>>();
    finished::<Rows<U2, U3>, Rows<U3, U4>, Rows<U2, U4>>();
}

#[test]
fn nothing_to_add_is_finished_as_well() {
    let rows = |m, n| flat(&[m, n], &[n.max(1), 1]);
    let a = Tensor::<f32, _>::zeros_in(rows(4, 0)).unwrap();
    let b = Tensor::<f32, _>::zeros_in(rows(0, 3)).unwrap();
    let mut c = Tensor::full_in(rows(4, 3), 1f32).unwrap();
    Gemm::new(1.0, 2.0).then(|x, (m, _)| x + m as f32).run(&a, &b, &mut c).unwrap();
    assert_eq!(c.as_slice()[..6], [2.0, 2.0, 2.0, 3.0, 3.0, 3.0]);
}

#[test]
fn a_function_may_make_products_itself() {
    let rows = flat(&[20, 20], &[20, 1]);
    let a = Tensor::full_in(rows, 1f32).unwrap();
    let mut c = Tensor::zeros_in(rows).unwrap();
    let inner = |x: f32, _: (usize, usize)| {
        let mut d = Tensor::zeros_in(rows).unwrap();
        Gemm::new(1.0, 0.0).run(&a, &a, &mut d).unwrap();
        x + d.as_slice()[0]
    };
    Gemm::new(1.0, 0.0).then(inner).run(&a, &a, &mut c).unwrap();
    assert_eq!(c.as_slice(), [40.0; 400]);
}

/// Whether the target has more than the portable level. Otherwise its plans are constants.
const HAS_LEVELS: bool = cfg!(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
));

#[test]
fn plans_say_what_is_done() {
    type A = Layout<Pair<U9, U5>, Pair<U5, U1>>;
    type B = Layout<Pair<U5, U24>, Pair<U24, U1>>;
    type C = Layout<Pair<U9, U24>, Pair<U24, U1>>;
    let (a, b, c) = (A::default(), B::default(), C::default());
    for level in Level::available() {
        let plan = GemmPlan::new::<f32, f32, _, _, _>(level, &a, &b, &c).unwrap().to_string();
        let name = level.to_string();
        let how = match name.starts_with("AVX") || name == "NEON" {
            true => "inlined, planned at compile time",
            false if HAS_LEVELS => "register tiles",
            false => "by shared tiles, planned at compile time: register tiles",
        };
        let first = format!("gemm 9 x 24 x 5 at {level}: {how}");
        assert!(plan.starts_with(&first), "{plan}");
        // Byte products are never inlined. A column-major C leads to the transposed product.
        let columns = flat(&[9, 24], &[1, 9]);
        let plan = GemmPlan::new::<u8, i8, _, _, _>(level, &a, &b, &columns).unwrap().to_string();
        assert!(plan.contains("transposed for contiguous C"), "{plan}");
    }
    fn of<A, B, C>(level: Level) -> String
    where
        A: AnyLayout + Default,
        B: AnyLayout + Default,
        C: AnyLayout + Default,
    {
        let (a, b, c) = (A::default(), B::default(), C::default());
        GemmPlan::new::<f32, f32, _, _, _>(level, &a, &b, &c).unwrap().to_string()
    }
    type Square<N> = Layout<Pair<N, N>, Pair<N, U1>>;
    type Row = Layout<Pair<U1, U64>, Pair<U64, U1>>;
    type Column = Layout<Pair<U64, U1>, Pair<U1, U64>>;
    for level in Level::available() {
        let plan = of::<Square<U2>, Square<U2>, Square<U2>>(level);
        assert!(plan.ends_with("fully unrolled: a call would take as long"), "{plan}");
        let plan = of::<Row, Column, Layout<Pair<U1, U1>, Pair<U1, U1>>>(level);
        assert!(plan.contains("inner products, with vectors of"), "{plan}");
        let plan = of::<Square<U4>, Square<U4>, Square<U4>>(level);
        // Permutes of lanes are only used with AVX-512.
        let whole = plan.contains("one lane per element of C");
        assert_eq!(whole, level.to_string().starts_with("AVX-512"), "{plan}");
    }
    // Dynamic or large products, from the smallest to the largest.
    let square = |n| {
        GemmPlan::new::<f64, f64, _, _, _>(
            Level::Portable,
            &flat(&[n, n], &[n, 1]),
            &flat(&[n, n], &[1, n]),
            &flat(&[n, n], &[n, 1]),
        )
    };
    let plan = square(3).unwrap().to_string();
    assert!(plan.ends_with("one element of C after the other"), "{plan}");
    let plan = square(20).unwrap().to_string();
    assert!(plan.contains("A in place\nB packed\n"), "{plan}");
    let plan = square(700).unwrap().to_string();
    assert!(
        plan.contains("with cache blocking") && plan.contains("B packed into panels"),
        "{plan}"
    );
    let (rows, column) = (flat(&[64, 300], &[300, 1]), flat(&[300, 1], &[1, 1]));
    let plan = GemmPlan::new::<f32, f32, _, _, _>(
        Level::Portable,
        &rows,
        &column,
        &flat(&[64, 1], &[1, 1]),
    );
    assert!(plan.unwrap().to_string().contains("inner products, with vectors of 4 along k"));
    for level in Level::available() {
        // A single tile keeps C in registers.
        for (m, k, is_combined) in [(300, 64, true), (4, 64, false), (300, 1000, true)] {
            let (columns, vector) = (flat(&[m, k], &[1, m]), flat(&[k, 1], &[1, 1]));
            let c = flat(&[m, 1], &[1, 1]);
            let plan = GemmPlan::new::<f32, f32, _, _, _>(level, &columns, &vector, &c);
            let plan = plan.unwrap().to_string();
            assert_eq!(plan.contains("combinations of rows of B"), is_combined, "{plan}");
        }
        // The weights of a layer, contiguous along K, are used in place.
        let (tokens, weights) = (flat(&[2, 768], &[1, 2]), flat(&[768, 3000], &[1, 768]));
        let c = flat(&[2, 3000], &[3000, 1]);
        let plan = GemmPlan::new::<f32, f32, _, _, _>(level, &tokens, &weights, &c);
        let plan = plan.unwrap().to_string();
        assert!(plan.contains("inner products"), "{plan}");
        assert!(plan.ends_with("over dense copies of A"), "{plan}");
        // Rows from memory are read once for all rows of C. With whole cache lines in a vector, tiles of
        // 5 rows and more prefetch.
        let has_whole_lines = level.to_string().starts_with("AVX-512");
        let matrices = |m| [flat(&[m, 5000], &[5000, 1]), flat(&[5000, 3000], &[3000, 1])];
        for (m, is_combined) in
            [(2, true), (4, true), (5, !has_whole_lines), (8, !has_whole_lines), (9, false)]
        {
            let ([a, b], c) = (matrices(m), flat(&[m, 3000], &[3000, 1]));
            let plan = GemmPlan::new::<f32, f32, _, _, _>(level, &a, &b, &c).unwrap().to_string();
            assert_eq!(plan.contains("combinations of rows of B"), is_combined, "{plan}");
        }
    }
    // Nested modes that are one loop, in their own order or another, are no other product.
    let plan = |layouts: [&str; 3]| {
        let [a, b, c] = layouts.map(|text| DynLayout::parse(text).unwrap());
        let plan = GemmPlan::new::<f32, f32, _, _, _>(Level::detect(), &a, &b, &c);
        plan.unwrap().to_string()
    };
    for (nested, matrices) in [
        (
            [
                "((14,14,1),(64,4)):((256,3584,0),(1,64))",
                "(256,(8,32)):(256,(1,8))",
                "(196,256):(256,1)",
            ],
            ["(196,256):(256,1)", "(256,256):(256,1)", "(196,256):(256,1)"],
        ),
        (
            ["((3,4),(5,6)):((120,30),(6,1))", "((5,6),20):((120,20),1)", "((3,4),20):((80,20),1)"],
            ["(12,30):(30,1)", "(30,20):(20,1)", "(12,20):(20,1)"],
        ),
    ] {
        assert_eq!(plan(nested), plan(matrices));
    }
    let wrong = GemmPlan::new::<f32, f32, _, _, _>(Level::detect(), &a, &a, &c).unwrap_err();
    assert_eq!(wrong.code(), "L0506");
}

#[test]
fn a_static_plan_is_the_plan_of_its_values() {
    /// Number of levels at which the static product has the same plan as the dynamic one, because no
    /// special code is compiled for it.
    fn shared<X, Y, A, B, C>() -> usize
    where
        X: Multiply<Y>,
        Y: Copy,
        A: AnyLayout + Default,
        B: AnyLayout + Default,
        C: AnyLayout + Default,
    {
        let (a, b, c) = (A::default(), B::default(), C::default());
        let values = [A::STATIC, B::STATIC, C::STATIC].map(Option::unwrap);
        let of_values =
            |level| GemmPlan::new::<X, Y, _, _, _>(level, &values[0], &values[1], &values[2]);
        let same = Level::available().filter(|&level| {
            let plan = GemmPlan::new::<X, Y, _, _, _>(level, &a, &b, &c).unwrap().to_string();
            if plan.contains("planned at compile time") {
                return false;
            }
            assert_eq!(plan, of_values(level).unwrap().to_string());
            true
        });
        same.count()
    }
    type Rows<M, N> = Layout<Pair<M, N>, Pair<N, U1>>;
    type Columns<M, N> = Layout<Pair<M, N>, Pair<U1, M>>;
    type Tiled = Layout<Pair<Pair<U8, U4>, U64>, Pair<Pair<U1, U512>, U8>>;
    let levels = Level::available().count();
    let floats = |shared: usize| assert_eq!(shared > 0, HAS_LEVELS);
    floats(shared::<f32, f32, Rows<U9, U5>, Rows<U5, U24>, Rows<U9, U24>>());
    floats(shared::<f64, f64, Columns<U31, U17>, Columns<U17, U6>, Columns<U31, U6>>());
    floats(shared::<f32, f32, Rows<U1, U64>, Columns<U64, U40>, Rows<U1, U40>>());
    floats(shared::<f32, f32, Tiled, Rows<U64, U40>, Rows<U32, U40>>());
    // Bytes and large products have the same plan at every level.
    let bytes = shared::<u8, i8, Rows<U9, U5>, Rows<U5, U24>, Columns<U9, U24>>();
    let large = shared::<f32, f32, Rows<U512, U64>, Rows<U64, U512>, Rows<U512, U512>>();
    assert_eq!([bytes, large], [levels; 2]);
}
