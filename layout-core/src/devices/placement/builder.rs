//! `Builder`: builds a placement dimension by dimension and checks it.

use crate::devices::numbers::{check_rank, flat, plus_times, times, zero_in};
use crate::devices::placement::model::{MAX_DIMENSIONS, Piece, Placement};
use crate::engine::{DynLayout, IntTuple, MAX_LEAVES, MAX_SIZE};
use crate::error::{LayoutError, PlacementError};

impl Placement {
    /// Starts a placement of a tensor of this shape, in buffers of `storage` elements on `cores`
    /// cores. Add the index dimensions, the most significant first, each with its pieces and their
    /// leaves, innermost first.
    ///
    /// A tensor without dimensions has one element.
    ///
    /// # Errors
    ///
    /// Zero extents, more than [`MAX_DIMENSIONS`] extents, sizes above [`MAX_SIZE`].
    #[inline]
    pub const fn builder(
        shape: &[usize],
        storage: usize,
        cores: usize,
    ) -> Result<Builder, LayoutError> {
        attempt!(check_rank(shape.len()));
        refuse!(storage == 0 || cores == 0, LayoutError::ZeroExtent);
        match storage.checked_mul(cores) {
            Some(slots) if slots <= MAX_SIZE => {}
            _ => return Err(PlacementError::TooManySlots { storage, cores }.widen()),
        }
        refuse!(zero_in(shape).is_some(), LayoutError::ZeroExtent);
        let shape = attempt!(flat(shape));
        attempt!(shape.product());
        Ok(Builder {
            shape,
            rows: [[0; MAX_DIMENSIONS]; MAX_DIMENSIONS],
            slot_sum: 0,
            placement: Self {
                linear: DynLayout::UNIT,
                rank: if shape.is_int() { 0 } else { shape.len() },
                extents: [1; MAX_DIMENSIONS],
                dimensions: 0,
                pieces: [Piece { dimension: 0, extent: 0 }; MAX_LEAVES],
                piece_ends: [0; MAX_DIMENSIONS],
                leaf_ends: [0; MAX_LEAVES],
                leaves: DynLayout::UNIT,
                storage,
                cores,
            },
        })
    }
}

/// A placement that is being built; see [`Placement::builder`].
#[derive(Clone, Copy)]
pub struct Builder {
    shape: IntTuple,
    rows: [[usize; MAX_DIMENSIONS]; MAX_DIMENSIONS],
    // The largest offset that the leaves reach in one core.
    slot_sum: usize,
    placement: Placement,
}

impl Builder {
    /// Adds an index dimension: the dot product of `row` and a coordinate, which is below `extent`.
    ///
    /// # Errors
    ///
    /// [`PlacementError::RowRank`], [`PlacementError::IndexExtent`], too many dimensions.
    #[inline]
    pub const fn dimension(mut self, extent: usize, row: &[usize]) -> Result<Self, LayoutError> {
        attempt!(self.add_dimension(extent, row));
        Ok(self)
    }

    /// [`dimension`](Self::dimension) in place. The other methods have such a form too: builders are
    /// large.
    #[inline]
    pub(super) const fn add_dimension(
        &mut self,
        extent: usize,
        row: &[usize],
    ) -> Result<(), LayoutError> {
        let p = &mut self.placement;
        attempt!(check_rank(p.dimensions + 1));
        refuse!(row.len() != p.rank, PlacementError::RowRank { entries: row.len(), rank: p.rank });
        let mut last = 0usize;
        repeat!(d, 0..row.len(), {
            last = attempt!(plus_times(last, [row[d], self.shape.leaves()[d] - 1], "placement"));
            // The coefficient for an extent of 1 has no effect. 0 makes equal maps compare equal.
            self.rows[p.dimensions][d] = if self.shape.leaves()[d] == 1 { 0 } else { row[d] };
        });
        if last >= extent {
            let dimension = p.dimensions;
            return Err(PlacementError::IndexExtent { dimension, last, extent }.widen());
        }
        let pieces = p.pieces().len() as u8;
        p.extents[p.dimensions] = extent;
        p.piece_ends[p.dimensions] = pieces;
        p.dimensions += 1;
        Ok(())
    }

