//! `AnyLayout`: the common interface of static, mixed and dynamic layouts.

use core::fmt::{Debug, Display};

use crate::engine::{DynLayout, IntTuple, Slicer};
use crate::error::LayoutError;
use crate::fallibility::{AtCompileTime, AtRunTime, Fallibility};
use crate::types::api::kind::Kind;
use crate::types::api::partition::{OwnPart, TileCoordinate, partition};
use crate::types::api::slice::SliceCoordinate;
use crate::types::api::tiler::AnyTiler;
use crate::types::core::domain::{CoordinateIn, Domain};
use crate::types::core::invalid::{Invalid, RunTimeLeaf};
use crate::types::core::mode_coord::ModeCoord;
use crate::types::core::modes::ModeTree;
use crate::types::core::sealed::Sealed;

/// A coordinate of the layout `L`.
///
/// * 1-D: a `usize` below the size counts through the whole layout, colexicographically (leftmost
///   fastest).
/// * R-D: a tuple with one number for each mode.
/// * h-D: nested tuples with the nesting of the shape.
/// * Any mixture: a number in place of a tuple of the shape counts through that tuple.
///
/// A one-tuple `(i,)` is a coordinate of a layout of rank 1. Tuples have up to eight parts. An
/// [`IntTuple`] may have more; its nesting is checked at run time.
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of the layout",
    label = "does not match the modes of the layout",
    note = "a coordinate is one `usize`, or a tuple with one `usize` for each mode, or nested as the shape is nested"
)]
pub trait Coordinate<L: AnyLayout>: CoordinateIn<L::Domain> {}
#[diagnostic::do_not_recommend]
impl<L: AnyLayout, C: CoordinateIn<L::Domain>> Coordinate<L> for C {}

