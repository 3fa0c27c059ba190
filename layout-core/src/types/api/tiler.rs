//! Tilers at the type level: one layout, or one tiler for each mode; and how they walk
//! down a layout's modes.

use crate::engine::{DynLayout, Tiler};
use crate::error::LayoutError;
use crate::types::api::any::AnyLayout;
use crate::types::api::kind::{Kind, LayoutOf, MixedKind, StaticKind};
use crate::types::api::layout::{Layout, checked};
use crate::types::api::mixed::Mixed;
use crate::types::api::operand::{KindOf, Operand, next_symbol};
use crate::types::core::invalid::{Invalid, KeepNeedsPair, Reason, RunTimeLeaf, TilerRank};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::place::First;
use crate::types::core::sealed::Sealed;
use crate::types::core::tree::{Cons, Nil, Tree, Zip, list};
use crate::types::ops::by_mode::{AtMode, ByMode};

/// The tiler `_`: keeps a mode as it is. Both a type and its value. In a coordinate as a type it is
/// the `_` of a mode that a slice keeps.
///
/// In a zipped divide it says that the mode is a pair of a tile and a rest already.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Keep;

mod ghost {
    use core::convert::Infallible;
    use core::marker::PhantomData;

    /// The type behind the alias [`Tile`](crate::types::Tile).
    // Legal as a type and as a value, as `Layout` is.
    #[derive(Default)]
    pub enum Tile<L> {
        #[default]
        Tile,
        #[doc(hidden)]
        Never(Infallible, PhantomData<fn() -> L>),
    }
}

/// The value namespace of [`Tile`].
mod value {
    pub use super::ghost::Tile::Tile;
}
pub use value::*;

/// A by-mode tiler, `<T0, T1>`: a [`Cons`] list of tilers. Both a type and its value.
///
/// ```
/// use layout_core::types::{Cons, Layout, LogicalDivide, Nil, StaticLayout, Tile};
/// use typenum::{U1, U4, U8};
/// type Columns = Layout<Cons<U8, Cons<U8, Nil>>, Cons<U1, Cons<U8, Nil>>>;
/// type Tiles = LogicalDivide<Columns, Tile<Cons<Layout<U4, U1>, Cons<Layout<U4, U1>, Nil>>>>;
/// assert_eq!(Tiles::default().to_string(), "((4,2),(4,2)):((1,4),(8,32))");
/// ```
pub type Tile<L> = ghost::Tile<L>;

impl<L> Clone for Tile<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Tile<L> {}

impl<L: TilerList<Kind = StaticKind>> From<Tile<L>> for Tiler {
    /// # Panics
    ///
    /// In const evaluation, when a layout of the tiler does not exist.
    fn from(_: Tile<L>) -> Self {
        const {
            match L::TILER {
                Some(Ok(tiler)) => tiler,
                Some(Err(error)) => error.panic(),
                None => LayoutError::RunTimeLeaf.panic(),
            }
        }
    }
}

impl From<Keep> for Tiler {
    fn from(_: Keep) -> Self {
        Self::keep()
    }
}

/// What a divide, a product or a composition applies: a layout, [`Keep`], or one tiler for each mode.
///
/// By mode it is a [`Tile`] or, with run-time leaves in it, a tuple: `(layout!(8:1), Keep)`. An engine's
/// [`Tiler`] has everything at run time.
#[diagnostic::on_unimplemented(
    message = "a tiler is a layout, or a layout or `_` for each mode",
    label = "not a tiler"
)]
pub trait AnyTiler: Operand {
    /// The tiler's value, when its type fixes every number, or why there is none.
    const TILER: Option<Result<Tiler, LayoutError>>;
    /// The tiler as a value.
    ///
    /// # Errors
    ///
    /// When run-time leaves make a size or an offset that does not fit, or tilers together have too
    /// many leaves.
    fn to_tiler(&self) -> Result<Tiler, LayoutError>;
    /// This tiler with the run-time leaves named, as variables from `I` on.
    #[doc(hidden)]
    type Symbols<I: Nat>: AnyTiler;
    /// The operation `O` on the modes `A`.
    #[doc(hidden)]
    type Apply<O: ByMode, A: ModeTree>: ModeTree;
    /// The first parts of the pairs that `O` made of the modes with this tiler.
    #[doc(hidden)]
    type Firsts<O: ByMode, M: ModeTree>: ModeTree;
    /// The second parts of them, and the modes that the tiler has nothing for.
    #[doc(hidden)]
    type Seconds<O: ByMode, M: ModeTree>: ModeTree;
}

