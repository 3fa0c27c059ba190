//! Commutes a swizzle with a layout: `L o Sw = Sw' o L`.

use crate::engine::layout::DynLayout;
use crate::engine::swizzle::Swizzle;
use crate::error::{AlgebraError, LayoutError};

impl Swizzle {
    /// The swizzle that has the same effect after `layout` as this one has before it, for
    /// coordinates below `limit`: `Sw'(L(i)) = L(Sw(i))`.
    ///
    /// The layout must map each source and target bit to one bit of the offset that no other
    /// coordinate changes. CuTe only requires strides for which the masks come out right, without
    /// checking for other modes that use the same bits.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Swizzle};
    /// let columns = DynLayout::parse("(4,16):(2,8)").unwrap();
    /// let behind = Swizzle::new(2, 0, 2)?.behind(&columns, columns.size())?;
    /// assert_eq!(behind.to_string(), "Sw<2,1,2>");
    /// let rows = DynLayout::parse("(4,8):(8,1)").unwrap();
    /// assert!(Swizzle::new(2, 1, 2)?.behind(&rows, rows.size()).is_err());
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::SwizzleInside`] if there is no such swizzle, by this rule.
    #[inline]
    pub const fn behind(&self, layout: &DynLayout, limit: usize) -> Result<Self, LayoutError> {
        refuse!(layout.size() == 0 || limit == 0, LayoutError::ZeroExtent);
        let largest = limit - 1;
        let used = if largest == 0 { 0 } else { usize::MAX >> largest.leading_zeros() };
        self.behind_used_bits(layout, used)
    }

    /// [`behind`](Self::behind) for coordinates whose set bits are a subset of `used`.
    #[inline]
    pub(crate) const fn behind_used_bits(
        &self,
        layout: &DynLayout,
        used: usize,
    ) -> Result<Self, LayoutError> {
        let none = LayoutError::Algebra(AlgebraError::SwizzleInside {
            swizzle: *self,
            shape: layout.shape(),
            stride: layout.stride(),
        });
        let active = self.source() & used;
        let bits = Bits::of(layout, used | self.moved(active));
        let (mut source, mut target, mut rest) = (0usize, 0usize, active);
        while rest != 0 {
            let from = rest & rest.wrapping_neg();
            rest ^= from;
            match (bits.image(from), bits.image(self.moved(from))) {
                // The target bit does not affect the offset.
                (_, Some(0)) => {}
                (Some(y), Some(z)) if y != 0 && !bits.shared => {
                    source |= y;
                    target |= z;
                    // All pairs must have the same shift.
                    refuse!(moved_back(target, y, z) != source, none);
                }
                _ => return Err(none),
            }
        }
        if source == 0 {
            return Self::new(0, 0, 0);
        }
        let (low, high) = (target.trailing_zeros(), source.trailing_zeros());
        let count = source.count_ones();
        refuse!(source >> high != (1 << count) - 1, none);
        let base = if low < high { low } else { high };
        match Self::new(count, base, high as i32 - low as i32) {
            Ok(swizzle) => Ok(swizzle),
            Err(_) => Err(none),
        }
    }
}

/// The mask `target` shifted by the distance from bit `z` to bit `y`.
const fn moved_back(target: usize, y: usize, z: usize) -> usize {
    let (to, from) = (y.trailing_zeros(), z.trailing_zeros());
    if to >= from { target << (to - from) } else { target >> (from - to) }
}

/// The images of the bits of a coordinate under a layout.
struct Bits {
    layout: DynLayout,
    /// Whether two modes change the same bit of the offset, or one of them carries into it.
    shared: bool,
}

impl Bits {
    /// For coordinates whose set bits are a subset of `used`, also outside the domain.
    #[inline]
    const fn of(layout: &DynLayout, used: usize) -> Self {
        let layout = layout.left_operand();
        let (mut moved, mut shared) = (0usize, false);
        let mut rest = used;
        repeat!(i, 0..layout.len(), {
            let (extent, stride) = (layout.extent_at(i), layout.stride_at(i));
            // The used bits of this mode. If the extent is not a power of two: the largest
            // coordinate.
            let most = if i + 1 == layout.len() {
                rest
            } else if extent.is_power_of_two() {
                rest & (extent - 1)
            } else if rest < extent {
                rest
            } else {
                extent - 1
            };
            rest /= extent;
            if !extent.is_power_of_two() && rest != 0 {
                rest = usize::MAX >> rest.leading_zeros();
            }
            let span = match most.checked_mul(stride) {
                Some(0) => 0,
                Some(reach) => {
                    (usize::MAX >> reach.leading_zeros()) & (usize::MAX << stride.trailing_zeros())
                }
                None => usize::MAX,
            };
            shared = shared || span & moved != 0;
            moved |= span;
        });
        Self { layout, shared }
    }

    /// The bit of the offset that this bit of a coordinate sets; 0 if it does not affect the offset,
    /// `None` if it is not a single bit.
    #[inline]
    const fn image(&self, bit: usize) -> Option<usize> {
        let mut bit = bit;
        repeat!(i, 0..self.layout.len(), {
            let (extent, stride) = (self.layout.extent_at(i), self.layout.stride_at(i));
            if i + 1 == self.layout.len() || bit < extent {
                let inside = i + 1 == self.layout.len() || extent.is_power_of_two();
                return match bit.checked_mul(stride) {
                    Some(image) if inside && (stride == 0 || stride.is_power_of_two()) => {
                        Some(image)
                    }
                    _ => None,
                };
            }
            if !extent.is_power_of_two() {
                return None;
            }
            bit /= extent;
        });
        None
    }
}
