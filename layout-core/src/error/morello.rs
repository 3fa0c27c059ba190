//! The part of the catalogue about Morello layouts: `[1, 0, 1 p(4)] for (6, 8)`.

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
    PackedSizeOne,
    /// `oe(n)` with an odd `n`.
    OddOddEven {
        /// The size.
        size: usize,
    },
    /// `p(0)` or `oe(0)`.
    ZeroSize,
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
}

impl MorelloError {
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
            Self::PackedSizeOne => "L0410",
            Self::OddOddEven { .. } => "L0411",
            Self::ZeroSize => "L0412",
            Self::AdjacentOddEven { .. } => "L0413",
            Self::RunTimeUncovered { .. } => "L0414",
        }
    }

    pub(crate) const fn message(&self) -> Message {
        let m = Message::new();
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
            Self::PackedSizeOne => m.str("a packed size must be at least 2, found 1"),
            Self::OddOddEven { size } => m.str("an odd-even size must be even, found ").num(*size),
            Self::ZeroSize => m.str("a size must be at least 2, found 0"),
            Self::AdjacentOddEven { dimension } => m
                .str("two odd-even parts of dimension ")
                .num(*dimension)
                .str(" are next to each other"),
            Self::RunTimeUncovered { dimension } => m
                .str("the extent of dimension ")
                .num(*dimension)
                .str(" is known at run time, and no part of the layout takes the rest of it"),
        }
    }

    pub(crate) const fn help(&self) -> Message {
        let m = Message::new();
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
            Self::OddOddEven { size } => {
                m.str("write oe(").num(size.saturating_add(1)).str(") or p(").num(*size).str(")")
            }
            Self::PackedSizeOne => m.str("leave it out"),
            _ => m,
        }
    }
}
