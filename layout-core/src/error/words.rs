//! What errors say: the numbers that do not fit, and what would fit.

use crate::engine::{ComposedLayout, DynLayout, IntTuple, MAX_SIZE};
use crate::error::{LayoutError, Operand};
use crate::message::Message;

impl LayoutError {
    /// What is wrong, in one line: lower case, with numbers, without a full stop.
    pub const fn message(&self) -> Message {
        let mut message = Message::new();
        self.write_message(&mut message);
        message
    }

    const fn write_message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::Notation(error) => error.message(m),
            Self::Morello(error) => error.message(m),
            Self::Placement(error) => error.message(m),
            Self::Spyre(error) => error.message(m),
            Self::Tenstorrent(error) => error.message(m),
            Self::Algebra(error) => error.message(m),
            Self::Einsum(error) => error.message(m),
            Self::EmptyTuple => m.str("a tuple needs at least one mode"),
            Self::TooManyLeaves { limit } => {
                m.str("a layout may have at most ").num(*limit).str(" leaves")
            }
            Self::TooDeep { limit } => {
                m.str("tuples may be nested at most ").num(*limit).str(" deep")
            }
            Self::StrideRank { shape, stride } => m
                .str("shape ")
                .tuple(shape)
                .str(" has ")
                .num(shape.rank())
                .str(" modes but its stride ")
                .tuple(stride)
                .str(" has ")
                .num(stride.rank()),
            Self::StrideNesting { shape, stride } => m
                .str("shape ")
                .tuple(shape)
                .str(" and stride ")
                .tuple(stride)
                .str(" are nested differently"),
            Self::ZeroExtent => m.str("an extent must be at least 1"),
            Self::SizeOverflow { shape } => m.str("the size of shape ").tuple(shape).str(concat!(
                " does not fit in ",
                size_bits!(),
                " bits"
            )),
            Self::CosizeOverflow { shape, stride } => m
                .str("the largest offset of ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(concat!(" does not fit in ", size_bits!(), " bits")),
            Self::IntegerOverflow { operation } => m.str(operation).str(concat!(
                ": a stride or an extent does not fit in ",
                size_bits!(),
                " bits"
            )),
            Self::CoordinateOutOfRange { coordinate, extent } => {
                m.str("coordinate ").num(*coordinate).str(" is not below extent ").num(*extent)
            }
            Self::CoordinateProfile { coordinate, shape } => m
                .str("coordinate ")
                .tuple(coordinate)
                .str(" has other modes than shape ")
                .tuple(shape),
            Self::ProfileRank { profile, shape } => m
                .str("profile ")
                .tuple(profile)
                .str(" has ")
                .num(profile.rank())
                .str(" modes, more than the ")
                .num(shape.rank())
                .str(" of shape ")
                .tuple(shape),
            Self::RunTimeLeaf => m.str("a static layout has no run-time leaves"),
            Self::CompositionCarry { place, extent, rest, run } => {
                let m = m
                    .operation(place.operation, place.by_mode)
                    .left_operand(place)
                    .str(" carries after ")
                    .num(*run)
                    .str(" steps of ")
                    .operand(place)
                    .str(", and ")
                    .num(*run)
                    .str(" does not divide ");
                if *rest == *extent {
                    m.str("its extent ").num(*extent)
                } else {
                    m.num(*rest).str(", what is left of its extent ").num(*extent)
                }
            }
            Self::CompositionOverlap { place, reach, extent } => m
                .operation(place.operation, place.by_mode)
                .str("the steps of ")
                .operand(place)
                .str(" together reach coordinate ")
                .num(*reach)
                .str(" in an extent of ")
                .num(*extent)
                .str(" of ")
                .left_operand(place),
            Self::ComplementOverlap { place, stride, covered } => {
                let m = m
                    .operation(place.operation, place.by_mode)
                    .str("stride ")
                    .num(*stride)
                    .str(" of ")
                    .operand(place);
                m.str(" lies inside the ")
                    .num(*covered)
                    .str(" offsets that its smaller strides cover")
            }
            Self::TilerRank { operation, mode, tiler, shape } => m
                .operation(operation, *mode)
                .str("the tiler has ")
                .num(*tiler)
                .str(" modes, more than the ")
                .num(shape.rank())
                .str(" of shape ")
                .tuple(shape),
            Self::KeepNeedsPair { operation, mode, shape } => m
                .operation(operation, *mode)
                .str("_ needs a mode that is a pair already, not ")
                .tuple(shape),
            Self::SliceTooShort { elements, shape, stride } => {
                let reach = match DynLayout::new(shape, stride) {
                    Ok(layout) => layout.cosize(),
                    Err(_) => MAX_SIZE,
                };
                m.str("the slice has ")
                    .num(*elements)
                    .str(" elements but layout ")
                    .tuple(shape)
                    .str(":")
                    .tuple(stride)
                    .str(" reaches ")
                    .num(reach)
            }
            Self::SwizzledSliceTooShort { elements, swizzle, offset, shape, stride } => {
                let reach = match DynLayout::new(shape, stride) {
                    Ok(layout) => match ComposedLayout::new(swizzle, *offset, &layout) {
                        Ok(composed) => composed.cosize_bound(),
                        Err(_) => MAX_SIZE,
                    },
                    Err(_) => MAX_SIZE,
                };
                m.str("the slice has ")
                    .num(*elements)
                    .str(" elements but layout ")
                    .swizzle(swizzle)
                    .str(" o ")
                    .num(*offset)
                    .str(" o ")
                    .tuple(shape)
                    .str(":")
                    .tuple(stride)
                    .str(" reaches ")
                    .num(reach)
            }
            Self::SwizzledPlace { swizzle, shape, stride } => m
                .str("layout ")
                .swizzle(swizzle)
                .str(" o ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(" is swizzled, and only a plain layout or a placement can be here"),
            Self::NotInjective { shape, stride } => {
                m.str("layout ").tuple(shape).str(":").tuple(stride).str(
                    " maps two coordinates to one offset, so nothing can be written through it",
                )
            }
            Self::StorageTooLarge { element_bytes, shape, stride } => m
                .str("the elements of layout ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(", of ")
                .num(*element_bytes)
                .str(" bytes each, take more memory than one allocation can have"),
            Self::CopyShape { source, destination } => m
                .str("copy: source shape ")
                .tuple(source)
                .str(" is not destination shape ")
                .tuple(destination)
                .str(": ")
                .first_difference(source, destination),
            Self::MatrixRank { operand, shape } => m
                .str(operand)
                .str(" has shape ")
                .tuple(shape)
                .str(", and a matrix has 2 modes, not ")
                .num(shape.rank()),
            Self::TilesUneven { shape, tiles } => m
                .str("local_tile: tiles and their grid, ")
                .tuple(tiles)
                .str(", do not cover shape ")
                .tuple(shape)
                .str(" evenly"),
            Self::GemmInner { a, b } => m
                .str("gemm: A is ")
                .tuple(a)
                .str(" but B is ")
                .tuple(b)
                .str(": the ")
                .num(mode_size(a, 1))
                .str(" columns of A meet ")
                .num(mode_size(b, 0))
                .str(" rows of B"),
            Self::GemmRows { a, c } => m
                .str("gemm: A is ")
                .tuple(a)
                .str(" but C is ")
                .tuple(c)
                .str(": the ")
                .num(mode_size(a, 0))
                .str(" rows of A meet ")
                .num(mode_size(c, 0))
                .str(" rows of C"),
            Self::GemmColumns { b, c } => m
                .str("gemm: B is ")
                .tuple(b)
                .str(" but C is ")
                .tuple(c)
                .str(": the ")
                .num(mode_size(b, 1))
                .str(" columns of B meet ")
                .num(mode_size(c, 1))
                .str(" columns of C"),
        }
    }

    /// What would fit; empty when the message says it all.
    pub const fn help(&self) -> Message {
        let mut message = Message::new();
        self.write_help(&mut message);
        message
    }

    const fn write_help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::Notation(error) => error.help(m),
            Self::Morello(error) => error.help(m),
            Self::Spyre(error) => error.help(m),
            Self::Tenstorrent(error) => error.help(m),
            Self::Algebra(error) => error.help(m),
            Self::Einsum(error) => error.help(m),
            Self::EmptyTuple => m.str("write 1:0 for the layout of one element"),
            Self::StrideRank { .. } | Self::StrideNesting { .. } => {
                m.str("write one stride for each extent, nested in the same way")
            }
            Self::RunTimeLeaf => m.str("use Mixed, or the value of to_dyn()"),
            Self::CompositionCarry { place, .. }
                if matches!(place.operand, Operand::Rest) =>
            {
                m.other_tile(place)
            }
            Self::CompositionCarry { extent, rest, run, .. } if *extent == *rest => {
                m.str("an extent of at most ").num(*run).str(" would fit")
            }
            Self::CompositionCarry { extent, rest, run, .. } => {
                m.str("an extent of ").num(*extent / *rest * *run).str(" would fit")
            }
            Self::CompositionOverlap { place, .. }
                if matches!(place.operand, Operand::TileAndRest) =>
            {
                m.other_tile(place)
            }
            Self::CompositionOverlap { extent, .. } => {
                m.str("steps that reach at most coordinate ").num(*extent - 1).str(" would fit")
            }
            Self::ComplementOverlap { covered, .. } => {
                m.str("a stride of at least ").num(*covered).str(" would fit")
            }
            Self::TilerRank { shape, .. } => {
                let m = m.str("a tiler of at most ").num(shape.rank());
                m.str(if shape.rank() == 1 { " mode would fit" } else { " modes would fit" })
            }
            Self::KeepNeedsPair { .. } => m.str("write 1:0 instead of _ to keep that mode whole"),
            Self::NotInjective { .. } => {
                m.str("give every extent above 1 a stride that is not 0 and that no other modes add up to")
            }
            _ => m,
        }
    }
}

/// The size of mode `i`, of a shape that is known to be that of a layout.
#[inline(never)]
const fn mode_size(shape: &IntTuple, i: usize) -> usize {
    match shape.mode(i).product() {
        Ok(size) => size,
        Err(error) => error.panic(),
    }
}
