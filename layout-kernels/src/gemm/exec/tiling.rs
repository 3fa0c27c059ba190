//! `Tiling`: the tiles of a product that is made at once, over operands in place or packed.

use core::ops::Range;
use core::ptr;

use crate::gemm::exec::arguments::{Finish, Finished};
use crate::gemm::exec::batches::Batches;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::kernel::tile::{Batch, Cache, consecutive};
use crate::gemm::plan::partition::blocks;
use crate::gemm::plan::unblocked::{Tiles, Unblocked};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

/// An operand as tiles read it: in place, with a distance of elements along K, or packed.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) start: *const u8,
    pub(crate) step: Option<usize>,
}

/// The tiles of a product whose C has vectors along n.
pub(crate) struct Tiling<'a, X: 'static, Y: 'static, T: 'static> {
    pub(crate) strided: &'a Strided,
    pub(crate) tiles: &'a Tiles,
    pub(crate) matrices: &'a Matrices<'a, X, Y, T>,
    pub(crate) kernels: &'a Kernels<X, Y, T>,
    pub(crate) a: Words,
    pub(crate) b: Words,
    transposed: bool,
}

// SAFETY: A and B are only read, and tiles are different parts of C.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Tiling<'_, X, Y, T> {}

impl<'a, X, Y, T: Sum> Tiling<'a, X, Y, T> {
    /// The tiles of a plan. Operands are in place, or will be packed.
    #[inline(always)]
    pub(crate) fn new(
        plan: &'a Unblocked,
        tiles: &'a Tiles,
        matrices: &'a Matrices<'a, X, Y, T>,
        kernels: &'a Kernels<X, Y, T>,
    ) -> Self {
        let [a_step, b_step] = tiles.steps;
        Self {
            strided: &plan.strided,
            tiles,
            matrices,
            kernels,
            a: Words { start: matrices.a.cast(), step: a_step },
            b: Words { start: matrices.b.cast(), step: b_step },
            transposed: plan.transposed,
        }
    }

    /// The tile, where there is one: what follows takes longer than a small one.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), for a product of one tile.
    #[inline(always)]
    pub(crate) unsafe fn one(&self) {
        let vectors = self.kernels.vectors_for(self.strided.n);
        // SAFETY: as required here.
        unsafe { self.batch((0..self.strided.m, 1), (0..vectors, 1)) };
    }

    /// All tiles.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    #[inline(never)]
    pub(crate) unsafe fn all(&self) {
        let [down, across] = [self.tiles.rows.count(), self.tiles.vectors.count()];
        let told = self.matrices.finish.is_some();
        if across == 1 && !told && self.tiles.rows.alike(0, down) == down {
            // One batch: what follows would take longer than a small one.
            let (rows, vectors) = (self.tiles.rows.piece(0), self.tiles.vectors.piece(0));
            // SAFETY: as required here.
            unsafe { self.batch((rows, down), (vectors, 1)) };
        } else {
            // SAFETY: as required here.
            unsafe { self.run(0..down, 0..across) };
        }
    }

    /// The tiles of some rows and vectors, of those that these are cut in.
    ///
    /// # Safety
    ///
    /// Elements of A, B and C as [`exec::run`](super::run) requires. Nothing else accesses the elements
    /// of C that these tiles have. Operands that have a distance are in place and can be read so; the
    /// others are packed.
    pub(crate) unsafe fn run(&self, below: Range<usize>, beside: Range<usize>) {
        let Kernels { word, lanes, .. } = *self.kernels;
        // As many panels of B as stay in the first cache meet as many rows of A as stay in the
        // second.
        let steps = self.kernels.words_for(self.strided.k);
        let panel = steps * word * lanes * self.kernels.vectors();
        let row = steps * word * self.tiles.rows.largest();
        // Not divided where all stays: that takes as long as a small tile.
        let most = |count: usize, size: usize, bytes: usize| match count * size <= bytes {
            true => count,
            false => (bytes / size).max(1),
        };
        let (near, far) = match beside.len() {
            1 => (1, below.len()),
            across => {
                let caches = Caches::detect();
                let (first, second) = (caches.first / 4 * 3, caches.second / 4);
                (most(across, panel, first), most(below.len(), row, second))
            }
        };
        for below in blocks(below, far) {
            for near in blocks(beside.clone(), near) {
                // SAFETY: as required here.
                unsafe { self.meet(below.clone(), near) };
            }
        }
    }

