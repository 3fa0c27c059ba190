//! `Linear`: a part of an operand with a constant stride along each mode, and how it is packed into
//! panels.

use core::array;
use core::mem::MaybeUninit;

use crate::copy::Loop;
use crate::gemm::kernel::words::Operand;
use crate::gemm::pack::words::copy_words;
use crate::gemm::pointer::{read, write};
use crate::simd::Level;
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// Rows of the conversion buffer, and words in each.
const BUFFER_ROWS: usize = 16;
const BUFFER_WORDS: usize = 32;

/// A block with a constant stride along each mode, in one panel or more.
pub(crate) struct Linear<O: Operand> {
    pub(crate) level: Level,
    pub(crate) from: *const O::Element,
    pub(crate) to: *mut O::Word,
    pub(crate) width: usize,
    pub(crate) panel_stride: usize,
    pub(crate) panels: usize,
    /// Coordinates in a panel, and their stride in elements.
    pub(crate) count: usize,
    pub(crate) stride: usize,
    /// Words along K, the elements in each, and the stride of these elements. All words are whole,
    /// unless there is only one.
    pub(crate) words: usize,
    pub(crate) elements: usize,
    pub(crate) element_stride: usize,
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
        if !O::IS_WORD || depth > 1 && (self.element_stride != 1 || self.elements < depth) {
            for p in 0..self.panels {
                // In bounds: the first element of this panel, and its word.
                let from = self.from.wrapping_add(p * self.count * self.stride);
                let panel = Self { from, to: self.to.wrapping_add(p * self.panel_stride), ..*self };
                // SAFETY: guaranteed by the caller.
                unsafe { panel.convert() };
            }
            return;
        }
        let (from, to) = (self.from.cast::<u8>(), self.to.cast::<u8>());
        let axis = |extent, source: usize, destination: usize| Loop {
            extent,
            source: source * element,
            destination: destination * word,
        };
        let panels = axis(self.panels, self.count * self.stride, self.panel_stride);
        let steps = axis(self.words, self.element_stride * depth, self.width);
        let rows = axis(self.count, self.stride, 1);
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
    unsafe fn convert(&self) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let is_whole = self.elements == O::DEPTH;
            if is_whole && (self.element_stride, self.count > 1, self.words > 1) == (1, true, true)
            {
                self.convert_and_transpose();
            } else if self.stride == 1 {
                // Passed as a literal, so that the stride is a constant in the loops.
                self.one_by_one(1);
            } else {
                self.one_by_one(self.stride);
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
    unsafe fn convert_and_transpose(&self) {
        let depth = O::DEPTH;
        let mut rows = [[MaybeUninit::<O::Word>::uninit(); BUFFER_WORDS]; BUFFER_ROWS];
        for i in (0..self.count).step_by(BUFFER_ROWS) {
            let height = BUFFER_ROWS.min(self.count - i);
            for k in (0..self.words).step_by(BUFFER_WORDS) {
                let words = BUFFER_WORDS.min(self.words - k);
                for (row, words_of_row) in rows[..height].iter_mut().enumerate() {
                    // SAFETY: the first element of this part of a row.
                    let from = unsafe { self.from.add((i + row) * self.stride + k * depth) };
                    // SAFETY: the elements of these words are contiguous and in the block.
                    unsafe { O::words(from, words_of_row.as_mut_ptr().cast(), words) };
                }
                // SAFETY: row `k` of the panel has a word for this coordinate.
                let to = unsafe { self.to.add(k * self.width + i) };
                let word = const { size_of::<O::Word>() };
                let block = Block {
                    source: StridedRows {
                        start: rows.as_ptr().cast(),
                        stride_bytes: BUFFER_WORDS * word,
                    },
                    destination: StridedRows { start: to.cast(), stride_bytes: self.width * word },
                    rows: height,
                    columns: words,
                    word,
                    total_bytes: 0,
                };
                // SAFETY: all words of the block are initialised, and the panel does not overlap
                // them.
                unsafe { transpose(self.level, &Batch::one(block)) };
            }
        }
    }

    /// Packs element by element.
    ///
    /// # Safety
    ///
    /// Same as [`Pack`](super::panels::Pack).
    #[inline(always)]
    unsafe fn one_by_one(&self, stride: usize) {
        // SAFETY: guaranteed by the caller. The number of elements in a word is a constant in the
        // loops.
        unsafe {
            match self.elements {
                1 if O::DEPTH == 1 && stride == 1 => self.rows(),
                1 => self.words::<1>(stride),
                2 if O::DEPTH >= 2 => self.words::<2>(stride),
                3 if O::DEPTH >= 3 => self.words::<3>(stride),
                4 if O::DEPTH >= 4 => self.words::<4>(stride),
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
            let (from, to) = (
                self.from.wrapping_add(k * self.element_stride),
                self.to.wrapping_add(k * self.width),
            );
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
    unsafe fn words<const N: usize>(&self, stride: usize) {
        for k in 0..self.words {
            for i in 0..self.count {
                let first = k * O::DEPTH * self.element_stride + i * stride;
                // SAFETY: elements of the block.
                let elements: [_; N] =
                    array::from_fn(|e| unsafe { read(self.from, first + e * self.element_stride) });
                // SAFETY: a word of the panel.
                unsafe { write(self.to, k * self.width + i, O::word(&elements)) };
            }
        }
    }
}
