//! Operations on the modes of a layout: selection, order and nesting.

use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// Appends the modes `[begin, end)` of `from`, without parentheses around them.
    pub(crate) const fn push_modes(
        mut self,
        from: &Self,
        begin: usize,
        end: usize,
    ) -> Result<Self, LayoutError> {
        repeat!(i, begin..end, {
            self = attempt!(self.push(&from.mode(i)));
        });
        Ok(self)
    }

    const fn check_range(
        &self,
        operation: &'static str,
        begin: usize,
        end: usize,
        empty: bool,
    ) -> Result<(), LayoutError> {
        if end > self.rank() || begin > end || (begin == end && !empty) {
            let shape = self.shape();
            let error = AlgebraError::ModeRange { operation, begin, end, shape };
            return Err(LayoutError::Algebra(error));
        }
        Ok(())
    }

    /// The modes `[begin, end)`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(2,3,5,7):(1,2,6,30)").unwrap();
    /// assert_eq!(l.take(1, 3)?.to_string(), "(3,5):(2,6)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ModeRange`] for an empty range or one that goes beyond the last mode.
    pub(crate) const fn take(&self, begin: usize, end: usize) -> Result<Self, LayoutError> {
        attempt!(self.check_range("take", begin, end, false));
        Ok(attempt!(Self::EMPTY.push_modes(self, begin, end)).parenthesised())
    }

    /// The modes with these indices, in this order; always a tuple.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(2,3,5,7):(1,2,6,30)").unwrap();
    /// assert_eq!(l.select(&[3, 1])?.to_string(), "(7,3):(30,2)");
    /// assert_eq!(l.select(&[2])?.to_string(), "(5):(6)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ModeIndex`]; [`LayoutError::EmptyTuple`] without an index; an overflow if
    /// modes repeat.
    pub(crate) const fn select(&self, modes: &[usize]) -> Result<Self, LayoutError> {
        refuse!(modes.is_empty(), LayoutError::EmptyTuple);
        let mut l = Self::EMPTY;
        repeat!(i, 0..modes.len(), {
            attempt!(self.check_mode("select", modes[i]));
            l = attempt!(l.push(&self.mode(modes[i])));
        });
        l.parenthesised().checked()
    }

    const fn check_mode(&self, operation: &'static str, mode: usize) -> Result<(), LayoutError> {
        if mode >= self.rank() {
            return Err(AlgebraError::ModeIndex { operation, mode, shape: self.shape() }.widen());
        }
        Ok(())
    }

    /// The modes `[begin, end)` grouped as one mode; the others stay. An empty range changes
    /// nothing.
    ///
    /// `group(L)(i) = L(i)`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(2,3,5,7):(1,2,6,30)").unwrap();
    /// assert_eq!(l.group(0, 2)?.to_string(), "((2,3),5,7):((1,2),6,30)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ModeRange`], [`LayoutError::TooDeep`].
    #[doc(alias = "group_modes")]
    pub(crate) const fn group(&self, begin: usize, end: usize) -> Result<Self, LayoutError> {
        attempt!(self.check_range("group", begin, end, true));
        let mut l = attempt!(Self::EMPTY.push_modes(self, 0, begin));
        if begin < end {
            let inner = attempt!(Self::EMPTY.push_modes(self, begin, end)).parenthesised();
            l = attempt!(l.push(&inner));
        }
        attempt!(l.push_modes(self, end, self.rank())).parenthesised().checked()
    }

    /// The layout with `mode` after its last mode.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::leaf(3, 1).append(&DynLayout::leaf(4, 3))?;
    /// assert_eq!(l.to_string(), "(3,4):(1,3)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`], or an overflow of the whole.
    pub(crate) const fn append(&self, mode: &Self) -> Result<Self, LayoutError> {
        let l = attempt!(Self::EMPTY.push_modes(self, 0, self.rank()));
        attempt!(l.push(mode)).parenthesised().checked()
    }

    /// The layout with `mode` before its first mode.
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`], or an overflow of the whole.
    pub(crate) const fn prepend(&self, mode: &Self) -> Result<Self, LayoutError> {
        let l = attempt!(Self::EMPTY.push(mode));
        attempt!(l.push_modes(self, 0, self.rank())).parenthesised().checked()
    }

    /// The layout padded with modes `1:0` to `rank` modes.
    pub(crate) const fn padded(&self, rank: usize) -> Result<Self, LayoutError> {
        let modes = self.rank();
        if modes >= rank {
            return Ok(*self);
        }
        let mut l = attempt!(Self::EMPTY.push_modes(self, 0, modes));
        repeat!(_, modes..rank, {
            l = attempt!(l.push(&Self::UNIT));
        });
        Ok(l.parenthesised())
    }

    /// The layout with mode `mode` replaced by `layout`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(3,4,(3,4)):(1,3,(1,3))").unwrap();
    /// assert_eq!(l.replace(2, &DynLayout::leaf(4, 3))?.to_string(), "(3,4,4):(1,3,3)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ModeIndex`], [`LayoutError::TooManyLeaves`], or an overflow of the whole.
    pub(crate) const fn replace(&self, mode: usize, layout: &Self) -> Result<Self, LayoutError> {
        attempt!(self.check_mode("replace", mode));
        if self.shape().is_int() {
            return Ok(*layout);
        }
        let l = attempt!(Self::EMPTY.push_modes(self, 0, mode));
        let l = attempt!(l.push(layout));
        attempt!(l.push_modes(self, mode + 1, self.rank())).parenthesised().checked()
    }

    /// The leaves with the nesting of `profile`, whose integers are ignored.
    ///
    /// `congruent(unflatten(L, p), p)`, and `unflatten(L, p)(i) = L(i)`.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(2,3,5):(1,2,6)").unwrap();
    /// let nested = l.unflatten(&IntTuple::parse("(0,(0,0))").unwrap())?;
    /// assert_eq!(nested.to_string(), "(2,(3,5)):(1,(2,6))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::LeafCount`].
    pub(crate) const fn unflatten(&self, profile: &IntTuple) -> Result<Self, LayoutError> {
        if profile.len() != self.len() {
            return Err(AlgebraError::LeafCount { profile: *profile, shape: self.shape() }.widen());
        }
        Self::new(&profile.with_leaves(self.extents()), &profile.with_leaves(self.strides()))
    }

    /// The two top levels transposed: mode `j` consists of the modes `j` of all modes. Integer modes
    /// become one mode.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("((2,3),(5,7)):((1,2),(6,30))").unwrap();
    /// assert_eq!(l.zip()?.to_string(), "((2,5),(3,7)):((1,6),(2,30))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ZipRank`] if the modes differ in rank.
    pub(crate) const fn zip(&self) -> Result<Self, LayoutError> {
        if self.shape().is_int() {
            return Ok(*self);
        }
        let (rank, first) = (self.rank(), self.mode(0).shape());
        if first.is_int() {
            return self.parenthesised().checked();
        }
        repeat!(i, 1..rank, {
            let other = self.mode(i).shape();
            if other.is_int() || other.rank() != first.rank() {
                return Err(AlgebraError::ZipRank { first, other }.widen());
            }
        });
        let mut l = Self::EMPTY;
        repeat!(j, 0..first.rank(), {
            let mut column = Self::EMPTY;
            repeat!(i, 0..rank, {
                column = attempt!(column.push(&self.mode(i).mode(j)));
            });
            l = attempt!(l.push(&column.parenthesised()));
        });
        Ok(l.parenthesised())
    }

    /// The modes of both in pairs: `((A_0,B_0), (A_1,B_1), ..)`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let zipped = DynLayout::leaf(4, 1).zip_with(&DynLayout::leaf(3, 4))?;
    /// assert_eq!(zipped.to_string(), "((4,3)):((1,4))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ZipRank`], [`LayoutError::TooManyLeaves`], or an overflow of the whole.
    pub(crate) const fn zip_with(&self, other: &Self) -> Result<Self, LayoutError> {
        attempt!(Self::tuple(&[*self, *other])).zip()
    }
}
