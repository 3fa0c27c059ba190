//! `filter` and `nullspace`: the modes with a nonzero stride, and the modes with stride 0.

use crate::engine::coalesce::by_profile;
use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

impl DynLayout {
    /// The layout with extent 1 wherever the stride is 0: the same offsets, each mode in its place.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(4,(3,16)):(0,(1,24))").unwrap();
    /// assert_eq!(l.filter_zeros().to_string(), "(1,(3,16)):(0,(1,24))");
    /// ```
    pub(crate) const fn filter_zeros(&self) -> Self {
        let mut l = *self;
        repeat!(i, 0..l.len(), {
            if l.stride_at(i) == 0 && l.extent_at(i) > 1 {
                l.set(i, 1, 0);
            }
        });
        l
    }

    /// The layout with the fewest modes that has the same offsets without the repetitions of
    /// stride-0 modes: `coalesce(filter_zeros(L))`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("((2,3),5,(2,2)):((4,0),24,(2,1))").unwrap();
    /// assert_eq!(l.filter().to_string(), "(2,5,2,2):(4,24,2,1)");
    /// ```
    pub(crate) const fn filter(&self) -> Self {
        self.filter_zeros().coalesce()
    }

    /// [`filter`](Self::filter) at each leaf of `profile`, whose integers are ignored. Modes beyond
    /// the profile stay as they are.
    ///
    /// # Errors
    ///
    /// [`LayoutError::ProfileRank`] if the profile has more modes than the layout.
    pub(crate) const fn filter_by(&self, profile: &IntTuple) -> Result<Self, LayoutError> {
        by_profile!(self, profile, filter, filter_by)
    }

    /// The layout of the coordinates that do not move the offset: `L(nullspace(L)(i)) = 0`, of
    /// size `size(L) / size(filter(L))`.
    ///
    /// It has a mode for each leaf of stride 0. Without such leaves it is `1:0`. Strides are not
    /// negative, so steps never cancel out.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(7,5,16):(3,0,0)").unwrap();
    /// assert_eq!(l.nullspace().to_string(), "(5,16):(7,35)");
    /// ```
    pub(crate) const fn nullspace(&self) -> Self {
        let mut l = Self::EMPTY;
        let mut step = 1usize;
        repeat!(i, 0..self.len(), {
            let extent = self.extent_at(i);
            if self.stride_at(i) == 0 {
                let stride = if extent == 1 { 0 } else { step };
                // No more leaves than `self` has.
                if let Ok(more) = l.push_leaf(extent, stride) {
                    l = more;
                }
            }
            // Saturates only in an empty layout, which has no coordinates.
            step = step.saturating_mul(extent);
        });
        if l.len() == 0 { Self::UNIT } else { l.unwrapped() }
    }
}
