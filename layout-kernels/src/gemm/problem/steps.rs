//! `Steps`: the strides along K of the words of an operand that is used in place.

use crate::gemm::problem::offsets::Offsets;

/// Runs of words along K. The words of a run have a constant stride, and so have the runs. In a
/// convolution, for example, a filter window has one run in each row of the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    /// In elements: the stride between the words of a run (`step`), and the offset from the end of a
    /// run to the start of the next (`skip`; 0 for a single run).
    pub(crate) step: usize,
    pub(crate) skip: usize,
    /// Words per run, and number of runs.
    pub(crate) run_len: usize,
    pub(crate) runs: usize,
}

/// Minimum words per run, if there are several runs: going on to the next run costs as much as a
/// step.
pub(crate) const MIN_RUN_WORDS: usize = 6;

impl Steps {
    /// Words of `depth` elements along `k`. `None` if `depth` contiguous elements are not a word in
    /// memory (`is_word`), if runs are not whole words, if the words need more than two strides, or
    /// if there are several runs below the minimum length.
    pub(crate) fn new(k: &Offsets<'_>, is_word: bool, depth: usize) -> Option<Self> {
        let is_whole =
            |elements: usize| depth == 1 || k.stride == 1 && elements.is_multiple_of(depth);
        let step = if depth == 1 { k.stride } else { depth };
        let (run_stride, runs) = k.outer[0];
        if !is_word {
            None
        } else if k.is_linear() {
            is_whole(k.size).then_some(Self { step, skip: 0, run_len: k.size / depth, runs: 1 })
        } else if k.run_len == depth && depth > 1 && k.stride == 1 {
            // Each run is a single word.
            k.uniform_run_stride.map(|step| Self {
                step,
                skip: 0,
                run_len: k.size / depth,
                runs: 1,
            })
        } else {
            let run_len = k.run_len / depth;
            let fits =
                is_whole(k.run_len) && run_len >= MIN_RUN_WORDS && k.run_len * runs == k.size;
            // Wrapping, since the next run may start before the end of this one.
            let skip = run_stride.wrapping_sub(run_len.wrapping_mul(step));
            fits.then_some(Self { step, skip, run_len, runs })
        }
    }

    /// The same steps in bytes, given the size of an element.
    pub(crate) fn in_bytes(self, element: usize) -> Self {
        let [step, skip] = [self.step, self.skip].map(|stride| stride.wrapping_mul(element));
        Self { step, skip, ..self }
    }

    /// Whether the words of a run are contiguous.
    pub(crate) fn is_contiguous(&self, depth: usize) -> bool {
        self.step == depth
    }

    /// Whether rows of contiguous words share elements, as the sliding windows of an image do: the
    /// next row starts within a run of this row, or at the start of another run.
    pub(crate) fn overlap(&self, rows: &Offsets<'_>, depth: usize) -> bool {
        let next_run = self.skip.wrapping_add(self.run_len.wrapping_mul(self.step));
        let row = rows.stride;
        (1..self.run_len * depth).contains(&row)
            || self.runs > 1
                && row > 0
                && next_run.is_multiple_of(row)
                && next_run / row < rows.run_len
    }

    /// Whether a tile can iterate along K over the words of both operands: their runs have equal
    /// length, or one of them has a single run.
    pub(crate) fn is_compatible(&self, other: &Self) -> bool {
        self.runs == 1 || other.runs == 1 || self.run_len == other.run_len
    }

    /// How a tile iterates along K over A, B and what it prefetches: words per run, and number of runs. Packed
    /// operands are `None` here; they are contiguous along K and fit any run length.
    pub(crate) fn runs_of(operands: [Option<Self>; 3], words: usize) -> (usize, usize) {
        let nested = operands.into_iter().flatten().find(|steps| steps.runs > 1);
        nested.map_or((words, 1), |steps| (steps.run_len, steps.runs))
    }
}
