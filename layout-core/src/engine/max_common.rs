//! Common parts of two layouts: the elements that both have at the same contiguous offsets.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

impl DynLayout {
    /// The largest `N` such that A and B agree on the offsets `0..N`: for every `n < N` both have
    /// the offset `n` at the same 1-D coordinate, `right_inverse(B)(n)`.
    ///
    /// It is the longest vector that can be copied between them, at least 1 unless one is empty. A
    /// vector must be a layout: its coordinates are whole modes of `right_inverse(B)` and steps of
    /// the next one, and no mode of A overflows. Example: `(3,2):(1,0)` and `(2,2,2):(4,2,1)` have
    /// the offsets 0, 1 and 2 at the coordinates 0, 4 and 2. These do not form a layout, so `N = 2`.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, algebra};
    /// let a = DynLayout::parse("(2,2,3):(2,1,4)").unwrap();
    /// let b = DynLayout::parse("(2,2,3):(2,1,8)").unwrap();
    /// assert_eq!(algebra::max_common_vector(&a, &b), 4);
    /// ```
    pub(crate) const fn max_common_vector(&self, b: &Self) -> usize {
        if self.size() == 0 || b.size() == 0 {
            return 0;
        }
        self.coalesce().identity_run(&b.right_inverse(), true)
    }

    /// The largest layout R of common coordinates: `A(R(i)) = B(R(i)) = i`.
    ///
    /// Coordinates are 1-D coordinates of B. The last mode of A is unbounded, as in
    /// [`composition`](Self::composition).
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(4,2):(2,1)").unwrap();
    /// assert_eq!(l.max_common_layout(&l)?.to_string(), "(2,4):(4,1)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::ZeroExtent`] for an empty layout; the errors of `composition` if the common
    /// coordinates end in the middle of a mode that cannot be split there.
    pub(crate) const fn max_common_layout(&self, b: &Self) -> Result<Self, LayoutError> {
        refuse!(self.size() == 0 || b.size() == 0, LayoutError::ZeroExtent);
        let inverse = b.right_inverse();
        match self.left_operand().identity_run(&inverse, false) {
            1 => Ok(Self::UNIT),
            n => inverse.composition(&Self::leaf_unchecked(n, 1)),
        }
    }

    /// The largest N such that `A(R(n)) = n` for all `n < N`, for a coalesced A and R. With `inside`
    /// it ends where R leaves the domain of A.
    ///
    /// As long as no digit of A overflows, A is additive (see `composition`), so it suffices to
    /// check one step of each mode of R.
    const fn identity_run(&self, inverse: &Self, inside: bool) -> usize {
        let mut reach = [0; MAX_LEAVES];
        let mut covered = 1;
        repeat!(k, 0..inverse.len(), {
            let (extent, digits) = (inverse.extent_at(k), self.digits(inverse.stride_at(k)));
            let (mut run, mut offset) = (extent, 0usize);
            repeat!(j, 0..self.len(), {
                if j + 1 < self.len() || inside {
                    let room = self.extent_at(j) - 1 - reach[j];
                    if let Some(steps) = room.checked_div(digits[j])
                        && steps + 1 < run
                    {
                        run = steps + 1;
                    }
                }
                // A saturated offset never equals the covered size.
                let part = digits[j].saturating_mul(self.stride_at(j));
                offset = offset.saturating_add(part);
            });
            if offset != covered {
                return covered;
            }
            covered *= run;
            if run < extent {
                return covered;
            }
            repeat!(j, 0..self.len(), {
                reach[j] += (run - 1) * digits[j];
            });
        });
        covered
    }
}
