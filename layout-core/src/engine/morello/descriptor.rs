//! The list of physical dimensions, and the checks that do not depend on a shape.

use core::fmt;

use crate::engine::int_tuple::MAX_LEAVES;
use crate::error::{LayoutError, MorelloError};

/// How much of its logical dimension a physical dimension takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PhysDim {
    /// `0`: the part of the extent that the sizes inside it leave.
    Dynamic,
    /// `0 p(n)`: `n` neighbours, or the whole extent if that is smaller.
    Packed(usize),
    /// `0 oe(n)`: `n` neighbours, the even ones before the odd ones.
    OddEven(usize),
}

/// A list of physical dimensions, slowest first, such as `[1, 0, 1 p(4)]`.
///
/// It has no shape; [`for_shape`](Self::for_shape) gives the layout for a shape. The logical
/// dimension `l` becomes mode `l`. The leaves of this mode are its physical dimensions from the
/// inside to the outside, coalesced. Every coordinate has its own offset and there is no padding:
/// `cosize == size`.
///
/// ```
/// use static_layout::engine::{MorelloLayout, PhysDim::{Dynamic, Packed}};
/// let columns_by_4 = MorelloLayout::new(&[(1, Dynamic), (0, Dynamic), (1, Packed(4))])?;
/// assert_eq!(columns_by_4.to_string(), "[1, 0, 1 p(4)]");
/// assert_eq!(columns_by_4.for_shape(&[6, 8])?.to_string(), "(6,(4,2)):(4,(1,24))");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// The [module](super) documents the meaning and the operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MorelloLayout {
    pub(super) dims: [(usize, PhysDim); MAX_LEAVES],
    pub(super) len: usize,
}

impl MorelloLayout {
    /// The list of `dims`, each a logical dimension and its kind, slowest first.
    ///
    /// # Errors
    ///
    /// A [`MorelloError`] for a mistake that does not depend on the shape: an invalid size, two
    /// parts of a dimension without a size, one without a size inside one with a size, two odd-even
    /// neighbours. [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn new(dims: &[(usize, PhysDim)]) -> Result<Self, LayoutError> {
        let list = attempt!(Self::unchecked(dims));
        repeat!(i, 0..list.len, {
            if let Some(error) = list.part_error(i) {
                return Err(LayoutError::Morello(error));
            }
        });
        Ok(list)
    }

    #[inline]
    pub(crate) const fn unchecked(dims: &[(usize, PhysDim)]) -> Result<Self, LayoutError> {
        refuse!(dims.len() > MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        let mut list = Self { dims: [(0, PhysDim::Dynamic); MAX_LEAVES], len: dims.len() };
        repeat!(i, 0..dims.len(), {
            list.dims[i] = dims[i];
        });
        Ok(list)
    }

    /// The list with `dimension` as an additional outermost part.
    #[inline]
    pub(crate) const fn inside(self, dimension: usize, kind: PhysDim) -> Result<Self, LayoutError> {
        let mut dims = [(0, PhysDim::Dynamic); MAX_LEAVES];
        refuse!(self.len == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        dims[0] = (dimension, kind);
        repeat!(i, 0..self.len, {
            dims[i + 1] = self.dims[i];
        });
        Self::new(dims.split_at(self.len + 1).0)
    }

    /// The physical dimensions, slowest first.
    #[inline]
    pub const fn dims(&self) -> &[(usize, PhysDim)] {
        self.dims.split_at(self.len).0
    }

    /// The error of physical dimension `i` that does not depend on the shape.
    #[inline]
    pub(crate) const fn part_error(&self, i: usize) -> Option<MorelloError> {
        let (dimension, kind) = self.dims[i];
        match kind {
            PhysDim::Packed(0) | PhysDim::OddEven(0) => {
                return Some(MorelloError::ZeroSize { dimension });
            }
            PhysDim::Packed(1) => return Some(MorelloError::PackedSizeOne { dimension }),
            PhysDim::OddEven(size) if size % 2 == 1 => {
                return Some(MorelloError::OddOddEven { dimension, size });
            }
            PhysDim::OddEven(_) => {
                if i > 0
                    && self.dims[i - 1].0 == dimension
                    && matches!(self.dims[i - 1].1, PhysDim::OddEven(_))
                {
                    return Some(MorelloError::AdjacentOddEven { dimension });
                }
            }
            PhysDim::Packed(_) => {}
            PhysDim::Dynamic => {
                // The outer parts of the same logical dimension.
                repeat!(outer, 0..i, {
                    if self.dims[outer].0 == dimension {
                        return Some(match self.dims[outer].1 {
                            PhysDim::Dynamic => MorelloError::TwoDynamics { dimension },
                            PhysDim::Packed(size) => {
                                MorelloError::DynamicInsidePacked { dimension, size }
                            }
                            PhysDim::OddEven(size) => {
                                MorelloError::DynamicInsideOddEven { dimension, size }
                            }
                        });
                    }
                });
            }
        }
        None
    }

    /// Whether a part of this logical dimension has no size and takes the rest of it.
    pub const fn takes_rest(&self, dimension: usize) -> bool {
        repeat!(i, 0..self.len, {
            if self.dims[i].0 == dimension && matches!(self.dims[i].1, PhysDim::Dynamic) {
                return true;
            }
        });
        false
    }
}

impl fmt::Display for MorelloLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, (dimension, kind)) in self.dims().iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            match kind {
                PhysDim::Dynamic => write!(f, "{dimension}")?,
                PhysDim::Packed(size) => write!(f, "{dimension} p({size})")?,
                PhysDim::OddEven(size) => write!(f, "{dimension} oe({size})")?,
            }
        }
        f.write_str("]")
    }
}

debug_as_display!(MorelloLayout);
