//! The part of the catalogue about Morello layouts: `[1, 0, 1 p(4)] for (6, 8)`.

use crate::engine::Swizzle;
use crate::message::Message;

/// Why a Morello layout is none, or does not apply to a shape.
///
/// A dimension is the number of a logical dimension, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MorelloError {
    /// An extent above 1 in a dimension that the layout does not mention.
    MissingDimension {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
    },
    /// Sizes that do not multiply up to the extent, without a part that takes the rest.
    Uncovered {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The product of the sizes.
        covered: usize,
    },
    /// A size that does not divide what the inner sizes leave of the extent.
    NotDivisible {
        /// The dimension.
        dimension: usize,
        /// The size.
        size: usize,
        /// What is left of the extent.
        left: usize,
    },
    /// An odd-even part larger than what is left of the extent.
    OddEvenPartial {
        /// The dimension.
        dimension: usize,
        /// The size.
        size: usize,
        /// What is left of the extent.
        left: usize,
    },
    /// A second part that is larger than what is left of the extent.
    SecondPartial {
        /// The dimension.
        dimension: usize,
        /// The size of the second one.
        size: usize,
        /// What is left of the extent.
        left: usize,
    },
    /// Two parts that would take the rest of the extent.
    TwoDynamics {
        /// The dimension.
        dimension: usize,
    },
    /// The part that takes the rest, inside a packed one.
    DynamicInsidePacked {
        /// The dimension.
        dimension: usize,
        /// The size of the packed one.
        size: usize,
    },
    /// The part that takes the rest, inside an odd-even one.
    DynamicInsideOddEven {
        /// The dimension.
        dimension: usize,
        /// The size of the odd-even one.
        size: usize,
    },
    /// A dimension that the shape does not have.
    DimensionOutOfRank {
        /// The dimension.
        dimension: usize,
        /// The number of dimensions of the shape.
        rank: usize,
    },
    /// `p(1)`.
    PackedSizeOne {
        /// The dimension.
        dimension: usize,
    },
    /// `oe(n)` with an odd `n`.
    OddOddEven {
        /// The dimension.
        dimension: usize,
        /// The size.
        size: usize,
    },
    /// `p(0)` or `oe(0)`.
    ZeroSize {
        /// The dimension.
        dimension: usize,
    },
    /// Two odd-even parts of one dimension, one right inside the other.
    AdjacentOddEven {
        /// The dimension.
        dimension: usize,
    },
    /// An extent known at run time, where no part takes the rest of it.
    RunTimeUncovered {
        /// The dimension.
        dimension: usize,
    },
    /// A layout that has several coordinates at one offset, by a stride of 0.
    Broadcast {
        /// The dimension.
        dimension: usize,
        /// The extent with that stride.
        extent: usize,
    },
    /// A layout with a stride inside of what the smaller strides cover.
    Overlap {
        /// The dimension.
        dimension: usize,
        /// The stride.
        stride: usize,
        /// How many offsets the smaller strides cover.
        covered: usize,
    },
    /// A layout with padding, or one that does not begin at 0.
    Gap {
        /// The first offset without a coordinate.
        offset: usize,
        /// The next stride, or the offset where the layout begins.
        stride: usize,
    },
    /// A layout whose dimension has a smaller stride outside of a larger one, and is not odd-even.
    OutOfOrder {
        /// The dimension.
        dimension: usize,
        /// The size with the larger stride, which is faster.
        outer_size: usize,
        /// The larger stride.
        outer_stride: usize,
        /// The size with the smaller stride, which is slower.
        size: usize,
        /// The smaller stride.
        stride: usize,
    },
    /// A layout behind a swizzle.
    Swizzled {
        /// The swizzle.
        swizzle: Swizzle,
    },
    /// A tile of another number of dimensions than the shape.
    TileRank {
        /// The number of extents of the tile.
        tile: usize,
        /// The number of dimensions of the shape.
        rank: usize,
    },
    /// A tile that is empty or larger than the shape.
    TileExtent {
        /// The dimension.
        dimension: usize,
        /// The extent of the tile.
        tile: usize,
        /// The extent of the shape.
        extent: usize,
    },
    /// More contiguous physical dimensions than there are.
    ContiguousParts {
        /// How many are said to be contiguous.
        contiguous: usize,
        /// How many there are.
        parts: usize,
    },
}

