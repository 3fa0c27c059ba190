//! `Slab`: a block of A meets the columns of C, with a block of B after the other.

use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr;

use crate::gemm::exec::arguments::{Finish, Finished};
use crate::gemm::exec::batches::Batches;
use crate::gemm::exec::blocked::Parts;
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::{Kernels, MAX_ROWS, MAX_WIDTH};
use crate::gemm::kernel::tile::{Batch, Cache, LINE, MAX_VECTORS, Micro, consecutive};
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::plan::cache_blocking::{CacheBlocking, step};
use crate::gemm::plan::partition::{Partition, blocks};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::pieces::{Pieces, Window};
use crate::gemm::scale::{Meeting, Run, Scale};
use crate::simd::{prefetch_second, prefetch_to_write};
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
pub(crate) struct Slab<'a, X, Y, T> {
    pub(crate) am: Offsets<'a>,
    pub(crate) ak: Offsets<'a>,
    pub(crate) bk: Offsets<'a>,
    pub(crate) cm: Offsets<'a>,
    /// The first elements: of the block of A, of its steps in B, and of its rows in C.
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    /// The coordinates of the rows: the first one, and the others from there.
    pub(crate) places: (usize, Offsets<'a>),
    /// The distance of words along K, in elements, when A is used in place.
    pub(crate) a_step: Option<usize>,
    pub(crate) cuts: Partition,
    pub(crate) scale: &'a Scale<T>,
    /// Called with finished parts of C, if these are the last steps.
    pub(crate) finish: Option<Finish<'a, T>>,
}

// SAFETY: A and B are only read, and parts of C are apart, so that threads may share all of it.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Slab<'_, X, Y, T> {}

/// Words of an operand: where the first one is, and how far it is to the next in bytes.
#[derive(Clone, Copy)]
struct Words {
    start: *const u8,
    /// To the next row of A, or vector of B.
    next: usize,
    /// To the next step along K.
    step: usize,
}

