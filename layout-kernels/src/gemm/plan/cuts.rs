//! `Cuts`: the rows or columns of a block, cut into pieces for register tiles.
//!
//! A mode of several axes consists of runs along its first axis, as an image consists of rows. No piece
//! crosses the end of a run, unless runs are joined. So the elements of a piece have a constant stride,
//! and pieces at the same position of several runs can form one batch.

use core::iter;
use core::ops::Range;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::partition::Partition;
use crate::gemm::problem::offsets::Offsets;

/// Pieces of equally long runs. A piece consists of units of `lanes` coordinates: vectors along N,
/// single rows along M. The last unit of a run is possibly partial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuts {
    /// The units of a run.
    units: Partition,
    /// Coordinates per run, number of runs, and number of successive runs with a constant stride.
    len: usize,
    runs: usize,
    linear_runs: usize,
    lanes: usize,
    /// Number of joined runs that each run consists of.
    joined: usize,
}

/// Pieces of equal size with a constant stride, described by the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// First coordinate of the first piece, and number of units before it.
    pub(crate) start: usize,
    pub(crate) units_before: usize,
    /// Units per piece, and coordinates per piece: fewer than `size * lanes` if the last unit is
    /// partial.
    pub(crate) size: usize,
    pub(crate) len: usize,
    pub(crate) count: usize,
    /// Stride between pieces: in coordinates, and in units.
    pub(crate) stride: usize,
    pub(crate) unit_stride: usize,
}

impl Group {
    /// Coordinates of the first piece.
    pub(crate) fn first(&self) -> Range<usize> {
        self.start..self.start + self.len
    }

    /// The first `count` of these pieces.
    pub(crate) fn first_pieces(self, count: usize) -> Self {
        Self { count, ..self }
    }

    /// The pieces after the first `count` ones.
    pub(crate) fn without(self, count: usize) -> Self {
        Self {
            start: self.start + count * self.stride,
            units_before: self.units_before + count * self.unit_stride,
            count: self.count - count,
            ..self
        }
    }
}

impl Cuts {
    /// Pieces of at most `max_units` units of `lanes` coordinates that stay within runs of `run`
    /// coordinates with a constant stride. `linear_runs` successive runs have a constant stride, too.
    pub(crate) fn of_runs(
        size: usize,
        (run, linear_runs): (usize, usize),
        max_units: usize,
        lanes: usize,
    ) -> Self {
        debug_assert!(size.is_multiple_of(run));
        let units = Partition::new(run.div_ceil(lanes), max_units);
        Self { units, len: run, runs: size / run, linear_runs, lanes, joined: 1 }
    }

    /// Pieces that cross the ends of runs: `joined` runs of `run` coordinates are cut as one, and
    /// `linear_runs` successive ones have a constant stride. `None` if they are not whole units, or if
    /// a piece has two units that cross the end of a run.
    pub(crate) fn of_joined_runs(
        size: usize,
        (run, joined): (usize, usize),
        linear_runs: usize,
        max_units: usize,
        lanes: usize,
    ) -> Option<Self> {
        let len = run * joined;
        if !size.is_multiple_of(len) || !len.is_multiple_of(lanes) {
            return None;
        }
        let cuts = Self { joined, ..Self::of_runs(size, (len, linear_runs), max_units, lanes) };
        let splits_once = |i: usize| cuts.splits(&cuts.piece(i)).count() <= 1;
        (0..cuts.units.count()).all(splits_once).then_some(cuts)
    }

    /// Number of joined runs that each run consists of.
    pub(crate) const fn joined(&self) -> usize {
        self.joined
    }

    /// Whether units cross the ends of joined runs.
    pub(crate) const fn has_splits(&self) -> bool {
        self.joined > 1 && !(self.len / self.joined).is_multiple_of(self.lanes)
    }

