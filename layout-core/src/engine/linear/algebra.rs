//! Composition and product of linear layouts.

use super::{Dimensions, LinearDimension, LinearLayout, MAX_BITS};
use crate::error::{LayoutError, LinearError};

impl LinearLayout {
    /// One layout after another: `composition(A, B)(i) = A(B(i))`.
    ///
    /// The values of B are indices of A: dimension by dimension if both have the same number of
    /// dimensions, as 1-D coordinates if one of them has a single dimension. Names are ignored.
    ///
    /// ```
    /// use static_layout::engine::{LinearLayout, Swizzle};
    /// let swizzle = LinearLayout::of_swizzle(&Swizzle::new(2, 0, 2)?, 0)?;
    /// assert_eq!(swizzle.composition(&swizzle)?, LinearLayout::identity(4)?);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LinearError::CompositionShape`] if a value of B is not an index of A.
    #[inline]
    pub const fn composition(&self, inner: &Self) -> Result<Self, LayoutError> {
        let (from, to) = (&inner.outputs, &self.inputs);
        let by_dimension = from.len == to.len;
        let mut fits = by_dimension
            || (from.len <= 1 || to.len <= 1) && inner.output_bits() <= self.input_bits();
        let mut i = 0;
        while by_dimension && i < from.len {
            fits = fits && from.list[i].bits <= to.list[i].bits;
            i += 1;
        }
        if !fits {
            let (values, indices) = (inner.value_shape(), self.shape());
            return Err(LayoutError::Linear(LinearError::CompositionShape { values, indices }));
        }
        let mut l = Self { inputs: inner.inputs, outputs: self.outputs, bases: [0; MAX_BITS] };
        repeat!(bit, 0..inner.input_bits() as usize, {
            let value = inner.bases[bit];
            let index = if by_dimension { moved(value, from, to) } else { value };
            l.bases[bit] = self.value_of_index(index);
        });
        Ok(l)
    }

    /// Copies of `A` at the positions of `B`: in each dimension `A` has the low bits, and `B` the
    /// bits above.
    ///
    /// `product(A, B)(a + |A| * b) = A(a) + |values of A| * B(b)` in one dimension. Dimensions are
    /// matched by name. Dimensions of `B` that `A` does not have are appended.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let of = |text| LinearLayout::parse(text).unwrap();
    /// let registers = of("#ttg.linear<{register = [[0, 1], [1, 0]]}>");
    /// let lanes = of("#ttg.linear<{lane = [[0, 1], [0, 2]]}>");
    /// let both = "#ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4]]}>";
    /// assert_eq!(registers.product(&lanes)?.to_string(), both);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LinearError::TooManyBits`], [`LinearError::TooManyDimensions`].
    #[doc(alias = "operator*")]
    #[inline]
    pub const fn product(&self, other: &Self) -> Result<Self, LayoutError> {
        let inputs = attempt!(self.inputs.and(&other.inputs));
        let outputs = attempt!(self.outputs.and(&other.outputs));
        let mut l = Self { inputs, outputs, bases: [0; MAX_BITS] };
        l.place(self, &Dimensions::EMPTY, &Dimensions::EMPTY);
        l.place(other, &self.inputs, &self.outputs);
        Ok(l)
    }

    /// Sets the bases of a factor. Its bits go above the bits in `indices` and `values`.
    #[inline]
    const fn place(&mut self, factor: &Self, indices: &Dimensions, values: &Dimensions) {
        let mut bit = 0;
        repeat!(i, 0..factor.inputs.len, {
            let dimension = factor.inputs.list[i];
            let first = self.inputs.bit_above(&dimension, indices);
            let mut k = 0;
            while k < dimension.bits as usize {
                self.bases[first + k] = self.value_above(factor, factor.bases[bit], values);
                (bit, k) = (bit + 1, k + 1);
            }
        });
    }

    /// A value of a factor, above `values` in each dimension.
    #[inline]
    const fn value_above(&self, factor: &Self, value: usize, values: &Dimensions) -> usize {
        let mut sum = 0;
        repeat!(i, 0..factor.outputs.len, {
            let dimension = factor.outputs.list[i];
            let part = value >> factor.outputs.first_bit(i) & ((1 << dimension.bits) - 1);
            sum |= part << self.outputs.bit_above(&dimension, values);
        });
        sum
    }
}

impl Dimensions {
    /// The dimensions of both; dimensions with the same name are joined.
    #[inline]
    const fn and(&self, other: &Self) -> Result<Self, LayoutError> {
        let mut both = Self::EMPTY;
        repeat!(i, 0..self.len, {
            let dimension = self.list[i];
            let k = other.position(&dimension);
            let more = if k < other.len { other.list[k].bits } else { 0 };
            both =
                attempt!(both.push(LinearDimension {
                    bits: dimension.bits.saturating_add(more),
                    ..dimension
                }));
        });
        repeat!(i, 0..other.len, {
            if self.position(&other.list[i]) == self.len {
                both = attempt!(both.push(other.list[i]));
            }
        });
        Ok(both)
    }

    /// The first bit of a dimension above the bits that `below` has in it.
    #[inline]
    const fn bit_above(&self, dimension: &LinearDimension, below: &Self) -> usize {
        let k = below.position(dimension);
        let taken = if k < below.len { below.list[k].bits } else { 0 };
        (self.first_bit(self.position(dimension)) + taken) as usize
    }
}

/// Converts a coordinate of `from` to one of `to`, whose dimensions are at least as large.
#[inline]
const fn moved(value: usize, from: &Dimensions, to: &Dimensions) -> usize {
    let mut sum = 0;
    repeat!(i, 0..from.len, {
        let part = value >> from.first_bit(i) & ((1 << from.list[i].bits) - 1);
        sum |= part << to.first_bit(i);
    });
    sum
}
