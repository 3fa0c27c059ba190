//! Few rows or columns that are dense in one memory: interleaving and its inverse.
//!
//! Words of `W` bytes in `n` rows, 2 to 16 / `W`, that lie in the destination one behind the other,
//! column after column: pixels from planes. With `P` registers, `P` the power of two from `n` on,
//! lane `j` of the rows is transposed as `P` by `P` pieces of 16 / `P` bytes. A lane then has
//! neighbouring columns of all rows, which a shuffle of bytes puts in order and without gaps. The
//! other direction is the same backwards.

use core::mem::MaybeUninit;
use core::ptr;

use super::choice::{Of, Words};
use super::cover::{InOrder, is_in_order};
use super::lanes::Lanes;
use super::quads::Quads;
use super::registers::Ymm;
use super::series::{Block, Every, Kernel, Series};
use super::shuffle::stages;
use super::strip::Strip;
use super::thin::Thin;
use super::triples::Triples;
use super::wide::Wide;

/// Moves blocks of few rows or columns, where there is AVX2; whether they are such.
///
/// # Safety
///
/// As for [`Transposes::blocks`](super::block::Transposes::blocks), with the instructions of `X` and
/// `Y`, which have two lanes or more only if AVX2 is there.
#[inline(always)]
pub(super) unsafe fn narrow<X: Lanes, Y: Lanes, W: Words>(series: Series) -> bool {
    if X::COUNT == 1 {
        return false;
    }
    let block = &series.first;
    macro_rules! wide {
        ($w:literal) => {
            if Wide::<X, $w>::fits(block) {
                // SAFETY: the caller's promise, for a block that is checked.
                unsafe { X::apart(Every::<Wide<X, $w>>::of(series)) };
                true
            } else if Wide::<Y, $w>::fits(block) {
                // SAFETY: as above.
                unsafe { Y::apart(Every::<Wide<Y, $w>>::of(series)) };
                true
            } else {
                false
            }
        };
    }
    macro_rules! thin {
        ($w:literal) => {
            if Thin::<$w>::fits(block) {
                // SAFETY: as above.
                unsafe { Ymm::apart(Every::<Thin<$w>>::of(series)) };
                true
            } else {
                wide!($w)
            }
        };
    }
    macro_rules! narrow {
        ($w:literal, triples $($quads:ident)?) => {
            if const { X::COUNT == 4 } && Triples::<$w>::fits(block) {
                // SAFETY: the caller's promise, for a block that is checked.
                unsafe { X::apart(Every::<Triples<$w>>::of(series)) };
                true
            } else {
                narrow!($w $(, $quads)?)
            }
        };
        ($w:literal, quads) => {
            if const { X::COUNT == 4 } && is_in_order::<Of<$w>, Quads<$w>>(block) {
                // SAFETY: the caller's promise, for a block that is checked.
                unsafe { X::apart(Every::<InOrder<X, Of<$w>, Quads<$w>, false>>::of(series)) };
                true
            } else {
                narrow!($w)
            }
        };
        ($w:literal) => {
            if Narrow::<$w>::interleaves(block) || Narrow::<$w>::deinterleaves(block) {
                // SAFETY: the caller's promise, for a block that is checked.
                unsafe { Ymm::apart(Every::<Narrow<$w>>::of(series)) };
                true
            } else {
                thin!($w)
            }
        };
    }
    match W::BYTES {
        1 => narrow!(1, quads),
        2 => narrow!(2, triples quads),
        4 => narrow!(4, triples quads),
        8 => narrow!(8, triples),
        _ => false,
    }
}

/// Bytes that a step may read or write behind its own, unless there are as many rows as registers.
/// They belong to later columns; the last steps go by way of a memory.
const SLACK: usize = 16;

/// The most bytes of a step, of 32 bytes of each row, and what it may reach.
const ROOM: usize = 32 * 16 + SLACK;

/// Blocks with dense columns of the destination, or dense rows of the source, as a [`Kernel`].
pub(super) struct Narrow<const W: usize>;

