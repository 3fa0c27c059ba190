//! `Slab`: a block of A meets the columns of C, with a block of B after the other.

use core::ops::Range;
use core::ptr;

use crate::gemm::exec::batches::Batches;
use crate::gemm::exec::blocked::{Parts, even_blocks};
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::kernel::tile::{Batch, LINE, Micro, consecutive};
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::plan::cache_blocking::CacheBlocking;
use crate::gemm::plan::partition::{Partition, blocks};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Operands;
use crate::gemm::scale::{Run, Scale};
use crate::simd::vector::MAX_LANES;
use crate::transpose::tiles;

/// One product, and where its blocks of A are packed, which threads share.
pub(crate) struct Product<'a, X: 'static, Y: 'static, T: 'static> {
    pub(crate) parts: &'a Parts<'a, X, Y, T>,
    pub(crate) blocking: &'a CacheBlocking,
    pub(crate) packed_a: *mut u8,
}

// SAFETY: the packed block has different panels for all that write it, and is only read later.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Product<'_, X, Y, T> {}

/// A block of A, and how it meets C.
pub(crate) struct Slab<'a, T> {
    pub(crate) rows: Range<usize>,
    pub(crate) cuts: Partition,
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
                let vectors = Partition::new(columns.len().div_ceil(lanes), vectors);
                let mut block = Block {
                    slab,
                    tiles: tiles.clone(),
                    columns,
                    vectors,
                    packed_b,
                    gathered: None,
                };
                if !self.blocking.gathers {
                    // SAFETY: the caller's promise, and the packed block of B has its size.
                    unsafe { self.block(&block) };
                    continue;
                }
                let rows = Rows::new(block.columns.len(), lanes, word);
                with_scratch(2, slab.depth.len() * rows.step, |start| {
                    block.gathered = Some(Rows { start, ..rows });
                    // SAFETY: as above; the rows have their size.
                    unsafe {
                        self.gather(&block, &Rows { start, ..rows });
                        self.tiles(&block, tiles.clone(), false);
                    }
                });
            }
        });
    }

    /// Where a panel of B is when it is used in place: in all products with it or, if `by_tiles`, in
    /// the first ones, which pack it.
    fn b_in_place(
        &self,
        block: &Block<'_, T>,
        columns: Range<usize>,
        depth: &Range<usize>,
        by_tiles: bool,
    ) -> Option<Words> {
        let Kernels { lanes, word, .. } = *self.parts.kernels;
        if let Some(Rows { start, step }) = block.gathered {
            let start = start.wrapping_add((columns.start - block.columns.start) * word);
            return Some(Words { start, next: lanes * word, step });
        }
        let step = self.blocking.b_step?;
        let whole = columns.len().is_multiple_of(lanes);
        if !(self.blocking.b_stays || by_tiles && whole) {
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
                if self.b_in_place(block, across.clone(), depth, by_tiles).is_some() {
                    continue;
                }
                let first = panel.start * lanes * (words + more) + above * width;
                let steps = steps.clone();
                let source = Source {
                    level: self.parts.level,
                    from: self.parts.b,
                    along: bn,
                    across,
                    deep: bk,
                    steps,
                };
                let to = packed_b.wrapping_add(first * word);
                // SAFETY: these are offsets of B, and the panel has `width` words for each step.
                unsafe { (self.parts.kernels.pack_b)(&source, Packed { to, width, next: 0 }) };
            }
        }
    }

    /// Makes rows of a block of B whose vectors are far apart, and whose next axis is consecutive:
    /// each step along K is a few blocks to transpose. Packing panel by panel would read a cache
    /// line for each element.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and the rows have room for the block.
    unsafe fn gather(&self, block: &Block<'_, T>, rows: &Rows) {
        let Block { columns, slab: Slab { depth, .. }, .. } = block;
        let (Operands { bk, bn, .. }, level) = (&self.parts.offsets, self.parts.level);
        let word = self.parts.kernels.word;
        for k in depth.clone() {
            let row = rows.start.wrapping_add((k - depth.start) * rows.step);
            let mut at = columns.start;
            while at < columns.end {
                // What is left of a run, or whole runs whose first elements are neighbours.
                let mut end = (at + bn.head - at % bn.head).min(columns.end);
                let (height, mut runs) = (end - at, 1);
                while height == bn.head
                    && end + bn.head <= columns.end
                    && bn.at(end) == bn.at(at) + runs
                {
                    (end, runs) = (end + bn.head, runs + 1);
                }
                let from = self.parts.b.wrapping_add(bk.at(k) + bn.at(at)).cast();
                let to = row.wrapping_add((at - columns.start) * word);
                // SAFETY: `height` elements of B at the distance of the first axis, in each of
                // `runs` neighbours, which the row has room for. Words are elements.
                unsafe {
                    if word == 4 {
                        tiles::<4>(level, from, bn.stride, to, bn.head, height, runs);
                    } else {
                        tiles::<8>(level, from, bn.stride, to, bn.head, height, runs);
                    }
                }
                at = end;
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
                let source = Source {
                    level: self.parts.level,
                    from: self.parts.a,
                    along: am,
                    across,
                    deep: ak,
                    steps,
                };
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
        let most = self.parts.kernels.rows(self.parts.kernels.vectors());
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
        let packed_b = block.gathered.is_some() || !by_tiles && !self.blocking.b_stays;
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
            let c_row = cm.step(rows.clone());
            for (panel, across) in batches.across(vectors.clone()) {
                let first = block.columns.start + panel.start * lanes;
                let columns = first..(first + panel.len() * lanes).min(block.columns.end);
                let first = panel.start * lanes * (words + more) * word;
                let packed_b = block.packed_b.wrapping_add(first);
                let there = self.b_in_place(block, columns.clone(), depth, by_tiles);
                let b = there.unwrap_or_else(|| Words {
                    start: packed_b,
                    next: lanes * (words + more) * word,
                    step: panel.len() * lanes * word,
                });
                let last = columns.len() - (panel.len() - 1) * lanes;
                let width = panel.len() * lanes;
                let batch = Batch {
                    depth: words,
                    a: a.start,
                    a_row: a.next,
                    a_step: a.step,
                    a_down,
                    b: b.start,
                    b_vector: if there.is_some() { b.next } else { lanes * word },
                    b_step: b.step,
                    b_across: panel.len() * b.next,
                    c: self.parts.c.wrapping_add(cm.at(rows.start) + cn.at(columns.start)),
                    c_row: 0,
                    c_vectors: consecutive(lanes),
                    c_down: tile.len() * cm.stride,
                    c_across: width,
                    down,
                    across,
                    last,
                    soon,
                    soon_step,
                    corrected: more > 0,
                    packed_b,
                };
                let micro = if by_tiles && there.is_some() && !self.blocking.b_stays {
                    self.parts.kernels.packing[panel.len() - 1]
                } else {
                    self.parts.kernels.tile(
                        tile.len(),
                        panel.len(),
                        in_place.is_none(),
                        last < lanes,
                    )
                };
                // SAFETY: the panels are packed, or lie so in the operands, for these tiles of C;
                // the packed block has these panels.
                unsafe {
                    match (c_row, cn.vectors(columns.clone(), lanes)) {
                        (Some(c_row), Some(c_vectors)) => {
                            micro(&Batch { c_row, c_vectors, ..batch }, scale);
                        }
                        _ => {
                            let (panel, words) = (panel.len() * lanes, words * word);
                            for tile in 0..across {
                                let start = columns.start + tile * panel;
                                let columns = start..(start + panel).min(block.columns.end);
                                let alone = Batch {
                                    b: batch.b.wrapping_add(tile * batch.b_across),
                                    soon: soon + tile * words * soon_step / word,
                                    packed_b: batch.packed_b.wrapping_add(tile * panel * words),
                                    ..batch
                                };
                                self.scatter(micro, alone, (rows.clone(), columns), scale);
                            }
                        }
                    }
                }
                if told {
                    self.parts.finished(&rows, &columns);
                }
                soon += across * words * soon_step;
            }
        }
    }

    /// One tile, whose rows are not at one distance in C, or whose vectors are not consecutive: it is
    /// made in a buffer, and then meets C run by run.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and `micro` can read what the batch of one tile says.
    unsafe fn scatter(
        &self,
        micro: Micro<T>,
        batch: Batch<T>,
        (rows, columns): (Range<usize>, Range<usize>),
        scale: &Scale<T>,
    ) {
        const WIDTH: usize = 3 * MAX_LANES;
        let (Operands { cm, cn, .. }, lanes) = (&self.parts.offsets, self.parts.kernels.lanes);
        let mut sums = [T::ZERO; MAX_ROWS * WIDTH];
        let buffered = Batch {
            c: sums.as_mut_ptr(),
            c_row: WIDTH,
            c_vectors: consecutive(lanes),
            down: 1,
            across: 1,
            ..batch
        };
        // SAFETY: the buffer has the rows and the vectors of the tile.
        unsafe { micro(&buffered, &Scale::new(T::ONE, T::ZERO)) };
        let mut column = columns.start;
        while column < columns.end {
            let (count, distance) = cn.run(column..columns.end);
            let first = column - columns.start;
            for (row, i) in rows.clone().enumerate() {
                let runs = Run {
                    from: sums[row * WIDTH + first..][..count].as_ptr(),
                    to: self.parts.c.wrapping_add(cm.at(i) + cn.at(column)),
                    count,
                    distance,
                };
                // SAFETY: offsets of C.
                unsafe { (self.parts.kernels.merge)(&runs, scale) };
            }
            column += count;
        }
    }
}

