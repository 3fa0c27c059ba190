//! Named layouts, and recognising them.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::morello::{MorelloLayout, PhysDim};
use crate::error::LayoutError;

impl MorelloLayout {
    /// Images with the channels outside: `[0, 1, 2, 3]` for batch, channel, row and column.
    pub const NCHW: Self = Self::of_order([0, 1, 2, 3]);
    /// Images with the channels inside: `[0, 2, 3, 1]` for batch, channel, row and column.
    pub const NHWC: Self = Self::of_order([0, 2, 3, 1]);

    const fn of_order<const N: usize>(order: [usize; N]) -> Self {
        let mut dims = [(0, PhysDim::Dynamic); MAX_LEAVES];
        repeat!(i, 0..N, {
            dims[i].0 = order[i];
        });
        Self { dims, len: N }
    }

    /// Images with `channels` channels of a pixel together: `[0, 1, 2, 3, 1 p(channels)]`.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let images = MorelloLayout::nchwc(4)?;
    /// assert_eq!(images.to_string(), "[0, 1, 2, 3, 1 p(4)]");
    /// let layout = images.for_shape(&[2, 8, 3, 4])?;
    /// assert_eq!(layout.to_string(), "(2,(4,2),3,4):(96,(1,48),16,4)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `channels` is below 2.
    #[inline]
    pub const fn nchwc(channels: usize) -> Result<Self, LayoutError> {
        let mut list = Self::NCHW;
        list.dims[4] = (1, PhysDim::Packed(channels));
        Self::new(list.dims.split_at(5).0)
    }

    /// Dimensions in order, the last one fastest: `row_major(3)` is `[0, 1, 2]`.
    ///
    /// Morello's own function of this name now takes a shape and omits dimensions of extent 1. That
    /// is [`without_units`](Self::without_units) of this list.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let rows = MorelloLayout::row_major(2)?;
    /// assert_eq!(rows.for_shape(&[6, 8])?.to_string(), "(6,8):(8,1)");
    /// assert_eq!(MorelloLayout::row_major(3)?.without_units(&[4, 1, 5])?.to_string(), "[0, 2]");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn row_major(rank: usize) -> Result<Self, LayoutError> {
        Self::reversed_from(rank, rank)
    }

    /// Dimensions in reverse order, the first one fastest: `col_major(3)` is `[2, 1, 0]`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn col_major(rank: usize) -> Result<Self, LayoutError> {
        Self::reversed_from(0, rank)
    }

    /// Matrices in column-major order, one after the other: `batched_col_major(3)` is `[0, 2, 1]`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn batched_col_major(rank: usize) -> Result<Self, LayoutError> {
        Self::reversed_from(1, rank)
    }

    /// `0, 1, .. first - 1`, then the other dimensions from the last one down.
    #[inline]
    const fn reversed_from(first: usize, rank: usize) -> Result<Self, LayoutError> {
        refuse!(rank > MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        let mut dims = [(0, PhysDim::Dynamic); MAX_LEAVES];
        repeat!(i, 0..rank, {
            dims[i].0 = if i < first { i } else { rank - 1 - (i - first) };
        });
        Ok(Self { dims, len: rank })
    }

    /// Whether nothing is packed and dimensions are in order, the last one fastest. Dimensions may
    /// be missing. `[]` and `[0]` are both row-major and column-major.
    pub const fn is_row_major(&self) -> bool {
        let mut sorted = self.is_unpacked();
        repeat!(i, 1..self.len, {
            sorted &= self.dims[i - 1].0 < self.dims[i].0;
        });
        sorted
    }

    /// Whether nothing is packed and dimensions are in reverse order, the first one fastest.
    pub const fn is_col_major(&self) -> bool {
        let mut sorted = self.is_unpacked();
        repeat!(i, 1..self.len, {
            sorted &= self.dims[i - 1].0 > self.dims[i].0;
        });
        sorted
    }

    /// Whether no part has a size: each takes the rest of its dimension.
    const fn is_unpacked(&self) -> bool {
        repeat!(i, 0..self.len, {
            if !matches!(self.dims[i].1, PhysDim::Dynamic) {
                return false;
            }
        });
        true
    }

    /// The list without the dimensions whose extent in `shape` is 1: the same map for that shape.
    ///
    /// # Errors
    ///
    /// [`MorelloError::AdjacentOddEven`](crate::error::MorelloError::AdjacentOddEven) if a removed
    /// part stands between two odd-even parts.
    #[inline]
    pub const fn without_units(&self, shape: &[usize]) -> Result<Self, LayoutError> {
        let (mut dims, mut len) = ([(0, PhysDim::Dynamic); MAX_LEAVES], 0);
        repeat!(i, 0..self.len, {
            let (dimension, _) = self.dims[i];
            if dimension >= shape.len() || shape[dimension] != 1 {
                dims[len] = self.dims[i];
                len += 1;
            }
        });
        Self::new(dims.split_at(len).0)
    }
}
