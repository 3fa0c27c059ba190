//! `Route`: the digits that lead from a coordinate to a slot, followed for a whole zone of
//! coordinates at once.

use crate::engine::{MAX_LEAVES, gcd};
use crate::placed::Placement;
use crate::placed::placement::MAX_DIMENSIONS;

/// The most axes of a zone.
pub(super) const MAX_AXES: usize = 24;

/// A direction of a zone: `extent` coordinates of a dimension, `weight` apart.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) dimension: usize,
    pub(super) weight: usize,
    pub(super) extent: usize,
}

/// Coordinates: a first one and, from there, all that its axes lead to, each to one of its own.
#[derive(Clone, Copy)]
pub(super) struct Zone {
    pub(super) first: [usize; MAX_DIMENSIONS],
    // Each with an extent above 1.
    axes: [Axis; MAX_AXES],
    len: usize,
}

/// How to cut a zone so that a digit carries less.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// The first so many of an axis, and the rest.
    At { axis: usize, count: usize },
    /// Periods of so many of an axis, as an axis inside and one outside, and what is left.
    Periods { axis: usize, count: usize },
}

impl Zone {
    pub(super) const EMPTY: Self = Self {
        first: [0; MAX_DIMENSIONS],
        axes: [Axis { dimension: 0, weight: 1, extent: 1 }; MAX_AXES],
        len: 0,
    };

    /// All coordinates.
    pub(super) const fn whole(placement: &Placement) -> Self {
        let mut zone = Self::EMPTY;
        let mut dimension = 0;
        while dimension < placement.rank {
            let extent = placement.linear.extent_at(dimension);
            if extent > 1 {
                zone.axes[zone.len] = Axis { dimension, weight: 1, extent };
                zone.len += 1;
            }
            dimension += 1;
        }
        zone
    }

    pub(super) const fn axes(&self) -> &[Axis] {
        self.axes.split_at(self.len).0
    }

    /// Both parts, of which the second one may be nothing.
    pub(super) const fn cut(&self, cut: Cut) -> (Self, Option<Self>) {
        match cut {
            Cut::Periods { axis, count } if self.len < MAX_AXES => {
                let Axis { dimension, weight, extent } = self.axes[axis];
                let periods = extent / count;
                let rest = match extent % count {
                    0 => None,
                    rest => Some(self.part(axis, periods * count, rest)),
                };
                let mut first = self.part(axis, 0, count);
                if periods > 1 {
                    let weight = weight * count;
                    first.axes[first.len] = Axis { dimension, weight, extent: periods };
                    first.len += 1;
                }
                (first, rest)
            }
            Cut::At { axis, count } | Cut::Periods { axis, count } => {
                let rest = self.axes[axis].extent - count;
                (self.part(axis, 0, count), Some(self.part(axis, count, rest)))
            }
        }
    }

    /// Only `extent` coordinates of an axis, from number `start` on.
    const fn part(&self, axis: usize, start: usize, extent: usize) -> Self {
        let mut part = *self;
        let Axis { dimension, weight, .. } = self.axes[axis];
        part.first[dimension] += start * weight;
        part.axes[axis].extent = extent;
        if extent == 1 {
            part.len -= 1;
            part.axes[axis] = part.axes[part.len];
        }
        part
    }
}

/// Where a zone lies: the slot of its first coordinate, and the strides of its axes.
pub(super) struct Line {
    pub(super) first: usize,
    pub(super) strides: [usize; MAX_AXES],
}

impl Line {
    const ZERO: Self = Self { first: 0, strides: [0; MAX_AXES] };

    /// Takes the digit of `radix` from this number; what is left stays. Nothing is done, and the
    /// cut returned, if the digit carries within the zone.
    const fn take(&mut self, radix: usize, zone: &Zone) -> Result<Self, Cut> {
        let mut digit = Self::ZERO;
        digit.first = self.first % radix;
        let (mut largest, mut k) = (digit.first, 0);
        while k < zone.len {
            digit.strides[k] = self.strides[k] % radix;
            let reach = digit.strides[k].saturating_mul(zone.axes[k].extent - 1);
            largest = largest.saturating_add(reach);
            k += 1;
        }
        if largest >= radix {
            return Err(digit.cut(radix, zone));
        }
        self.first /= radix;
        k = 0;
        while k < zone.len {
            self.strides[k] /= radix;
            k += 1;
        }
        Ok(digit)
    }