/// A layout: static ([`Layout`](crate::types::Layout)), mixed ([`Mixed`](crate::types::Mixed)) or dynamic
/// ([`DynLayout`]).
///
/// It is a function from coordinates to offsets. Kernels and tensors are generic over it and decide
/// at compile time everything that [`STATIC`](Self::STATIC) determines.
#[diagnostic::on_unimplemented(
    message = "a layout is needed here",
    label = "not a static, mixed or dynamic layout",
    note = "an operation on run-time numbers returns a `Result`: write `?` after `layout!(..)`"
)]
pub trait AnyLayout:
    Sealed
    + AnyTiler<Kind: Kind<Fallibility = Self::Fallibility, Total = Self::Total>>
    + Copy
    + Display
    + Debug
    + Send
    + Sync
    + 'static
{
    /// The layout's value, if its type determines every number.
    ///
    /// If an operation of the algebra had no result, this is a compile error with the reason.
    const STATIC: Option<DynLayout>;

    /// Whether operations on this layout can fail at run time; they cannot if it is static.
    type Fallibility: Fallibility;

    /// The same for an operation that is defined for every layout. It cannot fail for a
    /// [`DynLayout`], either.
    type Total: Fallibility;

    /// A coordinate with one number for each mode, as a closure receives it: `usize`, `(usize,)`,
    /// `(usize, usize)` and so on, or an [`IntTuple`] if the rank is not known.
    type Coord: ModeCoord + CoordinateIn<Self::Domain>;

    /// The type that coordinates are checked against.
    #[doc(hidden)]
    type Domain: Domain;

    /// Extents and strides paired at the leaves. Carries no information for a [`DynLayout`].
    #[doc(hidden)]
    type Modes: ModeTree;

    /// The layout as a value.
    ///
    /// # Errors
    ///
    /// If run-time leaves give a size or an offset that does not fit.
    fn to_dyn(&self) -> Result<DynLayout, LayoutError>;

    /// [`to_dyn`](Self::to_dyn) without a copy. If no such value exists yet, it is built in `slot`.
    #[doc(hidden)]
    fn to_dyn_in<'a>(
        &'a self,
        slot: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError>;

    /// [`DynLayout::as_matrix`] of the layout. The layout must be valid.
    #[doc(hidden)]
    #[inline(always)]
    fn as_matrix(&self) -> Option<([usize; 2], [usize; 2])> {
        const {
            match &Self::STATIC {
                Some(layout) => layout.as_matrix(),
                None => None,
            }
        }
    }

    /// The offset of a coordinate; `None` if the engine must compute it.
    #[doc(hidden)]
    fn locate<C: CoordinateIn<Self::Domain>>(&self, coordinate: C) -> Option<usize>;

    /// The extents.
    ///
    /// # Panics
    ///
    /// If [`to_dyn`](Self::to_dyn) fails. The other queries panic in this case, too.
    #[track_caller]
    fn shape(&self) -> IntTuple {
        known_in(self, &mut None).shape()
    }

    /// The strides, congruent to the shape.
    #[track_caller]
    fn stride(&self) -> IntTuple {
        known_in(self, &mut None).stride()
    }

    /// The number of modes.
    #[track_caller]
    fn rank(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.rank,
            None => known_in(self, &mut None).rank(),
        }
    }

    /// The nesting depth of the modes: 0 for `4:1`, 1 for `(4,8):(8,1)`.
    #[track_caller]
    fn depth(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.depth,
            None => known_in(self, &mut None).depth(),
        }
    }

    /// The size of a mode: the product of the extents in it.
    ///
    /// ```
    /// use static_layout::{layout, prelude::*};
    /// let n = 5;
    /// let blocked = layout!((8, (4, n)):(4, (1, 32)));
    /// assert_eq!((blocked.extent(0), blocked.extent(1)), (8, 20));
    /// ```
    ///
    /// # Panics
    ///
    /// If `mode` is not below [`rank`](Self::rank), and if [`to_dyn`](Self::to_dyn) fails.
    #[inline]
    #[track_caller]
    fn extent(&self, mode: usize) -> usize {
        known_in(self, &mut None).extent(mode)
    }

    /// The number of coordinates: the product of the extents.
    #[track_caller]
    fn size(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.size,
            None => known_in(self, &mut None).size(),
        }
    }

    /// One more than the largest offset; 0 if there is no coordinate.
    #[track_caller]
    fn cosize(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.cosize,
            None => known_in(self, &mut None).cosize(),
        }
    }

    /// The offset of a coordinate: `L(c) = sum of c_i * d_i`. See [`Coordinate`] for the forms of
    /// coordinates. One that does not fit the modes of a static or mixed layout is a compile error.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::AnyLayout;
    /// let l = DynLayout::parse("(2,(2,2)):(4,(1,2))").unwrap();
    /// assert_eq!((l.offset(5), l.offset((1, 2)), l.offset((1, (0, 1)))), (6, 6, 6));
    /// ```
    ///
    /// # Panics
    ///
    /// If the coordinate lies outside the shape, as in slice indexing; see
    /// [`try_offset`](Self::try_offset). The message has the mode, the coordinate and the layout. In
    /// the notation, a constant coordinate is checked at compile time:
    /// `layout!(slice((4,8):(8,1), (4,_)))`.
    #[doc(alias = "crd2idx")]
    #[inline(always)]
    #[track_caller]
    fn offset<C: Coordinate<Self>>(&self, coordinate: C) -> usize {
        match self.locate(coordinate) {
            Some(offset) => offset,
            None => offset_or_panic(self, coordinate),
        }
    }

    /// [`offset`](Self::offset) of a coordinate that may lie outside the shape.
    ///
    /// # Errors
    ///
    /// If the coordinate lies outside the shape, does not fit the modes of a [`DynLayout`], or if
    /// the run-time leaves of a mixed layout give numbers that do not fit.
    #[inline(always)]
    fn try_offset<C: Coordinate<Self>>(&self, coordinate: C) -> Result<usize, LayoutError> {
        match self.locate(coordinate) {
            Some(offset) => Ok(offset),
            None => offset_by_engine(self, coordinate),
        }
    }

    /// The layout of the modes that `..` keeps, and the offset of the other modes:
    /// `L(c) = slice(kept part of c) + offset`.
    ///
    /// A slice of a static layout is static. Modes kept inside a tuple become modes of the slice, as
    /// in CuTe's `slice_and_offset`; a single `..` is the whole layout.
    ///
    /// ```
    /// use static_layout::{AnyLayout, layout};
    /// let rows = layout!((4,8):(8,1));
    /// let (third, offset): (layout!((8):(1)), usize) = rows.slice((2, ..));
    /// assert_eq!((third.to_string().as_str(), offset), ("(8):(1)", 16));
    /// ```
    ///
    /// # Panics
    ///
    /// If the coordinate lies outside the shape, as in slice indexing; see
    /// [`try_slice`](Self::try_slice).
    #[doc(alias = "slice_and_offset")]
    #[inline]
    #[track_caller]
    fn slice<C: SliceCoordinate<Self>>(&self, coordinate: C) -> (C::Slice, usize) {
        match coordinate.slice(self) {
            Ok(slice) => slice,
            Err(error) => outside(self, coordinate.to_slicer(), &error),
        }
    }

    /// [`slice`](Self::slice) with a coordinate that may lie outside the shape.
    ///
    /// # Errors
    ///
    /// If a number lies outside the shape. For a [`DynLayout`] also if the coordinate does not fit
    /// the modes or keeps none; for a static layout that is a compile error.
    #[inline]
    fn try_slice<C: SliceCoordinate<Self>>(
        &self,
        coordinate: C,
    ) -> Result<(C::Slice, usize), LayoutError> {
        coordinate.slice(self)
    }

    /// The modes that numbers fix: those that [`slice`](Self::slice) leaves out. The values of the
    /// numbers are ignored.
    ///
    /// ```
    /// use static_layout::{AnyLayout, layout};
    /// let rows = layout!((4,8):(8,1));
    /// assert_eq!(rows.dice((0, ..)), layout!((4):(8)));
    /// ```
    ///
    /// # Errors
    ///
    /// For a [`DynLayout`], if the coordinate does not fit the modes, or has no number. For a layout
    /// with a static structure both are compile errors.
    fn dice<C: SliceCoordinate<Self>>(
        &self,
        coordinate: C,
    ) -> <Self::Fallibility as Fallibility>::Outcome<C::Dice> {
        Self::Fallibility::outcome(coordinate.dice(self))
    }

    /// The layout and the offset of a coordinate: the same elements, relative to that offset.
    ///
    /// # Panics
    ///
    /// If the coordinate lies outside the shape, as in slice indexing.
    #[track_caller]
    fn domain_offset<C: Coordinate<Self>>(&self, coordinate: C) -> (Self, usize) {
        (*self, self.offset(coordinate))
    }

    /// The tile at a coordinate of the grid of tiles, and its offset: a
    /// [`zipped_divide`](crate::types::Algebra::zipped_divide) with the grid sliced.
    ///
    /// `L(c) = tile(c in the tile) + offset`. If the coordinate consists of numbers, the type of the
    /// tile is [`LocalTile`](crate::types::LocalTile). Modes of the grid that the coordinate keeps
    /// with `..`, or does not mention, follow the modes of the tile.
    ///
    /// ```
    /// use static_layout::{AnyLayout, LocalTile, layout};
    /// type Rows = layout!((8,12):(12,1));
    /// type ByMode = layout!(<4:1, 3:1>);
    /// let (tile, offset): (LocalTile<Rows, ByMode>, usize) =
    ///     Rows::default().local_tile(&ByMode::default(), (1, 2));
    /// assert_eq!((tile.to_string().as_str(), offset), ("(4,3):(12,1)", 54));
    /// let (tiles, offset) = Rows::default().local_tile(&ByMode::default(), (1, ..));
    /// assert_eq!((tiles.to_string().as_str(), offset), ("(4,3,4):(12,1,3)", 48));
    /// // With a run-time stride, the shape of the tile is still in the type.
    /// let n = 10;
    /// let columns = layout!((8,12):(1,n));
    /// let (tile, offset): (layout!((4,3):(1,_)), usize) =
    ///     columns.local_tile(&ByMode::default(), (1, 2));
    /// assert_eq!((tile.to_string().as_str(), offset), ("(4,3):(1,10)", 64));
    /// ```
    ///
    /// # Panics
    ///
    /// If the coordinate lies outside the grid, as in slice indexing, or if the run-time numbers
    /// allow no such tiles; see [`try_local_tile`](Self::try_local_tile).
    #[doc(alias = "inner_partition")]
    #[inline(always)]
    #[track_caller]
    fn local_tile<T: AnyTiler, C: TileCoordinate<Self, T>>(
        &self,
        tiler: &T,
        coordinate: C,
    ) -> (C::Tile, usize) {
        match coordinate.tile(self, tiler) {
            Ok(tile) => tile,
            Err(error) => outside_grid(self, &error),
        }
    }

    /// [`local_tile`](Self::local_tile) with a coordinate that may lie outside the grid.
    ///
    /// # Errors
    ///
    /// If a number lies outside the grid; for run-time numbers also the errors of
    /// [`zipped_divide`](crate::types::Algebra::zipped_divide).
    #[inline(always)]
    fn try_local_tile<T: AnyTiler, C: TileCoordinate<Self, T>>(
        &self,
        tiler: &T,
        coordinate: C,
    ) -> Result<(C::Tile, usize), LayoutError> {
        coordinate.tile(self, tiler)
    }

    /// The part of one of `threads`, repeated over this layout, and the offset of its first element:
    /// a [`zipped_divide`](crate::types::Algebra::zipped_divide) by the shape of the threads with
    /// the tile sliced.
    ///
    /// The thread is the coordinate whose value in `threads` is this index, the first one if there
    /// are several.
    ///
    /// ```
    /// use static_layout::{AnyLayout, layout};
    /// use static_layout::types::LocalPartition;
    /// type Rows = layout!((8,12):(12,1));
    /// type Threads = layout!((2,4):(4,1));
    /// let (own, offset): (LocalPartition<Rows, Threads>, usize) =
    ///     Rows::default().local_partition(&Threads::default(), 6);
    /// assert_eq!((own.to_string().as_str(), offset), ("(4,3):(24,4)", 14));
    /// ```
    ///
    /// # Panics
    ///
    /// If no thread has the index, or if the run-time numbers allow no such tiles; see
    /// [`try_local_partition`](Self::try_local_partition).
    #[doc(alias = "outer_partition")]
    #[inline(always)]
    #[track_caller]
    fn local_partition<T: AnyLayout>(
        &self,
        threads: &T,
        index: usize,
    ) -> (OwnPart<Self, T>, usize) {
        or_fail!(partition(self, threads, index))
    }

    /// [`local_partition`](Self::local_partition) with an index that may belong to no thread.
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NotInImage`](crate::error::AlgebraError::NotInImage); for run-time numbers
    /// also the errors of [`zipped_divide`](crate::types::Algebra::zipped_divide).
    #[inline(always)]
    fn try_local_partition<T: AnyLayout>(
        &self,
        threads: &T,
        index: usize,
    ) -> Result<(OwnPart<Self, T>, usize), LayoutError> {
        partition(self, threads, index)
    }

    /// The longest vector that can be copied between both layouts, as a number of elements:
    /// [`algebra::max_common_vector`](crate::engine::algebra::max_common_vector). For static layouts
    /// it is a constant, and [`MaxCommonVector`](crate::types::MaxCommonVector) is the type.
    ///
    /// ```
    /// use static_layout::{AnyLayout, layout};
    /// let (dense, sparse) = (layout!(8:1), layout!(8:2));
    /// assert_eq!((dense.max_common_vector(&dense), dense.max_common_vector(&sparse)), (8, 1));
    /// ```
    #[track_caller]
    fn max_common_vector<B: AnyLayout>(&self, b: &B) -> usize {
        match const { common_of_static::<Self, B>() } {
            Some(n) => n,
            None => known_in(self, &mut None).max_common_vector(known_in(b, &mut None)),
        }
    }
}

