//! Applies a list to a shape: the sizes of its parts, and the layout.

use crate::engine::int_tuple::{MAX_LEAVES, MAX_SIZE};
use crate::engine::layout::DynLayout;
use crate::engine::morello::{MorelloLayout, PhysDim};
use crate::error::{LayoutError, MorelloError};

/// The sizes of the physical dimensions of a list for a shape, slowest first.
///
/// Their product is the size of the shape. See [`MorelloLayout::physical_shape`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PhysicalShape {
    sizes: [usize; MAX_LEAVES],
    len: usize,
}

impl PhysicalShape {
    /// The sizes, one for each of [`dims`](MorelloLayout::dims).
    #[inline]
    pub const fn sizes(&self) -> &[usize] {
        self.sizes.split_at(self.len).0
    }
}

impl MorelloLayout {
    /// Writes the physical size of each part of one logical dimension for its extent. The entries of
    /// other dimensions in `sizes` do not change.
    ///
    /// An error comes with the physical dimension that it is about, if there is one.
    #[inline]
    pub(crate) const fn divide(
        &self,
        dimension: usize,
        extent: usize,
        sizes: &mut [usize; MAX_LEAVES],
    ) -> Result<(), (Option<usize>, MorelloError)> {
        let (mut left, mut rest_taken, mut partial, mut mentioned) = (extent, false, false, false);
        let mut i = self.len;
        while i > 0 {
            i -= 1;
            if self.dims[i].0 != dimension {
                continue;
            }
            mentioned = true;
            sizes[i] = match self.dims[i].1 {
                PhysDim::Dynamic => {
                    let rest = left;
                    left = 1;
                    rest_taken = true;
                    rest
                }
                PhysDim::Packed(size) | PhysDim::OddEven(size) => {
                    if left > 0 && left < size {
                        if matches!(self.dims[i].1, PhysDim::OddEven(_)) && left > 1 {
                            let error = MorelloError::OddEvenPartial { dimension, size, left };
                            return Err((Some(i), error));
                        }
                        if partial {
                            let error = MorelloError::SecondPartial { dimension, size, left };
                            return Err((Some(i), error));
                        }
                        partial = true;
                        let all = left;
                        left = 1;
                        all
                    } else if left % size != 0 {
                        return Err((
                            Some(i),
                            MorelloError::NotDivisible { dimension, size, left },
                        ));
                    } else {
                        left /= size;
                        size
                    }
                }
            };
        }
        if left == 1 || rest_taken {
            Ok(())
        } else if mentioned {
            let covered = match extent.checked_div(left) {
                Some(covered) => covered,
                None => 0,
            };
            Err((None, MorelloError::Uncovered { dimension, extent, covered }))
        } else {
            Err((None, MorelloError::MissingDimension { dimension, extent }))
        }
    }

    /// The size of each physical dimension for a shape, which has one extent for each logical
    /// dimension.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let list = MorelloLayout::parse("[1, 0, 1 p(4)]").unwrap();
    /// assert_eq!(list.physical_shape(&[6, 8])?.sizes(), [2, 6, 4]);
    /// assert_eq!(list.physical_shape(&[6, 3])?.sizes(), [1, 6, 3]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`for_shape`](Self::for_shape), except those for sizes that are too large.
    #[inline]
    pub const fn physical_shape(&self, shape: &[usize]) -> Result<PhysicalShape, LayoutError> {
        refuse!(shape.is_empty(), LayoutError::EmptyTuple);
        refuse!(shape.len() > MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        let mut sizes = [1; MAX_LEAVES];
        repeat!(i, 0..self.len, {
            let dimension = self.dims[i].0;
            if dimension >= shape.len() {
                return Err(
                    MorelloError::DimensionOutOfRank { dimension, rank: shape.len() }.widen()
                );
            }
        });
        repeat!(i, 0..shape.len(), {
            if let Err((_, error)) = self.divide(i, shape[i], &mut sizes) {
                return Err(LayoutError::Morello(error));
            }
        });
        Ok(PhysicalShape { sizes, len: self.len })
    }

    /// The layout for `shape`, one extent for each logical dimension, coalesced mode by mode.
    ///
    /// # Errors
    ///
    /// A [`MorelloError`] if a size does not divide the rest of its extent, the parts of a dimension
    /// do not cover its extent, or a dimension is missing in the shape or in the list. A part larger
    /// than its extent is not an error: it takes the whole extent, once for each dimension.
    #[inline]
    pub const fn for_shape(&self, shape: &[usize]) -> Result<DynLayout, LayoutError> {
        let sizes = attempt!(self.physical_shape(shape)).sizes;
        let mut layout = DynLayout::EMPTY;
        repeat!(i, 0..shape.len(), {
            layout = attempt!(layout.push(&attempt!(self.mode(i, &sizes)).coalesce()));
        });
        layout.parenthesised().checked()
    }

    /// The mode of one logical dimension: its parts from the inside to the outside.
    #[inline]
    const fn mode(
        &self,
        dimension: usize,
        sizes: &[usize; MAX_LEAVES],
    ) -> Result<DynLayout, LayoutError> {
        let (mut mode, mut stride) = (DynLayout::EMPTY, 1usize);
        repeat_rev!(i, 0..self.len, {
            let size = sizes[i];
            if self.dims[i].0 == dimension {
                match self.dims[i].1 {
                    // The digit x has the offset x / 2 + x % 2 * size / 2.
                    PhysDim::OddEven(_) if size > 1 => {
                        let half = size / 2;
                        mode = attempt!(mode.push_leaf(
                            2,
                            if stride > MAX_SIZE / half { MAX_SIZE } else { stride * half }
                        ));
                        mode = attempt!(mode.push_leaf(half, stride));
                    }
                    _ => mode = attempt!(mode.push_leaf(size, stride)),
                }
            }
            // Saturates only if the size overflows too, which is reported at the end, or in an empty
            // shape, which has no offsets.
            stride = match stride.checked_mul(size) {
                Some(stride) if stride <= MAX_SIZE => stride,
                _ => MAX_SIZE,
            };
        });
        if mode.len() == 0 { Ok(DynLayout::UNIT) } else { Ok(mode) }
    }
}
