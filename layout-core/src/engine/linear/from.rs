//! Converts layouts, swizzled layouts, swizzles and layouts of coordinates to matrices.

use super::{Dimensions, INPUTS, LinearLayout, MAX_BITS, MAX_DIMENSIONS, OUTPUTS};
use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::engine::swizzle::{ComposedLayout, Swizzle};
use crate::error::{LayoutError, LinearError, NotationError};

/// The number of bits of a number.
const fn bits_of(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

impl LinearLayout {
    /// Converts a layout of offsets: a dimension for each mode, and one for the offset.
    ///
    /// `of(L)(i) = L(i)`. A layout is linear iff its extents are powers of two and the offsets of no
    /// two index bits share a bit: a sum that carries is not an XOR.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, LinearLayout};
    /// let of = |text| LinearLayout::of(&DynLayout::parse(text).unwrap());
    /// let text = "#ttg.linear<{register = [[4], [8]], lane = [[1], [2]]}>";
    /// assert_eq!(of("(4,4):(4,1)")?.to_string(), text);
    /// // 1 + 1 carries.
    /// assert_eq!(of("(2,2):(1,1)").unwrap_err().code(), "L0373");
    /// assert_eq!(of("(3,4):(4,1)").unwrap_err().code(), "L0140");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotationError::PowerOfTwo`], [`LinearError::Carry`], [`LinearError::TooManyDimensions`].
    #[inline]
    pub const fn of(layout: &DynLayout) -> Result<Self, LayoutError> {
        let outputs =
            attempt!(Dimensions::named(&OUTPUTS, &[bits_of(layout.cosize().saturating_sub(1))]));
        let inputs = attempt!(inputs_of(&layout.shape()));
        let mut l = Self { inputs, outputs, bases: [0; MAX_BITS] };
        let (mut used, mut bit) = (0, 0);
        repeat!(leaf, 0..layout.len(), {
            let (mut extent, mut offset) = (layout.extent_at(leaf), layout.stride_at(leaf));
            while extent > 1 {
                refuse!(used & offset != 0, l.carry(bit, offset));
                used |= offset;
                l.bases[bit] = offset;
                bit += 1;
                extent /= 2;
                // May wrap only after the last bit, where it is not used.
                offset = offset.wrapping_mul(2);
            }
        });
        Ok(l)
    }

    /// The error of a basis that shares bits with an earlier one.
    #[inline]
    const fn carry(&self, bits: usize, offset: usize) -> LayoutError {
        let mut i = 0;
        while i + 1 < bits && self.bases[i] & offset == 0 {
            i += 1;
        }
        LayoutError::Linear(LinearError::Carry { first: self.bases[i], second: offset })
    }

    /// Converts a swizzled layout: `of_composed(C)(i) = C(i)`.
    ///
    /// # Errors
    ///
    /// [`LinearError::Offset`] for a nonzero offset, since a linear layout maps 0 to 0; the errors
    /// of [`of`](Self::of) for the layout inside.
    #[inline]
    pub const fn of_composed(composed: &ComposedLayout) -> Result<Self, LayoutError> {
        refuse!(composed.offset() > 0, LinearError::Offset { offset: composed.offset() });
        let (inner, swizzle) = (attempt!(Self::of(&composed.layout())), composed.swizzle());
        let (mut l, mut used) = (inner, 0);
        repeat!(i, 0..l.input_bits() as usize, {
            l.bases[i] = swizzle.apply(l.bases[i]);
            used |= l.bases[i];
        });
        // A target bit may lie above the offsets of the layout inside.
        if used >> l.output_bits() != 0 {
            l.outputs = attempt!(Dimensions::named(&OUTPUTS, &[bits_of(used)]));
        }
        Ok(l)
    }

    /// Converts a swizzle to a matrix on offsets of `bits` bits, or more if its source bits need
    /// more.
    ///
    /// ```
    /// use static_layout::engine::{LinearLayout, Swizzle};
    /// let l = LinearLayout::of_swizzle(&Swizzle::new(1, 0, 2)?, 0)?;
    /// assert_eq!(l.to_string(), "#ttg.linear<{register = [[1], [2], [5]]}>");
    /// assert_eq!(l.inverse()?, l.inverse()?.inverse()?.inverse()?);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LinearError::TooManyBits`].
    #[inline]
    pub const fn of_swizzle(swizzle: &Swizzle, bits: u32) -> Result<Self, LayoutError> {
        let source = swizzle.source();
        let least = bits_of(source | swizzle.moved(source));
        let mut l = attempt!(Self::identity(if bits > least { bits } else { least }));
        repeat!(i, 0..l.input_bits() as usize, {
            l.bases[i] = swizzle.apply(l.bases[i]);
        });
        Ok(l)
    }

    /// Converts a layout of coordinates: a dimension for each mode, and one for each component of a
    /// value.
    ///
    /// # Errors
    ///
    /// The errors of [`of`](Self::of); [`NotationError::Negative`] for a negative stride.
    #[inline]
    pub const fn of_coordinates(layout: &CoordinateLayout) -> Result<Self, LayoutError> {
        let codomain = attempt!(layout.codomain());
        let ranks = codomain.tree.len();
        refuse!(ranks > MAX_DIMENSIONS, LinearError::TooManyDimensions { limit: MAX_DIMENSIONS });
        let inputs = attempt!(inputs_of(&layout.shape()));
        // Two passes: first store the components of each basis, to learn how many bits each has.
        let (mut bits, mut parts) = ([0; MAX_DIMENSIONS], [[0; MAX_BITS]; MAX_DIMENSIONS]);
        repeat!(k, 0..codomain.len(), {
            let dimension = codomain.leaf(k);
            let (mut used, mut bit) = (0usize, 0);
            repeat!(leaf, 0..layout.len(), {
                let step = layout.stride_at(leaf).along(codomain.path(k));
                refuse!(step < 0, NotationError::Negative);
                let (mut extent, mut offset) = (layout.extent_at(leaf), step as usize);
                while extent > 1 {
                    if used & offset != 0 {
                        let bit = (used & offset).trailing_zeros();
                        return Err(LayoutError::Notation(NotationError::SharedBit { bit }));
                    }
                    used |= offset;
                    parts[dimension][bit] = offset;
                    bit += 1;
                    extent /= 2;
                    offset = offset.wrapping_mul(2);
                }
            });
            bits[dimension] = bits_of(used);
        });
        let outputs = attempt!(Dimensions::named(&OUTPUTS, bits.split_at(ranks).0));
        let mut l = Self { inputs, outputs, bases: [0; MAX_BITS] };
        repeat!(dimension, 0..ranks, {
            repeat!(bit, 0..l.input_bits() as usize, {
                l.bases[bit] |= parts[dimension][bit] << l.outputs.first_bit(dimension);
            });
        });
        Ok(l)
    }
}

/// A dimension for each mode of a shape. Extents must be powers of two.
#[inline]
const fn inputs_of(shape: &IntTuple) -> Result<Dimensions, LayoutError> {
    repeat!(leaf, 0..shape.len(), {
        let extent = shape.at(leaf);
        refuse!(!extent.is_power_of_two(), NotationError::PowerOfTwo { extent });
    });
    let rank = shape.rank();
    refuse!(rank > MAX_DIMENSIONS, LinearError::TooManyDimensions { limit: MAX_DIMENSIONS });
    let mut bits = [0; MAX_DIMENSIONS];
    repeat!(i, 0..rank, {
        let size = if shape.is_int() { shape.at(0) } else { attempt!(shape.mode(i).product()) };
        bits[i] = size.trailing_zeros();
    });
    Dimensions::named(&INPUTS, bits.split_at(rank).0)
}
