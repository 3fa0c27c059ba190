//! Where the tiles of a block are in C, and tiles that are scattered there: their rows have no
//! constant stride, or their vectors are not contiguous.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::gemm::kernel::batch::{Batch, Cache, MAX_VECTORS, Micro, consecutive};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::{Kernels, MAX_ROWS, ROW_BYTES};
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::scale::{AnyScale, Meeting, Run};

/// Where the panels of a block of B are in C.
#[derive(Default)]
pub(crate) struct Panels {
    /// Whether each vector of every panel is contiguous in C. Then there is no table.
    pub(crate) follow: bool,
    /// For each panel, the index of its first vector and the range of its runs. The range is empty if
    /// the vectors of the panel are contiguous. Contiguous runs do not cross vectors.
    ends: Vec<(usize, Range<usize>)>,
    runs: Vec<Run>,
}

impl Panels {
    /// Sets the table for a block, whose vectors have `lanes` lanes of `sum` bytes.
    pub(crate) fn set(&mut self, cn: &Offsets<'_>, cuts: &Cuts, (lanes, sum): (usize, usize)) {
        self.follow = cuts.are_apart() || cn.is_linear() && (cn.stride == 1 || cn.size == 1);
        self.ends.clear();
        self.runs.clear();
        if self.follow {
            return;
        }
        for panel in cuts.iter() {
            let (columns, start) = (panel.first(), self.runs.len());
            let mut column = columns.start;
            while column < columns.end {
                let (count, distance) = cn.run(column..columns.end);
                let from = column - columns.start;
                let count = if distance == 1 { count.min(lanes - from % lanes) } else { count };
                let to = cn.at(column).wrapping_sub(cn.at(columns.start)).wrapping_mul(sum);
                let distance = distance.wrapping_mul(sum);
                self.runs.push(Run { from, to, count, distance });
                column += count;
            }
            if self.runs[start..].iter().all(|run| run.distance == sum && run.to == run.from * sum)
            {
                self.runs.truncate(start);
            }
            self.ends.push((panel.units_before, start..self.runs.len()));
        }
    }

    /// The runs of the panel that starts with this vector. `None` if its vectors are contiguous in C.
    #[inline(always)]
    pub(crate) fn runs(&self, vector: usize) -> Option<&[Run]> {
        if self.follow {
            return None;
        }
        let Ok(i) = self.ends.binary_search_by_key(&vector, |&(start, ..)| start) else {
            unreachable!("each panel has an entry")
        };
        let runs = &self.runs[self.ends[i].1.clone()];
        (!runs.is_empty()).then_some(runs)
    }
}

/// Computes a tile whose rows have no constant stride in C, or whose vectors are not contiguous: in a
/// buffer, which is then merged into C run by run.
///
/// # Safety
///
/// Same as [`Micro`], for the first tile of a batch. `rows` and `runs` are its rows and vectors in C;
/// a row has `count` vectors.
pub(crate) unsafe fn scatter(
    kernels: &Kernels,
    micro: Micro,
    batch: &Batch,
    scale: AnyScale<'_>,
    (cm, rows): (&Offsets<'_>, &Range<usize>),
    (runs, count): (Option<&[Run]>, usize),
) {
    let Shapes { lanes, sum, .. } = kernels.shapes;
    let mut sums = MaybeUninit::<[u64; MAX_ROWS * ROW_BYTES / size_of::<u64>()]>::uninit();
    let buffered = Batch {
        c: sums.as_mut_ptr().cast(),
        c_row: ROW_BYTES,
        c_vectors: consecutive(lanes * sum),
        c_in: Cache::Any,
        down: 1,
        across: 1,
        ..*batch
    };
    let mut offsets = [0; MAX_ROWS];
    for (offset, row) in offsets.iter_mut().zip(rows.clone()) {
        // Offsets may be negative: they wrap, as does the addition to a pointer.
        *offset = cm.at(row).wrapping_sub(cm.at(rows.start)).wrapping_mul(sum);
    }
    let mut whole = [Run::default(); MAX_VECTORS];
    let runs = runs.unwrap_or_else(|| {
        for (i, run) in whole[..count].iter_mut().enumerate() {
            let len = if i + 1 == count { batch.last } else { lanes };
            *run = Run { from: i * lanes, to: batch.c_vectors[i], count: len, distance: sum };
        }
        &whole[..count]
    });
    let meeting = Meeting {
        sums: sums.as_ptr().cast(),
        width: ROW_BYTES / sum,
        c: batch.c,
        rows: &offsets[..rows.len()],
        runs,
    };
    // SAFETY: the buffer has room for the rows and vectors of the tile. It then has all of its
    // accumulators, and `meeting` has their places in C.
    unsafe {
        micro(&buffered, kernels.assign);
        (kernels.merge)(&meeting, scale);
    }
}
