//! Packs many panels of B together, if the first axis of N has a large stride and a later one is
//! contiguous. Packing one panel at a time would read a cache line for each element.

use core::ops::Range;

use crate::gemm::pack::panels::{Source, clear_end};
use crate::gemm::plan::cuts::Cuts;
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// The panels of a block.
pub(crate) struct PackedPanels<'a> {
    pub(crate) cuts: &'a Cuts,
    /// The contiguous axis of B: the stride of its coordinates along N, and their number.
    pub(crate) columns: (usize, usize),
    /// The first word of the first panel.
    pub(crate) to: *mut u8,
    /// Bytes of a word and of a vector.
    pub(crate) word: usize,
    pub(crate) vector: usize,
    /// Number of vectors of a panel that is one vector wide.
    pub(crate) steps: usize,
    /// Bytes of the operand.
    pub(crate) operand: usize,
}

/// Packs a block of B with a contiguous axis after the first one. Panels at the same position in
/// several runs are packed together: they are the columns of blocks to transpose. A panel may have
/// parts of several runs.
///
/// # Safety
///
/// For each pair of offsets, the element at their sum must be valid for reads, and must be a word.
/// The panels must have room.
pub(crate) unsafe fn gather(source: &Source<'_>, panels: &PackedPanels<'_>) {
    let Source { level, from, mn_offsets, k_offsets, .. } = source;
    let &PackedPanels { cuts, columns: (stride, count), to, word, vector, steps, operand } = panels;
    for group in cuts.across_runs(count, stride) {
        let (step, panel_stride) = (group.size * vector, group.unit_stride * steps * vector);
        let to = to.wrapping_add(group.units_before * steps * vector);
        let padding = step - group.len * word;
        if padding > 0 {
            for panel in 0..group.count {
                for k in 0..k_offsets.size {
                    let end = to.wrapping_add(panel * panel_stride + (k + 1) * step);
                    // SAFETY: step `k` of the panel. The last vector has at least one column, so
                    // `padding` is less than a vector.
                    unsafe { clear_end(end, padding) };
                }
            }
        }
        let Range { mut start, end } = group.first();
        while start < end {
            let (rows, row_stride) = mn_offsets.linear_prefix(start..end);
            let from = from.wrapping_add(mn_offsets.at(start).wrapping_mul(word));
            let to = to.wrapping_add((start - group.start) * word);
            let mut k = 0;
            while k < k_offsets.size {
                let (count, stride) = k_offsets.linear_prefix(k..k_offsets.size);
                let first = Block {
                    source: StridedRows {
                        // In bounds: the offset of an element.
                        start: from.wrapping_add(k_offsets.at(k).wrapping_mul(word)),
                        stride_bytes: row_stride * word,
                    },
                    destination: StridedRows {
                        start: to.wrapping_add(k * step),
                        stride_bytes: panel_stride,
                    },
                    rows,
                    columns: group.count,
                    word,
                    total_bytes: operand,
                };
                let batch =
                    Batch { first, count, source_stride: stride * word, destination_stride: step };
                // SAFETY: words of B are read, and these panels are written.
                unsafe { transpose(*level, &batch) };
                k += count;
            }
            start += rows;
        }
    }
}
