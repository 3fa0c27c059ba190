//! `Steps`: how the words of an operand that is used in place follow each other along K.

use crate::gemm::problem::offsets::Offsets;

/// Runs of words. The words of a run are at one distance, and so are the runs: a filter that slides over
/// an image meets a run in each of its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    /// Elements from a word to the next one of its run, and from the end of a run to the next run: 0 where
    /// there is one.
    pub(crate) step: usize,
    pub(crate) skip: usize,
    /// The words of a run, and how many runs there are.
    pub(crate) run: usize,
    pub(crate) runs: usize,
}

/// The fewest words of a run that is one of several: to go on elsewhere takes as long as a step.
const MIN_RUN: usize = 6;

impl Steps {
    /// The words along `k`; a word has `depth` elements. `None` where `depth` elements that follow each
    /// other are no word, and where words have more than two distances.
    pub(crate) fn new(k: &Offsets<'_>, is_word: bool, depth: usize) -> Option<Self> {
        let is_whole =
            |elements: usize| depth == 1 || k.stride == 1 && elements.is_multiple_of(depth);
        let step = if depth == 1 { k.stride } else { depth };
        let (distance, runs) = k.second;
        if !is_word {
            None
        } else if k.is_linear() {
            is_whole(k.size).then_some(Self { step, skip: 0, run: k.size / depth, runs: 1 })
        } else if k.head == depth && depth > 1 && k.stride == 1 {
            // Each run is a word.
            k.runs.map(|step| Self { step, skip: 0, run: k.size / depth, runs: 1 })
        } else {
            let run = k.head / depth;
            let goes_on = is_whole(k.head) && run >= MIN_RUN && k.head * runs == k.size;
            // Wrapping: the next run may start before the end of this one.
            let skip = distance.wrapping_sub(run.wrapping_mul(step));
            goes_on.then_some(Self { step, skip, run, runs })
        }
    }

    /// Whether words are next to each other.
    pub(crate) fn is_consecutive(&self, depth: usize) -> bool {
        self.step == depth
    }

    /// Whether rows of consecutive words share elements, as the windows of an image do: the next row starts in
    /// a run of this one, or where another run does.
    pub(crate) fn overlap(&self, rows: &Offsets<'_>, depth: usize) -> bool {
        let next_run = self.skip.wrapping_add(self.run.wrapping_mul(self.step));
        let row = rows.stride;
        (1..self.run * depth).contains(&row)
            || self.runs > 1
                && row > 0
                && next_run.is_multiple_of(row)
                && next_run / row < rows.head
    }

    /// Whether a tile can go along K by these and the other operand's: both have the same runs, or one of
    /// them a single run.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.runs == 1 || other.runs == 1 || self.run == other.run
    }

    /// How a tile goes along K: the words of a run, and the runs. Operands that are packed have no steps
    /// here, and go on with any runs.
    pub(crate) fn runs_of(operands: [Option<Self>; 2], words: usize) -> (usize, usize) {
        let nested = operands.into_iter().flatten().find(|steps| steps.runs > 1);
        nested.map_or((words, 1), |steps| (steps.run, steps.runs))
    }
}
