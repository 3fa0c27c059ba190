//! `Slab`: a block of A meets the columns of C, with a block of B after the other.

use core::ops::Range;

use crate::gemm::blocked::blocking::Blocking;
use crate::gemm::blocked::operands::Operands;
use crate::gemm::blocked::scratch::with_scratch;
use crate::gemm::blocked::{Parts, even_blocks};
use crate::gemm::dynamic::along::Along;
use crate::gemm::dynamic::batches::Batches;
use crate::gemm::dynamic::cuts::{Cuts, blocks};
use crate::gemm::dynamic::kernels::Kernels;
use crate::gemm::dynamic::micro::{MAX_ROWS, MAX_VECTORS, Micro, Panels, Target, at_distance};
use crate::gemm::dynamic::panels::{Packed, Source};
use crate::gemm::float::sealed::Sum;
use crate::gemm::place::read;
use crate::gemm::scale::Scale;

/// One product, and where its blocks of A are packed, which threads share.
pub(crate) struct Product<'a, X: 'static, Y: 'static, T: 'static> {
    pub(crate) parts: &'a Parts<'a, X, Y, T>,
    pub(crate) blocking: &'a Blocking,
    pub(crate) packed_a: *mut u8,
}

// SAFETY: the packed block has different panels for all that write it, and is only read later.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Product<'_, X, Y, T> {}

/// A block of A, and how it meets C.
pub(crate) struct Slab<'a, T> {
    pub(crate) rows: Range<usize>,
    pub(crate) cuts: Cuts,
    pub(crate) depth: Range<usize>,
    pub(crate) scale: &'a Scale<T>,
}

/// Words of an operand: where the first one is, and how far it is to the next in bytes.
#[derive(Clone, Copy)]
struct Words {
    start: *const u8,
    /// To the next row of A, or vector of B.
    next: usize,
    /// To the next step along K.
    step: usize,
}

