//! Few rows or columns with gaps between them: pairs of words, and columns that are stored as whole
//! registers which the next column overwrites in part.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::cover::InBands;
use super::portable::move_bytes;
use super::registers::{Kernel, Lanes, Xmm};
use super::shuffle::{Shuffled, stages};
use super::{Batch, Block, FIRST_CACHE_BYTES, PREFETCH_DISTANCE};
use crate::simd::prefetch;

/// Blocks of two, three or five rows, or two or three columns, with AVX2.
///
/// Two words that are neighbours in one memory move there as one: half as many loads, or stores, as
/// words. Of an odd number of rows the last but one moves twice, with each of its neighbours.
pub(super) struct Pairs<const W: usize>;

impl<const W: usize> Pairs<W> {
    /// The words of a register.
    const WORDS: usize = 16 / W;

    /// The first rows of the pairs of `n` rows.
    #[inline(always)]
    fn pairs(n: usize) -> impl Iterator<Item = usize> {
        (0..n.div_ceil(2)).map(move |pair| (2 * pair).min(n - 2))
    }

    pub(super) const fn fits(block: &Block) -> bool {
        // Tiles of four rows of 8 bytes are faster than three pairs.
        let few_rows = matches!(block.rows, 2 | 3) || block.rows == 5 && W < 8;
        few_rows && block.columns >= Self::WORDS
            || matches!(block.columns, 2 | 3)
                && block.rows >= Self::WORDS
                // Of three bytes of each of 16 rows the second one would be stored twice.
                && (W > 1 || block.columns == 2)
    }
}

/// A pair of words in a register, as what is stored; in an `unsafe` block.
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

/// A register that starts with a pair of words; in an `unsafe` block.
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
            /// Moves a block of `ROWS` rows.
            ///
            /// # Safety
            ///
            /// That of [`Kernel::run`], with a register of columns.
            #[inline(always)]
            unsafe fn together<const ROWS: usize>(block: Block) {
                let Block { source, destination, columns, .. } = block;
                let mut next = 0;
                while next < columns {
                    // The last ones together with some before them.
                    let column = next.min(columns - Self::WORDS);
                    let (from, to) = (source.at(0, column * $w), destination.at(column, 0));
                    for row in Self::pairs(ROWS) {
                        let from = from.wrapping_add(row * source.step);
                        let to = |column: usize| {
                            to.wrapping_add(column * destination.step + row * $w).cast::<$pair>()
                        };
                        // SAFETY: the precondition: registers of words of two rows, and both words
                        // of each column.
                        unsafe {
                            let a = Xmm::load_all(from);
                            let b = Xmm::load_all(from.wrapping_add(source.step));
                            let (low, high) = (a.low::<$w>(b).0, a.high::<$w>(b).0);
                            $( to($half).write_unaligned(pair!($w, low, $half)); )*
                            $( to(8 / $w + $half).write_unaligned(pair!($w, high, $half)); )*
                        }
                    }
                    next += Self::WORDS;
                }
            }

            /// Moves a block of `COLUMNS` columns.
            ///
            /// # Safety
            ///
            /// That of [`Kernel::run`], with a register of rows.
            #[inline(always)]
            unsafe fn apart<const COLUMNS: usize>(block: Block) {
                let Block { source, destination, rows, .. } = block;
                let mut next = 0;
                while next < rows {
                    let row = next.min(rows - Self::WORDS);
                    let (from, to) = (source.at(row, 0), destination.at(0, row * $w));
                    for column in Self::pairs(COLUMNS) {
                        // SAFETY: the precondition: both words of each row, and registers of words
                        // of two columns.
                        unsafe {
                            let r = [$( {
                                let from = from.wrapping_add($k * source.step + column * $w);
                                Xmm(register!($w, from.cast::<$pair>().read_unaligned()))
                            } ),*];
                            let r = stages!($w, r);
                            let to = to.wrapping_add(column * destination.step);
                            r[0].store(to);
                            r[1].store(to.wrapping_add(destination.step));
                        }
                    }
                    next += Self::WORDS;
                }
            }
        }

        impl Kernel for Pairs<$w> {
            #[inline(always)]
            unsafe fn run(batch: &Batch, _stream: bool) {
                macro_rules! every {
                    ($move:ident, $n:literal) => {
                        for k in 0..batch.count {
                            // SAFETY: the precondition, for so many rows or columns.
                            unsafe { Self::$move::<$n>(batch.nth(k)) };
                        }
                    };
                }
                match (batch.first.rows, batch.first.columns) {
                    (2, Self::WORDS..) => every!(together, 2),
                    (3, Self::WORDS..) => every!(together, 3),
                    (5, Self::WORDS..) => every!(together, 5),
                    (_, 2) => every!(apart, 2),
                    _ => every!(apart, 3),
                }
            }
        }
    };
}

