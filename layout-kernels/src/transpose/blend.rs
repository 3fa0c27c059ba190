//! AVX-512 tiles of 2- and 4-byte words with few shuffles.
//!
//! CPUs with a single execution unit for 64-byte shuffles (Intel) are limited by shuffles. They have
//! two units for blends and for insertion from memory. A transposition exchanges each bit of the row
//! index with a bit of the column index. For words of 4 bytes, only two of the four stages here are
//! shuffles:
//!
//! * halves: a register is loaded as 32 bytes of one row and 32 bytes of another;
//! * pairs of words are shuffled, and every second register swaps the words of each pair;
//! * words: `(x0, x1)` and `(y1, y0)` are blended to `(x0, y0)` and `(y1, x1)`;
//! * lanes are shuffled, and swapped pairs are swapped back.

use core::arch::x86_64::*;

use super::StridedRows;
use super::registers::Lanes;
use super::shuffle::{Tile, store};
use super::x86::Zmm;

/// The tile of words of `W` bytes (2 or 4). It has as many rows as a register has words, and 32 bytes
/// per row.
pub(super) struct BlendTile<const W: usize>;

/// Loads 32 bytes from each of two rows.
///
/// # Safety
///
/// They can be read, and the CPU supports AVX-512.
#[inline(always)]
unsafe fn halves(first: *const u8, second: *const u8) -> __m512 {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let first = _mm512_castps256_ps512(_mm256_loadu_ps(first.cast()));
        _mm512_insertf32x8::<1>(first, _mm256_loadu_ps(second.cast()))
    }
}

/// Transposes 16 rows of 8 words of 4 bytes. Register `k` holds row `8 * (k / 4) + k % 4` in its
/// lower half, and the fourth row after that in its upper half.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn transposed(r: [__m512; 8]) -> [Zmm; 8] {
    // In each lane, the lower pairs of words of `a` and `b`, and the upper pairs.
    let pairs = |a, b| (_mm512_shuffle_ps::<0x44>(a, b), _mm512_shuffle_ps::<0xee>(a, b));
    // The same, with the words of each pair swapped.
    let swapped = |a, b| (_mm512_shuffle_ps::<0x11>(a, b), _mm512_shuffle_ps::<0xbb>(a, b));
    let ((a0, a2), (b0, b2)) = (pairs(r[0], r[2]), swapped(r[1], r[3]));
    let ((c0, c2), (d0, d2)) = (pairs(r[4], r[6]), swapped(r[5], r[7]));
    let first = |x, y| _mm512_mask_mov_ps(x, 0xaaaa, y);
    let second = |x, y| _mm512_mask_mov_ps(x, 0x5555, y);
    // The first and third lanes of both, and the second and fourth ones.
    let lanes = |a, b| (_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b));
    let back = |a, b| {
        let even = _mm512_setr_epi32(1, 0, 3, 2, 9, 8, 11, 10, 17, 16, 19, 18, 25, 24, 27, 26);
        let odd = _mm512_setr_epi32(5, 4, 7, 6, 13, 12, 15, 14, 21, 20, 23, 22, 29, 28, 31, 30);
        (_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b))
    };
    let (column0, column4) = lanes(first(a0, b0), first(c0, d0));
    let (column1, column5) = back(second(a0, b0), second(c0, d0));
    let (column2, column6) = lanes(first(a2, b2), first(c2, d2));
    let (column3, column7) = back(second(a2, b2), second(c2, d2));
    [column0, column1, column2, column3, column4, column5, column6, column7]
        .map(|column| Zmm(_mm512_castps_si512(column)))
}

/// Interleaves words of 2 bytes of `a` and `b` within each lane: the lower halves, and the upper
/// halves.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn interleaved(a: __m512, b: __m512) -> (__m512, __m512) {
    let (a, b) = (_mm512_castps_si512(a), _mm512_castps_si512(b));
    let (low, high) = (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b));
    (_mm512_castsi512_ps(low), _mm512_castsi512_ps(high))
}

impl Tile for BlendTile<4> {
    const ROWS: usize = 16;
    const COLUMNS: usize = 8;
    const WORD: usize = 4;

    #[inline(always)]
    unsafe fn tile(
        source: StridedRows<*const u8>,
        destination: StridedRows<*mut u8>,
        stream: bool,
    ) {
        macro_rules! tile {
            ($($k:literal)*) => {
                // SAFETY: guaranteed by the caller: 32 bytes of 16 rows, 64 bytes of 8 columns.
                unsafe {
                    let rows = source.fours::<4>();
                    let r = [$( halves(rows.at(8 * ($k / 4) + $k % 4), rows.at(8 * ($k / 4) + 4 + $k % 4)) ),*];
                    let r = transposed(r);
                    let columns = destination.fours::<2>();
                    store!(stream, $( r[$k], columns.at($k); )*);
                }
            };
        }
        tile!(0 1 2 3 4 5 6 7);
    }
}

impl Tile for BlendTile<2> {
    const ROWS: usize = 32;
    const COLUMNS: usize = 16;
    const WORD: usize = 2;

    #[inline(always)]
    unsafe fn tile(
        source: StridedRows<*const u8>,
        destination: StridedRows<*mut u8>,
        stream: bool,
    ) {
        // Two adjacent rows are interleaved into rows of pairs: `low` for columns 0 to 3 and 8 to 11,
        // `high` for the others.
        macro_rules! tile {
            ($($k:literal)*) => {
                // SAFETY: guaranteed by the caller: 32 bytes of 32 rows, 64 bytes of 16 columns.
                unsafe {
                    let rows = source.fours::<8>();
                    let columns = destination.fours::<4>();
                    let r = [$( {
                        let row = 16 * ($k / 4) + 2 * ($k % 4);
                        let a = halves(rows.at(row), rows.at(row + 8));
                        interleaved(a, halves(rows.at(row + 1), rows.at(row + 9)))
                    } ),*];
                    let low = transposed([$( r[$k].0 ),*]);
                    store!(stream, $( low[$k], columns.at(8 * ($k / 4) + $k % 4); )*);
                    let high = transposed([$( r[$k].1 ),*]);
                    store!(stream, $( high[$k], columns.at(8 * ($k / 4) + $k % 4 + 4); )*);
                }
            };
        }
        tile!(0 1 2 3 4 5 6 7);
    }
}
