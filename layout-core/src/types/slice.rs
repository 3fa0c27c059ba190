//! Slicing: `..` in a coordinate keeps a mode.

use core::ops::RangeFull;

use super::any::AnyLayout;
use super::coordinate::{CoordinateIn, Domain};
use super::evaluate::exists;
use super::kind::{LayoutOf, MixedKind, StaticKind};
use super::layout::{Layout, StaticLayout};
use super::mixed::Mixed;
use super::modes::{ModeList, ModeTree};
use super::reason::{Invalid, NothingKept, Reason};
use super::sealed::Sealed;
use super::slicer::{Fixed, SlicedList};
use super::tiler::Keep;
use super::tree::{Cons, Nil, Tree, Zip, list};
use crate::engine::{DynLayout, Slicer};
use crate::error::LayoutError;

/// A coordinate of the layout `L` in which `..` keeps modes: `..`, or a tuple of `..`, numbers and
/// such tuples.
#[diagnostic::on_unimplemented(
    message = "this does not slice the layout",
    label = "a coordinate with other modes than the layout",
    note = "a slice has a `usize` or `..` for each mode, or tuples of these, nested as the shape is nested"
)]
pub trait SliceCoordinate<L: AnyLayout>: SliceValue {
    /// The layout of the modes that are kept.
    type Slice: AnyLayout;
    /// The layout of the modes that numbers fix.
    type Dice: AnyLayout;
    #[doc(hidden)]
    fn slice(self, layout: &L) -> Result<(Self::Slice, usize), LayoutError>;
    #[doc(hidden)]
    fn dice(self, layout: &L) -> Result<Self::Dice, LayoutError>;
}

#[diagnostic::do_not_recommend]
impl<S: Tree, D: Tree, C: SliceWhole<Zip<S, D>>> SliceCoordinate<Layout<S, D>> for C {
    type Slice = LayoutOf<StaticKind, C::Kept>;
    type Dice = LayoutOf<StaticKind, C::Fixed>;
    #[inline(always)]
    fn slice(self, layout: &Layout<S, D>) -> Result<(Self::Slice, usize), LayoutError> {
        const {
            let _ = (<Layout<S, D> as StaticLayout>::LAYOUT, Self::Slice::LAYOUT);
        }
        match self.locate_fixed(&Default::default()) {
            Some(offset) => Ok((Self::Slice::default(), offset)),
            // The engine has the message.
            None => match sliced(layout, self) {
                Ok((_, offset)) => Ok((Self::Slice::default(), offset)),
                Err(error) => Err(error),
            },
        }
    }
    fn dice(self, _: &Layout<S, D>) -> Result<Self::Dice, LayoutError> {
        const {
            let _ = Self::Dice::LAYOUT;
        }
        Ok(Self::Dice::default())
    }
}

#[diagnostic::do_not_recommend]
impl<S: Tree, D: Tree, C: SliceWhole<Zip<S, D>>> SliceCoordinate<Mixed<S, D>> for C {
    type Slice = LayoutOf<MixedKind, C::Kept>;
    type Dice = LayoutOf<MixedKind, C::Fixed>;
    fn slice(self, layout: &Mixed<S, D>) -> Result<(Self::Slice, usize), LayoutError> {
        let (slice, offset) = sliced(layout, self)?;
        Ok((Mixed::with_leaves_of(&slice), offset))
    }
    fn dice(self, layout: &Mixed<S, D>) -> Result<Self::Dice, LayoutError> {
        const { exists::<MixedKind, C::Fixed>() };
        Ok(Mixed::with_leaves_of(&diced(layout, self)?))
    }
}

#[inline(never)]
fn sliced<L: AnyLayout>(
    layout: &L,
    coordinate: impl SliceValue,
) -> Result<(DynLayout, usize), LayoutError> {
    layout.to_dyn()?.slice_and_offset(&coordinate.to_slicer()?)
}

#[inline(never)]
fn diced<L: AnyLayout>(layout: &L, coordinate: impl SliceValue) -> Result<DynLayout, LayoutError> {
    layout.to_dyn()?.dice(&coordinate.to_slicer()?)
}