/// The slow path of [`AnyLayout::locate`]: mostly errors.
#[cold]
#[inline(never)]
fn offset_by_engine<L: AnyLayout, C: Coordinate<L>>(
    layout: &L,
    coordinate: C,
) -> Result<usize, LayoutError> {
    layout.to_dyn()?.offset_of(&coordinate.to_tuple()?)
}

/// [`offset_by_engine`] that panics on an error. Separate from the fast path.
#[cold]
#[inline(never)]
#[track_caller]
fn offset_or_panic<L: AnyLayout, C: Coordinate<L>>(layout: &L, coordinate: C) -> usize {
    match offset_by_engine(layout, coordinate) {
        Ok(offset) => offset,
        Err(error) => outside(layout, coordinate.to_tuple().map(Slicer::from), &error),
    }
}

/// Panics with the error, the coordinate and the layout.
#[cold]
#[inline(never)]
#[track_caller]
fn outside<L: AnyLayout>(
    layout: &L,
    coordinate: Result<Slicer, LayoutError>,
    error: &LayoutError,
) -> ! {
    match (coordinate, layout.to_dyn()) {
        (Ok(coordinate), Ok(layout)) => error.panic_at(&coordinate, &layout),
        _ => error.fail(),
    }
}

/// Panics with the error, and the layout in whose grid of tiles the coordinate is.
#[cold]
#[inline(never)]
#[track_caller]
fn outside_grid<L: AnyLayout>(layout: &L, error: &LayoutError) -> ! {
    match layout.to_dyn() {
        Ok(layout) => error.panic_in_grid(&layout),
        Err(_) => error.fail(),
    }
}