/// The bytes of the memory where rows are read to be transposed, and the rows that are read together.
const STAGE: usize = 24 << 10;
const GATHERED: usize = 48;

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
        slab: &Slab<'_, X, Y, T>,
        tiles: Range<usize>,
        part: &[Range<usize>],
    ) {
        let Kernels { lanes, word, b_words, depth, .. } = *self.parts.kernels;
        // Tiles of so many rows have fewer vectors.
        let kernels = self.parts.kernels;
        let has_rows = |vectors: &usize| kernels.rows(*vectors) >= slab.cuts.largest();
        let vectors = (1..=kernels.vectors()).rev().find(has_rows).unwrap_or(1);
        let extents = self.blocking.along_n(part);
        let most = extents.iter().product::<usize>();
        let mut pieces = Pieces::new(part, &extents);
        let mut window = Window::default();
        let mut panels = Panels::default();
        with_scratch(1, self.blocking.b_bytes(most, word), |packed_b| {
            while let Some((columns, ..)) = pieces.next() {
                window.set(&self.parts.operands.n, columns);
                let ((to_b, bn), (to_c, cn)) = (window.along(0), window.along(1));
                let cuts = Partition::new(bn.size.div_ceil(lanes), vectors);
                panels.set(&cn, &cuts, lanes);
                let mut block = Block {
                    slab,
                    tiles: tiles.clone(),
                    bn,
                    cn,
                    // Wrapping, but the first elements of the block.
                    b: slab.b.wrapping_add(to_b),
                    c: slab.c.wrapping_add(to_c),
                    places: window.places(),
                    b_step: step(&slab.bk, b_words, depth).filter(|_| bn.has_runs(lanes, depth)),
                    vectors: cuts,
                    panels: &panels,
                    packed_b,
                    gathered: None,
                };
                if !self.blocking.gathers || bn.second.0 != 1 {
                    // SAFETY: as required here, and the packed block of B has its size.
                    unsafe { self.block(&block) };
                    continue;
                }
                let rows = Rows::new(bn.size, lanes, word);
                with_scratch(2, slab.bk.size * rows.step, |start| {
                    let rows = Rows { start, ..rows };
                    block.gathered = Some(rows);
                    // SAFETY: as above; the rows have their size.
                    unsafe {
                        self.gather(&block, &rows);
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
        block: &Block<'_, X, Y, T>,
        columns: Range<usize>,
        by_tiles: bool,
    ) -> Option<Words> {
        let Kernels { lanes, word, .. } = *self.parts.kernels;
        if let Some(Rows { start, step }) = block.gathered {
            let start = start.wrapping_add(columns.start * word);
            return Some(Words { start, next: lanes * word, step });
        }
        let step = block.b_step?;
        let whole = columns.len().is_multiple_of(lanes);
        if !(self.blocking.b_stays || by_tiles && whole) {
            return None;
        }
        let element = size_of::<Y>();
        let next = block.bn.blocks(columns.clone(), lanes)? * element;
        let start = block.b.wrapping_add(block.bn.at(columns.start)).cast();
        Some(Words { start, next, step: step * element })
    }

    /// Where a panel of A is when it is used in place, or lies in rows.
    fn a_in_place(&self, slab: &Slab<'_, X, Y, T>, rows: Range<usize>) -> Option<Words> {
        if let Some(words) = self.blocking.a_rows {
            let next = words * self.parts.kernels.word;
            let start = self.packed_a.wrapping_add(rows.start * next);
            return Some(Words { start, next, step: self.parts.kernels.word });
        }
        let step = slab.a_step?;
        let element = size_of::<X>();
        let first = slab.am.at(rows.start);
        let next = slab.am.step(rows)? * element;
        Some(Words { start: slab.a.wrapping_add(first).cast(), next, step: step * element })
    }

    /// Packs a block of B, except panels that are used in place or, if `by_tiles`, packed by the
    /// first tiles that read them.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn pack_b(&self, block: &Block<'_, X, Y, T>, by_tiles: bool) {
        let Kernels { lanes, word, more, depth: deep, .. } = *self.parts.kernels;
        let &Block { bn, b, packed_b, slab, .. } = block;
        let all = 0..slab.bk.size;
        let words = all.len().div_ceil(deep);
        // What ends a panel is made of all of its words.
        let together = if more == 0 { together(&bn, &slab.bk, deep) } else { all.len() };
        for steps in blocks(all, together) {
            let above = steps.start / deep;
            for panel in block.vectors.iter() {
                let width = panel.len() * lanes;
                let across = panel.start * lanes..(panel.end * lanes).min(bn.size);
                if self.b_in_place(block, across.clone(), by_tiles).is_some() {
                    continue;
                }
                let first = panel.start * lanes * (words + more) + above * width;
                let source = Source {
                    level: self.parts.level,
                    from: b,
                    along: bn,
                    across,
                    deep: slab.bk,
                    steps: steps.clone(),
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
    unsafe fn gather(&self, block: &Block<'_, X, Y, T>, rows: &Rows) {
        let (Block { bn, b, .. }, bk) = (block, &block.slab.bk);
        let (level, word) = (self.parts.level, self.parts.kernels.word);
        let (height, (_, width)) = (bn.head, bn.second);
        let (count, stride) = (bn.size / (height * width), bn.stride * word);
        let at = |i: usize| bn.at(i * height * width);
        // Rows are far apart, and the lines of some may have the same places in the first cache. So
        // pieces of them are read one after the other, and transposed from another place.
        let mut stage = MaybeUninit::<[u8; STAGE + 2 * GATHERED * LINE]>::uninit();
        let most = STAGE / (GATHERED * word);
        for k in 0..bk.size {
            let from = b.wrapping_add(bk.at(k));
            // The same piece of the next step arrives meanwhile.
            let next_step =
                bk.at((k + 1).min(bk.size - 1)).wrapping_sub(bk.at(k)).wrapping_mul(word);
            let row_start = rows.start.wrapping_add(k * rows.step);
            let mut i = 0;
            while i < count {
                // Blocks that follow each other have rows that go on.
                let few = (most / width).min(count - i);
                let next = (1..few).take_while(|&j| at(i + j) == at(i) + j * width).count() + 1;
                let from = from.wrapping_add(at(i)).cast::<u8>();
                for part in blocks(0..height, GATHERED) {
                    for columns in blocks(0..next * width, most) {
                        let bytes = columns.len() * word;
                        let line = bytes.next_multiple_of(LINE) + LINE;
                        let start = stage.as_mut_ptr().cast::<u8>();
                        let from = from.wrapping_add(columns.start * word);
                        for row in part.clone() {
                            let from = from.wrapping_add(row * stride);
                            for line in (0..bytes).step_by(LINE) {
                                prefetch_second(from.wrapping_add(next_step).wrapping_add(line));
                            }
                            let to = start.wrapping_add((row - part.start) * line);
                            // SAFETY: so many words of B; each row of the stage has room for them.
                            unsafe { to.copy_from_nonoverlapping(from, bytes) };
                        }
                        let mut column = columns.start;
                        while column < columns.end {
                            let end = (column - column % width + width).min(columns.end);
                            let from = start.wrapping_add((column - columns.start) * word);
                            // Those of a block follow each other, as the columns of a matrix.
                            let to = (i * width + column) * height + part.start;
                            let to = row_start.wrapping_add(to * word);
                            let (rows, columns) = (part.len(), end - column);
                            // SAFETY: words of the stage, which the rows have room for.
                            unsafe {
                                if word == 4 {
                                    tiles::<4>(level, from, line / 4, to, height, rows, columns);
                                } else {
                                    tiles::<8>(level, from, line / 8, to, height, rows, columns);
                                }
                            }
                            column = end;
                        }
                    }
                }
                i += next;
            }
        }
    }

    /// Packs panels of a block of A, except those that are used in place.
    ///
    /// # Safety
    ///
    /// As [`Parts::run`], and nothing else accesses these panels meanwhile.
    pub(crate) unsafe fn pack_a(&self, slab: &Slab<'_, X, Y, T>, panels: Range<usize>) {
        let &Slab { am, ak, a, cuts, .. } = slab;
        let Kernels { word, depth: deep, .. } = *self.parts.kernels;
        if let Some(width) = self.blocking.a_rows {
            let rows = cuts.some(panels);
            let rows = rows.fold(None, |all: Option<Range<usize>>, rows| match all {
                None => Some(rows),
                Some(all) => Some(all.start..rows.end),
            });
            let steps = rows.unwrap_or(0..0);
            let to = self.packed_a.wrapping_add(steps.start * width * word);
            // As a panel whose rows are those of A, with a word for each step along K.
            let level = self.parts.level;
            let source = Source { level, from: a, along: ak, across: 0..ak.size, deep: am, steps };
            // SAFETY: these are offsets of A, and each row has a word for each step.
            return unsafe { (self.parts.kernels.pack_a)(&source, Packed { to, width, next: 0 }) };
        }
        let words = ak.size.div_ceil(deep);
        for steps in blocks(0..ak.size, together(&am, &ak, deep)) {
            let above = steps.start / deep;
            let mut at = panels.start;
            while at < panels.end {
                // Those that may be in place are looked at one by one.
                let count = match slab.a_step {
                    None => cuts.alike(at, panels.end),
                    Some(_) => 1,
                };
                let panel = cuts.piece(at);
                at += count;
                let width = panel.len();
                let across = panel.start..panel.start + count * width;
                if self.a_in_place(slab, across.clone()).is_some() {
                    continue;
                }
                let first = panel.start * words + above * width;
                let source = Source {
                    level: self.parts.level,
                    from: a,
                    along: am,
                    across,
                    deep: ak,
                    steps: steps.clone(),
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
    unsafe fn block(&self, block: &Block<'_, X, Y, T>) {
        // Tiles of the most rows can pack.
        let most = self.parts.kernels.rows(self.parts.kernels.vectors());
        let Range { start, end } = block.tiles;
        let packs = !self.parts.kernels.packing.is_empty();
        let by_tiles = packs && start < end && block.slab.cuts.piece(start).len() == most;
        // SAFETY: as required here.
        unsafe { self.pack_b(block, by_tiles) };
        let below = start + usize::from(by_tiles);
        // SAFETY: as required here; what these tiles do not pack is packed.
        unsafe { self.tiles(block, start..below, true) };
        // SAFETY: as required here; the block of B is packed where it is not used in place.
        unsafe { self.tiles(block, below..end, false) };
    }

    /// The product of some panels of A with a block of B, which these tiles pack if `by_tiles`.
    ///
    /// # Safety
    ///
    /// As [`block`](Self::block).
    unsafe fn tiles(&self, block: &Block<'_, X, Y, T>, tiles: Range<usize>, by_tiles: bool) {
        let Kernels { lanes, word, more, .. } = *self.parts.kernels;
        let &Block { slab, bn, cn, .. } = block;
        let &Slab { am, cm, scale, .. } = slab;
        let words = slab.ak.size.div_ceil(self.parts.kernels.depth);
        let alone = slab.finish.is_some() || !block.panels.runs.is_empty();
        let packed_a = slab.a_step.is_none();
        let packed_b = block.gathered.is_some() || !by_tiles && !self.blocking.b_stays;
        let mut batches = Batches {
            rows: &slab.cuts,
            vectors: &block.vectors,
            part: !bn.size.is_multiple_of(lanes),
            down: 1,
            across: !alone && cn.is_linear() && (packed_b || bn.is_linear()),
        };
        let vectors = 0..block.vectors.count();
        if !alone && cm.is_linear() && (packed_a || am.is_linear()) {
            // Rows meet all of B before the next ones, so that their words stay in the first cache.
            let rows = slab.cuts.largest() * words * word;
            batches.down = match batches.beside(0, vectors.end) == vectors.end {
                true => usize::MAX,
                false => (self.blocking.near / rows).max(1),
            };
        }
        for (tile, down) in batches.down(tiles) {
            let rows = tile.clone();
            let in_place = self.a_in_place(slab, rows.clone());
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
            // Not for the tiles that pack, which have all rows.
            let runs = match c_row {
                None if !by_tiles => Self::runs_of(&cm, &rows),
                _ => 0,
            };
            let c = block.c.wrapping_add(cm.at(rows.start));
            for (panel, across) in batches.across(vectors.clone()) {
                let columns = panel.start * lanes..(panel.end * lanes).min(bn.size);
                let first = panel.start * lanes * (words + more) * word;
                let packed_b = block.packed_b.wrapping_add(first);
                let there = self.b_in_place(block, columns.clone(), by_tiles);
                let b = there.unwrap_or_else(|| Words {
                    start: packed_b,
                    next: lanes * (words + more) * word,
                    step: panel.len() * lanes * word,
                });
                let last = columns.len() - (panel.len() - 1) * lanes;
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
                    c: c.wrapping_add(cn.at(columns.start)),
                    c_row: 0,
                    c_vectors: consecutive(lanes),
                    c_down: tile.len() * cm.stride,
                    c_across: panel.len() * lanes,
                    down,
                    across,
                    last,
                    soon,
                    soon_step,
                    c_in: if block.panels.linear { Cache::Memory } else { Cache::Any },
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
                let places = block.panels.at(panel.start);
                if !block.panels.linear {
                    // C arrives meanwhile.
                    places.prefetch(
                        batch.c,
                        batch.c_across,
                        lanes,
                        rows.clone().map(|row| {
                            // Wrapping, as what is added to a pointer.
                            cm.at(row).wrapping_sub(cm.at(rows.start))
                        }),
                    );
                }
                // SAFETY: the panels are packed, or lie so in the operands, for these tiles of C;
                // the packed block has these panels.
                unsafe {
                    match (c_row, places) {
                        (Some(c_row), Vectors::Whole(c_vectors)) => {
                            micro(&Batch { c_row, c_vectors, ..batch }, scale);
                        }
                        (None, Vectors::Whole(c_vectors)) if runs > 0 => {
                            // Tiles of fewer rows, where rows of C have one distance.
                            let batch = Batch { c_vectors, ..batch };
                            self.by_runs(block, &batch, &rows, panel.len());
                        }
                        (_, vectors) => {
                            for tile in 0..across {
                                // Wrapping, but the vectors of a tile, and its places.
                                let packed = tile * panel.len() * lanes * words * word;
                                let batch = Batch {
                                    b: batch.b.wrapping_add(tile * batch.b_across),
                                    c: batch.c.wrapping_add(tile * batch.c_across),
                                    packed_b: batch.packed_b.wrapping_add(packed),
                                    ..batch
                                };
                                self.scatter(block, micro, &batch, &rows, &vectors);
                            }
                        }
                    }
                }
                if let Some(finish) = slab.finish {
                    self.finished(block, &rows, &columns, finish);
                }
                soon += across * words * soon_step;
            }
        }
    }

    /// The runs of rows that have one distance in C, if there are few.
    fn runs_of(cm: &Offsets<'_>, rows: &Range<usize>) -> usize {
        let (mut row, mut runs) = (rows.start, 0);
        while row < rows.end {
            row += cm.run(row..rows.end).0;
            runs += 1;
        }
        if 3 * runs <= rows.len() { runs } else { 0 }
    }

    /// A tile as one tile for each run of rows that have one distance in C.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), for a batch of one tile of so many vectors.
    unsafe fn by_runs(
        &self,
        block: &Block<'_, X, Y, T>,
        batch: &Batch<T>,
        rows: &Range<usize>,
        vectors: usize,
    ) {
        let (cm, lanes) = (&block.slab.cm, self.parts.kernels.lanes);
        let mut row = rows.start;
        while row < rows.end {
            let (count, c_row) = cm.run(row..rows.end);
            let micro = self.parts.kernels.tile(count, vectors, false, batch.last < lanes);
            // Wrapping, but the first row of A and of C.
            let part = Batch {
                a: batch.a.wrapping_add((row - rows.start) * batch.a_row),
                c: batch.c.wrapping_add(cm.at(row).wrapping_sub(cm.at(rows.start))),
                c_row,
                ..*batch
            };
            // SAFETY: as required here, for some of the rows.
            unsafe { micro(&part, block.slab.scale) };
            row += count;
        }
    }

    /// A tile whose rows are not at one distance in C, or whose vectors are not consecutive: it is made
    /// in a buffer, and then meets C in pieces of vectors.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and `micro` can read what the batch says.
    unsafe fn scatter(
        &self,
        block: &Block<'_, X, Y, T>,
        micro: Micro<T>,
        batch: &Batch<T>,
        rows: &Range<usize>,
        vectors: &Vectors<'_>,
    ) {
        let (cm, lanes) = (&block.slab.cm, self.parts.kernels.lanes);
        let mut sums = MaybeUninit::<[T; MAX_ROWS * MAX_WIDTH]>::uninit();
        let buffered = Batch {
            c: sums.as_mut_ptr().cast(),
            c_row: MAX_WIDTH,
            c_vectors: consecutive(lanes),
            c_in: Cache::Any,
            down: 1,
            across: 1,
            ..*batch
        };
        let mut offsets = [0; MAX_ROWS];
        for (offset, row) in offsets.iter_mut().zip(rows.clone()) {
            // Wrapping, as what is added to a pointer.
            *offset = cm.at(row).wrapping_sub(cm.at(rows.start));
        }
        let mut whole = [Run::default(); MAX_VECTORS];
        let runs = match vectors {
            Vectors::Pieces(runs) => *runs,
            Vectors::Whole(starts) => {
                let width = batch.c_across;
                for (i, (run, &to)) in whole.iter_mut().zip(starts).enumerate() {
                    let last = width == (i + 1) * lanes;
                    let count = if last { batch.last } else { lanes };
                    *run = Run { from: i * lanes, to, count, distance: 1 };
                }
                &whole[..width / lanes]
            }
        };
        let meeting = Meeting {
            sums: sums.as_ptr().cast(),
            width: MAX_WIDTH,
            c: batch.c,
            rows: &offsets[..rows.len()],
            runs,
        };
        // SAFETY: the buffer has the rows and the vectors of the tile; then it has all of its sums,
        // whose places these are.
        unsafe {
            micro(&buffered, &Scale::new(T::ONE, T::ZERO));
            (self.parts.kernels.merge)(&meeting, block.slab.scale);
        }
    }

    /// Tells that a part of C has its sums.
    fn finished(
        &self,
        block: &Block<'_, X, Y, T>,
        rows: &Range<usize>,
        columns: &Range<usize>,
        finish: Finish<'_, T>,
    ) {
        let (cm, cn) = (&block.slab.cm, &block.cn);
        let ((first_m, of_m), (first_n, of_n)) = (&block.slab.places, &block.places);
        let run = |c: &Offsets<'_>, places: &Offsets<'_>, range: &Range<usize>| {
            let one = |along: &Offsets<'_>| along.step(range.clone()) == Some(1);
            range.len() == 1 || one(c) && one(places)
        };
        let transposed = self.parts.plan.transposed;
        let (m, n) = if transposed { (cn, cm) } else { (cm, cn) };
        let [rows_run, columns_run] = [run(cm, of_m, rows), run(cn, of_n, columns)];
        let (rows_run, columns_run, rows, columns) = match transposed {
            true => (columns_run, rows_run, columns, rows),
            false => (rows_run, columns_run, rows, columns),
        };
        finish(&Finished {
            c: block.c,
            rows: rows.clone(),
            columns: columns.clone(),
            row: &|i| m.at(i),
            column: &|i| n.at(i),
            place: &|i, j| match transposed {
                true => (first_n + of_n.at(i), first_m + of_m.at(j)),
                false => (first_m + of_m.at(i), first_n + of_n.at(j)),
            },
            columns_run,
            rows_run,
        });
    }
}

/// Panels of A, and a block of B.
struct Block<'a, X, Y, T> {
    slab: &'a Slab<'a, X, Y, T>,
    /// Which pieces of the slab's rows.
    tiles: Range<usize>,
    bn: Offsets<'a>,
    cn: Offsets<'a>,
    /// The first elements of the block of B, and of the slab's rows of C.
    b: *const Y,
    c: *mut T,
    /// The coordinates of the columns: the first one, and the others from there.
    places: (usize, Offsets<'a>),
    /// The distance of words along K, in elements, when B has vectors in place.
    b_step: Option<usize>,
    vectors: Partition,
    panels: &'a Panels,
    packed_b: *mut u8,
    /// The rows that are used in place of B.
    gathered: Option<Rows>,
}

/// Where the vectors of a panel's row are in C, from its first element.
enum Vectors<'a> {
    /// Each is consecutive.
    Whole([usize; MAX_VECTORS]),
    /// Runs, of which none is longer than a vector.
    Pieces(&'a [Run]),
}

impl Vectors<'_> {
    /// Asks for the cache lines of rows of a panel that starts at `c`.
    fn prefetch<T>(
        &self,
        c: *const T,
        width: usize,
        lanes: usize,
        rows: impl Iterator<Item = usize>,
    ) {
        for row in rows {
            let row = c.wrapping_add(row);
            match self {
                Self::Whole(starts) => {
                    let starts = &starts[..width / lanes];
                    for (i, start) in starts.iter().enumerate() {
                        prefetch_to_write(row.wrapping_add(*start));
                        // Wrapping, as what is added to a pointer.
                        let end = start.wrapping_add(lanes);
                        if starts.get(i + 1) != Some(&end) {
                            prefetch_to_write(row.wrapping_add(end).wrapping_sub(1));
                        }
                    }
                }
                Self::Pieces(runs) => {
                    for run in *runs {
                        prefetch_to_write(row.wrapping_add(run.to));
                    }
                }
            }
        }
    }
}

/// Where the panels of a block of B are in C.
#[derive(Default)]
struct Panels {
    lanes: usize,
    /// Whether all vectors follow each other, and there is no table.
    linear: bool,
    /// For each vector where a panel starts, the runs of the panel; none where its vectors are whole.
    ends: Vec<(usize, [usize; MAX_VECTORS], Range<usize>)>,
    runs: Vec<Run>,
}

impl Panels {
    /// Finds out for a block.
    fn set(&mut self, cn: &Offsets<'_>, vectors: &Partition, lanes: usize) {
        (self.lanes, self.linear) = (lanes, cn.is_linear() && (cn.stride == 1 || cn.size == 1));
        self.ends.clear();
        self.runs.clear();
        if self.linear {
            return;
        }
        for panel in vectors.iter() {
            let columns = panel.start * lanes..(panel.end * lanes).min(cn.size);
            let start = self.runs.len();
            let whole = cn.vectors(columns.clone(), lanes);
            let mut column = columns.start;
            while column < columns.end && whole.is_none() {
                let (count, distance) = cn.run(column..columns.end);
                let from = column - columns.start;
                let count = if distance == 1 { count.min(lanes - from % lanes) } else { count };
                let to = cn.at(column).wrapping_sub(cn.at(columns.start));
                self.runs.push(Run { from, to, count, distance });
                column += count;
            }
            self.ends.push((panel.start, whole.unwrap_or_default(), start..self.runs.len()));
        }
    }

    /// The vectors of the panel that starts with a vector.
    #[inline(always)]
    fn at(&self, vector: usize) -> Vectors<'_> {
        if self.linear {
            return Vectors::Whole(consecutive(self.lanes));
        }
        let Ok(i) = self.ends.binary_search_by_key(&vector, |&(start, ..)| start) else {
            unreachable!("each panel has an entry")
        };
        let (_, whole, runs) = &self.ends[i];
        match runs.is_empty() {
            true => Vectors::Whole(*whole),
            false => Vectors::Pieces(&self.runs[runs.clone()]),
        }
    }
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
