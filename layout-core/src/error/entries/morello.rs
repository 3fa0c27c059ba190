//! Entries about Morello layouts.

use crate::engine::Swizzle;
use crate::error::entries::Entry;
use crate::error::{LayoutError, MorelloError};

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "L0401",
        "a dimension that the layout leaves out",
        "[0] for (4, 8)",
        "Every dimension of an extent above 1 is in the list, the outermost first.",
    ),
    Entry::new(
        "L0402",
        "sizes that do not cover their dimension",
        "[0 p(2), 1] for (6, 8)",
        "The sizes of a dimension multiply up to its extent, or a part without a size, further out, \
         takes the rest.",
    ),
    Entry::new(
        "L0403",
        "a size that does not divide",
        "[1, 0, 1 p(4)] for (6, 10)",
        "A packed size divides what the sizes further in leave of the extent. Pad the shape, or \
         pack by a size that divides it.",
    ),
    Entry::new(
        "L0404",
        "an odd-even size larger than what is left",
        "[0, 0 oe(6)] for (3)",
        "An odd-even part interleaves as many elements as its size, so that there are that many.",
    ),
    Entry::new(
        "L0405",
        "a second part that is not full",
        "[0, 1, 0 p(4), 1 p(2), 0 p(4)] for (2, 2)",
        "Of each dimension one packed part may be larger than what is left of the extent, and is \
         cut. A second one cannot be.",
    ),
    Entry::new(
        "L0406",
        "a dimension that takes the rest twice",
        "[0, 1, 0] for (4, 4)",
        "Only one part of a dimension has no size: the outermost takes the rest.",
    ),
    Entry::new(
        "L0407",
        "the rest of a dimension inside of a packed part",
        "[0 p(4), 1, 0] for (8, 8)",
        "The part without a size is further out than those with one.",
    ),
    Entry::new(
        "L0408",
        "the rest of a dimension inside of an odd-even part",
        "[0 oe(4), 1, 0] for (8, 8)",
        "The part without a size is further out than those with one.",
    ),
    Entry::new(
        "L0409",
        "a dimension that the shape does not have",
        "[0, 1, 2] for (4, 8)",
        "Dimensions count from 0.",
    ),
    Entry::new(
        "L0410",
        "a packed size of 1",
        "[0, 1 p(1)] for (4, 1)",
        "p(1) packs nothing. Leave it out.",
    ),
    Entry::new(
        "L0411",
        "an odd odd-even size",
        "[0, 1, 0 oe(3)] for (6, 4)",
        "An odd-even part interleaves two halves of the same length.",
    ),
    Entry::new("L0412", "a size of 0", "[0, 1, 0 p(0)] for (6, 4)", "A size is 2 at least."),
    Entry::new(
        "L0413",
        "two odd-even parts next to each other",
        "[0, 0 oe(4), 0 oe(2)] for (16)",
        "Two odd-even parts of one dimension have another part between them.",
    ),
    Entry::elsewhere(
        "an extent known at run time that nothing takes the rest of",
        "layout!([0 p(4), 1] for (_, 8))",
        LayoutError::Morello(MorelloError::RunTimeUncovered { dimension: 0 }),
        "Where an extent is known at run time, a part of its dimension has no size.",
    ),
    Entry::elsewhere(
        "a broadcast layout, which no Morello layout is",
        "MorelloLayout::of(&DynLayout::parse(\"(4,8):(0,1)\")?)",
        LayoutError::Morello(MorelloError::Broadcast { dimension: 0, extent: 4 }),
        "A Morello layout has one coordinate at each offset, so that no stride above an extent of 1 \
         is 0.",
    ),
    Entry::elsewhere(
        "strides that overlap, in what should be a Morello layout",
        "MorelloLayout::of(&DynLayout::parse(\"(4,8):(1,2)\")?)",
        LayoutError::Morello(MorelloError::Overlap { dimension: 1, stride: 2, covered: 4 }),
        "A Morello layout has one coordinate at each offset: by size, each stride is the product of \
         the extents with smaller ones.",
    ),
    Entry::elsewhere(
        "padding, in what should be a Morello layout",
        "MorelloLayout::of(&DynLayout::parse(\"(4,8):(10,1)\")?)",
        LayoutError::Morello(MorelloError::Gap { offset: 8, stride: 10 }),
        "A Morello layout has a coordinate at each offset, from 0 on: by size, each stride is the \
         product of the extents with smaller ones. Pad the shape to have room between rows.",
    ),
    Entry::elsewhere(
        "a dimension in an order that no Morello layout has",
        "MorelloLayout::of(&DynLayout::parse(\"((4,2)):((2,1))\")?)",
        LayoutError::Morello(MorelloError::OutOfOrder {
            dimension: 0,
            outer_size: 4,
            outer_stride: 2,
            size: 2,
            stride: 1,
        }),
        "Parts of one dimension keep the order of its coordinates: those further out count further \
         apart, in the dimension and in memory. Only oe(n) changes the order, in one way: 2 steps \
         of n/2, and then n/2 steps of 1.",
    ),
    Entry::elsewhere(
        "a swizzle, which no Morello layout has",
        "MorelloLayout::of_composed(&Swizzle::new(3, 0, 3)?.composition(&layout))",
        LayoutError::Morello(MorelloError::Swizzled { swizzle: SWIZZLE }),
        "The physical dimensions of a Morello layout are nested loops, and a swizzle is none.",
    ),
    Entry::elsewhere(
        "a tile of another rank",
        "view.tile(&[6, 8], &[2])",
        LayoutError::Morello(MorelloError::TileRank { tile: 1, rank: 2 }),
        "A tile has an extent for each dimension of the shape.",
    ),
    Entry::elsewhere(
        "a tile that is empty or too large",
        "view.tile(&[6, 8], &[2, 9])",
        LayoutError::Morello(MorelloError::TileExtent { dimension: 1, tile: 9, extent: 8 }),
        "A tile takes at least 1 of each dimension, and at most its extent.",
    ),
    Entry::elsewhere(
        "more contiguous dimensions than there are",
        "MorelloView::new(&MorelloLayout::row_major(2)?, 3)",
        LayoutError::Morello(MorelloError::ContiguousParts { contiguous: 3, parts: 2 }),
        "What is contiguous in a view is counted in physical dimensions, from the fastest one.",
    ),
];

const SWIZZLE: Swizzle = match Swizzle::new(3, 0, 3) {
    Ok(swizzle) => swizzle,
    Err(error) => error.panic(),
};
