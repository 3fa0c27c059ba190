//! Products of any size and any layouts: blocks that fit the caches, packed into panels, made by
//! register tiles.
//!
//! The loops are those of Goto and van de Geijn, as in BLIS: a block of B of `kc` by `nc` is
//! packed for the last cache, a block of A of `mc` by `kc` for the second, and a panel of B meets
//! all panels of A while it stays near. Small operands, and such that lie in panels already, are
//! used where they are.

use core::ops::Range;
use std::cell::Cell;

use layout_core::engine::DynLayout;

use crate::buffer::Buffer;
use crate::gemm::blocking::Blocking;
use crate::gemm::cuts::Cuts;
use crate::gemm::describe::{Blocks, Way};
use crate::gemm::float::sealed::Sum;
use crate::gemm::grid::Grid;
use crate::gemm::job::{Finish, Finished, Job};
use crate::gemm::micro::{Kernels, MAX_ROWS, MAX_VECTORS, Micro, Panels, Target};
use crate::gemm::multiply::Multiply;
use crate::gemm::operands::Operands;
use crate::gemm::panels::Source;
use crate::gemm::place::read;
use crate::gemm::tile::Scale;
use crate::par::Par;
use crate::simd::Level;
use crate::simd::cache::Caches;

/// A cache line, to align what is packed.
type Line = [u64; 8];

thread_local! {
    // Memory for packed blocks, at most some MiB. Kept between calls: asking for it costs more
    // than a small product.
    static SCRATCH: Cell<Option<Buffer<Line>>> = const { Cell::new(None) };
}