/// A coordinate with `..` as a value.
pub trait SliceValue: Sealed + Copy {
    /// The value.
    ///
    /// # Errors
    ///
    /// When it has more leaves than an [`IntTuple`](crate::engine::IntTuple) holds.
    fn to_slicer(self) -> Result<Slicer, LayoutError>;
}

impl SliceValue for usize {
    fn to_slicer(self) -> Result<Slicer, LayoutError> {
        Ok(Slicer::index(self))
    }
}

impl SliceValue for RangeFull {
    fn to_slicer(self) -> Result<Slicer, LayoutError> {
        Ok(Slicer::keep())
    }
}

/// A part of a slice: what it does to the modes `M`.
#[diagnostic::on_unimplemented(
    message = "this does not slice the layout",
    label = "a coordinate with other modes than the layout",
    note = "a slice has a `usize` or `..` for each mode, or tuples of these, nested as the shape is nested"
)]
pub trait SliceIn<M: ModeTree>: SliceValue {
    /// The modes that are kept, before those of `Rest`.
    type Onto<Rest: ModeList>: ModeList;
    /// The modes that are fixed, before those of `Rest`.
    type FixedOnto<Rest: ModeList>: ModeList;
    #[doc(hidden)]
    fn locate_fixed(self, values: &M::Values) -> Option<usize>;
}

impl<M: ModeTree> SliceIn<M> for usize {
    type Onto<Rest: ModeList> = Rest;
    type FixedOnto<Rest: ModeList> = Cons<M, Rest>;
    #[inline(always)]
    fn locate_fixed(self, values: &M::Values) -> Option<usize> {
        CoordinateIn::<M>::locate(self, values)
    }
}

impl<M: ModeTree> SliceIn<M> for RangeFull {
    type Onto<Rest: ModeList> = Cons<M, Rest>;
    type FixedOnto<Rest: ModeList> = Rest;
    #[inline(always)]
    fn locate_fixed(self, _: &M::Values) -> Option<usize> {
        Some(0)
    }
}

/// A whole slice: a tuple, or `..`.
pub trait SliceWhole<M: ModeTree>: SliceIn<M> {
    /// The modes of the slice.
    type Kept: ModeTree;
    /// The other modes.
    type Fixed: ModeTree;
}

impl<M: ModeTree> SliceWhole<M> for RangeFull {
    type Kept = M;
    type Fixed = Invalid<NothingKept<Fixed, Keep>>;
}

impl SliceCoordinate<DynLayout> for RangeFull {
    type Slice = DynLayout;
    type Dice = DynLayout;
    fn slice(self, layout: &DynLayout) -> Result<(DynLayout, usize), LayoutError> {
        Ok((*layout, 0))
    }
    fn dice(self, layout: &DynLayout) -> Result<DynLayout, LayoutError> {
        diced(layout, self)
    }
}

/// A slice of the first modes of `M`; the others are kept.
#[diagnostic::on_unimplemented(
    message = "this is no coordinate of the grid of tiles",
    label = "a coordinate with other modes than the grid",
    note = "it has a `usize` or `..` for each mode that the tiler divides, or tuples of these, nested as the tiler is nested"
)]
pub trait SlicePrefix<M: ModeTree>: SliceValue {
    /// The modes that are kept, before those of `Rest`.
    type KeptOnto<Rest: ModeList>: ModeList;
    #[doc(hidden)]
    fn locate_prefix(self, values: &M::Values) -> Option<usize>;
}

impl<M: ModeTree> SlicePrefix<M> for usize {
    type KeptOnto<Rest: ModeList> = Rest;
    #[inline(always)]
    fn locate_prefix(self, values: &M::Values) -> Option<usize> {
        CoordinateIn::<M>::locate(self, values)
    }
}

impl<M: ModeTree> SlicePrefix<M> for RangeFull {
    type KeptOnto<Rest: ModeList> = Cons<M, Rest>;
    #[inline(always)]
    fn locate_prefix(self, _: &M::Values) -> Option<usize> {
        Some(0)
    }
}

/// `Cons<$m, Cons<.., $end>>`.
macro_rules! list_before {
    ($end:ident;) => { $end };
    ($end:ident; $m:ident $($rest:ident)*) => { Cons<$m, list_before!($end; $($rest)*)> };
}

