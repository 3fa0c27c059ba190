//! Where the tiles of a block are in C, and tiles that do not lie there with one distance of rows and
//! whole vectors.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::batch::{Batch, Cache, MAX_VECTORS, Micro, consecutive};
use crate::gemm::kernel::table::{Kernels, MAX_ROWS, MAX_WIDTH};
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::scale::{Meeting, Run, Scale};
use crate::simd::prefetch_to_write;

/// Where the vectors of a panel's row are in C, from its first element.
pub(crate) enum Vectors<'a> {
    /// Each is consecutive.
    Whole([usize; MAX_VECTORS]),
    /// Runs. Each has at most the length of a vector.
    Pieces(&'a [Run]),
}

impl Vectors<'_> {
    /// Asks for the cache lines of rows of a panel that starts at `c`.
    pub(crate) fn prefetch<T>(
        &self,
        c: *const T,
        count: usize,
        lanes: usize,
        rows: impl Iterator<Item = usize>,
    ) {
        for row in rows {
            let row = c.wrapping_add(row);
            match self {
                Self::Whole(starts) => {
                    let starts = &starts[..count];
                    for (i, start) in starts.iter().enumerate() {
                        prefetch_to_write(row.wrapping_add(*start));
                        // Wrapping, as what is added to a pointer.
                        let end = start.wrapping_add(lanes);
                        if starts.get(i + 1) != Some(&end) {
                            prefetch_to_write(row.wrapping_add(end).wrapping_sub(1));
                        }
                    }
                }
                Self::Pieces(runs) => {
                    for run in *runs {
                        prefetch_to_write(row.wrapping_add(run.to));
                    }
                }
            }
        }
    }
}

/// Where the panels of a block of B are in C.
#[derive(Default)]
pub(crate) struct Panels {
    lanes: usize,
    /// Whether all vectors follow each other, and there is no table.
    pub(crate) linear: bool,
    /// For each vector where a panel starts, the runs of the panel; none where its vectors are whole.
    ends: Vec<(usize, [usize; MAX_VECTORS], Range<usize>)>,
    pub(crate) runs: Vec<Run>,
}

impl Panels {
    /// Finds out for a block.
    pub(crate) fn set(&mut self, cn: &Offsets<'_>, cuts: &Cuts, lanes: usize) {
        self.lanes = lanes;
        self.linear = cuts.are_apart() || cn.is_linear() && (cn.stride == 1 || cn.size == 1);
        self.ends.clear();
        self.runs.clear();
        if self.linear {
            return;
        }
        for panel in cuts.iter() {
            let columns = panel.first();
            let start = self.runs.len();
            let whole = cn.vectors(columns.clone(), lanes);
            let mut column = columns.start;
            while column < columns.end && whole.is_none() {
                let (count, distance) = cn.run(column..columns.end);
                let from = column - columns.start;
                let count = if distance == 1 { count.min(lanes - from % lanes) } else { count };
                let to = cn.at(column).wrapping_sub(cn.at(columns.start));
                self.runs.push(Run { from, to, count, distance });
                column += count;
            }
            self.ends.push((panel.units_before, whole.unwrap_or_default(), start..self.runs.len()));
        }
    }

    /// The vectors of the panel that starts with a vector.
    #[inline(always)]
    pub(crate) fn at(&self, vector: usize) -> Vectors<'_> {
        if self.linear {
            return Vectors::Whole(consecutive(self.lanes));
        }
        let Ok(i) = self.ends.binary_search_by_key(&vector, |&(start, ..)| start) else {
            unreachable!("each panel has an entry")
        };
        let (_, whole, runs) = &self.ends[i];
        match runs.is_empty() {
            true => Vectors::Whole(*whole),
            false => Vectors::Pieces(&self.runs[runs.clone()]),
        }
    }
}

/// The runs of rows that have one distance in C, if there are few.
pub(crate) fn runs_of(cm: &Offsets<'_>, rows: &Range<usize>) -> usize {
    let (mut row, mut runs) = (rows.start, 0);
    while row < rows.end {
        row += cm.run(row..rows.end).0;
        runs += 1;
    }
    if 3 * runs <= rows.len() { runs } else { 0 }
}

/// A tile as one tile for each run of rows that have one distance in C.
///
/// # Safety
///
/// As [`Micro`], for a batch whose rows are these of C, with so many vectors.
pub(crate) unsafe fn by_runs<X, Y, T>(
    kernels: &Kernels<X, Y, T>,
    batch: &Batch<T>,
    scale: &Scale<T>,
    (cm, rows): (&Offsets<'_>, &Range<usize>),
    vectors: usize,
) {
    let mut row = rows.start;
    while row < rows.end {
        let (count, c_row) = cm.run(row..rows.end);
        let micro = kernels.tile(count, vectors, batch.last < kernels.shapes.lanes);
        // Wrapping, but the first row of A and of C.
        let part = Batch {
            a: batch.a.wrapping_add((row - rows.start) * batch.a_row),
            c: batch.c.wrapping_add(cm.at(row).wrapping_sub(cm.at(rows.start))),
            c_row,
            ..*batch
        };
        // SAFETY: as required here, for some of the rows.
        unsafe { micro(&part, scale) };
        row += count;
    }
}

/// A tile whose rows are not at one distance in C, or whose vectors are not consecutive: it is made
/// in a buffer, and then meets C in pieces of vectors.
///
/// # Safety
///
/// As [`Micro`], for the first tile of a batch, whose rows and vectors are these of C; a row has `count`
/// vectors.
pub(crate) unsafe fn scatter<X, Y, T: Sum>(
    kernels: &Kernels<X, Y, T>,
    micro: Micro<T>,
    batch: &Batch<T>,
    scale: &Scale<T>,
    (cm, rows): (&Offsets<'_>, &Range<usize>),
    (vectors, count): (&Vectors<'_>, usize),
) {
    let lanes = kernels.shapes.lanes;
    let mut sums = MaybeUninit::<[T; MAX_ROWS * MAX_WIDTH]>::uninit();
    let buffered = Batch {
        c: sums.as_mut_ptr().cast(),
        c_row: MAX_WIDTH,
        c_vectors: consecutive(lanes),
        c_in: Cache::Any,
        down: 1,
        across: 1,
        ..*batch
    };
    let mut offsets = [0; MAX_ROWS];
    for (offset, row) in offsets.iter_mut().zip(rows.clone()) {
        // Wrapping, as what is added to a pointer.
        *offset = cm.at(row).wrapping_sub(cm.at(rows.start));
    }
    let mut whole = [Run::default(); MAX_VECTORS];
    let runs = match vectors {
        Vectors::Pieces(runs) => *runs,
        Vectors::Whole(starts) => {
            for (i, (run, &to)) in whole.iter_mut().zip(starts).enumerate() {
                let count = if i + 1 == count { batch.last } else { lanes };
                *run = Run { from: i * lanes, to, count, distance: 1 };
            }
            &whole[..count]
        }
    };
    let meeting = Meeting {
        sums: sums.as_ptr().cast(),
        width: MAX_WIDTH,
        c: batch.c,
        rows: &offsets[..rows.len()],
        runs,
    };
    // SAFETY: the buffer has the rows and the vectors of the tile; then it has all of its sums,
    // whose places these are.
    unsafe {
        micro(&buffered, &Scale::new(T::ONE, T::ZERO));
        (kernels.merge)(&meeting, scale);
    }
}