/// A tiler of which everything is known to the compiler: a static layout, [`Keep`], or a [`Tile`] or
/// a tuple of these with one tiler for each mode.
#[diagnostic::on_unimplemented(
    message = "a static tiler is a static layout, or a static layout or `_` for each mode",
    label = "not a static tiler"
)]
pub trait StaticTiler: AnyTiler<Kind = StaticKind> {}
impl<T: AnyTiler<Kind = StaticKind>> StaticTiler for T {}

/// One layout as a tiler, given its modes.
macro_rules! layout_tiler {
    ($modes:ty) => {
        type Apply<O: ByMode, A: ModeTree> = O::With<O, A, $modes>;
        type Firsts<O: ByMode, M: ModeTree> = M::First<O>;
        type Seconds<O: ByMode, M: ModeTree> = M::Second<O>;
    };
}

impl<S: Tree, D: Tree> AnyTiler for Layout<S, D> {
    const TILER: Option<Result<Tiler, LayoutError>> = Some(match checked::<Zip<S, D>>() {
        Ok(layout) => Ok(Tiler::layout(&layout)),
        Err(error) => Err(error),
    });
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        known::<Self>()
    }
    type Symbols<I: Nat> = Self;
    layout_tiler!(Zip<S, D>);
}

impl<S: Tree, D: Tree> AnyTiler for Mixed<S, D> {
    const TILER: Option<Result<Tiler, LayoutError>> = None;
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        Ok(Tiler::layout(&self.to_dyn()?))
    }
    type Symbols<I: Nat> = LayoutOf<MixedKind, <Zip<S, D> as ModeTree>::Symbols<I>>;
    layout_tiler!(Zip<S, D>);
}

/// A tiler of which the type says nothing.
macro_rules! dynamic_tiler {
    () => {
        const TILER: Option<Result<Tiler, LayoutError>> = None;
        type Apply<O: ByMode, A: ModeTree> = Invalid<RunTimeLeaf>;
        type Firsts<O: ByMode, M: ModeTree> = Invalid<RunTimeLeaf>;
        type Seconds<O: ByMode, M: ModeTree> = Invalid<RunTimeLeaf>;
        type Symbols<I: Nat> = Self;
    };
}

impl AnyTiler for DynLayout {
    dynamic_tiler!();
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        Ok(Tiler::layout(self))
    }
}

impl AnyTiler for Tiler {
    dynamic_tiler!();
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        Ok(*self)
    }
}

impl AnyTiler for Keep {
    const TILER: Option<Result<Tiler, LayoutError>> = Some(Ok(Tiler::keep()));
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        Ok(Tiler::keep())
    }
    type Symbols<I: Nat> = Self;
    type Apply<O: ByMode, A: ModeTree> = A;
    type Firsts<O: ByMode, M: ModeTree> = M::First<O>;
    type Seconds<O: ByMode, M: ModeTree> = M::Second<O>;
}

/// One tiler for each mode, given their list.
macro_rules! list_tiler {
    ($list:ty) => {
        const TILER: Option<Result<Tiler, LayoutError>> = <$list as TilerList>::TILER;
        type Apply<O: ByMode, A: ModeTree> =
            O::Guard<A, <$list as TilerList>::ApplyList<AtMode<O, First>, A::Modes, A, $list>>;
        type Firsts<O: ByMode, M: ModeTree> =
            <$list as TilerList>::FirstList<AtMode<O, First>, M::Modes>;
        type Seconds<O: ByMode, M: ModeTree> =
            <$list as TilerList>::SecondList<AtMode<O, First>, M::Modes>;
    };
}

impl<L: TilerList<Kind = StaticKind>> AnyTiler for Tile<L> {
    list_tiler!(L);
    type Symbols<I: Nat> = Self;
    fn to_tiler(&self) -> Result<Tiler, LayoutError> {
        known::<Self>()
    }
}

macro_rules! tuple_tiler {
    ($($t:ident $v:ident [$($before:ident)*]),+) => {
        impl<$($t: AnyTiler),+> AnyTiler for ($($t,)+) {
            list_tiler!(list!($($t),+));
            type Symbols<I: Nat> = ($($t::Symbols<next_symbol!(I; $($before)*)>,)+);
            fn to_tiler(&self) -> Result<Tiler, LayoutError> {
                let ($($v,)+) = self;
                Tiler::modes(&[$($v.to_tiler()?),+])
            }
        }
    };
}
tuple_tiler!(T0 t0 []);
tuple_tiler!(T0 t0 [], T1 t1 [T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0], T6 t6 [T5 T4 T3 T2 T1 T0]);
tuple_tiler!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0], T6 t6 [T5 T4 T3 T2 T1 T0], T7 t7 [T6 T5 T4 T3 T2 T1 T0]);

