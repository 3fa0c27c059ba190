//! Swizzled layouts as functions: cosize, inverses, recast, and common vectors.
//!
//! A swizzle is a permutation of offsets and its own inverse. So facts about the domain are those of
//! the layout inside, and facts about the offsets are passed through the swizzle.

use crate::engine::distribute::gcd;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::swizzle::{ComposedLayout, Swizzle};
use crate::error::{AlgebraError, LayoutError};

/// The maximum number of coordinates that a search visits: about 0.1 s.
const MAX_STEPS: usize = 1 << 23;

impl ComposedLayout {
    /// One more than the largest offset.
    ///
    /// CuTe's is the cosize of the layout inside, without the offset, which swizzled offsets can
    /// exceed.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// let layout = DynLayout::parse("(4,3):(4,1)").unwrap();
    /// // Row 3 has the offsets 12, 13, 14, which become 15, 14, 13.
    /// assert_eq!(Swizzle::new(2, 0, 2)?.composition(&layout).cosize(), Ok(16));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::TooManyOverlaps`] if the search takes too long.
    #[inline]
    pub fn cosize(&self) -> Result<usize, LayoutError> {
        let layout = self.layout();
        if layout.cosize() == 0 {
            return Ok(0);
        }
        let last = self.offset() + layout.cosize() - 1;
        let swizzle = self.swizzle();
        let source = swizzle.source();
        // No source bit is ever set, so nothing flips.
        if source == 0 || last < source & source.wrapping_neg() {
            return Ok(last + 1);
        }
        // The swizzle permutes within blocks, so the largest offset is in the last block.
        let block = usize::MAX >> (source | swizzle.moved(source)).leading_zeros();
        let mut modes = [(0, 0); MAX_LEAVES];
        let mut len = 0;
        for i in 0..layout.len() {
            if layout.extent_at(i) > 1 && layout.stride_at(i) > 0 {
                modes[len] = (layout.stride_at(i), layout.extent_at(i));
                len += 1;
            }
        }
        let modes = &mut modes[..len];
        modes.sort_unstable_by(|a, b| b.cmp(a));
        let (start, end) = (last & !block, last | block);
        let mut search = Search { swizzle, start, end, best: 0, steps: MAX_STEPS };
        if search.largest(modes, self.offset(), last - self.offset()) {
            Ok(search.best + 1)
        } else {
            let (shape, stride) = (layout.shape(), layout.stride());
            Err(AlgebraError::TooManyOverlaps { shape, stride }.into())
        }
    }

    /// The offsets of a shape that the layout inside does not reach. Copies of the layout that start
    /// at these offsets, inside the swizzle, share no offset, as in CuTe.
    ///
    /// # Errors
    ///
    /// The errors of [`algebra::complement`](crate::engine::algebra::complement).
    #[inline]
    pub const fn complement(&self, cotarget: &IntTuple) -> Result<DynLayout, LayoutError> {
        self.layout().complement_shape(cotarget)
    }

    /// The layout R with `C(R(i)) = i` for every `i < size(R)`.
    ///
    /// Its size is the size of the right inverse of the layout inside, or of the largest part of it
    /// that the swizzle maps to itself.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// let rows = DynLayout::parse("(4,8):(8,1)").unwrap();
    /// let swizzled = Swizzle::new(2, 0, 3)?.composition(&rows);
    /// let inverse = swizzled.right_inverse()?;
    /// assert_eq!(inverse.to_string(), "Sw<2,0,-2> o 0 o (8,4):(4,1)");
    /// assert!((0..32).all(|i| swizzled.offset_of_index(inverse.offset_of_index(i)) == i));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::InverseOffset`] if the layout has an offset; [`AlgebraError::SwizzleInside`]
    /// if the inverse is not a swizzled layout.
    #[inline]
    pub fn right_inverse(&self) -> Result<Self, LayoutError> {
        let inverse = self.layout().right_inverse();
        refuse!(self.offset() > 0, AlgebraError::InverseOffset { offset: self.offset() });
        let swizzle = self.swizzle();
        if swizzle.source() == 0 {
            return Ok(inverse.into());
        }
        let size = inverse.size();
        let kept = mapped_to_itself(&swizzle, size);
        let inverse = if kept == size {
            inverse
        } else {
            match inverse.composition(&DynLayout::leaf(kept, 1)) {
                Ok(part) => part.coalesce(),
                Err(_) => DynLayout::UNIT,
            }
        };
        let behind = swizzle.behind(&inverse, inverse.size())?;
        Self::new(&behind, 0, &inverse)
    }

