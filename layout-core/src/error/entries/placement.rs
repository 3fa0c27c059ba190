//! Entries about placements.

use crate::engine::IntTuple;
use crate::error::PlacementError;
use crate::error::entries::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::elsewhere(
        "more dimensions than a placement holds",
        "Placement::builder with a shape of 17 dimensions",
        PlacementError::TooManyDimensions { limit: 16 }.widen(),
        "A placement is a value of fixed size, so that it can be computed while a program compiles.",
    ),
    Entry::elsewhere(
        "more slots than can be numbered",
        "Placement::builder(&[4], 1 << 62, 4)",
        PlacementError::TooManySlots { storage: crate::engine::MAX_SIZE / 2 + 1, cores: 4 }.widen(),
        concat!("Slots of all cores have numbers below 2^", size_bits!(), "."),
    ),
    Entry::elsewhere(
        "a row with other than one coefficient for each dimension",
        "dimension(4, &[1]) in a placement of shape (4,8)",
        PlacementError::RowRank { entries: 1, rank: 2 }.widen(),
        "An index is a sum over all logical dimensions. Write 0 for those that it does not depend on.",
    ),
    Entry::elsewhere(
        "a coordinate of another rank",
        "slot(&[1, 2]) in a placement of shape (2,3,4)",
        PlacementError::CoordinateRank { entries: 2, rank: 3 }.widen(),
        "A coordinate has one number for each logical dimension.",
    ),
    Entry::elsewhere(
        "an index outside its dimension",
        "dimension(8, &[8, 1]) in a placement of shape (2,8)",
        PlacementError::IndexExtent { dimension: 0, last: 15, extent: 8 }.widen(),
        "The last coordinate gives the largest index, which is below the extent.",
    ),
    Entry::elsewhere(
        "parts without room for their whole",
        "a dimension of extent 500 in pieces of 64 and 7",
        PlacementError::Uncovered { dimension: 2, extent: 500, room: 448 }.widen(),
        "The extents of the parts multiply at least to the extent of the whole. What is over is \
         padding.",
    ),
    Entry::elsewhere(
        "a leaf that leaves the buffer",
        "leaf(4, 8) in buffers of 16 elements",
        PlacementError::OutsideStorage { extent: 4, stride: 8, storage: 16 }.widen(),
        "All offsets within a core, those of padding too, are below the storage.",
    ),
    Entry::elsewhere(
        "a leaf that leaves the grid",
        "core_leaf(4, 2) on 4 cores",
        PlacementError::OutsideGrid { extent: 4, stride: 2, cores: 4 }.widen(),
        "The numbers of cores are below the number of cores.",
    ),
    Entry::elsewhere(
        "a slot that there is not",
        "coordinate(Slot { core: 2, offset: 0 }) on 2 cores",
        PlacementError::NoSuchSlot { core: 2, offset: 0, cores: 2, storage: 64 }.widen(),
        "Slots are numbered from 0, on each core from 0.",
    ),
    Entry::elsewhere(
        "padding that no layout can say",
        "to_layout() of 54 rows on 3 cores, where 18 rows of each are in a tile of 2 faces of 16",
        PlacementError::PaddedInside { dimension: 0, extent: 18, room: 32 }.widen(),
        "A layout is a sum over its modes. Where a piece inside a dimension ends within its parts, the \
         step from one piece to the next depends on where one is.",
    ),
    Entry::elsewhere(
        "a dimension that is joined with others",
        "padded_layout() of a tensor whose dimensions 0 and 1 are collapsed",
        PlacementError::Joined { dimension: 0 }.widen(),
        "The layout of the padded tensor has a mode for each dimension, so that each dimension is \
         padded by itself.",
    ),
    Entry::elsewhere(
        "a reshard between tensors of different shapes",
        "reshard of a placement of shape (53,63) to one of shape (53,64)",
        PlacementError::ReshardShape { from: PAIR, to: PAIR }.widen(),
        "A reshard moves each element to where the other placement has the same coordinate.",
    ),
    Entry::elsewhere(
        "padding behind the end of a dimension that is cut",
        "layout convert --to cute 'spyre { size: [100, 500], dtype: f16 }'",
        PlacementError::PaddedBehind { dimension: 1, extent: 500, room: 512 }.widen(),
        "A mode has all coordinates below the product of its extents, so that 500 elements in sticks \
         of 64 are no mode. padded_layout, and the facts that the command shows, have the layout of \
         the padded tensor.",
    ),
    Entry::elsewhere(
        "a copy that falls into too many parts",
        "Patches::new(&source, &destination), with many dimensions joined and cut at odd extents",
        PlacementError::TooManyCuts { limit: 40 }.widen(),
        "Where a digit would carry, a copy is cut, and what is cut off waits. Joined dimensions \
         whose extents have factors in common with the pieces need few cuts.",
    ),
    Entry::elsewhere(
        "writing through a placement that repeats slots",
        "PlacedTensor::<f32, _>::zeros_in(placement)",
        PlacementError::SharedSlot { elements: 64 }.widen(),
        "What was written would depend on the order. Each leaf steps beyond those inside it, and \
         the linear map leads to an index of its own from each coordinate.",
    ),
    Entry::elsewhere(
        "buffers that are too short for a placement",
        "PlacedView::new_in(&[0.0; 64], placement)",
        PlacementError::Buffers { room: 64, storage: 24, cores: 4 }.widen(),
        "There is a buffer for each core, padding and empty cores included, and each has room for \
         the storage.",
    ),
    Entry::elsewhere(
        "buffers larger than memory can be",
        "PlacedTensor::<f64, _>::zeros_in(placement)",
        PlacementError::TooManyBytes { element_bytes: 8, storage: 1 << 31, cores: 1 << 30 }.widen(),
        concat!("All slots take at most 2^", size_bits!(), " - 1 bytes."),
    ),
];

const PAIR: IntTuple = IntTuple::leaf(53).pair(&IntTuple::leaf(63));
