//! AVX2 interleaving of few rows that are dense in the destination, and deinterleaving of few columns
//! that are dense in the source.
//!
//! `n` rows of words of `W` bytes, with `2 <= n <= 16 / W`, are interleaved in the destination, such
//! as planes into pixels. `P` registers are used, where `P` is the smallest power of two with
//! `P >= n`. In each lane, the rows are transposed as `P` by `P` groups of `16 / P` bytes. A lane
//! then holds adjacent columns of all rows. A byte shuffle puts them in order and removes the gaps.
//! Deinterleaving does the same in reverse order.

use core::mem::MaybeUninit;
use core::ptr;

use super::registers::{Kernel, Lanes};
use super::shuffle::stages;
use super::x86::Ymm;
use super::{Batch, Block, StridedRows};

/// Bytes that an iteration may read or write past its own, unless there are as many rows as
/// registers. They belong to later columns. The last iterations go through a buffer.
const SLACK: usize = 16;

/// Buffer size: the bytes of one iteration (32 bytes of each of at most 16 rows) and its slack.
const BUFFER_BYTES: usize = 32 * 16 + SLACK;

/// Blocks whose rows are interleaved in the destination, or whose columns are interleaved in the
/// source.
pub(super) struct Interleave<const W: usize>;

impl<const W: usize> Interleave<W> {
    const fn interleaves(block: &Block) -> bool {
        block.rows * W <= 16
            && block.rows >= 2
            && block.destination.stride_bytes == block.rows * W
            && block.columns >= 32 / W
    }

    const fn deinterleaves(block: &Block) -> bool {
        block.columns * W <= 16
            && block.columns >= 2
            && block.source.stride_bytes == block.columns * W
            && block.rows >= 32 / W
    }
}

/// Byte-shuffle indices of a lane, for each number of rows `n <= p`. A lane has `p` groups of
/// `16 / p / w` words of `w` bytes. With `interleave`, it makes the words of the first `n` groups dense and
/// interleaved. Otherwise the table does the inverse.
const fn tables(p: usize, w: usize, interleave: bool) -> [[u8; 16]; 17] {
    let group = 16 / w / p;
    // An index with its highest bit set gives 0.
    let mut tables = [[0x80; 16]; 17];
    let mut n = 1;
    while n <= p {
        let mut dense = 0;
        while dense < n * group * w {
            let (word, byte) = (dense / w, dense % w);
            let spread = (word % n * group + word / n) * w + byte;
            if interleave {
                tables[n][dense] = spread as u8;
            } else {
                tables[n][spread] = dense as u8;
            }
            dense += 1;
        }
        n += 1;
    }
    tables
}

/// The number of registers `P`, a power of two, for up to `P` rows or columns.
///
/// # Safety
///
/// The CPU supports AVX2, and there are at most `P` rows or columns.
trait RegisterCount {
    const P: usize;

    /// Interleaves 32 bytes of each row. Writes up to [`SLACK`] bytes more if there are fewer than
    /// `P` rows.
    unsafe fn interleave<const W: usize>(
        source: StridedRows<*const u8>,
        rows: usize,
        table: Ymm,
        to: *mut u8,
    );

    /// Deinterleaves 32 bytes of each column. Reads up to [`SLACK`] bytes more if there are fewer
    /// than `P` columns.
    unsafe fn deinterleave<const W: usize>(
        from: *const u8,
        columns: usize,
        table: Ymm,
        destination: StridedRows<*mut u8>,
    );
}

macro_rules! register_count {
    ($name:ident, $p:literal by $w:tt: $($k:literal)*) => {
        struct $name;

        impl RegisterCount for $name {
            const P: usize = $p;

            #[inline(always)]
            unsafe fn interleave<const W: usize>(
                source: StridedRows<*const u8>,
                rows: usize,
                table: Ymm,
                to: *mut u8,
            ) {
                let chunk = rows * (16 / $p);
                // SAFETY: guaranteed by the caller. Missing rows load the first row; their words are
                // dropped. Bytes written past a chunk are overwritten by the next one, or are in the
                // slack.
                unsafe {
                    let r = [$( Ymm::load_all(source.at(if $k < rows { $k } else { 0 }, 0)) ),*];
                    let r = stages!($w, r);
                    let r = [$( if const { W * $p == 16 } { r[$k] } else { r[$k].shuffle(table) } ),*];
                    $( r[$k].store_low(to.wrapping_add($k * chunk)); )*
                    $( r[$k].store_high(to.wrapping_add(($p + $k) * chunk)); )*
                }
            }

            #[inline(always)]
            unsafe fn deinterleave<const W: usize>(
                from: *const u8,
                columns: usize,
                table: Ymm,
                destination: StridedRows<*mut u8>,
            ) {
                let chunk = columns * (16 / $p);
                // SAFETY: guaranteed by the caller: lanes are in these bytes or in the slack.
                unsafe {
                    let r = [$( Ymm::load(from.wrapping_add($k * chunk), $p * chunk) ),*];
                    let r = [$( if const { W * $p == 16 } { r[$k] } else { r[$k].shuffle(table) } ),*];
                    let r = stages!($w, r);
                    $(
                        if $k < columns {
                            r[$k].store(destination.at($k, 0));
                        }
                    )*
                }
            }
        }
    };
}

