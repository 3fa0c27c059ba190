//! `Linear`: a part of an operand with one distance along each mode, as it is moved into panels.

use core::mem::MaybeUninit;
use core::slice;

use crate::gemm::kernel::words::Operand;
use crate::gemm::pack::panels::MAX_DEPTH;
use crate::gemm::place::{read, write};
use crate::simd::vector::Vector;
use crate::simd::{Level, prefetch};
use crate::transpose::tiles;

/// Bytes from a piece of a row to one that is asked for: what the next panels are made of. There are
/// too many rows for a processor to see that each is read on.
const ROW_AHEAD: usize = 256;
/// Rows, and words of each, that are made before they are transposed.
const MADE_ROWS: usize = 16;
const MADE_WORDS: usize = 32;

/// A block with one distance along each mode, in one panel or more.
pub(crate) struct Linear<O: Operand> {
    pub(crate) level: Level,
    pub(crate) from: *const O::Element,
    pub(crate) to: *mut O::Word,
    pub(crate) width: usize,
    pub(crate) next: usize,
    pub(crate) panels: usize,
    /// Coordinates in a panel, and their distance.
    pub(crate) count: usize,
    pub(crate) distance: usize,
    /// Whole words along K, and the distance of steps.
    pub(crate) words: usize,
    pub(crate) step: usize,
}

impl<O: Operand> Linear<O> {
    /// # Safety
    ///
    /// As [`Pack`](super::panels::Pack).
    #[inline(always)]
    pub(crate) unsafe fn copy(&self) {
        for p in 0..self.panels {
            // Wrapping, but the first element of this panel, and its word.
            let from = self.from.wrapping_add(p * self.count * self.distance);
            let panel = Self { from, to: self.to.wrapping_add(p * self.next), ..*self };
            // SAFETY: as required here.
            unsafe { panel.fill() };
        }
    }

    /// [`copy`](Self::copy) for one panel.
    ///
    /// # Safety
    ///
    /// As [`Pack`](super::panels::Pack).
    #[inline(always)]
    unsafe fn fill(&self) {
        let depth = O::DEPTH;
        let bytes = const { size_of::<O::Element>() };
        let word = const { size_of::<O::Word>() };
        let is_word = O::IS_WORD && (depth == 1 || self.step == 1);
        let aligned = (self.distance * bytes).is_multiple_of(word);
        if is_word && (self.count == 1 || self.distance == depth) {
            // Panels of A are narrow: as many words as a tile has rows.
            match self.count {
                // SAFETY: words that are neighbours in both.
                8 => unsafe { self.pieces::<8>() },
                // SAFETY: words that are neighbours in both.
                6 => unsafe { self.pieces::<6>() },
                // SAFETY: words that are neighbours in both.
                4 => unsafe { self.pieces::<4>() },
                // SAFETY: words that are neighbours in both.
                _ => unsafe { self.rows() },
            }
        } else if is_word && self.step == 1 && aligned && self.words > 1 {
            let step = self.distance * bytes / word;
            // SAFETY: rows of words that are neighbours along K; the panel is another place.
            unsafe { self.transpose(self.from.cast(), step, self.to, self.count, self.words) };
        } else if const { !O::IS_WORD || O::DEPTH > 1 }
            && (self.step, self.count > 1, self.words > 1) == (1, true, true)
        {
            // SAFETY: as required here; elements are neighbours along K.
            unsafe { self.made() };
        } else if self.distance == 1 {
            // Said again, so that the distance is a constant in the loops.
            // SAFETY: as required here.
            unsafe { self.elements(1) };
        } else {
            // SAFETY: as required here.
            unsafe { self.elements(self.distance) };
        }
    }

    /// Words that elements along K are made into: first in rows, where many are made at once, and
    /// then transposed.
    ///
    /// # Safety
    ///
    /// As [`Pack`](super::panels::Pack), for elements that are neighbours along K.
    #[inline(always)]
    unsafe fn made(&self) {
        let depth = O::DEPTH;
        let mut rows = [[MaybeUninit::<O::Word>::uninit(); MADE_WORDS]; MADE_ROWS];
        for i in (0..self.count).step_by(MADE_ROWS) {
            let height = MADE_ROWS.min(self.count - i);
            for k in (0..self.words).step_by(MADE_WORDS) {
                let words = MADE_WORDS.min(self.words - k);
                for (row, made) in rows[..height].iter_mut().enumerate() {
                    // SAFETY: the first element of this piece of a row.
                    let from = unsafe { self.from.add((i + row) * self.distance + k * depth) };
                    // SAFETY: as many elements of the block follow each other.
                    let elements = unsafe { slice::from_raw_parts(from, words * depth) };
                    for (word, elements) in made.iter_mut().zip(elements.chunks_exact(depth)) {
                        word.write(O::word(elements));
                    }
                }
                // SAFETY: row `k` of the panel has a word for this coordinate.
                let to = unsafe { self.to.add(k * self.width + i) };
                // SAFETY: rows of words that were made, which are another place than the panel.
                unsafe { self.transpose(rows.as_ptr().cast(), MADE_WORDS, to, height, words) };
            }
        }
    }

