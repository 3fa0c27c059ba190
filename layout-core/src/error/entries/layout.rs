//! Entries about layouts by themselves, and their coordinates.

use crate::error::LayoutError;
use crate::error::entries::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "L0201",
        "a tuple without modes",
        "():()",
        "A tuple has one mode at least. One element is 1:0.",
    ),
    Entry::new(
        "L0202",
        "too many leaves",
        "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)",
        "A layout has at most 32 numbers in its shape. Coalesce it, or divide a mode of it alone.",
    ),
    Entry::new(
        "L0203",
        "a stride with other modes than its shape",
        "(4,8):(8,1,2)",
        "Shape and stride are congruent: a stride for each extent, under the same parentheses.",
    ),
    Entry::new(
        "L0204",
        "a tuple where the other has an integer",
        "(4,8):8",
        "Shape and stride are congruent: where one has a tuple the other has one of as many modes.",
    ),
    Entry::new(
        "L0205",
        "an extent of 0",
        "complement((4,0):(1,4), 8)",
        "A layout with an extent of 0 is empty. It has a size and no offsets, and operations that \
         look at offsets refuse it, as static layouts do.",
    ),
    Entry::new(
        "L0206",
        concat!("a size of more than ", size_bits!(), " bits"),
        "(4294967296,4294967296):(1,1)",
        concat!("The product of all extents is at most 2^", size_bits!(), " - 1."),
    ),
    Entry::new(
        "L0207",
        concat!("an offset of more than ", size_bits!(), " bits"),
        "(4,2):(1,9223372036854775807)",
        concat!(
            "The largest offset, the sum of (extent - 1) * stride, is below 2^",
            size_bits!(),
            " - 1."
        ),
    ),
    Entry::new(
        "L0208",
        "an overflow inside an operation",
        "downcast((4,8):(1,4), 4611686018427387904)",
        concat!(
            "A stride or an extent on the way to the result does not fit in ",
            size_bits!(),
            " bits, so that nothing is \
         returned instead of something wrong."
        ),
    ),
    Entry::new(
        "L0209",
        "a coordinate outside of its extent",
        "eval((4,8):(8,1), (4,0))",
        "Coordinates count from 0 to one below the extent.",
    ),
    Entry::new(
        "L0210",
        "a coordinate with other modes than the shape",
        "eval((4,8):(8,1), (1,2,3))",
        "A coordinate is one integer for all of the shape, or a tuple of coordinates for its modes.",
    ),
    Entry::new(
        "L0211",
        "a profile with more modes than the layout",
        "coalesce((4,8):(8,1), (1,1,1))",
        "An operation by profile looks at the mode in the place of each leaf of the profile.",
    ),
    Entry::elsewhere(
        "a leaf known at run time in a static layout",
        "type Rows = layout!((_, 4):(4, 1)); Tensor::<f32, Rows>::zeros()",
        LayoutError::RunTimeLeaf,
        "Storage on the stack and constants need every number at compile time. Give the leaf a \
         number, or make the tensor from a layout that is a value.",
    ),
    Entry::new(
        "L0213",
        "tuples nested too deep",
        "4:1@0@0@0@0@0@0@0@0@0",
        "Tuples nest at most 32 deep, those that strides step in 8 deep. Flatten the layout.",
    ),
];
