//! `complement`: the layout of the offsets that another layout does not reach.

use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::{LayoutError, Operand, Place};

impl DynLayout {
    /// The layout of the offsets up to `cotarget` that `self` does not reach.
    ///
    /// `complement(L, n)` is ordered, and `(L, complement(L, n))` is injective. If every stride of L
    /// is a multiple of the size that the smaller strides cover, and the size that all strides cover
    /// divides `n`, L and the complement together are a bijection onto `0..n`. Otherwise the last
    /// mode is rounded up, and gaps that do not divide are rounded down.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// const L: DynLayout = DynLayout::leaf(4, 2);
    /// assert_eq!(L.complement(&24)?.to_string(), "(2,3):(1,8)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::ComplementOverlap`] if a stride lies inside the range that smaller strides
    /// cover; [`LayoutError::ZeroExtent`] for an empty layout or a cotarget of 0.
    pub(crate) const fn complement(&self, cotarget: usize) -> Result<Self, LayoutError> {
        self.complement_at(cotarget, Place::new("complement", None, Operand::Layout))
    }

    /// [`complement`](Self::complement) of a layout that is the operand `place` of an operation.
    pub(crate) const fn complement_at(
        &self,
        cotarget: usize,
        place: Place,
    ) -> Result<Self, LayoutError> {
        let (gaps, covered) = attempt!(self.free_modes(place));
        refuse!(cotarget == 0, LayoutError::ZeroExtent);
        gaps.filled(cotarget.div_ceil(covered), covered)
    }

    /// [`complement`](crate::engine::algebra::complement) up to a shape: the last mode repeats as
    /// often as each mode of the shape needs (CuTe's `ceil_div`), and at least as often as its size
    /// needs.
    ///
    /// # Errors
    ///
    /// The errors of [`complement`](crate::engine::algebra::complement).
    pub const fn complement_shape(&self, cotarget: &IntTuple) -> Result<Self, LayoutError> {
        let place = Place::new("complement", None, Operand::Layout);
        self.complement_shape_at(cotarget, place)
    }

    /// [`complement_shape`](Self::complement_shape) of a layout that is the operand `place` of an
    /// operation.
    pub(crate) const fn complement_shape_at(
        &self,
        cotarget: &IntTuple,
        place: Place,
    ) -> Result<Self, LayoutError> {
        let (gaps, covered) = attempt!(self.free_modes(place));
        let size = attempt!(cotarget.product());
        refuse!(size == 0, LayoutError::ZeroExtent);
        let (mut repeat, mut rest) = (1usize, covered);
        repeat!(i, 0..cotarget.len(), {
            let extent = cotarget.at(i);
            repeat = match repeat.checked_mul(extent.div_ceil(rest)) {
                Some(repeat) => repeat,
                None => return Err(LayoutError::IntegerOverflow { operation: "complement" }),
            };
            rest = rest.div_ceil(extent);
        });
        let needed = size.div_ceil(covered);
        gaps.filled(if repeat > needed { repeat } else { needed }, covered)
    }

    /// [`complement`](Self::complement) up to the cosize: only the gaps inside `self`.
    ///
    /// # Errors
    ///
    /// The errors of [`complement`](Self::complement).
    pub(crate) const fn complement_in_cosize(&self) -> Result<Self, LayoutError> {
        self.complement(self.cosize())
    }

    /// The complement of a layout that is the operand `place` of an operation, valid for every
    /// cotarget: as the left operand of a composition, whose last mode is unbounded.
    pub(crate) const fn complement_without_end(&self, place: Place) -> Result<Self, LayoutError> {
        let (gaps, covered) = attempt!(self.free_modes(place));
        gaps.push_leaf(1, covered)
    }

    /// The modes between the strides of `self`, and the size that both together cover.
    const fn free_modes(&self, place: Place) -> Result<(Self, usize), LayoutError> {
        let modes = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return Err(LayoutError::ZeroExtent),
        };
        let mut gaps = Self::EMPTY;
        let mut covered = 1;
        repeat!(i, 0..modes.len, {
            let (extent, stride) = (modes.extent[i], modes.stride[i]);
            // A stride of 0 covers nothing new.
            if stride > 0 {
                if stride < covered {
                    let place = self.place_of_leaf(modes.leaf[i], place);
                    return Err(LayoutError::ComplementOverlap { place, stride, covered });
                }
                gaps = attempt!(gaps.push_leaf(stride / covered, covered));
                covered = match stride.checked_mul(extent) {
                    Some(covered) => covered,
                    None => return Err(LayoutError::IntegerOverflow { operation: "complement" }),
                };
            }
        });
        Ok((gaps, covered))
    }

    const fn filled(self, repeat: usize, covered: usize) -> Result<Self, LayoutError> {
        // The covered size may be too large for a stride. It is only used if the mode repeats.
        let covered = if repeat == 1 { 0 } else { covered };
        attempt!(self.push_leaf(repeat, covered)).checked_coalesce()
    }

    /// A list of leaves as a coalesced layout. An error names the tuple of the leaves.
    pub(crate) const fn checked_coalesce(self) -> Result<Self, LayoutError> {
        Ok(attempt!(self.unwrapped().checked()).coalesce())
    }
}
