//! The Morello list of a layout.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::layout::DynLayout;
use crate::engine::morello::MorelloLayout;
use crate::engine::morello::digits::{Digit, Digits};
use crate::engine::swizzle::ComposedLayout;
use crate::error::{LayoutError, MorelloError};

/// The digits of all modes, each with its stride.
struct Strided {
    digits: [(Digit, usize); MAX_LEAVES],
    len: usize,
    /// The error for a mode whose digits are not in the order of their strides.
    disorder: Option<MorelloError>,
}

impl Strided {
    /// The digits of the modes of a non-empty layout.
    #[inline]
    const fn of(layout: &DynLayout) -> Result<Self, MorelloError> {
        let none = Digit { dimension: 0, size: 1, odd_even: false };
        let mut all = Self { digits: [(none, 0); MAX_LEAVES], len: 0, disorder: None };
        repeat!(dimension, 0..layout.rank(), {
            attempt!(all.push_mode(&layout.mode(dimension).coalesce(), dimension));
        });
        Ok(all)
    }

    /// Appends the digits of a coalesced mode.
    #[inline]
    const fn push_mode(&mut self, mode: &DynLayout, dimension: usize) -> Result<(), MorelloError> {
        let (mut i, mut before) = (0, (1, 0));
        while i < mode.len() {
            let (mut size, mut stride) = (mode.extent_at(i), mode.stride_at(i));
            i += 1;
            if size == 1 {
                continue;
            }
            if stride == 0 {
                return Err(MorelloError::Broadcast { dimension, extent: size });
            }
            let mut odd_even = false;
            // The digit x of oe(n) has the offset x / 2 + x % 2 * n / 2: a leaf of extent 2, then
            // one inside it.
            if size == 2 && i < mode.len() && mode.stride_at(i) > 0 {
                let (half, step) = (mode.extent_at(i), mode.stride_at(i));
                if stride.is_multiple_of(step) && stride / step == half {
                    (size, stride, odd_even) = (2 * half, step, true);
                    i += 1;
                }
            }
            if stride < before.1 {
                let (outer_size, outer_stride) = before;
                self.disorder = Some(MorelloError::OutOfOrder {
                    dimension,
                    outer_size,
                    outer_stride,
                    size,
                    stride,
                });
            }
            before = (size, stride);
            self.digits[self.len] = (Digit { dimension, size, odd_even }, stride);
            self.len += 1;
        }
        Ok(())
    }

    /// Sorts by stride.
    #[inline]
    const fn sort(&mut self) {
        repeat!(i, 1..self.len, {
            let mut k = i;
            while k > 0 && self.digits[k - 1].1 > self.digits[k].1 {
                self.digits.swap(k - 1, k);
                k -= 1;
            }
        });
    }
}

impl MorelloLayout {
    /// The list of `layout` for the sizes of its modes, in its [canonical
    /// form](super#the-canonical-form).
    ///
    /// `of(l)?.for_shape(sizes of the modes of l)` is the same map as `l`, and
    /// `of(list.for_shape(s)?)` is `list.view().canonical(s)?.layout()`.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, MorelloLayout};
    /// let list = |text| MorelloLayout::of(&DynLayout::parse(text).unwrap());
    /// assert_eq!(list("(6,(4,2)):(4,(1,24))")?.to_string(), "[1, 0, 1 p(4)]");
    /// assert_eq!(list("((2,8),4):((8,1),16)")?.to_string(), "[1, 0 oe(16)]");
    /// assert_eq!(
    ///     list("(4,8):(10,1)").unwrap_err().to_string(),
    ///     "no coordinate has offset 8: the next stride is 10"
    /// );
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The reason if there is no such Morello layout: [`MorelloError::Broadcast`],
    /// [`MorelloError::Overlap`], [`MorelloError::Gap`] (padding), [`MorelloError::OutOfOrder`] for
    /// a dimension whose digits are in another order, and [`MorelloError::AdjacentOddEven`] if two
    /// odd-even digits would be neighbours and no part of size 1 can stand between them.
    #[inline]
    pub const fn of(layout: &DynLayout) -> Result<Self, LayoutError> {
        let (rank, mut shape) = (layout.rank(), [1; MAX_LEAVES]);
        repeat!(mode, 0..rank, {
            shape[mode] = layout.mode(mode).size();
        });
        if layout.size() == 0 {
            return attempt!(Self::row_major(rank)).without_units(shape.split_at(rank).0);
        }
        let mut strided = match Strided::of(layout) {
            Ok(strided) => strided,
            Err(error) => return Err(LayoutError::Morello(error)),
        };
        strided.sort();
        let (mut digits, mut covered) = (Digits::EMPTY, 1);
        repeat!(i, 0..strided.len, {
            let (digit, stride) = strided.digits[i];
            if stride < covered {
                return Err(
                    MorelloError::Overlap { dimension: digit.dimension, stride, covered }.widen()
                );
            }
            refuse!(stride > covered, MorelloError::Gap { offset: covered, stride });
            digits.push(digit, true);
            // At most the cosize, since all strides so far equal the covered size.
            covered *= digit.size;
        });
        if let Some(error) = strided.disorder {
            return Err(LayoutError::Morello(error));
        }
        Ok(attempt!(digits.list(rank)).0)
    }

    /// [`of`](Self::of) for a layout that may be swizzled or have an offset.
    ///
    /// # Errors
    ///
    /// [`MorelloError::Swizzled`] if it is swizzled, [`MorelloError::Gap`] if it has an offset.
    #[inline]
    pub const fn of_composed(layout: &ComposedLayout) -> Result<Self, LayoutError> {
        if let Some(layout) = layout.as_layout() {
            return Self::of(&layout);
        }
        let swizzle = layout.swizzle();
        Err(LayoutError::Morello(if swizzle.is_identity() {
            MorelloError::Gap { offset: 0, stride: layout.offset() }
        } else {
            MorelloError::Swizzled { swizzle }
        }))
    }
}
