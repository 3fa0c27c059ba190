//! Boxes of coordinates, and how to cut them at core boundaries.

use core::fmt;
use core::ops::Range;

use crate::devices::MAX_DIMENSIONS;
use crate::devices::numbers::array;

/// A box of coordinates: a range in each dimension, never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Region {
    start: [usize; MAX_DIMENSIONS],
    end: [usize; MAX_DIMENSIONS],
    rank: usize,
}

impl Region {
    /// The box of all coordinates of a shape, which has at most [`MAX_DIMENSIONS`] dimensions.
    #[inline]
    pub(in crate::devices) const fn all(shape: &[usize]) -> Self {
        Self { start: [0; MAX_DIMENSIONS], end: array(shape, 1), rank: shape.len() }
    }

    /// The smallest coordinate.
    pub const fn start(&self) -> &[usize] {
        self.start.split_at(self.rank).0
    }

    /// One past the largest coordinate, in each dimension.
    pub const fn end(&self) -> &[usize] {
        self.end.split_at(self.rank).0
    }

    /// The range of each dimension.
    #[inline]
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        self.start().iter().zip(self.end()).map(|(&start, &end)| start..end)
    }

    /// Number of coordinates.
    #[inline]
    pub const fn size(&self) -> usize {
        let mut size = 1;
        repeat!(d, 0..self.rank, {
            size *= self.end[d] - self.start[d];
        });
        size
    }

    /// Calls `visit` with each coordinate, the last dimension fastest.
    pub fn for_each(&self, mut visit: impl FnMut(&[usize])) {
        let mut at = self.start;
        loop {
            visit(at.split_at(self.rank).0);
            let mut d = self.rank;
            loop {
                if d == 0 {
                    return;
                }
                d -= 1;
                at[d] += 1;
                if at[d] < self.end[d] {
                    break;
                }
                at[d] = self.start[d];
            }
        }
    }

    /// The smallest and the largest dot product of `row` and a coordinate.
    #[inline]
    pub(in crate::devices) const fn span(&self, row: &[usize]) -> (usize, usize) {
        let (mut least, mut most) = (0, 0);
        repeat!(d, 0..self.rank, {
            least += row[d] * self.start[d];
            most += row[d] * (self.end[d] - 1);
        });
        (least, most)
    }

    /// Cuts the box in two to separate the sums below `boundary` from the others. The boundary must
    /// lie within the span of `row`, so that both exist.
    ///
    /// Cuts the dimension with the largest step. If possible, the first part is below the boundary
    /// whatever the other dimensions add; else the second part is never below it; else a single step
    /// is cut off.
    #[inline]
    pub(in crate::devices) const fn cut(&self, row: &[usize], boundary: usize) -> (Self, Self) {
        let mut widest = 0;
        repeat!(d, 0..self.rank, {
            let found = row[widest] > 0 && self.end[widest] - self.start[widest] > 1;
            if row[d] > 0 && self.end[d] - self.start[d] > 1 && (!found || row[d] > row[widest]) {
                widest = d;
            }
        });
        let (least, most) = self.span(row);
        let (step, extent) = (row[widest], self.end[widest] - self.start[widest]);
        let others = most - least - step * (extent - 1);
        let below = boundary.saturating_sub(least + others).div_ceil(step);
        let up_to = (boundary - least).div_ceil(step);
        let at = if below > 0 {
            below
        } else if up_to < extent {
            up_to
        } else {
            1
        };
        let (mut low, mut high) = (*self, *self);
        low.end[widest] = self.start[widest] + at;
        high.start[widest] = low.end[widest];
        (low, high)
    }
}

/// `[0..2, 5..8]`
impl fmt::Debug for Region {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ranges()).finish()
    }
}