/// The numbers of a static layout, so that queries are constants.
struct Numbers {
    rank: usize,
    depth: usize,
    size: usize,
    cosize: usize,
}

const fn of_static<L: AnyLayout>() -> Option<Numbers> {
    match L::STATIC {
        Some(l) => {
            Some(Numbers { rank: l.rank(), depth: l.depth(), size: l.size(), cosize: l.cosize() })
        }
        None => None,
    }
}

const fn common_of_static<A: AnyLayout, B: AnyLayout>() -> Option<usize> {
    match (A::STATIC, B::STATIC) {
        (Some(a), Some(b)) => Some(a.max_common_vector(&b)),
        _ => None,
    }
}

/// [`AnyLayout::to_dyn_in`] for a query that returns no `Err`.
#[inline(always)]
#[track_caller]
fn known_in<'a, L: AnyLayout>(layout: &'a L, room: &'a mut Option<DynLayout>) -> &'a DynLayout {
    match layout.to_dyn_in(room) {
        Ok(layout) => layout,
        Err(error) => error.fail(),
    }
}

impl AnyLayout for DynLayout {
    const STATIC: Option<DynLayout> = None;
    type Fallibility = AtRunTime;
    type Total = AtCompileTime;
    type Coord = IntTuple;
    type Domain = Self;
    type Modes = Invalid<RunTimeLeaf>;
    fn to_dyn(&self) -> Result<DynLayout, LayoutError> {
        Ok(*self)
    }
    #[inline(always)]
    fn to_dyn_in<'a>(&'a self, _: &'a mut Option<DynLayout>) -> Result<&'a DynLayout, LayoutError> {
        Ok(self)
    }
    #[inline(always)]
    fn as_matrix(&self) -> Option<([usize; 2], [usize; 2])> {
        Self::as_matrix(self)
    }
    #[inline]
    fn locate<C: CoordinateIn<Self>>(&self, coordinate: C) -> Option<usize> {
        coordinate.locate(self)
    }
}
