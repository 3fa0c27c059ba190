//! The layout that a placement is, where it is one.

use crate::engine::{DynLayout, IntTuple, MAX_SIZE};
use crate::error::{LayoutError, PlacementError};
use crate::placed::Placement;
use crate::placed::placement::MAX_DIMENSIONS;

impl Placement {
    /// The layout from coordinates to numbers of slots, `core * storage + offset`, where there is
    /// one: no layout says that a piece is padded inside a dimension, or that a boundary of a
    /// piece cuts through joined dimensions.
    ///
    /// ```
    /// use layout_core::{engine::DynLayout, placed::Placement};
    /// let packed = DynLayout::parse("(6,(4,2)):(4,(1,24))").unwrap();
    /// assert_eq!(Placement::of_layout(&packed)?.to_layout()?, packed);
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PlacementError::PaddedInside`], [`PlacementError::PaddedBehind`]; what composition
    /// refuses.
    pub const fn to_layout(&self) -> Result<DynLayout, LayoutError> {
        let (numbers, rooms) = attempt!(self.padded_indices());
        // The same map to numbers, in which a dimension counts with all of its room.
        let mut strides = [0; MAX_DIMENSIONS];
        let (mut old, mut new, mut i) = (1, 1usize, self.dimensions);
        while i > 0 {
            i -= 1;
            let mut d = 0;
            while d < self.rank {
                // A coefficient is below the extent of its dimension.
                let row = self.linear.stride_at(d) / old % self.extents[i];
                strides[d] += row * new;
                d += 1;
            }
            old *= self.extents[i];
            new = match new.checked_mul(rooms[i]) {
                Some(new) if new <= MAX_SIZE => new,
                _ => return Err(LayoutError::IntegerOverflow { operation: "placement" }),
            };
        }
        if self.rank == 0 {
            return Ok(DynLayout::UNIT);
        }
        let strides = attempt!(IntTuple::flat(strides.split_at(self.rank).0));
        match numbers.composition(&attempt!(DynLayout::new(&self.shape(), &strides))) {
            Err(error) => Err(self.cut_by_padding(&rooms, error)),
            layout => layout,
        }
    }

    /// Why there is no layout: a padded dimension of several leaves, if there is one.
    const fn cut_by_padding(
        &self,
        rooms: &[usize; MAX_DIMENSIONS],
        other: LayoutError,
    ) -> LayoutError {
        let mut dimension = 0;
        while dimension < self.dimensions {
            let (extent, room) = (self.extents[dimension], rooms[dimension]);
            let (mut leaves, mut i) = (0, 0);
            while i < self.leaf_count {
                let piece = self.leaf_piece[i] as usize;
                leaves += (self.pieces[piece].dimension == dimension) as usize;
                i += 1;
            }
            if extent < room && leaves > 1 {
                return PlacementError::PaddedBehind { dimension, extent, room }.widen();
            }
            dimension += 1;
        }
        other
    }

    /// The layout of the padded tensor: each mode has all the room of its dimension, and the
    /// logical extents are left out.
    ///
    /// # Errors
    ///
    /// [`PlacementError::PaddedInside`]; [`PlacementError::Joined`] when the index dimensions are
    /// not the logical ones.
    pub const fn padded_layout(&self) -> Result<DynLayout, LayoutError> {
        let (numbers, _) = attempt!(self.padded_indices());
        let mut layout = DynLayout::EMPTY;
        let mut d = 0;
        while d < self.rank {
            let dimension = match self.only_dimension_of(d) {
                Some(dimension) => dimension,
                None => return Err(PlacementError::Joined { dimension: d }.widen()),
            };
            // The modes of `numbers` are those of the last dimension first.
            let mode = numbers.mode(self.dimensions - 1 - dimension);
            layout = attempt!(layout.push(&mode));
            d += 1;
        }
        if self.rank == 0 { Ok(DynLayout::UNIT) } else { layout.parenthesised().checked() }
    }

    /// The index dimension that logical dimension `d` alone is, if there is one.
    const fn only_dimension_of(&self, d: usize) -> Option<usize> {
        if self.rank != self.dimensions || self.linear.extent_at(d) != self.extents[d] {
            return None;
        }
        let (mut weight, mut i) = (1, self.dimensions);
        while i > d + 1 {
            i -= 1;
            weight *= self.extents[i];
        }
        if self.extents[d] > 1 && self.linear.stride_at(d) != weight { None } else { Some(d) }
    }

    /// From the numbers of all indices, where each dimension has all its room, to slots; and the
    /// rooms. Modes are those of the last dimension first, which is the fastest.
    const fn padded_indices(&self) -> Result<(DynLayout, [usize; MAX_DIMENSIONS]), LayoutError> {
        let mut layout = DynLayout::EMPTY;
        let mut rooms = [1usize; MAX_DIMENSIONS];
        let mut dimension = self.dimensions;
        while dimension > 0 {
            dimension -= 1;
            let (mut mode, mut i) = (DynLayout::EMPTY, 0);
            while i < self.leaf_count {
                let piece = self.leaf_piece[i] as usize;
                if self.pieces[piece].dimension == dimension {
                    mode.extend_leaf(self.leaves.extent_at(i), self.leaves.stride_at(i));
                }
                i += 1;
            }
            if mode.len() == 0 {
                mode = DynLayout::UNIT;
            } else if mode.len() > 1 {
                mode = mode.parenthesised();
            }
            rooms[dimension] = mode.size();
            attempt!(self.check_not_padded_inside(dimension));
            layout = attempt!(layout.push(&mode));
        }
        let layout = if layout.len() == 0 { DynLayout::UNIT } else { layout.parenthesised() };
        Ok((layout, rooms))
    }

    /// Checks that the pieces of a dimension but the outermost have no more room than they need.
    const fn check_not_padded_inside(&self, dimension: usize) -> Result<(), LayoutError> {
        let mut piece = 0;
        while piece + 1 < self.piece_count {
            if self.pieces[piece].dimension == dimension
                && self.pieces[piece + 1].dimension == dimension
            {
                let (mut room, mut i) = (1, 0);
                while i < self.leaf_count {
                    if self.leaf_piece[i] as usize == piece {
                        room *= self.leaves.extent_at(i);
                    }
                    i += 1;
                }
                let extent = self.pieces[piece].extent;
                if room != extent {
                    return Err(PlacementError::PaddedInside { dimension, extent, room }.widen());
                }
            }
            piece += 1;
        }
        Ok(())
    }
}
