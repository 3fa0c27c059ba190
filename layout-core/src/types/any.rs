//! `AnyLayout`: what static, mixed and dynamic layouts have in common.

use core::fmt::{Debug, Display};

use super::coordinate::{Coordinate, CoordinateIn, Domain};
use super::kind::Kind;
use super::modes::ModeTree;
use super::reason::{Invalid, RunTimeLeaf};
use super::sealed::Sealed;
use super::slice::SliceCoordinate;
use super::tiler::AnyTiler;
use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;

/// A layout: static ([`Layout`](super::Layout)), mixed ([`Mixed`](super::Mixed)) or dynamic
/// ([`DynLayout`]).
///
/// It is a function from coordinates to offsets. Kernels and tensors are generic over it and
/// decide at compile time whatever [`STATIC`](Self::STATIC) makes known.
#[diagnostic::on_unimplemented(
    message = "a layout is needed here",
    label = "not a static, mixed or dynamic layout"
)]
pub trait AnyLayout:
    Sealed + AnyTiler<Kind: Kind<Check = Self::Check>> + Copy + Display + Debug + Send + Sync + 'static
{
    /// The layout's value, when its type fixes every number.
    ///
    /// A compile error names the reason where an operation of the algebra had no result.
    const STATIC: Option<DynLayout>;

    /// What can still go wrong with this layout when the program runs: nothing, for a static one.
    type Check: Check;

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
        known(self).shape()
    }

    /// The strides, congruent to the shape.
    #[track_caller]
    fn stride(&self) -> IntTuple {
        known(self).stride()
    }

    /// The number of modes.
    #[track_caller]
    fn rank(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.rank,
            None => known(self).rank(),
        }
    }

    /// How deep the modes are nested: 0 for `4:1`, 1 for `(4,8):(8,1)`.
    #[track_caller]
    fn depth(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.depth,
            None => known(self).depth(),
        }
    }

    /// The number of coordinates: the product of the extents.
    #[track_caller]
    fn size(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.size,
            None => known(self).size(),
        }
    }

    /// One more than the largest offset, and 0 when there is no coordinate.
    #[track_caller]
    fn cosize(&self) -> usize {
        match const { of_static::<Self>() } {
            Some(numbers) => numbers.cosize,
            None => known(self).cosize(),
        }
    }

    /// The offset of a coordinate: `L(c) = sum of c_i * d_i`. See [`Coordinate`] for what may be a
    /// coordinate; one that does not fit a static or mixed layout's modes is a compile error.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// use layout_core::types::AnyLayout;
    /// let l = DynLayout::parse("(2,(2,2)):(4,(1,2))").unwrap();
    /// assert_eq!((l.offset(5), l.offset((1, 2)), l.offset((1, (0, 1)))), (6, 6, 6));
    /// ```
    ///
    /// # Panics
    ///
    /// When the coordinate lies outside the shape, as indexing a slice does; see
    /// [`try_offset`](Self::try_offset).
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
    /// use layout_core::types::{AnyLayout, Cons, Layout, Nil};
    /// use typenum::{U1, U4, U8};
    /// let rows = Layout::<Cons<U4, Cons<U8, Nil>>, Cons<U8, Cons<U1, Nil>>>;
    /// let (third, offset): (Layout<Cons<U8, Nil>, Cons<U1, Nil>>, usize) = rows.slice((2, ..));
    /// assert_eq!((third.to_string().as_str(), offset), ("(8):(1)", 16));
    /// ```
    ///
    /// # Panics
    ///
    /// When the coordinate lies outside the shape, as indexing a slice does; see
    /// [`try_slice`](Self::try_slice).
    #[doc(alias = "slice_and_offset")]
    #[track_caller]
    fn slice<C: SliceCoordinate<Self>>(&self, coordinate: C) -> (C::Slice, usize) {
        match coordinate.slice(self) {
            Ok(slice) => slice,
            Err(error) => error.panic(),
        }
    }

    /// [`slice`](Self::slice) with a coordinate that may lie outside the shape.
    ///
    /// # Errors
    ///
    /// When a number lies outside the shape; for a [`DynLayout`] also when the coordinate has other
    /// modes or keeps none, which is a compile error for a static layout.
    fn try_slice<C: SliceCoordinate<Self>>(
        &self,
        coordinate: C,
    ) -> Result<(C::Slice, usize), LayoutError> {
        coordinate.slice(self)
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
        Err(error) => error.panic(),
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

/// The layout as a value, in a query that has no `Err`.
#[inline(always)]
#[track_caller]
fn known<L: AnyLayout>(layout: &L) -> DynLayout {
    match L::STATIC {
        Some(layout) => layout,
        None => match layout.to_dyn() {
            Ok(layout) => layout,
            Err(error) => error.panic(),
        },
    }
}

/// Whether the checks of a call are done by the compiler or when the program runs.
///
/// A kernel returns [`Outcome<T>`](Self::Outcome): plain `T` when every layout in the call is
/// static, because then nothing is left that could fail, and `Result<T, LayoutError>` otherwise.
pub trait Check: 'static {
    /// The check of a call with another layout in it.
    type And<Other: Check>: Check;
    /// `T`, or `Result<T, LayoutError>`.
    type Outcome<T>;
    /// Makes an outcome.
    ///
    /// # Panics
    ///
    /// [`AtCompileTime`] panics on an `Err`. The caller has checked the same in a `const`.
    fn outcome<T>(result: Result<T, LayoutError>) -> Self::Outcome<T>;
    /// The outcome as a `Result`, for generic code.
    ///
    /// # Errors
    ///
    /// The `Err` that the outcome holds; never for [`AtCompileTime`].
    fn into_result<T>(outcome: Self::Outcome<T>) -> Result<T, LayoutError>;
}

