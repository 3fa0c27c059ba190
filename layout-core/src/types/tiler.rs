//! Tilers at the type level: one layout, or one tiler for each mode; and how they walk
//! down a layout's modes.

use super::by_mode::ByMode;
use super::layout::Layout;
use super::modes::{Mode, ModeList, ModeTree};
use super::nat::Nat;
use super::reason::{Invalid, KeepNeedsPair, Reason, TilerRank};
use super::tree::{Cons, Nil, Tree, Zip};
use crate::engine::Tiler;
use crate::error::LayoutError;

/// The tiler `_`: keeps a mode as it is. Both a type and its value.
///
/// In a zipped divide it says that the mode is a pair of a tile and a rest already.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Keep;

mod ghost {
    use core::convert::Infallible;
    use core::marker::PhantomData;

    /// The type behind the alias [`Tile`](super::Tile).
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

impl<L: TilerList> From<Tile<L>> for Tiler {
    /// # Panics
    ///
    /// In const evaluation, when a layout of the tiler does not exist.
    fn from(_: Tile<L>) -> Self {
        const {
            match L::TILER {
                Ok(tiler) => tiler,
                Err(error) => error.panic(),
            }
        }
    }
}

impl From<Keep> for Tiler {
    fn from(_: Keep) -> Self {
        Self::keep()
    }
}

/// What a divide, a product or a composition applies: a static layout, [`Keep`], or a [`Tile`] with
/// one tiler for each mode.
#[diagnostic::on_unimplemented(
    message = "a tiler is a static layout, or a static layout or `_` for each mode",
    label = "not a tiler"
)]
pub trait StaticTiler: 'static {
    /// The tiler as a value.
    const TILER: Result<Tiler, LayoutError>;
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

impl<S: Tree, D: Tree> StaticTiler for Layout<S, D> {
    const TILER: Result<Tiler, LayoutError> = match super::layout::checked::<Zip<S, D>>() {
        Ok(layout) => Ok(Tiler::layout(&layout)),
        Err(error) => Err(error),
    };
    type Apply<O: ByMode, A: ModeTree> = O::With<A, Zip<S, D>>;
    type Firsts<O: ByMode, M: ModeTree> = M::First<O>;
    type Seconds<O: ByMode, M: ModeTree> = M::Second<O>;
}

impl StaticTiler for Keep {
    const TILER: Result<Tiler, LayoutError> = Ok(Tiler::keep());
    type Apply<O: ByMode, A: ModeTree> = A;
    type Firsts<O: ByMode, M: ModeTree> = M::First<O>;
    type Seconds<O: ByMode, M: ModeTree> = M::Second<O>;
}

impl<L: TilerList> StaticTiler for Tile<L> {
    const TILER: Result<Tiler, LayoutError> = L::TILER;
    type Apply<O: ByMode, A: ModeTree> = O::Guard<A, L::ApplyList<O, A::Modes, A, L>>;
    type Firsts<O: ByMode, M: ModeTree> = L::FirstList<O, M::Modes>;
    type Seconds<O: ByMode, M: ModeTree> = L::SecondList<O, M::Modes>;
}

/// The tilers of a [`Tile`]. `A0` and `T0` are what the recursion started from: what to report
/// when the tiler has too many modes.
pub trait TilerList: 'static {
    /// How many there are.
    const RANK: usize;
    /// The by-mode tiler as a value.
    const TILER: Result<Tiler, LayoutError>;
    /// The same, not yet made a tuple.
    #[doc(hidden)]
    const PARTS: Result<Tiler, LayoutError>;
    #[doc(hidden)]
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilerList>: ModeList;
    #[doc(hidden)]
    type FirstList<O: ByMode, M: ModeList>: ModeList;
    #[doc(hidden)]
    type SecondList<O: ByMode, M: ModeList>: ModeList;
}

impl TilerList for Nil {
    const RANK: usize = 0;
    const TILER: Result<Tiler, LayoutError> = Err(LayoutError::EmptyTuple);
    const PARTS: Result<Tiler, LayoutError> = Ok(Tiler::NONE);
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilerList> = O::Beyond<A>;
    type FirstList<O: ByMode, M: ModeList> = Nil;
    type SecondList<O: ByMode, M: ModeList> = M;
}

impl<H: StaticTiler, T: TilerList> TilerList for Cons<H, T> {
    const RANK: usize = 1 + T::RANK;
    const TILER: Result<Tiler, LayoutError> = match Self::PARTS {
        Ok(parts) => Ok(parts.enclosed()),
        Err(error) => Err(error),
    };
    const PARTS: Result<Tiler, LayoutError> = match (H::TILER, T::PARTS) {
        (Ok(head), Ok(tail)) => match Tiler::NONE.push(&head) {
            Ok(head) => head.push(&tail),
            Err(error) => Err(error),
        },
        (Err(error), _) | (_, Err(error)) => Err(error),
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
    type ApplyCons<O: ByMode, H: StaticTiler, T: TilerList, A0: ModeTree, T0: TilerList>: ModeList;
    #[doc(hidden)]
    type FirstCons<O: ByMode, H: StaticTiler, T: TilerList>: ModeList;
    #[doc(hidden)]
    type SecondCons<O: ByMode, H: StaticTiler, T: TilerList>: ModeList;
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
    type ApplyCons<O: ByMode, H: StaticTiler, T: TilerList, A0: ModeTree, T0: TilerList> =
        Invalid<TilerRank<O, T0, A0>>;
    // Not reached: a tiler with more modes than the layout has made no pairs.
    type FirstCons<O: ByMode, H: StaticTiler, T: TilerList> = Nil;
    type SecondCons<O: ByMode, H: StaticTiler, T: TilerList> = Nil;
}

impl<B: ModeTree, R: ModeList> TiledList for Cons<B, R> {
    type GuardParts<M: ModeTree> = B::Guard<R::GuardParts<M>>;
    type GuardEnd<M: ModeTree> = R::GuardEnd<M>;
    type FirstAfter<O: ByMode, A: ModeTree> = R::EndOfPair<O, A, A, B>;
    type SecondAfter<O: ByMode, A: ModeTree> = R::EndOfPair<O, B, A, B>;
    type EndOfPair<O: ByMode, P: ModeTree, A0: ModeTree, A1: ModeTree> =
        Invalid<KeepNeedsPair<O, Cons<A0, Cons<A1, Self>>>>;
    type ApplyCons<O: ByMode, H: StaticTiler, T: TilerList, A0: ModeTree, T0: TilerList> =
        Cons<H::Apply<O, B>, T::ApplyList<O, R, A0, T0>>;
    type FirstCons<O: ByMode, H: StaticTiler, T: TilerList> =
        Cons<H::Firsts<O, B>, T::FirstList<O, R>>;
    type SecondCons<O: ByMode, H: StaticTiler, T: TilerList> =
        Cons<H::Seconds<O, B>, T::SecondList<O, R>>;
}

impl<R: Reason> TiledList for Invalid<R> {
    type GuardParts<M: ModeTree> = Self;
    type GuardEnd<M: ModeTree> = Self;
    type FirstAfter<O: ByMode, A: ModeTree> = Self;
    type SecondAfter<O: ByMode, A: ModeTree> = Self;
    type EndOfPair<O: ByMode, P: ModeTree, A: ModeTree, B: ModeTree> = Self;
    type ApplyCons<O: ByMode, H: StaticTiler, T: TilerList, A0: ModeTree, T0: TilerList> = Self;
    type FirstCons<O: ByMode, H: StaticTiler, T: TilerList> = Self;
    type SecondCons<O: ByMode, H: StaticTiler, T: TilerList> = Self;
}
