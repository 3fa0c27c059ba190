//! Queries: the position of an element, the contents of a core, the amount of padding.

use crate::devices::numbers::digits;
use crate::devices::tenstorrent::MetalLayout;
use crate::devices::tenstorrent::device_grid::core_number;
use crate::devices::{MAX_DIMENSIONS, Region, Slot};
use crate::engine::IntTuple;
use crate::error::LayoutError;

/// The position of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    /// The image of its coordinate under the map.
    pub physical: IntTuple,
    /// Its core, as a coordinate of the grid.
    pub core: IntTuple,
    /// Its position in the shard, before the shard is padded to tiles.
    pub local: IntTuple,
    /// Its offset in the buffer of the core.
    pub offset: usize,
}

/// The contents of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoreFacts {
    /// The core, as a coordinate of the grid.
    pub core: IntTuple,
    /// The part of its shard within the physical extents.
    pub extent: IntTuple,
    /// In each dimension, the part of its buffer after that.
    pub pad: IntTuple,
    /// Number of elements that it holds.
    pub data: usize,
    /// Number of slots of its buffer outside `extent`.
    pub padding_tail: usize,
    /// Number of slots within `extent` that hold no element: the gaps of a map with bumped strides.
    pub padding_gap: usize,
}

impl MetalLayout {
    /// Number of elements of the buffer of one core.
    pub const fn storage(&self) -> usize {
        self.placement_ref().storage()
    }

    /// Number of cores of the grid.
    pub const fn cores(&self) -> usize {
        self.placement_ref().cores()
    }

    /// Number of elements of all buffers together.
    pub const fn slots(&self) -> usize {
        self.placement_ref().slots()
    }

    /// Number of elements of the tensor.
    #[inline]
    pub const fn elements(&self) -> usize {
        self.placement_ref().elements()
    }

    /// Number of slots that hold no element.
    #[inline]
    pub const fn padding(&self) -> usize {
        self.placement_ref().padding()
    }

    /// Number of bytes of the buffer of one core; `None` on overflow.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// let text = "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x1>, \
    ///             memref<1x2x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>>>";
    /// assert_eq!(MetalLayout::parse(text).unwrap().shard_bytes(), Some(2 * 1088));
    /// ```
    #[inline]
    pub const fn shard_bytes(&self) -> Option<usize> {
        let unit = match &self.tile() {
            Some(tile) => tile.elements(),
            None => 1,
        };
        match self.stored().bytes(unit) {
            Some(bytes) => bytes.checked_mul(self.storage() / unit),
            None => None,
        }
    }

    /// The position of the element with this coordinate.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// let text = "tensor<2x3x64x128xf32, #tt.metal_layout<collapse = [(0, -1)], undef, <2x4>>>";
    /// let at = MetalLayout::parse(text).unwrap().locate(&[1, 1, 6, 100])?;
    /// assert_eq!(at.physical.leaves(), &[262, 100]);
    /// assert_eq!((at.core.leaves(), at.local.leaves(), at.offset), (&[1, 3][..], &[70, 4][..], 2244));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    #[inline]
    pub const fn locate(&self, coordinate: &[usize]) -> Result<Located, LayoutError> {
        let physical = attempt!(self.placement_ref().index(coordinate));
        let slot = attempt!(self.placement_ref().slot(coordinate));
        let (mut core, mut local) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
        repeat!(i, 0..self.results(), {
            core[i] = physical.leaves()[i] / self.shard_extent(i);
            local[i] = physical.leaves()[i] % self.shard_extent(i);
        });
        let (core, local) = (self.tuple(&core), self.tuple(&local));
        Ok(Located { physical, core, local, offset: slot.offset })
    }

    /// The coordinate of the element at this offset in the buffer of a core; `None` for padding.
    ///
    /// # Errors
    ///
    /// A core outside the grid, an offset outside the buffer.
    #[inline]
    pub const fn coordinate(
        &self,
        core: &[usize],
        offset: usize,
    ) -> Result<Option<IntTuple>, LayoutError> {
        let core = attempt!(self.core_number(core));
        self.placement_ref().coordinate(Slot { core, offset })
    }

    /// The index of a core: row-major in the grid.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::CoreRank`](crate::error::TenstorrentError::CoreRank),
    /// [`TenstorrentError::OutsideGrid`](crate::error::TenstorrentError::OutsideGrid).
    #[inline]
    pub const fn core_number(&self, core: &[usize]) -> Result<usize, LayoutError> {
        core_number(core, self.grid())
    }

    /// The grid coordinate of the core with this index.
    ///
    /// # Errors
    ///
    /// [`LayoutError::CoordinateOutOfRange`]
    #[inline]
    pub const fn core_at(&self, number: usize) -> Result<IntTuple, LayoutError> {
        if number >= self.cores() {
            let (coordinate, extent) = (number, self.cores());
            return Err(LayoutError::CoordinateOutOfRange { coordinate, extent });
        }
        Ok(self.tuple(&digits(number, self.grid())))
    }

