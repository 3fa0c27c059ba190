//! Packs many panels of B together, if the first axis of N has a large stride and the next one is
//! contiguous. Packing one panel at a time would read a cache line for each element.

use crate::gemm::pack::panels::{Source, clear_end};
use crate::gemm::plan::cuts::Cuts;
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// The panels of a block.
pub(crate) struct PackedPanels<'a> {
    pub(crate) cuts: &'a Cuts,
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

/// Packs a block of B whose second axis is contiguous. No panel crosses a run of the first axis.
/// Panels at the same position in several runs are packed together: they are the columns of blocks
/// to transpose.
///
/// # Safety
///
/// For each pair of offsets, the element at their sum must be valid for reads, and must be a word.
/// The panels must have room.
pub(crate) unsafe fn gather(source: &Source<'_>, panels: &PackedPanels<'_>) {
    let Source { level, from, along, deep, .. } = source;
    let &PackedPanels { cuts, to, word, vector, steps, operand } = panels;
    for group in cuts.across(along.second.1, along.head) {
        let (step, apart) = (group.size * vector, group.units_apart * steps * vector);
        let from = from.wrapping_add(along.at(group.start).wrapping_mul(word));
        let to = to.wrapping_add(group.units_before * steps * vector);
        let idle = step - group.len * word;
        if idle > 0 {
            for panel in 0..group.count {
                for k in 0..deep.size {
                    let end = to.wrapping_add(panel * apart + (k + 1) * step);
                    // SAFETY: step `k` of the panel. The last vector has at least one column, so
                    // `idle` is less than a vector.
                    unsafe { clear_end(end, idle) };
                }
            }
        }
        let mut k = 0;
        while k < deep.size {
            let (count, distance) = deep.run(k..deep.size);
            // In bounds: the offset of an element.
            let start = from.wrapping_add(deep.at(k).wrapping_mul(word));
            let first = Block {
                source: StridedRows { start, step: along.stride * word },
                destination: StridedRows { start: to.wrapping_add(k * step), step: apart },
                rows: group.len,
                columns: group.count,
                word,
                total_bytes: operand,
            };
            let batch = Batch { first, count, source: distance * word, destination: step };
            // SAFETY: words of B are read, and these panels are written.
            unsafe { transpose(*level, &batch) };
            k += count;
        }
    }
}
