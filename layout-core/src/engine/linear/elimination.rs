//! Gaussian elimination over F2: the image, the kernel and inverses.

use super::{Dimensions, INPUTS, LinearLayout, MAX_BITS};
use crate::error::{LayoutError, LinearError};

/// The bases in echelon form.
pub(super) struct Echelon {
    // Indexed by highest bit: a value with that highest bit, and an index that has it. 0 if no value
    // in the image has that highest bit.
    value: [usize; MAX_BITS],
    index: [usize; MAX_BITS],
    // A basis of the kernel: each index has a bit that no other has.
    kernel: [usize; MAX_BITS],
    kernel_len: usize,
}

impl Echelon {
    #[inline]
    pub(super) const fn of(l: &LinearLayout) -> Self {
        let zeros = [0; MAX_BITS];
        let mut echelon = Self { value: zeros, index: zeros, kernel: zeros, kernel_len: 0 };
        let mut i = 0;
        while i < l.input_bits() as usize {
            let (mut value, mut index) = echelon.reduce(l.bases[i]);
            index ^= 1 << i;
            if value == 0 {
                echelon.kernel[echelon.kernel_len] = index;
                echelon.kernel_len += 1;
            } else {
                let high = value.ilog2() as usize;
                core::mem::swap(&mut echelon.value[high], &mut value);
                core::mem::swap(&mut echelon.index[high], &mut index);
            }
            i += 1;
        }
        echelon
    }

    /// Reduces a value by the echelon basis. Returns the remainder and the index of the part that
    /// was removed.
    pub(super) const fn reduce(&self, mut value: usize) -> (usize, usize) {
        let mut index = 0;
        repeat_rev!(high, 0..MAX_BITS, {
            if value >> high & 1 == 1 && self.value[high] != 0 {
                value ^= self.value[high];
                index ^= self.index[high];
            }
        });
        (value, index)
    }
}

impl LinearLayout {
    /// The rank of the matrix: there are `2^image_bits` different values.
    #[inline]
    pub const fn image_bits(&self) -> u32 {
        self.input_bits() - self.kernel_bits()
    }

    /// The dimension of the kernel: every value of the image has `2^kernel_bits` indices.
    #[inline]
    pub const fn kernel_bits(&self) -> u32 {
        Echelon::of(self).kernel_len as u32
    }

    /// Whether no two indices have the same value.
    #[inline]
    pub const fn is_injective(&self) -> bool {
        self.kernel_bits() == 0
    }

    /// Whether each of the `2^output_bits` values has an index.
    #[inline]
    pub const fn is_surjective(&self) -> bool {
        self.image_bits() == self.output_bits()
    }

    /// The values, each once, in rising order as 1-D coordinates.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let l = LinearLayout::parse("#ttg.linear<{register = [[6], [3], [5]]}>").unwrap();
    /// assert!(l.image().table().eq([0, 3, 5, 6]));
    /// ```
    #[inline]
    pub const fn image(&self) -> Self {
        let echelon = Echelon::of(self);
        let (mut bases, mut len) = ([0; MAX_BITS], 0);
        repeat!(high, 0..MAX_BITS, {
            let value = echelon.value[high];
            if value != 0 {
                // Reduced: clears the highest bits of the other rows.
                bases[len] = 1 << high | echelon.reduce(value ^ 1 << high).0;
                len += 1;
            }
        });
        let inputs = or_panic!(Dimensions::named(&INPUTS, &[len as u32]));
        Self { inputs, outputs: self.outputs, bases }
    }

    /// The size of the smallest box that contains all values. With one dimension: the largest value
    /// plus one.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, LinearLayout};
    /// let l = LinearLayout::of(&DynLayout::parse("4:2").unwrap())?;
    /// assert_eq!((l.cosize(), l.value_size()), (7, 8));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[inline]
    pub const fn cosize(&self) -> usize {
        let mut size = 1;
        repeat!(dimension, 0..self.outputs.len, {
            let mut part = *self;
            repeat!(i, 0..MAX_BITS, {
                part.bases[i] = self.part(self.bases[i], dimension);
            });
            let echelon = Echelon::of(&part);
            let mut largest = 0usize;
            repeat_rev!(high, 0..MAX_BITS, {
                if largest >> high & 1 == 0 {
                    largest ^= echelon.value[high];
                }
            });
            size *= largest + 1;
        });
        size
    }

