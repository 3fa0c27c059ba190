//! `right_inverse` and `left_inverse`: from offsets back to coordinates.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// The layout R with `L(R(i)) = i` for every `i < size(R)`, as large as the strides allow.
    ///
    /// R starts with the mode of stride 1. The next mode is always the one whose stride equals the
    /// size covered so far. Without a mode of stride 1, R is `1:0`. Of modes with equal strides the
    /// first one is used.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(4,8):(8,1)").unwrap();
    /// assert_eq!(l.right_inverse().to_string(), "(8,4):(4,1)");
    /// ```
    pub(crate) const fn right_inverse(&self) -> Self {
        let l = self.coalesce();
        let modes = match l.sorted_by_stride() {
            Some(modes) => modes,
            // An empty layout has no offsets.
            None => return Self::UNIT,
        };
        let mut inverse = Self::EMPTY;
        let mut covered = 1;
        repeat!(i, 0..modes.len, {
            if modes.stride[i] == covered {
                let mut step = 1;
                repeat!(k, 0..modes.leaf[i], {
                    step *= l.extent_at(k);
                });
                if let Ok(more) = inverse.push_leaf(modes.extent[i], step) {
                    inverse = more;
                }
                covered *= modes.extent[i];
            }
        });
        inverse.coalesce()
    }

    /// The layout R that finds a coordinate of every offset of L: `L(R(L(i))) = L(i)`, and
    /// `R(L(i)) = i` if L is injective. Between the offsets of L its values are unspecified.
    ///
    /// An offset is written in the mixed radix of the strides, so R has a mode for each gap between
    /// two strides. Each digit is the coordinate of a mode. Modes of stride 0 get coordinate 0.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let padded = DynLayout::parse("(4,8):(1,5)").unwrap();
    /// assert_eq!(padded.left_inverse()?.to_string(), "(5,8):(1,4)");
    /// assert!(DynLayout::parse("(2,6):(4,1)").unwrap().left_inverse().is_err());
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::InverseStride`] if a stride is not a multiple of the next smaller one;
    /// [`AlgebraError::InverseOverlap`] if a digit exceeds its mode, as in `(2,6):(4,1)`, where CuTe
    /// returns a layout that is not an inverse; [`LayoutError::ZeroExtent`] for an empty layout.
    ///
    /// The last mode of L may be unbounded, as in [`composition`](Self::composition).
    pub(crate) const fn left_inverse(&self) -> Result<Self, LayoutError> {
        self.left_inverse_with_offset(0)
    }

    /// [`left_inverse`](Self::left_inverse) of the offsets plus `offset`. The offset is one more
    /// digit, which is not a coordinate of L.
    pub(crate) const fn left_inverse_with_offset(
        &self,
        offset: usize,
    ) -> Result<Self, LayoutError> {
        refuse!(self.size() == 0, LayoutError::ZeroExtent);
        let mut l = self.coalesce();
        // The last mode is unbounded, unless a last leaf of extent 1 continues with another stride,
        // or there is an offset.
        let is_unbounded = offset == 0 && self.left_operand().len() == l.len();
        let moved = if offset == 0 { MAX_LEAVES } else { l.len() };
        if offset > 0 {
            l = attempt!(l.push_leaf(2, offset));
        }
        let order = exchange_sorted(&l);
        let mut inverse = Self::EMPTY;
        // The current digit: its weight, the coordinate of one step of it, and the largest offset up
        // to it.
        let (mut weight, mut step, mut reach) = (1, 0, 0usize);
        let mut last = 1;
        repeat!(k, 0..l.len(), {
            let leaf = order[k];
            let (extent, stride) = (l.extent_at(leaf), l.stride_at(leaf));
            if stride > 0 {
                if !stride.is_multiple_of(weight) {
                    return Err(AlgebraError::InverseStride { stride, smaller: weight }.widen());
                }
                inverse = attempt!(inverse.push_leaf(stride / weight, step));
                reach += (extent - 1) * stride;
                // The number of values of the digit, if a larger stride follows.
                let digits =
                    if k + 1 < l.len() { l.stride_at(order[k + 1]) / stride } else { usize::MAX };
                let is_last = leaf + 1 == l.len() && is_unbounded;
                if extent < digits && reach / stride >= extent && !is_last {
                    return Err(AlgebraError::InverseOverlap { stride, extent, reach }.widen());
                }
                weight = stride;
                step = (leaf != moved) as usize;
                repeat!(i, 0..leaf, {
                    step *= l.extent_at(i);
                });
            }
            last = extent;
        });
        attempt!(inverse.push_leaf(last, step)).checked_coalesce()
    }
}

/// The leaves by rising stride. Layouts that are not injective may have equal strides. They are in
/// the order of CuTe's exchange sort, which decides which of them the inverse uses.
const fn exchange_sorted(l: &DynLayout) -> [usize; MAX_LEAVES] {
    let mut order = [0; MAX_LEAVES];
    repeat!(i, 0..l.len(), {
        order[i] = i;
    });
    repeat!(i, 0..l.len(), {
        repeat!(k, i + 1..l.len(), {
            if l.stride_at(order[k]) < l.stride_at(order[i]) {
                (order[i], order[k]) = (order[k], order[i]);
            }
        });
    });
    order
}
