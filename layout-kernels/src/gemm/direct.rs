//! Products whose operands are used where they are: register tiles at constant distances, and
//! nothing to prepare. What blocks need before the first tile takes longer than a small product.

use core::ops::Range;

use layout_core::engine::DynLayout;

use crate::gemm::blocking::{Runs, Stays, whole};
use crate::gemm::cuts::Cuts;
use crate::gemm::float::sealed::Sum;
use crate::gemm::job::{Finished, Job};
use crate::gemm::micro::{Kernels, Panels, Target};
use crate::simd::cache::Caches;

/// A product of matrices whose modes have one distance each.
#[derive(Clone, Copy)]
struct Flat {
    m: usize,
    n: usize,
    k: usize,
    am: usize,
    ak: usize,
    bk: usize,
    bn: usize,
    cm: usize,
    cn: usize,
}

impl Flat {
    fn of(layouts: [&DynLayout; 3]) -> Option<Self> {
        let [a, b, c] = layouts;
        let ([m, k], [_, n], [_, _]) = (a.extents(), b.extents(), c.extents()) else { return None };
        let ([am, ak], [bk, bn], [cm, cn]) = (a.strides(), b.strides(), c.strides()) else {
            return None;
        };
        let [m, n, k] = [*m, *n, *k];
        Some(Self { m, n, k, am: *am, ak: *ak, bk: *bk, bn: *bn, cm: *cm, cn: *cn })
    }

    /// The same product as `C^T = B^T * A^T`.
    const fn transposed(self) -> Self {
        let Self { m, n, k, am, ak, bk, bn, cm, cn } = self;
        Self { m: n, n: m, k, am: bn, ak: bk, bk: ak, bn: am, cm: cn, cn: cm }
    }
}

/// Makes a product so, if it can be; says whether it has.
///
/// # Safety
///
/// As [`any::run`](super::any::run), for a product that is not empty.
pub(crate) unsafe fn run<X: 'static, Y: 'static, T: Sum>(
    job: &Job<'_, X, Y, T>,
    kernels: impl FnOnce() -> Kernels<X, Y, T>,
    turned: impl FnOnce() -> Kernels<Y, X, T>,
) -> bool {
    let Some(flat) = Flat::of(job.layouts) else { return false };
    let (along_n, along_m) = (flat.cn == 1 || flat.n == 1, flat.cm == 1 || flat.m == 1);
    // A matrix times a vector fills no lanes with columns; with rows it may.
    let vector = flat.n == 1 && along_m && flat.am == 1;
    if along_n && !vector {
        // SAFETY: the caller's promise.
        unsafe { tiles(flat, job, &kernels(), [job.a.cast(), job.b.cast()], false) }
    } else if along_m {
        // SAFETY: the caller's promise.
        unsafe { tiles(flat.transposed(), job, &turned(), [job.b.cast(), job.a.cast()], true) }
    } else {
        false
    }
}

/// The tiles of a product whose C has vectors along n.
///
/// # Safety
///
/// As [`run`], for `A` and `B` at these places, of elements `U` and `V`.
unsafe fn tiles<X, Y, U: 'static, V: 'static, T: Sum>(
    flat: Flat,
    job: &Job<'_, X, Y, T>,
    kernels: &Kernels<U, V, T>,
    [a, b]: [*const u8; 2],
    turned: bool,
) -> bool {
    let Flat { m, n, k, am, ak, bk, bn, cm, .. } = flat;
    let Kernels { lanes, depth, .. } = *kernels;
    let steps = k.div_ceil(depth);
    if !whole(steps) || !(kernels.masked || n.is_multiple_of(lanes)) {
        return false;
    }
    let step = |is_word: bool, distance: usize| match depth {
        1 => is_word.then_some(distance),
        _ => (is_word && distance == 1 && k.is_multiple_of(depth)).then_some(depth),
    };
    let steps_in_place = [step(kernels.a_words, ak), step(kernels.b_words, bk)];
    let b_runs = bn == depth || n == 1;
    let caches = Caches::detect();
    let runs = Runs::new(b_runs, b, bk * size_of::<V>());
    let stays = Stays::new([m, n, k], steps_in_place, runs, kernels, &caches);
    let Stays { a_step: Some(a_step), b_step: Some(b_step) } = stays else { return false };
    let (u, v) = (size_of::<U>(), size_of::<V>());
    let vectors = Cuts::new(n.div_ceil(lanes), kernels.vectors());
    // As many panels of B meet all rows of A as stay in the first cache.
    let near = (caches.first / 2 / (steps * kernels.word * lanes * kernels.vectors())).max(1);
    let groups = (0..vectors.count()).step_by(near);
    let rows = Cuts::new(m, kernels.rows());
    for (first, rows) in groups.flat_map(|first| rows.iter().map(move |rows| (first, rows))) {
        let a = a.wrapping_add(rows.start * am * u);
        let c = job.c.wrapping_add(rows.start * cm);
        for panel in vectors.some(first..(first + near).min(vectors.count())) {
            let columns = panel.start * lanes..(panel.end * lanes).min(n);
            let panels = Panels {
                depth: steps,
                a,
                a_step: a_step * u,
                a_row: am * u,
                b: b.wrapping_add(columns.start * bn * v),
                b_vector: lanes * bn * v,
                b_step: b_step * v,
                soon: a,
                soon_row: 0,
                soon_lines: 0,
            };
            let target = Target {
                scale: job.scale,
                c: c.wrapping_add(columns.start),
                row: cm,
                vector: lanes,
                last: columns.end - (panel.end - 1) * lanes,
            };
            let micro = kernels.tile(rows.len(), panel.len(), false);
            // SAFETY: A has its rows, and B and C their vectors, at these distances; the last
            // vector is whole where loads are not masked.
            unsafe { micro(&panels, &target) };
            finished(job, cm, &rows, &columns, turned);
        }
    }
    true
}

/// Tells that a tile has its sums.
fn finished<X, Y, T>(
    job: &Job<'_, X, Y, T>,
    row: usize,
    rows: &Range<usize>,
    columns: &Range<usize>,
    turned: bool,
) {
    let Some(finish) = job.finish else { return };
    let ((rows, row), (columns, column)) = match turned {
        false => ((rows, row), (columns, 1)),
        true => ((columns, 1), (rows, row)),
    };
    finish(&Finished {
        c: job.c,
        rows: rows.clone(),
        columns: columns.clone(),
        row: &|i| i * row,
        column: &|i| i * column,
        columns_run: column == 1,
        rows_run: row == 1,
    });
}
