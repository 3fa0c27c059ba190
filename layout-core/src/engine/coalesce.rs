//! `flatten` and `coalesce`: the same function with less nesting or fewer modes.

use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

/// Applies an operation at each leaf of `$profile`. `$leaf` is the operation on a whole layout,
/// `$by` the one with a profile. A macro, because a `const fn` cannot take a function.
macro_rules! by_profile {
    ($layout:ident, $profile:ident, $leaf:ident, $by:ident) => {{
        if $profile.is_int() {
            return Ok($layout.$leaf());
        }
        let (rank, modes) = ($profile.rank(), $layout.rank());
        if rank > modes {
            let shape = $layout.shape();
            return Err(LayoutError::ProfileRank { profile: *$profile, shape });
        }
        let mut l = Self::EMPTY;
        repeat!(i, 0..modes, {
            let mode = $layout.mode(i);
            let mode = if i < rank { attempt!(mode.$by(&$profile.mode(i))) } else { mode };
            l = attempt!(l.push(&mode));
        });
        Ok(l.parenthesised())
    }};
}
pub(super) use by_profile;

impl DynLayout {
    /// All leaves as modes of depth at most 1; a layout of one leaf becomes that leaf.
    ///
    /// `flatten(L)(i) = L(i)`.
    pub(crate) const fn flatten(&self) -> Self {
        let mut l = Self::EMPTY;
        repeat!(i, 0..self.len(), {
            // Pushing fewer leaves than MAX_LEAVES one by one cannot overflow.
            if let Ok(more) = l.push_leaf(self.extent_at(i), self.stride_at(i)) {
                l = more;
            }
        });
        if self.shape().is_int() { l } else { l.parenthesised() }
    }

    /// The layout with the fewest modes that is the same function of 1-D coordinates.
    ///
    /// `coalesce(L)(i) = L(i)` for `i < size(L)`, `depth <= 1`. Leaves of extent 1 are dropped,
    /// neighbours with `s_i * d_i = d_(i+1)` are merged. The result is `1:0` if no leaf remains.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(2,(1,6)):(1,(6,2))").unwrap();
    /// assert_eq!(l.coalesce().to_string(), "12:1");
    /// ```
    pub(crate) const fn coalesce(&self) -> Self {
        let mut l = Self::EMPTY;
        repeat!(i, 0..self.len(), {
            l.extend_coalesced(self.extent_at(i), self.stride_at(i));
        });
        if l.len() == 0 { Self::UNIT } else { l.unwrapped() }
    }

    /// Appends a leaf to a coalesced list of leaves. The caller guarantees room for it.
    const fn extend_coalesced(&mut self, extent: usize, stride: usize) {
        if extent == 1 {
            return;
        }
        if self.len() > 0 {
            let last = self.len() - 1;
            let (s, d) = (self.extent_at(last), self.stride_at(last));
            // If s * d overflows, it cannot equal `stride`, which fits.
            if matches!(s.checked_mul(d), Some(next) if next == stride)
                && let Some(merged) = s.checked_mul(extent)
            {
                self.set(last, merged, d);
                return;
            }
        }
        self.extend_leaf(extent, stride);
    }

    /// [`coalesce`](Self::coalesce) at each leaf of `profile`, whose integers are ignored: modes at
    /// different leaves of the profile are not merged. Modes beyond the profile stay as they are.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(2,(1,6)):(1,(6,2))").unwrap();
    /// let by_mode = l.coalesce_by(&IntTuple::flat(&[1, 1])?)?;
    /// assert_eq!(by_mode.to_string(), "(2,6):(1,2)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::ProfileRank`] if the profile has more modes than the layout.
    pub(crate) const fn coalesce_by(&self, profile: &IntTuple) -> Result<Self, LayoutError> {
        by_profile!(self, profile, coalesce, coalesce_by)
    }

    /// The same function with one leaf for each mode, like the strides of PyTorch and NumPy.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let strided = |text| DynLayout::parse(text).unwrap().with_single_strides();
    /// assert_eq!(strided("(6,(4,2)):(8,(1,4))")?.to_string(), "(6,8):(8,1)");
    /// assert_eq!(strided("(6,(4,2)):(4,(1,24))").unwrap_err().code(), "L0352");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NoSingleStride`].
    #[inline]
    pub const fn with_single_strides(&self) -> Result<Self, LayoutError> {
        let mut layout = Self::EMPTY;
        repeat!(i, 0..self.rank(), {
            let mode = self.mode(i).coalesce();
            if mode.len() > 1 {
                let (shape, stride) = (mode.shape(), mode.stride());
                let error = AlgebraError::NoSingleStride { mode: i, shape, stride };
                return Err(LayoutError::Algebra(error));
            }
            layout = attempt!(layout.push_leaf(mode.extent_at(0), mode.stride_at(0)));
        });
        Ok(if self.shape().is_int() { layout } else { layout.parenthesised() })
    }
}
