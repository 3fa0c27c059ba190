//! `AnyLayout`: what static, mixed and dynamic layouts have in common.

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
/// * 1-D: a `usize` below the size counts through the whole layout, colexicographically
///   (leftmost fastest).
/// * R-D: a tuple with one number for each mode.
/// * h-D: nested tuples, as the shape is nested.
/// * And any mixture: a number where the shape has a tuple counts through that tuple.
///
/// A one-tuple `(i,)` is a coordinate of a layout of rank 1. Tuples have up to eight parts; an
/// [`IntTuple`] may have more, and its profile is checked at run time.
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of the layout",
    label = "a coordinate with other modes than the layout",
    note = "a coordinate is one `usize`, or a tuple with one `usize` for each mode, or nested as the shape is nested"
)]
pub trait Coordinate<L: AnyLayout>: CoordinateIn<L::Domain> {}
#[diagnostic::do_not_recommend]
impl<L: AnyLayout, C: CoordinateIn<L::Domain>> Coordinate<L> for C {}

/// A layout: static ([`Layout`](crate::types::Layout)), mixed ([`Mixed`](crate::types::Mixed)) or dynamic
/// ([`DynLayout`]).
///
/// It is a function from coordinates to offsets. Kernels and tensors are generic over it and
/// decide at compile time whatever [`STATIC`](Self::STATIC) makes known.
#[diagnostic::on_unimplemented(
    message = "a layout is needed here",
    label = "not a static, mixed or dynamic layout",
    note = "an operation on numbers that are known at run time is a `Result`: write `?` behind `layout!(..)`"
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
    /// The layout's value, when its type fixes every number.
    ///
    /// A compile error names the reason where an operation of the algebra had no result.
    const STATIC: Option<DynLayout>;

    /// What can still go wrong with this layout when the program runs: nothing, for a static one.
    type Fallibility: Fallibility;

    /// The same for an operation that each layout has a result of: nothing for a [`DynLayout`], too.
    type Total: Fallibility;

    /// A coordinate with one number for each mode, as a closure receives it: `usize`, `(usize,)`,
    /// `(usize, usize)` and so on, and a slice-like value when the rank is not known.
    type Coord: ModeCoord + CoordinateIn<Self::Domain>;

    /// What coordinates are checked against.
    #[doc(hidden)]
    type Domain: Domain;

    /// Extents and strides paired at the leaves; nothing that helps for a [`DynLayout`].
    #[doc(hidden)]
    type Modes: ModeTree;

    /// The layout as a value.
    ///
    /// # Errors
    ///
    /// When run-time leaves make a size or an offset that does not fit.
    fn to_dyn(&self) -> Result<DynLayout, LayoutError>;

    /// The layout as a value, where it is one already.
    #[doc(hidden)]
    #[inline(always)]
    fn as_dyn(&self) -> Option<&DynLayout> {
        None
    }

    /// [`DynLayout::as_matrix`] of the layout, which has a value.
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

    /// The offset of a coordinate, or nothing where the engine has to be asked.
    #[doc(hidden)]
    fn locate<C: CoordinateIn<Self::Domain>>(&self, coordinate: C) -> Option<usize>;

    /// The extents.
    ///
    /// # Panics
    ///
    /// Where [`to_dyn`](Self::to_dyn) fails; so do the other queries.
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

    /// How deep the modes are nested: 0 for `4:1`, 1 for `(4,8):(8,1)`.
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
    /// When `mode` is not below [`rank`](Self::rank), and where [`to_dyn`](Self::to_dyn) fails.
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

    /// One more than the largest offset, and 0 when there is no coordinate.
    #[track_caller]
    fn cosize(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.cosize,
            None => known_in(self, &mut None).cosize(),
        }
    }

    /// The offset of a coordinate: `L(c) = sum of c_i * d_i`. See [`Coordinate`] for what may be a
    /// coordinate; one that does not fit a static or mixed layout's modes is a compile error.
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
    /// When the coordinate lies outside the shape, as indexing a slice does; see
    /// [`try_offset`](Self::try_offset). The message has the mode, the coordinate and the layout. A
    /// coordinate of constants is a compile error in the notation: `layout!(slice((4,8):(8,1), (4,_)))`.
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
    /// When the coordinate lies outside the shape, has other modes than a [`DynLayout`], or when
    /// the run-time leaves of a mixed layout make numbers that do not fit.
    #[inline(always)]
    fn try_offset<C: Coordinate<Self>>(&self, coordinate: C) -> Result<usize, LayoutError> {
        match self.locate(coordinate) {
            Some(offset) => Ok(offset),
            None => offset_by_engine(self, coordinate),
        }
    }

    /// The layout of the modes that `..` keeps, and the offset of the others:
    /// `L(c) = slice(kept part of c) + offset`.
    ///
    /// A slice of a static layout is static. Modes kept inside a tuple become modes of the slice,
    /// as in CuTe's `slice_and_offset`; `..` alone is the whole layout.
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
    /// When the coordinate lies outside the shape, as indexing a slice does; see
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
    /// When a number lies outside the shape; for a [`DynLayout`] also when the coordinate has other
    /// modes or keeps none, which is a compile error for a static layout.
    #[inline]
    fn try_slice<C: SliceCoordinate<Self>>(
        &self,
        coordinate: C,
    ) -> Result<(C::Slice, usize), LayoutError> {
        coordinate.slice(self)
    }

    /// The modes that numbers fix: the others of a [`slice`](Self::slice). What the numbers are
    /// means nothing.
    ///
    /// ```
    /// use static_layout::{AnyLayout, layout};
    /// let rows = layout!((4,8):(8,1));
    /// assert_eq!(rows.dice((0, ..)), layout!((4):(8)));
    /// ```
    ///
    /// # Errors
    ///
    /// For a [`DynLayout`] when the coordinate has other modes, or no number; both are compile errors
    /// for a layout with a structure that is known.
    fn dice<C: SliceCoordinate<Self>>(
        &self,
        coordinate: C,
    ) -> <Self::Fallibility as Fallibility>::Outcome<C::Dice> {
        Self::Fallibility::outcome(coordinate.dice(self))
    }

    /// The layout and the offset of a coordinate: the same elements, counted from there.
    ///
    /// # Panics
    ///
    /// When the coordinate lies outside the shape, as indexing a slice does.
    #[track_caller]
    fn domain_offset<C: Coordinate<Self>>(&self, coordinate: C) -> (Self, usize) {
        (*self, self.offset(coordinate))
    }

    /// The tile at a coordinate of the grid of tiles, and its offset: a
    /// [`zipped_divide`](crate::types::Algebra::zipped_divide) with the grid sliced.
    ///
    /// `L(c) = tile(c in the tile) + offset`. The tile is a type: [`LocalTile`](crate::types::LocalTile)
    /// where the coordinate is all numbers. Modes of the grid that it keeps with `..`, or has no
    /// number for, come after those of the tile.
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
    /// // Of a layout with a run-time stride: the shape of the tile is in the type.
    /// let n = 10;
    /// let columns = layout!((8,12):(1,n));
    /// let (tile, offset): (layout!((4,3):(1,_)), usize) =
    ///     columns.local_tile(&ByMode::default(), (1, 2));
    /// assert_eq!((tile.to_string().as_str(), offset), ("(4,3):(1,10)", 64));
    /// ```
    ///
    /// # Panics
    ///
    /// When the coordinate lies outside the grid, as indexing a slice does, or run-time numbers
    /// have no such tiles; see [`try_local_tile`](Self::try_local_tile).
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
    /// When a number lies outside the grid; for run-time numbers also those of
    /// [`zipped_divide`](crate::types::Algebra::zipped_divide).
    #[inline(always)]
    fn try_local_tile<T: AnyTiler, C: TileCoordinate<Self, T>>(
        &self,
        tiler: &T,
        coordinate: C,
    ) -> Result<(C::Tile, usize), LayoutError> {
        coordinate.tile(self, tiler)
    }

    /// What one of `threads` has when they are repeated over this layout, and the offset of its
    /// first element: a [`zipped_divide`](crate::types::Algebra::zipped_divide) by the shape of the threads
    /// with the tile sliced.
    ///
    /// The thread is the one with this index in `threads`, the first one if there are several.
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
    /// When no thread has the index, or run-time numbers have no such tiles; see
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

    /// [`local_partition`](Self::local_partition) with an index that may be that of no thread.
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NotInImage`](crate::error::AlgebraError::NotInImage); for run-time numbers also
    /// those of [`zipped_divide`](crate::types::Algebra::zipped_divide).
    #[inline(always)]
    fn try_local_partition<T: AnyLayout>(
        &self,
        threads: &T,
        index: usize,
    ) -> Result<(OwnPart<Self, T>, usize), LayoutError> {
        partition(self, threads, index)
    }

    /// The longest vector that can be copied between both layouts, a number of elements:
    /// [`algebra::max_common_vector`](crate::engine::algebra::max_common_vector). For static layouts it is a constant, and
    /// [`MaxCommonVector`](crate::types::MaxCommonVector) as a type.
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

/// What [`AnyLayout::locate`] had no answer for: mostly errors.
#[cold]
#[inline(never)]
fn offset_by_engine<L: AnyLayout, C: Coordinate<L>>(
    layout: &L,
    coordinate: C,
) -> Result<usize, LayoutError> {
    layout.to_dyn()?.offset_of(&coordinate.to_tuple()?)
}

/// [`offset_by_engine`], apart from the code that has the offset.
#[cold]
#[inline(never)]
#[track_caller]
fn offset_or_panic<L: AnyLayout, C: Coordinate<L>>(layout: &L, coordinate: C) -> usize {
    match offset_by_engine(layout, coordinate) {
        Ok(offset) => offset,
        Err(error) => outside(layout, coordinate.to_tuple().map(Slicer::from), &error),
    }
}

/// Panics with the error, the coordinate that it is about and the layout.
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

/// Panics with the error, and the layout whose tiles the coordinate counts.
#[cold]
#[inline(never)]
#[track_caller]
fn outside_grid<L: AnyLayout>(layout: &L, error: &LayoutError) -> ! {
    match layout.to_dyn() {
        Ok(layout) => error.panic_in_grid(&layout),
        Err(_) => error.fail(),
    }
}

/// The numbers of a static layout, so that asking for them costs nothing.
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

/// The layout as a value, in a query that has no `Err`: not copied, but made in `room` where it is
/// no value yet.
#[inline(always)]
#[track_caller]
fn known_in<'a, L: AnyLayout>(layout: &'a L, room: &'a mut Option<DynLayout>) -> &'a DynLayout {
    match (const { &L::STATIC }, layout.as_dyn()) {
        (Some(layout), _) | (None, Some(layout)) => layout,
        (None, None) => match layout.to_dyn() {
            Ok(layout) => room.insert(layout),
            Err(error) => error.fail(),
        },
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
    fn as_dyn(&self) -> Option<&DynLayout> {
        Some(self)
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