/// The value of a tiler whose type has it.
fn known<T: StaticTiler>() -> Result<Tiler, LayoutError> {
    match const { &T::TILER } {
        Some(tiler) => *tiler,
        None => Err(LayoutError::RunTimeLeaf),
    }
}

/// The tilers of a [`Tile`]. `A0` and `T0` are what the recursion started from: what to report
/// when the tiler has too many modes.
pub trait TilerList: Sealed + 'static {
    /// What of them is known to the compiler.
    type Kind: Kind;
    /// How many there are.
    const RANK: usize;
    /// The by-mode tiler as a value, when the types fix every number.
    const TILER: Option<Result<Tiler, LayoutError>>;
    /// The same, not yet made a tuple.
    #[doc(hidden)]
    const PARTS: Option<Result<Tiler, LayoutError>>;
    #[doc(hidden)]
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilerList>: ModeList;
    #[doc(hidden)]
    type FirstList<O: ByMode, M: ModeList>: ModeList;
    #[doc(hidden)]
    type SecondList<O: ByMode, M: ModeList>: ModeList;
}

impl TilerList for Nil {
    type Kind = StaticKind;
    const RANK: usize = 0;
    const TILER: Option<Result<Tiler, LayoutError>> = Some(Err(LayoutError::EmptyTuple));
    const PARTS: Option<Result<Tiler, LayoutError>> = Some(Ok(Tiler::NONE));
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilerList> = O::Beyond<A>;
    type FirstList<O: ByMode, M: ModeList> = Nil;
    type SecondList<O: ByMode, M: ModeList> = M;
}

impl<H: AnyTiler, T: TilerList> TilerList for Cons<H, T> {
    type Kind = <KindOf<H> as Kind>::Join<T::Kind>;
    const RANK: usize = 1 + T::RANK;
    const TILER: Option<Result<Tiler, LayoutError>> = match Self::PARTS {
        Some(Ok(parts)) => Some(Ok(parts.enclosed())),
        none_or_error => none_or_error,
    };
    const PARTS: Option<Result<Tiler, LayoutError>> = match (H::TILER, T::PARTS) {
        (Some(Ok(head)), Some(Ok(tail))) => Some(match Tiler::NONE.push(&head) {
            Ok(head) => head.push(&tail),
            Err(error) => Err(error),
        }),
        (Some(Err(error)), Some(_)) | (Some(_), Some(Err(error))) => Some(Err(error)),
        (None, _) | (_, None) => None,
    };
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilerList> =
        A::ApplyCons<O, H, T, A0, T0>;
    type FirstList<O: ByMode, M: ModeList> = M::FirstCons<O, H, T>;
    type SecondList<O: ByMode, M: ModeList> = M::SecondCons<O, H, T>;
}

// ---- the layout's side ----

/// What tilers ask of a tree of modes.
pub trait TiledTree {
    /// The modes as a list.
    type Modes: ModeList;
    /// The first of exactly two modes, for the operation `O`.
    type First<O: ByMode>: ModeTree;
    /// The second of exactly two modes.
    type Second<O: ByMode>: ModeTree;
    /// `M`, if nothing in this tree is [`Invalid`]; else the reason that [`ModeTree::ERROR`] has.
    type Guard<M: ModeTree>: ModeTree;
}

/// [`TiledTree`] for a tuple, or the rest of one.
pub trait TiledList {
    /// `M`, if nothing in the parts of this list is [`Invalid`].
    #[doc(hidden)]
    type GuardParts<M: ModeTree>: ModeTree;
    /// `M`, if this list ends, and not in [`Invalid`].
    #[doc(hidden)]
    type GuardEnd<M: ModeTree>: ModeTree;
    /// [`TiledTree::First`] of this list with `A` before it.
    #[doc(hidden)]
    type FirstAfter<O: ByMode, A: ModeTree>: ModeTree;
    #[doc(hidden)]
    type SecondAfter<O: ByMode, A: ModeTree>: ModeTree;
    /// `P`, if this list is empty and so `A` and `B` before it are a pair.
    #[doc(hidden)]
    type EndOfPair<O: ByMode, P: ModeTree, A: ModeTree, B: ModeTree>: ModeTree;
    #[doc(hidden)]
    type ApplyCons<O: ByMode, H: AnyTiler, T: TilerList, A0: ModeTree, T0: TilerList>: ModeList;
    #[doc(hidden)]
    type FirstCons<O: ByMode, H: AnyTiler, T: TilerList>: ModeList;
    #[doc(hidden)]
    type SecondCons<O: ByMode, H: AnyTiler, T: TilerList>: ModeList;
}