    /// Whether each value inside the smallest box that contains all of them has an index.
    #[inline]
    pub const fn is_contiguous(&self) -> bool {
        self.cosize() == 1 << self.image_bits()
    }

    /// An index with this 1-D value, or `None` if no index has it.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, LinearLayout};
    /// let l = LinearLayout::of(&DynLayout::parse("(2,4):(0,2)").unwrap())?;
    /// assert_eq!((l.preimage(4), l.preimage(3)), (Some(4), None));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[inline]
    pub const fn preimage(&self, value: usize) -> Option<usize> {
        if value >> self.output_bits() != 0 {
            return None;
        }
        match Echelon::of(self).reduce(value) {
            (0, index) => Some(index),
            _ => None,
        }
    }

    /// The indices whose value is 0, each once: `L(nullspace(L)(i)) = 0`.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let l = LinearLayout::parse("#ttg.linear<{register = [[1], [2], [3]]}>").unwrap();
    /// assert_eq!((l.image_bits(), l.kernel_bits()), (2, 1));
    /// assert!(l.nullspace().table().eq([0, 7]));
    /// ```
    #[inline]
    pub const fn nullspace(&self) -> Self {
        let echelon = Echelon::of(self);
        // At most the number of bits of an index.
        let inputs = or_panic!(Dimensions::named(&INPUTS, &[echelon.kernel_len as u32]));
        Self { inputs, outputs: self.inputs, bases: echelon.kernel }
    }

    /// The inverse: `L(R(i)) = i` and `R(L(i)) = i`.
    ///
    /// # Errors
    ///
    /// [`LinearError::NotInjective`], [`LinearError::NotSurjective`].
    #[inline]
    pub const fn inverse(&self) -> Result<Self, LayoutError> {
        let echelon = Echelon::of(self);
        refuse!(echelon.kernel_len > 0, LinearError::NotInjective { index: echelon.kernel[0] });
        repeat!(bit, 0..self.output_bits(), {
            if echelon.reduce(1 << bit).0 != 0 {
                return Err(LinearError::NotSurjective { value: 1 << bit }.widen());
            }
        });
        Ok(self.left_inverse())
    }

    /// An index of each value: `L(R(L(i))) = L(i)`. If L is injective, the index is unique, and
    /// `R(L(i)) = i`.
    ///
    /// A value outside the image is reduced by its highest bits, so that R is linear.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, LinearLayout};
    /// let l = LinearLayout::of(&DynLayout::parse("(2,4):(0,2)").unwrap())?;
    /// let r = l.left_inverse();
    /// assert!(l.table().all(|value| l.value_of_index(r.value_of_index(value)) == value));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[inline]
    pub const fn left_inverse(&self) -> Self {
        let echelon = Echelon::of(self);
        let mut bases = [0; MAX_BITS];
        repeat!(bit, 0..self.output_bits() as usize, {
            bases[bit] = echelon.reduce(1 << bit).1;
        });
        Self { inputs: self.outputs, outputs: self.inputs, bases }
    }

    /// The index of each value from 0 on: `L(R(i)) = i` for every `i < size(R)`. Its size is the
    /// largest power of two for which that holds.
    ///
    /// If L is surjective, it covers all values.
    ///
    /// ```
    /// use static_layout::engine::LinearLayout;
    /// let l = LinearLayout::parse("#ttg.linear<{register = [[1], [3], [0], [8]]}>").unwrap();
    /// let r = l.right_inverse();
    /// assert_eq!(r.to_string(), "#ttg.linear<{dim0 = [[1], [3]]}, out = {register = 16}>");
    /// assert!((0..4).all(|i| l.value_of_index(r.value_of_index(i)) == i));
    /// ```
    #[inline]
    pub const fn right_inverse(&self) -> Self {
        let echelon = Echelon::of(self);
        let mut inverse = self.left_inverse();
        let mut bits = 0;
        while bits < self.output_bits() && echelon.reduce(1 << bits).0 == 0 {
            bits += 1;
        }
        repeat_rev!(i, 0..self.outputs.len, {
            let kept = bits.saturating_sub(self.outputs.first_bit(i));
            if kept < inverse.inputs.list[i].bits {
                inverse.inputs.list[i].bits = kept;
            }
        });
        let mut bit = bits as usize;
        while bit < MAX_BITS {
            inverse.bases[bit] = 0;
            bit += 1;
        }
        inverse
    }
}
