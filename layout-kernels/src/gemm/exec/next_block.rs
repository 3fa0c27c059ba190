//! `NextB`: how tiles prefetch the next block of B while they multiply a block.

use crate::gemm::exec::block::Block;
use crate::gemm::kernel::batch::{CACHE_LINE, Prefetch};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cuts::Group;

/// How the tiles of a block prefetch the next block of B. Each tile prefetches a few bytes in each step along
/// K.
///
/// If B is contiguous along N, a tile prefetches the same panel of the next block. The first row of
/// tiles prefetches the first bytes of each step, the next row the bytes after them, and so on. If words
/// have several elements, each row of tiles prefetches another element.
///
/// If packing transposes B, the coordinates along N are rows and, after them, columns. Columns are
/// contiguous in B, rows are not. Tiles beside each other have the same rows, and other columns. They prefetch
/// one row each.
pub(crate) struct NextB<'a> {
    block: &'a Block<'a>,
    /// The element of the next block with the coordinates of `block.b`, and size in bytes of an element.
    start: *const u8,
    element: usize,
    /// Strides in bytes: to the next step along K, and to what the next row of tiles prefetches.
    step: usize,
    tile_stride_m: usize,
    /// Number of rows of tiles that prefetch: the first ones.
    pub(crate) rows: usize,
    /// If packing transposes B: the number of rows of the next block, and of columns.
    transposed: Option<(usize, usize)>,
}

impl<'a> NextB<'a> {
    /// `None` if there are too few tiles to prefetch all of the next block: tiles would wait for the rest as long
    /// as for all.
    pub(crate) fn new(block: &'a Block<'a>, shapes: &Shapes, transposes_b: bool) -> Option<Self> {
        let &Block { slab, ref bn, ref cuts, .. } = block;
        let &Shapes { lanes, element, depth, .. } = shapes;
        let (next, bytes) = (block.next_b?, shapes.prefetching().bytes);
        if !slab.bk.is_linear() {
            return None;
        }
        let step = slab.bk.stride.wrapping_mul(element);
        let width = cuts.largest() * lanes;
        let most = slab.cuts.prefetching(block.tiles.clone(), shapes);
        // Contiguous elements may start within a cache line.
        let rows_for = |count: usize, parts: usize| {
            let rows = |bytes_of_all: usize| bytes_of_all.div_ceil(bytes).div_ceil(parts);
            (rows(count * element), rows(count * element + CACHE_LINE))
        };
        let ((least, all), tile_stride_m, transposed) = match bn.contiguous_axis() {
            Some((rows, columns)) if transposes_b && rows == bn.run_len => {
                let height = width.min(rows);
                let (rows_of_tiles, tile_stride_m) = match columns / height {
                    0 if columns * element > bytes => return None,
                    0 => {
                        let rows_of_tiles = height.div_ceil(columns);
                        ((rows_of_tiles, rows_of_tiles), columns * bn.stride * element)
                    }
                    parts => (rows_for(columns, parts), bytes),
                };
                (rows_of_tiles, tile_stride_m, Some((next.rows, columns)))
            }
            _ if bn.stride != 1 => return None,
            _ if depth > 1 => ((depth, depth), step, None),
            _ => (rows_for(width, 1), bytes, None),
        };
        let start = block.b.wrapping_add(next.stride);
        let (step, rows) = (step.wrapping_mul(depth), all.min(most));
        (least <= most).then_some(Self {
            block,
            start,
            element,
            step,
            tile_stride_m,
            rows,
            transposed,
        })
    }

    /// How many of some panels prefetch together, and what the first row of tiles prefetches.
    pub(crate) fn prefetch(&self, panels: &Group) -> (usize, Option<Prefetch>) {
        let &Self { block, element, step, tile_stride_m, rows, transposed, .. } = self;
        let bn = &block.bn;
        let prefetch = |column: usize, bytes_before: usize, tile_stride_n: usize| {
            let offset = bn.at(column).wrapping_mul(element).wrapping_add(bytes_before);
            Prefetch { start: self.start.wrapping_add(offset), step, tile_stride_n, tile_stride_m }
        };
        let Some((next_rows, columns)) = transposed else {
            return (panels.count, Some(prefetch(panels.start, 0, panels.stride * element)));
        };
        let (first_row, column) = (panels.start % bn.run_len, panels.start / bn.run_len % columns);
        let height = panels.len.min(next_rows.saturating_sub(first_row)).min(columns);
        if height == 0 {
            return (panels.count, None);
        }
        let (part, row) = (column / height, column % height);
        let bytes_before = part.saturating_mul(rows * tile_stride_m);
        let start = panels.start - column * bn.run_len + row;
        let is_needed = part == 0 || bytes_before < columns * element + CACHE_LINE;
        let count = panels.count.min(height - row);
        (count, is_needed.then(|| prefetch(start, bytes_before, bn.stride * element)))
    }
}
