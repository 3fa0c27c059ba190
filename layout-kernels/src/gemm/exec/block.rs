//! `Block`: a block of B, which is multiplied with panels of A.

use core::ops::Range;
use core::ptr;

use crate::gemm::exec::arguments::{Finish, Finished};
use crate::gemm::exec::blocked::BlockedProduct;
use crate::gemm::exec::macro_kernel::Slab;
use crate::gemm::exec::prefetch_b::{NextBlock, PrefetchB};
use crate::gemm::kernel::batch::{
    Batch, CacheLevel, Prefetch, SplitVector, Words, contiguous_vectors,
};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cuts::{Cuts, Group};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::steps::Steps;

/// A block of B, and the panels of A that it is multiplied with.
pub(crate) struct Block<'a> {
    pub(crate) slab: &'a Slab<'a>,
    /// Indices of the panels of A: pieces of the slab's rows.
    pub(crate) tiles: Range<usize>,
    pub(crate) bn: Offsets<'a>,
    pub(crate) cn: Offsets<'a>,
    /// First elements of the block of B, and of its columns in the slab's rows of C.
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    /// Coordinates of the columns: that of the first column, and those of all columns relative to it.
    pub(crate) coordinates: (usize, Offsets<'a>),
    /// Steps along K of B, if tiles can read its vectors in place.
    pub(crate) b_steps: Option<Steps>,
    /// The next block of B, if there is one.
    pub(crate) next_b: Option<NextBlock>,
    pub(crate) cuts: Cuts,
    pub(crate) packed_b: *mut u8,
}

/// The tiles of a group of equal panels of B: all that does not depend on their rows.
struct PanelTiles {
    /// The columns of the first tile, and the vectors in its rows.
    columns: Range<usize>,
    vectors: usize,
    /// Whether the last vector is partial or split.
    is_partial: bool,
    /// Whether the tiles pack B.
    packs: bool,
    /// The steps along K of B, if it is used in place.
    b_steps: Option<Steps>,
    /// Offset in bytes of the first tile in a row of C.
    c: usize,
    /// The same panels of the next block of B, as the first row of tiles prefetches them.
    next_b: Option<Prefetch>,
    batch: Batch,
}

