//! Panels of an operand whose vectors are far apart, but whose next axis is consecutive: many panels are
//! packed together. One by one, they would read a cache line for each element.

use crate::gemm::pack::panels::{Source, clear_end};
use crate::gemm::plan::cuts::Cuts;
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// The panels of a block.
pub(crate) struct PackedPanels<'a> {
    pub(crate) cuts: &'a Cuts,
    /// The first word of the first panel.
    pub(crate) to: *mut u8,
    /// The bytes of a word and of a vector.
    pub(crate) word: usize,
    pub(crate) vector: usize,
    /// The vectors of a panel that is one vector wide.
    pub(crate) steps: usize,
    /// The bytes of the operand.
    pub(crate) operand: usize,
}

/// Packs a block of B whose second axis is consecutive, into panels that stay in runs of the first one.
/// Panels at the same place of several runs are the columns of blocks to transpose.
///
/// # Safety
///
/// The element at the sum of each pair of offsets can be read, and is a word. The panels have room.
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
                    // SAFETY: step `k` of the panel, whose last vector has a column.
                    unsafe { clear_end(end, idle) };
                }
            }
        }
        let mut k = 0;
        while k < deep.size {
            let (count, distance) = deep.run(k..deep.size);
            // Wrapping, but the offset of an element.
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
            // SAFETY: words of B, and the steps of these panels.
            unsafe { transpose(*level, &batch) };
            k += count;
        }
    }
}
