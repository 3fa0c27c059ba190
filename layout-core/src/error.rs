//! The error catalogue: everything that can be wrong with a layout, said once.
//!
//! The proc macro, run-time parsing, the engine, the type level and the kernels all report these
//! errors. The text is built by `const fn`s, so that a compile error and an `Err` read the same.

use core::fmt;

use crate::engine::{DynLayout, IntTuple, MAX_SIZE};
use crate::message::Message;

mod algebra;
mod entries;
mod metal;
mod morello;
mod notation;
mod place;
mod placement;
mod spyre;

pub use algebra::AlgebraError;
pub use entries::{Entry, Example, entries, entry};
pub use metal::MetalError;
pub use morello::MorelloError;
pub use notation::NotationError;
pub use place::{Operand, Place};
pub use placement::PlacementError;
pub use spyre::SpyreError;

/// Why there is no such layout, or no such use of it, with the numbers that do not fit.
///
/// `Display` prints one line; the alternate form `{:#}` adds a line with [`help`](Self::help).
///
/// ```
/// use layout_core::engine::DynLayout;
/// let a = DynLayout::parse("(6,2):(1,7)").unwrap();
/// let b = DynLayout::parse("4:2").unwrap();
/// assert_eq!(
///     a.composition(&b).unwrap_err().to_string(),
///     "composition: A carries after 3 steps of B, and 3 does not divide its extent 4"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// A text, or the tokens of `layout!`, that do not say what a layout is.
    Notation(NotationError),
    /// A Morello layout that is none, or does not apply to its shape.
    Morello(MorelloError),
    /// A placement that is none, or a place that it does not have.
    Placement(PlacementError),
    /// A Spyre layout that is none.
    Spyre(SpyreError),
    /// A Tenstorrent layout that is none, or a core that it does not have.
    Metal(MetalError),
    /// An operation of the algebra that does not apply to its operands.
    Algebra(AlgebraError),
    // ---- a layout by itself ----
    /// A tuple without modes.
    EmptyTuple,
    /// More leaves than the engine holds.
    TooManyLeaves {
        /// The most there may be.
        limit: usize,
    },
    /// Tuples nested deeper than the engine holds.
    TooDeep {
        /// The deepest there may be.
        limit: usize,
    },
    /// A shape and a stride with different numbers of modes.
    StrideRank {
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
        /// The stride, or the part of it that does not fit.
        stride: IntTuple,
    },
    /// A tuple in the shape where the stride has an integer, or the other way round.
    StrideNesting {
        /// The part of the shape.
        shape: IntTuple,
        /// The part of the stride.
        stride: IntTuple,
    },
    /// An extent of zero where a static layout, or an operation of the algebra, needs a domain.
    ZeroExtent,
    /// A product of extents above [`MAX_SIZE`].
    SizeOverflow {
        /// The shape whose size it is.
        shape: IntTuple,
    },
    /// An offset above [`MAX_SIZE`].
    CosizeOverflow {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A number, in the middle of an operation, above [`MAX_SIZE`].
    IntegerOverflow {
        /// The operation.
        operation: &'static str,
    },
    // ---- coordinates and profiles ----
    /// A coordinate outside its extent.
    CoordinateOutOfRange {
        /// The coordinate.
        coordinate: usize,
        /// What it must be below.
        extent: usize,
    },
    /// A coordinate whose modes are not those of the shape.
    CoordinateProfile {
        /// The coordinate, or the part of it that does not fit.
        coordinate: IntTuple,
        /// The shape, or the part of it that does not fit.
        shape: IntTuple,
    },
    /// A profile with more modes than the layout.
    ProfileRank {
        /// The profile.
        profile: IntTuple,
        /// The layout's shape.
        shape: IntTuple,
    },
    /// A run-time leaf where the type has to fix every number.
    RunTimeLeaf,
    // ---- the algebra ----
    /// `composition(A, B)`: an extent of B does not fit the runs that A allows.
    CompositionCarry {
        /// The mode of B.
        place: Place,
        /// The extent of B.
        extent: usize,
        /// What is left of it behind the steps that fit.
        rest: usize,
        /// How many steps A makes with one stride before an extent of it overflows.
        run: usize,
    },
    /// `composition(A, B)`: the modes of B together overflow an extent of A.
    CompositionOverlap {
        /// All of B.
        place: Place,
        /// The largest coordinate that the modes of B reach together.
        reach: usize,
        /// The extent of A.
        extent: usize,
    },
    /// `complement(L)`: a stride inside what the smaller strides cover.
    ComplementOverlap {
        /// The mode of L.
        place: Place,
        /// The stride.
        stride: usize,
        /// How far the modes with smaller strides reach.
        covered: usize,
    },
    /// A by-mode tiler with more modes than the layout.
    TilerRank {
        /// The operation.
        operation: &'static str,
        /// The mode of the layout, for a tiler inside a tiler.
        mode: Option<usize>,
        /// The number of modes of the tiler.
        tiler: usize,
        /// The shape of the layout, or of the mode of it.
        shape: IntTuple,
    },
    /// `_` in a zipped divide or product, for a mode that is not a pair already.
    KeepNeedsPair {
        /// The operation.
        operation: &'static str,
        /// The mode of the layout; nothing for all of it.
        mode: Option<usize>,
        /// The shape of the mode.
        shape: IntTuple,
    },
    // ---- tensors, views and kernels ----
    /// A slice with fewer elements than its layout reaches.
    SliceTooShort {
        /// How many elements the slice has.
        elements: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A layout that maps two coordinates to one offset, where elements are written through it.
    NotInjective {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A layout whose elements take more bytes than an allocation can have.
    StorageTooLarge {
        /// The size of one element in bytes.
        element_bytes: usize,
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A copy between shapes that are not the same, mode for mode.
    CopyShape {
        /// The shape of the source.
        source: IntTuple,
        /// The shape of the destination.
        destination: IntTuple,
    },
    /// An operand that is not a matrix.
    MatrixRank {
        /// The operation and its operand, as `"gemm: A"`.
        operand: &'static str,
        /// Its shape.
        shape: IntTuple,
    },
    /// A product where A has not as many columns as B has rows.
    GemmInner {
        /// The shape of A.
        a: IntTuple,
        /// The shape of B.
        b: IntTuple,
    },
    /// A product where A has not as many rows as C.
    GemmRows {
        /// The shape of A.
        a: IntTuple,
        /// The shape of C.
        c: IntTuple,
    },
    /// A product where B has not as many columns as C.
    GemmColumns {
        /// The shape of B.
        b: IntTuple,
        /// The shape of C.
        c: IntTuple,
    },
}

impl LayoutError {
    /// The error's stable name in documentation and tests, such as `L0203`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Notation(error) => error.code(),
            Self::Morello(error) => error.code(),
            Self::Placement(error) => error.code(),
            Self::Spyre(error) => error.code(),
            Self::Metal(error) => error.code(),
            Self::Algebra(error) => error.code(),
            Self::EmptyTuple => "L0201",
            Self::TooManyLeaves { .. } => "L0202",
            Self::StrideRank { .. } => "L0203",
            Self::StrideNesting { .. } => "L0204",
            Self::ZeroExtent => "L0205",
            Self::SizeOverflow { .. } => "L0206",
            Self::CosizeOverflow { .. } => "L0207",
            Self::IntegerOverflow { .. } => "L0208",
            Self::CoordinateOutOfRange { .. } => "L0209",
            Self::CoordinateProfile { .. } => "L0210",
            Self::ProfileRank { .. } => "L0211",
            Self::RunTimeLeaf => "L0212",
            Self::TooDeep { .. } => "L0213",
            Self::CompositionCarry { .. } => "L0301",
            Self::CompositionOverlap { .. } => "L0302",
            Self::ComplementOverlap { .. } => "L0303",
            Self::TilerRank { .. } => "L0304",
            Self::KeepNeedsPair { .. } => "L0305",
            Self::SliceTooShort { .. } => "L0501",
            Self::NotInjective { .. } => "L0502",
            Self::StorageTooLarge { .. } => "L0503",
            Self::CopyShape { .. } => "L0504",
            Self::MatrixRank { .. } => "L0505",
            Self::GemmInner { .. } => "L0506",
            Self::GemmRows { .. } => "L0507",
            Self::GemmColumns { .. } => "L0508",
        }
    }

    /// What is wrong, in one line: lower case, with numbers, without a full stop.
    pub const fn message(&self) -> Message {
        let m = Message::new();
        match self {
            Self::Notation(error) => error.message(),
            Self::Morello(error) => error.message(),
            Self::Placement(error) => error.message(),
            Self::Spyre(error) => error.message(),
            Self::Metal(error) => error.message(),
            Self::Algebra(error) => error.message(),
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
            Self::SizeOverflow { shape } => {
                m.str("the size of shape ").tuple(shape).str(" does not fit in 63 bits")
            }
            Self::CosizeOverflow { shape, stride } => m
                .str("the largest offset of ")
                .tuple(shape)
                .str(":")
                .tuple(stride)
                .str(" does not fit in 63 bits"),
            Self::IntegerOverflow { operation } => {
                m.str(operation).str(": a stride or an extent does not fit in 63 bits")
            }
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
        let m = Message::new();
        match self {
            Self::Notation(error) => error.help(),
            Self::Morello(error) => error.help(),
            Self::Spyre(error) => error.help(),
            Self::Metal(error) => error.help(),
            Self::Algebra(error) => error.help(),
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

    /// Ends const evaluation, or the program, with the message and the help.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        let message = self.message();
        let help = self.help();
        if help.as_str().is_empty() {
            panic!("{}", message.as_str());
        }
        let text = message.str("\n  help: ").str(help.as_str());
        panic!("{}", text.as_str());
    }
}

/// The size of mode `i`, of a shape that is known to be that of a layout.
const fn mode_size(shape: &IntTuple, i: usize) -> usize {
    match shape.mode(i).product() {
        Ok(size) => size,
        Err(error) => error.panic(),
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())?;
        let help = self.help();
        if f.alternate() && !help.as_str().is_empty() {
            write!(f, "\nhelp: {}", help.as_str())?;
        }
        Ok(())
    }
}

impl core::error::Error for LayoutError {}

impl From<NotationError> for LayoutError {
    fn from(error: NotationError) -> Self {
        Self::Notation(error)
    }
}

impl From<AlgebraError> for LayoutError {
    fn from(error: AlgebraError) -> Self {
        Self::Algebra(error)
    }
}

impl From<MorelloError> for LayoutError {
    fn from(error: MorelloError) -> Self {
        Self::Morello(error)
    }
}

impl From<MetalError> for LayoutError {
    fn from(error: MetalError) -> Self {
        Self::Metal(error)
    }
}

impl From<PlacementError> for LayoutError {
    fn from(error: PlacementError) -> Self {
        Self::Placement(error)
    }
}

impl From<SpyreError> for LayoutError {
    fn from(error: SpyreError) -> Self {
        Self::Spyre(error)
    }
}
