//! Few rows or columns with gaps between them: pairs of words, and columns that are stored as whole
//! registers whose excess the next column overwrites.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::cover::InBands;
use super::portable::move_bytes;
use super::registers::{Kernel, Lanes};
use super::shuffle::{Shuffled, stages};
use super::x86::{Xmm, Ymm};
use super::{Batch, Block, L1_COPY_BYTES, PREFETCH_DISTANCE};
use crate::simd::prefetch;

/// Blocks of two, three or five rows, or two or three columns, with AVX2.
///
/// Two words that are adjacent in one memory are moved there as one. This halves the number of loads
/// or stores. If the number of rows is odd, the second to last row is moved twice, once with each
/// neighbour.
pub(super) struct Pairs<const W: usize>;

impl<const W: usize> Pairs<W> {
    /// Words per 16-byte register.
    const WORDS: usize = 16 / W;

    /// First row of each pair of `n` rows.
    #[inline(always)]
    fn pairs(n: usize) -> impl Iterator<Item = usize> {
        (0..n.div_ceil(2)).map(move |pair| (2 * pair).min(n - 2))
    }
}

/// The pair of words with index `$k` of a register, in the type that is stored. For use in an
/// `unsafe` block.
macro_rules! pair {
    (1, $r:expr, $k:literal) => {
        _mm_extract_epi16::<$k>($r) as u16
    };
    (2, $r:expr, $k:literal) => {
        _mm_extract_epi32::<$k>($r)
    };
    (4, $r:expr, $k:literal) => {
        _mm_extract_epi64::<$k>($r)
    };
    (8, $r:expr, $k:literal) => {
        $r
    };
}

/// A register whose lowest words are a pair. For use in an `unsafe` block.
macro_rules! register {
    (1, $pair:expr) => {
        _mm_cvtsi32_si128(i32::from($pair))
    };
    (2, $pair:expr) => {
        _mm_cvtsi32_si128($pair)
    };
    (4, $pair:expr) => {
        _mm_cvtsi64_si128($pair)
    };
    (8, $pair:expr) => {
        $pair
    };
}

macro_rules! pairs {
    ($w:tt in $pair:ty: $($half:literal)*; $($k:literal)*) => {
        impl Pairs<$w> {
            /// Interleaves the `ROWS` rows of a block.
            ///
            /// # Safety
            ///
            /// That of [`Kernel::run`]. The block has at least `WORDS` columns.
            #[inline(always)]
            unsafe fn interleave<const ROWS: usize>(block: Block) {
                let Block { source, destination, columns, .. } = block;
                let mut next = 0;
                while next < columns {
                    // The last iteration overlaps the one before it.
                    let column = next.min(columns - Self::WORDS);
                    let (from, to) = (source.at(0, column * $w), destination.at(column, 0));
                    for row in Self::pairs(ROWS) {
                        let from = from.wrapping_add(row * source.stride_bytes);
                        let to = |column: usize| {
                            to.wrapping_add(column * destination.stride_bytes + row * $w)
                                .cast::<$pair>()
                        };
                        // SAFETY: guaranteed by the caller: whole registers of two rows, and both
                        // words of each column.
                        unsafe {
                            let a = Xmm::load_all(from);
                            let b = Xmm::load_all(from.wrapping_add(source.stride_bytes));
                            let (low, high) = (a.low::<$w>(b).0, a.high::<$w>(b).0);
                            $( to($half).write_unaligned(pair!($w, low, $half)); )*
                            $( to(8 / $w + $half).write_unaligned(pair!($w, high, $half)); )*
                        }
                    }
                    next += Self::WORDS;
                }
            }

            /// Deinterleaves the `COLUMNS` columns of a block.
            ///
            /// # Safety
            ///
            /// That of [`Kernel::run`]. The block has at least `WORDS` rows.
            #[inline(always)]
            unsafe fn deinterleave<const COLUMNS: usize>(block: Block) {
                let Block { source, destination, rows, .. } = block;
                let mut next = 0;
                while next < rows {
                    let row = next.min(rows - Self::WORDS);
                    let (from, to) = (source.at(row, 0), destination.at(0, row * $w));
                    for column in Self::pairs(COLUMNS) {
                        // SAFETY: guaranteed by the caller: both words of each row, and whole
                        // registers of two columns.
                        unsafe {
                            let r = [$( {
                                let from = from.wrapping_add($k * source.stride_bytes + column * $w);
                                Xmm(register!($w, from.cast::<$pair>().read_unaligned()))
                            } ),*];
                            let r = stages!($w, r);
                            let to = to.wrapping_add(column * destination.stride_bytes);
                            r[0].store(to);
                            r[1].store(to.wrapping_add(destination.stride_bytes));
                        }
                    }
                    next += Self::WORDS;
                }
            }
        }

        impl Kernel for Pairs<$w> {
            type Register = Ymm;

            fn fits(block: &Block) -> bool {
                // For words of 8 bytes, tiles of four rows are faster than three pairs.
                let few_rows = matches!(block.rows, 2 | 3) || block.rows == 5 && $w < 8;
                few_rows && block.columns >= Self::WORDS
                    || matches!(block.columns, 2 | 3)
                        && block.rows >= Self::WORDS
                        // With three columns of bytes, the middle byte of each of 16 rows would be
                        // stored twice.
                        && ($w > 1 || block.columns == 2)
            }

            #[inline(always)]
            unsafe fn run(batch: &Batch, _stream: bool) {
                macro_rules! every {
                    ($move:ident, $n:literal) => {
                        for k in 0..batch.count {
                            // SAFETY: guaranteed by the caller, for this number of rows or columns.
                            unsafe { Self::$move::<$n>(batch.nth(k)) };
                        }
                    };
                }
                match (batch.first.rows, batch.first.columns) {
                    (2, Self::WORDS..) => every!(interleave, 2),
                    (3, Self::WORDS..) => every!(interleave, 3),
                    (5, Self::WORDS..) => every!(interleave, 5),
                    (_, 2) => every!(deinterleave, 2),
                    _ => every!(deinterleave, 3),
                }
            }
        }
    };
}