impl<S: Nat, D: Nat> TiledTree for Mode<S, D> {
    type Modes = Cons<Self, Nil>;
    type First<O: ByMode> = Invalid<KeepNeedsPair<O, Self>>;
    type Second<O: ByMode> = Invalid<KeepNeedsPair<O, Self>>;
    type Guard<M: ModeTree> = M;
}

impl TiledTree for Nil {
    type Modes = Nil;
    type First<O: ByMode> = Invalid<KeepNeedsPair<O, Nil>>;
    type Second<O: ByMode> = Invalid<KeepNeedsPair<O, Nil>>;
    type Guard<M: ModeTree> = M;
}

impl<A: ModeTree, R: ModeList> TiledTree for Cons<A, R> {
    type Modes = Self;
    type First<O: ByMode> = R::FirstAfter<O, A>;
    type Second<O: ByMode> = R::SecondAfter<O, A>;
    type Guard<M: ModeTree> = R::GuardEnd<A::Guard<R::GuardParts<M>>>;
}

impl<R: Reason> TiledTree for Invalid<R> {
    type Modes = Self;
    type First<O: ByMode> = Self;
    type Second<O: ByMode> = Self;
    type Guard<M: ModeTree> = Self;
}

impl TiledList for Nil {
    type GuardParts<M: ModeTree> = M;
    type GuardEnd<M: ModeTree> = M;
    type FirstAfter<O: ByMode, A: ModeTree> = Invalid<KeepNeedsPair<O, Cons<A, Nil>>>;
    type SecondAfter<O: ByMode, A: ModeTree> = Invalid<KeepNeedsPair<O, Cons<A, Nil>>>;
    type EndOfPair<O: ByMode, P: ModeTree, A: ModeTree, B: ModeTree> = P;
    type ApplyCons<O: ByMode, H: AnyTiler, T: TilerList, A0: ModeTree, T0: TilerList> =
        Invalid<TilerRank<O::Outer, T0, A0>>;
    // Not reached: a tiler with more modes than the layout has made no pairs.
    type FirstCons<O: ByMode, H: AnyTiler, T: TilerList> = Nil;
    type SecondCons<O: ByMode, H: AnyTiler, T: TilerList> = Nil;
}

impl<B: ModeTree, R: ModeList> TiledList for Cons<B, R> {
    type GuardParts<M: ModeTree> = B::Guard<R::GuardParts<M>>;
    type GuardEnd<M: ModeTree> = R::GuardEnd<M>;
    type FirstAfter<O: ByMode, A: ModeTree> = R::EndOfPair<O, A, A, B>;
    type SecondAfter<O: ByMode, A: ModeTree> = R::EndOfPair<O, B, A, B>;
    type EndOfPair<O: ByMode, P: ModeTree, A0: ModeTree, A1: ModeTree> =
        Invalid<KeepNeedsPair<O, Cons<A0, Cons<A1, Self>>>>;
    type ApplyCons<O: ByMode, H: AnyTiler, T: TilerList, A0: ModeTree, T0: TilerList> =
        Cons<H::Apply<O, B>, T::ApplyList<O::Next, R, A0, T0>>;
    type FirstCons<O: ByMode, H: AnyTiler, T: TilerList> =
        Cons<H::Firsts<O, B>, T::FirstList<O::Next, R>>;
    type SecondCons<O: ByMode, H: AnyTiler, T: TilerList> =
        Cons<H::Seconds<O, B>, T::SecondList<O::Next, R>>;
}

impl<R: Reason> TiledList for Invalid<R> {
    type GuardParts<M: ModeTree> = Self;
    type GuardEnd<M: ModeTree> = Self;
    type FirstAfter<O: ByMode, A: ModeTree> = Self;
    type SecondAfter<O: ByMode, A: ModeTree> = Self;
    type EndOfPair<O: ByMode, P: ModeTree, A: ModeTree, B: ModeTree> = Self;
    type ApplyCons<O: ByMode, H: AnyTiler, T: TilerList, A0: ModeTree, T0: TilerList> = Self;
    type FirstCons<O: ByMode, H: AnyTiler, T: TilerList> = Self;
    type SecondCons<O: ByMode, H: AnyTiler, T: TilerList> = Self;
}
