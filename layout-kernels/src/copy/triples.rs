//! Three rows that are interleaved, or taken apart, in registers of a cache line: colours and pixels.
//!
//! What is in three registers goes to three others. For each of them one permutation takes words of
//! the first and the second one, and another one adds those of the third one; memory is read and
//! written by whole registers. (28 x 28 pixels of three `f32`: 1.5 times as fast as by
//! [`Narrow`](super::narrow::Narrow).)

use core::arch::x86_64::*;

use super::block::{AHEAD, CACHE_LINE, ask};
use super::lanes::Lanes;
use super::registers::Zmm;
use super::series::{Block, Kernel, Series};

/// Blocks of three dense rows or columns of words of 2, 4 or 8 bytes, as a [`Kernel`].
pub(super) struct Triples<const W: usize>;

/// Where the words of a register come from: a number below `64 / W` for each word of the first
/// register, and a larger one for each of the second. First of two registers, then of what came out
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

    /// Whether rows are interleaved in the destination.
    #[inline(always)]
    fn interleaves(block: &Block) -> bool {
        block.rows == 3 && block.destination.step == 3 * W && block.columns >= Self::WORDS
    }

    /// Whether they are, or columns are interleaved in the source.
    #[inline(always)]
    pub(super) fn fits(block: &Block) -> bool {
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
        Zmm(match W {
            // SAFETY: the caller has the instruction.
            2 => unsafe { _mm512_permutex2var_epi16(a.0, places.0, b.0) },
            // SAFETY: as above.
            4 => unsafe { _mm512_permutex2var_epi32(a.0, places.0, b.0) },
            // SAFETY: as above.
            _ => unsafe { _mm512_permutex2var_epi64(a.0, places.0, b.0) },
        })
    }
}

/// The three numbers of registers in turn.
macro_rules! each_of_three {
    ($k:ident => $value:expr) => {{
        let one = |$k: usize| $value;
        [one(0), one(1), one(2)]
    }};
}

impl<const W: usize> Kernel for Triples<W> {
    /// # Safety
    ///
    /// AVX-512 is there; the blocks [fit](Self::fits).
    #[inline(always)]
    unsafe fn run(series: Series) {
        let block = series.first;
        let together = Self::interleaves(&block);
        let (places, words) = if together {
            (const { &Self::TOGETHER }, block.columns)
        } else {
            (const { &Self::APART }, block.rows)
        };
        let places = each_of_three!(k => {
            // SAFETY: a table has 64 bytes.
            let first = unsafe { Zmm::load_all(places[k][0].as_ptr()) };
            // SAFETY: as above.
            (first, unsafe { Zmm::load_all(places[k][1].as_ptr()) })
        });
        for k in 0..series.count {
            let Block { source, destination, .. } = series.nth(k);
            let mut next = 0;
            while next < words {
                // The last ones together with some before them.
                let word = next.min(words - Self::WORDS);
                let pixels = |k: usize| word * 3 * W + k * CACHE_LINE;
                let r = each_of_three!(k => {
                    let from = if together {
                        source.at(k, word * W)
                    } else {
                        source.start.wrapping_add(pixels(k))
                    };
                    // SAFETY: a register of words of a row, or of pixels.
                    unsafe { Zmm::load_all(from) }
                });
                for (k, (first, second)) in places.into_iter().enumerate() {
                    // SAFETY: the caller has the instructions.
                    let two = unsafe { Self::permuted(r[0], first, r[1]) };
                    // SAFETY: as above.
                    let three = unsafe { Self::permuted(two, second, r[2]) };
                    let to = if together {
                        destination.start.wrapping_add(pixels(k))
                    } else {
                        destination.at(k, word * W)
                    };
                    ask(to.wrapping_add(AHEAD), CACHE_LINE);
                    // SAFETY: a register of pixels, or of words of a column.
                    unsafe { three.store(to) };
                }
                next += Self::WORDS;
            }
        }
    }
}
