//! `Tiling`: the tiles of a product without cache blocking, over operands in place or packed.

use core::ops::Range;

use crate::gemm::exec::arguments::Finished;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::kernel::batch::{Batch, CacheLevel, Words, contiguous_vectors};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::partition::blocks;
use crate::gemm::plan::unblocked::{Tiles, Unblocked};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

/// Bytes that fit in L1, and in L2, on any processor.
const L1_BYTES: usize = Caches::DEFAULT.l1 / 4 * 3;
const L2_BYTES: usize = Caches::DEFAULT.l2 / 4;

/// How many steps ahead a single tile prefetches a B that comes from memory. (f32 8x8x1,000,000: 24 GFLOP/s
/// without, 37 with it.)
const STEPS_AHEAD: usize = 128;

/// The tiles of a product whose C has vectors along N.
pub(crate) struct Tiling<'a> {
    pub(crate) strided: &'a Strided,
    pub(crate) tiles: &'a Tiles,
    pub(crate) matrices: &'a Matrices<'a>,
    pub(crate) kernels: &'a Kernels,
    pub(crate) a: Words,
    pub(crate) b: Words,
    transposed: bool,
    c_location: CacheLevel,
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
        // Unused if the operand is packed.
        let [a_next, b_next] =
            [plan.strided.am, tiles.vector_steps[0]].map(|next| next.wrapping_mul(element));
        Self {
            strided: &plan.strided,
            tiles,
            matrices,
            kernels,
            a: Words { start: matrices.a, next: a_next, step: a_step * element },
            b: Words { start: matrices.b, next: b_next, step: b_step * element },
            transposed: plan.transposed,
            c_location: plan.c_location,
        }
    }

    /// Computes all tiles.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    pub(crate) unsafe fn run_all(&self) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match self.tiles.is_single_tile() {
                true => self.single_tile(),
                false => self.run(0..self.tiles.rows.count(), 0..self.tiles.vectors.count()),
            }
        }
    }

    /// Computes a range of tiles: `row_pieces` are indices of pieces of the rows, `vector_pieces` of
    /// the vectors.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run) for the elements of A, B and C. Nothing else accesses the
    /// elements of C of these tiles. Operands with a step along K in `tiles` can be read in place with
    /// it; the others are packed.
    pub(crate) unsafe fn run(&self, row_pieces: Range<usize>, vector_pieces: Range<usize>) {
        let Shapes { word, lanes, .. } = self.kernels.shapes;
        // Multiplies as many panels of B as fit in L1 with as many rows of A as fit in L2.
        let steps = self.kernels.shapes.words_for(self.strided.k);
        let panel = steps * word * lanes * self.tiles.vectors.largest();
        let row = steps * word * self.tiles.rows.largest();
        // If everything fits in cache, skip the cache query and the divisions: they cost as much as a
        // small tile.
        let fits_in_cache =
            vector_pieces.len() * panel <= L1_BYTES && row_pieces.len() * row <= L2_BYTES;
        // SAFETY: guaranteed by the caller.
        unsafe {
            if vector_pieces.len() == 1
                || fits_in_cache
                || matches!(self.c_location, CacheLevel::L1)
            {
                return self.multiply_range(row_pieces, vector_pieces);
            }
            let caches = Caches::detect();
            let (l1_panels, l2_rows) = (caches.l1 / 4 * 3 / panel, caches.l2 / 4 / row);
            for row_pieces in blocks(row_pieces, l2_rows.max(1)) {
                for vector_pieces in blocks(vector_pieces.clone(), l1_panels.max(1)) {
                    self.multiply_range(row_pieces.clone(), vector_pieces);
                }
            }
        }
    }

    /// The batch of the first tile, which has whole vectors.
    #[inline(always)]
    fn first_batch(&self) -> Batch {
        let Shapes { lanes, extra_rows, sum, .. } = self.kernels.shapes;
        let depth = self.kernels.shapes.words_for(self.strided.k);
        let c = (self.matrices.c, self.strided.cm * sum);
        Batch {
            c_vectors: contiguous_vectors(self.tiles.vector_steps[1] * sum),
            c_location: self.c_location,
            corrected: extra_rows > 0,
            ..Batch::single_tile(depth, [self.a.by_fields(), self.b.by_fields()], c, (lanes, sum))
        }
    }

    /// Computes the only tile of a product. Setting up several tiles takes longer than a small tile.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run), for a product of one tile.
    #[inline(always)]
    pub(crate) unsafe fn single_tile(&self) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.single_tiles(1, [0; 3]) };
    }

    /// Computes `count` products of one tile each. From one to the next, A, B and C have these strides, in
    /// bytes.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run), for each product. If there are several, nothing is called with finished
    /// parts.
    #[inline(always)]
    pub(crate) unsafe fn single_tiles(&self, count: usize, [a, b, c]: [usize; 3]) {
        let Strided { m, n, k, cm, .. } = *self.strided;
        let Shapes { lanes, element, .. } = self.kernels.shapes;
        let vectors = self.tiles.vectors.total();
        let mut batch = Batch {
            last_lanes: n - (vectors - 1) * lanes,
            tiles_n: count,
            a_tile_stride_n: a,
            b_tile_stride: b,
            c_tile_stride_n: c,
            ..self.first_batch()
        };
        if n.saturating_mul(k).saturating_mul(element) > Caches::DEFAULT.l2 {
            let Words { start, step, .. } = self.b;
            batch.prefetch.start = start.wrapping_add(STEPS_AHEAD.wrapping_mul(step));
            batch.prefetch.step = step;
        }
        let micro = self.kernels.tile(m, vectors, batch.last_lanes < lanes);
        batch.overlap(vectors, &self.kernels.shapes);
        let Matrices { scale, c, finish, .. } = *self.matrices;
        // SAFETY: guaranteed by the caller.
        unsafe { micro(&batch, scale) };
        if let Some(finish) = finish {
            Finished::report(c, finish, [cm, 1], (0..m, 0..n), self.transposed);
        }
    }

    /// Multiplies a range of panels of B with a range of rows of A.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    unsafe fn multiply_range(&self, row_pieces: Range<usize>, vector_pieces: Range<usize>) {
        let Self { kernels, tiles, a, b, .. } = self;
        let Strided { n, cm, .. } = *self.strided;
        let Shapes { lanes, sum, .. } = kernels.shapes;
        let Matrices { scale, c, finish, .. } = *self.matrices;
        let (c_row, c_next) = (cm * sum, tiles.vector_steps[1] * sum);
        // Each finished tile is reported separately.
        let max = if finish.is_some() { 1 } else { usize::MAX };
        let mut batch = self.first_batch();
        let is_partial = n & (lanes - 1) != 0;
        for panels in tiles.vectors.batches(vector_pieces, max).with_partial(is_partial) {
            let end = panels.start + panels.size * panels.count;
            batch.b.start = b.start.wrapping_add(panels.start * b.next);
            batch.b_tile_stride = panels.size * b.next;
            batch.c_tile_stride_n = panels.size * c_next;
            batch.tiles_n = panels.count;
            batch.last_lanes =
                if is_partial && end == tiles.vectors.total() { n & (lanes - 1) } else { lanes };
            let ends_in_partial = batch.last_lanes < lanes;
            // Only the last panel ends in a partial vector.
            batch.overlap(panels.size, &kernels.shapes);
            let start = c.wrapping_add(panels.start * c_next);
            for rows in tiles.rows.batches(row_pieces.clone(), max) {
                batch.a.start = a.start.wrapping_add(rows.start * a.next);
                batch.a_tile_stride = rows.size * a.next;
                batch.c = start.wrapping_add(rows.start * c_row);
                batch.c_tile_stride_m = rows.size * c_row;
                batch.tiles_m = rows.count;
                let micro = kernels.tile(rows.size, panels.size, ends_in_partial);
                // SAFETY: these are the strides of the rows of A and of the vectors of B and C. A
                // partial vector is read and written only in its used lanes.
                unsafe { micro(&batch, scale) };
                if let Some(finish) = finish {
                    let columns = panels.start * lanes..(end * lanes).min(n);
                    let rows = rows.start..rows.start + rows.size;
                    Finished::report(c, finish, [cm, 1], (rows, columns), self.transposed);
                }
            }
        }
    }
}
