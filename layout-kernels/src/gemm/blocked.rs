//! Products of any size and any layouts: blocks that fit the caches, packed into panels, made by
//! register tiles.
//!
//! The loops are those of Goto and van de Geijn, as in BLIS, with A and B exchanged: a block of A
//! of `mc` by `kc` is packed for the last cache, a block of B of `kc` by `nc` for the second, and a
//! panel of A stays in the first while it meets all panels of B. Tiles then follow each other
//! along the rows of C, where its elements are neighbours; along its columns each tile would begin
//! in other pages. Small operands, and such that lie in panels already, are used where they are.

use core::ops::Range;
use std::cell::Cell;

use layout_core::engine::DynLayout;

use crate::buffer::Buffer;
use crate::gemm::along::Along;
use crate::gemm::blocking::Blocking;
use crate::gemm::cuts::Cuts;
use crate::gemm::describe::{Blocks, Way};
use crate::gemm::direct;
use crate::gemm::float::sealed::Sum;
use crate::gemm::grid::Grid;
use crate::gemm::job::{Finish, Finished, Job};
use crate::gemm::micro::{Kernels, MAX_ROWS, MAX_VECTORS, Micro, Panels, Target, at_distance};
use crate::gemm::multiply::Multiply;
use crate::gemm::operands::Operands;
use crate::gemm::panels::Source;
use crate::gemm::place::read;
use crate::gemm::scale::Scale;
use crate::par::Par;
use crate::simd::Level;
use crate::simd::cache::Caches;

/// A cache line, to align what is packed.
type Line = [u64; 8];

type Kept = Cell<Option<Buffer<Line>>>;

thread_local! {
    // Memory for packed blocks of A and of B, at most some MiB. Kept between calls: asking for it
    // costs more than a small product.
    static SCRATCH: [Kept; 2] = const { [const { Cell::new(None) }; 2] };
}

/// Calls `f` with memory for a packed block, which it may write: of A for `which = 0`, else of B.
fn with_scratch(which: usize, bytes: usize, f: impl FnOnce(*mut u8)) {
    let needed = bytes.div_ceil(size_of::<Line>());
    // Taken and not borrowed: what runs meanwhile may make a product too.
    let kept = SCRATCH.with(|kept| kept[which].take()).filter(|lines| lines.len() >= needed);
    let Some(mut lines) = kept.or_else(|| Buffer::filled(needed, [0; 8])) else {
        unreachable!("some MiB fit an address space")
    };
    f(lines.as_mut_ptr().cast());
    SCRATCH.with(|kept| kept[which].set(Some(lines)));
}

/// `C = alpha * A * B + beta * C`, where there is something to add.
///
/// # Safety
///
/// As [`any::run`](super::any::run).
pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy + Send + Sync>(
    level: Level,
    job: &Job<'_, X, Y, X::Sum>,
    kernels: fn(Level) -> &'static Kernels<X, Y, X::Sum>,
    turned: fn(Level) -> &'static Kernels<Y, X, X::Sum>,
) {
    // SAFETY: the caller's promise.
    if unsafe { direct::run(job, || kernels(level), || turned(level)) } {
        return;
    }
    let mut table = Vec::new();
    let operands = Operands::new(job.layouts, &mut table);
    let kernels = kernels(level);
    let Job { scale, a, b, c, par, finish, .. } = *job;
    if turns(&operands, kernels.lanes) {
        let (offsets, kernels) = (operands.transposed(), turned(level));
        let parts = Parts { kernels, offsets, turned: true, scale, a: b, b: a, c, finish };
        // SAFETY: the caller's promise.
        unsafe { parts.run(par) };
    } else {
        let offsets = operands;
        let parts = Parts { kernels, offsets, turned: false, scale, a, b, c, finish };
        // SAFETY: the caller's promise.
        unsafe { parts.run(par) };
    }
}

/// Whether the transposed product is made, because its C has runs and the other one has none.
fn turns(operands: &Operands<'_>, lanes: usize) -> bool {
    !operands.cn.has_runs(lanes, 1) && operands.cm.has_runs(lanes, 1)
}