    /// Adds a piece to the last dimension, outside its previous pieces.
    ///
    /// # Errors
    ///
    /// [`LayoutError::ZeroExtent`], [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn piece(mut self, extent: usize) -> Result<Self, LayoutError> {
        attempt!(self.add_piece(extent));
        Ok(self)
    }

    #[inline]
    pub(super) const fn add_piece(&mut self, extent: usize) -> Result<(), LayoutError> {
        let p = &mut self.placement;
        refuse!(extent == 0 || p.dimensions == 0, LayoutError::ZeroExtent);
        let (dimension, piece) = (p.dimensions - 1, p.pieces().len());
        refuse!(piece == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        let (leaves, _) = p.leaves_of(piece);
        p.pieces[piece] = Piece { dimension, extent };
        p.leaf_ends[piece] = leaves as u8;
        p.piece_ends[dimension] = piece as u8 + 1;
        Ok(())
    }

    /// Adds a leaf to the last piece, outside its previous leaves, with its stride in elements of
    /// the buffer of a core.
    ///
    /// # Errors
    ///
    /// [`PlacementError::OutsideStorage`], [`LayoutError::ZeroExtent`],
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn leaf(mut self, extent: usize, stride: usize) -> Result<Self, LayoutError> {
        attempt!(self.add_leaf(extent, stride));
        Ok(self)
    }

    #[inline]
    pub(super) const fn add_leaf(
        &mut self,
        extent: usize,
        stride: usize,
    ) -> Result<(), LayoutError> {
        let storage = self.placement.storage;
        let step = [extent.saturating_sub(1), stride];
        self.slot_sum = match plus_times(self.slot_sum, step, "placement") {
            Ok(sum) if sum < storage => sum,
            _ => return Err(PlacementError::OutsideStorage { extent, stride, storage }.widen()),
        };
        self.any_leaf(extent, if extent == 1 { 0 } else { stride })
    }

    /// Adds a leaf to the last piece, outside its previous leaves, with its stride in cores.
    ///
    /// # Errors
    ///
    /// [`PlacementError::OutsideGrid`], [`LayoutError::ZeroExtent`],
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub const fn core_leaf(mut self, extent: usize, stride: usize) -> Result<Self, LayoutError> {
        let cores = self.placement.cores;
        match extent.saturating_sub(1).checked_mul(stride) {
            Some(last) if last < cores => {}
            _ => return Err(PlacementError::OutsideGrid { extent, stride, cores }.widen()),
        }
        let stride = if extent == 1 { 0 } else { stride * self.placement.storage };
        attempt!(self.any_leaf(extent, stride));
        Ok(self)
    }

    #[inline(never)]
    const fn any_leaf(&mut self, extent: usize, stride: usize) -> Result<(), LayoutError> {
        let p = &mut self.placement;
        let pieces = p.pieces().len();
        refuse!(extent == 0 || pieces == 0, LayoutError::ZeroExtent);
        let (_, leaves) = p.leaves_of(pieces - 1);
        if leaves == 0 {
            p.leaves = DynLayout::EMPTY;
        }
        if !p.leaves.extend_leaf(extent, stride) {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        p.leaf_ends[pieces - 1] = leaves as u8 + 1;
        Ok(())
    }

    /// Builds the placement.
    ///
    /// # Errors
    ///
    /// [`PlacementError::Uncovered`] if the pieces of a dimension, or the leaves of a piece, have a
    /// smaller product than its extent; [`PlacementError::PaddingRepeats`] if leaves with padding
    /// repeat slots; the errors of [`DynLayout::is_injective`] for such leaves; overflow of the
    /// number of indices or slots.
    #[inline]
    pub const fn build(self) -> Result<Placement, LayoutError> {
        let mut p = self.placement;
        if p.leaves_of(p.pieces().len()).0 > 0 {
            p.leaves = attempt!(p.leaves.parenthesised().checked());
        }
        attempt!(p.check_coverage());
        if p.leaves.cosize() > p.slots() {
            let (cores, storage) = (p.cores, p.storage);
            return Err(PlacementError::TooManySlots { storage, cores }.widen());
        }
        // Stage 1 as one layout: each row times the weight of its dimension.
        let mut strides = [0usize; MAX_DIMENSIONS];
        let mut weight = 1usize;
        repeat_rev!(i, 0..p.dimensions, {
            repeat!(d, 0..p.rank, {
                strides[d] =
                    attempt!(plus_times(strides[d], [self.rows[i][d], weight], "placement"));
            });
            weight = attempt!(times(weight, p.extents[i], "placement"));
        });
        if p.rank > 0 {
            let strides = attempt!(IntTuple::flat(strides.split_at(p.rank).0));
            p.linear = attempt!(DynLayout::new(&self.shape, &strides));
        }
        // Whether each digit of the leaves is one of an element.
        let is_full = p.linear.cosize() == p.leaves.size() && p.linear.is_contiguous();
        if !is_full && !attempt!(p.leaves.is_injective()) {
            let (shape, stride) = (p.leaves.shape(), p.leaves.stride());
            return Err(PlacementError::PaddingRepeats { shape, stride }.widen());
        }
        Ok(p)
    }
}

impl Placement {
    /// Checks that the pieces cover each dimension, and the leaves each piece.
    #[inline]
    const fn check_coverage(&self) -> Result<(), LayoutError> {
        repeat!(dimension, 0..self.dimensions, {
            let (mut piece, end) = self.pieces_of(dimension);
            let mut room = 1usize;
            while piece < end {
                attempt!(check_room(dimension, self.pieces[piece].extent, self.room_of(piece)));
                room = room.saturating_mul(self.pieces[piece].extent);
                piece += 1;
            }
            attempt!(check_room(dimension, self.extents[dimension], room));
        });
        Ok(())
    }
}

/// Checks that the parts of a dimension, or of a piece of it, cover its extent.
const fn check_room(dimension: usize, extent: usize, room: usize) -> Result<(), LayoutError> {
    refuse!(room < extent, PlacementError::Uncovered { dimension, extent, room });
    Ok(())
}
