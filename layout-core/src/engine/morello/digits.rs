//! The digits of an offset: a list for a given shape, normalised by removing everything that does
//! not change an offset.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::morello::{MorelloLayout, PhysDim};
use crate::error::{LayoutError, MorelloError};

/// A digit of size above 1 in the mixed-radix representation of an offset.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    pub(super) dimension: usize,
    pub(super) size: usize,
    /// Even positions first. False for size 2, where this changes nothing.
    pub(super) odd_even: bool,
}

/// The digits of an offset, fastest first. No two neighbours can be merged.
///
/// Each map from coordinates to offsets has exactly one such list: the parts of a dimension are in
/// the order of their strides, so only neighbours can merge, and an odd-even permutation of more
/// than 2 positions is not a product of sizes.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    digits: [Digit; MAX_LEAVES],
    len: usize,
    /// Number of digits, from the fastest, that are one contiguous run of the buffer.
    run: usize,
}

impl Digits {
    pub(super) const EMPTY: Self = Self {
        digits: [Digit { dimension: 0, size: 1, odd_even: false }; MAX_LEAVES],
        len: 0,
        run: 0,
    };

    /// The digits of a list whose parts have these sizes. The `run` fastest parts are in the
    /// contiguous run.
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

    /// Appends a slower digit; size 1 is ignored. The caller guarantees room for it. Digits in the
    /// run come first.
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

    /// Number of digits in the contiguous run.
    pub(super) const fn run(&self) -> usize {
        self.run
    }

    /// Whether digit `i` or a slower one belongs to this dimension.
    pub(super) const fn has_from(&self, mut i: usize, dimension: usize) -> bool {
        while i < self.len {
            if self.digits[i].dimension == dimension {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether digits `i` and `i + 1` are odd-even digits of one dimension.
    #[inline]
    const fn needs_separator(&self, i: usize) -> bool {
        if i + 1 >= self.len {
            return false;
        }
        let (a, b) = (&self.digits[i], &self.digits[i + 1]);
        a.odd_even && b.odd_even && a.dimension == b.dimension
    }

    /// For each digit the dimension of a part of size 1 that must follow it as a separator.
    ///
    /// A dimension whose digits are all faster can supply two such parts: one with a size, which
    /// takes the remaining 1, and outside of it the one without a size.
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

    /// The list of these digits in a shape of `rank` dimensions, and the number of its parts, from
    /// the fastest, that are one contiguous run.
    ///
    /// The slowest part of each dimension has no size, unless it is odd-even.
    #[inline]
    pub(super) const fn list(&self, rank: usize) -> Result<(MorelloLayout, usize), LayoutError> {
        let separators = attempt!(self.separators(rank));
        // Slowest first, with room for a part of size 1 outside each digit.
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