/// The most rows of a tile.
const MAX_ROWS: usize = 16;

/// Panels of A, and a block of B.
struct Block<'a, T> {
    slab: &'a Slab<'a, T>,
    /// Which pieces of the slab's rows.
    tiles: Range<usize>,
    columns: Range<usize>,
    vectors: Partition,
    packed_b: *mut u8,
    /// The rows that are used in place of B.
    gathered: Option<Rows>,
}

/// Rows of words, one for each step along K.
#[derive(Clone, Copy)]
struct Rows {
    start: *mut u8,
    /// The bytes from a row to the next one.
    step: usize,
}

impl Rows {
    /// Rows of so many words, with whole vectors; where they are is not known yet.
    fn new(words: usize, lanes: usize, word: usize) -> Self {
        // An odd number of cache lines: rows are not at the same places of a cache.
        let lines = (words.next_multiple_of(lanes) * word).div_ceil(LINE) | 1;
        Self { start: ptr::null_mut(), step: lines * LINE }
    }
}

/// How many steps along K of all panels are packed before the next ones, when a word has `deep`.
///
/// Where neighbours are not along K, each step of a panel is a piece of a row. Some rows are read
/// to their ends, one panel after the other, so that the cache lines and pages that panels share
/// are still near, and processors see that more of each row is wanted.
fn together(along: &Offsets<'_>, k: &Offsets<'_>, deep: usize) -> usize {
    const ROWS: usize = 16;
    if along.stride == 1 && k.stride != 1 { ROWS * deep } else { k.size.max(1) }
}
