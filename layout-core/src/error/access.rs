//! Memory access by threads, and comparisons of layouts: L0901 to L0949.

use crate::engine::IntTuple;
use crate::error::catalogue::{catalogue, pair};

catalogue! {
    /// Why an access by threads cannot be analysed, or two layouts cannot be compared.
    pub enum AccessError;

    "L0901": "more accesses than an analysis covers", TooManyAccesses {
        /// The number of threads.
        threads: usize,
        /// The values of each thread.
        values: usize,
        /// The maximum number of accesses.
        limit: usize,
    } => {
        message: |m| m.num(*threads).str(" threads with ").num(*values)
            .str(" values each are more than ").num(*limit).str(" accesses"),
        help: |m| m.str("analyse one tile: larger layouts repeat it"),
        meaning: "An analysis covers every element that a thread touches. A kernel repeats a tile, \
            and every tile has the same conflicts.",
        example: "layout access '(4096,4096):(4096,1)' --threads '32:1'"
            => AccessError::TooManyAccesses { threads: 32, values: 524_288, limit: 65_536 },
    }

    "L0902": "a thread that reads outside the layout", OutsideOfDomain {
        /// The thread.
        thread: usize,
        /// The index of its value.
        value: usize,
        /// The 1-D coordinate.
        index: usize,
        /// The size of the layout.
        size: usize,
    } => {
        message: |m| m.str("value ").num(*value).str(" of thread ").num(*thread)
            .str(" is at coordinate ").num(*index).str(", outside the ").num(*size)
            .str(" elements of the layout"),
        meaning: "A thread-value layout maps (thread, value) to a 1-D coordinate of the layout, or \
            to a coordinate if its strides have directions.",
        example: "layout access '(8,8):(8,1)' --tv '(32,4):(4,1)'"
            => AccessError::OutsideOfDomain { thread: 16, value: 0, index: 64, size: 64 },
    }

    "L0903": "a vector that is not contiguous or not aligned", BrokenVector {
        /// The number of elements of a vector.
        width: usize,
        /// The thread.
        thread: usize,
        /// The index of the value.
        value: usize,
        /// The offset of that value.
        offset: usize,
        /// The offset that it would have in a vector.
        expected: usize,
    } => {
        message: |m| m.str("value ").num(*value).str(" of thread ").num(*thread)
            .str(" is at offset ").num(*offset).str(", but a vector of ").num(*width)
            .str(" elements needs it at ").num(*expected),
        help: |m| m.str("`--vector longest` takes the longest legal width"),
        meaning: "A vector starts at a multiple of its width, and its elements are contiguous in \
            memory. The start of the tensor is taken to be aligned.",
        example: "layout access '(8,8):(8,1)' --tv '(8,8):(1,8)' --vector 16"
            => AccessError::BrokenVector { width: 16, thread: 0, value: 8, offset: 1, expected: 8 },
    }

    "L0904": "a vector width that does not fit", VectorWidth {
        /// The number of elements of a vector.
        width: usize,
        /// The values of each thread.
        values: usize,
    } => {
        message: |m| {
            let m = m.str("vectors of ").num(*width).str(" elements ");
            if width.is_power_of_two() {
                m.str("do not divide the ").num(*values).str(" values of a thread")
            } else {
                m.str("are not possible: a width is a power of two")
            }
        },
        meaning: "Each access of a thread takes as many values as the vector has elements. Widths \
            are powers of two.",
        example: "layout access '(8,8):(8,1)' --tv '(16,4):(4,1)' --vector 3"
            => AccessError::VectorWidth { width: 3, values: 4 },
    }

    "L0905": "a vector that is wider than one access", WideVector {
        /// The number of bits of a vector.
        bits: usize,
        /// The maximum number of bits of an access.
        limit: usize,
    } => {
        message: |m| m.str("an access of ").num(*bits).str(" bits is wider than the ")
            .num(*limit).str(" bits of one instruction"),
        meaning: "A thread of a GPU loads or stores at most 16 bytes with one instruction.",
        example: "layout access '(8,64):(64,1)' --dtype f32 --tv '(64,8):(8,1)' --vector 8"
            => AccessError::WideVector { bits: 256, limit: 128 },
    }

    "L0906": "threads that do not tile the layout", ThreadTile {
        /// The mode.
        mode: usize,
        /// The size of the tile of threads and values in this mode.
        tile: usize,
        /// The size of the layout in this mode.
        extent: usize,
    } => {
        message: |m| m.str("in mode ").num(*mode).str(" the threads and their values cover ")
            .num(*tile).str(" elements, which does not divide the size ").num(*extent),
        meaning: "The threads with their values form a tile that is repeated over the layout.",
        example: "layout access '(8,8):(8,1)' --threads '(3,8):(8,1)'"
            => AccessError::ThreadTile { mode: 0, tile: 3, extent: 8 },
    }

    "L0907": "a thread layout that does not number its threads", ThreadNumbers {
        /// The shape of the thread layout.
        shape: IntTuple,
        /// Its stride.
        stride: IntTuple,
    } => {
        message: |m| m.str("the layout ").tuple(shape).str(":").tuple(stride)
            .str(" does not give each thread one number below ")
            .num(match shape.product() { Ok(size) => size, Err(_) => 0 }),
        help: |m| m.str("a thread layout is compact, such as (4,8):(8,1)"),
        meaning: "A thread layout maps each coordinate to the index of a thread. Each index from 0 \
            on belongs to one coordinate. The same holds for a layout of values.",
        example: "layout access '(8,8):(8,1)' --threads '(4,8):(16,1)'"
            => AccessError::ThreadNumbers { shape: pair(4, 8), stride: pair(16, 1) },
    }

    "L0908": "elements that have no address", NoAddress => {
        message: |m| m.str("block floats share an exponent, and no element has an address"),
        meaning: "Block floats exist in tiles only.",
        example: "layout access '(8,8):(8,1)' --dtype bfp_f8 --threads '32:1'"
            => AccessError::NoAddress,
    }

    "L0909": "a memory of zero banks or bytes", ZeroMemory => {
        message: |m| m.str("a memory has at least one bank, and lines, sectors and groups of \
            threads have at least one byte or thread"),
        meaning: "The banks, the bytes of a bank, of a line and of a sector, and the threads of a \
            group are at least 1 and at most 2^20.",
        example: "layout access '(8,8):(8,1)' --threads '32:1' --banks 0"
            => AccessError::ZeroMemory,
    }

    "L0910": "layouts whose values cannot be compared", Incomparable {
        /// The kind of values of the first layout.
        first: &'static str,
        /// The kind of values of the second layout.
        second: &'static str,
    } => {
        message: |m| m.str("the values of the first are ").str(first)
            .str(", but those of the second are ").str(second),
        meaning: "Two layouts can be compared if both have offsets, or both have coordinates.",
        example: "layout diff '8:1' '8:1@0'"
            => AccessError::Incomparable { first: "offsets", second: "coordinates" },
    }

    "L0911": "more elements than a comparison covers", TooManyCells {
        /// The number of elements.
        size: usize,
        /// The number of elements compared.
        limit: usize,
    } => {
        message: |m| m.str("the first ").num(*limit).str(" of ").num(*size)
            .str(" elements are equal, and the others are not compared"),
        meaning: "Plain layouts of any size are compared by their modes. Swizzled layouts, layouts of \
            coordinates and placements are compared element by element.",
        example: "layout diff 'Sw<1,0,22> o 0 o 16777216:1' '16777216:1'"
            => AccessError::TooManyCells { size: 16_777_216, limit: 1_048_576 },
    }

    "L0912": "a vector that is not a whole number of elements", PartialElement {
        /// The number of bytes.
        bytes: usize,
        /// The number of bits of an element.
        bits: usize,
    } => {
        message: |m| m.str("a vector of ").num(*bytes).str(" bytes is not a whole number of elements of ")
            .num(*bits).str(" bits"),
        meaning: "A vector holds whole elements. Its width in bytes is a multiple of the element \
            size.",
        example: "layout access '(8,8):(8,1)' --dtype f64 --threads '32:1' --vector 4B"
            => AccessError::PartialElement { bytes: 4, bits: 64 },
    }
}