    /// Where to cut a zone in which this digit carries.
    const fn cut(&self, radix: usize, zone: &Zone) -> Cut {
        // The axis with the largest steps: those within one of its steps are cut afterwards.
        let (mut axis, mut k) = (0, 1);
        while k < zone.len {
            if self.strides[k] > self.strides[axis] {
                axis = k;
            }
            k += 1;
        }
        let (stride, extent) = (self.strides[axis], zone.axes[axis].extent);
        let period = radix / gcd(stride, radix);
        if extent > period {
            // From the start of a period on, if it has one.
            let aligned = radix.is_multiple_of(stride) && self.first >= stride;
            let count = if aligned { (radix - self.first).div_ceil(stride) } else { 0 };
            return if count > 0 {
                Cut::At { axis, count }
            } else {
                Cut::Periods { axis, count: period }
            };
        }
        let mut last = self.first;
        k = 0;
        while k < zone.len {
            if k != axis {
                let reach = self.strides[k].saturating_mul(zone.axes[k].extent - 1);
                last = last.saturating_add(reach);
            }
            k += 1;
        }
        // As many as carry nothing; one where already the first one does, with the other axes.
        let count = if last < radix { (radix - 1 - last) / stride + 1 } else { 1 };
        Cut::At { axis, count }
    }
}

/// A digit that is taken off.
#[derive(Clone, Copy)]
struct Digit {
    // From the number of the index (0), an index dimension (1), or a piece (2): it is what the
    // next level takes digits from, or counts slots.
    level: usize,
    // 0 for all that is left.
    radix: usize,
    // In slots, at the last level.
    stride: usize,
}

/// The most digits: a placement has at most so many dimensions, pieces and leaves.
const MAX_DIGITS: usize = MAX_DIMENSIONS + 2 * MAX_LEAVES;

/// The digits of a placement, least significant first, each followed by those it has itself.
#[derive(Clone)]
pub(super) struct Route {
    linear: [usize; MAX_DIMENSIONS],
    rank: usize,
    digits: [Digit; MAX_DIGITS],
    len: usize,
}

impl Route {
    pub(super) const fn of(placement: &Placement) -> Self {
        let mut route = Self {
            linear: [0; MAX_DIMENSIONS],
            rank: placement.rank,
            digits: [Digit { level: 0, radix: 0, stride: 0 }; MAX_DIGITS],
            len: 0,
        };
        let mut d = 0;
        while d < placement.rank {
            route.linear[d] = placement.linear.stride_at(d);
            d += 1;
        }
        let mut dimension = placement.dimensions;
        while dimension > 0 {
            dimension -= 1;
            // The most significant one has no others beyond.
            let radix = if dimension == 0 { 0 } else { placement.extents[dimension] };
            route.push(Digit { level: 0, radix, stride: 0 });
            route.push_pieces(placement, dimension);
        }
        route
    }

    const fn push(&mut self, digit: Digit) {
        self.digits[self.len] = digit;
        self.len += 1;
    }

    const fn push_pieces(&mut self, placement: &Placement, dimension: usize) {
        let (mut piece, end) = placement.pieces_of(dimension);
        while piece < end {
            let radix = if piece + 1 == end { 0 } else { placement.pieces[piece].extent };
            self.push(Digit { level: 1, radix, stride: 0 });
            self.push_leaves(placement, piece);
            piece += 1;
        }
    }

    const fn push_leaves(&mut self, placement: &Placement, piece: usize) {
        let (mut leaf, end) = placement.leaves_of(piece);
        while leaf < end {
            let radix = if leaf + 1 == end { 0 } else { placement.leaves.extent_at(leaf) };
            self.push(Digit { level: 2, radix, stride: placement.leaves.stride_at(leaf) });
            leaf += 1;
        }
    }

    pub(super) const fn rank(&self) -> usize {
        self.rank
    }

    /// Where the zone lies, or where it has to be cut for that.
    pub(super) const fn follow(&self, zone: &Zone) -> Result<Line, Cut> {
        // A number for each level, and the slot.
        let mut numbers = [Line::ZERO, Line::ZERO, Line::ZERO];
        let mut slot = Line::ZERO;
        let mut d = 0;
        while d < self.rank {
            numbers[0].first += zone.first[d] * self.linear[d];
            d += 1;
        }
        let mut k = 0;
        while k < zone.len {
            let Axis { dimension, weight, .. } = zone.axes[k];
            numbers[0].strides[k] = weight * self.linear[dimension];
            k += 1;
        }
        let mut i = 0;
        while i < self.len {
            let Digit { level, radix, stride } = self.digits[i];
            i += 1;
            let digit = if radix == 0 {
                core::mem::replace(&mut numbers[level], Line::ZERO)
            } else {
                match numbers[level].take(radix, zone) {
                    Ok(digit) => digit,
                    Err(cut) => return Err(cut),
                }
            };
            if level < 2 {
                numbers[level + 1] = digit;
                continue;
            }
            slot.first += digit.first * stride;
            k = 0;
            while k < zone.len {
                slot.strides[k] += digit.strides[k] * stride;
                k += 1;
            }
        }
        Ok(slot)
    }
}
