//! `Slab`: a block of A, which is multiplied with one block of B after another.

use core::ops::Range;

use crate::gemm::exec::arguments::{Finish, Finished};
use crate::gemm::exec::blocked::BlockedProduct;
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::kernel::batch::{Batch, CacheLevel, SplitVector, Words, contiguous_vectors};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::pack::gather::{PackedPanels, gather};
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::plan::cache_blocking::CacheBlocking;
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::pieces::{BlockOffsets, Pieces};
use crate::gemm::problem::steps::Steps;
use crate::gemm::scale::AnyScale;

/// A product, and the buffer for its packed block of A, which threads share.
pub(crate) struct MacroKernel<'a> {
    pub(crate) product: &'a BlockedProduct<'a>,
    pub(crate) blocking: &'a CacheBlocking,
    pub(crate) packed_a: *mut u8,
}

// SAFETY: threads pack different panels of the block, and later only read it.
unsafe impl Sync for MacroKernel<'_> {}

/// A block of A, its steps along K in B, and its rows of C.
pub(crate) struct Slab<'a> {
    pub(crate) am: Offsets<'a>,
    pub(crate) ak: Offsets<'a>,
    pub(crate) bk: Offsets<'a>,
    pub(crate) cm: Offsets<'a>,
    /// First elements of the block of A, of its steps in B, and of its rows in C.
    pub(crate) a: *const u8,
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    /// Coordinates of the rows: that of the first row, and those of all rows relative to it.
    pub(crate) coordinates: (usize, Offsets<'a>),
    /// Steps along K of A, if it is used in place.
    pub(crate) a_steps: Option<Steps>,
    pub(crate) cuts: Cuts,
    pub(crate) scale: AnyScale<'a>,
    /// Called with finished parts of C, if this is the last block along K.
    pub(crate) finish: Option<Finish<'a>>,
}

// SAFETY: A and B are only read, and threads write disjoint parts of C.
unsafe impl Sync for Slab<'_> {}

