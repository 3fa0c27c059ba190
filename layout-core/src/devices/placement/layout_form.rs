//! Converts a placement to a CuTe layout.

use crate::devices::Placement;
use crate::devices::numbers::{flat, times};
use crate::devices::placement::model::MAX_DIMENSIONS;
use crate::engine::DynLayout;
use crate::error::{LayoutError, PlacementError};

impl Placement {
    /// The layout from coordinates to [slot numbers](Self::slot_number), if there is one. There is
    /// none if a piece ends within its leaves, or a piece boundary cuts through joined dimensions.
    ///
    /// ```
    /// use static_layout::{DynLayout, devices::Placement, devices::tenstorrent::MetalLayout};
    /// let packed = DynLayout::parse("(6,(4,2)):(4,(1,24))").unwrap();
    /// assert_eq!(Placement::of_layout(&packed)?.to_layout()?, packed);
    /// // Shards of 18 rows, each padded to a tile of 32.
    /// let tiled = "tensor<36x32xf32, #tt.metal_layout<collapse = [], undef, <2x1>, !tt.tile<32x32, f32>>>";
    /// let placement = MetalLayout::parse(tiled).unwrap().placement();
    /// assert_eq!(placement.to_layout()?.to_string(), "((18,2),32):((32,1024),1)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PlacementError::PaddedInside`], [`PlacementError::PaddedBehind`]; the errors of
    /// composition.
    #[inline]
    pub const fn to_layout(&self) -> Result<DynLayout, LayoutError> {
        let (numbers, rooms) = attempt!(self.indices(true));
        // Stage 1 with each dimension extended to all of its room.
        let mut strides = [0; MAX_DIMENSIONS];
        let mut weight = 1usize;
        repeat_rev!(i, 0..self.dimensions, {
            let outer = attempt!(times(weight, rooms[i], "placement"));
            let row = self.row(i);
            repeat!(d, 0..self.rank, {
                strides[d] += row[d] * weight;
            });
            weight = outer;
        });
        if self.rank == 0 {
            return Ok(DynLayout::UNIT);
        }
        let strides = attempt!(flat(strides.split_at(self.rank).0));
        match numbers.composition(&attempt!(DynLayout::new(&self.shape(), &strides))) {
            Err(error) => Err(self.cut_by_padding(&rooms, error)),
            layout => layout,
        }
    }

    /// The error for a layout that does not exist: a padded dimension of several leaves, if there is
    /// one.
    #[inline]
    const fn cut_by_padding(
        &self,
        rooms: &[usize; MAX_DIMENSIONS],
        other: LayoutError,
    ) -> LayoutError {
        repeat!(dimension, 0..self.dimensions, {
            let (extent, room) = (self.extents[dimension], rooms[dimension]);
            let (first, end) = self.pieces_of(dimension);
            let leaves = self.leaves_of(end).0 - self.leaves_of(first).0;
            if extent < room && leaves > 1 {
                return PlacementError::PaddedBehind { dimension, extent, room }.widen();
            }
        });
        other
    }

    /// The layout of the padded tensor: each mode has the full room of its dimension, without the
    /// logical extents.
    ///
    /// # Errors
    ///
    /// [`PlacementError::PaddedInside`]; [`PlacementError::Joined`] if the index dimensions are not
    /// the logical dimensions.
    #[inline]
    pub const fn padded_layout(&self) -> Result<DynLayout, LayoutError> {
        let (numbers, _) = attempt!(self.indices(false));
        let mut layout = DynLayout::EMPTY;
        repeat!(d, 0..self.rank, {
            let dimension = match self.only_dimension_of(d) {
                Some(dimension) => dimension,
                None => return Err(PlacementError::Joined { dimension: d }.widen()),
            };
            // The modes of `numbers` start with the last dimension.
            let mode = numbers.mode(self.dimensions - 1 - dimension);
            layout = attempt!(layout.push(&mode));
        });
        if self.rank == 0 { Ok(DynLayout::UNIT) } else { layout.parenthesised().checked() }
    }

    /// The index dimension that equals logical dimension `d`; `None` if dimensions are joined.
    #[inline]
    const fn only_dimension_of(&self, d: usize) -> Option<usize> {
        if self.rank != self.dimensions || self.linear.extent_at(d) != self.extents[d] {
            return None;
        }
        let moves = self.extents[d] > 1 && self.linear.stride_at(d) != self.weight(d);
        if moves { None } else { Some(d) }
    }

    /// The layout from index numbers to slots, and the size of each mode. Each dimension has the
    /// full room of its outermost piece. Modes start with the last dimension, the fastest. The
    /// padding of inner pieces is left out if `cut`, and is an error otherwise.
    #[inline]
    const fn indices(
        &self,
        cut: bool,
    ) -> Result<(DynLayout, [usize; MAX_DIMENSIONS]), LayoutError> {
        let mut layout = DynLayout::EMPTY;
        let mut rooms = [1usize; MAX_DIMENSIONS];
        repeat_rev!(dimension, 0..self.dimensions, {
            let (mut piece, end) = self.pieces_of(dimension);
            let mut mode = DynLayout::EMPTY;
            while piece < end {
                let (extent, room) = (self.pieces[piece].extent, self.room_of(piece));
                let inside = piece + 1 < end;
                if inside && !cut && extent < room
                    || !self.extend_by_piece(&mut mode, piece, if inside { extent } else { room })
                {
                    return Err(PlacementError::PaddedInside { dimension, extent, room }.widen());
                }
                piece += 1;
            }
            if mode.len() == 0 {
                mode = DynLayout::UNIT;
            } else if mode.len() > 1 {
                mode = mode.parenthesised();
            }
            rooms[dimension] = mode.size();
            layout = attempt!(layout.push(&mode));
        });
        let layout = if layout.len() == 0 { DynLayout::UNIT } else { layout.parenthesised() };
        Ok((layout, rooms))
    }

    /// Appends the leaves for the first `extent` numbers of a piece; false if those end within a
    /// leaf.
    #[inline]
    const fn extend_by_piece(&self, mode: &mut DynLayout, piece: usize, extent: usize) -> bool {
        let (mut leaf, end) = self.leaves_of(piece);
        let mut rest = extent;
        while leaf < end {
            let (all, stride) = (self.leaves.extent_at(leaf), self.leaves.stride_at(leaf));
            let taken = if rest < all { rest } else { all };
            if !rest.is_multiple_of(taken) {
                return false;
            }
            rest /= taken;
            if taken > 1 || all == 1 {
                mode.extend_leaf(taken, stride);
            }
            leaf += 1;
        }
        true
    }
}
