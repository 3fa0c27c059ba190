//! `domain_distribute`: some number of elements, spread over a shape.

use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

impl DynLayout {
    /// A layout of coordinates of `shape`, of a size that divides `n`, that tiles the shape: each
    /// extent gives as much of `n` as divides it, from left to right.
    ///
    /// It is increasing, composes with every layout of this shape, and its size divides that of
    /// the shape. It need not find all of `n`.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// let tile = DynLayout::domain_distribute(&IntTuple::flat(&[15, 14])?, 6)?;
    /// assert_eq!(tile.to_string(), "(3,2):(1,15)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::ZeroExtent`] for an empty shape or `n = 0`; [`LayoutError::CosizeOverflow`].
    pub const fn domain_distribute(shape: &IntTuple, n: usize) -> Result<Self, LayoutError> {
        refuse!(n == 0, LayoutError::ZeroExtent);
        let mut l = Self::EMPTY;
        let (mut rest, mut step) = (n, 1usize);
        repeat!(i, 0..shape.len(), {
            refuse!(shape.at(i) == 0, LayoutError::ZeroExtent);
            let common = gcd(shape.at(i), rest);
            l = attempt!(l.push_leaf(common, step));
            rest /= common;
            // Cut only beyond all offsets, where any part of `n` is an error.
            step = step.saturating_mul(shape.at(i));
        });
        l.coalesce().checked()
    }
}

/// The greatest common divisor; that of a number and 0 is the number.
pub(crate) const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