    /// The layout R that finds a coordinate of every offset of C: `C(R(C(i))) = C(i)`, and
    /// `R(C(i)) = i` if C is injective.
    ///
    /// ```
    /// use static_layout::engine::{ComposedLayout, DynLayout, Swizzle};
    /// let rows = DynLayout::parse("(4,8):(8,1)").unwrap();
    /// let swizzled = ComposedLayout::new(&Swizzle::new(2, 0, 3)?, 64, &rows)?;
    /// let inverse = swizzled.left_inverse()?;
    /// assert!((0..32).all(|i| inverse.offset_of_index(swizzled.offset_of_index(i)) == i));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`algebra::left_inverse`](crate::engine::algebra::left_inverse);
    /// [`AlgebraError::SwizzleInside`] if the inverse is not a swizzled layout.
    #[inline]
    pub fn left_inverse(&self) -> Result<Self, LayoutError> {
        let inverse = self.layout().left_inverse_with_offset(self.offset())?;
        let behind = self.swizzle().behind_used_bits(&inverse, self.offset_bits())?;
        Self::new(&behind, 0, &inverse)
    }

    /// The bits that can be set in the offsets before the swizzle, as a mask.
    #[inline]
    fn offset_bits(&self) -> usize {
        let layout = self.layout();
        let mut bits = self.offset();
        for i in 0..layout.len() {
            let (extent, stride) = (layout.extent_at(i), layout.stride_at(i));
            if extent > 1 && stride > 0 {
                let reach = (extent - 1) * stride;
                let span =
                    (usize::MAX >> reach.leading_zeros()) & (usize::MAX << stride.trailing_zeros());
                if span & bits != 0 {
                    // The modes share bits, so their sum carries.
                    let last = self.offset() + layout.cosize() - 1;
                    return usize::MAX >> last.leading_zeros();
                }
                bits |= span;
            }
        }
        bits
    }

    /// The layout in elements that are `factor` times as large: its offsets are the offsets of C
    /// divided by `factor`, rounded down.
    ///
    /// Flipped bits inside the new elements disappear.
    ///
    /// # Errors
    ///
    /// The errors of the operation on the layout inside; [`AlgebraError::ElementOffset`] for an
    /// offset that is not a multiple of the factor; [`AlgebraError::SwizzleElements`] for a factor
    /// that is not a power of 2, or if a source bit inside the new elements has its target bit
    /// outside.
    #[inline]
    pub fn upcast(&self, factor: usize) -> Result<Self, LayoutError> {
        let layout = self.layout().upcast(factor)?;
        if !self.offset().is_multiple_of(factor) {
            let offset = self.offset();
            return Err(AlgebraError::ElementOffset { offset, factor }.into());
        }
        let swizzle = self.swizzle();
        let cut = Err(AlgebraError::SwizzleElements { swizzle, factor }.into());
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        let swizzle = if swizzle.is_identity() {
            swizzle
        } else if !factor.is_power_of_two() {
            return cut;
        } else {
            let lost = factor.trailing_zeros();
            if lost <= base {
                Swizzle::new(bits, base - lost, shift)?
            } else if shift > 0 {
                Swizzle::new(bits.saturating_sub(lost - base), 0, shift)?
            } else if lost >= base + bits + shift.unsigned_abs() {
                Swizzle::new(0, 0, 0)?
            } else {
                return cut;
            }
        };
        Self::new(&swizzle, self.offset() / factor, &layout)
    }

    /// The layout in elements that are smaller by `factor`: for each offset `o` of C it has the
    /// offsets `factor * o .. factor * (o + 1)`.
    ///
    /// # Errors
    ///
    /// The errors of the operation on the layout inside; [`AlgebraError::SwizzleElements`] for a
    /// factor that is not a power of 2; an overflow.
    #[inline]
    pub fn downcast(&self, factor: usize) -> Result<Self, LayoutError> {
        const OVERFLOW: LayoutError = LayoutError::IntegerOverflow { operation: "downcast" };
        let layout = self.layout().downcast(factor)?;
        let mut swizzle = self.swizzle();
        if !swizzle.is_identity() {
            refuse!(!factor.is_power_of_two(), AlgebraError::SwizzleElements { swizzle, factor });
            let base = swizzle.base() + factor.trailing_zeros();
            swizzle = Swizzle::new(swizzle.bits(), base, swizzle.shift())?;
        }
        let offset = self.offset().checked_mul(factor).ok_or(OVERFLOW)?;
        Self::new(&swizzle, offset, &layout)
    }

