//! `Linear`: a part of an operand with a constant stride along each mode, and how it is packed into
//! panels.

use core::mem::MaybeUninit;

use crate::copy::Loop;
use crate::gemm::kernel::words::{Operand, Word};
use crate::gemm::pack::panels::{Convert, Packing};
use crate::gemm::pack::words::copy_words;
use crate::gemm::pointer::{read, write};
use crate::simd::Level;
use crate::transpose::{Line, StridedRows};

/// A block with a constant stride along each mode, in one panel or more. Strides of the operand are in
/// elements, those of panels in words.
#[derive(Clone, Copy)]
pub(crate) struct Linear<'a> {
    pub(crate) level: Level,
    pub(crate) packing: &'a Packing,
    pub(crate) from: *const u8,
    pub(crate) to: *mut u8,
    pub(crate) width: usize,
    pub(crate) panel_stride: usize,
    pub(crate) panels: usize,
    /// Coordinates in a panel, and their stride.
    pub(crate) count: usize,
    pub(crate) stride: usize,
    /// Words along K, the elements in each, and the stride of these elements. All words are whole,
    /// unless there is only one.
    pub(crate) words: usize,
    pub(crate) elements: usize,
    pub(crate) element_stride: usize,
    /// Whether the elements are the first ones of their words. If they are not all, the others become
    /// zeros.
    pub(crate) starts_words: bool,
}

/// Rows of the conversion buffer, and words in each.
const BUFFER_ROWS: usize = 16;
const BUFFER_WORDS: usize = 32;

/// Maximum size in bytes of words of converted elements.
pub(crate) const MAX_CONVERTED_BYTES: usize = 4;

/// A conversion buffer.
type Buffer =
    MaybeUninit<[Line; MAX_CONVERTED_BYTES * BUFFER_ROWS * BUFFER_WORDS / size_of::<Line>()]>;

impl Linear<'_> {
    /// Packs the block.
    ///
    /// # Safety
    ///
    /// Same as [`Packing::pack`].
    #[inline(always)]
    pub(crate) unsafe fn copy(&self) {
        let Self { from, to, panels, words, count, stride, element_stride, .. } = *self;
        let Packing { depth, convert, gather, .. } = *self.packing;
        let has_words = self.elements == depth && (element_stride == 1 || depth == 1);
        // SAFETY: guaranteed by the caller.
        unsafe {
            match convert {
                None if has_words => {
                    self.copy_words(
                        from,
                        to,
                        [panels, words, count],
                        [stride, element_stride * depth],
                    );
                }
                Some(convert) if has_words && element_stride == 1 && count > 1 && words > 1 => {
                    self.convert_and_transpose(convert);
                }
                _ => gather(self),
            }
        }
    }

    /// Copies words into panels, given the numbers of panels, of words along K and of coordinates. The
    /// words are `strides` parts apart along M or N and along K.
    ///
    /// # Safety
    ///
    /// Same as [`Packing::pack`], for words in place of elements.
    #[inline(always)]
    unsafe fn copy_words(
        &self,
        from: *const u8,
        to: *mut u8,
        [panels, words, count]: [usize; 3],
        [stride, step]: [usize; 2],
    ) {
        let (part, word) = (self.packing.part, self.packing.word());
        let axis = |extent, source: usize, destination: usize| Loop {
            extent,
            source: source * part,
            destination: destination * word,
        };
        let loops = [
            axis(panels, count * stride, self.panel_stride),
            axis(words, step, self.width),
            axis(count, stride, 1),
        ];
        // SAFETY: guaranteed by the caller. The loops stay within the words of both memories, which
        // do not overlap.
        unsafe { copy_words(self.level, word, loops, from, to) };
    }

    /// Converts elements that are contiguous along K to words: first into a buffer of rows, with
    /// vector instructions; then transposes the buffer into the panel.
    ///
    /// # Safety
    ///
    /// Same as [`Packing::pack`], and the elements of a word must be contiguous along K.
    // Not inlined: other elements need no buffer. Fields are read one by one: wide loads of a copy of
    // `self` would wait for narrow stores.
    #[inline(never)]
    unsafe fn convert_and_transpose(&self, convert: Convert) {
        let Packing { element, part, depth, .. } = *self.packing;
        let Self { count, stride, words, .. } = *self;
        let word = part * depth;
        let mut buffer = Buffer::uninit();
        let rows =
            StridedRows { start: buffer.as_mut_ptr().cast(), stride_bytes: BUFFER_WORDS * word };
        for p in 0..self.panels {
            for i in (0..count).step_by(BUFFER_ROWS) {
                let height = BUFFER_ROWS.min(count - i);
                for k in (0..words).step_by(BUFFER_WORDS) {
                    let words = BUFFER_WORDS.min(words - k);
                    // In bounds: the first element of this part of a row, and its word.
                    let first = (p * count + i) * stride + k * depth;
                    let from = self.from.wrapping_add(first * element);
                    let from = StridedRows { start: from, stride_bytes: stride * element };
                    let to = (p * self.panel_stride + k * self.width + i) * word;
                    let (to, strides) = (self.to.wrapping_add(to), [BUFFER_WORDS * depth, depth]);
                    // SAFETY: guaranteed by the caller; the words fit the buffer.
                    unsafe {
                        convert(from, rows, height, words * depth);
                        self.copy_words(rows.start, to, [1, words, height], strides);
                    }
                }
            }
        }
    }
}

