//! `Offsets`: the offsets of one mode of an operand, as a constant stride or a table.

use core::ops::Range;

use crate::gemm::problem::mode::coalesces;

/// Offsets of the coordinates of a mode: one constant stride, or a table. In elements.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offsets<'a> {
    pub(crate) size: usize,
    /// Number of leading coordinates with a constant stride (the first run), and that stride.
    pub(crate) run_len: usize,
    pub(crate) stride: usize,
    /// The next two axes: the stride between runs and the number of runs with it, and the same for
    /// groups of these runs. The count is 1 if there is no such axis.
    pub(crate) outer: [(usize, usize); 2],
    /// Stride between runs, if the same stride holds for all of them.
    pub(crate) uniform_run_stride: Option<usize>,
    /// Empty if `run_len` covers all coordinates.
    table: &'a [usize],
}

impl<'a> Offsets<'a> {
    /// Mode of axes `(extent, stride)`, the fastest first. Adjacent axes that coalesce are merged.
    /// The table stays empty.
    pub(crate) fn of_axes(axes: impl Iterator<Item = (usize, usize)>) -> Self {
        let (mut size, mut len, mut leaves) = (1, 0, [(1, 0); 3]);
        let mut last: (usize, usize) = (1, 0);
        for (extent, stride) in axes {
            size *= extent;
            if extent == 1 {
                continue;
            }
            if len > 0 && coalesces(last.0, last.1, stride) {
                last.0 *= extent;
            } else {
                last = (extent, stride);
                len += 1;
            }
            if let 1..=3 = len {
                leaves[len - 1] = last;
            }
        }
        let [(run_len, stride), outer @ ..] = leaves;
        let outer = outer.map(|(count, stride)| (stride, count));
        let uniform_run_stride = if len == 2 { Some(outer[0].0) } else { None };
        Self { size, run_len, stride, outer, uniform_run_stride, table: &[] }
    }

    /// The same mode with a table of its offsets.
    pub(crate) const fn with_table(self, table: &'a [usize]) -> Self {
        Self { table, ..self }
    }

    /// The first contiguous axis after the first run: the stride of its coordinates in the mode, and
    /// their number.
    pub(crate) fn contiguous_axis(&self) -> Option<(usize, usize)> {
        let [next, last] = self.outer;
        let axes = [(next, self.run_len), (last, self.run_len * next.1)];
        let contiguous = axes.into_iter().find(|((stride, count), _)| *stride == 1 && *count > 1);
        contiguous.map(|((_, count), coordinate_stride)| (coordinate_stride, count))
    }

    /// Whether all coordinates have one constant stride.
    pub(crate) const fn is_linear(&self) -> bool {
        self.run_len == self.size
    }

    /// Offset of a coordinate.
    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> usize {
        if self.is_linear() { i * self.stride } else { self.table[i] }
    }

    /// Stride of the coordinates in `range`; `None` if it is not constant. 0 for a single coordinate
    /// of a table.
    #[inline(always)]
    pub(crate) fn stride_of(&self, range: Range<usize>) -> Option<usize> {
        if self.is_linear() { Some(self.stride) } else { constant_stride(&self.table[range]) }
    }

    /// Length of the longest prefix of `range` with a constant stride, and that stride. `(1, 0)` if
    /// the second offset is below the first.
    pub(crate) fn linear_prefix(&self, range: Range<usize>) -> (usize, usize) {
        if self.is_linear() {
            return (range.len(), self.stride);
        }
        let offsets = &self.table[range];
        let step = match offsets {
            [first, second, ..] if first <= second => second - first,
            _ => return (1, 0),
        };
        let rest = offsets.windows(2).take_while(|pair| pair[0] + step == pair[1]);
        (1 + rest.count(), step)
    }

    /// Whether the coordinates in each block of `lanes`, counted from 0, have stride `step`. The last
    /// block may be shorter.
    pub(crate) fn blocks_have_stride(&self, lanes: usize, step: usize) -> bool {
        self.size == 1
            || self.stride == step && (self.is_linear() || self.run_len.is_multiple_of(lanes))
    }

    /// Stride between blocks of `lanes` coordinates in `range`; `None` if it is not constant. 0 for a
    /// single block of a table.
    pub(crate) fn block_stride(&self, range: Range<usize>, lanes: usize) -> Option<usize> {
        if self.is_linear() {
            return Some(lanes * self.stride);
        }
        let Range { start, end } = range;
        if start + lanes >= end {
            return Some(0);
        }
        let step = self.at(start + lanes).checked_sub(self.at(start))?;
        (start..end - lanes)
            .step_by(lanes)
            .all(|i| self.at(i) + step == self.at(i + lanes))
            .then_some(step)
    }
}

/// Difference between successive offsets; `None` if it is not constant. 0 for a single offset.
fn constant_stride(offsets: &[usize]) -> Option<usize> {
    let Some(&second) = offsets.get(1) else { return Some(0) };
    let step = second.checked_sub(offsets[0])?;
    offsets.windows(2).all(|pair| pair[0] + step == pair[1]).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::problem::mode::Mode;

    fn with(text: &str, check: impl Fn(&Mode, Offsets<'_>)) {
        let mode = Mode::parse(text);
        let offsets = (0..mode.size()).map(|i| mode.offset(i));
        let table: Vec<_> = if mode.extents().len() <= 1 { vec![] } else { offsets.collect() };
        let axes = mode.extents().iter().copied().zip(mode.strides().iter().copied());
        let along = Offsets::of_axes(axes).with_table(&table);
        assert_eq!(along.size, mode.size());
        check(&mode, along);
    }

    #[test]
    fn offsets_are_those_of_the_mode() {
        for text in ["7:3", "1:5", "(2,3):(1,2)", "(4,3,5):(2,1,100)", "(2,6):(0,7)"] {
            with(text, |mode, along| {
                for i in 0..mode.size() {
                    assert_eq!(along.at(i), mode.offset(i), "{text} at {i}");
                    for j in i + 1..=mode.size() {
                        let offsets: Vec<usize> = (i..j).map(|i| mode.offset(i)).collect();
                        let (n, step) = along.linear_prefix(i..j);
                        assert!(n >= 1 && n <= j - i);
                        for (k, offset) in offsets[..n].iter().enumerate() {
                            assert_eq!(*offset, offsets[0] + k * step, "{text} {i}..{j}");
                        }
                        if let Some(step) = along.stride_of(i..j) {
                            for (k, offset) in offsets.iter().enumerate() {
                                assert_eq!(*offset, offsets[0] + k * step, "{text} {i}..{j}");
                            }
                        } else {
                            assert!(n < j - i, "{text} {i}..{j}");
                        }
                    }
                }
            });
        }
    }

    #[test]
    fn blocks_have_one_stride() {
        with("(4,6):(1,100)", |_, along| {
            assert_eq!(along.block_stride(0..24, 4), Some(100));
            assert_eq!(along.block_stride(4..12, 4), Some(100));
            assert_eq!(along.block_stride(0..24, 2), None);
            assert_eq!(along.block_stride(0..4, 2), Some(2));
            assert_eq!(along.block_stride(20..24, 4), Some(0));
        });
    }
}
