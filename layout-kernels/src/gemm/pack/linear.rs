//! `Linear`: a part of an operand with a constant stride along each mode, and how it is packed into
//! panels.

use core::array;
use core::mem::MaybeUninit;

use crate::copy::Loop;
use crate::gemm::kernel::words::Operand;
use crate::gemm::pack::words::copy_words;
use crate::gemm::place::{read, write};
use crate::simd::Level;
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// Rows of the conversion buffer, and words in each.
const MADE_ROWS: usize = 16;
const MADE_WORDS: usize = 32;

/// A block with a constant stride along each mode, in one panel or more.
pub(crate) struct Linear<O: Operand> {
    pub(crate) level: Level,
    pub(crate) from: *const O::Element,
    pub(crate) to: *mut O::Word,
    pub(crate) width: usize,
    pub(crate) next: usize,
    pub(crate) panels: usize,
    /// Coordinates in a panel, and their stride in elements.
    pub(crate) count: usize,
    pub(crate) distance: usize,
    /// Words along K, the elements in each, and the stride of these elements. All words are whole,
    /// unless there is only one.
    pub(crate) words: usize,
    pub(crate) elements: usize,
    pub(crate) step: usize,
}

impl<O: Operand> Linear<O> {
    /// Packs the block.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack).
    #[inline(always)]
    pub(crate) unsafe fn copy(&self) {
        let (depth, element) = (O::DEPTH, const { size_of::<O::Element>() });
        let word = const { size_of::<O::Word>() };
        if !O::IS_WORD || depth > 1 && (self.step != 1 || self.elements < depth) {
            for p in 0..self.panels {
                // In bounds: the first element of this panel, and its word.
                let from = self.from.wrapping_add(p * self.count * self.distance);
                let panel = Self { from, to: self.to.wrapping_add(p * self.next), ..*self };
                // SAFETY: guaranteed by the caller.
                unsafe { panel.make() };
            }
            return;
        }
        let (from, to) = (self.from.cast::<u8>(), self.to.cast::<u8>());
        let axis = |extent, source: usize, destination: usize| Loop {
            extent,
            source: source * element,
            destination: destination * word,
        };
        let panels = axis(self.panels, self.count * self.distance, self.next);
        let steps = axis(self.words, self.step * depth, self.width);
        let rows = axis(self.count, self.distance, 1);
        // SAFETY: guaranteed by the caller. The loops stay within the words of both memories, which
        // do not overlap.
        unsafe { copy_words(self.level, word, [panels, steps, rows], from, to) };
    }

    /// [`copy`](Self::copy) of one panel whose elements are not words in memory.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack).
    #[inline(always)]
    unsafe fn make(&self) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let is_whole = self.elements == O::DEPTH;
            if is_whole && (self.step, self.count > 1, self.words > 1) == (1, true, true) {
                self.made();
            } else if self.distance == 1 {
                // Passed as a literal, so that the stride is a constant in the loops.
                self.one_by_one(1);
            } else {
                self.one_by_one(self.distance);
            }
        }
    }

    /// Converts elements that are contiguous along K to words: first into a buffer of rows, with
    /// vector instructions; then transposes the buffer into the panel.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack), and the elements of a word must be contiguous along
    /// K.
    #[inline(always)]
    unsafe fn made(&self) {
        let depth = O::DEPTH;
        let mut rows = [[MaybeUninit::<O::Word>::uninit(); MADE_WORDS]; MADE_ROWS];
        for i in (0..self.count).step_by(MADE_ROWS) {
            let height = MADE_ROWS.min(self.count - i);
            for k in (0..self.words).step_by(MADE_WORDS) {
                let words = MADE_WORDS.min(self.words - k);
                for (row, made) in rows[..height].iter_mut().enumerate() {
                    // SAFETY: the first element of this part of a row.
                    let from = unsafe { self.from.add((i + row) * self.distance + k * depth) };
                    // SAFETY: the elements of these words are contiguous and in the block.
                    unsafe { O::words(from, made.as_mut_ptr().cast(), words) };
                }
                // SAFETY: row `k` of the panel has a word for this coordinate.
                let to = unsafe { self.to.add(k * self.width + i) };
                let word = const { size_of::<O::Word>() };
                let made = Block {
                    source: StridedRows { start: rows.as_ptr().cast(), step: MADE_WORDS * word },
                    destination: StridedRows { start: to.cast(), step: self.width * word },
                    rows: height,
                    columns: words,
                    word,
                    total_bytes: 0,
                };
                // SAFETY: all words of the block are initialised, and the panel does not overlap
                // them.
                unsafe { transpose(self.level, &Batch::one(made)) };
            }
        }
    }

    /// Packs element by element.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack).
    #[inline(always)]
    unsafe fn one_by_one(&self, distance: usize) {
        // SAFETY: guaranteed by the caller. The number of elements in a word is a constant in the
        // loops.
        unsafe {
            match self.elements {
                1 if O::DEPTH == 1 && distance == 1 => self.rows(),
                1 => self.words::<1>(distance),
                2 if O::DEPTH >= 2 => self.words::<2>(distance),
                3 if O::DEPTH >= 3 => self.words::<3>(distance),
                4 if O::DEPTH >= 4 => self.words::<4>(distance),
                _ => unreachable!("a word has at most as many elements"),
            }
        }
    }

    /// Packs words of one element that are contiguous in both memories.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack).
    #[inline(always)]
    unsafe fn rows(&self) {
        for k in 0..self.words {
            // In bounds: the first element of a row, and its word.
            let (from, to) =
                (self.from.wrapping_add(k * self.step), self.to.wrapping_add(k * self.width));
            // SAFETY: guaranteed by the caller.
            unsafe { O::words(from, to, self.count) };
        }
    }

    /// Packs words of `N` elements.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack), for words of `N` elements.
    #[inline(always)]
    unsafe fn words<const N: usize>(&self, distance: usize) {
        for k in 0..self.words {
            for i in 0..self.count {
                let first = k * O::DEPTH * self.step + i * distance;
                // SAFETY: elements of the block.
                let elements: [_; N] =
                    array::from_fn(|e| unsafe { read(self.from, first + e * self.step) });
                // SAFETY: a word of the panel.
                unsafe { write(self.to, k * self.width + i, O::word(&elements)) };
            }
        }
    }
}
