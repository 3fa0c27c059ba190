//! The offsets that a box of coordinates reaches.

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

impl DynLayout {
    /// The smallest and the largest offset in a box: `extents` coordinates from `start` in each
    /// mode.
    ///
    /// For an injective layout, the box is one contiguous run iff `largest - smallest + 1` is its
    /// number of elements. The cost is a few steps per leaf, independent of the size of the box.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let packed = DynLayout::parse("[0, 1, 0 p(4)] for (12, 3)").unwrap();
    /// // Offsets 3, 12 and 13, and 12 to 23.
    /// assert_eq!(packed.offsets_of_box(&[3, 0], &[3, 1])?, (3, 13));
    /// assert_eq!(packed.offsets_of_box(&[4, 0], &[4, 3])?, (12, 23));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the number of integers differs from the number of modes, an extent is 0, or the box is not
    /// inside the domain.
    #[inline]
    pub const fn offsets_of_box(
        &self,
        start: &[usize],
        extents: &[usize],
    ) -> Result<(usize, usize), LayoutError> {
        let rank = self.rank();
        if start.len() != rank || extents.len() != rank {
            let numbers = if start.len() != rank { start } else { extents };
            return Err(LayoutError::CoordinateProfile {
                coordinate: attempt!(IntTuple::flat(numbers)),
                shape: self.shape(),
            });
        }
        let (mut low, mut high) = (0, 0);
        repeat!(i, 0..rank, {
            let mode = self.mode(i);
            refuse!(extents[i] == 0, LayoutError::ZeroExtent);
            let (first, size) = (start[i], mode.size());
            let last = first.saturating_add(extents[i] - 1);
            if last >= size {
                return Err(LayoutError::CoordinateOutOfRange { coordinate: last, extent: size });
            }
            low += mode.extreme(first, last, false);
            high += mode.extreme(first, last, true);
        });
        Ok((low, high))
    }

    /// The smallest, or the largest, offset of the indices from `first` to `last`.
    ///
    /// Dynamic programming over the digits, from the slowest leaf on. The state is whether all
    /// digits so far equal those of `first`, or those of `last`: only then are the faster leaves
    /// restricted.
    #[inline]
    const fn extreme(&self, first: usize, last: usize, largest: bool) -> usize {
        let (mut first_digit, mut last_digit) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
        let (mut a, mut b, mut i) = (first, last, 0);
        while i < self.len() {
            let extent = self.extent_at(i);
            (first_digit[i], last_digit[i]) = (a % extent, b % extent);
            (a, b) = (a / extent, b / extent);
            i += 1;
        }
        // Index: (equal to `first`) + 2 * (equal to `last`).
        let mut best: [Option<usize>; 4] = [None, None, None, Some(0)];
        while i > 0 {
            i -= 1;
            let mut next = [None; 4];
            repeat!(state, 0..4, {
                if let Some(sum) = best[state] {
                    let (at_first, at_last) = (state % 2 == 1, state >= 2);
                    let low = if at_first { first_digit[i] } else { 0 };
                    let high = if at_last { last_digit[i] } else { self.extent_at(i) - 1 };
                    // The two ends and the best digit strictly between them suffice.
                    let (inner_low, inner_high) =
                        (low + at_first as usize, high.wrapping_sub(at_last as usize));
                    let inner = if largest { inner_high } else { inner_low };
                    repeat!(choice, 0..3, {
                        let digit = [low, high, inner][choice];
                        if digit >= low && digit <= high {
                            let to = (at_first && digit == low) as usize
                                + 2 * (at_last && digit == high) as usize;
                            let sum = sum + digit * self.stride_at(i);
                            next[to] = Some(better(next[to], sum, largest));
                        }
                    });
                }
            });
            best = next;
        }
        let mut result = None;
        repeat!(state, 0..4, {
            if let Some(sum) = best[state] {
                result = Some(better(result, sum, largest));
            }
        });
        match result {
            Some(sum) => sum,
            // Unreachable: some state is always reached.
            None => 0,
        }
    }
}

const fn better(known: Option<usize>, sum: usize, largest: bool) -> usize {
    match known {
        Some(known) if (known > sum) == largest => known,
        _ => sum,
    }
}
