//! `PrefetchB`: while tiles multiply a block of B, they prefetch the next one.

use crate::gemm::exec::block::Block;
use crate::gemm::kernel::batch::{CACHE_LINE, Prefetch};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cuts::Group;
use crate::gemm::problem::steps::Steps;

/// Position of the block of B after a block.
#[derive(Clone, Copy)]
pub(crate) struct NextBlock {
    /// Stride in bytes to its first element.
    pub(crate) stride: usize,
    /// Its extent along the first axis of N.
    pub(crate) rows: usize,
}

/// How the tiles of a block prefetch the next block of B: a few bytes in each step along K.
pub(crate) struct PrefetchB<'a> {
    block: &'a Block<'a>,
    /// The element of the next block with the coordinates of `block.b`, and size in bytes of an element.
    start: *const u8,
    element: usize,
    pattern: Pattern,
    /// Number of rows of tiles that prefetch: the first ones.
    pub(crate) rows: usize,
}

/// What each tile prefetches. Strides are in bytes.
#[derive(Clone, Copy)]
struct Pattern {
    /// The steps along K of the next block.
    steps: Steps,
    /// Stride to what the next row of tiles prefetches.
    tile_stride_m: usize,
    /// Number of rows of tiles that prefetch all of the next block, if its contiguous elements start at cache
    /// lines, and if they start within one.
    rows: [usize; 2],
    /// If packing transposes B: the number of rows of the next block, and of columns.
    transposed: Option<(usize, usize)>,
}

impl Pattern {
    /// B is contiguous along N. A tile prefetches its own panel of the next block. The first row of tiles
    /// prefetches the first bytes of each step, the next row the bytes after them, and so on. If words have
    /// several elements, each row of tiles prefetches another element.
    fn along_n(block: &Block<'_>, shapes: &Shapes, bytes: usize) -> Option<Self> {
        let &Shapes { lanes, element, depth, .. } = shapes;
        let steps = Steps::new(&block.slab.bk, true, 1)?;
        let width = block.cuts.largest() * lanes * element;
        let (rows, tile_stride_m) = match depth {
            1 => (rows_of_tiles(width, bytes, 1), bytes),
            _ if steps.runs > 1 => return None,
            _ => ([depth; 2], steps.step.wrapping_mul(element)),
        };
        let steps = Steps { step: steps.step.wrapping_mul(depth), ..steps }.in_bytes(element);
        Some(Self { steps, tile_stride_m, rows, transposed: None })
    }

    /// Packing transposes B: coordinates along N are rows and, after them, columns. Columns are contiguous in B,
    /// rows are not. Tiles beside each other have the same rows, and other columns. They prefetch one row
    /// each. The next block has `next_rows` rows.
    fn transposed(
        block: &Block<'_>,
        next_rows: usize,
        shapes: &Shapes,
        bytes: usize,
        (rows, columns): (usize, usize),
    ) -> Option<Self> {
        let &Shapes { lanes, element, .. } = shapes;
        let bn = &block.bn;
        if rows != bn.run_len {
            return None;
        }
        let steps = Steps::new(&block.slab.bk, true, 1)?.in_bytes(element);
        let (height, width) = (rows.min(block.cuts.largest() * lanes), columns * element);
        let (rows, tile_stride_m) = match columns / height {
            // There are fewer tiles than rows: each row of tiles prefetches other rows.
            0 if width > bytes => return None,
            0 => ([height.div_ceil(columns); 2], columns * bn.stride * element),
            parts => (rows_of_tiles(width, bytes, parts), bytes),
        };
        Some(Self { steps, tile_stride_m, rows, transposed: Some((next_rows, columns)) })
    }
}

/// Number of rows of tiles that prefetch `width` contiguous bytes, given the bytes and the number of tiles
/// beside each other that prefetch them: if they start at a cache line, and if not.
fn rows_of_tiles(width: usize, bytes: usize, parts: usize) -> [usize; 2] {
    [width, width + CACHE_LINE].map(|width| width.div_ceil(bytes).div_ceil(parts))
}

impl<'a> PrefetchB<'a> {
    /// `None` if there are too few tiles to prefetch all of the next block: tiles would wait for the rest as long
    /// as for all.
    pub(crate) fn new(block: &'a Block<'a>, shapes: &Shapes, transposes_b: bool) -> Option<Self> {
        let &Block { slab, ref bn, .. } = block;
        let (next, bytes) = (block.next_b?, shapes.prefetching().bytes);
        let pattern = match bn.contiguous_axis() {
            Some(axes) if transposes_b => {
                Pattern::transposed(block, next.rows, shapes, bytes, axes)
            }
            _ if bn.stride == 1 => Pattern::along_n(block, shapes, bytes),
            _ => None,
        }?;
        let mut in_place = [slab.a_steps, block.b_steps].into_iter().flatten();
        let [least, all] = pattern.rows;
        let most = slab.cuts.prefetching(block.tiles.clone(), shapes);
        if least > most || !in_place.all(|steps| steps.is_compatible(&pattern.steps)) {
            return None;
        }
        let start = block.b.wrapping_add(next.stride);
        Some(Self { block, start, element: shapes.element, pattern, rows: all.min(most) })
    }

    /// How tiles iterate along K.
    pub(crate) fn steps(&self) -> Steps {
        self.pattern.steps
    }

    /// How many of some panels prefetch together, and what the first row of tiles prefetches.
    pub(crate) fn prefetch(&self, panels: &Group) -> (usize, Option<Prefetch>) {
        let &Self { block: Block { bn, .. }, element, ref pattern, .. } = self;
        let &Pattern { steps: Steps { step, skip, .. }, tile_stride_m, .. } = pattern;
        let prefetch = |coordinate: usize, bytes_before: usize, tile_stride_n: usize| {
            let offset = bn.at(coordinate).wrapping_mul(element).wrapping_add(bytes_before);
            let start = self.start.wrapping_add(offset);
            Some(Prefetch { start, step, skip, tile_stride_n, tile_stride_m })
        };
        let Some((next_rows, columns)) = pattern.transposed else {
            return (panels.count, prefetch(panels.start, 0, panels.stride * element));
        };
        // These panels have the rows from `first` on, at columns from `column` on.
        let (first, column) = (panels.start % bn.run_len, panels.start / bn.run_len % columns);
        let height = panels.len.min(next_rows.saturating_sub(first)).min(columns);
        if height == 0 {
            return (panels.count, None);
        }
        // `height` tiles prefetch some bytes of all rows, the next ones the bytes after them.
        let (part, row) = (column / height, column % height);
        let count = panels.count.min(height - row);
        let bytes_before = part.saturating_mul(self.rows * tile_stride_m);
        if part > 0 && bytes_before >= columns * element + CACHE_LINE {
            return (count, None);
        }
        let start = panels.start - column * bn.run_len + row;
        (count, prefetch(start, bytes_before, bn.stride * element))
    }
}
