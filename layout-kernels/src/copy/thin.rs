//! Two, three or five rows, or two or three columns, with gaps between what they are in: pairs of
//! words.
//!
//! Two words that are neighbours in one memory move there as one: half as many loads, or stores, as
//! words. Of an odd number of rows the last but one moves twice, with each of its neighbours.

use core::arch::x86_64::*;

use super::lanes::Lanes;
use super::registers::Xmm;
use super::series::{Block, Kernel, Series};
use super::shuffle::stages;

/// Blocks of few rows or columns, as a [`Kernel`].
pub(super) struct Thin<const W: usize>;

impl<const W: usize> Thin<W> {
    /// The words of a register.
    const WORDS: usize = 16 / W;

    /// The first rows of the pairs of `n` rows.
    #[inline(always)]
    fn pairs(n: usize) -> impl Iterator<Item = usize> {
        (0..n.div_ceil(2)).map(move |pair| (2 * pair).min(n - 2))
    }

    /// Whether there are few rows or columns, and a register of what the others are.
    #[inline(always)]
    pub(super) fn fits(block: &Block) -> bool {
        // Tiles of four rows of 8 bytes are faster than three pairs.
        let few_rows = matches!(block.rows, 2 | 3) || block.rows == 5 && W < 8;
        few_rows && block.columns >= Self::WORDS
            || matches!(block.columns, 2 | 3)
                && block.rows >= Self::WORDS
                // Of three bytes of each of 16 rows the second one would be in the way twice.
                && (W > 1 || block.columns == 2)
    }
}

/// A pair of words of `$w` bytes in a register, as what is stored.
macro_rules! pair {
    (8, $r:expr, $k:literal) => {
        $r
    };
    ($w:tt, $r:expr, $k:literal) => {
        // SAFETY: the caller has the instruction.
        unsafe { pair!(@$w $r, $k) }
    };
    (@1 $r:expr, $k:literal) => {
        _mm_extract_epi16::<$k>($r) as u16
    };
    (@2 $r:expr, $k:literal) => {
        _mm_extract_epi32::<$k>($r)
    };
    (@4 $r:expr, $k:literal) => {
        _mm_extract_epi64::<$k>($r)
    };
}

/// A register that starts with a pair of words of `$w` bytes.
macro_rules! register {
    (8, $pair:expr) => {
        $pair
    };
    ($w:tt, $pair:expr) => {
        // SAFETY: x86-64 has the instruction.
        unsafe { register!(@$w $pair) }
    };
    (@1 $pair:expr) => {
        _mm_cvtsi32_si128(i32::from($pair))
    };
    (@2 $pair:expr) => {
        _mm_cvtsi32_si128($pair)
    };
    (@4 $pair:expr) => {
        _mm_cvtsi64_si128($pair)
    };
}

macro_rules! thin {
    ($w:tt in $pair:ty: $($half:literal)*; $($k:literal)*) => {
        impl Thin<$w> {
            /// Moves `ROWS` rows.
            ///
            /// # Safety
            ///
            /// AVX2 is there; the block has these rows, and a register of columns; each of its
            /// words can be read in the source and written in the destination, and the two do not
            /// overlap.
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
                        // SAFETY: a register of words of a row.
                        let a = unsafe { Xmm::load_all(from) };
                        // SAFETY: and of the next one.
                        let b = unsafe { Xmm::load_all(from.wrapping_add(source.step)) };
                        // SAFETY: x86-64 has the instruction.
                        let (low, high) = (unsafe { a.low::<$w>(b) }, unsafe { a.high::<$w>(b) });
                        let to = |column: usize| {
                            to.wrapping_add(column * destination.step + row * $w).cast::<$pair>()
                        };
                        $(
                            let pair = pair!($w, low.0, $half);
                            // SAFETY: both words of a column.
                            unsafe { to($half).write_unaligned(pair) };
                        )*
                        $(
                            let pair = pair!($w, high.0, $half);
                            // SAFETY: both words of a column.
                            unsafe { to(8 / $w + $half).write_unaligned(pair) };
                        )*
                    }
                    next += Self::WORDS;
                }
            }

            /// Moves `COLUMNS` columns.
            ///
            /// # Safety
            ///
            /// As for [`together`](Self::together), with these columns, and a register of rows.
            #[inline(always)]
            unsafe fn apart<const COLUMNS: usize>(block: Block) {
                let Block { source, destination, rows, .. } = block;
                let mut next = 0;
                while next < rows {
                    let row = next.min(rows - Self::WORDS);
                    let (from, to) = (source.at(row, 0), destination.at(0, row * $w));
                    for column in Self::pairs(COLUMNS) {
                        let r = [$( {
                            let from = from.wrapping_add($k * source.step + column * $w);
                            // SAFETY: both words of a row.
                            let pair = unsafe { from.cast::<$pair>().read_unaligned() };
                            Xmm(register!($w, pair))
                        } ),*];
                        let r = stages!($w, r);
                        let to = to.wrapping_add(column * destination.step);
                        // SAFETY: a register of words of a column.
                        unsafe { r[0].store(to) };
                        // SAFETY: and of the next one.
                        unsafe { r[1].store(to.wrapping_add(destination.step)) };
                    }
                    next += Self::WORDS;
                }
            }
        }

        impl Kernel for Thin<$w> {
            /// # Safety
            ///
            /// AVX2 is there; the blocks [fit](Self::fits).
            #[inline(always)]
            unsafe fn run(series: Series) {
                macro_rules! every {
                    ($move:ident, $n:literal) => {
                        for k in 0..series.count {
                            // SAFETY: the caller's promise, of so many.
                            unsafe { Self::$move::<$n>(series.nth(k)) };
                        }
                    };
                }
                match (series.first.rows, series.first.columns) {
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

thin!(1 in u16: 0 1 2 3 4 5 6 7; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
thin!(2 in i32: 0 1 2 3; 0 1 2 3 4 5 6 7);
thin!(4 in i64: 0 1; 0 1 2 3);
thin!(8 in __m128i: 0; 0 1);
