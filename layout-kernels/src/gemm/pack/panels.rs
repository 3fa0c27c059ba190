//! Packing: a block of an operand, from any layout, into a panel that a register tile reads from
//! its start to its end.

use core::ops::Range;

use crate::gemm::kernel::words::Operand;
use crate::gemm::pack::linear::Linear;
use crate::gemm::place::{read, write};
use crate::gemm::problem::offsets::Offsets;
use crate::simd::Level;

/// A block of an operand: some coordinates along M or N, and some along K.
#[derive(Clone)]
pub(crate) struct Source<'a> {
    pub(crate) level: Level,
    pub(crate) from: *const u8,
    pub(crate) along: Offsets<'a>,
    pub(crate) across: Range<usize>,
    pub(crate) deep: Offsets<'a>,
}

/// Where panels are.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    /// The first word of the first panel.
    pub(crate) to: *mut u8,
    /// The words of a panel for each step, and from a panel to the next one.
    pub(crate) width: usize,
    pub(crate) next: usize,
    /// Whether this is a panel of B: whole vectors wide, and those are to be filled.
    pub(crate) of_b: bool,
}

/// Copies a block into panels: the word of coordinate `p * width + i` and step `k` to
/// `p * next + k * width + i`, where `i < width`. Coordinates of B are for one panel.
///
/// # Safety
///
/// The instructions are there. The element at the sum of each pair of offsets can be read, and each
/// panel has `width` words for each word along K, and a panel of B for the rows that
/// [`Kernels`](crate::gemm::kernel::table::Kernels) says, which can be written. A panel of B is whole vectors
/// wide, and its last vector has a coordinate.
pub(crate) type Pack = unsafe fn(&Source<'_>, Packed);

/// See [`Pack`].
///
/// # Safety
///
/// As [`Pack`].
#[inline(always)]
pub(crate) unsafe fn pack<O: Operand>(source: &Source<'_>, place: Packed) {
    let from = source.from.cast::<O::Element>();
    let (to, Packed { width, next, of_b, .. }) = (place.to.cast::<O::Word>(), place);
    let depth = O::DEPTH;
    let Source { along, deep, .. } = source;
    let rows = deep.size.div_ceil(depth);
    if of_b && source.across.len() < width {
        let bytes = (width - source.across.len()) * size_of::<O::Word>();
        for k in 0..rows {
            // SAFETY: row `k` of the panel is whole vectors wide, and `bytes` are less than a vector.
            unsafe { clear_end(to.wrapping_add((k + 1) * width).cast(), bytes) };
        }
    }
    let mut k = 0;
    while k < deep.size {
        // How many coordinates have one distance, and that distance.
        let (n, step) = deep.run(k..deep.size);
        // A word may have elements of two runs, and the last one has fewer.
        let whole = n / depth;
        let elements = if whole == 0 { depth.min(deep.size - k) } else { depth };
        let words = whole.max(1);
        let taken = words * elements;
        // Wrapping, but a row of the panel.
        let row = to.wrapping_add(k / depth * width);
        // The row of a panel, and how many of its words are there.
        let (mut i, mut panel, mut within) = (source.across.start, row, 0);
        while i < source.across.end {
            let (run, distance) = along.run(i..source.across.end);
            // As many panels as the run fills, or what one has of it.
            let (count, panels) = match !of_b && within == 0 && run >= width {
                true => (width, run / width),
                false => (run.min(width - within), 1),
            };
            let block = Linear::<O> {
                level: source.level,
                // Wrapping, but the offset of an element.
                from: from.wrapping_add(along.at(i) + deep.at(k)),
                // Wrapping, but a word of this row, since `within < width`.
                to: panel.wrapping_add(within),
                width,
                next,
                panels,
                count,
                distance,
                words,
                elements,
                step,
            };
            if const { O::DEPTH > 1 } && n < taken {
                let steps = k..k + taken;
                for p in 0..panels {
                    let (first, to) = (i + p * count, block.to.wrapping_add(p * next));
                    // SAFETY: as required here.
                    unsafe { broken::<O>(source, first..first + count, steps.clone(), to) };
                }
            } else {
                // SAFETY: as required here; both distances are those of these coordinates.
                unsafe { block.copy() };
            }
            i += panels * count;
            within += count;
            if within == width {
                // Wrapping, since the last panel leads behind all.
                (panel, within) = (panel.wrapping_add(panels * next), 0);
            }
        }
        k += taken;
    }
    if const { O::SHIFTED } {
        for p in 0..source.across.len().div_ceil(width) {
            // SAFETY: the words of the panel are there.
            unsafe { O::finish(to.wrapping_add(p * next), rows, width, of_b) };
        }
    }
}

/// Clears so many bytes before the end of a row, and up to 15 before them: the row is not written yet. A
/// loop would be a call of `memset` for each row.
///
/// # Safety
///
/// The row can be written. It has whole vectors, and `bytes` is less than one.
#[inline(always)]
pub(crate) unsafe fn clear_end(end: *mut u8, bytes: usize) {
    for i in 0..4 {
        if bytes > 16 * i {
            // SAFETY: as required here; a vector has a multiple of 16 bytes, and at most 64.
            unsafe { end.sub(16 * (i + 1)).cast::<[u8; 16]>().write([0; 16]) };
        }
    }
}

/// The most elements of a word.
pub(crate) const MAX_DEPTH: usize = 4;

/// One word for each coordinate, whose elements are anywhere.
///
/// # Safety
///
/// As [`Pack`], with at most as many steps as a word has elements.
unsafe fn broken<O: Operand>(
    source: &Source<'_>,
    across: Range<usize>,
    steps: Range<usize>,
    to: *mut O::Word,
) {
    let from = source.from.cast::<O::Element>();
    for (at, i) in across.enumerate() {
        // SAFETY: an offset of the operand.
        let first = unsafe { read(from, source.along.at(i) + source.deep.at(steps.start)) };
        let mut elements = [first; MAX_DEPTH];
        for (element, k) in elements.iter_mut().zip(steps.clone()) {
            // SAFETY: an offset of the operand.
            *element = unsafe { read(from, source.along.at(i) + source.deep.at(k)) };
        }
        // SAFETY: a word of this row of the panel.
        unsafe { write(to, at, O::word(&elements[..steps.len()])) };
    }
}