/// Everything was checked while the program compiled; an outcome is plain.
#[derive(Debug)]
pub enum AtCompileTime {}

/// Something is checked when the program runs; an outcome is a `Result`.
#[derive(Debug)]
pub enum AtRunTime {}

impl Check for AtCompileTime {
    type And<Other: Check> = Other;
    type Outcome<T> = T;
    fn outcome<T>(result: Result<T, LayoutError>) -> T {
        match result {
            Ok(value) => value,
            Err(error) => error.panic(),
        }
    }
    fn into_result<T>(outcome: T) -> Result<T, LayoutError> {
        Ok(outcome)
    }
}

impl Check for AtRunTime {
    type And<Other: Check> = Self;
    type Outcome<T> = Result<T, LayoutError>;
    fn outcome<T>(result: Result<T, LayoutError>) -> Result<T, LayoutError> {
        result
    }
    fn into_result<T>(outcome: Result<T, LayoutError>) -> Result<T, LayoutError> {
        outcome
    }
}

/// A coordinate with one number for each mode.
pub trait ModeCoord: Copy + Debug {
    /// The coordinate with these numbers, one for each mode.
    ///
    /// # Panics
    ///
    /// When the number of modes is not that of the type.
    fn from_modes(modes: &[usize]) -> Self;
}

impl ModeCoord for usize {
    fn from_modes(modes: &[usize]) -> Self {
        assert_eq!(modes.len(), 1, "a coordinate of an integer shape is one number");
        modes[0]
    }
}

macro_rules! mode_coord_tuple {
    ($($n:literal: $($t:ident $i:tt),+;)+) => {$(
        impl ModeCoord for ($($t,)+) {
            fn from_modes(modes: &[usize]) -> Self {
                assert_eq!(modes.len(), $n, "a coordinate has one number for each mode");
                ($(modes[$i],)+)
            }
        }
    )+};
}
// Type aliases would do; an identifier for each position keeps the macro short.
type U = usize;
mode_coord_tuple! {
    1: U 0;
    2: U 0, U 1;
    3: U 0, U 1, U 2;
    4: U 0, U 1, U 2, U 3;
    5: U 0, U 1, U 2, U 3, U 4;
    6: U 0, U 1, U 2, U 3, U 4, U 5;
    7: U 0, U 1, U 2, U 3, U 4, U 5, U 6;
    8: U 0, U 1, U 2, U 3, U 4, U 5, U 6, U 7;
}

/// An [`IntTuple`] is the coordinate of a layout whose rank is known at run time: an integer for one
/// mode, which is a coordinate of `8:1` and of `(8):(1)`, and a flat tuple otherwise.
impl ModeCoord for IntTuple {
    fn from_modes(modes: &[usize]) -> Self {
        if let [mode] = modes {
            return Self::leaf(*mode);
        }
        match Self::flat(modes) {
            Ok(t) => t,
            Err(e) => e.panic(),
        }
    }
}

impl AnyLayout for DynLayout {
    const STATIC: Option<DynLayout> = None;
    type Check = AtRunTime;
    type Coord = IntTuple;
    type Domain = Self;
    type Modes = Invalid<RunTimeLeaf>;
    fn to_dyn(&self) -> Result<DynLayout, LayoutError> {
        Ok(*self)
    }
    fn locate<C: CoordinateIn<Self>>(&self, coordinate: C) -> Option<usize> {
        coordinate.locate(self)
    }
}
