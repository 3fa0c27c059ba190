//! The part of the catalogue about placements: pieces, padding, cores.

use crate::engine::IntTuple;
use crate::error::LayoutError;
use crate::message::Message;

/// Why there is no such placement, or no such place in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlacementError {
    /// More dimensions than a placement holds.
    TooManyDimensions {
        /// The most there may be.
        limit: usize,
    },
    /// More slots than can be numbered.
    TooManySlots {
        /// The number of elements of a buffer.
        storage: usize,
        /// The number of cores.
        cores: usize,
    },
    /// A row of the matrix with other than one entry for each logical dimension.
    RowRank {
        /// How many entries it has.
        entries: usize,
        /// The number of logical dimensions.
        rank: usize,
    },
    /// A coordinate with other than one number for each logical dimension.
    CoordinateRank {
        /// How many numbers it has.
        entries: usize,
        /// The number of logical dimensions.
        rank: usize,
    },
    /// An index dimension that coordinates lead out of.
    IndexExtent {
        /// The index dimension.
        dimension: usize,
        /// The largest index.
        last: usize,
        /// The extent.
        extent: usize,
    },
    /// An extent with more numbers than its parts have room for.
    Uncovered {
        /// The index dimension.
        dimension: usize,
        /// The extent of it, or of a piece of it.
        extent: usize,
        /// The product of its parts.
        room: usize,
    },
    /// A leaf that leaves the buffer of a core.
    OutsideStorage {
        /// The extent of the leaf.
        extent: usize,
        /// Its stride.
        stride: usize,
        /// How many elements a buffer has.
        storage: usize,
    },
    /// A leaf that leaves the grid of cores.
    OutsideGrid {
        /// The extent of the leaf.
        extent: usize,
        /// Its stride in cores.
        stride: usize,
        /// The number of cores.
        cores: usize,
    },
    /// A slot that the placement does not have.
    NoSuchSlot {
        /// The number of its core.
        core: usize,
        /// Its offset in the buffer.
        offset: usize,
        /// The number of cores.
        cores: usize,
        /// How many elements a buffer has.
        storage: usize,
    },
    /// Padding that no layout can say: within a dimension, not behind its end.
    PaddedInside {
        /// The index dimension.
        dimension: usize,
        /// The extent of the padded piece.
        extent: usize,
        /// The room of the piece.
        room: usize,
    },
    /// A padded dimension whose last part is not full, so that no extents of parts multiply to it.
    PaddedBehind {
        /// The index dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The product of its parts.
        room: usize,
    },
    /// More parts of a copy between two placements than are kept in mind.
    TooManyCuts {
        /// How many are.
        limit: usize,
    },
    /// Two elements in one slot, where a tensor is to be written.
    SharedSlot {
        /// The number of elements.
        elements: usize,
    },
    /// Fewer or shorter buffers than a placement has.
    Buffers {
        /// How many elements there are room for.
        room: usize,
        /// The number of elements of a buffer.
        storage: usize,
        /// The number of cores.
        cores: usize,
    },
    /// More bytes than can be allocated.
    TooManyBytes {
        /// The size of an element.
        element_bytes: usize,
        /// The number of elements of a buffer.
        storage: usize,
        /// The number of cores.
        cores: usize,
    },
    /// A logical dimension that is no index dimension by itself.
    Joined {
        /// The logical dimension.
        dimension: usize,
    },
    /// A reshard between tensors of different shapes.
    ReshardShape {
        /// The shape before.
        from: IntTuple,
        /// The shape afterwards.
        to: IntTuple,
    },
}

impl PlacementError {
    /// This, as an error of the catalogue.
    pub(crate) const fn widen(self) -> LayoutError {
        LayoutError::Placement(self)
    }

