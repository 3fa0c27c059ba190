//! Packing: copies a block of an operand, in any layout, into panels that register tiles read
//! sequentially.
//!
//! It is compiled once for all elements: [`Packing`] says how elements become words.

#[cfg(feature = "std")]
use core::ops::Range;

use crate::gemm::kernel::words::{Operand, Word};
use crate::gemm::pack::linear::{self, Linear};
#[cfg(feature = "std")]
use crate::gemm::problem::offsets::Offsets;
use crate::simd::Level;
use crate::transpose::StridedRows;

/// A block of an operand: some coordinates along M or N, and some along K.
#[cfg(feature = "std")]
pub(crate) struct Source<'a> {
    pub(crate) level: Level,
    pub(crate) from: *const u8,
    pub(crate) mn_offsets: &'a Offsets<'a>,
    pub(crate) mn_range: Range<usize>,
    pub(crate) k_offsets: &'a Offsets<'a>,
}

/// Position and shape of panels.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    /// The first word of the first panel.
    pub(crate) to: *mut u8,
    /// Words of a panel for each step along K.
    pub(crate) width: usize,
    /// Words from a panel to the next one.
    pub(crate) panel_stride: usize,
    /// Whether this is a panel of B. Such a panel is whole vectors wide, and unused lanes are
    /// filled with zeros.
    pub(crate) of_b: bool,
}

/// How the elements of an operand become words. A word consists of the parts of `depth` elements along
/// K, whose order in memory is that of the elements. Missing elements are zeros.
#[derive(Clone, Copy)]
pub(crate) struct Packing {
    /// Size in bytes of an element in memory, and in a word.
    pub(crate) element: usize,
    pub(crate) part: usize,
    /// Elements along K in a word.
    pub(crate) depth: usize,
    /// Converts elements to parts. `None` if they are moved as they are.
    pub(crate) convert: Option<Convert>,
    /// Packs a block element by element.
    pub(crate) gather: Gather,
    /// Finishes a packed panel.
    pub(crate) finish: Option<Finish>,
}

/// Converts some rows of contiguous elements, given their number and the number of elements in each.
///
/// # Safety
///
/// The CPU must have the instructions. The elements must be valid for reads, their parts for writes.
pub(crate) type Convert = unsafe fn(StridedRows<*const u8>, StridedRows<*mut u8>, usize, usize);

