//! `DigitWalk`: computes the digits from a coordinate to a slot for a whole zone of coordinates in
//! one pass.

use crate::devices::placement::model::MAX_DIMENSIONS;
use crate::devices::{Placement, Region};
use crate::engine::{MAX_LEAVES, gcd};

/// The maximum number of axes of a zone.
pub(super) const MAX_AXES: usize = 24;

/// An axis of a zone: `extent` coordinates of a dimension, with a step of `weight`.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) dimension: usize,
    pub(super) weight: usize,
    pub(super) extent: usize,
}

/// A set of coordinates: a first one, plus all combinations of steps along the axes. Each
/// combination gives a different coordinate.
#[derive(Clone, Copy)]
pub(super) struct Zone {
    pub(super) first: [usize; MAX_DIMENSIONS],
    // Each with an extent above 1.
    axes: [Axis; MAX_AXES],
    len: usize,
}

/// How to cut a zone to avoid a carry.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    /// The first `count` steps of an axis, and the rest.
    At { axis: usize, count: usize },
    /// Whole periods of an axis, as an inner and an outer axis, and the remainder.
    Periods { axis: usize, count: usize },
}

impl Zone {
    pub(super) const EMPTY: Self = Self {
        first: [0; MAX_DIMENSIONS],
        axes: [Axis { dimension: 0, weight: 1, extent: 1 }; MAX_AXES],
        len: 0,
    };

    /// All coordinates of a box.
    pub(super) const fn of(region: &Region) -> Self {
        let mut zone = Self::EMPTY;
        let (start, end) = (region.start(), region.end());
        repeat!(dimension, 0..start.len(), {
            zone.first[dimension] = start[dimension];
            let extent = end[dimension] - start[dimension];
            if extent > 1 {
                zone.axes[zone.len] = Axis { dimension, weight: 1, extent };
                zone.len += 1;
            }
        });
        zone
    }

    pub(super) const fn axes(&self) -> &[Axis] {
        self.axes.split_at(self.len).0
    }

    /// Keeps the first part, and returns the second one if it is not empty.
    pub(super) const fn cut(&mut self, cut: Cut) -> Option<Self> {
        match cut {
            Cut::Periods { axis, count } if self.len < MAX_AXES => {
                let Axis { dimension, weight, extent } = self.axes[axis];
                let periods = extent / count;
                let rest = match extent % count {
                    0 => None,
                    rest => Some(self.part(axis, periods * count, rest)),
                };
                self.keep(axis, 0, count);
                if periods > 1 {
                    let weight = weight * count;
                    self.axes[self.len] = Axis { dimension, weight, extent: periods };
                    self.len += 1;
                }
                rest
            }
            Cut::At { axis, count } | Cut::Periods { axis, count } => {
                let rest = self.part(axis, count, self.axes[axis].extent - count);
                self.keep(axis, 0, count);
                Some(rest)
            }
        }
    }

    /// The zone restricted to `extent` steps of an axis, from step `start` on.
    const fn part(&self, axis: usize, start: usize, extent: usize) -> Self {
        let mut part = *self;
        part.keep(axis, start, extent);
        part
    }

    /// [`part`](Self::part) in place.
    const fn keep(&mut self, axis: usize, start: usize, extent: usize) {
        let Axis { dimension, weight, .. } = self.axes[axis];
        self.first[dimension] += start * weight;
        self.axes[axis].extent = extent;
        if extent == 1 {
            self.len -= 1;
            self.axes[axis] = self.axes[self.len];
        }
    }
}

/// The image of a zone: the slot of its first coordinate, and the strides of its axes.
pub(super) struct Line {
    pub(super) first: usize,
    pub(super) strides: [usize; MAX_AXES],
}

impl Line {
    const ZERO: Self = Self { first: 0, strides: [0; MAX_AXES] };

    /// The largest number in the zone.
    const fn largest(&self, zone: &Zone) -> usize {
        let mut largest = self.first;
        repeat!(k, 0..zone.len, {
            let reach = self.strides[k].saturating_mul(zone.axes[k].extent - 1);
            largest = largest.saturating_add(reach);
        });
        largest
    }

    /// Moves the whole number to `digit`.
    const fn take_all(&mut self, digit: &mut Self, zone: &Zone) {
        digit.first = self.first;
        self.first = 0;
        repeat!(k, 0..zone.len, {
            digit.strides[k] = self.strides[k];
            self.strides[k] = 0;
        });
    }

    /// Splits off the digit of `radix` from this number and moves it to `digit`. Returns a cut if
    /// the digit carries within the zone.
    const fn take(&mut self, radix: usize, digit: &mut Self, zone: &Zone) -> Result<(), Cut> {
        // Fast path without a division: usually the number is below the radix.
        if self.largest(zone) < radix {
            self.take_all(digit, zone);
            return Ok(());
        }
        digit.first = self.first % radix;
        repeat!(k, 0..zone.len, {
            digit.strides[k] = self.strides[k] % radix;
        });
        if digit.largest(zone) >= radix {
            return Err(digit.cut(radix, zone));
        }
        self.first /= radix;
        repeat!(k, 0..zone.len, {
            self.strides[k] /= radix;
        });
        Ok(())
    }