    /// Some panels of B meet some rows of A.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn meet(&self, below: Range<usize>, near: Range<usize>) {
        // What is told of finished tiles is told of each.
        let alone = self.matrices.finish.is_some();
        let part = !self.strided.n.is_multiple_of(self.kernels.lanes);
        let (rows, vectors) = (&self.tiles.rows, &self.tiles.vectors);
        let batches = Batches {
            rows,
            vectors,
            part,
            down: if alone { 1 } else { usize::MAX },
            across: !alone,
        };
        for (panel, across) in batches.across(near) {
            for (rows, down) in batches.down(below.clone()) {
                // SAFETY: as required here.
                unsafe { self.batch((rows, down), (panel.clone(), across)) };
            }
        }
    }

    /// A batch of tiles: the rows of the first one and how many are below each other, and the same
    /// of the vectors.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn batch(
        &self,
        (rows, down): (Range<usize>, usize),
        (panel, across): (Range<usize>, usize),
    ) {
        let Self { kernels, a, b, transposed, .. } = self;
        let Strided { m, n, k, am, bn, cm, .. } = *self.strided;
        let Kernels { lanes, word, more, .. } = **kernels;
        let Matrices { scale, c, finish, .. } = *self.matrices;
        let steps = kernels.words_for(k);
        let (x, y) = (size_of::<X>(), size_of::<Y>());
        let (b_column, b_next) = match b.step {
            Some(_) => (bn * y, bn * y),
            None => ((steps + more) * word, word),
        };
        // The bytes from the words of some rows of A to those of the next, for each row.
        let a_next = if a.step.is_some() { am * x } else { steps * word };
        let (a_row, a_step) = match a.step {
            Some(step) => (a_next, step * x),
            None => (word, rows.len() * word),
        };
        // A part of the next rows of A arrives with each tile, if they follow in memory.
        let (soon, soon_step) = if a_next == steps * word && m > rows.len() {
            let all = rows.len() * word;
            let (step, before) = match self.tiles.vectors.count() {
                1 => (all, 0),
                beside => (all.div_ceil(beside), panel.start / kernels.vectors()),
            };
            (rows.len() * a_next + before * step * steps, step)
        } else {
            (0, 0)
        };
        let columns = panel.start * lanes..(panel.end * lanes).min(n);
        let width = panel.len() * lanes;
        let batch = Batch {
            depth: steps,
            a: a.start.wrapping_add(rows.start * a_next),
            a_row,
            a_step,
            a_down: rows.len() * a_next,
            b: b.start.wrapping_add(columns.start * b_column),
            b_vector: lanes * b_next,
            b_step: b.step.map_or(width * word, |step| step * y),
            b_across: width * b_column,
            c: c.wrapping_add(rows.start * cm + columns.start),
            c_row: cm,
            c_vectors: consecutive(lanes),
            c_down: rows.len() * cm,
            c_across: width,
            down,
            across,
            last: columns.end - (panel.end - 1) * lanes,
            soon,
            soon_step,
            c_in: Cache::Any,
            corrected: more > 0,
            packed_b: ptr::null_mut(),
        };
        let micro = kernels.tile(rows.len(), panel.len(), batch.last < lanes);
        // SAFETY: A has its rows, and B and C their vectors, at these strides; a vector at the end is
        // read and written only as far as it is there.
        unsafe { micro(&batch, scale) };
        if let Some(finish) = finish {
            finished(c, finish, cm, rows, columns, *transposed);
        }
    }
}

/// Tells that a tile has its sums.
fn finished<T>(
    c: *mut T,
    finish: Finish<'_, T>,
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