/// How [`run`] makes a product.
pub(crate) fn way<X, Y, T>(
    level: Level,
    layouts: [&DynLayout; 3],
    kernels: fn(Level) -> &'static Kernels<X, Y, T>,
    turned: fn(Level) -> &'static Kernels<Y, X, T>,
) -> Way {
    fn blocks<X, Y, T>(operands: &Operands<'_>, kernels: &Kernels<X, Y, T>, turned: bool) -> Way {
        // Tensors start at cache lines.
        let line = core::ptr::null();
        Way::Blocks(Blocks {
            turned,
            blocking: Blocking::new(operands, kernels, &Caches::detect(), line),
            rows: kernels.rows(),
            vectors: kernels.vectors(),
            lanes: kernels.lanes,
            depth: kernels.depth,
        })
    }
    let (mut table, kernels) = (Vec::new(), kernels(level));
    if let Some(direct) = direct::way(layouts, kernels, turned(level)) {
        return Way::Direct(direct);
    }
    let operands = Operands::new(layouts, &mut table);
    if turns(&operands, kernels.lanes) {
        blocks(&operands.transposed(), turned(level), true)
    } else {
        blocks(&operands, kernels, false)
    }
}

/// A product that may be made in parts.
struct Parts<'a, X: 'static, Y: 'static, T: 'static> {
    kernels: &'a Kernels<X, Y, T>,
    offsets: Operands<'a>,
    /// Whether this is `C^T = B^T * A^T`.
    turned: bool,
    scale: &'a Scale<T>,
    a: *const X,
    b: *const Y,
    c: *mut T,
    finish: Option<Finish<'a, T>>,
}

// SAFETY: A and B are only read, and parts of C are apart, so that threads may share all of it.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Parts<'_, X, Y, T> {}

impl<X, Y, T: Sum> Parts<'_, X, Y, T>
where
    X: Copy + Send + Sync,
    Y: Copy + Send + Sync,
{
    /// All parts.
    ///
    /// # Safety
    ///
    /// As [`run`].
    unsafe fn run(&self, par: Par) {
        let blocking = Blocking::new(&self.offsets, self.kernels, &Caches::detect(), self.b.cast());
        let (m, n, k) = (self.offsets.am.size, self.offsets.bn.size, self.offsets.ak.size);
        let Blocking { mc, kc, .. } = blocking;
        let later = self.scale.later();
        let stays = blocking.a_step.is_some() && self.offsets.am.step(0..m).is_some();
        let a_bytes = if stays { 0 } else { blocking.a_bytes(self.kernels.word) };
        with_scratch(0, a_bytes, |packed_a| {
            let product = Product { parts: self, blocking: &blocking, packed_a };
            for rows in blocks(0..m, mc) {
                let cuts = Cuts::new(rows.len(), self.kernels.rows());
                let work = rows.len().saturating_mul(n).saturating_mul(k);
                let grid = Grid::new([cuts.count(), n], self.kernels.lanes, work, par.threads());
                let slab = |depth: Range<usize>| {
                    let scale = if depth.start == 0 { self.scale } else { &later };
                    Slab { rows: rows.clone(), cuts, depth, scale }
                };
                // Nobody waits for what is used in place: a piece then has all steps.
                let together = if stays { k } else { kc };
                for steps in blocks(0..k, together) {
                    if !stays {
                        let (slab, packers) = (slab(steps.clone()), grid.pieces());
                        par.each(packers, |i| {
                            let end = |i| cuts.count() * i / packers;
                            // SAFETY: the caller's promise; each packs panels of its own.
                            unsafe { product.pack_a(&slab, end(i)..end(i + 1)) };
                        });
                    }
                    par.each(grid.pieces(), |i| {
                        let (tiles, columns) = grid.piece(i);
                        for depth in blocks(steps.clone(), kc) {
                            // SAFETY: the caller's promise; pieces are different parts of C, and
                            // this block of A is packed, or all of it stays where it is.
                            unsafe { product.run(&slab(depth), tiles.clone(), columns.clone()) };
                        }
                    });
                }
            }
        });
    }

    /// Tells that a part of C has its sums.
    fn finished(&self, rows: &Range<usize>, columns: &Range<usize>) {
        let Some(finish) = self.finish else { return };
        let Operands { cm, cn, .. } = self.offsets;
        let (m, n) = if self.turned { (cn, cm) } else { (cm, cn) };
        let (rows, columns) = if self.turned { (columns, rows) } else { (rows, columns) };
        finish(&Finished {
            c: self.c,
            rows: rows.clone(),
            columns: columns.clone(),
            row: &|i| m.at(i),
            column: &|i| n.at(i),
            columns_run: n.step(columns.clone()) == Some(1) || columns.len() == 1,
            rows_run: m.step(rows.clone()) == Some(1),
        });
    }
}

