//! `domain_distribute`: distributes a number of elements over a shape.

use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

impl DynLayout {
    /// A layout of coordinates of `shape` that tiles the shape and whose size divides `n`: from left
    /// to right, each extent takes its greatest common divisor with the rest of `n`.
    ///
    /// It is increasing, composes with every layout of this shape, and its size divides that of the
    /// shape. It may not use all of `n`.
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
            // Saturates only beyond all valid offsets. A part of `n` there is an error anyway.
            step = step.saturating_mul(shape.at(i));
        });
        l.coalesce().checked()
    }
}

/// The greatest common divisor. `gcd(a, 0) = a`.
pub(crate) const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
