//! Few rows or columns that are dense in one memory: interleaving and its inverse.
//!
//! Words of `W` bytes in `n` rows, 2 to 16 / `W`, that lie in the destination one behind the other,
//! column after column: pixels from planes. With `P` registers, `P` the power of two from `n` on,
//! lane `j` of the rows is transposed as `P` by `P` pieces of 16 / `P` bytes. A lane then has
//! neighbouring columns of all rows, which a shuffle of bytes puts in order and without gaps. The
//! other direction is the same backwards.

use super::block::Block;
use super::lanes::{Lanes, Move};
use super::registers::Ymm;
use super::shuffle::stages;

/// Bytes that a step may read or write behind its own. They belong to later columns, so that the
/// last columns are left to others.
const SLACK: usize = 16;

/// A block with dense columns of the destination, or dense rows of the source, as a [`Move`].
///
/// It stops before the end, and says in `done` how many columns, or rows, it has moved.
pub(super) struct Narrow<'a, const W: usize> {
    pub(super) block: Block,
    pub(super) done: &'a mut usize,
}

impl<const W: usize> Narrow<'_, W> {
    /// Whether rows are interleaved in the destination.
    #[inline(always)]
    pub(super) fn interleaves(block: &Block) -> bool {
        block.rows * W <= 16 && block.rows >= 2 && block.destination.step == block.rows * W
    }

    /// Whether columns are interleaved in the source.
    #[inline(always)]
    pub(super) fn deinterleaves(block: &Block) -> bool {
        block.columns * W <= 16 && block.columns >= 2 && block.source.step == block.columns * W
    }
}

/// For each byte of a lane the one that comes there; `n` of `p` words in each of `16 / p / w`
/// groups are taken together, or, if not `together`, taken apart.
#[inline(always)]
fn table(n: usize, p: usize, w: usize, together: bool) -> [u8; 16] {
    let group = 16 / w / p;
    // What has its highest bit set becomes 0.
    let mut table = [0x80; 16];
    for k in 0..n {
        for i in 0..group {
            for byte in 0..w {
                let (dense, apart) = ((i * n + k) * w + byte, (k * group + i) * w + byte);
                if together {
                    table[dense] = apart as u8;
                } else {
                    table[apart] = dense as u8;
                }
            }
        }
    }
    table
}

macro_rules! narrow {
    ($interleave:ident, $deinterleave:ident, $p:literal by $w:tt: $($k:literal)*) => {
        /// Interleaves rows; returns how many columns.
        ///
        /// # Safety
        ///
        /// That of [`Narrow`]'s `run`.
        #[inline(always)]
        unsafe fn $interleave<const W: usize>(block: Block) -> usize {
            let Block { source, destination, rows, columns, .. } = block;
            let table = table(rows, $p, W, true);
            // SAFETY: the table has 16 bytes, read for both lanes.
            let table = unsafe { Ymm::load(table.as_ptr(), 0) };
            let (step, chunk) = (32 / W, rows * (16 / $p));
            let mut column = 0;
            while column + step + SLACK <= columns {
                let r = [$(
                    // Where there is no such row the first one, whose words are dropped.
                    // SAFETY: 32 bytes of words of the row.
                    unsafe { Ymm::load_all(source.at(if $k < rows { $k } else { 0 }, column * W)) },
                )*];
                let r = stages!($w, r);
                let to = destination.start.wrapping_add(column * rows * W);
                macro_rules! store {
                    ($lane:ident, $j:expr, $register:expr) => {
                        let to = to.wrapping_add($j * chunk);
                        // SAFETY: 16 bytes that start in a column of this step; what is behind its
                        // end is written again later.
                        unsafe { $register.$lane(to) };
                    };
                }
                let r = [$(
                    // SAFETY: the caller has the instruction.
                    if W * $p == 16 { r[$k] } else { unsafe { r[$k].shuffle(table) } },
                )*];
                $( store!(store_low, $k, r[$k]); )*
                $( store!(store_high, $p + $k, r[$k]); )*
                column += step;
            }
            column
        }

        /// Takes columns apart; returns how many rows.
        ///
        /// # Safety
        ///
        /// That of [`Narrow`]'s `run`.
        #[inline(always)]
        unsafe fn $deinterleave<const W: usize>(block: Block) -> usize {
            let Block { source, destination, rows, columns, .. } = block;
            let table = table(columns, $p, W, false);
            // SAFETY: the table has 16 bytes, read for both lanes.
            let table = unsafe { Ymm::load(table.as_ptr(), 0) };
            let (step, chunk) = (32 / W, columns * (16 / $p));
            let mut row = 0;
            while row + step + SLACK <= rows {
                let from = source.start.wrapping_add(row * columns * W);
                let r = [$(
                    // SAFETY: 16 bytes for each lane, that start in a row of this step and end in
                    // a row of the block.
                    unsafe { Ymm::load(from.wrapping_add($k * chunk), $p * chunk) },
                )*];
                let r = [$(
                    // SAFETY: the caller has the instruction.
                    if W * $p == 16 { r[$k] } else { unsafe { r[$k].shuffle(table) } },
                )*];
                let r = stages!($w, r);
                $(
                    if $k < columns {
                        // SAFETY: 32 bytes of words of the column.
                        unsafe { r[$k].store(destination.at($k, row * W)) };
                    }
                )*
                row += step;
            }
            row
        }
    };
}

narrow!(interleave2, deinterleave2, 2 by 8: 0 1);
narrow!(interleave4, deinterleave4, 4 by 4: 0 1 2 3);
narrow!(interleave8, deinterleave8, 8 by 2: 0 1 2 3 4 5 6 7);
narrow!(interleave16, deinterleave16, 16 by 1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

impl<const W: usize> Move for Narrow<'_, W> {
    /// # Safety
    ///
    /// AVX2 is there; the block is one that this interleaves or deinterleaves, each of its words
    /// can be read in the source and written in the destination, and the two do not overlap.
    #[inline(always)]
    unsafe fn run(self) {
        let block = self.block;
        macro_rules! by_power {
            ($n:expr, $two:ident $four:ident $eight:ident $sixteen:ident) => {
                match $n {
                    // SAFETY: the caller's promise.
                    2 => unsafe { $two::<W>(block) },
                    // SAFETY: as above.
                    3..=4 if W <= 4 => unsafe { $four::<W>(block) },
                    // SAFETY: as above.
                    5..=8 if W <= 2 => unsafe { $eight::<W>(block) },
                    // SAFETY: as above.
                    9..=16 if W == 1 => unsafe { $sixteen::<W>(block) },
                    _ => 0,
                }
            };
        }
        *self.done = if Self::interleaves(&block) {
            by_power!(block.rows, interleave2 interleave4 interleave8 interleave16)
        } else {
            by_power!(block.columns, deinterleave2 deinterleave4 deinterleave8 deinterleave16)
        };
    }
}
