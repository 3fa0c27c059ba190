//! `Placement`: the two stages, and how one is built.

use core::fmt;

use crate::engine::{DynLayout, IntTuple, MAX_LEAVES, MAX_SIZE};
use crate::error::{LayoutError, PlacementError};
use crate::placed::Region;

/// How many dimensions a placement may have: logical ones, and index ones.
pub const MAX_DIMENSIONS: usize = 16;

/// A part of an index dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The index dimension.
    pub dimension: usize,
    /// How many numbers of it occur. It is padded where its leaves have more.
    pub extent: usize,
}

/// A part of a piece, with its stride in slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    /// The number of its piece.
    pub piece: usize,
    /// Its extent.
    pub extent: usize,
    /// What one step of it adds to the number of the slot: a multiple of the storage of a core
    /// steps between cores.
    pub stride: usize,
}

/// Where each element of a tensor is: on which core, and where in its buffer.
///
/// See the [module](crate::placed) for the model. The law: [`slot`](Self::slot) of a coordinate,
/// and [`coordinate`](Self::coordinate) of a slot, which is nothing for padding. Each is the
/// inverse of the other when [`is_injective`](Self::is_injective).
///
/// ```
/// use layout_core::placed::Placement;
/// // 5 rows of 3 on a column of two cores: 3 rows and 2, where a row is stored as 4 elements.
/// let p = Placement::builder(&[5, 3], 12, 2)?
///     .dimension(5, &[1, 0])?
///     .piece(3)?.leaf(3, 4)?
///     .piece(2)?.core_leaf(2, 1)?
///     .dimension(3, &[0, 1])?
///     .piece(3)?.leaf(4, 1)?
///     .build()?;
/// let slot = p.slot(&[4, 2])?;
/// assert_eq!((slot.core, slot.offset), (1, 6));
/// assert_eq!(p.coordinate(slot)?.unwrap().leaves(), &[4, 2]);
/// assert_eq!((p.elements(), p.slots(), p.padding()), (15, 24, 9));
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    // Stage 1, as a layout: from a coordinate to the number of its index. The index dimensions
    // are the digits of that number, the first the most significant, each in the radix `extent`.
    pub(super) linear: DynLayout,
    pub(super) rank: usize,
    pub(super) extents: [usize; MAX_DIMENSIONS],
    pub(super) dimensions: usize,
    // Stage 2. Pieces of a dimension and leaves of a piece follow each other, innermost first, up
    // to these ends.
    pub(super) pieces: [Piece; MAX_LEAVES],
    piece_ends: [u8; MAX_DIMENSIONS],
    leaf_ends: [u8; MAX_LEAVES],
    // All leaves, flat, with their strides in slots; `1:0` without any.
    pub(super) leaves: DynLayout,
    pub(super) storage: usize,
    pub(super) cores: usize,
}