pairs!(1 in u16: 0 1 2 3 4 5 6 7; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
pairs!(2 in i32: 0 1 2 3; 0 1 2 3 4 5 6 7);
pairs!(4 in i64: 0 1; 0 1 2 3);
pairs!(8 in __m128i: 0; 0 1);

/// Blocks whose rows are dense in the destination, as [`Interleave`](super::interleave::Interleave)
/// has them, but with columns of more than a lane: pixels of three numbers of 8 bytes, say.
///
/// A column is less than a register, so that the rows are transposed as a tile that lacks some.
/// Each column is stored as a whole register, and the next one overwrites the rest.
pub(super) struct Overlapped<V, const W: usize>(PhantomData<V>);

impl<V: Lanes, const W: usize> Overlapped<V, W> {
    /// Whether a column fills more than half of a register, and not all of it, and there are
    /// enough for the last ones, which go another way, not to matter.
    pub(super) const fn fits(block: &Block) -> bool {
        let bytes = block.rows * W;
        bytes > V::BYTES / 2
            && bytes < V::BYTES
            && block.destination.step == bytes
            && block.columns >= 4 * 16 / W
    }
}

macro_rules! overlapped {
    ($w:tt: $($k:literal)*) => {
        impl<V: Lanes> Kernel for Overlapped<V, $w> {
            #[inline(always)]
            unsafe fn run(batch: &Batch, _stream: bool) {
                const LANE: usize = 16 / $w;
                for k in 0..batch.count {
                    let block = batch.nth(k);
                    let Block { source, destination, rows, columns, .. } = block;
                    let bytes = rows * $w;
                    // Where there is no row the first one, whose words another column replaces.
                    let row = |k: usize| if k < rows { k * source.step } else { 0 };
                    let lanes = [$(
                        [row($k), row(LANE + $k), row(2 * LANE + $k), row(3 * LANE + $k)]
                    ),*];
                    // The columns that a register reaches behind its own.
                    let behind = (V::BYTES - bytes).div_ceil(bytes);
                    let mut next = 0;
                    while next + LANE + behind <= columns {
                        let (from, to) = (source.at(0, next * $w), destination.at(next, 0));
                        // SAFETY: the precondition: a lane of words of each row; registers that
                        // start in a column and end in one that is written later.
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
                    // Without room behind them the last columns go by tiles of a lane, together
                    // with some before them if they are fewer.
                    let first = next.min(columns - LANE);
                    let rest = Block {
                        source: source.shifted(0, first * $w),
                        destination: destination.shifted(first, 0),
                        columns: columns - first,
                        ..block
                    };
                    // SAFETY: a part of the block that has room for a tile, because a column is
                    // longer than a lane.
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

/// Blocks of words of a lane, moved one by one: nothing is shuffled, and a register that is put
/// together of four of them wins only where lines of the destination come from farther than the
/// first cache.
pub(super) struct Lanewise;

impl Lanewise {
    pub(super) const fn fits(block: &Block) -> bool {
        block.rows < 4 || block.total_bytes <= FIRST_CACHE_BYTES
    }

    /// Moves `ROWS` rows from `row` on.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::run`]; the block has these rows.
    #[inline(always)]
    unsafe fn rows<const ROWS: usize>(block: &Block, row: usize) {
        let (mut from, mut to) = (block.source.at(row, 0), block.destination.at(0, row * 16));
        let ahead = PREFETCH_DISTANCE.max(8 * block.destination.step);
        for _ in 0..block.columns {
            if block.total_bytes > FIRST_CACHE_BYTES {
                prefetch(to.wrapping_add(ahead));
            }
            for row in 0..ROWS {
                let from = from.wrapping_add(row * block.source.step);
                // SAFETY: a word of the block.
                unsafe { move_bytes::<16>(from, to.wrapping_add(row * 16)) };
            }
            from = from.wrapping_add(16);
            to = to.wrapping_add(block.destination.step);
        }
    }
}

impl Kernel for Lanewise {
    #[inline(always)]
    unsafe fn run(batch: &Batch, _stream: bool) {
        let height = batch.first.rows;
        for k in 0..batch.count {
            let block = batch.nth(k);
            // SAFETY: the precondition, for rows that the block has.
            unsafe {
                match height {
                    0 => {}
                    1 => Self::rows::<1>(&block, 0),
                    2 => Self::rows::<2>(&block, 0),
                    3 => Self::rows::<3>(&block, 0),
                    _ => {
                        for next in (0..height).step_by(4) {
                            // The last ones together with some before them.
                            Self::rows::<4>(&block, next.min(height - 4));
                        }
                    }
                }
            }
        }
    }
}
