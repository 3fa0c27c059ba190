//! Packs words that have the same form in memory and in panels, with the copy kernels.

use crate::copy::Loop;
use crate::copy::leaf::{Inner, runs, strided};
use crate::simd::Level;
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// Copies words of `word` bytes, which are numbers, into panels. The loops, with strides in bytes,
/// run over the panels, the steps along K, and the rows of A or columns of B in a panel. The latter
/// are contiguous in a panel.
///
/// # Safety
///
/// The words that the loops reach must be valid for reads, and for writes in the panels. Source and
/// panels must not overlap.
pub(crate) unsafe fn copy_words(
    level: Level,
    word: usize,
    [panels, steps, rows]: [Loop; 3],
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if rows.extent == 1 || rows.source == word {
            let bytes = rows.extent * word;
            let loops = [Loop::ONCE, panels, steps];
            runs(level, false)(&Inner { loops, bytes, prefetch_distance: 0 }, from, to);
        } else if steps.source == word && steps.extent > 1 {
            let first = Block {
                source: StridedRows { start: from, stride_bytes: rows.source },
                destination: StridedRows { start: to, stride_bytes: steps.destination },
                rows: rows.extent,
                columns: steps.extent,
                word,
                total_bytes: 0,
            };
            let Loop { extent: count, source, destination } = panels;
            transpose(
                level,
                &Batch { first, count, source_stride: source, destination_stride: destination },
            );
        } else {
            let loops = [panels, steps, rows];
            strided(word)(&Inner { loops, bytes: word, prefetch_distance: 0 }, from, to);
        }
    }
}
