//! Morello layouts, `[1, 0, 1 p(4)] for (6, 8)`: L0401 to L0499.

use crate::engine::Swizzle;
use crate::error::catalogue::{SWIZZLE, catalogue};

catalogue! {
    /// Why a Morello layout is not valid, or does not apply to a shape.
    ///
    /// A dimension is the index of a logical dimension, from 0.
    pub enum MorelloError;

    "L0401": "a dimension that the layout leaves out", MissingDimension {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of extent ").num(*extent)
            .str(" is not in the layout"),
        help: |m| m.str("add the dimension to the list: ").num(*dimension),
        meaning: "Every dimension with an extent above 1 is in the list, the outermost first.",
        example: "[0] for (4, 8)",
    }

    "L0402": "sizes that do not cover their dimension", Uncovered {
        /// The dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The product of the sizes.
        covered: usize,
    } => {
        message: |m| m.str("the sizes of dimension ").num(*dimension).str(" multiply to ")
            .num(*covered).str(" but its extent is ").num(*extent),
        help: |m| m.str("add ").num(*dimension).str(" further out, to take the rest"),
        meaning: "The sizes of a dimension multiply to its extent, or a part without a size, \
            further out, takes the rest.",
        example: "[0 p(2), 1] for (6, 8)",
    }

    "L0403": "a size that does not divide its dimension", NotDivisible {
        /// The dimension.
        dimension: usize,
        /// The size.
        size: usize,
        /// The rest of the extent.
        left: usize,
    } => {
        message: |m| m.str("size ").num(*size).str(" does not divide ").num(*left)
            .str(", what is left of dimension ").num(*dimension),
        help: |m| {
            let below = *left / *size * *size;
            let m = m.num(*size).str(" divides ");
            let m = if below > 0 { m.num(below).str(" and ") } else { m };
            m.num(below.saturating_add(*size))
        },
        meaning: "A packed size divides what the sizes further in leave of the extent. Pad the \
            shape, or pack by a size that divides it.",
        example: "[1, 0, 1 p(4)] for (6, 10)",
    }

    "L0404": "an odd-even size larger than what is left", OddEvenPartial {
        /// The dimension.
        dimension: usize,
        /// The size.
        size: usize,
        /// The rest of the extent.
        left: usize,
    } => {
        message: |m| m.str("odd-even size ").num(*size).str(" is more than the ").num(*left)
            .str(" left of dimension ").num(*dimension),
        meaning: "An odd-even part interleaves as many elements as its size, so there must be at \
            least that many.",
        example: "[0, 0 oe(6)] for (3)",
    }

    "L0405": "a second part that is not full", SecondPartial {
        /// The dimension.
        dimension: usize,
        /// The size of the second part.
        size: usize,
        /// The rest of the extent.
        left: usize,
    } => {
        message: |m| m.str("size ").num(*size).str(" is more than the ").num(*left)
            .str(" left of dimension ").num(*dimension)
            .str(", where an inner size was already too large"),
        meaning: "In each dimension one packed part may be larger than what is left of the extent, \
            and is cut. A second one may not be.",
        example: "[0, 1, 0 p(4), 1 p(2), 0 p(4)] for (2, 2)",
    }

    "L0406": "a dimension that takes the rest twice", TwoDynamics {
        /// The dimension.
        dimension: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" takes the rest of its extent twice"),
        help: |m| m.str("keep the outer one and give the inner one a size: p(n) or oe(n)"),
        meaning: "Only one part of a dimension has no size: the outermost takes the rest.",
        example: "[0, 1, 0] for (4, 4)",
    }

    "L0407": "the rest of a dimension inside a packed part", DynamicInsidePacked {
        /// The dimension.
        dimension: usize,
        /// The size of the packed part.
        size: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension)
            .str(" takes the rest of its extent inside its own p(").num(*size).str(")"),
        help: |m| m.str("write ").num(*dimension).str(" without a size further out than its sizes"),
        meaning: "The part without a size is further out than those with one.",
        example: "[0 p(4), 1, 0] for (8, 8)",
    }

    "L0408": "the rest of a dimension inside an odd-even part", DynamicInsideOddEven {
        /// The dimension.
        dimension: usize,
        /// The size of the odd-even part.
        size: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension)
            .str(" takes the rest of its extent inside its own oe(").num(*size).str(")"),
        help: |m| m.str("write ").num(*dimension).str(" without a size further out than its sizes"),
        meaning: "The part without a size is further out than those with one.",
        example: "[0 oe(4), 1, 0] for (8, 8)",
    }

    "L0409": "a dimension that the shape does not have", DimensionOutOfRank {
        /// The dimension.
        dimension: usize,
        /// The number of dimensions of the shape.
        rank: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" is not below ").num(*rank)
            .str(", the rank of the shape"),
        help: |m| m.str("dimensions are counted from 0"),
        meaning: "Dimensions count from 0.",
        example: "[0, 1, 2] for (4, 8)",
    }

    "L0410": "a packed size of 1", PackedSizeOne {
        /// The dimension.
        dimension: usize,
    } => {
        message: |m| m.str("a packed size of dimension ").num(*dimension)
            .str(" must be at least 2, found 1"),
        help: |m| m.str("leave it out"),
        meaning: "p(1) packs nothing. Leave it out.",
        example: "[0, 1 p(1)] for (4, 1)",
    }

    "L0411": "an odd odd-even size", OddOddEven {
        /// The dimension.
        dimension: usize,
        /// The size.
        size: usize,
    } => {
        message: |m| m.str("an odd-even size of dimension ").num(*dimension)
            .str(" must be even, found ").num(*size),
        help: |m| m.str("write oe(").num(size.saturating_add(1)).str(") or p(").num(*size).str(")"),
        meaning: "An odd-even part interleaves two halves of the same length.",
        example: "[0, 1, 0 oe(3)] for (6, 4)",
    }

    "L0412": "a size of 0", ZeroSize {
        /// The dimension.
        dimension: usize,
    } => {
        message: |m| m.str("a size of dimension ").num(*dimension)
            .str(" must be at least 2, found 0"),
        meaning: "A size is at least 2.",
        example: "[0, 1, 0 p(0)] for (6, 4)",
    }

    "L0413": "two odd-even parts next to each other", AdjacentOddEven {
        /// The dimension.
        dimension: usize,
    } => {
        message: |m| m.str("two odd-even parts of dimension ").num(*dimension)
            .str(" are next to each other"),
        meaning: "Two odd-even parts of one dimension have another part between them.",
        example: "[0, 0 oe(4), 0 oe(2)] for (16)",
    }

    "L0414": "a run-time extent without a part that takes the rest", RunTimeUncovered {
        /// The dimension.
        dimension: usize,
    } => {
        message: |m| m.str("the extent of dimension ").num(*dimension)
            .str(" is known only at run time, and no part of the layout takes the rest of it"),
        help: |m| m.str("add ").num(*dimension).str(" further out, to take the rest"),
        meaning: "If an extent is known only at run time, one part of its dimension has no size.",
        example: "layout!([0 p(4), 1] for (_, 8))"
            => MorelloError::RunTimeUncovered { dimension: 0 },
    }

    "L0415": "a broadcast, which a Morello layout cannot have", Broadcast {
        /// The dimension.
        dimension: usize,
        /// The extent with that stride.
        extent: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" has ").num(*extent)
            .str(" coordinates at one offset, by stride 0"),
        meaning: "A Morello layout has one coordinate at each offset, so no extent above 1 has \
            stride 0.",
        example: "MorelloLayout::of(&DynLayout::parse(\"(4,8):(0,1)\")?)"
            => MorelloError::Broadcast { dimension: 0, extent: 4 },
    }

    "L0416": "overlapping strides, which a Morello layout cannot have", Overlap {
        /// The dimension.
        dimension: usize,
        /// The stride.
        stride: usize,
        /// The number of offsets that the smaller strides cover.
        covered: usize,
    } => {
        message: |m| m.str("stride ").num(*stride).str(" of dimension ").num(*dimension)
            .str(" lies inside the ").num(*covered).str(" offsets that the smaller strides cover"),
        meaning: "A Morello layout has one coordinate at each offset: sorted by size, each stride \
            is the product of the extents with smaller strides.",
        example: "MorelloLayout::of(&DynLayout::parse(\"(4,8):(1,2)\")?)"
            => MorelloError::Overlap { dimension: 1, stride: 2, covered: 4 },
    }

    "L0417": "padding, which a Morello layout cannot have", Gap {
        /// The first offset without a coordinate.
        offset: usize,
        /// The next stride, or the offset at which the layout starts.
        stride: usize,
    } => {
        message: |m| if *offset == 0 {
            m.str("no coordinate has offset 0: the layout begins at ").num(*stride)
        } else {
            let m = m.str("no coordinate has offset ").num(*offset);
            m.str(": the next stride is ").num(*stride)
        },
        help: |m| if *offset == 0 {
            m
        } else {
            m.str("a Morello layout has no padding: pad the shape instead")
        },
        meaning: "A Morello layout has a coordinate at each offset, from 0 on: sorted by size, \
            each stride is the product of the extents with smaller strides. For space between \
            rows, pad the shape.",
        example: "MorelloLayout::of(&DynLayout::parse(\"(4,8):(10,1)\")?)"
            => MorelloError::Gap { offset: 8, stride: 10 },
    }

    "L0418": "an order of parts that a Morello layout cannot have", OutOfOrder {
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
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" takes ").num(*outer_size)
            .str(" steps of ").num(*outer_stride).str(" before ").num(*size)
            .str(" smaller steps of ").num(*stride),
        help: |m| m
            .str("strides of one dimension must increase; only oe(n) has 2 steps of n/2 before n/2 steps of 1"),
        meaning: "Parts of one dimension keep the order of its coordinates: outer parts have \
            larger steps, in the dimension and in memory. Only oe(n) changes the order, in one \
            way: 2 steps of n/2, then n/2 steps of 1.",
        example: "MorelloLayout::of(&DynLayout::parse(\"((4,2)):((2,1))\")?)"
            => MorelloError::OutOfOrder {
                dimension: 0,
                outer_size: 4,
                outer_stride: 2,
                size: 2,
                stride: 1,
            },
    }

    "L0419": "a swizzle, which a Morello layout cannot have", Swizzled {
        /// The swizzle.
        swizzle: Swizzle,
    } => {
        message: |m| m.swizzle(swizzle).str(" is not an order of physical dimensions"),
        meaning: "The physical dimensions of a Morello layout are nested loops. A swizzle is not.",
        example: "MorelloLayout::of_composed(&Swizzle::new(3, 0, 3)?.composition(&layout))"
            => MorelloError::Swizzled { swizzle: SWIZZLE },
    }

    "L0420": "a tile of the wrong rank", TileRank {
        /// The number of extents of the tile.
        tile: usize,
        /// The number of dimensions of the shape.
        rank: usize,
    } => {
        message: |m| m.str("the tile has ").num(*tile).str(" extents, but the shape has ").num(*rank)
            .str(if *rank == 1 { " dimension" } else { " dimensions" }),
        meaning: "A tile has one extent for each dimension of the shape.",
        example: "view.tile(&[6, 8], &[2])" => MorelloError::TileRank { tile: 1, rank: 2 },
    }

    "L0421": "a tile that is empty or too large", TileExtent {
        /// The dimension.
        dimension: usize,
        /// The extent of the tile.
        tile: usize,
        /// The extent of the shape.
        extent: usize,
    } => {
        message: |m| m.str("the tile takes ").num(*tile).str(" of dimension ").num(*dimension)
            .str(", whose extent is ").num(*extent),
        help: |m| if *extent == 0 { m } else { m.str("take 1 to ").num(*extent) },
        meaning: "A tile takes at least 1 of each dimension, and at most its extent.",
        example: "view.tile(&[6, 8], &[2, 9])"
            => MorelloError::TileExtent { dimension: 1, tile: 9, extent: 8 },
    }

    "L0422": "more contiguous dimensions than there are", ContiguousParts {
        /// The number of parts declared contiguous.
        contiguous: usize,
        /// The number of parts.
        parts: usize,
    } => {
        message: |m| m.num(*contiguous).str(" physical dimensions are declared contiguous, but the layout has ")
            .num(*parts),
        meaning: "The contiguous part of a view is a number of physical dimensions, counted from \
            the fastest one.",
        example: "MorelloView::new(&MorelloLayout::row_major(2)?, 3)"
            => MorelloError::ContiguousParts { contiguous: 3, parts: 2 },
    }
}

impl MorelloError {
    /// The name of the violated rule, in one word: `not-divisible`.
    ///
    /// ```
    /// use static_layout::engine::{MorelloLayout, PhysDim::{Dynamic, Packed}};
    /// use static_layout::LayoutError;
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
}
