//! Coordinates: the arguments of layouts.
//!
//! A coordinate of a static layout is evaluated by recursion over types, so an offset is
//! straight-line code, and the offset of a constant coordinate is a constant. If this gives no
//! answer, the engine computes it, and has the error messages.

use core::fmt::Debug;
use core::hash::Hash;

use crate::engine::{Cursor, DynLayout, IntTuple};
use crate::error::LayoutError;
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::mode_coord::ModeCoord;
use crate::types::core::modes::Mode;
use crate::types::core::nat::Nat;
use crate::types::core::sealed::Sealed;
use crate::types::core::tree::{Cons, Nil, list};

/// The type that a coordinate is checked against: the modes of a static or mixed layout, or a
/// [`DynLayout`].
pub trait Domain: Sealed + Sized + 'static {
    /// The run-time values.
    type Values: Values;
    /// The coordinate with one number for each mode.
    type Coord: ModeCoord + CoordinateIn<Self>;
    /// The number of coordinates, if the type has it and it does not overflow.
    const SIZE: Option<usize>;
    /// The largest offset, likewise.
    const LAST_OFFSET: Option<usize>;
    /// The number of coordinates, unless it overflows.
    fn size(values: &Self::Values) -> Option<usize>;
    /// The offset of a 1-D coordinate below the size, unless it overflows.
    fn offset_of_index(values: &Self::Values, index: usize) -> Option<usize>;
    /// The offset of a 1-D coordinate; `None` if the engine must compute it.
    #[inline(always)]
    fn locate_index(values: &Self::Values, index: usize) -> Option<usize> {
        if index < Self::size(values)? { Self::offset_of_index(values, index) } else { None }
    }
    /// The offset of a coordinate that is a tuple; `None` if the engine must compute it.
    #[inline(always)]
    fn locate_tuple(_: &Self::Values, _: &IntTuple) -> Option<usize> {
        None
    }
}

/// A coordinate of the layouts with the domain `M`; see [`Coordinate`](crate::types::Coordinate).
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of the layout",
    label = "does not match the modes of the layout",
    note = "a coordinate is one `usize`, or a tuple with one `usize` for each mode, or nested as the shape is nested"
)]
pub trait CoordinateIn<M: Domain>: CoordinateValue {
    /// The offset; `None` if the engine must compute it.
    #[doc(hidden)]
    fn locate(self, values: &M::Values) -> Option<usize>;
}

/// A `usize`, an [`IntTuple`], or a tuple of these with up to eight parts.
#[diagnostic::on_unimplemented(
    message = "a coordinate consists of `usize`s and tuples of them",
    label = "not a coordinate"
)]
pub trait CoordinateValue: Sealed + Copy {
    /// The coordinate as a value.
    ///
    /// # Errors
    ///
    /// If it has more leaves than an [`IntTuple`] holds.
    fn to_tuple(self) -> Result<IntTuple, LayoutError>;

    /// The offset in the next mode of a layout; `None` if the engine must compute it.
    #[doc(hidden)]
    #[inline(always)]
    fn read(self, _: &mut Cursor<'_>) -> Option<usize> {
        None
    }
}

impl CoordinateValue for usize {
    #[inline(always)]
    fn read(self, cursor: &mut Cursor<'_>) -> Option<usize> {
        cursor.index(self)
    }
    fn to_tuple(self) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::leaf(self))
    }
}

impl CoordinateValue for IntTuple {
    fn to_tuple(self) -> Result<IntTuple, LayoutError> {
        Ok(self)
    }
}

impl<M: Domain> CoordinateIn<M> for usize {
    #[inline(always)]
    fn locate(self, values: &M::Values) -> Option<usize> {
        M::locate_index(values, self)
    }
}

impl<M: Domain> CoordinateIn<M> for IntTuple {
    #[inline]
    fn locate(self, values: &M::Values) -> Option<usize> {
        if self.is_int() {
            M::locate_index(values, self.at(0))
        } else {
            M::locate_tuple(values, &self)
        }
    }
}

/// The sum of two offsets in the domain `M`. It needs no overflow check if the largest offset was
/// checked.
#[inline(always)]
fn sum<M: Domain>(a: usize, b: usize) -> Option<usize> {
    if M::LAST_OFFSET.is_some() { Some(a.wrapping_add(b)) } else { a.checked_add(b) }
}

/// Reads the parts of a tuple and of nested values one after another. They are coordinates and modes
/// of the domain `$whole`.
macro_rules! locate_each {
    ($whole:ty, $values:expr;) => { Some(0) };
    ($whole:ty, $values:expr; $c:ident $($cs:ident)*) => {
        match ($c.locate(&$values.0), locate_each!($whole, $values.1; $($cs)*)) {
            (Some(first), Some(rest)) => sum::<$whole>(first, rest),
            _ => None,
        }
    };
}