impl MacroKernel<'_> {
    /// Multiplies a range of panels of a block of A with some columns of B.
    ///
    /// # Safety
    ///
    /// Same as [`BlockedProduct::run`] for this part of C. The block of A is packed unless it is used
    /// in place.
    pub(crate) unsafe fn run(&self, slab: &Slab<'_>, tiles: Range<usize>, part: &[Range<usize>]) {
        let Shapes { lanes, element, sum, word, b_words, depth, .. } = self.product.kernels.shapes;
        let vectors = self.product.kernels.shapes.vectors_of(slab.cuts.largest());
        let extents = self.blocking.along_n(part);
        let mut pieces = Pieces::new(part, &extents);
        let mut offsets = BlockOffsets::default();
        let bytes = self.blocking.b_bytes(&extents, word);
        let steps = self.panel_steps(slab);
        with_scratch(1, bytes, |packed_b| {
            while let Some((columns, ..)) = pieces.next() {
                offsets.set(&self.product.operands.n, columns);
                let ((to_b, bn), (to_c, cn)) = (offsets.in_operand(0), offsets.in_operand(1));
                let cuts = self.blocking.columns.cut(&bn, &cn, vectors);
                debug_assert!(cuts.unit_count() * lanes * steps * word <= bytes);
                let b_steps = Steps::new(&slab.bk, b_words, depth).filter(|steps| {
                    let has_vectors = bn.blocks_have_stride(lanes, depth)
                        || bn.stride == depth && cuts.are_regular(&bn);
                    has_vectors && slab.a_steps.is_none_or(|of_a| of_a.is_compatible(steps))
                });
                let block = Block {
                    slab,
                    tiles: tiles.clone(),
                    bn,
                    cn,
                    // The first elements of the block; `wrapping_add` only avoids `unsafe`.
                    b: slab.b.wrapping_add(to_b.wrapping_mul(element)),
                    c: slab.c.wrapping_add(to_c.wrapping_mul(sum)),
                    coordinates: offsets.coordinates(),
                    b_steps,
                    cuts,
                    packed_b,
                };
                // SAFETY: guaranteed by the caller, and the buffer has room for the packed block of B.
                unsafe { self.block(&block) };
            }
        });
    }

    /// Steps of a packed panel of B for the words along K of a slab.
    fn panel_steps(&self, slab: &Slab<'_>) -> usize {
        self.blocking.panel_steps(slab.bk.size.div_ceil(self.product.kernels.shapes.depth))
    }

    /// Location of a panel of B that is used in place: by all tiles or, if `tiles_pack_b`, by the first
    /// ones, which pack it. `None` if the panel is read from the packed block.
    fn b_in_place(
        &self,
        block: &Block<'_>,
        columns: Range<usize>,
        tiles_pack_b: bool,
    ) -> Option<Words> {
        let Shapes { lanes, element, .. } = self.product.kernels.shapes;
        let Steps { step, .. } = block.b_steps?;
        let whole = columns.len().is_multiple_of(lanes);
        if !(self.blocking.packing.b_in_place || tiles_pack_b && whole) {
            return None;
        }
        let next = block.bn.block_stride(columns.clone(), lanes)? * element;
        let start = block.b.wrapping_add(block.bn.at(columns.start).wrapping_mul(element));
        Some(Words { start, next, step: step * element })
    }

    /// Location of a panel of A that is used in place. `None` if the panel is packed.
    fn a_in_place(&self, slab: &Slab<'_>, rows: Range<usize>) -> Option<Words> {
        let Steps { step, .. } = slab.a_steps?;
        let element = self.product.kernels.shapes.element;
        let first = slab.am.at(rows.start);
        let next = slab.am.stride_of(rows)? * element;
        Some(Words {
            start: slab.a.wrapping_add(first.wrapping_mul(element)),
            next,
            step: step * element,
        })
    }

    /// Packs a block of B, except panels that are used in place and, if `tiles_pack_b`, panels that the
    /// first tiles pack.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    unsafe fn pack_b(&self, block: &Block<'_>, tiles_pack_b: bool) {
        let Shapes { lanes, word, .. } = self.product.kernels.shapes;
        let &Block { ref bn, b, packed_b, slab, .. } = block;
        let (level, k_offsets) = (self.product.matrices.level, &slab.bk);
        let steps = self.panel_steps(slab);
        if self.blocking.packing.transposes_b
            && let Some(columns) = bn.contiguous_axis()
            && block.cuts.are_regular_across(columns.0)
        {
            let source = Source { level, from: b, mn_offsets: bn, mn_range: 0..bn.size, k_offsets };
            let panels = PackedPanels {
                cuts: &block.cuts,
                columns,
                to: packed_b,
                word,
                vector: lanes * word,
                steps,
                operand: self.product.operands.b_size() * word,
            };
            // SAFETY: the offsets are those of B, and its panels have room for all steps.
            return unsafe { gather(&source, &panels) };
        }
        for panel in block.cuts.iter() {
            let mn_range = panel.first();
            if self.b_in_place(block, mn_range.clone(), tiles_pack_b).is_some() {
                continue;
            }
            let first = panel.units_before * lanes * steps;
            let source = Source { level, from: b, mn_offsets: bn, mn_range, k_offsets };
            let to = packed_b.wrapping_add(first * word);
            let place = Packed { to, width: panel.size * lanes, panel_stride: 0, of_b: true };
            // SAFETY: the offsets are those of B, and the panel has `width` words for each step.
            unsafe { self.product.kernels.pack_b.pack(&source, place) };
        }
    }

    /// Packs panels of a block of A, except those that are used in place.
    ///
    /// # Safety
    ///
    /// Same as [`BlockedProduct::run`], and nothing else accesses these panels during the call.
    pub(crate) unsafe fn pack_a(&self, slab: &Slab<'_>, panels: Range<usize>) {
        let &Slab { ref am, ref ak, a, cuts, .. } = slab;
        let Shapes { word, depth, .. } = self.product.kernels.shapes;
        let (level, words) = (self.product.matrices.level, ak.size.div_ceil(depth));
        // Panels that may be used in place are checked one by one.
        let max_panels = if slab.a_steps.is_none() { usize::MAX } else { 1 };
        for panel in cuts.batches(panels, max_panels) {
            let width = panel.size;
            let mn_range = panel.start..panel.start + panel.count * width;
            if self.a_in_place(slab, mn_range.clone()).is_some() {
                continue;
            }
            let source = Source { level, from: a, mn_offsets: am, mn_range, k_offsets: ak };
            let to = self.packed_a.wrapping_add(panel.start * words * word);
            let place = Packed { to, width, panel_stride: words * width, of_b: false };
            // SAFETY: the offsets are those of A, and the panels have a word for each row and step.
            unsafe { self.product.kernels.pack_a.pack(&source, place) };
        }
    }

    /// Multiplies panels of A with a block of B.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run). `packed_b` is valid for writes and has room for the block.
    unsafe fn block(&self, block: &Block<'_>) {
        // Only tiles with the maximum number of rows can pack.
        let max_rows = self.product.kernels.shapes.rows(self.product.kernels.shapes.vectors());
        let Range { start, end } = block.tiles;
        let packs = !self.product.kernels.packing_tiles.is_empty()
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

    /// Multiplies a range of panels of A with a block of B. If `tiles_pack_b`, the tiles pack B as they
    /// read it.
    ///
    /// # Safety
    ///
    /// Same as [`block`](Self::block).
    unsafe fn tiles(&self, block: &Block<'_>, tiles: Range<usize>, tiles_pack_b: bool) {
        let Shapes { lanes, element, sum, word, extra_rows, .. } = self.product.kernels.shapes;
        let &Block { slab, bn, cn, .. } = block;
        let &Slab { am, cm, scale, .. } = slab;
        let words = slab.ak.size.div_ceil(self.product.kernels.shapes.depth);
        let steps = self.panel_steps(slab);
        // Each finished tile is reported separately.
        let one_by_one = slab.finish.is_some();
        let packed_a = slab.a_steps.is_none();
        let packed_b = !tiles_pack_b && !self.blocking.packing.b_in_place;
        let is_batched =
            !one_by_one && block.cuts.are_regular(&cn) && (packed_b || block.cuts.are_regular(&bn));
        let max_panels = if is_batched { usize::MAX } else { 1 };
        let over_runs = !one_by_one && (packed_b || !tiles_pack_b && bn.is_linear());
        let panels = || block.cuts.groups(max_panels, over_runs);
        let is_regular = slab.cuts.are_regular(&cm) && (packed_a || slab.cuts.are_regular(&am));
        let max_tiles_m = if !one_by_one && is_regular {
            // Rows are multiplied with all of B before the next rows, so that their words stay in L1.
            let rows = slab.cuts.largest() * words * word;
            match panels().next().is_some_and(|all| all.count == block.cuts.count()) {
                true => usize::MAX,
                false => (self.blocking.l1_bytes / rows).max(1),
            }
        } else {
            1
        };
        for row_group in slab.cuts.batches(tiles, max_tiles_m) {
            let rows = row_group.first();
            let a_in_place = self.a_in_place(slab, rows.clone());
            let a = a_in_place.unwrap_or_else(|| Words {
                start: self.packed_a.wrapping_add(rows.start * words * word),
                next: word,
                step: rows.len() * word,
            });
            let a_tile_stride =
                rows.len() * if a_in_place.is_some() { a.next } else { words * word };
            // Each tile prefetches a part of the next panel of A, if that panel is contiguous.
            let (mut l2_prefetch, l2_prefetch_step) =
                match a_tile_stride == rows.len() * words * word {
                    true => (a_tile_stride, (rows.len() * word).div_ceil(block.cuts.count())),
                    false => (0, 0),
                };
            let Some(row_stride) = cm.stride_of(rows.clone()) else {
                unreachable!("the rows of a tile are in one run of C")
            };
            let c = block.c.wrapping_add(cm.at(rows.start).wrapping_mul(sum));
            for column_group in panels() {
                let columns = column_group.first();
                let first = column_group.units_before * lanes * steps * word;
                let packed_b = block.packed_b.wrapping_add(first);
                let b_in_place = self.b_in_place(block, columns.clone(), tiles_pack_b);
                let b = b_in_place.unwrap_or_else(|| Words {
                    start: packed_b,
                    next: lanes * word,
                    step: column_group.size * lanes * word,
                });
                let b_tile_stride = match b_in_place {
                    Some(_) => column_group.stride * bn.stride * element,
                    None => column_group.unit_stride * lanes * steps * word,
                };
                // Offsets may be negative: they wrap, as does the addition to a pointer.
                let start = cn.at(columns.start);
                let to_c = |column: usize| cn.at(column).wrapping_sub(start).wrapping_mul(sum);
                let c_tile_stride_n = match column_group.count {
                    1 => 0,
                    _ => to_c(columns.start + column_group.stride),
                };
                let of_a = slab.a_steps.filter(|_| a_in_place.is_some());
                let of_b = block.b_steps.filter(|_| b_in_place.is_some());
                let (depth, runs) = Steps::runs_of([of_a, of_b], words);
                let skip = |steps: Option<Steps>| steps.map_or(0, |steps| steps.skip);
                let last_lanes = columns.len() - (column_group.size - 1) * lanes;
                let mut c_vectors = contiguous_vectors(lanes * sum);
                for (i, vector) in c_vectors.iter_mut().enumerate().take(column_group.size) {
                    *vector = to_c(columns.start + i * lanes);
                }
                let split = block.cuts.splits(&column_group).next().map(|(index, in_run)| {
                    let rest = to_c(columns.start + index * lanes + in_run);
                    SplitVector { index, lanes: in_run, rest }
                });
                let c_start = c.wrapping_add(start.wrapping_mul(sum));
                let mut batch = Batch {
                    runs,
                    a_skip: skip(of_a).wrapping_mul(element),
                    b_skip: skip(of_b).wrapping_mul(element),
                    a_tile_stride,
                    b_tile_stride,
                    c_vectors,
                    c_tile_stride_m: rows.len().wrapping_mul(cm.stride).wrapping_mul(sum),
                    c_tile_stride_n,
                    tiles_m: row_group.count,
                    tiles_n: column_group.count,
                    last_lanes,
                    l2_prefetch,
                    l2_prefetch_step,
                    c_location: CacheLevel::Memory,
                    corrected: extra_rows > 0,
                    packed_b,
                    ..Batch::single_tile(depth, [a, b], (c_start, row_stride * sum), (lanes, sum))
                };
                let micro =
                    if tiles_pack_b && b_in_place.is_some() && !self.blocking.packing.b_in_place {
                        self.product.kernels.packing_tiles[column_group.size - 1]
                    } else {
                        let partial = last_lanes < lanes || split.is_some();
                        self.product.kernels.tile(rows.len(), column_group.size, partial)
                    };
                match split {
                    Some(split) => batch.split(column_group.size, split),
                    None => batch.overlap(column_group.size, &self.product.kernels.shapes),
                }
                // SAFETY: for these tiles of C, the panels are packed or used in place. The packed
                // block has room for panels that tiles pack.
                unsafe { micro(&batch, scale) };
                if let Some(finish) = slab.finish {
                    self.report_finished(block, &rows, &columns, finish);
                }
                l2_prefetch =
                    l2_prefetch.wrapping_add(column_group.count * words * l2_prefetch_step);
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
        let transposed = self.product.plan.transposed;
        let (m, n) = if transposed { (cn, cm) } else { (cm, cn) };
        let [rows_contiguous, columns_contiguous] =
            [is_contiguous(cm, of_m, rows), is_contiguous(cn, of_n, columns)];
        let (rows_contiguous, columns_contiguous, rows, columns) = match transposed {
            true => (columns_contiguous, rows_contiguous, columns, rows),
            false => (rows_contiguous, columns_contiguous, rows, columns),
        };
        finish(&Finished {
            c: block.c,
            rows: rows.clone(),
            columns: columns.clone(),
            row: &|i| m.at(i),
            column: &|i| n.at(i),
            coordinate: &|i, j| match transposed {
                true => (first_n + of_n.at(i), first_m + of_m.at(j)),
                false => (first_m + of_m.at(i), first_n + of_n.at(j)),
            },
            columns_contiguous,
            rows_contiguous,
        });
    }
}

/// A block of B, and the panels of A that it is multiplied with.
struct Block<'a> {
    slab: &'a Slab<'a>,
    /// Indices of the panels of A: pieces of the slab's rows.
    tiles: Range<usize>,
    bn: Offsets<'a>,
    cn: Offsets<'a>,
    /// First elements of the block of B, and of its columns in the slab's rows of C.
    b: *const u8,
    c: *mut u8,
    /// Coordinates of the columns: that of the first column, and those of all columns relative to it.
    coordinates: (usize, Offsets<'a>),
    /// Steps along K of B, if tiles can read its vectors in place.
    b_steps: Option<Steps>,
    cuts: Cuts,
    packed_b: *mut u8,
}
