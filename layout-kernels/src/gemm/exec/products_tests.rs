//! All strategies of a product, on the same small products.

use layout_core::engine::DynLayout;

use super::*;
use crate::gemm::exec::arguments::FinishOf;
use crate::gemm::exec::run_in_boxes;
use crate::gemm::float::sealed::Sum;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::boxes::Boxes;
use crate::gemm::plan::dense::DenseCopies;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::modes::extents;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::par::Par;
use crate::simd::Level;
use crate::simd::portable::Number;

#[path = "../../../tests/common/mod.rs"]
mod common;
use common::Random;

/// Computes a product with each strategy that is possible, also where the planner would choose
/// another one. All give the same C. Returns their number.
fn check<X: Multiply<Y, Sum: Sum>, Y: Copy>(
    level: Level,
    layouts: &[DynLayout; 3],
    [alpha, beta]: [X::Sum; 2],
    (of_a, of_b, of_c): Elements<X, Y, X::Sum>,
) -> usize {
    let [a, b, c] = layouts;
    let name = format!("{level}: {a} * {b} = {c}");
    let a: Vec<X> = (0..a.cosize()).map(of_a).collect();
    let b: Vec<Y> = (0..b.cosize()).map(of_b).collect();
    let c: Vec<X::Sum> = (0..c.cosize()).map(of_c).collect();
    let (layouts, kernels) = (MatrixLayout::all(layouts.each_ref()), X::kernels(level));
    let shapes = kernels.shapes();
    let (scale, extents) = (&Scale::new(alpha, beta), extents(&layouts));
    let starts = [a.as_ptr().addr(), b.as_ptr().addr()];
    let mut plans = vec![ProductPlan::PLAIN];
    let (threads, reads_c) = ([1; 2], scale.reads());
    let (batch, products) = (&[][..], 1);
    let problem = Problem { layouts, extents, batch, products, starts, threads, reads_c };
    plans.push(ProductPlan::blocked(&problem, shapes));
    plans.extend(ProductPlan::small(&problem, 1, shapes));
    let strided = Strided::of_layouts(&layouts);
    let unblocked = strided.and_then(|strided| Unblocked::new(&strided, starts, shapes, 1));
    let short_rows = strided.and_then(|strided| Unblocked::short_rows(&strided, shapes));
    plans.extend(
        unblocked
            .into_iter()
            .chain(short_rows)
            .map(|plan| ProductPlan { copies: DenseCopies::NONE, method: Method::Unblocked(plan) }),
    );
    let finish = |_, part: &Finished<'_>| {
        let finished = |x: X::Sum, (m, n): (usize, usize)| x.plus(of_c(m + 2 * n));
        // SAFETY: the part belongs to C, which the product accesses exclusively.
        unsafe { part.map(&finished, false) };
    };
    let computed = |run: Compute<'_>| {
        let mut c = c.clone();
        let (a, b, c_start) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let (par, finish) = (Par::Sequential, Some(&finish as FinishOf<'_>));
        run(&Arguments { par, finish, ..Arguments::new(layouts, extents, scale, (a, b, c_start)) });
        c
    };
    // SAFETY: the matrices have all elements of their layouts, and C is exclusive.
    let planned = |plan: &ProductPlan| computed(&|of| unsafe { plan.run(of, &problem, &kernels) });
    let mut results: Vec<_> = plans.iter().map(planned).collect();
    if let Some(boxes) = Boxes::within(layouts, &[], shapes[0], 1, [4 << 10; 2]) {
        // SAFETY: as above.
        results.push(computed(&|of| unsafe { run_in_boxes(of, &kernels, &boxes) }));
    }
    for c in &results {
        assert!(*c == results[0], "{name}");
    }
    results.len()
}

/// Computes a product somehow.
type Compute<'a> = &'a dyn Fn(&Arguments<'_>);

/// Small integers as elements of A, B and C.
type Elements<X, Y, T> = (fn(usize) -> X, fn(usize) -> Y, fn(usize) -> T);

const FLOATS: Elements<f32, f32, f32> =
    (|i| (i % 7) as f32, |i| (i % 5) as f32 - 2.0, |i| (i % 3) as f32);
const BYTES: Elements<u8, i8, i32> = (|i| (i % 7) as u8, |i| (i % 5) as i8 - 2, |i| (i % 3) as i32);

#[test]
fn all_strategies_compute_the_same() {
    let (mut random, mut counts) = (Random::new(5), [0; 7]);
    for _ in 0..if cfg!(debug_assertions) { 400 } else { 4000 } {
        let extents = [0; 3].map(|_| 1 + random.below(33));
        let layouts = match random.below(5) {
            0 => random.short_runs(&[1, 2, 3, 4, 6]),
            1 => random.windows(),
            2 => random.short_matrices(),
            _ => random.matrices(extents, true),
        };
        let scale = random.below(4);
        for level in Level::available() {
            let factors = [[1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, -1.0]][scale];
            counts[check::<f32, f32>(level, &layouts, factors, FLOATS)] += 1;
            let factors = [[1, 0], [1, 1], [2, 0], [2, -1]][scale];
            counts[check::<u8, i8>(level, &layouts, factors, BYTES)] += 1;
        }
    }
    // Plain loops, cache blocking and one more are possible for most products.
    let [all, three, four] = [0, 3, 4].map(|least| counts[least..].iter().sum::<usize>());
    assert!(three > all * 9 / 10 && four > all / 10, "{counts:?}");
}
