//! `Tiling`: the tiles of a product without cache blocking, over operands in place or packed.

use core::ops::Range;

use crate::gemm::exec::arguments::{Finish, Finished};
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::kernel::batch::{Batch, Cache, Words, consecutive};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::partition::blocks;
use crate::gemm::plan::unblocked::{Tiles, Unblocked};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

/// Bytes that fit in L1, and in L2, on any processor.
const NEAR: usize = Caches::USUAL.first / 4 * 3;
const FAR: usize = Caches::USUAL.second / 4;

/// The tiles of a product whose C has vectors along N.
pub(crate) struct Tiling<'a> {
    pub(crate) strided: &'a Strided,
    pub(crate) tiles: &'a Tiles,
    pub(crate) matrices: &'a Matrices<'a>,
    pub(crate) kernels: &'a Kernels,
    pub(crate) a: Words,
    pub(crate) b: Words,
    transposed: bool,
    c_in: Cache,
}

// SAFETY: operands are only read, in place or packed.
unsafe impl Sync for Tiling<'_> {}

impl<'a> Tiling<'a> {
    /// The tiles of a plan. Operands are in place, or will be packed.
    #[inline(always)]
    pub(crate) fn new(
        plan: &'a Unblocked,
        tiles: &'a Tiles,
        matrices: &'a Matrices<'a>,
        kernels: &'a Kernels,
    ) -> Self {
        let [a_step, b_step] = tiles.steps.map(|step| step.unwrap_or(0));
        let element = kernels.shapes.element;
        let (a_next, b_next) = (plan.strided.am * element, tiles.vector_steps[0] * element);
        Self {
            strided: &plan.strided,
            tiles,
            matrices,
            kernels,
            a: Words { start: matrices.a, next: a_next, step: a_step * element },
            b: Words { start: matrices.b, next: b_next, step: b_step * element },
            transposed: plan.transposed,
            c_in: plan.c_in,
        }
    }

    /// Computes all tiles.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    pub(crate) unsafe fn all(&self) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match self.tiles.are_one() {
                true => self.one(),
                false => self.run(0..self.tiles.rows.count(), 0..self.tiles.vectors.count()),
            }
        }
    }

    /// Computes a range of tiles: `below` are indices of pieces of the rows, `beside` of the vectors.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run) for the elements of A, B and C. Nothing else accesses the
    /// elements of C of these tiles. Operands with a step along K in `tiles` can be read in place with
    /// it; the others are packed.
    pub(crate) unsafe fn run(&self, below: Range<usize>, beside: Range<usize>) {
        let Shapes { word, lanes, .. } = self.kernels.shapes;
        // Multiplies as many panels of B as fit in L1 with as many rows of A as fit in L2.
        let steps = self.kernels.shapes.words_for(self.strided.k);
        let panel = steps * word * lanes * self.tiles.vectors.largest();
        let row = steps * word * self.tiles.rows.largest();
        // If everything fits in cache, skip the cache query and the divisions: they cost as much as a
        // small tile.
        let stay = beside.len() * panel <= NEAR && below.len() * row <= FAR;
        // SAFETY: guaranteed by the caller.
        unsafe {
            if beside.len() == 1 || stay || matches!(self.c_in, Cache::First) {
                return self.meet(below, beside);
            }
            let caches = Caches::detect();
            let (near, far) = (caches.first / 4 * 3 / panel, caches.second / 4 / row);
            for below in blocks(below, far.max(1)) {
                for near in blocks(beside.clone(), near.max(1)) {
                    self.meet(below.clone(), near);
                }
            }
        }
    }

    /// The batch of the first tile, which has whole vectors.
    #[inline(always)]
    fn first(&self) -> Batch {
        let Shapes { lanes, more, sum, .. } = self.kernels.shapes;
        let depth = self.kernels.shapes.words_for(self.strided.k);
        let c = (self.matrices.c, self.strided.cm * sum);
        Batch {
            c_vectors: consecutive(self.tiles.vector_steps[1] * sum),
            c_in: self.c_in,
            corrected: more > 0,
            ..Batch::one(depth, [self.a, self.b], c, (lanes, sum))
        }
    }

    /// Computes the only tile of a product. Setting up several tiles takes longer than a small tile.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run), for a product of one tile.
    #[inline(always)]
    pub(crate) unsafe fn one(&self) {
        let Strided { m, n, cm, .. } = *self.strided;
        let lanes = self.kernels.shapes.lanes;
        let vectors = self.tiles.vectors.total();
        let mut batch = Batch { last: n - (vectors - 1) * lanes, ..self.first() };
        let micro = self.kernels.tile(m, vectors, batch.last < lanes);
        batch.overlap(vectors, &self.kernels.shapes);
        let Matrices { scale, c, finish, .. } = *self.matrices;
        // SAFETY: guaranteed by the caller.
        unsafe { micro(&batch, scale) };
        if let Some(finish) = finish {
            finished(c, finish, cm, 0..m, 0..n, self.transposed);
        }
    }

    /// Multiplies a range of panels of B with a range of rows of A.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    unsafe fn meet(&self, below: Range<usize>, near: Range<usize>) {
        let Self { kernels, tiles, a, b, .. } = self;
        let Strided { n, cm, .. } = *self.strided;
        let Shapes { lanes, sum, .. } = kernels.shapes;
        let Matrices { scale, c, finish, .. } = *self.matrices;
        let (c_row, c_next) = (cm * sum, tiles.vector_steps[1] * sum);
        // Each finished tile is reported separately.
        let most = if finish.is_some() { 1 } else { usize::MAX };
        let mut batch = self.first();
        let is_part = n & (lanes - 1) != 0;
        for panels in tiles.vectors.batches(near, most).with_part(is_part) {
            let end = panels.start + panels.size * panels.count;
            batch.b.start = b.start.wrapping_add(panels.start * b.next);
            batch.b_across = panels.size * b.next;
            batch.c_across = panels.size * c_next;
            batch.across = panels.count;
            batch.last =
                if is_part && end == tiles.vectors.total() { n & (lanes - 1) } else { lanes };
            let ends_in_part = batch.last < lanes;
            // Only the last panel ends in a partial vector.
            batch.overlap(panels.size, &kernels.shapes);
            let start = c.wrapping_add(panels.start * c_next);
            for rows in tiles.rows.batches(below.clone(), most) {
                batch.a.start = a.start.wrapping_add(rows.start * a.next);
                batch.a_down = rows.size * a.next;
                batch.c = start.wrapping_add(rows.start * c_row);
                batch.c_down = rows.size * c_row;
                batch.down = rows.count;
                let micro = kernels.tile(rows.size, panels.size, ends_in_part);
                // SAFETY: these are the strides of the rows of A and of the vectors of B and C. A
                // partial vector is read and written only in its used lanes.
                unsafe { micro(&batch, scale) };
                if let Some(finish) = finish {
                    let columns = panels.start * lanes..(end * lanes).min(n);
                    let rows = rows.start..rows.start + rows.size;
                    finished(c, finish, cm, rows, columns, self.transposed);
                }
            }
        }
    }
}

/// Reports a finished tile.
fn finished(
    c: *mut u8,
    finish: Finish<'_>,
    row: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    transposed: bool,
) {
    let ((rows, row), (columns, column)) = match transposed {
        false => ((rows, row), (columns, 1)),
        true => ((columns, 1), (rows, row)),
    };
    finish(&Finished {
        c,
        rows,
        columns,
        row: &|i| i * row,
        column: &|i| i * column,
        place: &|m, n| (m, n),
        columns_run: column == 1,
        rows_run: row == 1,
    });
}
