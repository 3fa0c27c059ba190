//! Entries about Morello layouts.

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
];
