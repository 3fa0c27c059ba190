//! The part of the catalogue about operations that have preconditions of their own.

use crate::engine::{IntTuple, Path, Slicer, Swizzle};
use crate::message::Message;

/// Why an operation of the algebra does not apply to its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AlgebraError {
    /// A range of modes that the layout does not have.
    ModeRange {
        /// The operation.
        operation: &'static str,
        /// The first mode of the range.
        begin: usize,
        /// One past the last mode of the range.
        end: usize,
        /// The shape of the layout.
        shape: IntTuple,
    },
    /// A mode that the layout does not have.
    ModeIndex {
        /// The operation.
        operation: &'static str,
        /// The mode.
        mode: usize,
        /// The shape of the layout.
        shape: IntTuple,
    },
    /// `unflatten(L, profile)`: other numbers of leaves.
    LeafCount {
        /// The profile.
        profile: IntTuple,
        /// The shape of the layout.
        shape: IntTuple,
    },
    /// `zip`: modes that do not have the same modes themselves.
    ZipRank {
        /// The shape of the first mode.
        first: IntTuple,
        /// The shape of the one that differs.
        other: IntTuple,
    },
    /// An order whose modes are not those of the shape.
    OrderProfile {
        /// The order, or the part of it that does not fit.
        order: IntTuple,
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
    },
    /// An order that gives two modes of more than one element the same place.
    OrderTie {
        /// The order.
        order: IntTuple,
        /// The place.
        place: usize,
    },
    /// `shape_div`: tuples with different numbers of modes.
    ShapeDivRank {
        /// The dividend.
        dividend: IntTuple,
        /// The divisor.
        divisor: IntTuple,
    },
    /// `shape_div`: neither number divides the other.
    ShapeDivRemainder {
        /// The dividend.
        dividend: usize,
        /// The divisor.
        divisor: usize,
    },
    /// `tile_to_shape`: a block of more modes than the target.
    TargetRank {
        /// The shape of the block.
        block: IntTuple,
        /// The target shape.
        target: IntTuple,
    },
    /// `tile_to_shape`: a mode of the block does not divide the target.
    TargetRemainder {
        /// The mode.
        mode: usize,
        /// The size of the block in this mode.
        block: usize,
        /// The size of the target in this mode.
        target: usize,
    },
    /// `permute`: numbers that do not have each mode once.
    NoPermutation {
        /// The numbers of the modes.
        modes: IntTuple,
        /// The shape of the layout.
        shape: IntTuple,
    },
    /// `transposed`: other than two modes.
    NoMatrix {
        /// The shape of the layout.
        shape: IntTuple,
    },
    /// `broadcast_to`: a shape with fewer modes than the layout.
    BroadcastRank {
        /// The shape of the layout.
        layout: IntTuple,
        /// The shape to broadcast to.
        shape: IntTuple,
    },
    /// `broadcast_to`: a mode of more than one element that has another size than the shape says.
    BroadcastExtent {
        /// The mode of the shape.
        mode: usize,
        /// The size that the layout has there.
        size: usize,
        /// The extent that the shape has there.
        extent: usize,
    },
    /// `windows`: other than one to three numbers from 1 on for a mode.
    WindowEntry {
        /// The mode; nothing for all of the layout.
        mode: Option<usize>,
        /// What is given for it.
        entry: IntTuple,
    },
    /// `windows`: a window that is longer than its mode.
    WindowReach {
        /// The mode; nothing for all of the layout.
        mode: Option<usize>,
        /// The extent of the window.
        window: usize,
        /// The step inside of the window.
        dilation: usize,
        /// The extent of the mode.
        extent: usize,
    },
    /// `left_inverse`: a stride that is no multiple of the next smaller one.
    InverseStride {
        /// The stride.
        stride: usize,
        /// The next smaller stride.
        smaller: usize,
    },
    /// `left_inverse`: modes that overlap in a way that no layout undoes.
    InverseOverlap {
        /// The stride of the mode that the offsets overflow.
        stride: usize,
        /// The extent of that mode.
        extent: usize,
        /// The largest offset that it and the modes with smaller strides make.
        reach: usize,
    },
    /// `upcast`: neither the stride nor the factor divides the other.
    UpcastStride {
        /// The stride.
        stride: usize,
        /// The factor.
        factor: usize,
    },
    /// `upcast`: modes inside one new element that cross into the next one only together.
    UpcastCarry {
        /// The factor.
        factor: usize,
        /// How far the modes reach into one new element together.
        reach: usize,
    },
    /// `downcast` without a mode of stride 1.
    DowncastGap {
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// `downcast` with several modes of stride 1.
    DowncastChoice {
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A factor or a number of bits that is 0.
    ZeroFactor {
        /// The operation.
        operation: &'static str,
    },
    /// A result that the operation has by value, but not with the modes that the types of mixed
    /// operands promise.
    Structure {
        /// The operation.
        operation: &'static str,
        /// The shape of the result by value.
        shape: IntTuple,
        /// The stride of the result by value.
        stride: IntTuple,
    },
    /// A result whose modes depend on a number that is not in the types of the operands.
    RunTimeDecision,
    /// A coordinate with `_` whose modes are not those of the shape.
    SliceProfile {
        /// The coordinate, or the part of it that does not fit.
        coordinate: Slicer,
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
    },
    /// `slice` that keeps no mode, or `dice` that keeps none.
    NothingKept {
        /// The operation.
        operation: &'static str,
        /// The coordinate.
        coordinate: Slicer,
    },
    /// An offset that no coordinate has.
    NotInImage {
        /// The offset.
        offset: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A mode that steps by more than one stride, where there must be one stride for each mode.
    NoSingleStride {
        /// The mode.
        mode: usize,
        /// The shape of the mode, coalesced.
        shape: IntTuple,
        /// The stride of the mode, coalesced.
        stride: IntTuple,
    },
    /// Modes that overlap in more ways than a search goes through.
    TooManyOverlaps {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A swizzle whose source and target bits overlap.
    SwizzleShift {
        /// The number of bits.
        bits: u32,
        /// The distance between them.
        shift: i32,
    },
    /// A swizzle of bits beyond the 63rd.
    SwizzleWidth {
        /// One past the highest bit.
        width: u64,
    },
    /// Two swizzles whose composition is not one.
    SwizzlePair {
        /// The one applied last.
        outer: Swizzle,
        /// The one applied first.
        inner: Swizzle,
    },
    /// `composition(L, Sw)`: no swizzle does behind L what this one does in front of it.
    SwizzleInside {
        /// The swizzle.
        swizzle: Swizzle,
        /// The shape of L.
        shape: IntTuple,
        /// The stride of L.
        stride: IntTuple,
    },
    /// `composition` with an offset between two swizzles, or between a swizzle and a layout.
    OffsetInside {
        /// The offset.
        offset: usize,
    },
    /// Strides with another number than there are leaves.
    StrideCount {
        /// The number of strides.
        strides: usize,
        /// The shape.
        shape: IntTuple,
    },
    /// Strides whose values have no common form: one steps in a part of what another one counts.
    CodomainConflict {
        /// Where the one steps.
        outer: Path,
        /// Where the other steps.
        inner: Path,
    },
    /// Strides that step in more places than a layout of coordinates holds.
    TooManySteps {
        /// The most there may be.
        limit: usize,
    },
    /// A value of a layout of coordinates that does not fit.
    ValueOverflow {
        /// The shape of the layout.
        shape: IntTuple,
        /// Where in the value.
        path: Path,
    },
    /// `composition(A, B)`: a stride of B steps in a mode that A does not have.
    NoSuchMode {
        /// The mode.
        path: Path,
        /// The shape of A.
        shape: IntTuple,
    },
}

impl AlgebraError {
    #[inline]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::ModeRange { .. } => "L0320",
            Self::ModeIndex { .. } => "L0321",
            Self::LeafCount { .. } => "L0322",
            Self::ZipRank { .. } => "L0323",
            Self::OrderProfile { .. } => "L0324",
            Self::OrderTie { .. } => "L0325",
            Self::ShapeDivRank { .. } => "L0326",
            Self::ShapeDivRemainder { .. } => "L0327",
            Self::TargetRank { .. } => "L0328",
            Self::TargetRemainder { .. } => "L0329",
            Self::NoPermutation { .. } => "L0355",
            Self::NoMatrix { .. } => "L0356",
            Self::BroadcastRank { .. } => "L0357",
            Self::BroadcastExtent { .. } => "L0358",
            Self::WindowEntry { .. } => "L0353",
            Self::WindowReach { .. } => "L0354",
            Self::InverseStride { .. } => "L0331",
            Self::InverseOverlap { .. } => "L0332",
            Self::UpcastStride { .. } => "L0333",
            Self::UpcastCarry { .. } => "L0334",
            Self::DowncastGap { .. } => "L0335",
            Self::DowncastChoice { .. } => "L0336",
            Self::ZeroFactor { .. } => "L0337",
            Self::SliceProfile { .. } => "L0338",
            Self::NothingKept { .. } => "L0339",
            Self::NotInImage { .. } => "L0340",
            Self::TooManyOverlaps { .. } => "L0351",
            Self::NoSingleStride { .. } => "L0352",
            Self::SwizzleShift { .. } => "L0341",
            Self::SwizzleWidth { .. } => "L0342",
            Self::SwizzlePair { .. } => "L0343",
            Self::SwizzleInside { .. } => "L0349",
            Self::OffsetInside { .. } => "L0350",
            Self::StrideCount { .. } => "L0344",
            Self::CodomainConflict { .. } => "L0345",
            Self::TooManySteps { .. } => "L0346",
            Self::ValueOverflow { .. } => "L0347",
            Self::NoSuchMode { .. } => "L0348",
            Self::Structure { .. } => "L0360",
            Self::RunTimeDecision => "L0361",
        }
    }

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::ModeRange { operation, begin, end, shape } => m
                .str(operation)
                .str(": modes ")
                .num(*begin)
                .str(" to ")
                .num(*end)
                .str(" are not a range in the ")
                .num(shape.rank())
                .str(" modes of shape ")
                .tuple(shape),
            Self::ModeIndex { operation, mode, shape } => m
                .str(operation)
                .str(": mode ")
                .num(*mode)
                .str(" is not below ")
                .num(shape.rank())
                .str(", the rank of shape ")
                .tuple(shape),
            Self::LeafCount { profile, shape } => m
                .str("unflatten: profile ")
                .tuple(profile)
                .str(" has ")
                .num(profile.len())
                .str(" leaves but shape ")
                .tuple(shape)
                .str(" has ")
                .num(shape.len()),
            Self::ZipRank { first, other } => {
                let m = m.str("zip: mode ").tuple(first).str(" has ").num(first.rank());
                let m = m.str(" modes but mode ").tuple(other);
                if other.is_int() {
                    m.str(" is an integer")
                } else {
                    m.str(" has ").num(other.rank())
                }
            }
            Self::OrderProfile { order, shape } => {
                m.str("order ").tuple(order).str(" has other modes than shape ").tuple(shape)
            }
            Self::OrderTie { order, place } => m
                .str("order ")
                .tuple(order)
                .str(" gives place ")
                .num(*place)
                .str(" to two modes of more than one element"),
            Self::ShapeDivRank { dividend, divisor } => m
                .str("shape_div: ")
                .tuple(dividend)
                .str(" has ")
                .num(dividend.rank())
                .str(" modes but ")
                .tuple(divisor)
                .str(" has ")
                .num(divisor.rank()),
            Self::ShapeDivRemainder { dividend, divisor } => m
                .str("shape_div: neither of ")
                .num(*dividend)
                .str(" and ")
                .num(*divisor)
                .str(" divides the other"),
            Self::TargetRank { block, target } => m
                .str("tile_to_shape: the block has ")
                .num(block.rank())
                .str(" modes, more than the ")
                .num(target.rank())
                .str(" of target ")
                .tuple(target),
            Self::TargetRemainder { mode, block, target } => m
                .str("tile_to_shape: in mode ")
                .num(*mode)
                .str(" the block size ")
                .num(*block)
                .str(" does not divide the target size ")
                .num(*target),
            Self::NoPermutation { modes, shape } => m
                .str("permute: ")
                .tuple(modes)
                .str(" has not each of the ")
                .num(shape.rank())
                .str(" modes of shape ")
                .tuple(shape)
                .str(" once"),
            Self::NoMatrix { shape } => m
                .str("transposed: shape ")
                .tuple(shape)
                .str(" has ")
                .num(shape.rank())
                .str(if shape.rank() == 1 { " mode, not 2" } else { " modes, not 2" }),
            Self::BroadcastRank { layout, shape } => m
                .str("broadcast_to: shape ")
                .tuple(shape)
                .str(" has ")
                .num(shape.rank())
                .str(if shape.rank() == 1 { " mode" } else { " modes" })
                .str(", fewer than the ")
                .num(layout.rank())
                .str(" of shape ")
                .tuple(layout),
            Self::BroadcastExtent { mode, size, extent } => m
                .operation("broadcast_to", Some(*mode))
                .str("size ")
                .num(*size)
                .str(" is neither 1 nor the extent ")
                .num(*extent),
            Self::WindowEntry { mode, entry } => m
                .operation("windows", *mode)
                .tuple(entry)
                .str(" is not a window, its step and its dilation: one to three numbers from 1 on"),
            Self::WindowReach { mode, window, dilation, extent } => {
                let m = m.operation("windows", *mode).str("a window of ").num(*window);
                let m = m.str(if *window == 1 { " element" } else { " elements" });
                let m = if *dilation > 1 {
                    let reach = (*window - 1).saturating_mul(*dilation).saturating_add(1);
                    m.str(", ").num(*dilation).str(" apart, spans ").num(reach).str(" and")
                } else {
                    m
                };
                m.str(" is longer than extent ").num(*extent)
            }
            Self::InverseStride { stride, smaller } => m
                .str("left_inverse: stride ")
                .num(*stride)
                .str(" is no multiple of the next smaller stride ")
                .num(*smaller),
            Self::InverseOverlap { stride, extent, reach } => m
                .str("left_inverse: offset ")
                .num(*reach)
                .str(" does not fit in extent ")
                .num(*extent)
                .str(" of stride ")
                .num(*stride),
            Self::UpcastStride { stride, factor } => m
                .str("upcast: neither of stride ")
                .num(*stride)
                .str(" and factor ")
                .num(*factor)
                .str(" divides the other"),
            Self::UpcastCarry { factor, reach } => m
                .str("upcast: the modes inside one new element of ")
                .num(*factor)
                .str(" reach offset ")
                .num(*reach)
                .str(" of it together"),
            Self::DowncastGap { stride } => {
                m.str("downcast: no stride of ").tuple(stride).str(" is 1")
            }
            Self::DowncastChoice { stride } => {
                m.str("downcast: more than one stride of ").tuple(stride).str(" is 1")
            }
            Self::ZeroFactor { operation } => m.str(operation).str(": the factor must not be 0"),
            Self::Structure { operation, shape, stride } => m
                .str(operation)
                .str(": these values make ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(", which has not the modes that the types promise"),
            Self::RunTimeDecision => {
                m.str("the modes of this layout depend on a number that is known at run time only")
            }
            Self::SliceProfile { coordinate, shape } => m
                .str("coordinate ")
                .slicer(coordinate)
                .str(" has other modes than shape ")
                .tuple(shape),
            Self::NothingKept { operation, coordinate } => {
                m.str(operation).str(": coordinate ").slicer(coordinate).str(" leaves no mode")
            }
            Self::NotInImage { offset, shape, stride } => m
                .str("no coordinate of layout ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(" has the offset ")
                .num(*offset),
            Self::NoSingleStride { mode, shape, stride } => m
                .str("mode ")
                .num(*mode)
                .str(" is ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(", which has no single stride"),
            Self::TooManyOverlaps { shape, stride } => m
                .str("modes overlap in more ways than can be searched in layout ")
                .tuple(shape)
                .str(":")
                .tuple(stride),
            Self::SwizzleShift { bits, shift } => m
                .str("a swizzle of ")
                .num(*bits as usize)
                .str(" bits needs a shift of at least ")
                .num(*bits as usize)
                .str(" bits, not ")
                .num(shift.unsigned_abs() as usize),
            Self::SwizzleWidth { width } => m
                .str("a swizzle of the lowest ")
                .num(if *width > usize::MAX as u64 { usize::MAX } else { *width as usize })
                .str(" bits does not fit in offsets of 63 bits"),
            Self::SwizzlePair { outer, inner } => m
                .str("the composition of ")
                .swizzle(outer)
                .str(" and ")
                .swizzle(inner)
                .str(" is not one swizzle"),
            Self::SwizzleInside { swizzle, shape, stride } => m
                .str("no swizzle does behind layout ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(" what ")
                .swizzle(swizzle)
                .str(" does in front of it"),
            Self::OffsetInside { offset } => m
                .str("composition: the offset ")
                .num(*offset)
                .str(" between a layout and a swizzle cannot be moved out"),
            Self::StrideCount { strides, shape } => m
                .str("there are ")
                .num(*strides)
                .str(" strides for the ")
                .num(shape.len())
                .str(" leaves of shape ")
                .tuple(shape),
            Self::CodomainConflict { outer, inner } => {
                let m = m.str("strides ").path(outer).str(" and ").path(inner);
                m.str(" have no sum: one steps in a part of what the other one counts")
            }
            Self::TooManySteps { limit } => {
                m.str("the strides of a layout have at most ").num(*limit).str(" steps together")
            }
            Self::ValueOverflow { shape, path } => m
                .str("the values of strides ")
                .path(path)
                .str(" over shape ")
                .tuple(shape)
                .str(" do not fit in 63 bits"),
            Self::NoSuchMode { path, shape } => m
                .str("composition: the right layout steps by ")
                .path(path)
                .str(" in the left one, and shape ")
                .tuple(shape)
                .str(" has no such mode"),
        }
    }

    pub(crate) const fn help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::OrderProfile { .. } => m.str("write one number for each mode of the shape"),
            Self::OrderTie { .. } => m.str("give each mode a number of its own, 0 the fastest"),
            Self::TargetRemainder { block, target, .. } => {
                let below = *target / *block * *block;
                let m = m.str("a target of ");
                let m = if below > 0 { m.num(below).str(" or ") } else { m };
                m.num(below.saturating_add(*block)).str(" would fit")
            }
            Self::NoPermutation { .. } => m.str("select takes any modes, in any order"),
            Self::NoMatrix { .. } => m.str("permute takes the modes in any order"),
            Self::BroadcastRank { .. } => m.str("the last modes of both belong together"),
            Self::WindowEntry { .. } => m.str("write k, (k,s) or (k,s,d) for each mode"),
            Self::WindowReach { dilation, extent, .. } if *extent > 0 => {
                m.str("a window of at most ").num((*extent - 1) / *dilation + 1).str(" would fit")
            }
            Self::InverseStride { stride, smaller } => {
                let below = *stride / *smaller * *smaller;
                m.str("a stride of ").num(below).str(" or ").num(below + *smaller).str(" would fit")
            }
            Self::UpcastStride { .. } => {
                m.str("a stride that is a multiple or a divisor of the factor would fit")
            }
            Self::Structure { .. } | Self::RunTimeDecision => {
                m.str("use to_dyn() on the operands: the algebra then works by value")
            }
            Self::UpcastCarry { .. } => m.str("give the new elements one mode that fills them"),
            Self::DowncastGap { .. } => m.str("one mode must step through neighbouring elements"),
            Self::DowncastChoice { .. } => m.str("give modes of extent 1 the stride 0"),
            Self::SwizzleInside { .. } => {
                m.str("every bit that the swizzle uses must be one bit of the offset: write Sw o L")
            }
            Self::OffsetInside { .. } => m.str("only an offset of 0 can be"),
            Self::CodomainConflict { .. } => {
                m.str("all strides are integers, or each names a mode, as in (4,8):(1@0,1@1)")
            }
            Self::TooManyOverlaps { .. } => {
                m.str("strides that exceed what all smaller ones reach need no search")
            }
            Self::NothingKept { operation, .. } => match operation.as_bytes() {
                b"slice" => m.str("write _ for the modes to keep, or evaluate the layout there"),
                _ => m.str("write an integer for the modes to keep"),
            },
            _ => m,
        }
    }
}
