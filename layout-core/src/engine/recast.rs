//! `upcast`, `downcast` and `recast`: the same memory in larger or smaller elements.

use crate::engine::distribute::gcd;
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// The layout in elements that are `factor` times as large: its offsets are the offsets of L
    /// divided by `factor`, rounded down.
    ///
    /// A mode that steps inside a new element shrinks to the number of new elements that it reaches.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(12,(10,2)):(1,(12,120))").unwrap();
    /// assert_eq!(l.upcast(3)?.to_string(), "(4,(10,2)):(1,(4,40))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::UpcastStride`] for a stride that is neither a multiple nor a divisor of the
    /// factor; [`AlgebraError::UpcastCarry`] if several modes step inside one new element and leave
    /// it only together; [`AlgebraError::ZeroFactor`].
    pub(crate) const fn upcast(&self, factor: usize) -> Result<Self, LayoutError> {
        refuse!(factor == 0, AlgebraError::ZeroFactor { operation: "upcast" });
        let mut l = *self;
        let mut reach = 0usize;
        repeat!(i, 0..l.len(), {
            let (extent, stride) = (l.extent_at(i), l.stride_at(i));
            if stride.is_multiple_of(factor) {
                l.set(i, extent, stride / factor);
            } else if factor.is_multiple_of(stride) {
                let steps = factor / stride;
                l.set(i, extent.div_ceil(steps), 1);
                if extent > 0 {
                    reach = reach.saturating_add((extent - 1) % steps * stride);
                }
            } else {
                return Err(LayoutError::Algebra(AlgebraError::UpcastStride { stride, factor }));
            }
        });
        // The modes that step inside a new element reach all new elements up to their last one
        // together. The shrunk modes do so too, up to the sum of the last one of each: the same, as
        // long as what is left of the last steps stays inside one new element together. CuTe does not
        // check this: it returns (1,1):(1,1) for (3,2):(2,3) with factor 6.
        refuse!(reach >= factor && self.size() > 0, AlgebraError::UpcastCarry { factor, reach });
        Ok(l)
    }

    /// The layout in elements that are smaller by `factor`: the mode of stride 1 gets longer, the
    /// strides of the others grow. For each offset `o` of L it has the offsets
    /// `factor * o .. factor * (o + 1)`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let l = DynLayout::parse("(6,10,2):(20,1,10)").unwrap();
    /// assert_eq!(l.downcast(8)?.to_string(), "(6,80,2):(160,1,80)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::DowncastGap`] without a mode of stride 1, [`AlgebraError::DowncastChoice`]
    /// with several (CuTe makes all of them longer), [`AlgebraError::ZeroFactor`], or an overflow.
    pub(crate) const fn downcast(&self, factor: usize) -> Result<Self, LayoutError> {
        refuse!(factor == 0, AlgebraError::ZeroFactor { operation: "downcast" });
        const OVERFLOW: LayoutError = LayoutError::IntegerOverflow { operation: "downcast" };
        let mut l = *self;
        let mut units = 0;
        repeat!(i, 0..l.len(), {
            let (extent, stride) = (l.extent_at(i), l.stride_at(i));
            let (extent, stride) = if stride == 1 {
                units += 1;
                (extent.checked_mul(factor), Some(1))
            } else {
                (Some(extent), stride.checked_mul(factor))
            };
            match (extent, stride) {
                (Some(extent), Some(stride)) => l.set(i, extent, stride),
                _ => return Err(OVERFLOW),
            }
        });
        let stride = self.stride();
        match units {
            0 => Err(LayoutError::Algebra(AlgebraError::DowncastGap { stride })),
            1 => l.checked(),
            _ => Err(LayoutError::Algebra(AlgebraError::DowncastChoice { stride })),
        }
    }

    /// A layout in elements of `old_bits`, converted to elements of `new_bits`: an
    /// [`upcast`](Self::upcast), a [`downcast`](Self::downcast), or one after the other.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let bytes = DynLayout::parse("(12,4):(1,12)").unwrap();
    /// assert_eq!(bytes.recast(8, 32)?.to_string(), "(3,4):(1,3)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `upcast` and `downcast`.
    #[doc(alias = "recast_layout")]
    pub(crate) const fn recast(
        &self,
        old_bits: usize,
        new_bits: usize,
    ) -> Result<Self, LayoutError> {
        refuse!(old_bits == 0 || new_bits == 0, AlgebraError::ZeroFactor { operation: "recast" });
        let common = gcd(old_bits, new_bits);
        let (up, down) = (new_bits / common, old_bits / common);
        let l = if up > 1 { attempt!(self.upcast(up)) } else { *self };
        if down > 1 { l.downcast(down) } else { Ok(l) }
    }
}
