//! Slicing: `..` in a coordinate keeps a mode.

use core::ops::RangeFull;

use crate::engine::{Cursor, DynLayout, Slicer};
use crate::error::LayoutError;
use crate::types::api::any::AnyLayout;
use crate::types::api::evaluate::exists;
use crate::types::api::kind::{LayoutOf, MixedKind, StaticKind};
use crate::types::api::layout::{Layout, StaticLayout};
use crate::types::api::mixed::Mixed;
use crate::types::core::domain::{CoordinateIn, Domain};
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::sealed::Sealed;
use crate::types::core::tree::{Cons, Nil, Tree, Zip, list};
use crate::types::ops::slicer::{Fixed, NothingKept, SlicedList};
use crate::types::ops::tiled::Keep;

/// A coordinate of the layout `L` in which `..` keeps modes: `..`, or a tuple of `..`, numbers and
/// such tuples.
#[diagnostic::on_unimplemented(
    message = "this does not slice the layout",
    label = "does not match the modes of the layout",
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
    fn slice(self, _: &Layout<S, D>) -> Result<(Self::Slice, usize), LayoutError> {
        const {
            let _ = (<Layout<S, D> as StaticLayout>::LAYOUT, Self::Slice::LAYOUT);
        }
        match self.locate_fixed(&Default::default()) {
            Some(offset) => Ok((Self::Slice::default(), offset)),
            // The engine has the error message.
            None => match sliced_by_engine(const { &<Layout<S, D> as StaticLayout>::LAYOUT }, self)
            {
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
        let (slice, offset) = sliced(&layout.to_dyn()?, self)?;
        Ok((Mixed::with_leaves_of(&slice), offset))
    }
    fn dice(self, layout: &Mixed<S, D>) -> Result<Self::Dice, LayoutError> {
        const { exists::<MixedKind, C::Fixed>() };
        Ok(Mixed::with_leaves_of(&diced(layout, self)?))
    }
}

/// The slice of a layout that is a value.
#[inline]
fn sliced<C: SliceValue>(
    layout: &DynLayout,
    coordinate: C,
) -> Result<(DynLayout, usize), LayoutError> {
    let mut kept = DynLayout::EMPTY;
    match coordinate.read_slice(&mut Cursor::new(layout), &mut kept) {
        Some(offset) if !C::IS_TUPLE || kept.parenthesise_kept() => Ok((kept, offset)),
        _ => sliced_by_engine(layout, coordinate),
    }
}

/// The slow path of [`sliced`]: mostly errors.
#[cold]
#[inline(never)]
fn sliced_by_engine(
    layout: &DynLayout,
    coordinate: impl SliceValue,
) -> Result<(DynLayout, usize), LayoutError> {
    layout.slice_and_offset(&coordinate.to_slicer()?)
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
    /// If it has more leaves than an [`IntTuple`](crate::engine::IntTuple) holds.
    fn to_slicer(self) -> Result<Slicer, LayoutError>;

    /// Whether a slice is a tuple of the modes that are kept.
    #[doc(hidden)]
    const IS_TUPLE: bool = true;

    /// Appends the kept parts of the next mode of a layout to `kept`. Returns the offset of the
    /// other parts; `None` if the engine must compute it.
    #[doc(hidden)]
    #[inline(always)]
    fn read_slice(self, _: &mut Cursor<'_>, _kept: &mut DynLayout) -> Option<usize> {
        None
    }
}

impl SliceValue for usize {
    fn to_slicer(self) -> Result<Slicer, LayoutError> {
        Ok(Slicer::index(self))
    }
    #[inline(always)]
    fn read_slice(self, cursor: &mut Cursor<'_>, _: &mut DynLayout) -> Option<usize> {
        cursor.index(self)
    }
}

impl SliceValue for RangeFull {
    fn to_slicer(self) -> Result<Slicer, LayoutError> {
        Ok(Slicer::keep())
    }
    const IS_TUPLE: bool = false;
    #[inline(always)]
    fn read_slice(self, cursor: &mut Cursor<'_>, kept: &mut DynLayout) -> Option<usize> {
        if cursor.keep(kept) { Some(0) } else { None }
    }
}

/// A part of a slice, applied to the modes `M`.
#[diagnostic::on_unimplemented(
    message = "this does not slice the layout",
    label = "does not match the modes of the layout",
    note = "a slice has a `usize` or `..` for each mode, or tuples of these, nested as the shape is nested"
)]
pub trait SliceIn<M: ModeTree>: SliceValue {
    /// The kept modes, prepended to `Rest`.
    type Onto<Rest: ModeList>: ModeList;
    /// The fixed modes, prepended to `Rest`.
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
    message = "this is not a coordinate of the grid of tiles",
    label = "does not match the modes of the grid",
    note = "it has a `usize` or `..` for each mode that the tiler divides, or tuples of these, nested as the tiler is nested"
)]
pub trait SlicePrefix<M: ModeTree>: SliceValue {
    /// The kept modes, prepended to `Rest`.
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
            #[inline(always)]
            fn read_slice(self, cursor: &mut Cursor<'_>, kept: &mut DynLayout) -> Option<usize> {
                let ($($v,)+) = self;
                let mut offset = 0;
                if !cursor.enter(1) {
                    return None;
                }
                $(offset += $v.read_slice(cursor, kept)?;)+
                if cursor.leave(1) { Some(offset) } else { None }
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
        // An operation without a result reports its error where the tile is used.
        impl<E: Reason, $($c: SliceValue),+> SlicePrefix<Invalid<E>> for ($($c,)+) {
            type KeptOnto<Rest: ModeList> = Invalid<E>;
            fn locate_prefix(self, (): &()) -> Option<usize> {
                None
            }
        }
        impl<$($c: SliceValue),+> SliceCoordinate<DynLayout> for ($($c,)+) {
            type Slice = DynLayout;
            type Dice = DynLayout;
            #[inline]
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
