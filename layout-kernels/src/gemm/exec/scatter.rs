//! Where the tiles of a block are in C, and tiles that are scattered there: their rows have no
//! constant stride, or their vectors are not contiguous.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::gemm::kernel::batch::{
    Batch, CacheLevel, MAX_VECTORS, MicroKernel, SplitVector, contiguous_vectors,
};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::{Kernels, MAX_ROWS, ROW_BYTES};
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::scale::{AnyScale, BufferedTile, Run};

/// Where the panels of a block of B are in C.
#[derive(Default)]
pub(crate) struct Panels {
    /// Whether each vector of every panel is contiguous in C. Then there is no table.
    pub(crate) is_contiguous: bool,
    /// For each panel, the index of its first vector and the range of its runs. The range is empty if
    /// the vectors of the panel are contiguous. Contiguous runs do not cross vectors.
    runs_of_panel: Vec<(usize, Range<usize>)>,
    runs: Vec<Run>,
}

impl Panels {
    /// Sets the table for a block, whose vectors have `lanes` lanes of `sum` bytes.
    pub(crate) fn set(&mut self, cn: &Offsets<'_>, cuts: &Cuts, (lanes, sum): (usize, usize)) {
        self.is_contiguous =
            cuts.are_within_runs() || cn.is_linear() && (cn.stride == 1 || cn.size == 1);
        self.runs_of_panel.clear();
        self.runs.clear();
        if self.is_contiguous {
            return;
        }
        for panel in cuts.iter() {
            let (columns, start) = (panel.first(), self.runs.len());
            let mut column = columns.start;
            while column < columns.end {
                let (len, stride) = cn.linear_prefix(column..columns.end);
                let tile_index = column - columns.start;
                let len = if stride == 1 { len.min(lanes - tile_index % lanes) } else { len };
                let c_offset = cn.at(column).wrapping_sub(cn.at(columns.start)).wrapping_mul(sum);
                let stride = stride.wrapping_mul(sum);
                self.runs.push(Run { tile_index, c_offset, len, stride });
                column += len;
            }
            if self.runs[start..]
                .iter()
                .all(|run| run.stride == sum && run.c_offset == run.tile_index * sum)
            {
                self.runs.truncate(start);
            }
            self.runs_of_panel.push((panel.units_before, start..self.runs.len()));
        }
    }

    /// The runs of the panel that starts with this vector. `None` if its vectors are contiguous in C.
    #[inline(always)]
    pub(crate) fn runs(&self, vector: usize) -> Option<&[Run]> {
        if self.is_contiguous {
            return None;
        }
        let Ok(i) = self.runs_of_panel.binary_search_by_key(&vector, |&(start, ..)| start) else {
            unreachable!("each panel has an entry")
        };
        let runs = &self.runs[self.runs_of_panel[i].1.clone()];
        (!runs.is_empty()).then_some(runs)
    }
}

/// The vectors in a row of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<'a> {
    /// Their runs in C, if they are not contiguous.
    pub(crate) runs: Option<&'a [Run]>,
    pub(crate) count: usize,
    /// A vector that crosses the end of a run of C.
    pub(crate) split: Option<SplitVector>,
}

/// Computes a tile whose rows have no constant stride in C, or whose vectors are not contiguous: in a
/// buffer, which is then merged into C run by run.
///
/// # Safety
///
/// Same as [`MicroKernel`], for the first tile of a batch. `rows` are its rows in C, and `vectors` the
/// vectors of a row.
pub(crate) unsafe fn scatter(
    kernels: &Kernels,
    micro: MicroKernel,
    batch: &Batch,
    scale: AnyScale<'_>,
    (cm, rows): (&Offsets<'_>, &Range<usize>),
    vectors: Vectors<'_>,
) {
    let Shapes { lanes, sum, .. } = kernels.shapes;
    let Vectors { runs, count, split } = vectors;
    let mut buffer = MaybeUninit::<[u64; MAX_ROWS * ROW_BYTES / size_of::<u64>()]>::uninit();
    let sums = buffer.as_mut_ptr().cast::<u8>();
    let buffered = Batch {
        c: sums,
        c_row: ROW_BYTES,
        c_vectors: contiguous_vectors(lanes * sum),
        c_location: CacheLevel::Any,
        tiles_m: 1,
        tiles_n: 1,
        ..*batch
    };
    let mut offsets = [0; MAX_ROWS];
    for (offset, row) in offsets.iter_mut().zip(rows.clone()) {
        // Offsets may be negative: they wrap, as does the addition to a pointer.
        *offset = cm.at(row).wrapping_sub(cm.at(rows.start)).wrapping_mul(sum);
    }
    let mut own = [Run::default(); MAX_VECTORS + 1];
    let runs = runs.unwrap_or_else(|| {
        let mut len = 0;
        let mut push = |run: Run| {
            own[len] = run;
            len += 1;
        };
        for (i, &c_offset) in batch.c_vectors[..count].iter().enumerate() {
            let used = if i + 1 == count { batch.last_lanes } else { lanes };
            let split = split.filter(|split| split.index == i);
            let len = split.map_or(used, |split| split.lanes);
            push(Run { tile_index: i * lanes, c_offset, len, stride: sum });
            if let Some(SplitVector { rest, .. }) = split {
                let (tile_index, len) = (i * lanes + len, used - len);
                push(Run { tile_index, c_offset: rest, len, stride: sum });
            }
        }
        &own[..len]
    });
    let tile = BufferedTile {
        sums,
        width: ROW_BYTES / sum,
        c: batch.c,
        rows: &offsets[..rows.len()],
        runs,
    };
    // SAFETY: the buffer has room for the rows and vectors of the tile. It then has all of its
    // accumulators, and `tile` has their places in C.
    unsafe {
        micro(&buffered, kernels.assign);
        (kernels.merge)(&tile, scale);
    }
}
