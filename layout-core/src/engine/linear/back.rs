//! Converts matrices back to layouts: `Sw o L`, and layouts of coordinates.

use super::{LinearLayout, MAX_BITS};
use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::swizzle::{ComposedLayout, Swizzle};
use crate::engine::vector::{Path, Vector};
use crate::error::{LayoutError, LinearError, NotationError};

impl LinearLayout {
    /// The equivalent swizzled layout `Sw o L`: a mode for each dimension of the index, and 1-D
    /// values. There is no swizzle if none is needed.
    ///
    /// In a layout, each bit of the offset comes from at most one bit of the index. A swizzle XORs
    /// bits at one fixed distance into some adjacent bits. So the target bits are the bits of the
    /// value that are the XOR of several index bits. Trying all distances finds every matrix that is
    /// a swizzled layout.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let of = |text| LinearLayout::parse(text).unwrap().to_composed();
    /// let l = of("#ttg.linear<{register = [[1], [2], [4]], lane = [[9], [18], [36]]}>")?;
    /// assert_eq!(l.to_string(), "Sw<3,0,3> o 0 o (8,8):(1,8)");
    /// // Bit 0 of the value is the XOR of three bits.
    /// let error = of("#ttg.linear<{register = [[1], [3], [5]]}>").unwrap_err();
    /// assert_eq!(error.code(), "L0378");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LinearError::ManyBits`], [`LinearError::NoSwizzle`] if there is no such layout;
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn to_composed(&self) -> Result<ComposedLayout, LayoutError> {
        let swizzle = attempt!(self.swizzle());
        let (mut layout, mut bit) = (DynLayout::EMPTY, 0);
        repeat!(i, 0..self.inputs.len, {
            let end = bit + self.inputs.list[i].bits as usize;
            let mut mode = DynLayout::EMPTY;
            while bit < end {
                let stride = swizzle.apply(self.bases[bit]);
                let mut extent = 2;
                bit += 1;
                // Consecutive bases that double form one mode.
                while bit < end && is_product(swizzle.apply(self.bases[bit]), stride, extent) {
                    extent *= 2;
                    bit += 1;
                }
                mode = attempt!(mode.push_leaf(extent, stride));
            }
            if mode.len() == 0 {
                mode = DynLayout::UNIT;
            }
            layout = attempt!(layout.push(&mode.unwrapped()));
        });
        let layout = match self.inputs.len {
            0 => DynLayout::UNIT,
            _ => layout.parenthesised(),
        };
        ComposedLayout::new(&swizzle, 0, &attempt!(layout.checked()))
    }

    /// For each bit of a value, the mask of the index bits that are XORed into it.
    #[inline]
    const fn rows(&self) -> [usize; MAX_BITS] {
        let mut rows = [0; MAX_BITS];
        repeat!(i, 0..self.input_bits() as usize, {
            let mut value = self.bases[i];
            while value != 0 {
                rows[value.trailing_zeros() as usize] |= 1 << i;
                value &= value - 1;
            }
        });
        rows
    }

    /// The swizzle `Sw` such that this is `Sw o L` for a plain layout L.
    #[inline]
    const fn swizzle(&self) -> Result<Swizzle, LayoutError> {
        let rows = self.rows();
        let (mut low, mut high) = (MAX_BITS, 0);
        repeat!(bit, 0..MAX_BITS, {
            let count = rows[bit].count_ones();
            refuse!(count > 2, LinearError::ManyBits { bit: bit as u32, count });
            if count == 2 {
                low = if low == MAX_BITS { bit } else { low };
                high = bit;
            }
        });
        if low == MAX_BITS {
            return Swizzle::new(0, 0, 0);
        }
        let width = high + 1 - low;
        repeat!(distance, width..MAX_BITS, {
            // The source bits are above the target bits (the shift is positive), or below.
            if high + distance < MAX_BITS && is_undone(&rows, low, high, distance as isize) {
                return Swizzle::new(width as u32, low as u32, distance as i32);
            }
            if low >= distance && is_undone(&rows, low, high, -(distance as isize)) {
                let base = (low - distance) as u32;
                return Swizzle::new(width as u32, base, -(distance as i32));
            }
        });
        let (low, high) = (low as u32, high as u32);
        Err(LayoutError::Linear(LinearError::NoSwizzle { low, high }))
    }

