//! `Placement`: the two stages.

use core::fmt;

use crate::devices::Region;
use crate::devices::numbers::{mode_sizes, product};
use crate::engine::{DynLayout, IntTuple, MAX_LEAVES};
use crate::error::LayoutError;

/// The maximum number of logical dimensions of a placement, and of index dimensions.
pub const MAX_DIMENSIONS: usize = 16;

/// A part of an index dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The index dimension.
    pub dimension: usize,
    /// The number of its values that occur. It is padded if its leaves have more.
    pub extent: usize,
}

/// A part of a piece, with its stride in slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    /// The index of its piece.
    pub piece: usize,
    /// Its extent.
    pub extent: usize,
    /// The step of the slot number. A multiple of the storage of a core steps between cores.
    pub stride: usize,
}

/// Where each element of a tensor is: its core, and the offset in the core's buffer.
///
/// See the [module](crate::devices) for the model. [`slot`](Self::slot) maps a coordinate to a slot,
/// and [`coordinate`](Self::coordinate) a slot to a coordinate, or to `None` for padding. They are
/// inverses of each other if [`is_injective`](Self::is_injective).
///
/// ```
/// use static_layout::devices::Placement;
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
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    // Stage 1, as a layout: from a coordinate to the number of its index. The index dimensions are
    // the digits of that number, the most significant first, each in the radix `extent`.
    pub(super) linear: DynLayout,
    pub(super) rank: usize,
    pub(super) extents: [usize; MAX_DIMENSIONS],
    pub(super) dimensions: usize,
    // Stage 2. The pieces of a dimension and the leaves of a piece are consecutive, innermost first,
    // up to these ends.
    pub(super) pieces: [Piece; MAX_LEAVES],
    pub(super) piece_ends: [u8; MAX_DIMENSIONS],
    pub(super) leaf_ends: [u8; MAX_LEAVES],
    // All leaves, flat, with their strides in slots. `1:0` without leaves.
    pub(super) leaves: DynLayout,
    pub(super) storage: usize,
    pub(super) cores: usize,
}

impl Placement {
    /// Converts a layout: one core, and the gaps between offsets are the only padding.
    ///
    /// ```
    /// use static_layout::{DynLayout, devices::Placement};
    /// let p = Placement::of_layout(&DynLayout::parse("(6,(4,2)):(4,(1,24))").unwrap())?;
    /// assert_eq!((p.shape().to_string().as_str(), p.slot(&[5, 7])?.offset), ("(6,8)", 47));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For an empty layout, and for one with more than [`MAX_DIMENSIONS`] modes.
    #[inline]
    pub const fn of_layout(layout: &DynLayout) -> Result<Self, LayoutError> {
        let (rank, sizes) = (layout.rank(), attempt!(mode_sizes(layout)));
        let shape = sizes.split_at(rank).0;
        let mut builder = attempt!(Self::builder(shape, layout.cosize(), 1));
        repeat!(d, 0..rank, {
            let mut row = [0; MAX_DIMENSIONS];
            row[d] = 1;
            attempt!(builder.add_dimension(shape[d], row.split_at(rank).0));
            attempt!(builder.add_piece(shape[d]));
            let (mut leaf, end) = layout.leaf_range(d);
            while leaf < end {
                attempt!(builder.add_leaf(layout.extents()[leaf], layout.strides()[leaf]));
                leaf += 1;
            }
        });
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
    #[inline]
    pub const fn index_extents(&self) -> &[usize] {
        self.extents.split_at(self.dimensions).0
    }

    /// The map from a logical coordinate to the number of its index, whose digits are the index
    /// dimensions, the most significant first.
    pub const fn linear(&self) -> &DynLayout {
        &self.linear
    }

    /// The pieces of the index dimensions in order, innermost first within one.
    #[inline(never)]
    pub const fn pieces(&self) -> &[Piece] {
        self.pieces.split_at(self.pieces_of(self.dimensions).0).0
    }

    /// The leaves, in the order of their pieces, innermost first within one.
    #[inline]
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

    /// The half-open range of pieces of an index dimension. For the number of dimensions: the empty
    /// range at the end.
    #[inline(never)]
    pub(super) const fn pieces_of(&self, dimension: usize) -> (usize, usize) {
        bounds(&self.piece_ends, dimension, self.dimensions)
    }

    /// The half-open range of leaves of a piece.
    #[inline(never)]
    pub(super) const fn leaves_of(&self, piece: usize) -> (usize, usize) {
        bounds(&self.leaf_ends, piece, self.pieces().len())
    }

    /// The product of the leaves of a piece.
    #[inline(never)]
    pub(super) const fn room_of(&self, piece: usize) -> usize {
        let (mut leaf, end) = self.leaves_of(piece);
        let mut room = 1usize;
        while leaf < end {
            room = room.saturating_mul(self.leaves.extent_at(leaf));
            leaf += 1;
        }
        room
    }

    /// The weight of an index dimension in the number of the index.
    #[inline]
    pub(super) const fn weight(&self, dimension: usize) -> usize {
        product(self.index_extents().split_at(dimension + 1).1)
    }

    /// The coefficients of an index dimension.
    #[inline]
    pub(in crate::devices) const fn row(&self, dimension: usize) -> [usize; MAX_DIMENSIONS] {
        let weight = self.weight(dimension);
        let mut row = [0; MAX_DIMENSIONS];
        repeat!(d, 0..self.rank, {
            // A coefficient is below the extent of its dimension.
            row[d] = self.linear.stride_at(d) / weight % self.extents[dimension];
        });
        row
    }

    /// The box of all coordinates.
    ///
    /// ```
    /// use static_layout::devices::Placement;
    /// let p = Placement::of_layout(&static_layout::DynLayout::parse("(2,3):(3,1)").unwrap())?;
    /// let mut slots = Vec::new();
    /// p.region().for_each(|at| slots.push(p.slot_number(at).unwrap()));
    /// assert_eq!(slots, [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    pub const fn region(&self) -> Region {
        Region::all(self.linear.extents().split_at(self.rank).0)
    }

    /// Number of elements of the tensor.
    pub const fn elements(&self) -> usize {
        self.linear.size()
    }

    /// Number of elements of the buffer of one core.
    pub const fn storage(&self) -> usize {
        self.storage
    }

    /// Number of cores.
    pub const fn cores(&self) -> usize {
        self.cores
    }

    /// Number of elements of all buffers together.
    pub const fn slots(&self) -> usize {
        self.storage * self.cores
    }

    /// Number of slots that hold no element, if no two elements share one.
    pub const fn padding(&self) -> usize {
        self.slots().saturating_sub(self.elements())
    }
}

/// `(5,3) by (5,3):(3,1), 5 in 3[3:4] 2[2:12], 3 in 3[4:1], 2 x 12`: the shape, stage 1, each index
/// dimension with its pieces and their leaves, and the buffers.
impl fmt::Debug for Placement {
    #[inline]
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

/// The start of part `i` of `len`, which is the end of the previous part, and its end.
const fn bounds(ends: &[u8], i: usize, len: usize) -> (usize, usize) {
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    (start, if i < len { ends[i] as usize } else { start })
}