impl<X, Y, T: Sum> Product<'_, X, Y, T>
where
    X: Copy + Send + Sync,
    Y: Copy + Send + Sync,
{
    /// The product of some panels of a block of A that is packed with some columns of B.
    ///
    /// # Safety
    ///
    /// As [`Parts::run`] for this part of C, and the block of A is packed where it is not used in
    /// place.
    pub(crate) unsafe fn run(
        &self,
        slab: &Slab<'_, T>,
        tiles: Range<usize>,
        columns: Range<usize>,
    ) {
        let Kernels { lanes, word, .. } = *self.parts.kernels;
        let vectors = self.parts.kernels.vectors();
        with_scratch(1, self.blocking.b_bytes(word), |packed_b| {
            // A narrow last block would read all of A for little work.
            // (1024 cubed in f64: 2 % of the time for a 64th of the work.)
            let width = lanes * vectors;
            for columns in even_blocks(columns, self.blocking.nc, width) {
                let vectors = Cuts::new(columns.len().div_ceil(lanes), vectors);
                let block = Block { slab, tiles: tiles.clone(), columns, vectors, packed_b };
                // SAFETY: the caller's promise, and the packed block of B has its size.
                unsafe { self.block(&block) };
            }
        });
    }

    /// Where a panel of B is when it is used in place: in all products with it or, if `by_tiles`, in
    /// the first ones, which pack it.
    fn b_in_place(
        &self,
        columns: Range<usize>,
        depth: &Range<usize>,
        by_tiles: bool,
    ) -> Option<Words> {
        let Kernels { lanes, masked, .. } = *self.parts.kernels;
        let step = self.blocking.b_step?;
        let whole = columns.len().is_multiple_of(lanes);
        if !(self.blocking.b_stays && (masked || whole) || by_tiles && whole) {
            return None;
        }
        let element = size_of::<Y>();
        let next = self.parts.offsets.bn.blocks(columns.clone(), lanes)? * element;
        let first = self.parts.offsets.bn.at(columns.start) + self.parts.offsets.bk.at(depth.start);
        Some(Words { start: self.parts.b.wrapping_add(first).cast(), next, step: step * element })
    }

    /// Where a panel of A is when it is used in place.
    fn a_in_place(&self, rows: Range<usize>, depth: &Range<usize>) -> Option<Words> {
        let step = self.blocking.a_step?;
        let element = size_of::<X>();
        let first = self.parts.offsets.am.at(rows.start) + self.parts.offsets.ak.at(depth.start);
        let next = self.parts.offsets.am.step(rows)? * element;
        Some(Words { start: self.parts.a.wrapping_add(first).cast(), next, step: step * element })
    }

    /// Packs a block of B, except panels that are used in place or, if `by_tiles`, packed by the
    /// first tiles that read them.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn pack_b(&self, block: &Block<'_, T>, by_tiles: bool) {
        let Kernels { lanes, word, more, depth: deep, .. } = *self.parts.kernels;
        let Block { columns, packed_b, slab: Slab { depth, .. }, .. } = block;
        let words = depth.len().div_ceil(deep);
        let Operands { bk, bn, .. } = self.parts.offsets;
        // What ends a panel is made of all of its words.
        let together = if more == 0 { together(&bn, &bk, deep) } else { depth.len() };
        for steps in blocks(depth.clone(), together) {
            let above = (steps.start - depth.start) / deep;
            for panel in block.vectors.iter() {
                let width = panel.len() * lanes;
                let across = columns.start + panel.start * lanes
                    ..(columns.start + panel.end * lanes).min(columns.end);
                if self.b_in_place(across.clone(), depth, by_tiles).is_some() {
                    continue;
                }
                let first = panel.start * lanes * (words + more) + above * width;
                let steps = steps.clone();
                let source = Source { from: self.parts.b, along: bn, across, deep: bk, steps };
                let to = packed_b.wrapping_add(first * word);
                // SAFETY: these are offsets of B, and the panel has `width` words for each step.
                unsafe { (self.parts.kernels.pack_b)(&source, Packed { to, width, next: 0 }) };
            }
        }
    }

    /// Packs panels of a block of A, except those that are used in place.
    ///
    /// # Safety
    ///
    /// As [`Parts::run`], and nothing else accesses these panels meanwhile.
    pub(crate) unsafe fn pack_a(&self, slab: &Slab<'_, T>, panels: Range<usize>) {
        let Slab { rows, cuts, depth, .. } = slab;
        let Kernels { word, depth: deep, .. } = *self.parts.kernels;
        let words = depth.len().div_ceil(deep);
        let Operands { am, ak, .. } = self.parts.offsets;
        for steps in blocks(depth.clone(), together(&am, &ak, deep)) {
            let above = (steps.start - depth.start) / deep;
            let mut at = panels.start;
            while at < panels.end {
                // Those that may be in place are looked at one by one.
                let count = match self.blocking.a_step {
                    None => cuts.alike(at, panels.end),
                    Some(_) => 1,
                };
                let panel = cuts.piece(at);
                at += count;
                let width = panel.len();
                let across = rows.start + panel.start..rows.start + panel.start + count * width;
                if self.a_in_place(across.clone(), depth).is_some() {
                    continue;
                }
                let first = panel.start * words + above * width;
                let steps = steps.clone();
                let source = Source { from: self.parts.a, along: am, across, deep: ak, steps };
                let place = Packed {
                    to: self.packed_a.wrapping_add(first * word),
                    width,
                    next: words * width,
                };
                // SAFETY: these are offsets of A, and panels have a word for each row and step.
                unsafe { (self.parts.kernels.pack_a)(&source, place) };
            }
        }
    }

    /// The product of panels of A with a block of B.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and the packed block of B can be written and has its size.
    unsafe fn block(&self, block: &Block<'_, T>) {
        // Tiles of the most rows can pack.
        let most = self.parts.kernels.rows();
        let Range { start, end } = block.tiles;
        let by_tiles = start < end && block.slab.cuts.piece(start).len() == most;
        // SAFETY: the caller's promise.
        unsafe { self.pack_b(block, by_tiles) };
        let below = start + usize::from(by_tiles);
        // SAFETY: the caller's promise; what these tiles do not pack is packed.
        unsafe { self.tiles(block, start..below, true) };
        // SAFETY: the caller's promise; the block of B is packed where it is not used in place.
        unsafe { self.tiles(block, below..end, false) };
    }

    /// The product of some panels of A with a block of B, which these tiles pack if `by_tiles`.
    ///
    /// # Safety
    ///
    /// As [`block`](Self::block).
    unsafe fn tiles(&self, block: &Block<'_, T>, tiles: Range<usize>, by_tiles: bool) {
        let Kernels { lanes, word, more, .. } = *self.parts.kernels;
        let Slab { cuts, depth, scale, .. } = block.slab;
        let Operands { am, bn, cm, cn, .. } = &self.parts.offsets;
        let words = depth.len().div_ceil(self.parts.kernels.depth);
        let told = self.parts.finish.is_some() && depth.end == self.parts.offsets.ak.size;
        let alone = told || !self.blocking.c_runs;
        let packed_a = self.blocking.a_step.is_none();
        let packed_b = !by_tiles && !self.blocking.b_stays;
        let mut batches = Batches {
            rows: cuts,
            vectors: &block.vectors,
            part: !block.columns.len().is_multiple_of(lanes),
            down: !alone && cm.is_linear() && (packed_a || am.is_linear()),
            across: !alone && cn.is_linear() && (packed_b || bn.is_linear()),
        };
        let vectors = 0..block.vectors.count();
        // A row meets all of B before the next one, so that its words of A stay in the first cache.
        batches.down &= batches.beside(0, vectors.end) == vectors.end;
        for (tile, down) in batches.down(tiles) {
            let first = block.slab.rows.start;
            let rows = first + tile.start..first + tile.end;
            let in_place = self.a_in_place(rows.clone(), depth);
            let a = in_place.unwrap_or_else(|| Words {
                start: self.packed_a.wrapping_add(tile.start * words * word),
                next: word,
                step: tile.len() * word,
            });
            let a_down = tile.len() * if in_place.is_some() { a.next } else { words * word };
            // A part of the next panel arrives with each tile, if that lies in one piece.
            let (mut soon, soon_step) = match a_down == tile.len() * words * word {
                true => (a_down, (tile.len() * word).div_ceil(vectors.len())),
                false => (0, 0),
            };
            let mut c_rows = [0; MAX_ROWS];
            for (offset, i) in c_rows.iter_mut().zip(rows.clone()) {
                *offset = cm.at(i);
            }
            for (panel, across) in batches.across(vectors.clone()) {
                let first = block.columns.start + panel.start * lanes;
                let columns = first..(first + panel.len() * lanes).min(block.columns.end);
                let first = panel.start * lanes * (words + more) * word;
                let packed_b = block.packed_b.wrapping_add(first);
                let there = self.b_in_place(columns.clone(), depth, by_tiles);
                let b = there.unwrap_or_else(|| Words {
                    start: packed_b,
                    next: lanes * (words + more) * word,
                    step: panel.len() * lanes * word,
                });
                let panels = Panels {
                    depth: words,
                    a: a.start,
                    a_step: a.step,
                    a_row: a.next,
                    a_down,
                    b: b.start,
                    b_vector: if there.is_some() { b.next } else { lanes * word },
                    b_step: b.step,
                    b_across: panel.len() * b.next,
                    soon,
                    soon_step,
                    packed_b,
                };
                let last = columns.len() - (panel.len() - 1) * lanes;
                let place = Place {
                    rows: rows.clone(),
                    c_rows: &c_rows,
                    columns,
                    last,
                    down: [down, tile.len() * cm.stride],
                    across: [across, panel.len() * lanes],
                };
                let micro = if there.is_some() && !self.blocking.b_stays {
                    self.parts.kernels.packing[panel.len() - 1]
                } else {
                    let part = there.is_some() && last < lanes;
                    self.parts.kernels.tile(tile.len(), panel.len(), in_place.is_none(), part)
                };
                // SAFETY: the panels are packed, or lie so in the operands, for these tiles of C;
                // the packed block has these panels.
                unsafe { self.batch(micro, &panels, &place, scale) };
                if told {
                    self.parts.finished(&place.rows, &place.columns);
                }
                soon += across * words * soon_step;
            }
        }
    }

    /// Tiles of one size; only one where C has no vectors.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and `micro` can read the panels.
    unsafe fn batch(&self, micro: Micro<T>, panels: &Panels, place: &Place<'_>, scale: &Scale<T>) {
        let Place { rows, c_rows, columns, last, down, across } = place;
        let (Operands { cm, cn, .. }, lanes) = (&self.parts.offsets, self.parts.kernels.lanes);
        if self.blocking.c_runs {
            let mut c_vectors = [0; MAX_VECTORS];
            for (offset, j) in c_vectors.iter_mut().zip(columns.clone().step_by(lanes)) {
                *offset = cn.at(j);
            }
            let (c, last, rows, vectors) = (self.parts.c, *last, *c_rows, &c_vectors);
            let (down, across) = (*down, *across);
            let target = Target { scale, c, rows, vectors, last, down, across };
            // SAFETY: C has the rows of the tiles, and their vectors, at these offsets.
            unsafe { micro(panels, &target) };
            return;
        }
        // C has no vectors: the tile is made in a place of its own and meets C one by one.
        const WIDTH: usize = 16 * MAX_VECTORS;
        let mut sums = [T::ZERO; MAX_ROWS * WIDTH];
        let assign = Scale::new(T::ONE, T::ZERO);
        let c = sums.as_mut_ptr();
        let (c_rows, c_vectors) = (at_distance(WIDTH), at_distance(lanes));
        let (rows_of, vectors, one) = (&c_rows, &c_vectors, [1, 0]);
        let target = Target {
            scale: &assign,
            c,
            rows: rows_of,
            vectors,
            last: *last,
            down: one,
            across: one,
        };
        // SAFETY: `sums` has the rows of the tile at this distance, and its vectors.
        unsafe { micro(panels, &target) };
        for (row, i) in rows.clone().enumerate() {
            for (column, j) in columns.clone().enumerate() {
                // SAFETY: `row < MAX_ROWS`, and `column` is less than the width of the tile.
                let sum = unsafe { read(sums.as_ptr(), row * WIDTH + column) };
                // SAFETY: an offset of C.
                unsafe { scale.store(sum, self.parts.c.wrapping_add(cm.at(i) + cn.at(j))) };
            }
        }
    }
}

/// Where tiles are in C: the first one, and those below and beside it.
struct Place<'a> {
    rows: Range<usize>,
    /// Their offsets.
    c_rows: &'a [usize; MAX_ROWS],
    columns: Range<usize>,
    /// The lanes of the last one that are there.
    last: usize,
    down: [usize; 2],
    across: [usize; 2],
}

/// Panels of A, and a block of B.
struct Block<'a, T> {
    slab: &'a Slab<'a, T>,
    /// Which pieces of the slab's rows.
    tiles: Range<usize>,
    columns: Range<usize>,
    vectors: Cuts,
    packed_b: *mut u8,
}

/// How many steps along K of all panels are packed before the next ones, when a word has `deep`.
///
/// Where neighbours are not along K, each step of a panel is a piece of a row. Some rows are read
/// to their ends, one panel after the other, so that the cache lines and pages that panels share
/// are still near, and processors see that more of each row is wanted.
fn together(along: &Along<'_>, k: &Along<'_>, deep: usize) -> usize {
    const ROWS: usize = 16;
    if along.stride == 1 && k.stride != 1 { ROWS * deep } else { k.size.max(1) }
}
