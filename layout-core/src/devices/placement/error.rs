//! Placements, their pieces, padding and cores: L0601 to L0699.

use crate::engine::IntTuple;
use crate::error::{catalogue, pair};

catalogue! {
    /// Why a placement, or a slot of it, does not exist.
    pub enum PlacementError;

    "L0601": "more dimensions than a placement can have", TooManyDimensions {
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.str("a placement may have at most ").num(*limit).str(" dimensions"),
        meaning: "A placement is a value of fixed size, so that it can be computed at compile \
            time.",
        example: "Placement::builder with a shape of 17 dimensions"
            => PlacementError::TooManyDimensions { limit: 16 },
    }

    "L0602": "more slots than can be numbered", TooManySlots {
        /// The number of elements of a buffer.
        storage: usize,
        /// The number of cores.
        cores: usize,
    } => {
        message: |m| m.num(*cores).str(" buffers of ").num(*storage)
            .str(concat!(" elements are more than ", size_bits!(), " bits can count")),
        meaning: concat!("The slots of all cores together are numbered below 2^", size_bits!(), "."),
        example: "Placement::builder(&[4], 1 << 62, 4)"
            => PlacementError::TooManySlots { storage: crate::engine::MAX_SIZE / 2 + 1, cores: 4 },
    }

    "L0603": "a row whose length is not the rank", RowRank {
        /// The number of its entries.
        entries: usize,
        /// The number of logical dimensions.
        rank: usize,
    } => {
        message: |m| m.str("a row of ").num(*entries).str(" coefficients for a tensor of ")
            .num(*rank).str(" dimensions"),
        meaning: "An index is a sum over all logical dimensions. Write 0 for those that it does \
            not depend on.",
        example: "dimension(4, &[1]) in a placement of shape (4,8)"
            => PlacementError::RowRank { entries: 1, rank: 2 },
    }

    "L0604": "a coordinate of the wrong rank", CoordinateRank {
        /// The number of its components.
        entries: usize,
        /// The number of logical dimensions.
        rank: usize,
    } => {
        message: |m| m.str("a coordinate of ").num(*entries).str(" numbers for a tensor of ")
            .num(*rank).str(" dimensions"),
        meaning: "A coordinate has one number for each logical dimension.",
        example: "slot(&[1, 2]) in a placement of shape (2,3,4)"
            => PlacementError::CoordinateRank { entries: 2, rank: 3 },
    }

    "L0605": "an index outside its dimension", IndexExtent {
        /// The index dimension.
        dimension: usize,
        /// The largest index.
        last: usize,
        /// The extent.
        extent: usize,
    } => {
        message: |m| m.str("index ").num(*last).str(" is not below ").num(*extent)
            .str(", the extent of index dimension ").num(*dimension),
        meaning: "The last coordinate gives the largest index, which must be below the extent.",
        example: "dimension(8, &[8, 1]) in a placement of shape (2,8)"
            => PlacementError::IndexExtent { dimension: 0, last: 15, extent: 8 },
    }

    "L0606": "parts that do not cover their dimension", Uncovered {
        /// The index dimension.
        dimension: usize,
        /// The extent of it, or of a piece of it.
        extent: usize,
        /// The product of its parts.
        room: usize,
    } => {
        message: |m| m.str("index dimension ").num(*dimension).str(" has an extent of ")
            .num(*extent).str(" but its parts have room for ").num(*room),
        meaning: "The extents of the parts multiply to at least the extent of the whole. The \
            excess is padding.",
        example: "a dimension of extent 500 in pieces of 64 and 7"
            => PlacementError::Uncovered { dimension: 2, extent: 500, room: 448 },
    }

    "L0607": "a leaf that reaches beyond the buffer", OutsideStorage {
        /// The extent of the leaf.
        extent: usize,
        /// Its stride.
        stride: usize,
        /// The number of elements of a buffer.
        storage: usize,
    } => {
        message: |m| m.str("a leaf ").num(*extent).str(":").num(*stride)
            .str(" reaches beyond a buffer of ").num(*storage).str(" elements"),
        meaning: "All offsets within a core, including padding, are below the storage size.",
        example: "leaf(4, 8) in buffers of 16 elements"
            => PlacementError::OutsideStorage { extent: 4, stride: 8, storage: 16 },
    }

    "L0608": "a leaf that reaches beyond the grid", OutsideGrid {
        /// The extent of the leaf.
        extent: usize,
        /// Its stride in cores.
        stride: usize,
        /// The number of cores.
        cores: usize,
    } => {
        message: |m| m.str("a leaf ").num(*extent).str(":").num(*stride)
            .str(" reaches beyond a grid of ").num(*cores).str(" cores"),
        meaning: "Core indices are below the number of cores.",
        example: "core_leaf(4, 2) on 4 cores"
            => PlacementError::OutsideGrid { extent: 4, stride: 2, cores: 4 },
    }

    "L0609": "a slot that does not exist", NoSuchSlot {
        /// The index of its core.
        core: usize,
        /// Its offset in the buffer.
        offset: usize,
        /// The number of cores.
        cores: usize,
        /// The number of elements of a buffer.
        storage: usize,
    } => {
        message: |m| {
            if *core >= *cores {
                m.str("core ").num(*core).str(" is not below ").num(*cores).str(", the number of cores (offset ").num(*offset).str(" of ").num(*storage).str(")")
            } else {
                m.str("offset ").num(*offset).str(" is not below ").num(*storage).str(", the number of elements in the buffer")
            }
        },
        meaning: "Cores are numbered from 0, and so are the slots of each core.",
        example: "coordinate(Slot { core: 2, offset: 0 }) on 2 cores"
            => PlacementError::NoSuchSlot { core: 2, offset: 0, cores: 2, storage: 64 },
    }

    "L0610": "padding inside a dimension, which a layout cannot have", PaddedInside {
        /// The index dimension.
        dimension: usize,
        /// The extent of the padded piece.
        extent: usize,
        /// The product of the leaves of the piece.
        room: usize,
    } => {
        message: |m| m.str("index dimension ").num(*dimension).str(" has pieces of ").num(*extent)
            .str(", padded to ").num(*room).str(": a layout has no padding"),
        meaning: "A layout is a sum over its modes. If a piece inside a dimension is padded, the \
            step from one piece to the next depends on the position.",
        example: "to_layout() of 54 rows on 3 cores, where 18 rows of each are in a tile of 2 \
            faces of 16" => PlacementError::PaddedInside { dimension: 0, extent: 18, room: 32 },
    }

    "L0611": "a dimension that is joined with others", Joined {
        /// The logical dimension.
        dimension: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension)
            .str(" is joined with others before it is cut, or has a padded stride"),
        meaning: "The layout of the padded tensor has one mode for each dimension, so each \
            dimension must be padded by itself.",
        example: "padded_layout() of a tensor whose dimensions 0 and 1 are collapsed"
            => PlacementError::Joined { dimension: 0 },
    }

    "L0612": "a reshard between tensors of different shapes", ReshardShape {
        /// The shape before.
        from: IntTuple,
        /// The shape afterwards.
        to: IntTuple,
    } => {
        message: |m| m.str("reshard: source shape ").tuple(from)
            .str(" is not destination shape ").tuple(to),
        meaning: "A reshard moves each element to where the other placement has the same \
            coordinate.",
        example: "reshard of a placement of shape (53,63) to one of shape (53,64)"
            => PlacementError::ReshardShape { from: pair(53, 63), to: pair(53, 64) },
    }

    "L0613": "padding after the end of a dimension that is cut", PaddedBehind {
        /// The index dimension.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The product of its parts.
        room: usize,
    } => {
        message: |m| m.str("index dimension ").num(*dimension).str(" has ").num(*extent)
            .str(" elements, padded to ").num(*room).str(": a layout has no padding"),
        meaning: "A mode has all coordinates below the product of its extents, so 500 elements in \
            sticks of 64 are not a mode. padded_layout, and the facts that the command shows, have \
            the layout of the padded tensor.",
        example: "layout convert --to cute 'spyre { size: [100, 500], dtype: f16 }'"
            => PlacementError::PaddedBehind { dimension: 1, extent: 500, room: 512 },
    }

    "L0614": "a copy that needs too many parts", TooManyCuts {
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.str("a copy between these placements needs more than ")
            .num(*limit).str(" pending parts"),
        meaning: "Where a digit would carry, a copy is cut, and the part that is cut off stays \
            pending. Joined dimensions whose extents have factors in common with the pieces need \
            few cuts.",
        example: "Patches::new(&source, &destination), with many dimensions joined and cut at \
            odd extents" => PlacementError::TooManyCuts { limit: 40 },
    }

    "L0615": "writing through a placement that repeats slots", SharedSlot {
        /// The number of elements.
        elements: usize,
    } => {
        message: |m| m.str("two of the ").num(*elements)
            .str(" elements of this placement share a slot"),
        meaning: "The result of writing would depend on the order. Each leaf must step beyond \
            those inside it, and the linear map must give each coordinate an index of its own.",
        example: "PlacedTensor::<f32, _>::zeros_in(placement)"
            => PlacementError::SharedSlot { elements: 64 },
    }

    "L0616": "buffers that are too short for a placement", Buffers {
        /// The number of elements that fit.
        room: usize,
        /// The number of elements of a buffer.
        storage: usize,
        /// The number of cores.
        cores: usize,
    } => {
        message: |m| m.str("room for ").num(*room).str(" elements is not enough for ").num(*cores)
            .str(" buffers of ").num(*storage),
        meaning: "There is one buffer for each core, including empty cores. Each has room for the \
            storage, including padding.",
        example: "PlacedView::new_in(&[0.0; 64], placement)"
            => PlacementError::Buffers { room: 64, storage: 24, cores: 4 },
    }

    "L0617": "buffers that are larger than memory can be", TooManyBytes {
        /// The size of an element.
        element_bytes: usize,
        /// The number of elements of a buffer.
        storage: usize,
        /// The number of cores.
        cores: usize,
    } => {
        message: |m| m.num(*cores).str(" buffers of ").num(*storage).str(" elements of ")
            .num(*element_bytes).str(" bytes cannot be allocated"),
        meaning: concat!("All slots take at most 2^", size_bits!(), " - 1 bytes."),
        example: "PlacedTensor::<f64, _>::zeros_in(placement)"
            => PlacementError::TooManyBytes { element_bytes: 8, storage: 1 << 31, cores: 1 << 30 },
    }

    "L0618": "padding in a placement that repeats slots", PaddingRepeats {
        /// The extents of all leaves.
        shape: IntTuple,
        /// Their strides in slots.
        stride: IntTuple,
    } => {
        message: |m| m.str("the leaves ").tuple(shape).str(":").tuple(stride)
            .str(" repeat slots, and not all of their digits hold elements"),
        meaning: "A slot could hold both an element and padding. Leaves that repeat slots must be \
            filled by the elements.",
        example: "2 rows in two leaves 2:1 of one piece"
            => PlacementError::PaddingRepeats { shape: pair(2, 2), stride: pair(1, 1) },
    }
}
