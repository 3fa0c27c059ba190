//! `Pieces`: a mode cut into blocks. A block is a box: one range of each axis. Its offsets then fit a
//! small table, and it covers whole cache lines of each operand.

use core::ops::Range;

use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Axes;
use crate::par::part_start;

/// A range of each axis of a mode.
pub(crate) type Part = Vec<Range<usize>>;

impl Axes {
    /// The whole mode.
    pub(crate) fn all(&self) -> Part {
        self.axes.iter().map(|axis| 0..axis.extent).collect()
    }

    /// The first offset of a block in an operand.
    pub(crate) fn first(&self, block: &[Range<usize>], which: usize) -> usize {
        first(block, |axis| self.axes[axis].strides[which])
    }

    /// Part `i` of `count` parts of the mode. Cuts along the first axis are at multiples of `unit`.
    /// Parts may be empty.
    // Not inlined: callers would take long to compile. The same holds for `extents`.
    #[inline(never)]
    pub(crate) fn part(&self, i: usize, count: usize, unit: usize) -> Part {
        let mut part = self.all();
        // Cut the slowest axis that has at least two units per part, so that parts are far from each
        // other in memory. If no axis is that long, cut the longest one.
        let units = |axis: usize| {
            let unit = if axis == 0 { unit } else { 1 };
            (self.axes[axis].extent.div_ceil(unit), unit)
        };
        let axes = 0..self.axes.len();
        let longest = axes.clone().max_by_key(|&axis| units(axis).0);
        if let Some(axis) =
            axes.rev().find(|&axis| units(axis).0 >= count.saturating_mul(2)).or(longest)
        {
            let ((units, unit), extent) = (units(axis), self.axes[axis].extent);
            let end = |i| (part_start(units, i, count) * unit).min(extent);
            part[axis] = end(i)..end(i + 1);
        }
        part
    }
}

/// Extents of the blocks of a part. A block has at most `max_size` coordinates, but at least one unit.
/// `wishes` are pairs of an axis and a length; they are served first, in order. Then axes are taken
/// whole, from the first one on, as far as there is room. Along the first axis blocks are whole
/// units; along the next ones, too, if there is room for a unit.
#[inline(never)]
pub(crate) fn extents(
    part: &[Range<usize>],
    max_size: usize,
    units: &[usize],
    wishes: &[(usize, usize)],
) -> Vec<usize> {
    let whole: Vec<usize> = part.iter().map(|range| range.len().max(1)).collect();
    // Fast path for the common case of one block. The code below has many divisions.
    if whole.iter().product::<usize>() <= max_size {
        return whole;
    }
    let mut extents = vec![1usize; part.len()];
    let all = (0..part.len()).map(|axis| (axis, usize::MAX));
    for (axis, wish) in wishes.iter().copied().chain(all) {
        let Some(&whole) = whole.get(axis) else { continue };
        let others: usize = extents.iter().product::<usize>() / extents[axis];
        let room = max_size / others;
        let unit = match units.get(axis) {
            Some(&unit) if axis == 0 || room >= unit => unit,
            _ => 1,
        };
        let room = (room / unit).max(1) * unit;
        let wanted = wish.min(room).div_ceil(unit).saturating_mul(unit);
        let wanted = wanted.min(whole).max(extents[axis]);
        // Balance the sizes of the blocks.
        let even = whole.div_ceil(unit).div_ceil(whole.div_ceil(wanted)) * unit;
        extents[axis] = even.min(wanted).max(extents[axis]);
    }
    extents
}

/// Iterates over the blocks of a part.
#[derive(Clone)]
pub(crate) struct Pieces<'a> {
    part: &'a [Range<usize>],
    extents: &'a [usize],
    at: Vec<Range<usize>>,
    started: bool,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(part: &'a [Range<usize>], extents: &'a [usize]) -> Self {
        Self { part, extents, at: Vec::new(), started: false }
    }

    /// The next block, whether it is the first, and whether it is the last. `None` after the last
    /// one.
    pub(crate) fn next(&mut self) -> Option<(&[Range<usize>], bool, bool)> {
        let first = !self.started;
        let block = |start: usize, axis: usize| {
            start..(start + self.extents[axis]).min(self.part[axis].end)
        };
        if first {
            self.started = true;
            if self.part.iter().any(Range::is_empty) {
                return None;
            }
            self.at = (0..self.part.len()).map(|axis| block(self.part[axis].start, axis)).collect();
        } else {
            let next = |axis: usize| self.at[axis].end < self.part[axis].end;
            let moved = (0..self.part.len()).find(|&axis| next(axis))?;
            self.at[moved] = block(self.at[moved].end, moved);
            for axis in 0..moved {
                self.at[axis] = block(self.part[axis].start, axis);
            }
        }
        let last = self.at.iter().zip(self.part).all(|(at, part)| at.end == part.end);
        Some((&self.at, first, last))
    }
}

/// The coordinates of a block: their offsets in two operands, and their linear coordinates in the
/// mode.
#[derive(Default)]
pub(crate) struct BlockOffsets {
    sequences: [Sequence; 3],
}

/// One such sequence of a block: its start, and a constant stride or a table relative to the start.
#[derive(Default)]
struct Sequence {
    first: usize,
    without_table: Offsets<'static>,
    table: Vec<usize>,
}

