//! Arrays of other crates, bytes and files: L0513 to L0520.

use crate::engine::IntTuple;
use crate::error::catalogue::{catalogue, pair};

catalogue! {
    /// Why an array of another crate, or some bytes, cannot be viewed as a tensor, or a tensor as an
    /// array.
    pub enum ArrayError;

    "L0513": "a layout that does not match its type", OtherLayout {
        /// The shape of the type.
        shape: IntTuple,
        /// Its stride.
        stride: IntTuple,
        /// The shape of the layout.
        found_shape: IntTuple,
        /// Its stride.
        found_stride: IntTuple,
    } => {
        message: |m| m.str("the layout is ").tuple(found_shape).str(":").tuple(found_stride)
            .str(", not ").tuple(shape).str(":").tuple(stride).str(" as the type says"),
        help: |m| m.str("copy to a tensor of the type's layout, or write _ for numbers that may differ"),
        meaning: "A view whose layout is a type has the extents and strides that the type fixes; \
            strides of extents of 1 do not count. `_` stands for a number that is known only at \
            run time.",
        example: "view.typed::<layout!((2, 3):(1, 2))>() of a view in (2,3):(3,1)"
            => ArrayError::OtherLayout {
                shape: pair(2, 3),
                stride: pair(1, 2),
                found_shape: pair(2, 3),
                found_stride: pair(3, 1),
            },
    }

    "L0514": "an array with gaps between its elements", Gaps {
        /// The extents of the array.
        shape: IntTuple,
        /// Its strides, in elements.
        stride: IntTuple,
    } => {
        message: |m| m.str("the array ").tuple(shape).str(":").tuple(stride)
            .str(" has gaps between its elements, but a view needs a slice without gaps"),
        help: |m| m.str("view the whole array and slice the view, or copy the array into a tensor"),
        meaning: "A view borrows all elements from its first to its last. The memory between the \
            elements of an array with gaps may be borrowed elsewhere, or never have been written. \
            To copy, view a tensor as an array and assign to it.",
        example: "View::try_from(array.slice(s![.., ..2]))"
            => ArrayError::Gaps { shape: pair(4, 2), stride: pair(6, 1) },
    }

    "L0515": "an array with a negative stride", NegativeStride {
        /// The axis.
        axis: usize,
        /// Its stride, in elements.
        stride: isize,
    } => {
        message: |m| m.str("axis ").num(*axis).str(" of the array has stride ").int(*stride)
            .str(", but strides in memory cannot be negative"),
        help: |m| m.str("reverse the axis of the array first"),
        meaning: "Offsets of a layout count up from the first element in memory. An array that \
            runs backwards along an axis starts at the other end of it.",
        example: "View::try_from(array.slice(s![..;-1, ..]))"
            => ArrayError::NegativeStride { axis: 0, stride: -6 },
    }

    "L0516": "a layout whose rank is not that of the array", Rank {
        /// The axes of the array.
        axes: usize,
        /// The shape of the layout.
        shape: IntTuple,
    } => {
        message: |m| m.str("shape ").tuple(shape).str(" has ").num(shape.rank())
            .str(" modes but the array has ").num(*axes).str(" axes"),
        meaning: "Each mode of the layout is one axis of the array.",
        example: "faer::MatRef::try_from(view) of a view with 3 modes"
            => ArrayError::Rank { axes: 2, shape: pair(2, 3).pair(&IntTuple::leaf(4)) },
    }

    "L0517": "a mode whose extent is not that of the array type", Extent {
        /// The axis.
        axis: usize,
        /// The extent in the type of the array.
        expected: usize,
        /// The extent of the mode.
        extent: usize,
    } => {
        message: |m| m.str("axis ").num(*axis).str(" of the array has ").num(*expected)
            .str(" elements in its type, but the mode has ").num(*extent),
        meaning: "Extents that are part of the type of an array must be those of the layout.",
        example: "nalgebra::MatrixView::<_, U3, U4, Dyn, Dyn>::try_from(view) of 3 x 5 elements"
            => ArrayError::Extent { axis: 1, expected: 4, extent: 5 },
    }

    "L0518": "bytes that are not aligned", Misaligned {
        /// The alignment of an element, in bytes.
        align: usize,
        /// The distance from an aligned address to the first byte, in bytes.
        past: usize,
    } => {
        message: |m| m.str("the bytes are misaligned: ").num(*past)
            .str(if *past == 1 { " byte" } else { " bytes" }).str(" past a multiple of ").num(*align)
            .str(" (alignment of the element)"),
        help: |m| m.str("copy them into a tensor, whose memory is aligned"),
        meaning: "An element is aligned: the address of an element of 4 bytes is usually a \
            multiple of 4. Mapped files, or bytes in the middle of a buffer, may start anywhere.",
        example: "View::<f32, _>::from_bytes_in(&bytes[1..], layout)"
            => ArrayError::Misaligned { align: 4, past: 1 },
    }

    "L0519": "bytes that are not a whole number of elements", Bytes {
        /// The number of bytes.
        bytes: usize,
        /// The number of bytes of an element.
        element: usize,
    } => {
        message: |m| m.num(*bytes).str(" bytes are not a whole number of elements of ")
            .num(*element).str(" bytes"),
        meaning: "Elements follow each other without gaps.",
        example: "View::<f32, _>::from_bytes_in(&[0; 10], layout)"
            => ArrayError::Bytes { bytes: 10, element: 4 },
    }

    "L0520": "a file with another element type", ElementType {
        /// The type of the elements in the file.
        file: &'static str,
        /// The type of the tensor's elements.
        tensor: &'static str,
    } => {
        message: |m| m.str("the file has elements of type ").str(file).str(", not ").str(tensor),
        help: |m| m.str("read the type that the file has, and convert with `transform`"),
        meaning: "Elements are read as they are stored. `kernels::transform` converts them.",
        example: "View::<f32, _>::try_from(&tensors.tensor(\"weight\")?) of a file with bf16"
            => ArrayError::ElementType { file: "BF16", tensor: "F32" },
    }
}
