//! Entries about operations of the algebra.

use crate::engine::IntTuple;
use crate::error::entries::{Entry, pair};
use crate::error::{AlgebraError, LayoutError};

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "L0301",
        "a composition where a mode crosses an extent of the left layout",
        "(6,2):(1,7) o 4:2",
        "A mode of the right layout steps through an extent of the left one until it leaves it. The \
         steps before that must divide the extent of the mode, or no layout has these values. Take \
         an extent that fits, or give the left layout extents that the mode divides.",
    ),
    Entry::new(
        "L0302",
        "a composition where modes together cross an extent of the left layout",
        "(6,2):(1,7) o (3,2):(2,3)",
        "Each mode of the right layout stays inside an extent of the left one, but their sum does \
         not, so that the values are not a sum. CuTe returns a wrong layout here.",
    ),
    Entry::new(
        "L0303",
        "a complement of modes that overlap",
        "complement((4,4):(1,2), 16)",
        "Sorted by stride, each stride has to be at least what the modes before it cover. Without \
         that there is no layout that is disjoint from this one and fills what it leaves.",
    ),
    Entry::new(
        "L0304",
        "a tiler with more modes than the layout",
        "logical_divide((4,8):(8,1), <2, 2, 2>)",
        "A tiler in < > applies mode by mode. Leave the last modes of it away, or group the layout.",
    ),
    Entry::new(
        "L0305",
        "`_` in a zipped operation for a mode that is not a pair",
        "zipped_divide((4,8):(8,1), <_, 4>)",
        "There `_` says that a mode is a (tile,rest) pair already, as in CuTe. To leave a mode \
         whole, use logical_divide, or take all of it as the tile.",
    ),
    Entry::new(
        "L0320",
        "a range of modes that the layout does not have",
        "take((2,3):(1,2), 1, 3)",
        "Modes count from 0, and the second number is one behind the last mode of the range.",
    ),
    Entry::new(
        "L0321",
        "a mode that the layout does not have",
        "select((2,3):(1,2), 2)",
        "Modes count from 0.",
    ),
    Entry::new(
        "L0322",
        "a profile with another number of leaves",
        "unflatten(6:1, (0,0))",
        "unflatten puts the leaves under the parentheses of the profile, one in each place.",
    ),
    Entry::new(
        "L0323",
        "modes of different ranks",
        "zip(((2,3),4):((1,2),6))",
        "zip makes columns of rows: all modes are tuples of as many modes, or all are integers.",
    ),
    Entry::new(
        "L0324",
        "an order with other modes than the shape",
        "make_ordered((2,3), (1,0,2))",
        "An order has a number for each mode of the shape, or one for a mode as a whole.",
    ),
    Entry::new(
        "L0325",
        "an order with the same place twice",
        "make_ordered((2,3), (1,1))",
        "The numbers of an order say which mode is contiguous, which comes next and so on. Two \
         modes in one place would have the same strides.",
    ),
    Entry::new(
        "L0326",
        "a division of shapes of different ranks",
        "shape_div((4,8), (2,2,2))",
        "Tuples divide mode by mode. Divide by an integer to divide by that many elements.",
    ),
    Entry::new(
        "L0327",
        "a division of shapes that leaves a remainder",
        "shape_div(6, 4)",
        "Of the two numbers one has to divide the other.",
    ),
    Entry::new(
        "L0328",
        "a block with more modes than its target",
        "tile_to_shape((2,2):(1,2), 8)",
        "The target has a mode for each mode of the block, and may have more.",
    ),
    Entry::new(
        "L0329",
        "a block that does not divide its target",
        "tile_to_shape((9,2):(1,9), (9,3))",
        "Whole blocks fill the target in each mode. Take a multiple of the block as the target.",
    ),
    Entry::new(
        "L0331",
        "a left inverse of strides that do not divide each other",
        "left_inverse((2,2):(2,3))",
        "The inverse writes an offset in the mixed radix of the strides: sorted, each stride is a \
         multiple of the one before.",
    ),
    Entry::new(
        "L0332",
        "a left inverse of modes that overlap",
        "left_inverse((2,6):(4,1))",
        "A mode reaches beyond the next larger stride, so that a digit of the offset exceeds its \
         extent. CuTe returns a layout here that is no inverse.",
    ),
    Entry::new(
        "L0333",
        "larger elements that cut a stride",
        "upcast((6,9):(27,3), 8)",
        "A stride is a multiple of the factor, or divides it. Otherwise elements of a mode would \
         start inside a new element.",
    ),
    Entry::new(
        "L0334",
        "modes that leave a new element only together",
        "upcast((3,2):(2,3), 6)",
        "Rounding down each mode is rounding down their sum as long as what is rounded away stays \
         inside one new element. CuTe does not ask.",
    ),
    Entry::new(
        "L0335",
        "smaller elements where none are next to each other",
        "downcast((12,10):(4,48), 8)",
        "The new elements of an old one belong to the mode of stride 1. Add one: 1:1.",
    ),
    Entry::new(
        "L0336",
        "smaller elements that belong to several modes",
        "downcast((1,8):(1,1), 8)",
        "One mode has stride 1 and gets longer. CuTe makes all of them longer. Give modes of extent \
         1 the stride 0.",
    ),
    Entry::new(
        "L0337",
        "a factor of 0",
        "upcast(8:1, 0)",
        "A factor, or a number of bits, is 1 at least.",
    ),
    Entry::new(
        "L0338",
        "a coordinate with `_` that has other modes than the shape",
        "slice((4,8):(8,1), (3,_,_))",
        "A coordinate has an integer or `_` for each mode, or a tuple where the mode is one.",
    ),
    Entry::new(
        "L0339",
        "a slice that keeps no mode",
        "slice((4,8):(8,1), 3)",
        "slice keeps the modes with `_`, and dice those with an integer. The value at a coordinate \
         is eval(L, c).",
    ),
    Entry::new(
        "L0340",
        "an offset that no coordinate has",
        "local_partition((8,12):(12,1), (2,4):(4,1), 9)",
        "Of a layout of threads, the index is an offset that some thread has.",
    ),
    Entry::new(
        "L0341",
        "a swizzle whose bits overlap",
        "Sw<3,0,2>",
        "Sw<B,M,S> XORs B bits into B others at a distance of S: the distance is B at least.",
    ),
    Entry::new(
        "L0342",
        "a swizzle of bits that offsets do not have",
        "Sw<30,30,30>",
        "B + M + |S| is at most 63.",
    ),
    Entry::new(
        "L0343",
        "two swizzles that are not one",
        "Sw<1,0,3> o Sw<1,2,3>",
        "Two swizzles merge when their shifts are the same and their bits neighbours, and no bit \
         both changes and moves. Apply them one after the other in a program.",
    ),
    Entry::elsewhere(
        "another number of strides than of leaves",
        "CoordinateLayout::new(&IntTuple::flat(&[4, 8])?, &[Vector::ZERO])",
        LayoutError::Algebra(AlgebraError::StrideCount {
            strides: 1,
            shape: IntTuple::leaf(4).pair(&IntTuple::leaf(8)),
        }),
        "There is a stride for each leaf of the shape, left to right.",
    ),
    Entry::new(
        "L0345",
        "strides whose values have no common form",
        "(4,8):(1,1@0)",
        "A value is an integer or a coordinate. 1 steps in an integer, 1@0 in mode 0 of a \
         coordinate, and 1@1@0 in mode 1 of that mode.",
    ),
    Entry::elsewhere(
        "strides with too many steps",
        "three strides that step in 32 modes each, 1@0+1@1+..",
        LayoutError::Algebra(AlgebraError::TooManySteps { limit: 64 }),
        "All strides of a layout have at most 64 steps together, where 2@1 is one and 1@0-2@1 two.",
    ),
    Entry::new(
        "L0347",
        "a value of more than 63 bits",
        "3:-9223372036854775807",
        "In each direction the sum of (extent - 1) * |stride| is below 2^63 - 1.",
    ),
    Entry::new(
        "L0348",
        "a composition that steps in a mode that is not there",
        "(4,8):(8,1) o 4:1@2",
        "The stride 1@2 of the right layout steps in mode 2 of the left one. Modes count from 0.",
    ),
    Entry::new(
        "L0349",
        "a swizzle in front of a layout that is none behind it",
        "(4,8):(8,1) o Sw<2,1,2>",
        "The layout must take each bit that the swizzle uses to one bit of the offset, all by the \
         same distance. Behind a layout a swizzle always fits: Sw<2,1,2> o (4,8):(8,1).",
    ),
    Entry::new(
        "L0350",
        "an offset between a layout and a swizzle",
        "8:1 o (Sw<2,0,2> o 4 o 8:1)",
        "An offset inside of a swizzle cannot be moved out of it, as what it adds is swizzled.",
    ),
    Entry::new(
        "L0351",
        "modes that overlap in more ways than can be searched",
        "is_injective((2000,2000,2000,2000):\
         (100000000000037,1234567890123457,1414213562373095,1732050807568877))",
        "Whether two coordinates have the same offset is a search where strides lie within what the \
         smaller ones reach and have no divisor in common. It ends after about 0.1 s.",
    ),
    Entry::elsewhere(
        "a mode with more than one stride",
        "layout convert --to strides '(6,(4,2)):(4,(1,24))'",
        LayoutError::Algebra(AlgebraError::NoSingleStride {
            mode: 1,
            shape: pair(4, 2),
            stride: pair(1, 24),
        }),
        "PyTorch and NumPy have one stride for each dimension. A mode that coalesces to one extent \
         has one; a packed or tiled mode does not.",
    ),
    Entry::new(
        "L0353",
        "windows with other numbers than an extent, a step and a dilation",
        "windows((6,8):(8,1), (3,(3,0)))",
        "Each mode has a number k, or a tuple (k,s) or (k,s,d): the extent of the window, the step from \
         window to window, and the step inside of a window. All are at least 1; steps that are left \
         out are 1.",
    ),
    Entry::new(
        "L0354",
        "a window that is longer than its mode",
        "windows((6,8):(8,1), (3,(5,1,2)))",
        "A window of k elements that are d apart spans d*(k-1)+1 elements of its mode, and one window \
         at least has to be inside.",
    ),
    Entry::new(
        "L0355",
        "a permutation that leaves a mode out, or has one twice",
        "permute((2,3,5):(1,2,6), (2,0))",
        "permute puts all modes in another order. select takes some of them, or one several times.",
    ),
    Entry::new(
        "L0356",
        "the transpose of what is not a matrix",
        "transposed((2,3,5):(1,2,6))",
        "transposed exchanges the two modes of a matrix. Group modes until there are two, or name the \
         order of all of them with permute.",
    ),
    Entry::new(
        "L0357",
        "a broadcast to fewer modes",
        "broadcast_to((4,8):(8,1), 8)",
        "The last modes of the layout and of the shape belong together, and the shape may have more in \
         front, as in numpy.",
    ),
    Entry::new(
        "L0358",
        "a broadcast of a mode that has another size",
        "broadcast_to((4,8):(8,1), (3,8))",
        "Only modes of one element repeat. Each other mode has the size that the shape says; the last \
         modes of both belong together.",
    ),
    Entry::elsewhere(
        "a mixed result with other modes than its type",
        "layout!((a, b):(c, d)).composition(&layout!(n:s))?",
        LayoutError::Algebra(AlgebraError::Structure {
            operation: "composition",
            shape: IntTuple::leaf(2),
            stride: IntTuple::leaf(201),
        }),
        "The modes of a mixed result are in its type, for all values of the run-time leaves. These \
         values have a result, but with other modes: on layouts of run-time rank, from to_dyn(), \
         the algebra goes by value.",
    ),
    Entry::elsewhere(
        "a mixed result whose modes nobody knows",
        "layout!((4, 8):(m, n)).complement(&64)",
        LayoutError::Algebra(AlgebraError::RunTimeDecision),
        "The types of the operands do not even fix how many modes the result has, as when a \
         complement needs the order of two run-time strides. On layouts of run-time rank, from \
         to_dyn(), the algebra goes by value.",
    ),
];