pairs!(1 in u16: 0 1 2 3 4 5 6 7; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
pairs!(2 in i32: 0 1 2 3; 0 1 2 3 4 5 6 7);
pairs!(4 in i64: 0 1; 0 1 2 3);
pairs!(8 in __m128i: 0; 0 1);

/// Blocks whose rows are dense in the destination, as for
/// [`Interleave`](super::interleave::Interleave), but with columns of more than a 16-byte lane, such
/// as pixels of three 8-byte numbers.
///
/// A column is shorter than a register, so the rows are transposed as a tile with missing rows. Each
/// column is stored as a whole register, and the next column overwrites the excess.
pub(super) struct Overlapped<V, const W: usize>(PhantomData<V>);

macro_rules! overlapped {
    ($w:tt: $($k:literal)*) => {
        impl<V: Lanes> Kernel for Overlapped<V, $w> {
            type Register = V;

            /// Whether a column fills more than half of a register but not all of it. Also requires
            /// enough columns to outweigh the slower path of the last ones.
            fn fits(block: &Block) -> bool {
                let bytes = block.rows * $w;
                bytes > V::BYTES / 2
                    && bytes < V::BYTES
                    && block.destination.stride_bytes == bytes
                    && block.columns >= 4 * 16 / $w
            }

            #[inline(always)]
            unsafe fn run(batch: &Batch, _stream: bool) {
                const LANE: usize = 16 / $w;
                for k in 0..batch.count {
                    let block = batch.nth(k);
                    let Block { source, destination, rows, columns, .. } = block;
                    let bytes = rows * $w;
                    // Missing rows load row 0. The next column overwrites their words.
                    let row = |k: usize| if k < rows { k * source.stride_bytes } else { 0 };
                    let lanes = [$(
                        [row($k), row(LANE + $k), row(2 * LANE + $k), row(3 * LANE + $k)]
                    ),*];
                    // Number of later columns that the store of a whole register reaches into.
                    let behind = (V::BYTES - bytes).div_ceil(bytes);
                    let mut next = 0;
                    while next + LANE + behind <= columns {
                        let (from, to) = (source.at(0, next * $w), destination.at(next, 0));
                        // SAFETY: guaranteed by the caller: a lane of words of each row. Each stored
                        // register starts in its column and ends in one that is written later.
                        unsafe {
                            let r = [$( V::load_at(from, lanes[$k]) ),*];
                            let r = stages!($w, r);
                            $(
                                r[$k].store(to.wrapping_add($k * bytes));
                                prefetch(to.wrapping_add($k * bytes + PREFETCH_DISTANCE));
                            )*
                        }
                        next += LANE;
                    }
                    // The last columns have no room after them. They use tiles of one lane, with some
                    // columns before them if they are fewer.
                    let first = next.min(columns - LANE);
                    let rest = Block {
                        source: source.shifted(0, first * $w),
                        destination: destination.shifted(first, 0),
                        columns: columns - first,
                        ..block
                    };
                    // SAFETY: part of the block, with room for a tile: a column is longer than a
                    // lane.
                    unsafe { Xmm::call::<InBands<Xmm, Shuffled<Xmm, $w, 1>>>(&Batch::one(rest), false) };
                }
            }
        }
    };
}

overlapped!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
overlapped!(2: 0 1 2 3 4 5 6 7);
overlapped!(4: 0 1 2 3);
overlapped!(8: 0 1);

/// Blocks of 16-byte words (one lane), moved one by one. They need no shuffles. Building a register
/// from four of them pays only if the destination lines are not in L1.
pub(super) struct WordCopy16;

impl WordCopy16 {
    /// Moves `ROWS` rows, starting at `row`.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::run`]. The block has these rows.
    #[inline(always)]
    unsafe fn rows<const ROWS: usize>(block: &Block, row: usize) {
        let (mut from, mut to) = (block.source.at(row, 0), block.destination.at(0, row * 16));
        let ahead = PREFETCH_DISTANCE.max(8 * block.destination.stride_bytes);
        for _ in 0..block.columns {
            if block.total_bytes > L1_COPY_BYTES {
                prefetch(to.wrapping_add(ahead));
            }
            for row in 0..ROWS {
                let from = from.wrapping_add(row * block.source.stride_bytes);
                // SAFETY: a word of the block.
                unsafe { move_bytes::<16>(from, to.wrapping_add(row * 16)) };
            }
            from = from.wrapping_add(16);
            to = to.wrapping_add(block.destination.stride_bytes);
        }
    }
}

impl Kernel for WordCopy16 {
    type Register = Xmm;

    fn fits(block: &Block) -> bool {
        block.rows < 4 || block.total_bytes <= L1_COPY_BYTES
    }

    #[inline(always)]
    unsafe fn run(batch: &Batch, _stream: bool) {
        let height = batch.first.rows;
        for k in 0..batch.count {
            let block = batch.nth(k);
            // SAFETY: guaranteed by the caller, for rows of the block.
            unsafe {
                match height {
                    0 => {}
                    1 => Self::rows::<1>(&block, 0),
                    2 => Self::rows::<2>(&block, 0),
                    3 => Self::rows::<3>(&block, 0),
                    _ => {
                        for next in (0..height).step_by(4) {
                            // The last iteration overlaps the one before it.
                            Self::rows::<4>(&block, next.min(height - 4));
                        }
                    }
                }
            }
        }
    }
}
