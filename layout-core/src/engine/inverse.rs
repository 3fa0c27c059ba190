//! `right_inverse` and `left_inverse`: from offsets back to coordinates.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// The layout R with `L(R(i)) = i` for every `i < size(R)`, as large as strides allow.
    ///
    /// R starts at the mode of stride 1 and goes on with the mode whose stride is what is covered
    /// so far. Without a mode of stride 1 it is `1:0`. Of modes with equal strides the first is
    /// taken.
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
    /// `R(L(i)) = i` when L is injective. Between the offsets of L it is whatever continues it.
    ///
    /// A mode of R counts through each gap between two strides: an offset is written in the mixed
    /// radix of the strides, and each digit is the coordinate of a mode. Modes of stride 0 get
    /// coordinate 0.
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
    /// [`AlgebraError::InverseStride`] when a stride is no multiple of the next smaller one;
    /// [`AlgebraError::InverseOverlap`] when a digit exceeds its mode, as in `(2,6):(4,1)`, where
    /// CuTe returns a layout that is no inverse; [`LayoutError::ZeroExtent`] for an empty layout.
    ///
    /// The last mode of L may go on, as in [`composition`](Self::composition).
    pub(crate) const fn left_inverse(&self) -> Result<Self, LayoutError> {
        self.left_inverse_behind(0)
    }

    /// [`left_inverse`](Self::left_inverse) of the offsets moved by `offset`: a digit more, which no
    /// coordinate has.
    pub(crate) const fn left_inverse_behind(&self, offset: usize) -> Result<Self, LayoutError> {
        refuse!(self.size() == 0, LayoutError::ZeroExtent);
        let mut l = self.coalesce();
        // A last leaf of extent 1 may go on in another way than the last mode does, and nothing may
        // where there is an offset.
        let goes_on = offset == 0 && self.left_operand().len() == l.len();
        let moved = if offset == 0 { MAX_LEAVES } else { l.len() };
        if offset > 0 {
            l = attempt!(l.push_leaf(2, offset));
        }
        let order = exchange_sorted(&l);
        let mut inverse = Self::EMPTY;
        // The current digit: its weight, the coordinate of one step of it, and the largest offset
        // up to it.
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
                // The digit has this many values, if a larger stride comes after it.
                let digits =
                    if k + 1 < l.len() { l.stride_at(order[k + 1]) / stride } else { usize::MAX };
                let is_last = leaf + 1 == l.len() && goes_on;
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

/// The leaves by rising stride. Of equal strides, which the inverse of a layout that is not
/// injective may have, the order is that of CuTe's exchange sort: it decides which one is used.
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
