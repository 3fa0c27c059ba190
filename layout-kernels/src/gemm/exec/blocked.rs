//! Products of any size and any layouts: blocks that fit the caches, packed into panels, made by
//! register tiles.
//!
//! The loops are those of Goto and van de Geijn, as in BLIS, with A and B exchanged: a block of A
//! of `mc` by `kc` is packed for the last cache, a block of B of `kc` by `nc` for the second, and a
//! panel of A stays in the first while it meets all panels of B. Tiles then follow each other
//! along the rows of C, where its elements are neighbours; along its columns each tile would begin
//! in other pages. Small operands, and such that lie in panels already, are used where they are.

use core::ops::Range;

use layout_core::engine::DynLayout;

use crate::gemm::exec::arguments::{Arguments, Finish, Finished};
use crate::gemm::exec::macro_kernel::{Product, Slab};
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::blocks::Blocks;
use crate::gemm::plan::cache_blocking::CacheBlocking;
use crate::gemm::plan::grid::{Grid, pieces};
use crate::gemm::plan::partition::{Partition, blocks};
use crate::gemm::problem::operands::Operands;
use crate::gemm::problem::pieces::{Pieces, Place};
use crate::gemm::scale::Scale;
use crate::par::Par;
use crate::simd::Level;
use crate::simd::cache::Caches;

/// `C = alpha * A * B + beta * C`, where there is something to add.
///
/// # Safety
///
/// As [`exec::run`](crate::gemm::exec::run).
pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy + Send + Sync>(
    level: Level,
    job: &Arguments<'_, X, Y, X::Sum>,
    kernels: fn(Level) -> &'static Kernels<X, Y, X::Sum>,
    transposed: fn(Level) -> &'static Kernels<Y, X, X::Sum>,
) {
    let Arguments { layouts, scale, a, b, c, par, finish } = *job;
    // Steps that neither operand tells apart are not made one by one.
    let once =
        |flat: &Operands<'_>| flat.ak.size <= 1 || flat.ak.stride != 0 || flat.bk.stride != 0;
    if let Some(operands) = Operands::of_matrices(layouts).filter(once) {
        let product = (scale, a, b, c, finish);
        // SAFETY: the caller's promise.
        return unsafe {
            one(level, operands, (kernels(level), || transposed(level)), product, par)
        };
    }
    // Finished elements are told their coordinates, which are in the order of the layouts.
    let pieces = Pieces::new(layouts, finish.is_none());
    let scale = Scale::new(scale.alpha.times(pieces.times), scale.beta);
    let later = scale.later();
    pieces.each(&mut |modes, Place { offsets, first, last }| {
        let mut table = Vec::new();
        let operands = Operands::of_modes(modes, &mut table);
        let [to_a, to_b, to_c] = offsets;
        let scale = if first { &scale } else { &later };
        let (a, b, c) = (a.wrapping_add(to_a), b.wrapping_add(to_b), c.wrapping_add(to_c));
        let product = (scale, a, b, c, finish.filter(|_| last));
        // SAFETY: the caller's promise, for a piece, whose first elements these are.
        unsafe { one(level, operands, (kernels(level), || transposed(level)), product, par) };
    });
}

/// The scale, where the matrices are, and what happens to finished elements.
type Data<'a, X, Y, T> = (&'a Scale<T>, *const X, *const Y, *mut T, Option<Finish<'a, T>>);

/// [`run`] for operands whose tables are made.
///
/// # Safety
///
/// As [`run`].
unsafe fn one<X: Multiply<Y>, Y: Copy + Send + Sync>(
    level: Level,
    operands: Operands<'_>,
    (kernels, transposed): (
        &'static Kernels<X, Y, X::Sum>,
        impl Fn() -> &'static Kernels<Y, X, X::Sum>,
    ),
    (scale, a, b, c, finish): Data<'_, X, Y, X::Sum>,
    par: Par,
) {
    let plan = Blocks::new(&operands, (a, b), kernels, || transposed());
    // SAFETY: as required here.
    unsafe {
        if plan.transposed {
            let (offsets, kernels) = (operands.transposed(), transposed());
            Parts { level, kernels, offsets, plan: &plan, scale, a: b, b: a, c, finish }.run(par);
        } else {
            Parts { level, kernels, offsets: operands, plan: &plan, scale, a, b, c, finish }
                .run(par);
        }
    }
}

/// The plan of a product, or of its first piece.
pub(crate) fn first_plan<X, Y, T>(
    layouts: [&DynLayout; 3],
    starts: (*const X, *const Y),
    kernels: &'static Kernels<X, Y, T>,
    transposed: impl Fn() -> &'static Kernels<Y, X, T>,
) -> Blocks {
    let mut table = Vec::new();
    let operands = match Operands::of_matrices(layouts) {
        Some(operands) => operands,
        None => Operands::of_modes(&Pieces::new(layouts, true).first(), &mut table),
    };
    Blocks::new(&operands, starts, kernels, transposed)
}