    /// The units of a piece that cross the end of a joined run: the index of each, and the number of
    /// its coordinates before that end.
    pub(crate) fn splits(&self, piece: &Group) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (run, lanes, start) = (self.len / self.joined, self.lanes, piece.start);
        let before_end = move |i: usize| (i, run - (start + i * lanes) % run);
        let units = if self.has_splits() { 0..piece.size } else { 0..0 };
        units.map(before_end).filter(move |&(_, before_end)| before_end < lanes)
    }

    /// Whether the coordinates of each piece have a constant stride along a mode, the same for all
    /// pieces of a run.
    pub(crate) const fn are_regular(&self, along: &Offsets<'_>) -> bool {
        self.len <= along.run_len
    }

    /// Whether pieces at the same position of runs can be packed together, along an axis with this
    /// stride between coordinates.
    pub(crate) const fn are_regular_across(&self, stride: usize) -> bool {
        stride.is_multiple_of(self.len)
    }

    /// Units of the largest piece.
    pub(crate) const fn largest(&self) -> usize {
        self.units.largest()
    }

    /// Number of units in all pieces.
    pub(crate) const fn unit_count(&self) -> usize {
        self.units.total() * self.runs
    }

    /// Number of pieces.
    pub(crate) const fn count(&self) -> usize {
        self.units.count() * self.runs
    }

    /// How many tiles prefetch, if each of these pieces of rows is a tile.
    pub(crate) fn prefetching(&self, pieces: Range<usize>, shapes: &Shapes) -> usize {
        let rows = self.units(pieces.clone()).len();
        pieces.len().min(rows / shapes.prefetching().min_rows)
    }

    /// The units of a range of pieces.
    pub(crate) fn units(&self, pieces: Range<usize>) -> Range<usize> {
        let before = |i: usize| match i == self.count() {
            true => self.unit_count(),
            false => self.piece(i).units_before,
        };
        before(pieces.start)..before(pieces.end)
    }

    /// The piece with index `i`.
    pub(crate) fn piece(&self, i: usize) -> Group {
        self.group(i, i + 1, 1)
    }

    /// All pieces, one by one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Group> + use<> {
        self.groups(1, false)
    }

    /// The pieces of an index range in order, in groups of at most `max_count`. A piece with a partial
    /// unit is a group of its own.
    pub(crate) fn batches(
        &self,
        pieces: Range<usize>,
        max_count: usize,
    ) -> impl Iterator<Item = Group> + use<> {
        let (cuts, mut next, end) = (*self, pieces.start, pieces.end);
        iter::from_fn(move || {
            let group = (next < end).then(|| cuts.group(next, end, max_count))?;
            next += group.count;
            Some(group)
        })
    }

    /// All pieces, in groups over `count` runs that are `stride` coordinates apart. A group has the
    /// pieces at the same position of these runs.
    pub(crate) fn across_runs(
        &self,
        count: usize,
        stride: usize,
    ) -> impl Iterator<Item = Group> + use<> {
        let (cuts, of_run, between) = (*self, self.units.count(), stride / self.len);
        let unit_stride = between * self.units.total();
        (0..self.runs).filter(move |run| run / between % count == 0).flat_map(move |run| {
            let pieces = run * of_run..(run + 1) * of_run;
            pieces.map(move |i| Group { count, stride, unit_stride, ..cuts.piece(i) })
        })
    }

    /// All pieces, in groups of at most `max_count`. If `over_runs`, pieces at the same position of
    /// successive runs form a group instead, provided that there are more such runs than pieces in a
    /// run.
    pub(crate) fn groups(
        &self,
        max_count: usize,
        over_runs: bool,
    ) -> impl Iterator<Item = Group> + use<> {
        let (cuts, of_run) = (*self, self.units.count());
        let runs = if over_runs && self.linear_runs > of_run { self.linear_runs } else { 1 };
        let (mut run, mut next) = (0, 0);
        iter::from_fn(move || {
            if run >= cuts.runs || of_run == 0 {
                return None;
            }
            let first = run * of_run + next;
            let group = match runs {
                1 => cuts.group(first, (run + 1) * of_run, max_count),
                _ => Group {
                    count: runs.min(cuts.runs - run),
                    stride: cuts.len,
                    unit_stride: cuts.units.total(),
                    ..cuts.piece(first)
                },
            };
            next += if runs == 1 { group.count } else { 1 };
            if next == of_run {
                (run, next) = (run + runs, 0);
            }
            Some(group)
        })
    }

    /// The pieces from `i` on, before `end`, that have the size of piece `i` and are in its run.
    fn group(&self, i: usize, end: usize, max_count: usize) -> Group {
        let Self { units, len, lanes, .. } = *self;
        let of_run = units.count();
        let (run, first) = (i / of_run, i % of_run);
        let mut end = of_run.min(end - run * of_run);
        if !len.is_multiple_of(lanes) && first + 1 < of_run {
            end = end.min(of_run - 1);
        }
        let batch = units.batch(first, end);
        let start = batch.start * lanes;
        Group {
            start: run * len + start,
            units_before: run * units.total() + batch.start,
            size: batch.size,
            len: (batch.size * lanes).min(len - start),
            count: batch.count.min(max_count),
            stride: batch.size * lanes,
            unit_stride: batch.size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the coordinates of groups, and checks their units and fields.
    fn cover(cuts: &Cuts, groups: impl Iterator<Item = Group>, lanes: usize) -> Vec<usize> {
        let (mut seen, mut units) = (Vec::new(), Vec::new());
        for group in groups {
            assert!(group.count > 0 && group.len.div_ceil(lanes) == group.size, "{group:?}");
            for i in 0..group.count {
                let start = group.start + i * group.stride;
                seen.extend(start..start + group.len);
                let first = group.units_before + i * group.unit_stride;
                units.extend(first..first + group.size);
                assert_eq!(start / cuts.len, (start + group.len - 1) / cuts.len, "{group:?}");
            }
        }
        units.sort_unstable();
        assert_eq!(units, (0..cuts.units.total() * cuts.runs).collect::<Vec<_>>());
        seen
    }

    fn all_once(cuts: &Cuts, size: usize, lanes: usize) {
        let all: Vec<usize> = (0..size).collect();
        for few in [1, 2, usize::MAX] {
            assert_eq!(cover(cuts, cuts.batches(0..cuts.count(), few), lanes), all);
        }
        for (few, over_runs) in [(1, false), (usize::MAX, false), (usize::MAX, true)] {
            let mut across = cover(cuts, cuts.groups(few, over_runs), lanes);
            across.sort_unstable();
            assert_eq!(across, all);
        }
        let pieces: Vec<Group> = cuts.iter().collect();
        assert_eq!(pieces.len(), cuts.count());
        for (i, piece) in pieces.iter().enumerate() {
            assert_eq!(*piece, cuts.piece(i));
        }
    }

    #[test]
    fn pieces_cover_all_once_and_stay_in_their_runs() {
        for lanes in [1, 4, 8] {
            for run in [1, 2, 3, 5, 7, 8, 12, 24, 28] {
                for (runs, linear_runs) in [(1, 1), (2, 2), (6, 3), (12, 12)] {
                    for max_units in [1, 2, 3, 6, 12] {
                        let size = run * runs;
                        let cuts = Cuts::of_runs(size, (run, linear_runs), max_units, lanes);
                        all_once(&cuts, size, lanes);
                        let fits = |n: &usize| runs % (linear_runs * n) == 0;
                        for between in [1, 2].into_iter().filter(fits) {
                            let across = cuts.across_runs(linear_runs, between * run);
                            let mut across = cover(&cuts, across, lanes);
                            across.sort_unstable();
                            assert_eq!(across, (0..size).collect::<Vec<_>>());
                        }
                    }
                }
            }
        }
    }
}