/// [`linear::gather`] for a kind of operands.
pub(crate) type Gather = unsafe fn(&Linear<'_>);

/// [`Operand::finish`] for words at an address.
pub(crate) type Finish = unsafe fn(*mut u8, usize, usize, bool);

impl Packing {
    /// How operands of `O` are packed, given the functions of a level.
    pub(crate) const fn of<O: Operand>(convert: Convert, gather: Gather, finish: Finish) -> Self {
        assert!(O::IS_WORD || size_of::<Word<O>>() <= linear::MAX_CONVERTED_BYTES);
        Self {
            element: size_of::<O::Element>(),
            part: size_of::<O::Part>(),
            depth: O::DEPTH,
            convert: if O::IS_WORD { None } else { Some(convert) },
            gather: if O::IS_WORD && O::DEPTH == 1 { never_gathered } else { gather },
            finish: if O::SHIFTED { Some(finish) } else { None },
        }
    }

    /// Size in bytes of a word.
    pub(crate) const fn word(&self) -> usize {
        self.part * self.depth
    }

    /// Copies a block into panels: the word of coordinate `p * width + i` and step `k` goes to
    /// `p * panel_stride + k * width + i`, where `i < width`. Coordinates of B fit one panel.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. For each pair of offsets, the element at their sum must be
    /// valid for reads. Each panel must be valid for writes of `width` words for each word along K; a
    /// panel of B also of the extra rows given by [`Kernels`](crate::gemm::kernel::table::Kernels). A
    /// panel of B must be whole vectors wide, and its last vector must have at least one coordinate.
    #[cfg(feature = "std")]
    pub(crate) unsafe fn pack(&self, source: &Source<'_>, place: Packed) {
        let Packed { to, width, panel_stride, of_b } = place;
        let Source { level, from, mn_offsets, mn_range, k_offsets } = source;
        let (word, depth, steps) = (self.word(), self.depth, k_offsets.size);
        let (row_bytes, panel_bytes) = (width * word, panel_stride * word);
        // SAFETY: guaranteed by the caller.
        unsafe { self.clear_lanes(place, mn_range.len(), steps) };
        let mut k = 0;
        while k < steps {
            // Steps with a constant stride: the rest of a word, or whole words.
            let (run, element_stride) = k_offsets.linear_prefix(k..steps);
            let at = k & (depth - 1);
            let (words, elements) = match at == 0 && run >= depth {
                true => (self.whole_words(run), depth),
                false => (1, run.min(depth - at)),
            };
            // In bounds: a row of the panel.
            let row = to.wrapping_add(self.whole_words(k) * row_bytes + at * self.part);
            // Current row of the current panel, and the number of its words packed so far.
            let (mut i, mut panel, mut within) = (mn_range.start, row, 0);
            while i < mn_range.end {
                let (run, stride) = mn_offsets.linear_prefix(i..mn_range.end);
                // As many whole panels as the run fills, or the part of one panel in the run.
                let (count, panels) = match !of_b && within == 0 && run >= width {
                    true => (width, run / width),
                    false => (run.min(width - within), 1),
                };
                let offset = mn_offsets.at(i).wrapping_add(k_offsets.at(k));
                let block = Linear {
                    level: *level,
                    packing: self,
                    // In bounds: the offset of an element.
                    from: from.wrapping_add(offset.wrapping_mul(self.element)),
                    // In bounds: a word of this row, since `within < width`.
                    to: panel.wrapping_add(within * word),
                    width,
                    panel_stride,
                    panels,
                    count,
                    stride,
                    words,
                    elements,
                    starts_words: at == 0,
                    element_stride,
                };
                // SAFETY: guaranteed by the caller; these coordinates have both strides.
                unsafe { block.copy() };
                i += panels * count;
                within += count;
                if within == width {
                    // Wrapping: after the last panel, the pointer may be out of bounds.
                    (panel, within) = (panel.wrapping_add(panels * panel_bytes), 0);
                }
            }
            k += words * elements;
        }
        // SAFETY: guaranteed by the caller; the panels are packed.
        unsafe { self.finish_panels(place, mn_range.len(), steps) };
    }

    /// [`pack`](Self::pack) of a whole operand, given the extents and strides along M or N and along K,
    /// into one panel. Unused lanes of B are only set if a correction is computed from them.
    ///
    /// # Safety
    ///
    /// Same as [`pack`](Self::pack).
    #[inline(always)]
    pub(crate) unsafe fn pack_strided(
        &self,
        level: Level,
        from: *const u8,
        [(count, stride), (steps, element_stride)]: [(usize, usize); 2],
        place: Packed,
    ) {
        let Packed { to, width, .. } = place;
        let (whole, rest) = (self.whole_words(steps), steps & (self.depth - 1));
        let block = |words, elements, from: *const u8, to: *mut u8| Linear {
            level,
            packing: self,
            from,
            to,
            width,
            panel_stride: 0,
            panels: 1,
            count,
            stride,
            words,
            elements,
            element_stride,
            starts_words: true,
        };
        // SAFETY: guaranteed by the caller.
        unsafe {
            if self.finish.is_some() {
                self.clear_lanes(place, count, steps);
            }
            if whole > 0 {
                block(whole, self.depth, from, to).copy();
            }
            if rest > 0 {
                let from = from.wrapping_add(whole * self.depth * element_stride * self.element);
                let to = to.wrapping_add(whole * width * self.word());
                // Fewer elements than a word has.
                (self.gather)(&block(1, rest, from, to));
            }
            self.finish_panels(place, count, steps);
        }
    }

    /// The number of whole words in some steps. `depth` is a power of two, and divisions are slow.
    #[inline(always)]
    const fn whole_words(&self, steps: usize) -> usize {
        steps >> self.depth.trailing_zeros()
    }

    /// The number of words for some steps.
    #[inline(always)]
    const fn words_for(&self, steps: usize) -> usize {
        self.whole_words(steps + self.depth - 1)
    }

    /// Zeroes the lanes of a panel of B beyond its `count` columns.
    ///
    /// # Safety
    ///
    /// Same as [`pack`](Self::pack).
    #[inline(always)]
    unsafe fn clear_lanes(
        &self,
        Packed { to, width, of_b, .. }: Packed,
        count: usize,
        steps: usize,
    ) {
        if of_b && count < width {
            let (row_bytes, bytes) = (width * self.word(), (width - count) * self.word());
            for k in 0..self.words_for(steps) {
                // SAFETY: row `k` of the panel is whole vectors wide, and `bytes` is less than a
                // vector.
                unsafe { clear_end(to.wrapping_add((k + 1) * row_bytes), bytes) };
            }
        }
    }

    /// Finishes packed panels.
    ///
    /// # Safety
    ///
    /// Same as [`pack`](Self::pack). The panels are packed.
    #[inline(always)]
    unsafe fn finish_panels(&self, place: Packed, count: usize, steps: usize) {
        let Packed { to, width, panel_stride, of_b } = place;
        if let Some(finish) = self.finish {
            for p in 0..count.div_ceil(width) {
                let panel = to.wrapping_add(p * panel_stride * self.word());
                // SAFETY: guaranteed by the caller.
                unsafe { finish(panel, self.words_for(steps), width, of_b) };
            }
        }
    }
}

/// [`Gather`] for words that are elements: all of them are copied.
unsafe fn never_gathered(_: &Linear<'_>) {
    unreachable!("words that are elements are copied")
}

/// Zeroes the last `bytes` bytes of a row, and up to 15 bytes before them: the row must be packed
/// afterwards. A loop would compile to a `memset` call for each row.
///
/// # Safety
///
/// The row must be valid for writes and consist of whole vectors; `bytes` must be less than a
/// vector.
#[inline(always)]
pub(crate) unsafe fn clear_end(end: *mut u8, bytes: usize) {
    for i in 0..4 {
        if bytes > 16 * i {
            // SAFETY: guaranteed by the caller; a vector has a multiple of 16 bytes, at most 64.
            unsafe { end.sub(16 * (i + 1)).cast::<[u8; 16]>().write([0; 16]) };
        }
    }
}