/// The modes that all parts keep, the last part first.
macro_rules! onto {
    ($rest:ty;) => { $rest };
    ($rest:ty; $c:ident $($cs:ident)*) => { $c::Onto<onto!($rest; $($cs)*)> };
}

/// The modes that all parts fix, the last part first.
macro_rules! fixed_onto {
    ($rest:ty;) => { $rest };
    ($rest:ty; $c:ident $($cs:ident)*) => { $c::FixedOnto<fixed_onto!($rest; $($cs)*)> };
}

/// The offset of all parts.
macro_rules! locate_each {
    ($values:expr;) => { Some(0usize) };
    ($values:expr; $c:ident $($cs:ident)*) => {
        match ($c.locate_fixed(&$values.0), locate_each!($values.1; $($cs)*)) {
            (Some(first), Some(rest)) => first.checked_add(rest),
            _ => None,
        }
    };
}

macro_rules! tuple_slice {
    ($($c:ident: $m:ident $v:ident),+) => {
        impl<$($c: SliceValue),+> SliceValue for ($($c,)+) {
            fn to_slicer(self) -> Result<Slicer, LayoutError> {
                let ($($v,)+) = self;
                Slicer::modes(&[$($v.to_slicer()?),+])
            }
        }
        impl<$($m: ModeTree),+, $($c: SliceIn<$m>),+> SliceIn<list!($($m),+)> for ($($c,)+) {
            type Onto<Rest: ModeList> = onto!(Rest; $($c)+);
            type FixedOnto<Rest: ModeList> = fixed_onto!(Rest; $($c)+);
            #[inline(always)]
            fn locate_fixed(self, values: &<list!($($m),+) as Domain>::Values) -> Option<usize> {
                let ($($v,)+) = self;
                locate_each!(values; $($v)+)
            }
        }
        impl<$($m: ModeTree),+, $($c: SliceIn<$m>),+> SliceWhole<list!($($m),+)> for ($($c,)+) {
            type Kept = <Self as SliceIn<list!($($m),+)>>::Onto<Nil>;
            type Fixed = <<Self as SliceIn<list!($($m),+)>>::FixedOnto<Nil> as SlicedList>::OrNothing<
                NothingKept<Fixed, Keep>,
            >;
        }
        impl<$($m: ModeTree,)+ R: ModeList, $($c: SliceIn<$m>),+> SlicePrefix<list_before!(R; $($m)+)>
            for ($($c,)+)
        {
            type KeptOnto<Rest: ModeList> = onto!(R::AllThen<Rest>; $($c)+);
            #[inline(always)]
            fn locate_prefix(self, values: &<list_before!(R; $($m)+) as Domain>::Values) -> Option<usize> {
                let ($($v,)+) = self;
                locate_each!(values; $($v)+)
            }
        }
        // An operation without a result says so where the tile is used.
        impl<E: Reason, $($c: SliceValue),+> SlicePrefix<Invalid<E>> for ($($c,)+) {
            type KeptOnto<Rest: ModeList> = Invalid<E>;
            fn locate_prefix(self, (): &()) -> Option<usize> {
                None
            }
        }
        impl<$($c: SliceValue),+> SliceCoordinate<DynLayout> for ($($c,)+) {
            type Slice = DynLayout;
            type Dice = DynLayout;
            fn slice(self, layout: &DynLayout) -> Result<(DynLayout, usize), LayoutError> {
                sliced(layout, self)
            }
            fn dice(self, layout: &DynLayout) -> Result<DynLayout, LayoutError> {
                diced(layout, self)
            }
        }
    };
}
tuple_slice!(C0: M0 c0);
tuple_slice!(C0: M0 c0, C1: M1 c1);
tuple_slice!(C0: M0 c0, C1: M1 c1, C2: M2 c2);
tuple_slice!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3);
tuple_slice!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4);
tuple_slice!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4, C5: M5 c5);
tuple_slice!(C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4, C5: M5 c5, C6: M6 c6);
tuple_slice!(
    C0: M0 c0, C1: M1 c1, C2: M2 c2, C3: M3 c3, C4: M4 c4, C5: M5 c5, C6: M6 c6, C7: M7 c7
);