/// `C = alpha * A * B + beta * C`, where there is something to add.
///
/// # Safety
///
/// As [`any::run`](super::any::run).
pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy + Send + Sync>(
    level: Level,
    job: &Job<'_, X, Y, X::Sum>,
    kernels: fn(Level) -> Kernels<X, Y, X::Sum>,
    turned: fn(Level) -> Kernels<Y, X, X::Sum>,
) {
    let mut table = Vec::new();
    let operands = Operands::new(job.layouts, &mut table);
    let kernels = kernels(level);
    let Job { scale, a, b, c, par, finish, .. } = *job;
    if turns(&operands, kernels.lanes) {
        let (offsets, kernels) = (operands.transposed(), turned(level));
        let parts =
            Parts { kernels: &kernels, offsets, turned: true, scale, a: b, b: a, c, finish };
        // SAFETY: the caller's promise.
        unsafe { parts.run(par) };
    } else {
        let (offsets, kernels) = (operands, &kernels);
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
    kernels: fn(Level) -> Kernels<X, Y, T>,
    turned: fn(Level) -> Kernels<Y, X, T>,
) -> Way {
    fn blocks<X, Y, T>(operands: &Operands<'_>, kernels: &Kernels<X, Y, T>, turned: bool) -> Way {
        Way::Blocks(Blocks {
            turned,
            blocking: Blocking::new(operands, kernels, &Caches::detect()),
            rows: kernels.rows(),
            vectors: kernels.vectors(),
            lanes: kernels.lanes,
            depth: kernels.depth,
        })
    }
    let mut table = Vec::new();
    let operands = Operands::new(layouts, &mut table);
    let kernels = kernels(level);
    if turns(&operands, kernels.lanes) {
        blocks(&operands.transposed(), &turned(level), true)
    } else {
        blocks(&operands, &kernels, false)
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
        let blocking = Blocking::new(&self.offsets, self.kernels, &Caches::detect());
        let (m, n, k) = (self.offsets.am.size, self.offsets.bn.size, self.offsets.ak.size);
        let grid = Grid::new([m, n, k], [self.kernels.rows(), self.kernels.lanes], par.threads());
        par.each(grid.pieces(), |piece| {
            let (rows, columns) = grid.piece(piece);
            // SAFETY: the caller's promise; pieces are different parts of C.
            unsafe { self.piece(&blocking, rows, columns) };
        });
    }

    /// Some rows and columns of C.
    ///
    /// # Safety
    ///
    /// As [`run`], for this part of C.
    unsafe fn piece(&self, blocking: &Blocking, rows: Range<usize>, columns: Range<usize>) {
        let needed = blocking.scratch(self.kernels.word).div_ceil(size_of::<Line>());
        // Taken and not borrowed: what runs meanwhile may make a product too.
        let kept = SCRATCH.take().filter(|lines| lines.len() >= needed);
        let Some(mut lines) = kept.or_else(|| Buffer::filled(needed, [0; 8])) else {
            unreachable!("some MiB fit an address space")
        };
        let packed_a = lines.as_mut_ptr().cast::<u8>();
        let packed_b = packed_a.wrapping_add(blocking.a_bytes(self.kernels.word));
        let product = Product { parts: self, blocking, packed_a, packed_b };
        // SAFETY: the caller's promise, and the packed blocks have their sizes.
        unsafe { product.run(rows, columns) };
        SCRATCH.set(Some(lines));
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

/// One product.
struct Product<'a, X: 'static, Y: 'static, T: 'static> {
    parts: &'a Parts<'a, X, Y, T>,
    blocking: &'a Blocking,
    packed_a: *mut u8,
    packed_b: *mut u8,
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
    /// The product of some rows and columns of C.
    ///
    /// # Safety
    ///
    /// As [`run`] for these, and the packed blocks can be written and have their sizes.
    unsafe fn run(&self, m: Range<usize>, n: Range<usize>) {
        let k = self.parts.offsets.ak.size;
        let Blocking { mc, nc, kc, .. } = *self.blocking;
        let later = self.parts.scale.later();
        for columns in blocks(n, nc) {
            for depth in blocks(0..k, kc) {
                let scale = if depth.start == 0 { self.parts.scale } else { &later };
                let vectors = Cuts::new(
                    columns.len().div_ceil(self.parts.kernels.lanes),
                    self.parts.kernels.vectors(),
                );
                // SAFETY: the caller's promise.
                unsafe { self.pack_b(&vectors, columns.clone(), depth.clone()) };
                for rows in blocks(m.clone(), mc) {
                    let block = Block {
                        cuts: Cuts::new(rows.len(), self.parts.kernels.rows()),
                        rows,
                        vectors,
                        columns: columns.clone(),
                        depth: depth.clone(),
                        scale,
                    };
                    // SAFETY: the caller's promise, and this block of B is packed.
                    unsafe { self.block(&block) };
                }
            }
        }
    }

    /// Where a panel of B is when it is used in place.
    fn b_in_place(&self, columns: Range<usize>, depth: &Range<usize>) -> Option<Words> {
        let Kernels { lanes, masked, .. } = *self.parts.kernels;
        let step = self.blocking.b_step?;
        if !masked && !columns.len().is_multiple_of(lanes) {
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

    /// Packs a block of B, except panels that are used in place.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn pack_b(&self, vectors: &Cuts, columns: Range<usize>, depth: Range<usize>) {
        let Kernels { lanes, word, .. } = *self.parts.kernels;
        let words = depth.len().div_ceil(self.parts.kernels.depth);
        for panel in vectors.iter() {
            let width = panel.len() * lanes;
            let across = columns.start + panel.start * lanes
                ..(columns.start + panel.end * lanes).min(columns.end);
            if self.b_in_place(across.clone(), &depth).is_some() {
                continue;
            }
            let rows = words + self.parts.kernels.more;
            let to = self.packed_b.wrapping_add(panel.start * lanes * rows * word);
            let source = Source {
                from: self.parts.b,
                along: self.parts.offsets.bn,
                across,
                deep: self.parts.offsets.bk,
                steps: depth.clone(),
            };
            // SAFETY: these are offsets of B, and the panel has `width` words for each step.
            unsafe { (self.parts.kernels.pack_b)(&source, to, width) };
        }
    }

    /// Packs a block of A, except panels that are used in place.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn pack_a(&self, block: &Block<'_, T>) {
        let word = self.parts.kernels.word;
        let words = block.depth.len().div_ceil(self.parts.kernels.depth);
        for panel in block.cuts.iter() {
            let across = block.rows.start + panel.start..block.rows.start + panel.end;
            if self.a_in_place(across.clone(), &block.depth).is_some() {
                continue;
            }
            let to = self.packed_a.wrapping_add(panel.start * words * word);
            let source = Source {
                from: self.parts.a,
                along: self.parts.offsets.am,
                across,
                deep: self.parts.offsets.ak,
                steps: block.depth.clone(),
            };
            // SAFETY: these are offsets of A, and the panel has a word for each row and step.
            unsafe { (self.parts.kernels.pack_a)(&source, to, panel.len()) };
        }
    }

    /// The product of a block of A with a block of B that is packed.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and the block of B is packed where it is not used in place.
    unsafe fn block(&self, block: &Block<'_, T>) {
        let Kernels { lanes, word, more, .. } = *self.parts.kernels;
        // SAFETY: the caller's promise.
        unsafe { self.pack_a(block) };
        let words = block.depth.len().div_ceil(self.parts.kernels.depth);
        for panel in block.vectors.iter() {
            let first = block.columns.start + panel.start * lanes;
            let columns = first..(first + panel.len() * lanes).min(block.columns.end);
            let b = self.b_in_place(columns.clone(), &block.depth).unwrap_or_else(|| Words {
                start: self.packed_b.wrapping_add(panel.start * lanes * (words + more) * word),
                next: lanes * word,
                step: panel.len() * lanes * word,
            });
            let vector = if self.blocking.c_runs {
                self.parts.offsets.cn.blocks(columns.clone(), lanes)
            } else {
                None
            };
            let last = columns.len() - (panel.len() - 1) * lanes;
            for tile in block.cuts.iter() {
                let rows = block.rows.start + tile.start..block.rows.start + tile.end;
                let in_place = self.a_in_place(rows.clone(), &block.depth);
                let a = in_place.unwrap_or_else(|| Words {
                    start: self.packed_a.wrapping_add(tile.start * words * word),
                    next: word,
                    step: tile.len() * word,
                });
                let panels = Panels {
                    depth: words,
                    a: a.start,
                    a_step: a.step,
                    a_rows: core::array::from_fn(|i| i * a.next),
                    b: b.start,
                    b_vector: b.next,
                    b_step: b.step,
                };
                let place = Place { rows, columns: columns.clone(), vector, last };
                let micro = self.parts.kernels.tile(tile.len(), panel.len(), in_place.is_none());
                // SAFETY: the panels are packed, or lie so in the operands, for this tile of C.
                unsafe { self.tile(micro, &panels, &place, block.scale) };
                if block.depth.end == self.parts.offsets.ak.size {
                    self.parts.finished(&place.rows, &columns);
                }
            }
        }
    }

    /// A tile of C.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), and `micro` can read the panels.
    unsafe fn tile(&self, micro: Micro<T>, panels: &Panels, place: &Place, scale: &Scale<T>) {
        let Place { rows, columns, vector, last } = place;
        let Operands { cm, cn, .. } = &self.parts.offsets;
        if let (Some(vector), Some(row)) = (*vector, cm.step(rows.clone())) {
            let c = self.parts.c.wrapping_add(cm.at(rows.start) + cn.at(columns.start));
            let target = Target { scale, c, row, vector, last: *last };
            // SAFETY: C has the rows of the tile at this distance, and its vectors.
            unsafe { micro(panels, &target) };
            return;
        }
        // C has no vectors: the tile is made in a place of its own and meets C one by one.
        const WIDTH: usize = 16 * MAX_VECTORS;
        let mut sums = [T::ZERO; MAX_ROWS * WIDTH];
        let assign = Scale::new(T::ONE, T::ZERO);
        let lanes = self.parts.kernels.lanes;
        let c = sums.as_mut_ptr();
        let target = Target { scale: &assign, c, row: WIDTH, vector: lanes, last: *last };
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
struct Place {
    rows: Range<usize>,
    columns: Range<usize>,
    /// The distance of its vectors, when it has some that are consecutive.
    vector: Option<usize>,
    /// The lanes of the last one that are there.
    last: usize,
}

/// A block of each operand, and its tiles.
struct Block<'a, T> {
    rows: Range<usize>,
    cuts: Cuts,
    columns: Range<usize>,
    vectors: Cuts,
    depth: Range<usize>,
    scale: &'a Scale<T>,
}

/// A range in blocks of a size, the last one smaller.
fn blocks(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(size).map(move |start| start..(start + size).min(end))
}
