//! Packing: copies a block of an operand, in any layout, into panels that register tiles read
//! sequentially.

use core::ops::Range;

use crate::gemm::kernel::words::Operand;
use crate::gemm::pack::linear::Linear;
use crate::gemm::pointer::{read, write};
use crate::gemm::problem::offsets::Offsets;
use crate::simd::Level;

/// A block of an operand: some coordinates along M or N, and some along K.
#[derive(Clone)]
pub(crate) struct Source<'a> {
    pub(crate) level: Level,
    pub(crate) from: *const u8,
    pub(crate) mn_offsets: Offsets<'a>,
    pub(crate) mn_range: Range<usize>,
    pub(crate) k_offsets: Offsets<'a>,
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

/// Copies a block into panels: the word of coordinate `p * width + i` and step `k` goes to
/// `p * panel_stride + k * width + i`, where `i < width`. Coordinates of B fit one panel.
///
/// # Safety
///
/// The CPU must have the instructions. For each pair of offsets, the element at their sum must be
/// valid for reads. Each panel must be valid for writes of `width` words for each word along K; a
/// panel of B also of the extra rows given by [`Kernels`](crate::gemm::kernel::table::Kernels). A
/// panel of B must be whole vectors wide, and its last vector must have at least one coordinate.
pub(crate) type Pack = unsafe fn(&Source<'_>, Packed);

/// See [`Pack`].
///
/// # Safety
///
/// Same as [`Pack`].
#[inline(always)]
pub(crate) unsafe fn pack<O: Operand>(source: &Source<'_>, place: Packed) {
    let from = source.from.cast::<O::Element>();
    let (to, Packed { width, panel_stride, of_b, .. }) = (place.to.cast::<O::Word>(), place);
    let depth = O::DEPTH;
    let Source { mn_offsets, k_offsets, .. } = source;
    let rows = k_offsets.size.div_ceil(depth);
    if of_b && source.mn_range.len() < width {
        let bytes = (width - source.mn_range.len()) * size_of::<O::Word>();
        for k in 0..rows {
            // SAFETY: row `k` of the panel is whole vectors wide, and `bytes` is less than a
            // vector.
            unsafe { clear_end(to.wrapping_add((k + 1) * width).cast(), bytes) };
        }
    }
    let mut k = 0;
    while k < k_offsets.size {
        // Number of coordinates with a constant stride, and that stride.
        let (n, element_stride) = k_offsets.linear_prefix(k..k_offsets.size);
        // A word may span two runs, and the last word may be partial.
        let whole = n / depth;
        let elements = if whole == 0 { depth.min(k_offsets.size - k) } else { depth };
        let words = whole.max(1);
        let taken = words * elements;
        // In bounds: a row of the panel.
        let row = to.wrapping_add(k / depth * width);
        // Current row of the current panel, and the number of its words packed so far.
        let (mut i, mut panel, mut within) = (source.mn_range.start, row, 0);
        while i < source.mn_range.end {
            let (run, stride) = mn_offsets.linear_prefix(i..source.mn_range.end);
            // As many whole panels as the run fills, or the part of one panel in the run.
            let (count, panels) = match !of_b && within == 0 && run >= width {
                true => (width, run / width),
                false => (run.min(width - within), 1),
            };
            let block = Linear::<O> {
                level: source.level,
                // In bounds: the offset of an element.
                from: from.wrapping_add(mn_offsets.at(i) + k_offsets.at(k)),
                // In bounds: a word of this row, since `within < width`.
                to: panel.wrapping_add(within),
                width,
                panel_stride,
                panels,
                count,
                stride,
                words,
                elements,
                element_stride,
            };
            if const { O::DEPTH > 1 } && n < taken {
                let steps = k..k + taken;
                for p in 0..panels {
                    let (first, to) = (i + p * count, block.to.wrapping_add(p * panel_stride));
                    // SAFETY: guaranteed by the caller.
                    unsafe { pack_unstrided::<O>(source, first..first + count, steps.clone(), to) };
                }
            } else {
                // SAFETY: guaranteed by the caller; these coordinates have both strides.
                unsafe { block.copy() };
            }
            i += panels * count;
            within += count;
            if within == width {
                // Wrapping: after the last panel, the pointer may be out of bounds.
                (panel, within) = (panel.wrapping_add(panels * panel_stride), 0);
            }
        }
        k += taken;
    }
    if const { O::SHIFTED } {
        for p in 0..source.mn_range.len().div_ceil(width) {
            // SAFETY: the words of the panel are initialised.
            unsafe { O::finish(to.wrapping_add(p * panel_stride), rows, width, of_b) };
        }
    }
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

/// Maximum number of elements of a word.
pub(crate) const MAX_DEPTH: usize = 4;

/// Packs one word for each coordinate. Its elements need no constant stride.
///
/// # Safety
///
/// Same as [`Pack`], with at most as many steps as elements in a word.
unsafe fn pack_unstrided<O: Operand>(
    source: &Source<'_>,
    mn_range: Range<usize>,
    steps: Range<usize>,
    to: *mut O::Word,
) {
    let from = source.from.cast::<O::Element>();
    for (at, i) in mn_range.enumerate() {
        // SAFETY: an offset of the operand.
        let first =
            unsafe { read(from, source.mn_offsets.at(i) + source.k_offsets.at(steps.start)) };
        let mut elements = [first; MAX_DEPTH];
        for (element, k) in elements.iter_mut().zip(steps.clone()) {
            // SAFETY: an offset of the operand.
            *element = unsafe { read(from, source.mn_offsets.at(i) + source.k_offsets.at(k)) };
        }
        // SAFETY: a word of this row of the panel.
        unsafe { write(to, at, O::word(&elements[..steps.len()])) };
    }
}