impl Placement {
    /// Begins a placement of a tensor of this shape, in buffers of `storage` elements on `cores`
    /// cores. Its index dimensions follow, the most significant first, each with its pieces and
    /// their leaves, innermost first.
    ///
    /// A tensor without dimensions has one element.
    ///
    /// # Errors
    ///
    /// Extents of zero, more than [`MAX_DIMENSIONS`] of them, sizes above
    /// [`MAX_SIZE`].
    pub const fn builder(
        shape: &[usize],
        storage: usize,
        cores: usize,
    ) -> Result<Builder, LayoutError> {
        if shape.len() > MAX_DIMENSIONS {
            return Err(PlacementError::TooManyDimensions { limit: MAX_DIMENSIONS }.widen());
        }
        if storage == 0 || cores == 0 {
            return Err(LayoutError::ZeroExtent);
        }
        match storage.checked_mul(cores) {
            Some(slots) if slots <= MAX_SIZE => {}
            _ => return Err(PlacementError::TooManySlots { storage, cores }.widen()),
        }
        let mut extents = [1; MAX_DIMENSIONS];
        let mut d = 0;
        while d < shape.len() {
            if shape[d] == 0 {
                return Err(LayoutError::ZeroExtent);
            }
            extents[d] = shape[d];
            d += 1;
        }
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

    /// The placement that a layout is: one core, nothing padded but the gaps between its offsets.
    ///
    /// ```
    /// use layout_core::{engine::DynLayout, placed::Placement};
    /// let p = Placement::of_layout(&DynLayout::parse("(6,(4,2)):(4,(1,24))").unwrap())?;
    /// assert_eq!((p.shape().to_string().as_str(), p.slot(&[5, 7])?.offset), ("(6,8)", 47));
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For an empty layout, and one of more than [`MAX_DIMENSIONS`] modes.
    pub const fn of_layout(layout: &DynLayout) -> Result<Self, LayoutError> {
        let mut shape = [1; MAX_DIMENSIONS];
        let rank = layout.rank();
        if rank > MAX_DIMENSIONS {
            return Err(PlacementError::TooManyDimensions { limit: MAX_DIMENSIONS }.widen());
        }
        let mut d = 0;
        while d < rank {
            shape[d] = layout.mode(d).size();
            d += 1;
        }
        let shape = shape.split_at(rank).0;
        let mut builder = attempt!(Self::builder(shape, layout.cosize(), 1));
        d = 0;
        while d < rank {
            let mut row = [0; MAX_DIMENSIONS];
            row[d] = 1;
            attempt!(builder.add_dimension(shape[d], row.split_at(rank).0));
            attempt!(builder.add_piece(shape[d]));
            let (mut leaf, end) = layout.leaf_range(d);
            while leaf < end {
                attempt!(builder.add_leaf(layout.extents()[leaf], layout.strides()[leaf]));
                leaf += 1;
            }
            d += 1;
        }
        builder.build()
    }

    /// The extents of the logical dimensions; `1` for a tensor without dimensions.
    pub const fn shape(&self) -> IntTuple {
        self.linear.shape()
    }

    /// The number of logical dimensions.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The extents of the index dimensions.
    pub const fn index_extents(&self) -> &[usize] {
        self.extents.split_at(self.dimensions).0
    }

    /// From a logical coordinate to the number of its index, whose digits are the index
    /// dimensions, the first the most significant.
    pub const fn linear(&self) -> &DynLayout {
        &self.linear
    }

    /// The pieces of the index dimensions in order, innermost first within one.
    pub const fn pieces(&self) -> &[Piece] {
        self.pieces.split_at(self.pieces_of(self.dimensions).0).0
    }

    /// The leaves, in the order of their pieces, innermost first within one.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> {
        (0..self.pieces().len()).flat_map(move |piece| {
            let (start, end) = self.leaves_of(piece);
            (start..end).map(move |i| Leaf {
                piece,
                extent: self.leaves.extents()[i],
                stride: self.leaves.strides()[i],
            })
        })
    }

    /// The numbers of the pieces of an index dimension, from the first one up to the end; where
    /// they would follow for the number of dimensions.
    pub(super) const fn pieces_of(&self, dimension: usize) -> (usize, usize) {
        bounds(&self.piece_ends, dimension, self.dimensions)
    }

    /// The numbers of the leaves of a piece, from the first one up to the end.
    pub(super) const fn leaves_of(&self, piece: usize) -> (usize, usize) {
        bounds(&self.leaf_ends, piece, self.pieces().len())
    }

    /// How many numbers the leaves of a piece have room for.
    pub(super) const fn room_of(&self, piece: usize) -> usize {
        let (mut leaf, end) = self.leaves_of(piece);
        let mut room = 1usize;
        while leaf < end {
            room = room.saturating_mul(self.leaves.extent_at(leaf));
            leaf += 1;
        }
        room
    }

    /// The coefficients of an index dimension.
    pub(super) const fn row(&self, dimension: usize) -> [usize; MAX_DIMENSIONS] {
        let (mut weight, mut i) = (1, self.dimensions);
        while i > dimension + 1 {
            i -= 1;
            weight *= self.extents[i];
        }
        let (mut row, mut d) = ([0; MAX_DIMENSIONS], 0);
        while d < self.rank {
            // A coefficient is below the extent of its dimension.
            row[d] = self.linear.stride_at(d) / weight % self.extents[dimension];
            d += 1;
        }
        row
    }

