//! `Slab`: a block of A, which is multiplied with one block of B after another.

use core::ops::Range;

use crate::gemm::exec::arguments::Finish;
use crate::gemm::exec::block::Block;
use crate::gemm::exec::blocked::BlockedProduct;
use crate::gemm::exec::prefetch_b::NextBlock;
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::kernel::batch::Words;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::pack::gather::{PackedPanels, gather};
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::pieces::{BlockOffsets, Pieces};
use crate::gemm::problem::steps::Steps;
use crate::gemm::scale::AnyScale;

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
    /// Stride in elements to the first element of B in the next slab, if there is one.
    pub(crate) next_b: Option<usize>,
    /// The packed rows of A, from this row on.
    pub(crate) packed_a: *mut u8,
    pub(crate) first_row: usize,
    /// Coordinates of the rows: that of the first row, and those of all rows relative to it.
    pub(crate) coordinates: (usize, Offsets<'a>),
    /// Steps along K of A, if it is used in place.
    pub(crate) a_steps: Option<Steps>,
    pub(crate) cuts: Cuts,
    pub(crate) scale: AnyScale<'a>,
    /// Called with finished parts of C, if this is the last block along K.
    pub(crate) finish: Option<Finish<'a>>,
}

impl BlockedProduct<'_> {
    /// Multiplies a range of panels of a block of A with some columns of B.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run) for this part of C. The block of A is packed unless it is used in
    /// place.
    pub(crate) unsafe fn multiply(
        &self,
        slab: &Slab<'_>,
        tiles: Range<usize>,
        part: &[Range<usize>],
    ) {
        let Shapes { lanes, element, sum, word, b_words, depth, .. } = self.kernels.shapes;
        let blocking = &self.plan.blocking;
        let vectors = blocking.vectors(&self.kernels.shapes, &slab.cuts, tiles.clone());
        let extents = blocking.along_n(part);
        let mut pieces = Pieces::new(part, &extents);
        let mut offsets = BlockOffsets::default();
        let bytes = self.plan.blocking.b_bytes(&extents, word);
        let steps = self.panel_steps(slab);
        with_scratch(1, bytes, |packed_b| {
            while let Some((columns, _, last)) = pieces.next() {
                offsets.set(&self.plan.operands.n, columns);
                let ((to_b, bn), (to_c, cn)) = (offsets.in_operand(0), offsets.in_operand(1));
                let cuts = self.plan.blocking.columns.cut(&bn, &cn, vectors);
                debug_assert!(cuts.unit_count() * lanes * steps * word <= bytes);
                let b_steps = Steps::new(&slab.bk, b_words, depth).filter(|steps| {
                    let has_vectors = bn.blocks_have_stride(lanes, depth)
                        || bn.stride == depth && cuts.are_regular(&bn);
                    has_vectors && slab.a_steps.is_none_or(|of_a| of_a.is_compatible(steps))
                });
                // After the last block comes the first one of the next slab. A single block allocates
                // nothing for it.
                let next_pieces = match last {
                    false => Some((pieces.clone(), 0)),
                    true => slab.next_b.map(|next_b| (Pieces::new(part, &extents), next_b)),
                };
                let next_b = next_pieces.and_then(|(mut pieces, next_slab)| {
                    let (columns, ..) = pieces.next()?;
                    let next = self.plan.operands.n.first(columns, 0).wrapping_add(next_slab);
                    let stride = next.wrapping_sub(to_b).wrapping_mul(element);
                    Some(NextBlock { stride, rows: columns[0].len() })
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
                    next_b,
                    cuts,
                    packed_b,
                };
                // SAFETY: guaranteed by the caller, and the buffer has room for the packed block of B.
                unsafe { self.block(&block) };
            }
        });
    }

    /// Steps of a packed panel of B for the words along K of a slab.
    pub(crate) fn panel_steps(&self, slab: &Slab<'_>) -> usize {
        self.plan.blocking.panel_steps(slab.bk.size.div_ceil(self.kernels.shapes.depth))
    }

    /// Location of a panel of B that is used in place: by all tiles or, if `tiles_pack_b`, by the first
    /// ones, which pack it. `None` if the panel is read from the packed block.
    pub(crate) fn b_in_place(
        &self,
        block: &Block<'_>,
        columns: Range<usize>,
        tiles_pack_b: bool,
    ) -> Option<Words> {
        let Shapes { lanes, element, .. } = self.kernels.shapes;
        let Steps { step, .. } = block.b_steps?;
        let whole = columns.len().is_multiple_of(lanes);
        if !(self.plan.blocking.packing.b_in_place || tiles_pack_b && whole) {
            return None;
        }
        let next = block.bn.block_stride(columns.clone(), lanes)? * element;
        let start = block.b.wrapping_add(block.bn.at(columns.start).wrapping_mul(element));
        Some(Words { start, next, step: step * element })
    }

    /// Location of a panel of A that is used in place. `None` if the panel is packed.
    pub(crate) fn a_in_place(&self, slab: &Slab<'_>, rows: Range<usize>) -> Option<Words> {
        let Steps { step, .. } = slab.a_steps?;
        let element = self.kernels.shapes.element;
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
    /// Same as [`multiply`](Self::multiply).
    pub(crate) unsafe fn pack_b(&self, block: &Block<'_>, tiles_pack_b: bool) {
        let Shapes { lanes, word, .. } = self.kernels.shapes;
        let &Block { ref bn, b, packed_b, slab, .. } = block;
        let (level, k_offsets) = (self.matrices.level, &slab.bk);
        let steps = self.panel_steps(slab);
        if self.plan.blocking.packing.transposes_b
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
                operand: self.plan.operands.b_size() * word,
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
            unsafe { self.kernels.pack_b.pack(&source, place) };
        }
    }

    /// Packs panels of a block of A, except those that are used in place.
    ///
    /// # Safety
    ///
    /// Same as [`multiply`](Self::multiply). There is room for these panels.
    pub(crate) unsafe fn pack_a(&self, slab: &Slab<'_>, panels: Range<usize>) {
        let &Slab { ref am, ref ak, a, packed_a, first_row, cuts, .. } = slab;
        let Shapes { word, depth, .. } = self.kernels.shapes;
        let (level, words) = (self.matrices.level, ak.size.div_ceil(depth));
        // Panels that may be used in place are checked one by one, unless all of them are.
        let max_panels = match slab.a_steps {
            Some(_) if cuts.are_regular(am) => return,
            Some(_) => 1,
            None => usize::MAX,
        };
        for panel in cuts.batches(panels, max_panels) {
            let width = panel.size;
            let mn_range = panel.start..panel.start + panel.count * width;
            if self.a_in_place(slab, mn_range.clone()).is_some() {
                continue;
            }
            let source = Source { level, from: a, mn_offsets: am, mn_range, k_offsets: ak };
            let to = packed_a.wrapping_add((panel.start - first_row) * words * word);
            let place = Packed { to, width, panel_stride: words * width, of_b: false };
            // SAFETY: the offsets are those of A, and the panels have a word for each row and step.
            unsafe { self.kernels.pack_a.pack(&source, place) };
        }
    }
}