macro_rules! tuple_coordinate {
    ($($c:ident: $m:ident $v:ident),+) => {
        impl<$($c: CoordinateValue),+> CoordinateValue for ($($c,)+) {
            fn to_tuple(self) -> Result<IntTuple, LayoutError> {
                let ($($v,)+) = self;
                IntTuple::tuple(&[$($v.to_tuple()?),+])
            }
            #[inline(always)]
            fn read(self, cursor: &mut Cursor<'_>) -> Option<usize> {
                let ($($v,)+) = self;
                let mut offset = 0;
                if !cursor.enter(1) {
                    return None;
                }
                $(offset += $v.read(cursor)?;)+
                if cursor.leave(1) { Some(offset) } else { None }
            }
        }
        impl<$($m: Domain),+, $($c: CoordinateIn<$m>),+> CoordinateIn<list!($($m),+)> for ($($c,)+) {
            #[inline(always)]
            fn locate(self, values: &<list!($($m),+) as Domain>::Values) -> Option<usize> {
                let ($($v,)+) = self;
                locate_each!(list!($($m),+), values; $($v)+)
            }
        }
        impl<$($c: CoordinateValue),+> CoordinateIn<DynLayout> for ($($c,)+) {
            #[inline]
            fn locate(self, layout: &DynLayout) -> Option<usize> {
                self.read(&mut Cursor::new(layout))
            }
        }
    };
}
tuple_coordinate!(C0: M0 c0);
tuple_coordinate!(C0: M0 c0, C1: M1 c1);
tuple_coordinate!(C0: M0 c0, C1: M1 c1, C2: M2 c2);
tuple_coordinate!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3);
tuple_coordinate!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4);
tuple_coordinate!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4, C5: M5 c5);
tuple_coordinate!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4, C5: M5 c5, C6: M6 c6);
tuple_coordinate!(
    C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4, C5: M5 c5, C6: M6 c6, C7: M7 c7
);

impl<S: Nat, D: Nat> Domain for Mode<S, D> {
    type Values = (S::Value, D::Value);
    type Coord = usize;
    const SIZE: Option<usize> = S::VALUE;
    const LAST_OFFSET: Option<usize> = match (S::VALUE, D::VALUE) {
        (Some(extent), Some(stride)) => extent.saturating_sub(1).checked_mul(stride),
        _ => None,
    };
    #[inline(always)]
    fn size(values: &Self::Values) -> Option<usize> {
        Some(S::get(values.0))
    }
    #[inline(always)]
    fn offset_of_index(values: &Self::Values, index: usize) -> Option<usize> {
        let stride = D::get(values.1);
        match Self::LAST_OFFSET {
            Some(_) => Some(index.wrapping_mul(stride)),
            None => index.checked_mul(stride),
        }
    }
}

impl Domain for Nil {
    type Values = ();
    type Coord = IntTuple;
    const SIZE: Option<usize> = Some(1);
    const LAST_OFFSET: Option<usize> = Some(0);
    #[inline(always)]
    fn size((): &()) -> Option<usize> {
        Some(1)
    }
    #[inline(always)]
    fn offset_of_index((): &(), _: usize) -> Option<usize> {
        Some(0)
    }
}

impl<H: Domain, T: DomainList> Domain for Cons<H, T> {
    type Values = (H::Values, T::Values);
    type Coord = T::Coord1<H>;
    const SIZE: Option<usize> = match (H::SIZE, T::SIZE) {
        (Some(head), Some(tail)) => head.checked_mul(tail),
        _ => None,
    };
    const LAST_OFFSET: Option<usize> = match (H::LAST_OFFSET, T::LAST_OFFSET) {
        (Some(head), Some(tail)) => head.checked_add(tail),
        _ => None,
    };
    #[inline(always)]
    fn size(values: &Self::Values) -> Option<usize> {
        match Self::SIZE {
            Some(size) => Some(size),
            None => H::size(&values.0)?.checked_mul(T::size(&values.1)?),
        }
    }
    #[inline(always)]
    fn offset_of_index(values: &Self::Values, index: usize) -> Option<usize> {
        if T::IS_EMPTY {
            // The last mode of a 1-D coordinate needs no remainder.
            return H::offset_of_index(&values.0, index);
        }
        let extent = H::size(&values.0)?;
        // Unreachable for an extent of zero, which has no index.
        let (first, rest) = (index.checked_rem(extent)?, index.checked_div(extent)?);
        sum::<Self>(H::offset_of_index(&values.0, first)?, T::offset_of_index(&values.1, rest)?)
    }
}

impl<R: Reason> Domain for Invalid<R> {
    type Values = ();
    type Coord = IntTuple;
    const SIZE: Option<usize> = None;
    const LAST_OFFSET: Option<usize> = None;
    fn size((): &()) -> Option<usize> {
        None
    }
    fn offset_of_index((): &(), _: usize) -> Option<usize> {
        None
    }
}

impl Domain for DynLayout {
    type Values = Self;
    type Coord = IntTuple;
    const SIZE: Option<usize> = None;
    const LAST_OFFSET: Option<usize> = None;
    fn size(values: &Self) -> Option<usize> {
        Some(values.size())
    }
    fn offset_of_index(values: &Self, index: usize) -> Option<usize> {
        Some(values.offset_of_index(index))
    }
    #[inline]
    fn locate_index(values: &Self, index: usize) -> Option<usize> {
        Cursor::new(values).index(index)
    }
    #[inline]
    fn locate_tuple(values: &Self, coordinate: &IntTuple) -> Option<usize> {
        values.locate(coordinate)
    }
}