    /// A layout in elements of `old_bits`, converted to elements of `new_bits`: an
    /// [`upcast`](Self::upcast), a [`downcast`](Self::downcast), or one after the other.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// let bytes = Swizzle::new(3, 5, 4)?.composition(&DynLayout::parse("(32,4):(1,32)").unwrap());
    /// assert_eq!(bytes.recast(8, 32)?.to_string(), "Sw<3,3,4> o 0 o (8,4):(1,8)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `upcast` and `downcast`.
    #[inline]
    pub fn recast(&self, old_bits: usize, new_bits: usize) -> Result<Self, LayoutError> {
        refuse!(old_bits == 0 || new_bits == 0, AlgebraError::ZeroFactor { operation: "recast" });
        let common = gcd(old_bits, new_bits);
        let (up, down) = (new_bits / common, old_bits / common);
        let l = if up > 1 { self.upcast(up)? } else { *self };
        if down > 1 { l.downcast(down) } else { Ok(l) }
    }

    /// The longest vector that can be copied between two layouts: as much of the vector of the
    /// layouts inside as both swizzles map to the same offsets below its length. As in CuTe, except
    /// that CuTe takes all of it if the swizzles are equal.
    ///
    /// Different swizzles keep `2^M` elements in place. Equal ones move elements alike, and map to
    /// itself what the [right inverse](Self::right_inverse) keeps.
    ///
    /// If a layout has an offset, the vector has one element.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// // Offset 4 becomes 5, and no other one becomes 4.
    /// let five = Swizzle::new(1, 0, 2)?.composition(&DynLayout::leaf(5, 1));
    /// assert_eq!(five.max_common_vector(&five), 4);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[inline]
    pub fn max_common_vector(&self, other: &Self) -> usize {
        if self.offset() > 0 || other.offset() > 0 {
            return 1;
        }
        let inside = self.layout().max_common_vector(&other.layout());
        if self.swizzle() == other.swizzle() {
            mapped_to_itself(&self.swizzle(), inside)
        } else {
            inside.min(self.unmoved()).min(other.unmoved())
        }
    }

    /// The largest layout of coordinates that two layouts have in common, `A(R(i)) = B(R(i)) = i`,
    /// with at most `2^M` elements for each swizzle.
    ///
    /// # Errors
    ///
    /// The errors of the operation on the layouts inside; [`AlgebraError::InverseOffset`] if one of
    /// the layouts has an offset.
    #[inline]
    pub fn max_common_layout(&self, other: &Self) -> Result<DynLayout, LayoutError> {
        let offset = self.offset().max(other.offset());
        refuse!(offset > 0, AlgebraError::InverseOffset { offset });
        let common = self.layout().max_common_layout(&other.layout())?;
        let most = self.unmoved().min(other.unmoved());
        if common.size() <= most {
            return Ok(common);
        }
        Ok(common.composition(&DynLayout::leaf(most, 1)).map_or(DynLayout::UNIT, |l| l.coalesce()))
    }

    /// Number of contiguous elements that the swizzle keeps contiguous.
    fn unmoved(&self) -> usize {
        if self.swizzle().is_identity() { usize::MAX } else { 1 << self.swizzle().base() }
    }
}

/// How many of the offsets below `size`, from 0 on, the swizzle maps to themselves as a set.
fn mapped_to_itself(swizzle: &Swizzle, size: usize) -> usize {
    let source = swizzle.source();
    if source == 0 {
        return size;
    }
    // Below the first source bit nothing flips. Above it, whole blocks of swizzled bits map to
    // themselves.
    let below = source & source.wrapping_neg();
    let block = (usize::MAX >> swizzle.moved(source).leading_zeros()) + 1;
    if size >= block { size / block * block } else { size.min(below) }
}

/// A search for the largest swizzled offset.
struct Search {
    swizzle: Swizzle,
    /// The block of offsets that contains it: from `start` to `end`.
    start: usize,
    end: usize,
    best: usize,
    /// Remaining budget of coordinates to visit.
    steps: usize,
}

impl Search {
    /// Visits all sums of `offset` and the modes, which add at most `reach`. Returns false if the
    /// budget ran out.
    #[inline]
    fn largest(&mut self, modes: &[(usize, usize)], offset: usize, reach: usize) -> bool {
        let Some(&(stride, extent)) = modes.first() else {
            self.best = self.best.max(self.swizzle.apply(offset));
            return true;
        };
        let rest = reach - (extent - 1) * stride;
        for i in (0..extent).rev() {
            let offset = offset + i * stride;
            if offset + rest < self.start || self.best == self.end {
                break;
            }
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            if !self.largest(&modes[1..], offset, rest) {
                return false;
            }
        }
        true
    }
}