register_count!(Two, 2 by 8: 0 1);
register_count!(Four, 4 by 4: 0 1 2 3);
register_count!(Eight, 8 by 2: 0 1 2 3 4 5 6 7);
register_count!(Sixteen, 16 by 1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// Interleaves rows.
///
/// # Safety
///
/// That of [`Kernel::run`], for at most `P` rows that are dense in the destination.
#[inline(always)]
unsafe fn interleave<P: RegisterCount, const W: usize>(block: Block) {
    let Block { source, destination, rows, columns, .. } = block;
    let (step, slack) = (32 / W, if rows == P::P { 0 } else { SLACK });
    let at = |column: usize| destination.start.wrapping_add(column * rows * W);
    let mut buffer = MaybeUninit::<[u8; BUFFER_BYTES]>::uninit();
    // SAFETY: a table has 16 bytes and is loaded to both lanes. An iteration takes 32 bytes of each
    // row. What it writes past its own columns is in later ones, or in the buffer.
    unsafe {
        let table = Ymm::load(const { &tables(P::P, W, true) }[rows].as_ptr(), 0);
        let mut column = 0;
        // For few registers, a separate loop without tests is faster. For many, it only adds code.
        while const { P::P < 8 } && column + step + slack <= columns {
            P::interleave::<W>(source.shifted(0, column * W), rows, table, at(column));
            column += step;
        }
        while column < columns {
            // The last iteration overlaps the one before it.
            let first = column.min(columns - step);
            let fits = first + step + slack <= columns;
            let to = if fits { at(first) } else { buffer.as_mut_ptr().cast() };
            P::interleave::<W>(source.shifted(0, first * W), rows, table, to);
            if !fits {
                ptr::copy_nonoverlapping(to, at(first), step * rows * W);
            }
            column += step;
        }
    }
}

/// Deinterleaves columns.
///
/// # Safety
///
/// That of [`Kernel::run`], for at most `P` columns that are dense in the source.
#[inline(always)]
unsafe fn deinterleave<P: RegisterCount, const W: usize>(block: Block) {
    let Block { source, destination, rows, columns, .. } = block;
    let (step, slack) = (32 / W, if columns == P::P { 0 } else { SLACK });
    let at = |row: usize| source.start.wrapping_add(row * columns * W);
    let mut buffer: [u8; BUFFER_BYTES];
    // SAFETY: a table has 16 bytes and is loaded to both lanes. An iteration takes 32 bytes of each
    // column. What it reads past its own rows is in later ones, or in the buffer.
    unsafe {
        let table = Ymm::load(const { &tables(P::P, W, false) }[columns].as_ptr(), 0);
        let mut row = 0;
        while const { P::P < 8 } && row + step + slack <= rows {
            P::deinterleave::<W>(at(row), columns, table, destination.shifted(0, row * W));
            row += step;
        }
        while row < rows {
            let first = row.min(rows - step);
            let mut from = at(first);
            if first + step + slack > rows {
                buffer = [0; BUFFER_BYTES];
                ptr::copy_nonoverlapping(from, buffer.as_mut_ptr(), step * columns * W);
                from = buffer.as_ptr();
            }
            P::deinterleave::<W>(from, columns, table, destination.shifted(0, first * W));
            row += step;
        }
    }
}

impl<const W: usize> Kernel for Interleave<W> {
    type Register = Ymm;

    fn fits(block: &Block) -> bool {
        Self::interleaves(block) || Self::deinterleaves(block)
    }

    #[inline(always)]
    unsafe fn run(batch: &Batch, _stream: bool) {
        macro_rules! every {
            ($registers:ident, $move:ident, $($n:ident: $count:literal)?) => {
                for k in 0..batch.count {
                    let block = Block { $($n: $count,)? ..batch.nth(k) };
                    // SAFETY: guaranteed by the caller, for a block that `fits` accepts.
                    unsafe { $move::<$registers, W>(block) };
                }
            };
        }
        macro_rules! by_count {
            ($n:ident, $move:ident) => {
                // Powers of two have their own instances, with `n` and so the strides as constants in
                // the loops.
                match batch.first.$n {
                    2 => every!(Two, $move, $n: 2),
                    4 if W <= 4 => every!(Four, $move, $n: 4),
                    8 if W <= 2 => every!(Eight, $move, $n: 8),
                    16 if W == 1 => every!(Sixteen, $move, $n: 16),
                    3 if W <= 4 => every!(Four, $move,),
                    5..=7 if W <= 2 => every!(Eight, $move,),
                    9..=15 if W == 1 => every!(Sixteen, $move,),
                    _ => {}
                }
            };
        }
        if Self::interleaves(&batch.first) {
            by_count!(rows, interleave);
        } else {
            by_count!(columns, deinterleave);
        }
    }
}
