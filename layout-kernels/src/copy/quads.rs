//! Tiles for AVX-512 of rows whose words are 16 bytes together, and follow each other in the
//! destination: 16 channels of bytes, say.
//!
//! The lanes of a register are loaded from four rows. Registers are interleaved until the words of
//! rows that follow each other are 4 bytes of one column; one permutation of such fours then brings
//! those of a column together, and a register has four columns to store. (16 rows of `u8` from the
//! second cache: 1.5 times as fast as lanes that are stored one by one.)

use core::arch::x86_64::*;

use super::lanes::Lanes;
use super::registers::Zmm;
use super::shuffle::{Tile, store};
use super::strip::Strip;

/// The tile of 16 bytes by 16 bytes of words of `W` bytes, 1, 2 or 4, whose columns follow each
/// other in the destination.
pub(super) struct Quads<const W: usize>;

/// What is interleaved of both: words from the lower halves of lanes, and from the upper halves.
macro_rules! interleaved {
    ($low:ident, $high:ident: $a:expr, $b:expr) => {
        // SAFETY: the caller has the instructions.
        (unsafe { $low($a, $b) }, unsafe { $high($a, $b) })
    };
}

/// The registers of all rows, each with four columns.
macro_rules! columns {
    (1, $r:ident) => {{
        // Rows 0 and 2, and rows 1 and 3: then all four.
        let (a, b) = interleaved!(_mm512_unpacklo_epi8, _mm512_unpackhi_epi8: $r[0], $r[2]);
        let (c, d) = interleaved!(_mm512_unpacklo_epi8, _mm512_unpackhi_epi8: $r[1], $r[3]);
        let (e, f) = interleaved!(_mm512_unpacklo_epi8, _mm512_unpackhi_epi8: a, c);
        let (g, h) = interleaved!(_mm512_unpacklo_epi8, _mm512_unpackhi_epi8: b, d);
        [e, f, g, h]
    }};
    (2, $r:ident) => {{
        let (a, b) = interleaved!(_mm512_unpacklo_epi16, _mm512_unpackhi_epi16: $r[0], $r[1]);
        [a, b]
    }};
    (4, $r:ident) => {
        $r
    };
}

macro_rules! quads {
    ($w:tt: $($k:literal)*) => {
        impl Tile for Quads<$w> {
            const ROWS: usize = 16 / $w;
            const COLUMNS: usize = 16 / $w;

            #[inline(always)]
            unsafe fn tile<const STREAM: bool>(
                source: Strip<*const u8>,
                destination: Strip<*mut u8>,
            ) {
                let r = [$(
                    // SAFETY: 16 bytes of each of four rows of the tile.
                    unsafe { Zmm::load(source.at($k, 0), 4 / $w * source.step) }.0,
                )*];
                let r = columns!($w, r);
                // SAFETY: the caller has the instructions.
                let order = unsafe {
                    _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
                };
                $(
                    // SAFETY: as above.
                    let columns = Zmm(unsafe { _mm512_permutexvar_epi32(order, r[$k]) });
                    store!(columns, destination.at(4 * $k, 0));
                )*
            }
        }
    };
}

quads!(1: 0 1 2 3);
quads!(2: 0 1);
quads!(4: 0);