    /// The box of all coordinates.
    ///
    /// ```
    /// use layout_core::placed::Placement;
    /// let p = Placement::of_layout(&layout_core::engine::DynLayout::parse("(2,3):(3,1)").unwrap())?;
    /// let mut slots = Vec::new();
    /// p.region().for_each(|at| slots.push(p.slot_number(at).unwrap()));
    /// assert_eq!(slots, [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    pub const fn region(&self) -> Region {
        Region::all(self.linear.extents().split_at(self.rank).0)
    }

    /// How many elements the tensor has.
    pub const fn elements(&self) -> usize {
        self.linear.size()
    }

    /// How many elements the buffer of one core has room for.
    pub const fn storage(&self) -> usize {
        self.storage
    }

    /// How many cores there are.
    pub const fn cores(&self) -> usize {
        self.cores
    }

    /// How many elements all buffers have room for.
    pub const fn slots(&self) -> usize {
        self.storage * self.cores
    }

    /// How many slots hold no element, if no two elements share one.
    pub const fn padding(&self) -> usize {
        self.slots().saturating_sub(self.elements())
    }
}

/// `(5,3) by (5,3):(3,1), 5 in 3[3:4] 2[2:12], 3 in 3[4:1], 2 x 12`: the shape, stage 1, each index
/// dimension with its pieces and their leaves, and the buffers.
impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.shape(), self.linear)?;
        for (dimension, extent) in self.index_extents().iter().enumerate() {
            write!(f, ", {extent} in")?;
            for (number, piece) in self.pieces().iter().enumerate() {
                if piece.dimension == dimension {
                    write!(f, " {}[", piece.extent)?;
                    let leaves = self.leaves().filter(|leaf| leaf.piece == number);
                    for (i, Leaf { extent, stride, .. }) in leaves.enumerate() {
                        write!(f, "{}{extent}:{stride}", if i > 0 { " " } else { "" })?;
                    }
                    f.write_str("]")?;
                }
            }
        }
        write!(f, ", {} x {}", self.cores, self.storage)
    }
}

/// Where part `i` of `len` starts, behind the end of the one before, and ends.
const fn bounds(ends: &[u8], i: usize, len: usize) -> (usize, usize) {
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    (start, if i < len { ends[i] as usize } else { start })
}