    /// Where to cut a zone in which this digit carries.
    const fn cut(&self, radix: usize, zone: &Zone) -> Cut {
        // The axis with the largest step. Carries within one of its steps are cut later.
        let mut axis = 0;
        repeat!(k, 1..zone.len, {
            if self.strides[k] > self.strides[axis] {
                axis = k;
            }
        });
        let (stride, extent) = (self.strides[axis], zone.axes[axis].extent);
        let period = radix / gcd(stride, radix);
        if extent > period {
            // The axis starts at a period, if it has one.
            let aligned = radix.is_multiple_of(stride) && self.first >= stride;
            let count = if aligned { (radix - self.first).div_ceil(stride) } else { 0 };
            return if count > 0 {
                Cut::At { axis, count }
            } else {
                Cut::Periods { axis, count: period }
            };
        }
        let mut last = self.first;
        repeat!(k, 0..zone.len, {
            if k != axis {
                let reach = self.strides[k].saturating_mul(zone.axes[k].extent - 1);
                last = last.saturating_add(reach);
            }
        });
        // As many steps as cause no carry; 1 if even the first step carries together with the other
        // axes.
        let count = if last < radix { (radix - 1 - last) / stride + 1 } else { 1 };
        Cut::At { axis, count }
    }
}

/// A digit to split off.
#[derive(Clone, Copy)]
struct Digit {
    // The level of the source: 0 is the number of the index, 1 an index dimension, 2 a piece. The
    // digit is the source of the next level, or counts slots at the last level.
    level: usize,
    // 0 for the whole rest.
    radix: usize,
    // In slots, at the last level.
    stride: usize,
}

/// The maximum number of digits: one per dimension, piece and leaf.
const MAX_DIGITS: usize = MAX_DIMENSIONS + 2 * MAX_LEAVES;

/// The digits of a placement, least significant first, each followed by its own digits.
#[derive(Clone)]
pub(super) struct DigitWalk {
    linear: [usize; MAX_DIMENSIONS],
    rank: usize,
    digits: [Digit; MAX_DIGITS],
    len: usize,
}

impl DigitWalk {
    pub(super) const fn of(placement: &Placement) -> Self {
        let mut walk = Self {
            linear: [0; MAX_DIMENSIONS],
            rank: placement.rank,
            digits: [Digit { level: 0, radix: 0, stride: 0 }; MAX_DIGITS],
            len: 0,
        };
        repeat!(d, 0..placement.rank, {
            walk.linear[d] = placement.linear.stride_at(d);
        });
        repeat_rev!(dimension, 0..placement.dimensions, {
            // The most significant dimension takes the whole rest.
            let radix = if dimension == 0 { 0 } else { placement.extents[dimension] };
            walk.push(Digit { level: 0, radix, stride: 0 });
            let (mut piece, end) = placement.pieces_of(dimension);
            while piece < end {
                let radix = if piece + 1 == end { 0 } else { placement.pieces[piece].extent };
                walk.push(Digit { level: 1, radix, stride: 0 });
                let (mut leaf, end) = placement.leaves_of(piece);
                while leaf < end {
                    let radix = if leaf + 1 == end { 0 } else { placement.leaves.extent_at(leaf) };
                    let stride = placement.leaves.stride_at(leaf);
                    walk.push(Digit { level: 2, radix, stride });
                    leaf += 1;
                }
                piece += 1;
            }
        });
        walk
    }

    const fn push(&mut self, digit: Digit) {
        self.digits[self.len] = digit;
        self.len += 1;
    }

    pub(super) const fn rank(&self) -> usize {
        self.rank
    }

    /// The image of the zone, or where to cut the zone if a digit carries.
    pub(super) const fn follow(&self, zone: &Zone) -> Result<Line, Cut> {
        // A number for each level, and the slot.
        let mut numbers = [Line::ZERO, Line::ZERO, Line::ZERO];
        let mut slot = Line::ZERO;
        repeat!(d, 0..self.rank, {
            numbers[0].first += zone.first[d] * self.linear[d];
        });
        repeat!(k, 0..zone.len, {
            let Axis { dimension, weight, .. } = zone.axes[k];
            numbers[0].strides[k] = weight * self.linear[dimension];
        });
        let mut i = 0;
        let mut leaf = Line::ZERO;
        while i < self.len {
            let Digit { level, radix, stride } = self.digits[i];
            i += 1;
            let (left, below) = numbers.split_at_mut(level + 1);
            let (number, digit) = (&mut left[level], below.first_mut());
            let digit = match digit {
                Some(digit) => digit,
                None => &mut leaf,
            };
            if radix == 0 {
                number.take_all(digit, zone);
            } else if let Err(cut) = number.take(radix, digit, zone) {
                return Err(cut);
            }
            if level < 2 {
                continue;
            }
            slot.first += leaf.first * stride;
            repeat!(k, 0..zone.len, {
                slot.strides[k] += leaf.strides[k] * stride;
            });
        }
        Ok(slot)
    }
}