/// A product that may be made in parts.
pub(crate) struct Parts<'a, X: 'static, Y: 'static, T: 'static> {
    pub(crate) level: Level,
    pub(crate) kernels: &'a Kernels<X, Y, T>,
    pub(crate) offsets: Operands<'a>,
    pub(crate) plan: &'a Blocks,
    pub(crate) scale: &'a Scale<T>,
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    pub(crate) finish: Option<Finish<'a, T>>,
}

// SAFETY: A and B are only read, and parts of C are apart, so that threads may share all of it.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Parts<'_, X, Y, T> {}

impl<X, Y, T: Sum> Parts<'_, X, Y, T>
where
    X: Copy + Send + Sync,
    Y: Copy + Send + Sync,
{
    /// All parts.
    ///
    /// # Safety
    ///
    /// As [`run`].
    unsafe fn run(&self, par: Par) {
        let caches = Caches::detect();
        let blocking = self.plan.blocking;
        let (m, n, k) = (self.offsets.am.size, self.offsets.bn.size, self.offsets.ak.size);
        let CacheBlocking { mc, kc, .. } = blocking;
        let Kernels { word, .. } = *self.kernels;
        let near =
            caches.second / (self.kernels.rows(self.kernels.vectors()) * blocking.row_bytes(word));
        let later = self.scale.later();
        let stays = blocking.a_step.is_some() && self.offsets.am.step(0..m).is_some();
        let a_bytes = if stays { 0 } else { blocking.a_bytes(word) };
        with_scratch(0, a_bytes, |packed_a| {
            let product = Product { parts: self, blocking: &blocking, packed_a };
            for rows in even_blocks(0..m, mc, self.kernels.rows(self.kernels.vectors())) {
                let cuts = Partition::new(rows.len(), self.kernels.rows(self.kernels.vectors()));
                let work = rows.len().saturating_mul(n).saturating_mul(k);
                let pieces = pieces(work, par.threads());
                let grid = Grid::new([cuts.count(), n], self.kernels.lanes, pieces, near);
                let slab = |depth: Range<usize>| {
                    let scale = if depth.start == 0 { self.scale } else { &later };
                    Slab { rows: rows.clone(), cuts, depth, scale }
                };
                // Nobody waits for what is used in place: a piece then has all steps.
                let together = if stays { k } else { kc };
                for steps in blocks(0..k, together) {
                    if !stays {
                        let (slab, packers) = (slab(steps.clone()), grid.pieces());
                        par.each(packers, |i| {
                            let end = |i| cuts.count() * i / packers;
                            // SAFETY: the caller's promise; each packs panels of its own.
                            unsafe { product.pack_a(&slab, end(i)..end(i + 1)) };
                        });
                    }
                    par.each(grid.pieces(), |i| {
                        let (tiles, columns) = grid.piece(i);
                        for depth in blocks(steps.clone(), kc) {
                            // SAFETY: the caller's promise; pieces are different parts of C, and
                            // this block of A is packed, or all of it stays where it is.
                            unsafe { product.run(&slab(depth), tiles.clone(), columns.clone()) };
                        }
                    });
                }
            }
        });
    }

    /// Tells that a part of C has its sums.
    pub(crate) fn finished(&self, rows: &Range<usize>, columns: &Range<usize>) {
        let Some(finish) = self.finish else { return };
        let Operands { cm, cn, .. } = self.offsets;
        let (m, n) = if self.plan.transposed { (cn, cm) } else { (cm, cn) };
        let (rows, columns) = if self.plan.transposed { (columns, rows) } else { (rows, columns) };
        finish(&Finished {
            c: self.c,
            rows: rows.clone(),
            columns: columns.clone(),
            row: &|i| m.at(i),
            column: &|i| n.at(i),
            columns_run: n.step(columns.clone()) == Some(1) || columns.len() == 1,
            rows_run: m.step(rows.clone()) == Some(1),
        });
    }
}

/// A range in blocks of at most `size`, of about as many units each; the last unit may be smaller.
pub(crate) fn even_blocks(
    range: Range<usize>,
    size: usize,
    unit: usize,
) -> impl Iterator<Item = Range<usize>> {
    let units = range.len().div_ceil(unit);
    let count = units.div_ceil(size.div_ceil(unit));
    let Range { start, end } = range;
    let at = move |i: usize| (start + units * i / count * unit).min(end);
    (0..count).map(move |i| at(i)..at(i + 1))
}