impl BlockedProduct<'_> {
    /// Multiplies panels of A with a block of B.
    ///
    /// # Safety
    ///
    /// Same as [`multiply`](Self::multiply). `packed_b` is valid for writes and has room for the block.
    pub(crate) unsafe fn block(&self, block: &Block<'_>) {
        // Only tiles with the maximum number of rows can pack.
        let max_rows = self.kernels.shapes.rows(self.kernels.shapes.vectors());
        let Range { start, end } = block.tiles;
        let packs = !self.kernels.packing_tiles.is_empty()
            && block.b_steps.is_some()
            && !block.cuts.has_splits();
        let tiles_pack_b = packs && start < end && block.slab.cuts.piece(start).size == max_rows;
        // SAFETY: guaranteed by the caller.
        unsafe { self.pack_b(block, tiles_pack_b) };
        let rest = start + usize::from(tiles_pack_b);
        // SAFETY: guaranteed by the caller; panels that these tiles do not pack are packed.
        unsafe { self.tiles(block, start..rest, true) };
        // SAFETY: guaranteed by the caller; the block of B is packed unless it is used in place.
        unsafe { self.tiles(block, rest..end, false) };
    }

    /// The tiles of all panels of a block of B. If `tiles_pack_b`, they pack B as they read it.
    fn panel_tiles(
        &self,
        block: &Block<'_>,
        prefetch_b: Option<&PrefetchB<'_>>,
        tiles_pack_b: bool,
    ) -> Vec<PanelTiles> {
        let Shapes { lanes, element, sum, word, extra_rows, .. } = self.kernels.shapes;
        let &Block { slab, bn, cn, .. } = block;
        let steps = self.panel_steps(slab);
        // Each finished tile is reported separately.
        let one_by_one = slab.finish.is_some();
        let packed_b = !tiles_pack_b && !self.plan.blocking.packing.b_in_place;
        let is_batched =
            !one_by_one && block.cuts.are_regular(&cn) && (packed_b || block.cuts.are_regular(&bn));
        let max_panels = if is_batched { usize::MAX } else { 1 };
        let over_runs = !one_by_one && (packed_b || !tiles_pack_b && bn.is_linear());
        let tiles_of = |group: Group, next_b: Option<Prefetch>| {
            let columns = group.first();
            let first = group.units_before * lanes * steps * word;
            let packed_b = block.packed_b.wrapping_add(first);
            let in_place = self.b_in_place(block, columns.clone(), tiles_pack_b);
            let b = in_place.unwrap_or_else(|| Words {
                start: packed_b,
                next: lanes * word,
                step: group.size * lanes * word,
            });
            let b_tile_stride = match in_place {
                Some(_) => group.stride * bn.stride * element,
                None => group.unit_stride * lanes * steps * word,
            };
            // Offsets may be negative: they wrap, as does the addition to a pointer.
            let start = cn.at(columns.start);
            let to_c = |column: usize| cn.at(column).wrapping_sub(start).wrapping_mul(sum);
            let c_tile_stride_n = match group.count {
                1 => 0,
                _ => to_c(columns.start + group.stride),
            };
            let last_lanes = columns.len() - (group.size - 1) * lanes;
            let mut c_vectors = contiguous_vectors(lanes * sum);
            for (i, vector) in c_vectors.iter_mut().enumerate().take(group.size) {
                *vector = to_c(columns.start + i * lanes);
            }
            let split = block.cuts.splits(&group).next().map(|(index, in_run)| {
                let rest = to_c(columns.start + index * lanes + in_run);
                SplitVector { index, lanes: in_run, rest }
            });
            let b_steps = block.b_steps.filter(|_| in_place.is_some());
            let no_a = Words { start: ptr::null(), next: 0, step: 0 };
            let mut batch = Batch {
                b_skip: b_steps.map_or(0, |steps| steps.skip).wrapping_mul(element),
                b_tile_stride,
                c_vectors,
                c_tile_stride_n,
                tiles_n: group.count,
                last_lanes,
                c_location: CacheLevel::Memory,
                corrected: extra_rows > 0,
                packed_b,
                ..Batch::single_tile(0, [no_a, b], (ptr::null_mut(), 0), (lanes, sum))
            };
            match split {
                Some(split) => batch.split(group.size, split),
                None => batch.overlap(group.size, &self.kernels.shapes),
            }
            PanelTiles {
                columns,
                vectors: group.size,
                is_partial: last_lanes < lanes || split.is_some(),
                packs: tiles_pack_b && in_place.is_some() && !self.plan.blocking.packing.b_in_place,
                b_steps,
                c: start.wrapping_mul(sum),
                next_b,
                batch,
            }
        };
        let mut panel_tiles = Vec::new();
        for mut group in block.cuts.groups(max_panels, over_runs) {
            while group.count > 0 {
                let (count, prefetch) =
                    prefetch_b.map_or((group.count, None), |b| b.prefetch(&group));
                panel_tiles.push(tiles_of(group.first_pieces(count), prefetch));
                group = group.without(count);
            }
        }
        panel_tiles
    }

    /// How the tiles of a row of tiles prefetch the next rows of A: `rows` rows of `words` words, `stride`
    /// bytes after those in `a`. From the end of a run along K to the next one are `skip` bytes. `None` if the
    /// rows are neither dense nor contiguous along M.
    fn next_a(
        &self,
        (a, skip): (&Words, usize),
        stride: usize,
        [rows, words, tiles_n]: [usize; 3],
    ) -> Option<Prefetch> {
        let Shapes { element, word, .. } = self.kernels.shapes;
        let (start, tile_stride_m) = (a.start.wrapping_add(stride), stride);
        if stride == rows * words * word {
            let step = (rows * word).div_ceil(tiles_n);
            let tile_stride_n = words * step;
            return Some(Prefetch { start, step, skip: 0, tile_stride_n, tile_stride_m });
        }
        // In place, each step reads another cache line. (f32 46,656x12x216: 37 GFLOP/s without this, 77
        // with it.)
        let prefetch = Prefetch { start, step: a.step, skip, tile_stride_n: 0, tile_stride_m };
        (a.next == element).then_some(prefetch)
    }

    /// Multiplies a range of panels of A with a block of B. If `tiles_pack_b`, the tiles pack B as they
    /// read it.
    ///
    /// # Safety
    ///
    /// Same as [`block`](Self::block).
    unsafe fn tiles(&self, block: &Block<'_>, tiles: Range<usize>, tiles_pack_b: bool) {
        if tiles.is_empty() {
            return;
        }
        let kernels = self.kernels;
        let Shapes { element, sum, word, depth, .. } = kernels.shapes;
        let &Slab { am, cm, packed_a, first_row, scale, a_steps, cuts, finish, .. } = block.slab;
        let words = block.slab.ak.size.div_ceil(depth);
        let prefetch_b =
            PrefetchB::new(block, &kernels.shapes, self.plan.blocking.packing.transposes_b);
        let mut panel_tiles = self.panel_tiles(block, prefetch_b.as_ref(), tiles_pack_b);
        let is_regular = cuts.are_regular(&cm) && (a_steps.is_none() || cuts.are_regular(&am));
        let max_tiles_m = match (finish.is_none() && is_regular, panel_tiles.len()) {
            (false, _) => 1,
            (true, 1) => usize::MAX,
            // Rows are multiplied with all of B before the next rows, so that their words stay in L1.
            _ => (self.plan.blocking.l1_bytes / (cuts.largest() * words * word)).max(1),
        };
        let (prefetch_rows, prefetch_steps) =
            prefetch_b.as_ref().map_or((0, None), |b| (b.rows, Some(b.steps())));
        let mid = (block.tiles.start + prefetch_rows).clamp(tiles.start, tiles.end);
        let first_tiles_n = panel_tiles.first().map_or(1, |tiles| tiles.batch.tiles_n);
        let mut index = tiles.start;
        let batches = cuts.batches(tiles.start..mid, max_tiles_m);
        for row_group in batches.chain(cuts.batches(mid..tiles.end, max_tiles_m)) {
            let prefetches_b = index < mid;
            let row_of_tiles = index - block.tiles.start;
            index += row_group.count;
            let rows = row_group.first();
            let in_place = self.a_in_place(block.slab, rows.clone());
            let a = in_place.unwrap_or_else(|| Words {
                start: packed_a.wrapping_add((rows.start - first_row) * words * word),
                next: word,
                step: rows.len() * word,
            });
            let a_steps = a_steps.filter(|_| in_place.is_some());
            let a_skip = a_steps.map_or(0, |steps| steps.skip).wrapping_mul(element);
            let a_tile_stride = rows.len() * if in_place.is_some() { a.next } else { words * word };
            // The tiles of the first panels prefetch the next panel of A. Those of other panels may come
            // after the tiles that read it. (f32 100,000x72x100: 77 GFLOP/s if all panels prefetch a part,
            // 93 if the first ones do.)
            let mut next_a =
                self.next_a((&a, a_skip), a_tile_stride, [rows.len(), words, first_tiles_n]);
            let Some(row_stride) = cm.stride_of(rows.clone()) else {
                unreachable!("the rows of a tile are in one run of C")
            };
            let c = block.c.wrapping_add(cm.at(rows.start).wrapping_mul(sum));
            for tiles in &mut panel_tiles {
                let batch = &mut tiles.batch;
                (batch.a, batch.a_skip, batch.a_tile_stride) = (a, a_skip, a_tile_stride);
                batch.c = c.wrapping_add(tiles.c);
                batch.c_row = row_stride * sum;
                batch.c_tile_stride_m = rows.len().wrapping_mul(cm.stride).wrapping_mul(sum);
                batch.tiles_m = row_group.count;
                let next_b = tiles.next_b.filter(|_| prefetches_b).map(|next| {
                    let first = row_of_tiles.wrapping_mul(next.tile_stride_m);
                    Prefetch { start: next.start.wrapping_add(first), ..next }
                });
                let next_steps = next_b.and(prefetch_steps);
                (batch.depth, batch.runs) =
                    Steps::runs_of([a_steps, tiles.b_steps, next_steps], words);
                let next = next_b.or(next_a);
                batch.prefetch = next.unwrap_or(Prefetch::none(a.start));
                next_a = None;
                let micro = match tiles.packs {
                    true => kernels.packing_tiles[tiles.vectors - 1],
                    false => kernels.tile(rows.len(), tiles.vectors, tiles.is_partial),
                };
                // SAFETY: for these tiles of C, the panels are packed or used in place. The packed
                // block has room for panels that tiles pack.
                unsafe { micro(batch, scale) };
                if let Some(finish) = finish {
                    self.report_finished(block, &rows, &tiles.columns, finish);
                }
            }
        }
    }

    /// Reports a finished part of C.
    fn report_finished(
        &self,
        block: &Block<'_>,
        rows: &Range<usize>,
        columns: &Range<usize>,
        finish: Finish<'_>,
    ) {
        let (cm, cn) = (&block.slab.cm, &block.cn);
        let ((first_m, of_m), (first_n, of_n)) = (&block.slab.coordinates, &block.coordinates);
        let is_contiguous = |c: &Offsets<'_>, coordinates: &Offsets<'_>, range: &Range<usize>| {
            let has_unit_stride = |of: &Offsets<'_>| of.stride_of(range.clone()) == Some(1);
            range.len() == 1 || has_unit_stride(c) && has_unit_stride(coordinates)
        };
        let [rows_contiguous, columns_contiguous] =
            [is_contiguous(cm, of_m, rows), is_contiguous(cn, of_n, columns)];
        let (row, column) =
            (|i| (cm.at(i), first_m + of_m.at(i)), |i| (cn.at(i), first_n + of_n.at(i)));
        let part = Finished {
            c: block.c,
            rows: rows.clone(),
            columns: columns.clone(),
            row: &row,
            column: &column,
            columns_contiguous,
            rows_contiguous,
        };
        finish(&if self.plan.transposed { part.transposed() } else { part });
    }
}