/// The tuple of these extents; the integer 1 for none.
pub(super) const fn flat(extents: &[usize]) -> Result<IntTuple, LayoutError> {
    if extents.is_empty() { Ok(IntTuple::leaf(1)) } else { IntTuple::flat(extents) }
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
    /// One more index dimension: the sums of `row` times a coordinate, which are below `extent`.
    ///
    /// # Errors
    ///
    /// [`PlacementError::RowRank`], [`PlacementError::IndexExtent`], too many dimensions.
    pub const fn dimension(mut self, extent: usize, row: &[usize]) -> Result<Self, LayoutError> {
        attempt!(self.add_dimension(extent, row));
        Ok(self)
    }

    /// [`dimension`](Self::dimension) in place, as all of these: builders are large.
    const fn add_dimension(&mut self, extent: usize, row: &[usize]) -> Result<(), LayoutError> {
        let p = &mut self.placement;
        if p.dimensions == MAX_DIMENSIONS {
            return Err(PlacementError::TooManyDimensions { limit: MAX_DIMENSIONS }.widen());
        }
        if row.len() != p.rank {
            let (entries, rank) = (row.len(), p.rank);
            return Err(PlacementError::RowRank { entries, rank }.widen());
        }
        let (mut last, mut d) = (0usize, 0);
        while d < row.len() {
            last = match row[d].checked_mul(self.shape.leaves()[d] - 1) {
                Some(step) => match last.checked_add(step) {
                    Some(sum) if sum < MAX_SIZE => sum,
                    _ => return Err(LayoutError::IntegerOverflow { operation: "placement" }),
                },
                None => return Err(LayoutError::IntegerOverflow { operation: "placement" }),
            };
            // The coefficient of an extent of 1 is never seen; 0 makes equal maps equal.
            self.rows[p.dimensions][d] = if self.shape.leaves()[d] == 1 { 0 } else { row[d] };
            d += 1;
        }
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

    /// One more piece of the last dimension, outside of those before.
    ///
    /// # Errors
    ///
    /// [`LayoutError::ZeroExtent`], [`LayoutError::TooManyLeaves`].
    pub const fn piece(mut self, extent: usize) -> Result<Self, LayoutError> {
        attempt!(self.add_piece(extent));
        Ok(self)
    }

    const fn add_piece(&mut self, extent: usize) -> Result<(), LayoutError> {
        let p = &mut self.placement;
        if extent == 0 || p.dimensions == 0 {
            return Err(LayoutError::ZeroExtent);
        }
        let (dimension, piece) = (p.dimensions - 1, p.pieces().len());
        if piece == MAX_LEAVES {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        let (leaves, _) = p.leaves_of(piece);
        p.pieces[piece] = Piece { dimension, extent };
        p.leaf_ends[piece] = leaves as u8;
        p.piece_ends[dimension] = piece as u8 + 1;
        Ok(())
    }

    /// One more leaf of the last piece, outside of those before, with its stride in elements of
    /// the buffer of a core.
    ///
    /// # Errors
    ///
    /// [`PlacementError::OutsideStorage`], [`LayoutError::ZeroExtent`],
    /// [`LayoutError::TooManyLeaves`].
    pub const fn leaf(mut self, extent: usize, stride: usize) -> Result<Self, LayoutError> {
        attempt!(self.add_leaf(extent, stride));
        Ok(self)
    }

    const fn add_leaf(&mut self, extent: usize, stride: usize) -> Result<(), LayoutError> {
        let storage = self.placement.storage;
        self.slot_sum = match extent.saturating_sub(1).checked_mul(stride) {
            Some(step) => match self.slot_sum.checked_add(step) {
                Some(sum) if sum < storage => sum,
                _ => return Err(PlacementError::OutsideStorage { extent, stride, storage }.widen()),
            },
            None => return Err(PlacementError::OutsideStorage { extent, stride, storage }.widen()),
        };
        self.any_leaf(extent, if extent == 1 { 0 } else { stride })
    }

    /// One more leaf of the last piece, outside of those before, with its stride in cores.
    ///
    /// # Errors
    ///
    /// [`PlacementError::OutsideGrid`], [`LayoutError::ZeroExtent`],
    /// [`LayoutError::TooManyLeaves`].
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

    const fn any_leaf(&mut self, extent: usize, stride: usize) -> Result<(), LayoutError> {
        let p = &mut self.placement;
        let pieces = p.pieces().len();
        if extent == 0 || pieces == 0 {
            return Err(LayoutError::ZeroExtent);
        }
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

    /// The placement.
    ///
    /// # Errors
    ///
    /// [`PlacementError::Uncovered`] for a dimension whose pieces, or a piece whose leaves, have
    /// less room than its extent; overflow of the number of indices or slots.
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
        // Stage 1 as one layout: each row times what its dimension counts for.
        let mut strides = [0usize; MAX_DIMENSIONS];
        let (mut weight, mut i) = (1usize, p.dimensions);
        while i > 0 {
            i -= 1;
            let mut d = 0;
            while d < p.rank {
                strides[d] = match self.rows[i][d].checked_mul(weight) {
                    Some(step) => match strides[d].checked_add(step) {
                        Some(sum) if sum <= MAX_SIZE => sum,
                        _ => return Err(LayoutError::IntegerOverflow { operation: "placement" }),
                    },
                    None => return Err(LayoutError::IntegerOverflow { operation: "placement" }),
                };
                d += 1;
            }
            weight = match weight.checked_mul(p.extents[i]) {
                Some(weight) if weight <= MAX_SIZE => weight,
                _ => return Err(LayoutError::IntegerOverflow { operation: "placement" }),
            };
        }
        if p.rank > 0 {
            let strides = attempt!(IntTuple::flat(strides.split_at(p.rank).0));
            p.linear = attempt!(DynLayout::new(&self.shape, &strides));
        }
        Ok(p)
    }
}

impl Placement {
    /// Checks that each dimension has room in its pieces, and each piece in its leaves.
    const fn check_coverage(&self) -> Result<(), LayoutError> {
        let mut dimension = 0;
        while dimension < self.dimensions {
            let (mut piece, end) = self.pieces_of(dimension);
            let mut room = 1usize;
            while piece < end {
                attempt!(check_room(dimension, self.pieces[piece].extent, self.room_of(piece)));
                room = room.saturating_mul(self.pieces[piece].extent);
                piece += 1;
            }
            attempt!(check_room(dimension, self.extents[dimension], room));
            dimension += 1;
        }
        Ok(())
    }
}

/// Checks that the parts of a dimension, or of a piece of it, have room for it.
const fn check_room(dimension: usize, extent: usize, room: usize) -> Result<(), LayoutError> {
    if room < extent {
        return Err(PlacementError::Uncovered { dimension, extent, room }.widen());
    }
    Ok(())
}