/// A [`Domain`] that is a tuple, or the rest of one. It finds its coordinate type by counting:
/// `CoordN` is the type for the list with `N` modes before it; from eight modes on it is an
/// [`IntTuple`].
#[rustfmt::skip]
pub trait DomainList: Domain + Sized {
    /// Whether the list is empty.
    #[doc(hidden)]
    const IS_EMPTY: bool;

    #[doc(hidden)]
    type Coord1<A: Domain>: ModeCoord + CoordinateIn<Cons<A, Self>>;
    #[doc(hidden)]
    type Coord2<A: Domain, B: Domain>: ModeCoord + CoordinateIn<Cons<A, Cons<B, Self>>>;
    #[doc(hidden)]
    type Coord3<A: Domain, B: Domain, C: Domain>:
        ModeCoord + CoordinateIn<Cons<A, Cons<B, Cons<C, Self>>>>;
    #[doc(hidden)]
    type Coord4<A: Domain, B: Domain, C: Domain, D: Domain>:
        ModeCoord + CoordinateIn<Cons<A, Cons<B, Cons<C, Cons<D, Self>>>>>;
    #[doc(hidden)]
    type Coord5<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain>:
        ModeCoord + CoordinateIn<Cons<A, Cons<B, Cons<C, Cons<D, Cons<E, Self>>>>>>;
    #[doc(hidden)]
    type Coord6<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain>:
        ModeCoord + CoordinateIn<Cons<A, Cons<B, Cons<C, Cons<D, Cons<E, Cons<F, Self>>>>>>>;
    #[doc(hidden)]
    type Coord7<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain>:
        ModeCoord + CoordinateIn<Cons<A, Cons<B, Cons<C, Cons<D, Cons<E, Cons<F, Cons<G, Self>>>>>>>>;
    #[doc(hidden)]
    type Coord8<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain, H: Domain>:
        ModeCoord + CoordinateIn<Cons<A, Cons<B, Cons<C, Cons<D, Cons<E, Cons<F, Cons<G, Cons<H, Self>>>>>>>>>;
}

// A type alias would do, but a one-letter name keeps the tuples short.
type U = usize;

#[rustfmt::skip]
impl DomainList for Nil {
    const IS_EMPTY: bool = true;
    type Coord1<A: Domain> = (U,);
    type Coord2<A: Domain, B: Domain> = (U, U);
    type Coord3<A: Domain, B: Domain, C: Domain> = (U, U, U);
    type Coord4<A: Domain, B: Domain, C: Domain, D: Domain> = (U, U, U, U);
    type Coord5<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain> = (U, U, U, U, U);
    type Coord6<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain> = (U, U, U, U, U, U);
    type Coord7<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain> = (U, U, U, U, U, U, U);
    type Coord8<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain, H: Domain> = (U, U, U, U, U, U, U, U);
}

#[rustfmt::skip]
impl<X: Domain, T: DomainList> DomainList for Cons<X, T> {
    const IS_EMPTY: bool = false;
    type Coord1<A: Domain> = T::Coord2<A, X>;
    type Coord2<A: Domain, B: Domain> = T::Coord3<A, B, X>;
    type Coord3<A: Domain, B: Domain, C: Domain> = T::Coord4<A, B, C, X>;
    type Coord4<A: Domain, B: Domain, C: Domain, D: Domain> = T::Coord5<A, B, C, D, X>;
    type Coord5<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain> = T::Coord6<A, B, C, D, E, X>;
    type Coord6<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain> = T::Coord7<A, B, C, D, E, F, X>;
    type Coord7<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain> = T::Coord8<A, B, C, D, E, F, G, X>;
    type Coord8<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain, H: Domain> = IntTuple;
}

#[rustfmt::skip]
impl<R: Reason> DomainList for Invalid<R> {
    const IS_EMPTY: bool = true;
    type Coord1<A: Domain> = IntTuple;
    type Coord2<A: Domain, B: Domain> = IntTuple;
    type Coord3<A: Domain, B: Domain, C: Domain> = IntTuple;
    type Coord4<A: Domain, B: Domain, C: Domain, D: Domain> = IntTuple;
    type Coord5<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain> = IntTuple;
    type Coord6<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain> = IntTuple;
    type Coord7<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain> = IntTuple;
    type Coord8<A: Domain, B: Domain, C: Domain, D: Domain, E: Domain, F: Domain, G: Domain, H: Domain> = IntTuple;
}

/// The stored run-time leaves of a [`Domain`]: ZSTs for static leaves.
pub trait Values: Copy + Eq + Hash + Debug + Send + Sync + 'static {}
impl<V: Copy + Eq + Hash + Debug + Send + Sync + 'static> Values for V {}