impl MorelloError {
    #[inline]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::MissingDimension { .. } => "L0401",
            Self::Uncovered { .. } => "L0402",
            Self::NotDivisible { .. } => "L0403",
            Self::OddEvenPartial { .. } => "L0404",
            Self::SecondPartial { .. } => "L0405",
            Self::TwoDynamics { .. } => "L0406",
            Self::DynamicInsidePacked { .. } => "L0407",
            Self::DynamicInsideOddEven { .. } => "L0408",
            Self::DimensionOutOfRank { .. } => "L0409",
            Self::PackedSizeOne { .. } => "L0410",
            Self::OddOddEven { .. } => "L0411",
            Self::ZeroSize { .. } => "L0412",
            Self::AdjacentOddEven { .. } => "L0413",
            Self::RunTimeUncovered { .. } => "L0414",
            Self::Broadcast { .. } => "L0415",
            Self::Overlap { .. } => "L0416",
            Self::Gap { .. } => "L0417",
            Self::OutOfOrder { .. } => "L0418",
            Self::Swizzled { .. } => "L0419",
            Self::TileRank { .. } => "L0420",
            Self::TileExtent { .. } => "L0421",
            Self::ContiguousParts { .. } => "L0422",
        }
    }

    /// The name of the rule that is broken, in a word: `not-divisible`.
    ///
    /// ```
    /// use layout_core::engine::{MorelloLayout, PhysDim::{Dynamic, Packed}};
    /// use layout_core::error::LayoutError;
    /// let error = MorelloLayout::new(&[(0, Packed(4)), (1, Dynamic), (0, Dynamic)]).unwrap_err();
    /// let LayoutError::Morello(error) = error else { panic!("{error}") };
    /// assert_eq!(error.rule(), "dynamic-inside-packed");
    /// ```
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::MissingDimension { .. } => "missing-dim",
            Self::Uncovered { .. } => "uncovered",
            Self::NotDivisible { .. } => "not-divisible",
            Self::OddEvenPartial { .. } => "oddeven-partial",
            Self::SecondPartial { .. } => "second-partial",
            Self::TwoDynamics { .. } => "two-dynamics",
            Self::DynamicInsidePacked { .. } => "dynamic-inside-packed",
            Self::DynamicInsideOddEven { .. } => "dynamic-inside-oddeven",
            Self::DimensionOutOfRank { .. } => "logical-dim-out-of-rank",
            Self::PackedSizeOne { .. } => "packed-size-1",
            Self::OddOddEven { .. } => "odd-oddeven",
            Self::ZeroSize { .. } => "zero-size",
            Self::AdjacentOddEven { .. } => "adjacent-oddeven-oddeven",
            Self::RunTimeUncovered { .. } => "run-time-uncovered",
            Self::Broadcast { .. } => "broadcast",
            Self::Overlap { .. } => "overlap",
            Self::Gap { .. } => "gap",
            Self::OutOfOrder { .. } => "out-of-order",
            Self::Swizzled { .. } => "swizzled",
            Self::TileRank { .. } => "tile-rank",
            Self::TileExtent { .. } => "tile-extent",
            Self::ContiguousParts { .. } => "contiguous-parts",
        }
    }

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::MissingDimension { dimension, extent } => m
                .str("dimension ")
                .num(*dimension)
                .str(" of extent ")
                .num(*extent)
                .str(" is not in the layout"),
            Self::Uncovered { dimension, extent, covered } => m
                .str("the sizes of dimension ")
                .num(*dimension)
                .str(" multiply to ")
                .num(*covered)
                .str(" and its extent is ")
                .num(*extent),
            Self::NotDivisible { dimension, size, left } => m
                .str("size ")
                .num(*size)
                .str(" does not divide ")
                .num(*left)
                .str(", what is left of dimension ")
                .num(*dimension),
            Self::OddEvenPartial { dimension, size, left } => m
                .str("odd-even size ")
                .num(*size)
                .str(" is more than the ")
                .num(*left)
                .str(" left of dimension ")
                .num(*dimension),
            Self::SecondPartial { dimension, size, left } => m
                .str("size ")
                .num(*size)
                .str(" is more than the ")
                .num(*left)
                .str(" left of dimension ")
                .num(*dimension)
                .str(", of which an inner size was too large already"),
            Self::TwoDynamics { dimension } => {
                m.str("dimension ").num(*dimension).str(" takes the rest of its extent twice")
            }
            Self::DynamicInsidePacked { dimension, size } => m
                .str("dimension ")
                .num(*dimension)
                .str(" takes the rest of its extent inside its own p(")
                .num(*size)
                .str(")"),
            Self::DynamicInsideOddEven { dimension, size } => m
                .str("dimension ")
                .num(*dimension)
                .str(" takes the rest of its extent inside its own oe(")
                .num(*size)
                .str(")"),
            Self::DimensionOutOfRank { dimension, rank } => m
                .str("dimension ")
                .num(*dimension)
                .str(" is not below ")
                .num(*rank)
                .str(", the rank of the shape"),
            Self::PackedSizeOne { dimension } => m
                .str("a packed size of dimension ")
                .num(*dimension)
                .str(" must be at least 2, found 1"),
            Self::OddOddEven { dimension, size } => m
                .str("an odd-even size of dimension ")
                .num(*dimension)
                .str(" must be even, found ")
                .num(*size),
            Self::ZeroSize { dimension } => {
                m.str("a size of dimension ").num(*dimension).str(" must be at least 2, found 0")
            }
            Self::AdjacentOddEven { dimension } => m
                .str("two odd-even parts of dimension ")
                .num(*dimension)
                .str(" are next to each other"),
            Self::RunTimeUncovered { dimension } => m
                .str("the extent of dimension ")
                .num(*dimension)
                .str(" is known at run time, and no part of the layout takes the rest of it"),
            Self::Broadcast { dimension, extent } => m
                .str("dimension ")
                .num(*dimension)
                .str(" has ")
                .num(*extent)
                .str(" coordinates at one offset, by stride 0"),
            Self::Overlap { dimension, stride, covered } => m
                .str("stride ")
                .num(*stride)
                .str(" of dimension ")
                .num(*dimension)
                .str(" lies inside the ")
                .num(*covered)
                .str(" offsets that the smaller strides cover"),
            Self::Gap { offset: 0, stride } => {
                m.str("no coordinate has offset 0: the layout begins at ").num(*stride)
            }
            Self::Gap { offset, stride } => m
                .str("no coordinate has offset ")
                .num(*offset)
                .str(": the strides go on with ")
                .num(*stride),
            Self::OutOfOrder { dimension, outer_size, outer_stride, size, stride } => m
                .str("dimension ")
                .num(*dimension)
                .str(" makes ")
                .num(*outer_size)
                .str(" steps of ")
                .num(*outer_stride)
                .str(" before ")
                .num(*size)
                .str(" smaller ones of ")
                .num(*stride),
            Self::Swizzled { swizzle } => {
                m.swizzle(swizzle).str(" is no order of physical dimensions")
            }
            Self::TileRank { tile, rank } => m
                .str("the tile has ")
                .num(*tile)
                .str(" extents, and the shape ")
                .num(*rank)
                .str(if *rank == 1 { " dimension" } else { " dimensions" }),
            Self::TileExtent { dimension, tile, extent } => m
                .str("the tile takes ")
                .num(*tile)
                .str(" of dimension ")
                .num(*dimension)
                .str(", whose extent is ")
                .num(*extent),
            Self::ContiguousParts { contiguous, parts } => m
                .num(*contiguous)
                .str(" physical dimensions are said to be contiguous, of ")
                .num(*parts),
        }
    }

    pub(crate) const fn help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::MissingDimension { dimension, .. } => {
                m.str("add the dimension to the list: ").num(*dimension)
            }
            Self::Uncovered { dimension, .. } | Self::RunTimeUncovered { dimension } => {
                m.str("add ").num(*dimension).str(" further out, to take the rest")
            }
            Self::NotDivisible { size, left, .. } => {
                let below = *left / *size * *size;
                let m = m.num(*size).str(" divides ");
                let m = if below > 0 { m.num(below).str(" and ") } else { m };
                m.num(below.saturating_add(*size))
            }
            Self::TwoDynamics { .. } => {
                m.str("keep the outer one and give the inner one a size: p(n) or oe(n)")
            }
            Self::DynamicInsidePacked { dimension, .. }
            | Self::DynamicInsideOddEven { dimension, .. } => {
                m.str("write ").num(*dimension).str(" without a size further out than its sizes")
            }
            Self::DimensionOutOfRank { .. } => m.str("dimensions are counted from 0"),
            Self::OddOddEven { size, .. } => {
                m.str("write oe(").num(size.saturating_add(1)).str(") or p(").num(*size).str(")")
            }
            Self::PackedSizeOne { .. } => m.str("leave it out"),
            Self::Gap { offset: 1.., .. } => {
                m.str("a Morello layout has no padding: pad the shape instead")
            }
            Self::OutOfOrder { .. } => m.str(
                "sizes of one dimension have rising strides; in oe(n) alone 2 steps of n/2 come \
                 before n/2 steps of 1",
            ),
            Self::TileExtent { extent: extent @ 1.., .. } => m.str("take 1 to ").num(*extent),
            _ => m,
        }
    }
}