    /// The equivalent layout of coordinates: a mode for each dimension of the index, and a component
    /// for each dimension of the value. Values with one dimension are integers.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let text = "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4]]}>";
    /// let l = LinearLayout::parse(text).unwrap().to_coordinates()?;
    /// assert_eq!(l.to_string(), "((2,2),4):((1@1,8@0),2@1)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotationError::SharedBit`] if two bases share a bit, so that their XOR is not their sum;
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn to_coordinates(&self) -> Result<CoordinateLayout, LayoutError> {
        let rows = self.rows();
        let mut bit = 0;
        while bit < MAX_BITS {
            if rows[bit].count_ones() > 1 {
                let mut dimension = 0;
                while self.outputs.first_bit(dimension + 1) as usize <= bit {
                    dimension += 1;
                }
                let bit = bit as u32 - self.outputs.first_bit(dimension);
                return Err(LayoutError::Notation(NotationError::SharedBit { bit }));
            }
            bit += 1;
        }
        let mut strides = [Vector::ZERO; MAX_LEAVES];
        let (mut shape, mut leaves, mut bit) = (IntTuple::EMPTY, 0, 0);
        repeat!(i, 0..self.inputs.len, {
            let end = bit + self.inputs.list[i].bits as usize;
            let mut mode = IntTuple::EMPTY;
            while bit < end || mode.len() == 0 {
                refuse!(leaves == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
                let mut extent = 1;
                if bit < end {
                    let basis = self.bases[bit];
                    strides[leaves] = attempt!(self.stride(basis));
                    extent = 2;
                    bit += 1;
                    // Extend the mode while every component doubles.
                    while bit < end && self.is_multiple(self.bases[bit], basis, extent) {
                        extent *= 2;
                        bit += 1;
                    }
                }
                mode.extend_leaf(extent);
                leaves += 1;
            }
            shape = attempt!(shape.push(&mode.unwrapped()));
        });
        let shape = match self.inputs.len {
            0 => IntTuple::leaf(1),
            _ => shape.parenthesised(),
        };
        let leaves = if leaves == 0 { 1 } else { leaves };
        CoordinateLayout::new(&shape, strides.split_at(leaves).0)
    }

    /// Converts a value to a stride: the steps in each dimension.
    #[inline]
    const fn stride(&self, value: usize) -> Result<Vector, LayoutError> {
        let mut stride = Vector::ZERO;
        repeat!(i, 0..self.outputs.len, {
            let path = match self.outputs.len {
                1 => Path::ROOT,
                _ => attempt!(Path::ROOT.inside(i)),
            };
            let step = self.part(value, i) as isize;
            attempt!(stride.add(1, &Vector::step(step, path)));
        });
        Ok(stride)
    }

    /// One component of a value.
    #[inline]
    pub(super) const fn part(&self, value: usize, dimension: usize) -> usize {
        let bits = self.outputs.list[dimension].bits;
        value >> self.outputs.first_bit(dimension) & ((1 << bits) - 1)
    }

    /// Whether each component of a value is `factor` times that of a basis.
    #[inline]
    const fn is_multiple(&self, value: usize, basis: usize, factor: usize) -> bool {
        let mut all = true;
        repeat!(i, 0..self.outputs.len, {
            all = all && is_product(self.part(value, i), self.part(basis, i), factor);
        });
        all
    }
}

const fn is_product(value: usize, a: usize, b: usize) -> bool {
    value as u128 == a as u128 * b as u128
}

/// Whether bits `low..=high` of the value each depend on at most one index bit after XORing in the
/// bits at a distance.
#[inline]
const fn is_undone(rows: &[usize; MAX_BITS], low: usize, high: usize, distance: isize) -> bool {
    let (mut undone, mut bit) = (true, low);
    while bit <= high {
        let source = rows[bit.wrapping_add_signed(distance)];
        undone = undone && (rows[bit] ^ source).count_ones() <= 1;
        bit += 1;
    }
    undone
}
