//! Morello layouts: a list of physical dimensions that becomes a layout when it meets a shape.

use core::fmt;

use crate::engine::int_tuple::{MAX_LEAVES, MAX_SIZE};
use crate::engine::layout::DynLayout;
use crate::error::{LayoutError, MorelloError};

/// What a physical dimension takes of the extent of its logical dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PhysDim {
    /// `0`: whatever the sizes inside it leave of the extent.
    Dynamic,
    /// `0 p(n)`: `n` neighbours, or the whole extent if that is smaller.
    Packed(usize),
    /// `0 oe(n)`: `n` neighbours, the even ones before the odd ones.
    OddEven(usize),
}

/// A list of physical dimensions, slowest first, such as `[1, 0, 1 p(4)]`.
///
/// It has no shape; [`for_shape`](Self::for_shape) gives the layout for one. The logical dimension
/// `l` becomes mode `l`, whose leaves are its physical dimensions from the inside to the outside,
/// coalesced. Every coordinate has its own offset and there is no padding: `cosize == size`.
///
/// ```
/// use layout_core::engine::{MorelloLayout, PhysDim::{Dynamic, Packed}};
/// let columns_by_4 = MorelloLayout::new(&[(1, Dynamic), (0, Dynamic), (1, Packed(4))])?;
/// assert_eq!(columns_by_4.to_string(), "[1, 0, 1 p(4)]");
/// assert_eq!(columns_by_4.for_shape(&[6, 8])?.to_string(), "(6,(4,2)):(4,(1,24))");
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// Semantics of Morello (`morello/src/layout.rs`), with these decisions. Neighbours of one logical
/// dimension, as in `[0, 1, 1 p(4)]`, are accepted and still need an extent that 4 divides. `p(1)`
/// and odd sizes for `oe` are refused. `oe` permutes the digit that it stands for, also where
/// Morello's own index expression does not because another part of the dimension is inside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MorelloLayout {
    dims: [(usize, PhysDim); MAX_LEAVES],
    len: usize,
}

impl MorelloLayout {
    /// The list of `dims`, each a logical dimension and what it takes of it, slowest first.
    ///
    /// # Errors
    ///
    /// A [`MorelloError`] for what no shape can repair: a size that cannot be, two parts of a
    /// dimension without a size, one without a size inside one with, two odd-even neighbours.
    /// [`LayoutError::TooManyLeaves`].
    pub const fn new(dims: &[(usize, PhysDim)]) -> Result<Self, LayoutError> {
        let list = attempt!(Self::unchecked(dims));
        let mut i = 0;
        while i < list.len {
            if let Some(error) = list.part_error(i) {
                return Err(LayoutError::Morello(error));
            }
            i += 1;
        }
        Ok(list)
    }

    pub(crate) const fn unchecked(dims: &[(usize, PhysDim)]) -> Result<Self, LayoutError> {
        if dims.len() > MAX_LEAVES {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        let mut list = Self { dims: [(0, PhysDim::Dynamic); MAX_LEAVES], len: dims.len() };
        let mut i = 0;
        while i < dims.len() {
            list.dims[i] = dims[i];
            i += 1;
        }
        Ok(list)
    }

    /// The list with `dimension` as one more, outermost part.
    pub(crate) const fn inside(self, dimension: usize, kind: PhysDim) -> Result<Self, LayoutError> {
        let mut dims = [(0, PhysDim::Dynamic); MAX_LEAVES];
        if self.len == MAX_LEAVES {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        dims[0] = (dimension, kind);
        let mut i = 0;
        while i < self.len {
            dims[i + 1] = self.dims[i];
            i += 1;
        }
        Self::new(dims.split_at(self.len + 1).0)
    }

    /// The physical dimensions, slowest first.
    pub const fn dims(&self) -> &[(usize, PhysDim)] {
        self.dims.split_at(self.len).0
    }

    /// What is wrong with physical dimension `i` whatever the shape.
    pub(crate) const fn part_error(&self, i: usize) -> Option<MorelloError> {
        let (dimension, kind) = self.dims[i];
        match kind {
            PhysDim::Packed(0) | PhysDim::OddEven(0) => return Some(MorelloError::ZeroSize),
            PhysDim::Packed(1) => return Some(MorelloError::PackedSizeOne),
            PhysDim::OddEven(size) if size % 2 == 1 => {
                return Some(MorelloError::OddOddEven { size });
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
                let mut outer = 0;
                while outer < i {
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
                    outer += 1;
                }
            }
        }
        None
    }

    /// Whether a part of this logical dimension has no size of its own.
    pub const fn takes_rest(&self, dimension: usize) -> bool {
        let mut i = 0;
        while i < self.len {
            if self.dims[i].0 == dimension && matches!(self.dims[i].1, PhysDim::Dynamic) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The physical size of each part of one logical dimension, for its extent: the others' places
    /// in `sizes` stay as they are.
    ///
    /// An error comes with the physical dimension it is about, if it is about one.
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

    /// The layout for `shape`, one extent for each logical dimension, coalesced mode by mode.
    ///
    /// # Errors
    ///
    /// A [`MorelloError`] when a size does not divide what is left of its extent, the parts of a
    /// dimension do not cover its extent, or a dimension is not in the shape or not in the list.
    /// A part larger than its extent takes the whole of it, once for each dimension.
    pub const fn for_shape(&self, shape: &[usize]) -> Result<DynLayout, LayoutError> {
        if shape.is_empty() {
            return Err(LayoutError::EmptyTuple);
        }
        let mut sizes = [1; MAX_LEAVES];
        let mut i = 0;
        while i < self.len {
            let dimension = self.dims[i].0;
            if dimension >= shape.len() {
                let error = MorelloError::DimensionOutOfRank { dimension, rank: shape.len() };
                return Err(LayoutError::Morello(error));
            }
            i += 1;
        }
        i = 0;
        while i < shape.len() {
            if let Err((_, error)) = self.divide(i, shape[i], &mut sizes) {
                return Err(LayoutError::Morello(error));
            }
            i += 1;
        }
        let mut layout = DynLayout::EMPTY;
        i = 0;
        while i < shape.len() {
            layout = attempt!(layout.push(&attempt!(self.mode(i, &sizes)).coalesce()));
            i += 1;
        }
        layout.parenthesised().checked()
    }

    /// The parts of one logical dimension, from the inside to the outside.
    const fn mode(
        &self,
        dimension: usize,
        sizes: &[usize; MAX_LEAVES],
    ) -> Result<DynLayout, LayoutError> {
        let (mut mode, mut stride, mut i) = (DynLayout::EMPTY, 1usize, self.len);
        while i > 0 {
            i -= 1;
            let size = sizes[i];
            if self.dims[i].0 == dimension {
                match self.dims[i].1 {
                    // The digit x goes to x / 2 + x % 2 * size / 2.
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
            // Cut only where the size does not fit either, which is found at the end, or in an
            // empty shape, where no offset is reached.
            stride = match stride.checked_mul(size) {
                Some(stride) if stride <= MAX_SIZE => stride,
                _ => MAX_SIZE,
            };
        }
        if mode.len() == 0 { Ok(DynLayout::UNIT) } else { Ok(mode) }
    }
}

impl fmt::Display for MorelloLayout {
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

impl fmt::Debug for MorelloLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
