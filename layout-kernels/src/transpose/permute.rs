//! AVX-512 permutations of words: three rows or columns (colour planes and pixels), and columns of 16
//! bytes (channels in groups).

use core::arch::x86_64::*;

use super::registers::{Kernel, Lanes};
use super::shuffle::{Tile, store};
use super::x86::Zmm;
use super::{Batch, Block, CACHE_LINE, PREFETCH_DISTANCE, StridedRows, prefetch_bytes};

/// Blocks of three dense rows or columns of words of 2, 4 or 8 bytes.
///
/// Three registers are permuted into three others. Each result takes two permutations: one selects
/// words of the first and second register, the other adds those of the third. All loads and stores
/// are whole registers. (28 x 28 pixels of three `f32`: 1.5 times as fast as
/// [`Interleave`](super::interleave::Interleave).)
pub(super) struct PermuteThree<const W: usize>;

/// Permutation indices for the words of a register: below `64 / W` for words of the first operand,
/// from there on for words of the second. `[0]` combines the first two registers, `[1]` the result
/// with the third.
type Indices = [[u8; CACHE_LINE]; 2];

impl<const W: usize> PermuteThree<W> {
    /// Words per register.
    const WORDS: usize = CACHE_LINE / W;

    /// Indices that interleave three rows into three registers of pixels.
    const INTERLEAVE: [Indices; 3] =
        [Self::indices(0, true), Self::indices(1, true), Self::indices(2, true)];

    /// Indices that deinterleave three registers of pixels into three rows.
    const DEINTERLEAVE: [Indices; 3] =
        [Self::indices(0, false), Self::indices(1, false), Self::indices(2, false)];

    const fn indices(register: usize, interleaves: bool) -> Indices {
        let mut indices = [[0; CACHE_LINE]; 2];
        let mut word = 0;
        while word < Self::WORDS {
            // The register that this word comes from, and its index there.
            let (from, number) = if interleaves {
                let at = register * Self::WORDS + word;
                (at % 3, at / 3)
            } else {
                let at = word * 3 + register;
                (at / Self::WORDS, at % Self::WORDS)
            };
            // The index goes into the lowest byte of a word. The others stay zero.
            indices[0][word * W] = (number + if from == 1 { Self::WORDS } else { 0 }) as u8;
            indices[1][word * W] = if from == 2 { Self::WORDS + number } else { word } as u8;
            word += 1;
        }
        indices
    }

    const fn interleaves(block: &Block) -> bool {
        block.rows == 3 && block.destination.stride_bytes == 3 * W && block.columns >= Self::WORDS
    }

    /// Selects words of `a` and `b` by the indices in `indices`.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX-512.
    #[inline(always)]
    unsafe fn permuted(a: Zmm, indices: Zmm, b: Zmm) -> Zmm {
        // SAFETY: guaranteed by the caller.
        unsafe {
            Zmm(match W {
                2 => _mm512_permutex2var_epi16(a.0, indices.0, b.0),
                4 => _mm512_permutex2var_epi32(a.0, indices.0, b.0),
                _ => _mm512_permutex2var_epi64(a.0, indices.0, b.0),
            })
        }
    }
}

/// Evaluates an expression for each of three registers.
macro_rules! each_of_three {
    ($k:ident => $value:expr) => {{
        let one = |$k: usize| $value;
        [one(0), one(1), one(2)]
    }};
}

impl<const W: usize> Kernel for PermuteThree<W> {
    type Register = Zmm;

    fn fits(block: &Block) -> bool {
        let deinterleaves =
            block.columns == 3 && block.source.stride_bytes == 3 * W && block.rows >= Self::WORDS;
        deinterleaves || Self::interleaves(block)
    }

    #[inline(always)]
    unsafe fn run(batch: &Batch, _stream: bool) {
        let interleaves = Self::interleaves(&batch.first);
        let (indices, words) = if interleaves {
            (const { &Self::INTERLEAVE }, batch.first.columns)
        } else {
            (const { &Self::DEINTERLEAVE }, batch.first.rows)
        };
        // SAFETY: guaranteed by the caller: whole registers of a row, of a column, or of pixels. A
        // table has 64 bytes.
        unsafe {
            let indices = each_of_three!(k => {
                (Zmm::load_all(indices[k][0].as_ptr()), Zmm::load_all(indices[k][1].as_ptr()))
            });
            for k in 0..batch.count {
                let Block { source, destination, .. } = batch.nth(k);
                let mut next = 0;
                while next < words {
                    // The last iteration overlaps the one before it.
                    let word = next.min(words - Self::WORDS);
                    let pixels = |k: usize| word * 3 * W + k * CACHE_LINE;
                    let r = each_of_three!(k => Zmm::load_all(if interleaves {
                        source.at(k, word * W)
                    } else {
                        source.start.wrapping_add(pixels(k))
                    }));
                    for (k, (first, second)) in indices.into_iter().enumerate() {
                        let two = Self::permuted(r[0], first, r[1]);
                        let three = Self::permuted(two, second, r[2]);
                        let to = if interleaves {
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

/// The tile of 16 bytes by 16 bytes of words of `W` bytes (1, 2 or 4) whose columns are dense in the
/// destination, such as 16 channels of bytes.
///
/// The lanes of a register are loaded from four rows. Unpacking brings the words of adjacent rows
/// together into groups of 4 bytes of one column. One permutation of these groups then completes four
/// columns, which are stored as one register. (16 rows of `u8` from L2: 1.5 times as fast as storing
/// each lane separately.)
pub(super) struct PermuteTile<const W: usize>;

/// Registers with the words of all rows, each for four columns. For use in an `unsafe` block.
macro_rules! columns {
    (1, $r:ident) => {{
        // Rows 0 and 2, and rows 1 and 3; then all four.
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

macro_rules! permute_tile {
    ($w:tt: $($k:literal)*) => {
        impl Tile for PermuteTile<$w> {
            const ROWS: usize = 16 / $w;
            const COLUMNS: usize = 16 / $w;
            const WORD: usize = $w;

            #[inline(always)]
            unsafe fn tile(
                source: StridedRows<*const u8>,
                destination: StridedRows<*mut u8>,
                stream: bool,
            ) {
                // SAFETY: guaranteed by the caller: 16 bytes of each of four rows, and four columns.
                unsafe {
                    let r = [$( Zmm::load(source.at($k, 0), 4 / $w * source.stride_bytes).0 ),*];
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

permute_tile!(1: 0 1 2 3);
permute_tile!(2: 0 1);
permute_tile!(4: 0);
