//! Linear layouts, matrices of bits: L0370 to L0399.

use crate::engine::IntTuple;
use crate::error::catalogue::catalogue;
use crate::excerpt::Excerpt;

catalogue! {
    /// Why a linear layout does not exist, or does not support an operation.
    pub enum LinearError;

    "L0370": "a linear layout with too many dimensions", TooManyDimensions {
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.str("an index, or a value, of a linear layout has at most ").num(*limit)
            .str(" dimensions"),
        help: |m| m.str("group modes: group(L, 0, 2)"),
        meaning: "A linear layout is stored inline, with room for 16 dimensions of an index and 16 \
            of a value.",
        example: "linear((1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2))",
    }

    "L0371": "a linear layout with too many bits", TooManyBits {
        /// The number of bits.
        bits: u64,
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.num(*bits as usize).str(" bits exceed the ").num(*limit)
            .str(" of an index, or of a value"),
        meaning: "Sizes and offsets stay below 2^63, and below 2^31 where usize has 32 bits. A \
            power of two in this range has at most 62 bits, or 30.",
        example: "linear_product(linear(4611686018427387904), linear(2))",
    }

    "L0372": "a different number of bases than bits", BasisCount {
        /// The number of bases.
        bases: usize,
        /// The number of bits of an index.
        bits: u32,
    } => {
        message: |m| m.num(*bases).str(" bases for an index of ").num(*bits as usize).str(" bits"),
        meaning: "Each bit of an index has a basis: the value at the index where only this bit is \
            set.",
        example: "LinearLayout::new(&[LinearDimension::new(\"lane\", 2)], &[], &[0])"
            => LinearError::BasisCount { bases: 1, bits: 2 },
    }

    "L0373": "a layout whose sums carry", Carry {
        /// The offset at one bit of the index.
        first: usize,
        /// The offset at another bit.
        second: usize,
    } => {
        message: |m| m.str("the layout is not linear: the sum of offsets ").num(*first).str(" and ")
            .num(*second).str(" carries at bit ")
            .num((*first & *second).trailing_zeros() as usize),
        help: |m| m.str("strides whose multiples have no bit in common would be linear, such as \
            powers of two"),
        meaning: "A linear layout is the XOR of its bases, and a layout is a sum. They are equal \
            only if the offsets at the bits of the index (s, 2s and 4s for extent 8 and stride s) \
            have no bit in common.",
        example: "linear((4,4):(1,3))",
    }

    "L0374": "a linear layout that does not start at 0", Offset {
        /// The offset.
        offset: usize,
    } => {
        message: |m| m.str("the value of a linear layout at 0 is 0, not ").num(*offset),
        help: |m| m.str("leave the offset out, and add it to the address"),
        meaning: "L(0) = 0 for each linear function. An offset inside a swizzle has no matrix.",
        example: "linear(Sw<2,0,2> o 4 o (4,4):(4,1))",
    }

    "L0375": "a composition of linear layouts whose sizes do not match", CompositionShape {
        /// The sizes of the values of the inner layout.
        values: IntTuple,
        /// The sizes of the indices of the outer layout.
        indices: IntTuple,
    } => {
        message: |m| m.str("composition: values of B of size ").tuple(values)
            .str(" are not indices of A, of size ").tuple(indices),
        help: |m| m.str("each value of B has to be an index of A"),
        meaning: "A(B(i)) needs each value of B to be an index of A: dimension by dimension where \
            both have as many, and as a 1-D coordinate where one of them has a single dimension.",
        example: "linear(4:1) o linear(8:1)",
    }

    "L0376": "an inverse of a linear layout that is not injective", NotInjective {
        /// An index with the value 0.
        index: usize,
    } => {
        message: |m| m.str("inverse: index ").num(*index).str(" has the value 0, like index 0"),
        help: |m| m.str("left_inverse finds one index of each value, nullspace lists those of value 0"),
        meaning: "A function with the same value at two indices has no inverse. For a linear \
            layout this is the case if an index other than 0 has the value 0.",
        example: "inverse(#ttg.linear<{register = [[1], [2], [3]]}>)",
    }

    "L0377": "an inverse of a linear layout that is not surjective", NotSurjective {
        /// A value without an index.
        value: usize,
    } => {
        message: |m| m.str("inverse: no index has the value ").num(*value),
        help: |m| m.str("left_inverse finds the index of each value that occurs"),
        meaning: "The values of a linear layout are all below a power of two. If some values below \
            it have no index, the layout has no inverse. left_inverse gives the index of the \
            others.",
        example: "inverse(linear(4:2))",
    }

    "L0378": "a bit that no swizzle computes", ManyBits {
        /// The bit of the value.
        bit: u32,
        /// The number of index bits that are XORed into it.
        count: u32,
    } => {
        message: |m| m.str("not a swizzled layout: bit ").num(*bit as usize)
            .str(" of the value is the XOR of ").num(*count as usize).str(" bits of the index"),
        meaning: "In a layout each bit of the offset comes from one bit of the index, and a swizzle \
            XORs two of them. The XOR of three needs more than one swizzle.",
        example: "layout_of(#ttg.linear<{register = [[1], [3], [5]]}>)",
    }

    "L0379": "bits that no single swizzle computes", NoSwizzle {
        /// The lowest bit of the value that is an XOR.
        low: u32,
        /// The highest bit of the value that is an XOR.
        high: u32,
    } => {
        message: |m| m.str("not a swizzled layout: bits ").num(*low as usize).str(" to ")
            .num(*high as usize).str(" of the value are not XORed with bits at a single distance"),
        meaning: "A swizzle XORs neighbouring bits of the offset with as many others, all at one \
            distance that is not shorter than their number.",
        example: "layout_of(#ttg.linear<{register = [[1], [2], [3]]}>)",
    }

    "L0380": "a basis out of range", BasisRange {
        /// The basis.
        basis: usize,
        /// The number of values.
        size: usize,
    } => {
        message: |m| m.str("basis ").num(*basis).str(" is not below ").num(*size)
            .str(", the size of the values"),
        meaning: "Each basis is a value, and values are below the sizes of their dimensions.",
        example: "#ttg.linear<{register = [[1], [4]]}, out = {dim0 = 4}>",
    }

    "L0381": "two dimensions with the same name", SameName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("two dimensions have the name ").str(name.as_str()),
        meaning: "The dimensions of an index, or of a value, have different names.",
        example: "#ttg.linear<{lane = [[1]], lane = [[2]]}>",
    }

    "L0382": "bases with a different number of dimensions", BasisRank {
        /// The number of components of the first basis, or of dimensions of the value.
        dimensions: usize,
        /// The number of components of another basis.
        found: usize,
    } => {
        message: |m| m.str("a basis of ").num(*found).str(" numbers for a value of ")
            .num(*dimensions).str(" dimensions"),
        meaning: "All bases are values of the same dimensions.",
        example: "#ttg.linear<{register = [[0, 1], [1]]}>",
    }
}
