//! Relations between shapes, and division of shapes.

use crate::engine::int_tuple::IntTuple;
use crate::error::{AlgebraError, LayoutError};

impl IntTuple {
    /// Whether every coordinate of this shape is a coordinate of `other`: each leaf of this shape
    /// has the size of the corresponding part of `other`.
    ///
    /// A partial order: `24` is compatible with `(24)` and `(4,6)`, and `(24)` with neither.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let shape = |text| IntTuple::parse(text).unwrap();
    /// assert!(shape("(4,6)").compatible(&shape("((2,2),6)")));
    /// assert!(!shape("(24)").compatible(&shape("24")));
    /// ```
    pub const fn compatible(&self, other: &Self) -> bool {
        if self.is_int() {
            return match other.product() {
                Ok(size) => size == self.at(0),
                // Larger than any leaf of a shape.
                Err(_) => false,
            };
        }
        if other.is_int() || self.rank() != other.rank() {
            return false;
        }
        repeat!(i, 0..self.rank(), {
            if !self.mode(i).compatible(&other.mode(i)) {
                return false;
            }
        });
        true
    }

    /// Whether this tree is the top part of the tree `other`, regardless of their integers.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let tree = |text| IntTuple::parse(text).unwrap();
    /// assert!(tree("(0,0)").weakly_congruent(&tree("(4,(2,3))")));
    /// assert!(!tree("(0,(0,0))").weakly_congruent(&tree("(4,6)")));
    /// ```
    pub const fn weakly_congruent(&self, other: &Self) -> bool {
        if self.is_int() {
            return true;
        }
        if other.is_int() || self.rank() != other.rank() {
            return false;
        }
        repeat!(i, 0..self.rank(), {
            if !self.mode(i).weakly_congruent(&other.mode(i)) {
                return false;
            }
        });
        true
    }

    /// This shape divided by another shape or by an integer.
    ///
    /// Tuples divide mode by mode, an integer by the product of a tuple. An integer divides a tuple
    /// from left to right: each mode takes as much of the divisor as possible, and the rest is
    /// passed to the next mode.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let shape = IntTuple::flat(&[4, 5, 6])?;
    /// assert_eq!(shape.shape_div(&IntTuple::leaf(40))?.to_string(), "(1,1,3)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ShapeDivRemainder`] if neither number divides the other,
    /// [`AlgebraError::ShapeDivRank`], [`LayoutError::ZeroExtent`].
    pub const fn shape_div(&self, divisor: &Self) -> Result<Self, LayoutError> {
        if self.is_int() {
            let quotient = attempt!(divide(self.at(0), attempt!(divisor.product())));
            return Ok(Self::leaf(quotient));
        }
        if !divisor.is_int() && self.rank() != divisor.rank() {
            return Err(AlgebraError::ShapeDivRank { dividend: *self, divisor: *divisor }.widen());
        }
        let mut quotient = Self::EMPTY;
        let mut rest = *divisor;
        repeat!(i, 0..self.rank(), {
            let mode = self.mode(i);
            if divisor.is_int() {
                quotient = attempt!(quotient.push(&attempt!(mode.shape_div(&rest))));
                rest = attempt!(rest.shape_div(&mode));
            } else {
                let by = divisor.mode(i);
                quotient = attempt!(quotient.push(&attempt!(mode.shape_div(&by))));
            }
        });
        Ok(quotient.parenthesised())
    }
}

const fn divide(dividend: usize, divisor: usize) -> Result<usize, LayoutError> {
    refuse!(dividend == 0 || divisor == 0, LayoutError::ZeroExtent);
    if !dividend.is_multiple_of(divisor) && !divisor.is_multiple_of(dividend) {
        return Err(AlgebraError::ShapeDivRemainder { dividend, divisor }.widen());
    }
    Ok(dividend.div_ceil(divisor))
}