/// Packs a block element by element.
///
/// # Safety
///
/// Same as [`Packing::pack`], for elements of `O`.
#[inline(always)]
pub(crate) unsafe fn gather<O: Operand>(block: &Linear<'_>) {
    let &Linear { count, stride, elements, .. } = block;
    // SAFETY: guaranteed by the caller. Numbers of elements, and a stride of 1, are passed as constants,
    // so that they are constants in the loops.
    unsafe {
        match elements {
            1 if O::DEPTH == 1 && stride == 1 => {
                each_row::<O>(block, |from, to| O::convert(from, to, count));
            }
            _ if !block.starts_words => {
                each_row::<O>(block, |from, to| gather_parts::<O>(block, from, to));
            }
            n if n == O::DEPTH && stride == 1 => gather_words::<O, 4>(block, 1),
            4 if O::DEPTH == 4 => gather_words::<O, 4>(block, stride),
            3 if O::DEPTH > 3 => gather_words::<O, 3>(block, stride),
            2 if O::DEPTH > 1 => gather_words::<O, 2>(block, stride),
            _ => gather_words::<O, 1>(block, stride),
        }
    }
}

/// Calls `f` for each step along K in each panel, with its first element and the place of that.
#[inline(always)]
fn each_row<O: Operand>(block: &Linear<'_>, f: impl Fn(*const O::Element, *mut O::Part)) {
    let &Linear { width, panel_stride, panels, count, stride, words, element_stride, .. } = block;
    let (from, to) = (block.from.cast::<O::Element>(), block.to.cast::<O::Part>());
    for p in 0..panels {
        for k in 0..words {
            // In bounds: the first element of a row, and its word.
            let first = p * count * stride + k * O::DEPTH * element_stride;
            f(from.wrapping_add(first), to.wrapping_add((p * panel_stride + k * width) * O::DEPTH));
        }
    }
}

/// Packs words of at most `N` elements. Missing elements become zeros.
///
/// # Safety
///
/// Same as [`gather`].
#[inline(always)]
unsafe fn gather_words<O: Operand, const N: usize>(block: &Linear<'_>, stride: usize) {
    each_row::<O>(block, |from, to| {
        for i in 0..block.count {
            let mut word = MaybeUninit::<Word<O>>::zeroed();
            for e in 0..const { if N < O::DEPTH { N } else { O::DEPTH } } {
                // SAFETY: an element of the block, and a part of a word.
                unsafe {
                    let element = read(from, i * stride + e * block.element_stride);
                    write(word.as_mut_ptr().cast(), e, O::part(element));
                }
            }
            // SAFETY: a word of the panel. All-zero bits are zeros.
            unsafe { write(to.cast(), i, word.assume_init()) };
        }
    });
}

/// Packs a row of parts of words whose other parts stay as they are.
///
/// # Safety
///
/// Same as [`gather`].
#[inline(always)]
unsafe fn gather_parts<O: Operand>(block: &Linear<'_>, from: *const O::Element, to: *mut O::Part) {
    for i in 0..block.count {
        for e in 0..block.elements {
            // SAFETY: an element of the block, and a part of a word.
            unsafe {
                let element = read(from, i * block.stride + e * block.element_stride);
                write(to, i * O::DEPTH + e, O::part(element));
            }
        }
    }
}