impl<const W: usize> Narrow<W> {
    /// Whether rows are interleaved in the destination.
    #[inline(always)]
    pub(super) fn interleaves(block: &Block) -> bool {
        block.rows * W <= 16
            && block.rows >= 2
            && block.destination.step == block.rows * W
            && block.columns >= 32 / W
    }

    /// Whether columns are interleaved in the source.
    #[inline(always)]
    pub(super) fn deinterleaves(block: &Block) -> bool {
        block.columns * W <= 16
            && block.columns >= 2
            && block.source.step == block.columns * W
            && block.rows >= 32 / W
    }
}

/// For each number `n` of words up to `p`, and each byte of a lane, the one that comes there; `n` of
/// `p` words of `w` bytes in each of `16 / p / w` groups are taken together, or, if not `together`,
/// taken apart.
const fn tables(p: usize, w: usize, together: bool) -> [[u8; 16]; 17] {
    let group = 16 / w / p;
    // What has its highest bit set becomes 0.
    let mut tables = [[0x80; 16]; 17];
    let mut n = 1;
    while n <= p {
        let mut at = 0;
        while at < n * group * w {
            let (word, byte) = (at / w, at % w);
            let (i, k) = (word / n, word % n);
            let (dense, apart) = (at, (k * group + i) * w + byte);
            if together {
                tables[n][dense] = apart as u8;
            } else {
                tables[n][apart] = dense as u8;
            }
            at += 1;
        }
        n += 1;
    }
    tables
}

/// A power of two, up to which rows are transposed as so many registers.
trait Power {
    const P: usize;

    /// Interleaves 32 bytes of each row.
    ///
    /// # Safety
    ///
    /// AVX2 is there. Rows have these bytes, there are at most `P` of them, and what they have
    /// together and [`SLACK`], if there are fewer, can be written at `to`.
    unsafe fn together<const W: usize>(
        source: Strip<*const u8>,
        rows: usize,
        table: Ymm,
        to: *mut u8,
    );

    /// Takes columns apart, 32 bytes of each.
    ///
    /// # Safety
    ///
    /// AVX2 is there. Columns have room for these bytes, there are at most `P` of them, and what
    /// they have together and [`SLACK`], if there are fewer, can be read at `from`.
    unsafe fn apart<const W: usize>(
        from: *const u8,
        columns: usize,
        table: Ymm,
        destination: Strip<*mut u8>,
    );
}

macro_rules! power {
    ($name:ident, $p:literal by $w:tt: $($k:literal)*) => {
        struct $name;

        impl Power for $name {
            const P: usize = $p;

            #[inline(always)]
            unsafe fn together<const W: usize>(
                source: Strip<*const u8>,
                rows: usize,
                table: Ymm,
                to: *mut u8,
            ) {
                let chunk = rows * (16 / $p);
                let r = [$(
                    // Where there is no such row the first one, whose words are dropped.
                    // SAFETY: 32 bytes of words of the row.
                    unsafe { Ymm::load_all(source.at(if $k < rows { $k } else { 0 }, 0)) },
                )*];
                let r = stages!($w, r);
                let r = [$(
                    // SAFETY: the caller has the instruction.
                    if W * $p == 16 { r[$k] } else { unsafe { r[$k].shuffle(table) } },
                )*];
                $(
                    // SAFETY: 16 bytes of these; what is behind their end is written again next.
                    unsafe { r[$k].store_low(to.wrapping_add($k * chunk)) };
                )*
                $(
                    // SAFETY: as above, or into the slack.
                    unsafe { r[$k].store_high(to.wrapping_add(($p + $k) * chunk)) };
                )*
            }

            #[inline(always)]
            unsafe fn apart<const W: usize>(
                from: *const u8,
                columns: usize,
                table: Ymm,
                destination: Strip<*mut u8>,
            ) {
                let chunk = columns * (16 / $p);
                let r = [$(
                    // SAFETY: 16 bytes for each lane, of these or of the slack.
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
                        unsafe { r[$k].store(destination.at($k, 0)) };
                    }
                )*
            }
        }
    };
}

