//! Operations of the algebra that have preconditions of their own: L0320 to L0369.

use crate::engine::{IntTuple, MAX_SIZE, Path, Slicer, Swizzle};
use crate::error::Place;
use crate::error::catalogue::{catalogue, pair};

catalogue! {
    /// Why an operation of the algebra does not apply to its operands.
    pub enum AlgebraError;

    "L0320": "a range of modes that the layout does not have", ModeRange {
        /// The operation.
        operation: &'static str,
        /// The first mode of the range.
        begin: usize,
        /// One past the last mode of the range.
        end: usize,
        /// The shape of the layout.
        shape: IntTuple,
    } => {
        message: |m| m.str(operation).str(": modes ").num(*begin).str(" to ").num(*end)
            .str(" are not a range of the ").num(shape.rank()).str(" modes of shape ").tuple(shape),
        meaning: "Modes count from 0. The second number is one past the last mode of the range.",
        example: "take((2,3):(1,2), 1, 3)",
    }

    "L0321": "a mode that the layout does not have", ModeIndex {
        /// The operation.
        operation: &'static str,
        /// The mode.
        mode: usize,
        /// The shape of the layout.
        shape: IntTuple,
    } => {
        message: |m| m.str(operation).str(": mode ").num(*mode).str(" is not below ")
            .num(shape.rank()).str(", the rank of shape ").tuple(shape),
        meaning: "Modes count from 0.",
        example: "select((2,3):(1,2), 2)",
    }

    "L0322": "a profile with a different number of leaves", LeafCount {
        /// The profile.
        profile: IntTuple,
        /// The shape of the layout.
        shape: IntTuple,
    } => {
        message: |m| m.str("unflatten: profile ").tuple(profile).str(" has ").num(profile.len())
            .str(" leaves but shape ").tuple(shape).str(" has ").num(shape.len()),
        meaning: "unflatten puts the leaves under the parentheses of the profile, one in each \
            place.",
        example: "unflatten(6:1, (0,0))",
    }

    "L0323": "modes of different ranks", ZipRank {
        /// The shape of the first mode.
        first: IntTuple,
        /// The shape of the one that differs.
        other: IntTuple,
    } => {
        message: |m| {
            let m = m.str("zip: mode ").tuple(first).str(" has ").num(first.rank());
            let m = m.str(" modes but mode ").tuple(other);
            if other.is_int() {
                m.str(" is an integer")
            } else {
                m.str(" has ").num(other.rank())
            }
        },
        meaning: "zip turns rows into columns: all modes are tuples of the same rank, or all are \
            integers.",
        example: "zip(((2,3),4):((1,2),6))",
    }

    "L0324": "an order that does not match the shape", OrderProfile {
        /// The order, or the part of it that does not fit.
        order: IntTuple,
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
    } => {
        message: |m| m.str("order ").tuple(order).str(" does not match the modes of shape ").tuple(shape),
        help: |m| m.str("write one number for each mode of the shape"),
        meaning: "An order has a number for each mode of the shape, or one number for a whole \
            mode.",
        example: "make_ordered((2,3), (1,0,2))",
    }

    "L0325": "an order with the same position twice", OrderTie {
        /// The order.
        order: IntTuple,
        /// The place.
        place: usize,
    } => {
        message: |m| m.str("order ").tuple(order).str(" gives position ").num(*place)
            .str(" to two modes with more than one element"),
        help: |m| m.str("give each mode a number of its own, 0 the fastest"),
        meaning: "The numbers of an order say which mode is contiguous, which is next, and so on. \
            Two modes at one position would have the same strides.",
        example: "make_ordered((2,3), (1,1))",
    }

    "L0326": "a division of shapes of different ranks", ShapeDivRank {
        /// The dividend.
        dividend: IntTuple,
        /// The divisor.
        divisor: IntTuple,
    } => {
        message: |m| m.str("shape_div: ").tuple(dividend).str(" has ").num(dividend.rank())
            .str(" modes but ").tuple(divisor).str(" has ").num(divisor.rank()),
        meaning: "Tuples divide mode by mode. Divide by an integer to divide by that many \
            elements.",
        example: "shape_div((4,8), (2,2,2))",
    }

    "L0327": "a division of shapes that leaves a remainder", ShapeDivRemainder {
        /// The dividend.
        dividend: usize,
        /// The divisor.
        divisor: usize,
    } => {
        message: |m| m.str("shape_div: neither of ").num(*dividend).str(" and ").num(*divisor)
            .str(" divides the other"),
        meaning: "One of the two numbers must divide the other.",
        example: "shape_div(6, 4)",
    }

    "L0328": "a block with more modes than its target", TargetRank {
        /// The shape of the block.
        block: IntTuple,
        /// The target shape.
        target: IntTuple,
    } => {
        message: |m| m.str("tile_to_shape: the block has ").num(block.rank())
            .str(" modes, more than the ").num(target.rank()).str(" of target ").tuple(target),
        meaning: "The target has a mode for each mode of the block, and may have more.",
        example: "tile_to_shape((2,2):(1,2), 8)",
    }

    "L0329": "a block that does not divide its target", TargetRemainder {
        /// The mode.
        mode: usize,
        /// The size of the block in this mode.
        block: usize,
        /// The size of the target in this mode.
        target: usize,
    } => {
        message: |m| m.str("tile_to_shape: in mode ").num(*mode).str(" the block size ")
            .num(*block).str(" does not divide the target size ").num(*target),
        help: |m| {
            let below = *target / *block * *block;
            let m = m.str("a target of ");
            let m = if below > 0 { m.num(below).str(" or ") } else { m };
            m.num(below.saturating_add(*block)).str(" would fit")
        },
        meaning: "Whole blocks fill each mode of the target. Use a multiple of the block as the \
            target.",
        example: "tile_to_shape((9,2):(1,9), (9,3))",
    }

    "L0331": "a left inverse of strides that do not divide each other", InverseStride {
        /// The stride.
        stride: usize,
        /// The next smaller stride.
        smaller: usize,
    } => {
        message: |m| m.str("left_inverse: stride ").num(*stride)
            .str(" is not a multiple of the next smaller stride ").num(*smaller),
        help: |m| {
            let below = *stride / *smaller * *smaller;
            m.str("a stride of ").num(below).str(" or ").num(below + *smaller).str(" would fit")
        },
        meaning: "The inverse writes an offset in the mixed radix of the strides: sorted, each \
            stride is a multiple of the one before.",
        example: "left_inverse((2,2):(2,3))",
    }

    "L0332": "a left inverse of modes that overlap", InverseOverlap {
        /// The stride of the mode that the offsets overflow.
        stride: usize,
        /// The extent of that mode.
        extent: usize,
        /// The largest offset that it and the modes with smaller strides reach together.
        reach: usize,
    } => {
        message: |m| m.str("left_inverse: offset ").num(*reach).str(" does not fit in extent ")
            .num(*extent).str(" of stride ").num(*stride),
        meaning: "A mode reaches beyond the next larger stride, so a digit of the offset exceeds \
            its extent. CuTe returns a layout here that is not an inverse.",
        example: "left_inverse((2,6):(4,1))",
    }

    "L0333": "a stride that does not fit larger elements", UpcastStride {
        /// The stride.
        stride: usize,
        /// The factor.
        factor: usize,
    } => {
        message: |m| m.str("upcast: neither of stride ").num(*stride).str(" and factor ")
            .num(*factor).str(" divides the other"),
        help: |m| m.str("a stride that is a multiple or a divisor of the factor would fit"),
        meaning: "A stride must be a multiple of the factor or divide it. Otherwise elements of a \
            mode would start inside a new element.",
        example: "upcast((6,9):(27,3), 8)",
    }

    "L0334": "modes that together reach beyond a new element", UpcastCarry {
        /// The factor.
        factor: usize,
        /// How far the modes together reach into one new element.
        reach: usize,
    } => {
        message: |m| m.str("upcast: the modes inside a new element of ").num(*factor)
            .str(" together reach offset ").num(*reach),
        help: |m| m.str("give the new elements one mode that fills them"),
        meaning: "Each mode shrinks to the new elements that it reaches by itself. What is left of \
            the last steps of all modes must stay inside one new element together, or they reach \
            one more. CuTe does not check this.",
        example: "upcast((3,2):(2,3), 6)",
    }

    "L0335": "smaller elements without a mode of stride 1", DowncastGap {
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("downcast: no stride of ").tuple(stride).str(" is 1"),
        help: |m| m.str("one mode must step through neighbouring elements"),
        meaning: "The mode of stride 1 steps through the new elements of an old one. Add one: 1:1.",
        example: "downcast((12,10):(4,48), 8)",
    }

    "L0336": "smaller elements with several modes of stride 1", DowncastChoice {
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("downcast: more than one stride of ").tuple(stride).str(" is 1"),
        help: |m| m.str("give modes of extent 1 the stride 0"),
        meaning: "Only one mode may have stride 1: it gets longer. CuTe lengthens all of them. \
            Give modes of extent 1 the stride 0.",
        example: "downcast((1,8):(1,1), 8)",
    }

    "L0337": "a factor of 0", ZeroFactor {
        /// The operation.
        operation: &'static str,
    } => {
        message: |m| m.str(operation).str(": the factor must not be 0"),
        meaning: "A factor, or a number of bits, is at least 1.",
        example: "upcast(8:1, 0)",
    }

    "L0338": "a coordinate with `_` that does not match the shape", SliceProfile {
        /// The coordinate, or the part of it that does not fit.
        coordinate: Slicer,
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
    } => {
        message: |m| m.str("coordinate ").slicer(coordinate).str(" does not match the modes of shape ")
            .tuple(shape),
        meaning: "A coordinate has an integer or `_` for each mode, or a tuple for a mode that is \
            a tuple.",
        example: "slice((4,8):(8,1), (3,_,_))",
    }

    "L0339": "a slice that keeps no mode", NothingKept {
        /// The operation.
        operation: &'static str,
        /// The coordinate.
        coordinate: Slicer,
    } => {
        message: |m| m.str(operation).str(": coordinate ").slicer(coordinate)
            .str(" keeps no mode"),
        help: |m| match operation.as_bytes() {
            b"slice" => m.str("write _ for the modes to keep, or evaluate the layout there"),
            _ => m.str("write an integer for the modes to keep"),
        },
        meaning: "slice keeps the modes with `_`, and dice keeps those with an integer. The value \
            at a coordinate is eval(L, c).",
        example: "slice((4,8):(8,1), 3)",
    }

    "L0340": "an offset that no coordinate has", NotInImage {
        /// The offset.
        offset: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("no coordinate of layout ").tuple(shape).str(":").tuple(stride)
            .str(" has the offset ").num(*offset),
        meaning: "In a layout of threads, the index must be the offset of some thread.",
        example: "local_partition((8,12):(12,1), (2,4):(4,1), 9)",
    }

    "L0341": "a swizzle whose bits overlap", SwizzleShift {
        /// The number of bits.
        bits: u32,
        /// The shift.
        shift: i32,
    } => {
        message: |m| m.str("a swizzle of ").num(*bits as usize)
            .str(" bits needs a shift of at least ").num(*bits as usize).str(" bits, not ")
            .num(shift.unsigned_abs() as usize),
        meaning: "Sw<B,M,S> XORs B bits into B other bits at distance S. The distance is at least \
            B.",
        example: "Sw<3,0,2>",
    }

    "L0342": "a swizzle of bits that offsets do not have", SwizzleWidth {
        /// One past the highest bit.
        width: u64,
    } => {
        message: |m| m.str("a swizzle of the lowest ")
            .num(if *width > usize::MAX as u64 { usize::MAX } else { *width as usize })
            .str(concat!(" bits does not fit in offsets of ", size_bits!(), " bits")),
        meaning: "B + M + |S| is at most 63.",
        example: "Sw<30,30,30>",
    }

    "L0343": "two swizzles that do not merge into one", SwizzlePair {
        /// The one applied last.
        outer: Swizzle,
        /// The one applied first.
        inner: Swizzle,
    } => {
        message: |m| m.str("the composition of ").swizzle(outer).str(" and ").swizzle(inner)
            .str(" is not a single swizzle"),
        meaning: "Two swizzles merge if their shifts are equal, their bits are adjacent, and no \
            bit both changes and moves. In a program, apply them one after the other.",
        example: "Sw<1,0,3> o Sw<1,2,3>",
    }

    "L0344": "a different number of strides than leaves", StrideCount {
        /// The number of strides.
        strides: usize,
        /// The shape.
        shape: IntTuple,
    } => {
        message: |m| m.str("there are ").num(*strides).str(" strides for the ").num(shape.len())
            .str(" leaves of shape ").tuple(shape),
        meaning: "There is one stride for each leaf of the shape, left to right.",
        example: "CoordinateLayout::new(&IntTuple::flat(&[4, 8])?, &[Vector::ZERO])"
            => AlgebraError::StrideCount {
                strides: 1,
                shape: IntTuple::leaf(4).pair(&IntTuple::leaf(8)),
            },
    }

    "L0345": "strides whose values have no common form", CodomainConflict {
        /// The path of one step.
        outer: Path,
        /// The path of the other step.
        inner: Path,
    } => {
        message: |m| {
            let m = m.str("strides ").path(outer).str(" and ").path(inner);
            m.str(" cannot be added: one steps inside a part of what the other counts")
        },
        help: |m| m.str("all strides are integers, or each names a mode, as in (4,8):(1@0,1@1)"),
        meaning: "A value is an integer or a coordinate. 1 steps in an integer, 1@0 in mode 0 \
            of a coordinate, and 1@1@0 in mode 1 of that mode.",
        example: "(4,8):(1,1@0)",
    }

    "L0346": "strides with too many steps", TooManySteps {
        /// The maximum.
        limit: usize,
    } => {
        message: |m| m.str("the strides of a layout have at most ").num(*limit)
            .str(" steps together"),
        meaning: "All strides of a layout have at most 64 steps together, where 2@1 is one and \
            1@0-2@1 two.",
        example: "three strides that step in 32 modes each, 1@0+1@1+.."
            => AlgebraError::TooManySteps { limit: 64 },
    }

    "L0347": concat!("a value of more than ", size_bits!(), " bits"), ValueOverflow {
        /// The shape of the layout.
        shape: IntTuple,
        /// The path in the value.
        path: Path,
    } => {
        message: |m| m.str("the values of strides ").path(path).str(" over shape ").tuple(shape)
            .str(concat!(" do not fit in ", size_bits!(), " bits")),
        meaning: concat!(
            "In each direction the sum of (extent - 1) * |stride| is below 2^",
            size_bits!(),
            " - 1.",
        ),
        example: "3:-9223372036854775807",
    }

    "L0348": "a composition that steps in a missing mode", NoSuchMode {
        /// The mode.
        path: Path,
        /// The shape of A.
        shape: IntTuple,
    } => {
        message: |m| m.str("composition: the right layout steps by ").path(path)
            .str(" in the left one, but shape ").tuple(shape).str(" has no such mode"),
        meaning: "The stride 1@2 of the right layout steps in mode 2 of the left one. Modes \
            count from 0.",
        example: "(4,8):(8,1) o 4:1@2",
    }

    "L0349": "a swizzle that cannot be moved after the layout", SwizzleInside {
        /// The swizzle.
        swizzle: Swizzle,
        /// The shape of L.
        shape: IntTuple,
        /// The stride of L.
        stride: IntTuple,
    } => {
        message: |m| m.str("no swizzle of the offsets of layout ").tuple(shape).str(":").tuple(stride)
            .str(" equals ").swizzle(swizzle).str(" of its index"),
        help: |m| m
            .str("each bit that the swizzle uses must become one bit of the offset; Sw o L always fits"),
        meaning: "L o Sw is a layout only if L maps each bit that the swizzle uses to one bit of \
            the offset, all shifted by the same distance. A swizzle of the offsets always exists: \
            Sw<2,1,2> o (4,8):(8,1).",
        example: "(4,8):(8,1) o Sw<2,1,2>",
    }

    "L0350": "an offset between a layout and a swizzle", OffsetInside {
        /// The offset.
        offset: usize,
    } => {
        message: |m| m.str("composition: the offset ").num(*offset)
            .str(" between a layout and a swizzle cannot be moved out"),
        help: |m| m.str("only an offset of 0 can be moved"),
        meaning: "An offset inside a swizzle cannot be moved out of it, because what it adds is \
            swizzled too.",
        example: "8:1 o (Sw<2,0,2> o 4 o 8:1)",
    }

    "L0351": "modes that overlap in more ways than can be searched", TooManyOverlaps {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    } => {
        message: |m| m.str("modes overlap in more ways than can be searched in layout ")
            .tuple(shape).str(":").tuple(stride),
        help: |m| m.str("no search is needed if each stride exceeds what all smaller ones reach"),
        meaning: "Deciding whether two coordinates share an offset needs a search if strides lie \
            within the reach of smaller ones and have no common divisor. The search stops after \
            about 0.1 s.",
        example: "is_injective((2000,2000,2000,2000):(100000000000037,1234567890123457,1414213562373095,1732050807568877))",
    }

    "L0352": "a mode with more than one stride", NoSingleStride {
        /// The mode.
        mode: usize,
        /// The shape of the mode, coalesced.
        shape: IntTuple,
        /// The stride of the mode, coalesced.
        stride: IntTuple,
    } => {
        message: |m| m.str("mode ").num(*mode).str(" is ").tuple(shape).str(":").tuple(stride)
            .str(", which has no single stride"),
        meaning: "PyTorch and NumPy have one stride per dimension. A mode has one stride if it \
            coalesces to one extent; a packed or tiled mode does not.",
        example: "layout convert --to strides '(6,(4,2)):(4,(1,24))'"
            => AlgebraError::NoSingleStride { mode: 1, shape: pair(4, 2), stride: pair(1, 24) },
    }

    "L0353": "a window that is not an extent, a step and a dilation", WindowEntry {
        /// The mode; `None` for the whole layout.
        mode: Option<usize>,
        /// The entry for this mode.
        entry: IntTuple,
    } => {
        message: |m| m.operation("windows", *mode).tuple(entry)
            .str(" is not an extent, a step and a dilation: one to three numbers of at least 1"),
        help: |m| m.str("write k, (k,s) or (k,s,d) for each mode"),
        meaning: "Each mode has a number k, or a tuple (k,s) or (k,s,d): the extent of the window, \
            the step between windows, and the step inside a window. All are at least 1; steps that \
            are left out are 1.",
        example: "windows((6,8):(8,1), (3,(3,0)))",
    }

    "L0354": "a window that is longer than its mode", WindowReach {
        /// The mode; `None` for the whole layout.
        mode: Option<usize>,
        /// The extent of the window.
        window: usize,
        /// The step inside the window.
        dilation: usize,
        /// The extent of the mode.
        extent: usize,
    } => {
        message: |m| {
            let m = m.operation("windows", *mode).str("a window of ").num(*window);
            let m = m.str(if *window == 1 { " element" } else { " elements" });
            let m = if *dilation > 1 {
                let m = m.str(" with dilation ").num(*dilation);
                match (*window - 1).checked_mul(*dilation) {
                    Some(last) if last < MAX_SIZE => m.str(" spans ").num(last + 1).str(" and"),
                    _ => m.str(concat!(
                        " has a span that does not fit in ", size_bits!(), " bits and"
                    )),
                }
            } else {
                m
            };
            m.str(" is longer than extent ").num(*extent)
        },
        help: |m| match *extent {
            0 => m,
            _ => m.str("a window of at most ").num((*extent - 1) / *dilation + 1)
                .str(" would fit"),
        },
        meaning: "A window of k elements with dilation d spans d*(k-1)+1 elements of its mode. At \
            least one window must fit.",
        example: "windows((6,8):(8,1), (3,(5,1,2)))",
    }

    "L0355": "a permutation that omits or repeats a mode", NoPermutation {
        /// The indices of the modes.
        modes: IntTuple,
        /// The shape of the layout.
        shape: IntTuple,
    } => {
        message: |m| m.str("permute: ").tuple(modes).str(" does not name each of the ")
            .num(shape.rank()).str(" modes of shape ").tuple(shape).str(" once"),
        help: |m| m.str("select takes any modes, in any order"),
        meaning: "permute reorders all modes. select takes some of them, or one several times.",
        example: "permute((2,3,5):(1,2,6), (2,0))",
    }

    "L0356": "the transpose of something that is not a matrix", NoMatrix {
        /// The shape of the layout.
        shape: IntTuple,
    } => {
        message: |m| m.str("transposed: shape ").tuple(shape).str(" has ").num(shape.rank())
            .str(if shape.rank() == 1 { " mode, not 2" } else { " modes, not 2" }),
        help: |m| m.str("permute takes the modes in any order"),
        meaning: "transposed exchanges the two modes of a matrix. Group modes until there are two, \
            or give the order of all of them with permute.",
        example: "transposed((2,3,5):(1,2,6))",
    }

    "L0357": "a broadcast to fewer modes", BroadcastRank {
        /// The shape of the layout.
        layout: IntTuple,
        /// The shape to broadcast to.
        shape: IntTuple,
    } => {
        message: |m| m.str("broadcast_to: shape ").tuple(shape).str(" has ").num(shape.rank())
            .str(if shape.rank() == 1 { " mode" } else { " modes" }).str(", fewer than the ")
            .num(layout.rank()).str(" of shape ").tuple(layout),
        help: |m| m.str("modes are matched from the last one"),
        meaning: "Modes are matched from the last one, as in NumPy. The shape may have more modes \
            in front.",
        example: "broadcast_to((4,8):(8,1), 8)",
    }

    "L0358": "a broadcast of a mode that has another size", BroadcastExtent {
        /// The mode of the shape.
        mode: usize,
        /// The size of the layout's mode.
        size: usize,
        /// The extent of the shape's mode.
        extent: usize,
    } => {
        message: |m| m.operation("broadcast_to", Some(*mode)).str("size ").num(*size)
            .str(" is neither 1 nor the extent ").num(*extent),
        meaning: "Only modes of one element are repeated. Every other mode has the extent that the \
            shape gives. Modes are matched from the last one.",
        example: "broadcast_to((4,8):(8,1), (3,8))",
    }

    "L0360": "a mixed result whose modes differ from its type", Structure {
        /// The operation.
        operation: &'static str,
        /// The shape of the result by value.
        shape: IntTuple,
        /// The stride of the result by value.
        stride: IntTuple,
    } => {
        message: |m| m.str(operation).str(": these values make ").tuple(shape).str(":")
            .tuple(stride).str(", which does not have the modes that the types promise"),
        help: |m| m.str("use to_dyn() on the operands: the algebra then works by value"),
        meaning: "The type of a mixed result fixes its modes for all values of the run-time \
            leaves. These values have a result, but with other modes. On layouts of run-time rank, \
            from to_dyn(), the algebra works by value.",
        example: "layout!((a, b):(c, d)).composition(&layout!(n:s))?"
            => AlgebraError::Structure {
                operation: "composition",
                shape: IntTuple::leaf(2),
                stride: IntTuple::leaf(201),
            },
    }

    "L0361": "a mixed result with unknown structure", RunTimeDecision => {
        message: |m| m
            .str("the modes of this layout depend on a number that is known only at run time"),
        help: |m| m.str("use to_dyn() on the operands: the algebra then works by value"),
        meaning: "The types of the operands do not even fix the number of modes of the result, as \
            when a complement needs the order of two run-time strides. On layouts of run-time \
            rank, from to_dyn(), the algebra works by value.",
        example: "layout!((4, 8):(m, n)).complement(&64)" => AlgebraError::RunTimeDecision,
    }

    "L0362": "an operation that takes no negative strides", BackwardStride {
        /// The operation.
        operation: &'static str,
        /// The stride, or its step.
        stride: isize,
    } => {
        message: |m| m.str(operation).str(": stride ").int(*stride).str(" is negative"),
        help: |m| m.str("flip the mode, so that it runs forwards from its other end"),
        meaning: "What a layout leaves free lies after what it covers, so its modes must run \
            forwards. `flip` reverses a mode and says where it starts.",
        example: "complement((4,2):(-1@0,1@1), 8)",
    }

    "L0363": "a stride that steps in several modes at once", SlantedStride {
        /// The operation.
        operation: &'static str,
        /// A path at which it steps.
        first: Path,
        /// Another path at which it steps.
        second: Path,
    } => {
        message: |m| m.str(operation).str(": a stride steps by ").path(first).str(" and by ")
            .path(second).str(" at once"),
        meaning: "These operations work on one mode of the coordinates at a time, so each stride \
            may step in only one of them.",
        example: "left_inverse((4,2):(1@0+1@1,1@0))",
    }

    "L0364": "a cotarget with fewer modes than the coordinates", CotargetRank {
        /// The cotarget.
        cotarget: IntTuple,
        /// The form of the layout's values, with 0 for each integer.
        codomain: IntTuple,
    } => {
        message: |m| m.str("complement: cotarget ").tuple(cotarget).str(" has ")
            .num(cotarget.rank()).str(if cotarget.rank() == 1 { " mode" } else { " modes" })
            .str(" but the coordinates have ").num(codomain.rank()),
        help: |m| m.str("write one extent for each mode of the coordinates, or one integer"),
        meaning: "The values of the layout are coordinates. The cotarget is a shape for them, or \
            their total number.",
        example: "complement((4,3):(1@0,1@1), (8))",
    }

    "L0365": "a left inverse of strides with both signs", InverseSigns {
        /// A positive stride.
        forward: isize,
        /// A negative stride.
        backward: isize,
    } => {
        message: |m| m.str("left_inverse: stride ").int(*backward)
            .str(" and stride ").int(*forward).str(" have opposite signs"),
        help: |m| m.str("flip the modes that run backwards"),
        meaning: "All digits of a negative number are negative, so a sum of steps of both signs \
            does not have the digits of its steps. If all strides have the same sign, the inverse \
            exists.",
        example: "left_inverse((4,4):(-1,4))",
    }

    "L0366": "a composition that divides a negative index", CompositionBackwards {
        /// The operand B.
        place: Place,
    } => {
        message: |m| m.operation(place.operation, place.by_mode)
            .str("B steps backwards to negative indices, where A has several modes"),
        help: |m| m.str("flip the modes of B that run backwards"),
        meaning: "An index before the start of a layout is negative. Where A has several modes, \
            its digits depend on how negative numbers are divided: C++ rounds towards 0, Python \
            down, and the implementations of CuTe differ for this reason. Steps of whole last \
            modes have only one meaning and are composed.",
        example: "(1,(2,4)):(0,(-1,512)) o 2:-1",
    }

    "L0367": "a right inverse of a layout that never has offset 0", InverseOffset {
        /// The offset inside the swizzle.
        offset: usize,
    } => {
        message: |m| m.str("right_inverse: with the offset ").num(*offset)
            .str(" inside the swizzle, no coordinate has offset 0"),
        help: |m| m.str("take the right inverse without the offset"),
        meaning: "A right inverse begins with the coordinate of offset 0, and a layout with an \
            offset has none.",
        example: "right_inverse(Sw<2,0,3> o 4 o (8,8):(1,8))",
    }

    "L0368": "a swizzle that splits elements", SwizzleElements {
        /// The swizzle.
        swizzle: Swizzle,
        /// The ratio of the sizes of old and new elements.
        factor: usize,
    } => {
        message: |m| {
            let m = m.str("recast: ").swizzle(swizzle);
            if (*factor).is_power_of_two() {
                m.str(" XORs bits of the offset with bits inside elements of ").num(*factor)
            } else {
                m.str(" moves bits, and ").num(*factor).str(" is not a power of 2")
            }
        },
        meaning: "A swizzle moves bits of the offset, so elements can change their size only by \
            powers of 2. A bit inside the new elements must not control a bit outside of them.",
        example: "upcast(Sw<2,0,2> o 0 o (6,8):(1,6), 3)",
    }

    "L0369": "an offset that is not a whole number of larger elements", ElementOffset {
        /// The offset.
        offset: usize,
        /// The number of old elements per new element.
        factor: usize,
    } => {
        message: |m| m.str("upcast: offset ").num(*offset).str(" is not a multiple of factor ")
            .num(*factor),
        meaning: "The offset inside a swizzle is counted in elements too, and must be a whole \
            number of the new ones.",
        example: "upcast(Sw<2,3,2> o 3 o (8,8):(1,8), 2)",
    }
}