impl BlockOffsets {
    /// Moves to a block.
    pub(crate) fn set(&mut self, axes: &Axes, block: &[Range<usize>]) {
        for (which, sequence) in self.sequences.iter_mut().enumerate() {
            let stride = |axis: usize| match which {
                2 => axes.axes[axis].coordinate_stride,
                _ => axes.axes[axis].strides[which],
            };
            sequence.table.clear();
            sequence.first = first(block, stride);
            let axes = || block.iter().enumerate().map(|(i, r)| (r.len(), stride(i)));
            let without_table = Offsets::of_axes(axes());
            if !without_table.is_linear() {
                append_offsets(axes(), &mut sequence.table);
            }
            sequence.without_table = without_table;
        }
    }

    /// Offsets in an operand: a start, and the offset of each coordinate relative to it.
    pub(crate) fn in_operand(&self, which: usize) -> (usize, Offsets<'_>) {
        let Sequence { first, without_table, table } = &self.sequences[which];
        (*first, without_table.with_table(table))
    }

    /// Linear coordinates in the mode: the first one, and all relative to it.
    pub(crate) fn coordinates(&self) -> (usize, Offsets<'_>) {
        self.in_operand(2)
    }
}

/// The first offset of a block, given the strides of its axes. Does not overflow: this is at most the offset
/// of the last element.
fn first(block: &[Range<usize>], stride: impl Fn(usize) -> usize) -> usize {
    block.iter().enumerate().map(|(axis, range)| range.start * stride(axis)).sum()
}

/// Appends the offsets of all coordinates of some axes `(extent, stride)`.
fn append_offsets(axes: impl Iterator<Item = (usize, usize)>, table: &mut Vec<usize>) {
    table.push(0);
    for (extent, stride) in axes {
        let len = table.len();
        // Each axis repeats the offsets of the axes before it, shifted by its stride.
        for i in 1..extent {
            for j in 0..len {
                table.push(table[j] + i * stride);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::problem::matrix::ModeLeaves;
    use layout_core::engine::DynLayout;

    #[test]
    fn blocks_cover_a_mode_once() {
        for (first, second) in
            [("24:1", "(4,6):(6,1)"), ("(5,3,7):(1,100,7)", "(5,3,7):(21,1,3)"), ("1:0", "1:5")]
        {
            let layouts = [first, second].map(|text| DynLayout::parse(text).unwrap());
            let [x, y] = layouts.each_ref().map(ModeLeaves::all);
            let axes = Axes::new(&x, &y).unwrap();
            for (max_size, unit, wishes) in
                [(1, 1, vec![]), (8, 4, vec![(1, 2)]), (24, 2, vec![(2, 4), (0, 3)])]
            {
                for count in [1, 3] {
                    let mut seen = vec![0; axes.size()];
                    let mut offsets = BlockOffsets::default();
                    for part in (0..count).map(|i| axes.part(i, count, unit)) {
                        let extents = extents(&part, max_size, &[unit], &wishes);
                        let mut pieces = Pieces::new(&part, &extents);
                        while let Some((block, ..)) = pieces.next() {
                            offsets.set(&axes, block);
                            let (start, coordinates) = offsets.coordinates();
                            assert!(coordinates.size <= max_size.max(unit));
                            for i in 0..coordinates.size {
                                let at = start + coordinates.at(i);
                                seen[at] += 1;
                                for (which, layout) in layouts.iter().enumerate() {
                                    let (first, along) = offsets.in_operand(which);
                                    let offset = first.wrapping_add(along.at(i));
                                    assert_eq!(offset, layout.offset_of_index(at), "{first} {at}");
                                }
                            }
                        }
                    }
                    assert!(seen.iter().all(|&seen| seen == 1), "{first} {max_size} {seen:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_and_the_last_block_are_marked() {
        let (part, extents) = (vec![0..5, 2..4], vec![2, 1]);
        let mut pieces = Pieces::new(&part, &extents);
        let mut ends = Vec::new();
        while let Some((_, first, last)) = pieces.next() {
            ends.push([first, last]);
        }
        assert_eq!(ends.len(), 6);
        assert_eq!((ends[0], ends[5]), ([true, false], [false, true]));
        assert!(ends[1..5].iter().all(|ends| *ends == [false; 2]));
    }

    #[test]
    fn blocks_have_what_is_wished_first() {
        let part = vec![0..216, 0..216];
        let wishes = [(0, 48), (1, 16)];
        assert_eq!(extents(&part, 1024, &[48, 16], &wishes), [48, 16]);
        assert_eq!(extents(&part, 10_000, &[48, 16], &wishes), [216, 32]);
        assert_eq!(extents(&part, 10_000, &[48, 1], &wishes), [216, 44]);
        assert_eq!(extents(&part, 200, &[48, 16], &wishes), [48, 4]);
        let one = core::slice::from_ref(&(0..1000));
        assert_eq!(extents(one, 432, &[48], &[]), [336]);
        assert_eq!(extents(one, 7, &[48], &[]), [48]);
        assert_eq!(extents(&[], 400, &[48], &[(0, 48)]), [0; 0]);
    }
}
