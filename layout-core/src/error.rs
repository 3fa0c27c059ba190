//! The error catalogue: everything that can be wrong with a layout, said once.
//!
//! The proc macro, run-time parsing, the engine, the type level and the kernels all report these
//! errors. The text is built by `const fn`s, so that a compile error and an `Err` read the same.

use core::fmt;

use crate::engine::{IntTuple, Swizzle};

mod algebra;
mod einsum;
mod entries;
mod metal;
mod morello;
mod notation;
mod place;
mod placement;
mod spyre;
mod words;

pub use algebra::AlgebraError;
pub use einsum::EinsumError;
pub use entries::{Entry, Example, entries, entry};
pub use metal::TenstorrentError;
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
    Tenstorrent(TenstorrentError),
    /// An operation of the algebra that does not apply to its operands.
    Algebra(AlgebraError),
    /// Letters of a contraction that do not fit each other, or their tensors.
    Einsum(EinsumError),
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
    /// A product of extents above [`MAX_SIZE`](crate::engine::MAX_SIZE).
    SizeOverflow {
        /// The shape whose size it is.
        shape: IntTuple,
    },
    /// An offset above [`MAX_SIZE`](crate::engine::MAX_SIZE).
    CosizeOverflow {
        /// The shape of the layout.
        shape: IntTuple,
        /// The stride of the layout.
        stride: IntTuple,
    },
    /// A number, in the middle of an operation, above [`MAX_SIZE`](crate::engine::MAX_SIZE).
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
    /// A slice with fewer elements than its swizzled layout reaches.
    SwizzledSliceTooShort {
        /// How many elements the slice has.
        elements: usize,
        /// The swizzle.
        swizzle: Swizzle,
        /// What is added to the offsets of the layout.
        offset: usize,
        /// The shape of the layout behind the swizzle.
        shape: IntTuple,
        /// The stride of the layout behind the swizzle.
        stride: IntTuple,
    },
    /// A swizzled layout where a plain layout or a placement is needed.
    SwizzledPlace {
        /// The swizzle.
        swizzle: Swizzle,
        /// The shape of the layout behind it.
        shape: IntTuple,
        /// The stride of the layout behind it.
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
    /// Tiles that reach beyond a shape, or leave some of it out.
    TilesUneven {
        /// The shape.
        shape: IntTuple,
        /// That of its tiles and their grid.
        tiles: IntTuple,
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
    #[inline]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Notation(error) => error.code(),
            Self::Morello(error) => error.code(),
            Self::Placement(error) => error.code(),
            Self::Spyre(error) => error.code(),
            Self::Tenstorrent(error) => error.code(),
            Self::Algebra(error) => error.code(),
            Self::Einsum(error) => error.code(),
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
            Self::SwizzledSliceTooShort { .. } => "L0509",
            Self::SwizzledPlace { .. } => "L0510",
            Self::NotInjective { .. } => "L0502",
            Self::StorageTooLarge { .. } => "L0503",
            Self::CopyShape { .. } => "L0504",
            Self::MatrixRank { .. } => "L0505",
            Self::GemmInner { .. } => "L0506",
            Self::GemmRows { .. } => "L0507",
            Self::GemmColumns { .. } => "L0508",
            Self::TilesUneven { .. } => "L0511",
        }
    }

    /// Ends const evaluation, or the program, with the message and the help.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        let (mut message, help) = (self.message(), self.help());
        if help.as_str().is_empty() {
            panic!("{}", message.as_str());
        }
        message.str("\n  help: ").str(help.as_str());
        panic!("{}", message.as_str());
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

impl From<EinsumError> for LayoutError {
    fn from(error: EinsumError) -> Self {
        Self::Einsum(error)
    }
}

impl From<MorelloError> for LayoutError {
    fn from(error: MorelloError) -> Self {
        Self::Morello(error)
    }
}

impl From<TenstorrentError> for LayoutError {
    fn from(error: TenstorrentError) -> Self {
        Self::Tenstorrent(error)
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
