//! The digits that an offset has: what is left of a list when it has a shape and nothing in it that
//! changes no offset.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::morello::{MorelloLayout, PhysDim};
use crate::error::{LayoutError, MorelloError};

/// A size above 1 that an offset counts through.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    pub(super) dimension: usize,
    pub(super) size: usize,
    /// Even ones first; not for 2, where that is their order already.
    pub(super) odd_even: bool,
}

/// The digits of an offset, fastest first. No two neighbours could merge.
///
/// There is one such list for each map from coordinates to offsets: the parts of a dimension are in
/// the order of their strides, so that only neighbours can merge, and a permutation of more than 2
/// places is no product of sizes.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    digits: [Digit; MAX_LEAVES],
    len: usize,
    /// How many of them, from the fastest, are one run of the buffer.
    run: usize,
}

impl Digits {
    pub(super) const EMPTY: Self = Self {
        digits: [Digit { dimension: 0, size: 1, odd_even: false }; MAX_LEAVES],
        len: 0,
        run: 0,
    };

    /// The digits of a list whose parts have these sizes, `run` of them, from the fastest, in the
    /// run.
    #[inline]
    pub(super) const fn of(list: &MorelloLayout, sizes: &[usize], run: usize) -> Self {
        let mut digits = Self::EMPTY;
        repeat_rev!(i, 0..list.len, {
            let (dimension, kind) = list.dims[i];
            let odd_even = matches!(kind, PhysDim::OddEven(_));
            digits.push(Digit { dimension, size: sizes[i], odd_even }, list.len - i <= run);
        });
        digits
    }

    /// Appends a slower digit, for which there is room unless it is 1. Those in the run come first.
    #[inline]
    pub(super) const fn push(&mut self, digit: Digit, in_run: bool) {
        if digit.size == 1 {
            return;
        }
        let odd_even = digit.odd_even && digit.size > 2;
        if self.len > 0 {
            let last = &mut self.digits[self.len - 1];
            let plain = !last.odd_even && !odd_even;
            let one_side = in_run == (self.run == self.len);
            if last.dimension == digit.dimension && plain && one_side {
                last.size = last.size.saturating_mul(digit.size);
                return;
            }
        }
        self.digits[self.len] = Digit { odd_even, ..digit };
        self.len += 1;
        if in_run {
            self.run = self.len;
        }
    }

    /// The digits, fastest first.
    #[inline]
    pub(super) const fn as_slice(&self) -> &[Digit] {
        self.digits.split_at(self.len).0
    }

    /// How many of them are one run.
    pub(super) const fn run(&self) -> usize {
        self.run
    }

    /// Whether a digit of this dimension is `i` or slower than it.
    pub(super) const fn has_from(&self, mut i: usize, dimension: usize) -> bool {
        while i < self.len {
            if self.digits[i].dimension == dimension {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether nothing stands between two odd-even digits of one dimension, `i` and the next.
    #[inline]
    const fn needs_separator(&self, i: usize) -> bool {
        if i + 1 >= self.len {
            return false;
        }
        let (a, b) = (&self.digits[i], &self.digits[i + 1]);
        a.odd_even && b.odd_even && a.dimension == b.dimension
    }

    /// For each digit the dimension of a part of size 1 that has to follow it.
    ///
    /// A dimension whose digits are all faster has two such parts to give: one with a size, which
    /// takes the 1 that is left, and outside of it the one without.
    #[inline]
    const fn separators(&self, rank: usize) -> Result<[Option<usize>; MAX_LEAVES], LayoutError> {
        let (mut uses, mut separators) = ([0; MAX_LEAVES], [None; MAX_LEAVES]);
        repeat!(i, 0..self.len, {
            if self.needs_separator(i) {
                let mut dimension = 0;
                while dimension < rank && (uses[dimension] == 2 || self.has_from(i + 1, dimension))
                {
                    dimension += 1;
                }
                if dimension == rank {
                    let dimension = self.digits[i].dimension;
                    return Err(LayoutError::Morello(MorelloError::AdjacentOddEven { dimension }));
                }
                uses[dimension] += 1;
                separators[i] = Some(dimension);
            }
        });
        Ok(separators)
    }

    /// The list for these digits in a shape of `rank` dimensions, and how many of its parts, from
    /// the fastest, are one run.
    ///
    /// The slowest part of each dimension is without a size, unless it is odd-even.
    #[inline]
    pub(super) const fn list(&self, rank: usize) -> Result<(MorelloLayout, usize), LayoutError> {
        let separators = attempt!(self.separators(rank));
        // Slowest first, up to a part of size 1 outside of each digit.
        let mut parts = [(0, PhysDim::Dynamic); 2 * MAX_LEAVES];
        let (mut taken, mut len, mut run, mut i) = ([false; MAX_LEAVES], 0, 0, self.len);
        // From the slowest, so that the first part of a dimension takes its rest.
        while i > 0 {
            i -= 1;
            let Digit { dimension, size, odd_even } = self.digits[i];
            if let Some(dimension) = separators[i] {
                let kind = if taken[dimension] { PhysDim::Packed(2) } else { PhysDim::Dynamic };
                parts[len] = (dimension, kind);
                taken[dimension] = true;
                len += 1;
                if i + 1 < self.run {
                    run += 1;
                }
            }
            parts[len] = match (odd_even, taken[dimension]) {
                (true, _) => (dimension, PhysDim::OddEven(size)),
                (false, true) => (dimension, PhysDim::Packed(size)),
                (false, false) => (dimension, PhysDim::Dynamic),
            };
            taken[dimension] = true;
            len += 1;
            if i < self.run {
                run += 1;
            }
        }
        Ok((attempt!(MorelloLayout::new(parts.split_at(len).0)), run))
    }
}