    #[inline]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::TooManyDimensions { .. } => "L0601",
            Self::TooManySlots { .. } => "L0602",
            Self::RowRank { .. } => "L0603",
            Self::CoordinateRank { .. } => "L0604",
            Self::IndexExtent { .. } => "L0605",
            Self::Uncovered { .. } => "L0606",
            Self::OutsideStorage { .. } => "L0607",
            Self::OutsideGrid { .. } => "L0608",
            Self::NoSuchSlot { .. } => "L0609",
            Self::PaddedInside { .. } => "L0610",
            Self::Joined { .. } => "L0611",
            Self::ReshardShape { .. } => "L0612",
            Self::PaddedBehind { .. } => "L0613",
            Self::TooManyCuts { .. } => "L0614",
            Self::SharedSlot { .. } => "L0615",
            Self::Buffers { .. } => "L0616",
            Self::TooManyBytes { .. } => "L0617",
        }
    }

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::TooManyDimensions { limit } => {
                m.str("a placement may have at most ").num(*limit).str(" dimensions")
            }
            Self::TooManySlots { storage, cores } => m
                .num(*cores)
                .str(" buffers of ")
                .num(*storage)
                .str(concat!(" elements are more than ", size_bits!(), " bits can count")),
            Self::RowRank { entries, rank } => m
                .str("a row of ")
                .num(*entries)
                .str(" coefficients for a tensor of ")
                .num(*rank)
                .str(" dimensions"),
            Self::CoordinateRank { entries, rank } => m
                .str("a coordinate of ")
                .num(*entries)
                .str(" numbers for a tensor of ")
                .num(*rank)
                .str(" dimensions"),
            Self::IndexExtent { dimension, last, extent } => m
                .str("index ")
                .num(*last)
                .str(" is not below ")
                .num(*extent)
                .str(", the extent of index dimension ")
                .num(*dimension),
            Self::Uncovered { dimension, extent, room } => m
                .str("index dimension ")
                .num(*dimension)
                .str(" has an extent of ")
                .num(*extent)
                .str(" and its parts have room for ")
                .num(*room),
            Self::OutsideStorage { extent, stride, storage } => m
                .str("a leaf ")
                .num(*extent)
                .str(":")
                .num(*stride)
                .str(" leads out of a buffer of ")
                .num(*storage)
                .str(" elements"),
            Self::OutsideGrid { extent, stride, cores } => m
                .str("a leaf ")
                .num(*extent)
                .str(":")
                .num(*stride)
                .str(" leads out of a grid of ")
                .num(*cores)
                .str(" cores"),
            Self::NoSuchSlot { core, offset, cores, storage } if *core >= *cores => m
                .str("core ")
                .num(*core)
                .str(" is not below ")
                .num(*cores)
                .str(", the number of cores (offset ")
                .num(*offset)
                .str(" of ")
                .num(*storage)
                .str(")"),
            Self::NoSuchSlot { offset, storage, .. } => m
                .str("offset ")
                .num(*offset)
                .str(" is not below ")
                .num(*storage)
                .str(", the number of elements in the buffer"),
            Self::PaddedInside { dimension, extent, room } => m
                .str("index dimension ")
                .num(*dimension)
                .str(" has pieces of ")
                .num(*extent)
                .str(" in the room of ")
                .num(*room)
                .str(", which no layout says"),
            Self::PaddedBehind { dimension, extent, room } => m
                .str("index dimension ")
                .num(*dimension)
                .str(" ends at ")
                .num(*extent)
                .str(" within parts of ")
                .num(*room)
                .str(", which no layout says"),
            Self::TooManyCuts { limit } => m
                .str("a copy between these placements is cut into parts of which more than ")
                .num(*limit)
                .str(" wait"),
            Self::SharedSlot { elements } => {
                m.str("two of the ").num(*elements).str(" elements of this placement share a slot")
            }
            Self::Buffers { room, storage, cores } => m
                .str("room for ")
                .num(*room)
                .str(" elements is not enough for ")
                .num(*cores)
                .str(" buffers of ")
                .num(*storage),
            Self::TooManyBytes { element_bytes, storage, cores } => m
                .num(*cores)
                .str(" buffers of ")
                .num(*storage)
                .str(" elements of ")
                .num(*element_bytes)
                .str(" bytes cannot be allocated"),
            Self::Joined { dimension } => m
                .str("dimension ")
                .num(*dimension)
                .str(" is joined with others before it is cut, or bumped"),
            Self::ReshardShape { from, to } => {
                m.str("a tensor of shape ").tuple(from).str(" is no tensor of shape ").tuple(to)
            }
        }
    }
}