power!(Two, 2 by 8: 0 1);
power!(Four, 4 by 4: 0 1 2 3);
power!(Eight, 8 by 2: 0 1 2 3 4 5 6 7);
power!(Sixteen, 16 by 1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// Interleaves rows.
///
/// # Safety
///
/// That of [`Narrow`]'s `run`, for at most `P` rows that interleave.
#[inline(always)]
unsafe fn interleave<P: Power, const W: usize>(block: Block) {
    let Block { source, destination, rows, columns, .. } = block;
    let table = const { &tables(P::P, W, true) }[rows];
    // SAFETY: the table has 16 bytes, read for both lanes.
    let table = unsafe { Ymm::load(table.as_ptr(), 0) };
    let (step, slack) = (32 / W, if rows == P::P { 0 } else { SLACK });
    let at = |column: usize| destination.start.wrapping_add(column * rows * W);
    let mut column = 0;
    while column + step + slack <= columns {
        // SAFETY: a step, behind which there are other columns that are written later.
        unsafe { P::together::<W>(source.shifted(0, column * W), rows, table, at(column)) };
        column += step;
    }
    let mut room = MaybeUninit::<[u8; ROOM]>::uninit();
    while column < columns {
        // Together with some before them, if they are fewer than in a step.
        let first = column.min(columns - step);
        column += step;
        if slack == 0 {
            // SAFETY: a step, which reaches nothing behind it.
            unsafe { P::together::<W>(source.shifted(0, first * W), rows, table, at(first)) };
            continue;
        }
        let to = room.as_mut_ptr().cast();
        // SAFETY: a step, for which there is room with what is behind it.
        unsafe { P::together::<W>(source.shifted(0, first * W), rows, table, to) };
        // SAFETY: the columns of the step, which were just written.
        unsafe { ptr::copy_nonoverlapping(to, at(first), step * rows * W) };
    }
}

/// Takes columns apart.
///
/// # Safety
///
/// That of [`Narrow`]'s `run`, for at most `P` columns that are interleaved.
#[inline(always)]
unsafe fn deinterleave<P: Power, const W: usize>(block: Block) {
    let Block { source, destination, rows, columns, .. } = block;
    let table = const { &tables(P::P, W, false) }[columns];
    // SAFETY: the table has 16 bytes, read for both lanes.
    let table = unsafe { Ymm::load(table.as_ptr(), 0) };
    let (step, slack) = (32 / W, if columns == P::P { 0 } else { SLACK });
    let at = |row: usize| source.start.wrapping_add(row * columns * W);
    let mut row = 0;
    while row + step + slack <= rows {
        // SAFETY: a step, behind which there are other rows.
        unsafe { P::apart::<W>(at(row), columns, table, destination.shifted(0, row * W)) };
        row += step;
    }
    while row < rows {
        // Together with some before them, if they are fewer than in a step.
        let first = row.min(rows - step);
        row += step;
        let to = destination.shifted(0, first * W);
        if slack == 0 {
            // SAFETY: a step, which reaches nothing behind it.
            unsafe { P::apart::<W>(at(first), columns, table, to) };
            continue;
        }
        let mut room = [0; ROOM];
        // SAFETY: the rows of a step, for which there is room.
        unsafe { ptr::copy_nonoverlapping(at(first), room.as_mut_ptr(), step * columns * W) };
        // SAFETY: a step, and there is room behind it.
        unsafe { P::apart::<W>(room.as_ptr(), columns, table, to) };
    }
}

impl<const W: usize> Kernel for Narrow<W> {
    /// # Safety
    ///
    /// AVX2 is there; the blocks are such that this interleaves or deinterleaves.
    #[inline(always)]
    unsafe fn run(series: Series) {
        macro_rules! every {
            ($power:ident, $move:ident, $($n:ident: $count:literal)?) => {
                for k in 0..series.count {
                    let block = Block { $($n: $count,)? ..series.nth(k) };
                    // SAFETY: the caller's promise, of so many.
                    unsafe { $move::<$power, W>(block) };
                }
            };
        }
        macro_rules! by_power {
            ($n:ident, $move:ident) => {
                // Powers of two are said again, so that distances are constants in the loops.
                match series.first.$n {
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
        if Self::interleaves(&series.first) {
            by_power!(rows, interleave);
        } else {
            by_power!(columns, deinterleave);
        }
    }
}