    /// Transposes rows of words into the panel, `step` words apart.
    ///
    /// # Safety
    ///
    /// Each word can be read, and its place in the panel be written.
    #[inline(always)]
    unsafe fn transpose(
        &self,
        from: *const O::Word,
        step: usize,
        to: *mut O::Word,
        rows: usize,
        words: usize,
    ) {
        let (from, to) = (from.cast(), to.cast());
        // SAFETY: as required here.
        unsafe {
            if const { size_of::<O::Word>() == 4 } {
                tiles::<4>(self.level, from, step, to, self.width, rows, words);
            } else {
                const { assert!(matches!(size_of::<O::Word>(), 4 | 8)) };
                tiles::<8>(self.level, from, step, to, self.width, rows, words);
            }
        }
    }

    /// Rows of `N` words.
    ///
    /// # Safety
    ///
    /// As [`Pack`](super::panels::Pack), for rows of so many words.
    #[inline(always)]
    unsafe fn pieces<const N: usize>(&self) {
        let step = self.step * O::DEPTH;
        for k in 0..self.words {
            // SAFETY: the first word of this row.
            let from = unsafe { self.from.add(k * step) }.cast::<[O::Word; N]>();
            // SAFETY: row `k` of the panel.
            let to = unsafe { self.to.add(k * self.width) }.cast::<[O::Word; N]>();
            prefetch(from.cast::<u8>().wrapping_add(ROW_AHEAD));
            // SAFETY: a row has so many words.
            let words = unsafe { from.read_unaligned() };
            // SAFETY: a row has so many words.
            unsafe { to.write_unaligned(words) };
        }
    }

    /// Rows of words.
    ///
    /// # Safety
    ///
    /// As [`Pack`](super::panels::Pack), for words that are neighbours.
    #[inline(always)]
    unsafe fn rows(&self) {
        let lanes = O::Words::LANES;
        // Panels that are whole are worth a loop of their own.
        match (self.count.is_multiple_of(lanes), self.count / lanes) {
            // SAFETY: as required here.
            (true, 1) => unsafe { self.rows_of(|| (1, 0)) },
            // SAFETY: as required here.
            (true, 2) => unsafe { self.rows_of(|| (2, 0)) },
            // SAFETY: as required here.
            (true, 3) => unsafe { self.rows_of(|| (3, 0)) },
            // SAFETY: as required here.
            _ => unsafe { self.rows_of(|| (self.count / lanes, self.count % lanes)) },
        }
    }

    /// Rows of some whole vectors, and of some words after them.
    ///
    /// # Safety
    ///
    /// As [`Pack`](super::panels::Pack), for rows of so many words.
    #[inline(always)]
    unsafe fn rows_of(&self, vectors_and_rest: impl Fn() -> (usize, usize)) {
        let (vectors, rest) = vectors_and_rest();
        let lanes = O::Words::LANES;
        let step = self.step * O::DEPTH;
        for k in 0..self.words {
            // SAFETY: the first word of this row.
            let from = unsafe { self.from.add(k * step) }.cast::<O::Word>();
            // SAFETY: row `k` of the panel.
            let to = unsafe { self.to.add(k * self.width) };
            for i in 0..vectors {
                // SAFETY: as many words are left.
                let words = unsafe { O::Words::load(from.wrapping_add(i * lanes)) };
                // SAFETY: as many words are left.
                unsafe { words.store(to.wrapping_add(i * lanes)) };
            }
            if rest > 0 {
                // SAFETY: as many words are left.
                let words =
                    unsafe { O::Words::load_first(from.wrapping_add(vectors * lanes), rest) };
                // SAFETY: as many words are left.
                unsafe { words.store_first(to.wrapping_add(vectors * lanes), rest) };
            }
        }
    }

    /// One element after the other.
    #[inline(always)]
    unsafe fn elements(&self, distance: usize) {
        let depth = O::DEPTH;
        for k in 0..self.words {
            for i in 0..self.count {
                let first = k * depth * self.step + i * distance;
                // SAFETY: an element of the block.
                let element = unsafe { read(self.from, first) };
                let mut elements = [element; MAX_DEPTH];
                for (e, element) in elements[..depth].iter_mut().enumerate() {
                    // SAFETY: an element of the block.
                    *element = unsafe { read(self.from, first + e * self.step) };
                }
                // SAFETY: a word of the panel.
                unsafe { write(self.to, k * self.width + i, O::word(&elements[..depth])) };
            }
        }
    }
}