/// One product, and where its blocks of A are packed, which threads share.
struct Product<'a, X: 'static, Y: 'static, T: 'static> {
    parts: &'a Parts<'a, X, Y, T>,
    blocking: &'a Blocking,
    packed_a: *mut u8,
}

// SAFETY: the packed block has different panels for all that write it, and is only read later.
unsafe impl<X: Sync, Y: Sync, T: Send + Sync> Sync for Product<'_, X, Y, T> {}

/// A block of A, and how it meets C.
struct Slab<'a, T> {
    rows: Range<usize>,
    cuts: Cuts,
    depth: Range<usize>,
    scale: &'a Scale<T>,
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
    unsafe fn run(&self, slab: &Slab<'_, T>, tiles: Range<usize>, columns: Range<usize>) {
        let Kernels { lanes, word, .. } = *self.parts.kernels;
        with_scratch(1, self.blocking.b_bytes(word), |packed_b| {
            for columns in blocks(columns, self.blocking.nc) {
                let vectors = columns.len().div_ceil(lanes);
                let vectors = Cuts::new(vectors, self.parts.kernels.vectors());
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
                unsafe { (self.parts.kernels.pack_b)(&source, to, width) };
            }
        }
    }

    /// Packs panels of a block of A, except those that are used in place.
    ///
    /// # Safety
    ///
    /// As [`Parts::run`], and nothing else accesses these panels meanwhile.
    unsafe fn pack_a(&self, slab: &Slab<'_, T>, panels: Range<usize>) {
        let Slab { rows, cuts, depth, .. } = slab;
        let Kernels { word, depth: deep, .. } = *self.parts.kernels;
        let words = depth.len().div_ceil(deep);
        let Operands { am, ak, .. } = self.parts.offsets;
        for steps in blocks(depth.clone(), together(&am, &ak, deep)) {
            let above = (steps.start - depth.start) / deep;
            for panel in cuts.some(panels.clone()) {
                let across = rows.start + panel.start..rows.start + panel.end;
                if self.a_in_place(across.clone(), depth).is_some() {
                    continue;
                }
                let first = panel.start * words + above * panel.len();
                let steps = steps.clone();
                let source = Source { from: self.parts.a, along: am, across, deep: ak, steps };
                let to = self.packed_a.wrapping_add(first * word);
                // SAFETY: these are offsets of A, and the panel has a word for each row and step.
                unsafe { (self.parts.kernels.pack_a)(&source, to, panel.len()) };
            }
        }
    }

    /// The product of panels of A with a block of B.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and the packed block of B can be written and has its size.
    unsafe fn block(&self, block: &Block<'_, T>) {
        let Kernels { lanes, word, more, .. } = *self.parts.kernels;
        let Slab { cuts, depth, scale, .. } = block.slab;
        // Tiles of the most rows can pack.
        let most = self.parts.kernels.rows();
        let by_tiles = cuts.some(block.tiles.clone()).next().is_some_and(|tile| tile.len() == most);
        // SAFETY: the caller's promise.
        unsafe { self.pack_b(block, by_tiles) };
        let words = depth.len().div_ceil(self.parts.kernels.depth);
        let is_last = depth.end == self.parts.offsets.ak.size;
        for (i, tile) in cuts.some(block.tiles.clone()).enumerate() {
            let first = block.slab.rows.start;
            let rows = first + tile.start..first + tile.end;
            let in_place = self.a_in_place(rows.clone(), depth);
            let a = in_place.unwrap_or_else(|| Words {
                start: self.packed_a.wrapping_add(tile.start * words * word),
                next: word,
                step: tile.len() * word,
            });
            // A part of the next panel arrives with each tile, if that lies in one piece.
            let soon_step = match in_place {
                Some(words_of_a) if words_of_a.next != words * word => 0,
                _ => (tile.len() * word).div_ceil(block.vectors.count()),
            };
            let mut soon = a.start.wrapping_add(tile.len() * words * word);
            let mut c_rows = [0; MAX_ROWS];
            for (offset, i) in c_rows.iter_mut().zip(rows.clone()) {
                *offset = self.parts.offsets.cm.at(i);
            }
            for panel in block.vectors.iter() {
                let first = block.columns.start + panel.start * lanes;
                let columns = first..(first + panel.len() * lanes).min(block.columns.end);
                let first = panel.start * lanes * (words + more) * word;
                let packed_b = block.packed_b.wrapping_add(first);
                let there = self.b_in_place(columns.clone(), depth, by_tiles && i == 0);
                let b = there.unwrap_or_else(|| Words {
                    start: packed_b,
                    next: lanes * word,
                    step: panel.len() * lanes * word,
                });
                let last = columns.len() - (panel.len() - 1) * lanes;
                let packs = there.is_some() && !self.blocking.b_stays;
                let panels = Panels {
                    depth: words,
                    a: a.start,
                    a_step: a.step,
                    a_row: a.next,
                    b: b.start,
                    b_vector: b.next,
                    b_step: b.step,
                    // A tile that packs is followed by one that does.
                    soon: if packs { b.start.wrapping_add(panel.len() * b.next) } else { soon },
                    soon_step,
                    packed_b,
                };
                soon = soon.wrapping_add(words * soon_step);
                let place = Place { rows: rows.clone(), c_rows: &c_rows, columns, last };
                let micro = if packs {
                    self.parts.kernels.packing[panel.len() - 1]
                } else {
                    let part = there.is_some() && last < lanes;
                    self.parts.kernels.tile(tile.len(), panel.len(), in_place.is_none(), part)
                };
                // SAFETY: the panels are packed, or lie so in the operands, for this tile of C; the
                // packed block has this panel.
                unsafe { self.tile(micro, &panels, &place, scale) };
                if is_last {
                    self.parts.finished(&place.rows, &place.columns);
                }
            }
        }
    }

    /// A tile of C.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and `micro` can read the panels.
    unsafe fn tile(&self, micro: Micro<T>, panels: &Panels, place: &Place<'_>, scale: &Scale<T>) {
        let Place { rows, c_rows, columns, last } = place;
        let (Operands { cm, cn, .. }, lanes) = (&self.parts.offsets, self.parts.kernels.lanes);
        if self.blocking.c_runs {
            let mut c_vectors = [0; MAX_VECTORS];
            for (offset, j) in c_vectors.iter_mut().zip(columns.clone().step_by(lanes)) {
                *offset = cn.at(j);
            }
            let (c, last) = (self.parts.c, *last);
            let target = Target { scale, c, rows: c_rows, vectors: &c_vectors, last };
            // SAFETY: C has the rows of the tile, and its vectors, at these offsets.
            unsafe { micro(panels, &target) };
            return;
        }
        // C has no vectors: the tile is made in a place of its own and meets C one by one.
        const WIDTH: usize = 16 * MAX_VECTORS;
        let mut sums = [T::ZERO; MAX_ROWS * WIDTH];
        let assign = Scale::new(T::ONE, T::ZERO);
        let c = sums.as_mut_ptr();
        let (c_rows, c_vectors) = (at_distance(WIDTH), at_distance(lanes));
        let target = Target { scale: &assign, c, rows: &c_rows, vectors: &c_vectors, last: *last };
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

/// Where a tile is in C.
struct Place<'a> {
    rows: Range<usize>,
    /// Their offsets.
    c_rows: &'a [usize; MAX_ROWS],
    columns: Range<usize>,
    /// The lanes of the last one that are there.
    last: usize,
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

/// A range in blocks of a size, the last one smaller.
fn blocks(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(size).map(move |start| start..(start + size).min(end))
}
