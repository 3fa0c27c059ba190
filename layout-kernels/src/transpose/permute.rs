//! AVX-512 permutations of words: three rows or columns (colours and pixels), and rows whose words
//! are 16 bytes together (channels in groups).

use core::arch::x86_64::*;

use super::registers::{Kernel, Lanes, Zmm};
use super::shuffle::{Tile, store};
use super::{Batch, Block, CACHE_LINE, PREFETCH_DISTANCE, StridedRows, prefetch_bytes};

/// Blocks of three dense rows or columns of words of 2, 4 or 8 bytes.
///
/// The contents of three registers go to three others. For each of them one permutation takes words
/// of the first and the second one, and another one adds those of the third one; memory is read and
/// written by whole registers. (28 x 28 pixels of three `f32`: 1.5 times as fast as by
/// [`Interleave`](super::interleave::Interleave).)
pub(super) struct Triples<const W: usize>;

/// Where the words of a register come from: a number below `64 / W` for each word of the first
/// register, and a larger one for each of the second. First of two registers, then of the result
/// and the third one.
type Places = [[u8; CACHE_LINE]; 2];

impl<const W: usize> Triples<W> {
    /// The words of a register.
    const WORDS: usize = CACHE_LINE / W;

    /// For three rows that are interleaved, the places of three registers of pixels.
    const TOGETHER: [Places; 3] =
        [Self::places(0, true), Self::places(1, true), Self::places(2, true)];

    /// For three registers of pixels, the places of three rows.
    const APART: [Places; 3] =
        [Self::places(0, false), Self::places(1, false), Self::places(2, false)];

    const fn places(register: usize, together: bool) -> Places {
        let mut places = [[0; CACHE_LINE]; 2];
        let mut word = 0;
        while word < Self::WORDS {
            // The register that this word comes from, and its number there.
            let (from, number) = if together {
                let at = register * Self::WORDS + word;
                (at % 3, at / 3)
            } else {
                let at = word * 3 + register;
                (at / Self::WORDS, at % Self::WORDS)
            };
            // The lowest byte of a word; the others stay zero.
            places[0][word * W] = (number + if from == 1 { Self::WORDS } else { 0 }) as u8;
            places[1][word * W] = if from == 2 { Self::WORDS + number } else { word } as u8;
            word += 1;
        }
        places
    }

    const fn interleaves(block: &Block) -> bool {
        block.rows == 3 && block.destination.step == 3 * W && block.columns >= Self::WORDS
    }

    pub(super) const fn fits(block: &Block) -> bool {
        let deinterleaves =
            block.columns == 3 && block.source.step == 3 * W && block.rows >= Self::WORDS;
        deinterleaves || Self::interleaves(block)
    }

    /// The words of both that `places` numbers.
    ///
    /// # Safety
    ///
    /// AVX-512 is there.
    #[inline(always)]
    unsafe fn permuted(a: Zmm, places: Zmm, b: Zmm) -> Zmm {
        // SAFETY: the precondition.
        unsafe {
            Zmm(match W {
                2 => _mm512_permutex2var_epi16(a.0, places.0, b.0),
                4 => _mm512_permutex2var_epi32(a.0, places.0, b.0),
                _ => _mm512_permutex2var_epi64(a.0, places.0, b.0),
            })
        }
    }
}

/// The values for the numbers of three registers.
macro_rules! each_of_three {
    ($k:ident => $value:expr) => {{
        let one = |$k: usize| $value;
        [one(0), one(1), one(2)]
    }};
}

impl<const W: usize> Kernel for Triples<W> {
    #[inline(always)]
    unsafe fn run(batch: &Batch, _stream: bool) {
        let together = Self::interleaves(&batch.first);
        let (places, words) = if together {
            (const { &Self::TOGETHER }, batch.first.columns)
        } else {
            (const { &Self::APART }, batch.first.rows)
        };
        // SAFETY: the precondition: registers of words of a row, of a column, or of pixels; a
        // table has 64 bytes.
        unsafe {
            let places = each_of_three!(k => {
                (Zmm::load_all(places[k][0].as_ptr()), Zmm::load_all(places[k][1].as_ptr()))
            });
            for k in 0..batch.count {
                let Block { source, destination, .. } = batch.nth(k);
                let mut next = 0;
                while next < words {
                    // The last ones together with some before them.
                    let word = next.min(words - Self::WORDS);
                    let pixels = |k: usize| word * 3 * W + k * CACHE_LINE;
                    let r = each_of_three!(k => Zmm::load_all(if together {
                        source.at(k, word * W)
                    } else {
                        source.start.wrapping_add(pixels(k))
                    }));
                    for (k, (first, second)) in places.into_iter().enumerate() {
                        let two = Self::permuted(r[0], first, r[1]);
                        let three = Self::permuted(two, second, r[2]);
                        let to = if together {
                            destination.start.wrapping_add(pixels(k))
                        } else {
                            destination.at(k, word * W)
                        };
                        prefetch_bytes(to.wrapping_add(PREFETCH_DISTANCE), CACHE_LINE);
                        three.store(to);
                    }
                    next += Self::WORDS;
                }
            }
        }
    }
}

/// The tile of 16 bytes by 16 bytes of words of `W` bytes, 1, 2 or 4, whose columns follow each
/// other in the destination: 16 channels of bytes, say.
///
/// The lanes of a register are loaded from four rows. Registers are interleaved until the words of
/// rows that follow each other are 4 bytes of one column; one permutation of such fours then brings
/// those of a column together, and a register has four columns to store. (16 rows of `u8` from the
/// second cache: 1.5 times as fast as lanes that are stored one by one.)
pub(super) struct Quads<const W: usize>;

/// The registers of all rows, each with four columns; in an `unsafe` block.
macro_rules! columns {
    (1, $r:ident) => {{
        // Rows 0 and 2, and rows 1 and 3: then all four.
        let (a, b) = (_mm512_unpacklo_epi8($r[0], $r[2]), _mm512_unpackhi_epi8($r[0], $r[2]));
        let (c, d) = (_mm512_unpacklo_epi8($r[1], $r[3]), _mm512_unpackhi_epi8($r[1], $r[3]));
        [
            _mm512_unpacklo_epi8(a, c),
            _mm512_unpackhi_epi8(a, c),
            _mm512_unpacklo_epi8(b, d),
            _mm512_unpackhi_epi8(b, d),
        ]
    }};
    (2, $r:ident) => {
        [_mm512_unpacklo_epi16($r[0], $r[1]), _mm512_unpackhi_epi16($r[0], $r[1])]
    };
    (4, $r:ident) => {
        $r
    };
}

macro_rules! quads {
    ($w:tt: $($k:literal)*) => {
        impl Tile for Quads<$w> {
            const ROWS: usize = 16 / $w;
            const COLUMNS: usize = 16 / $w;
            const WORD: usize = $w;

            #[inline(always)]
            unsafe fn tile(
                source: StridedRows<*const u8>,
                destination: StridedRows<*mut u8>,
                stream: bool,
            ) {
                // SAFETY: the precondition: 16 bytes of each of four rows, and four columns.
                unsafe {
                    let r = [$( Zmm::load(source.at($k, 0), 4 / $w * source.step).0 ),*];
                    let r = columns!($w, r);
                    let order =
                        _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
                    store!(
                        stream,
                        $(
                            Zmm(_mm512_permutexvar_epi32(order, r[$k])),
                            destination.at(4 * $k, 0);
                        )*
                    );
                }
            }
        }
    };
}

quads!(1: 0 1 2 3);
quads!(2: 0 1);
quads!(4: 0);