    /// The contents of a core. `core` is its coordinate in the grid.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// // Batches of 8 rows, 32 rows apart: 24 rows between them hold nothing.
    /// let text = "tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x2>>>";
    /// let core = MetalLayout::parse(text).unwrap().core(&[0, 0])?;
    /// assert_eq!(core.extent.leaves(), &[40, 16]);
    /// assert_eq!((core.data, core.padding_tail, core.padding_gap), (256, 0, 24 * 16));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A core outside the grid.
    #[inline]
    pub const fn core(&self, core: &[usize]) -> Result<CoreFacts, LayoutError> {
        let number = attempt!(self.core_number(core));
        let (core, window) = (digits(number, self.grid()), self.window(number));
        let (mut extent, mut pad, mut inside) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS], 1);
        repeat!(i, 0..self.results(), {
            extent[i] = window[i].1 - window[i].0;
            pad[i] = self.memref_extent(i) * self.tile_extent(i) - extent[i];
            inside *= extent[i];
        });
        let data = self.count(&Region::all(self.shape()), &window, usize::MAX);
        Ok(CoreFacts {
            core: self.tuple(&core),
            extent: self.tuple(&extent),
            pad: self.tuple(&pad),
            data,
            padding_tail: self.storage() - inside,
            padding_gap: inside - data,
        })
    }

    /// Number of cores that hold no element: the last ones if the grid does not divide the extents
    /// (5 rows on 4 cores are `2, 2, 1, 0`), and those within a gap.
    #[inline]
    pub const fn empty_cores(&self) -> usize {
        if self.is_separable() {
            // A core holds an element if its index in each dimension of the grid does.
            let mut occupied = 1;
            repeat!(i, 0..self.results(), {
                occupied *= self.occupied(i);
            });
            return self.cores() - occupied;
        }
        let mut empty = 0;
        repeat!(number, 0..self.cores(), {
            if self.count(&Region::all(self.shape()), &self.window(number), 1) == 0 {
                empty += 1;
            }
        });
        empty
    }

    /// Whether each dimension of the tensor is in at most one result of the map.
    #[inline]
    const fn is_separable(&self) -> bool {
        repeat!(d, 0..self.rank(), {
            let mut rows = 0;
            repeat!(i, 0..self.results(), {
                if self.shape()[d] > 1 && self.map.row(i)[d] > 0 {
                    rows += 1;
                }
            });
            if rows > 1 {
                return false;
            }
        });
        true
    }

    /// Number of indices in dimension `i` of the grid that hold elements for some other indices.
    #[inline]
    const fn occupied(&self, i: usize) -> usize {
        let shard = self.shard_extent(i);
        let reached = self.reached(i).div_ceil(shard);
        if self.largest_step(i) <= shard {
            return reached;
        }
        let mut window = [(0, usize::MAX); MAX_DIMENSIONS];
        let mut occupied = 0;
        repeat!(index, 0..reached, {
            window[i] = (index * shard, (index + 1) * shard);
            if self.count(&Region::all(self.shape()), &window, 1) > 0 {
                occupied += 1;
            }
        });
        occupied
    }

    /// An upper bound on the gap between neighbouring values of result `i`: by rising coefficient,
    /// the distance from the reach of the smaller ones to the next coefficient.
    #[inline]
    const fn largest_step(&self, i: usize) -> usize {
        let row = self.map.row(i);
        let (mut largest, mut reach, mut below) = (1, 0, 0);
        loop {
            // The next larger coefficient, and the reach of all dimensions that have it.
            let mut step = 0;
            repeat!(d, 0..row.len(), {
                if self.shape()[d] > 1 && row[d] > below && (step == 0 || row[d] < step) {
                    step = row[d];
                }
            });
            if step == 0 {
                return largest;
            }
            if step > reach && step - reach > largest {
                largest = step - reach;
            }
            repeat!(d, 0..row.len(), {
                if row[d] == step {
                    reach += step * (self.shape()[d] - 1);
                }
            });
            below = step;
        }
    }

    /// The physical indices of a core: a range in each dimension.
    #[inline]
    const fn window(&self, core: usize) -> [(usize, usize); MAX_DIMENSIONS] {
        let digits = digits(core, self.grid());
        let mut window = [(0, 0); MAX_DIMENSIONS];
        repeat!(i, 0..self.results(), {
            let (shard, physical) = (self.shard_extent(i), self.physical()[i]);
            let start = if digits[i] * shard < physical { digits[i] * shard } else { physical };
            window[i] = (start, if physical - start < shard { physical } else { start + shard });
        });
        window
    }

    /// Number of elements of a region in a window. May stop early once it reaches `enough`.
    #[inline]
    const fn count(
        &self,
        region: &Region,
        window: &[(usize, usize); MAX_DIMENSIONS],
        enough: usize,
    ) -> usize {
        let (mut cut, mut i) = (None, 0);
        while i < self.results() {
            let (least, most) = region.span(self.map.row(i));
            let (start, end) = window[i];
            if most < start || least >= end {
                return 0;
            }
            if cut.is_none() {
                if least < start {
                    cut = Some((i, start));
                } else if most >= end {
                    cut = Some((i, end));
                }
            }
            i += 1;
        }
        match cut {
            None => region.size(),
            Some((i, boundary)) => {
                let (low, high) = region.cut(self.map.row(i), boundary);
                let found = self.count(&low, window, enough);
                if found >= enough {
                    return found;
                }
                found + self.count(&high, window, enough - found)
            }
        }
    }
}
