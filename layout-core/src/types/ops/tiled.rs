//! How a tiler recurses into the modes of a layout.
//!
//! A tiler is a layout, [`Keep`], or a list of tilers, one for each mode; see
//! [`AnyTiler`](crate::types::AnyTiler) for its values.

use core::marker::PhantomData;

use crate::error::LayoutError;
use crate::types::core::invalid::{Invalid, reasons};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, One};
use crate::types::core::sealed::Sealed;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil, Tree, Zip};
use crate::types::ops::by_mode::{AtMode, ByMode};
use crate::types::ops::place::First;

/// The tiler `_`: keeps a mode as it is. Both a type and its value. In a coordinate type it is the
/// `_` of a mode that a slice keeps.
///
/// In a zipped divide it keeps a mode that is already a pair of a tile and a rest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Keep;
impl Sealed for Keep {}

/// The result of an operation on the modes of a layout with a tiler.
pub trait Tiling: 'static {
    /// The operation `O` on the modes `A`.
    type Apply<O: ByMode, A: ModeTree>: ModeTree;
    /// The first parts of the pairs that `O` produced with this tiler.
    type Firsts<O: ByMode, M: ModeTree>: ModeTree;
    /// The second parts of them, and the modes beyond the tiler.
    type Seconds<O: ByMode, M: ModeTree>: ModeTree;
}

/// [`Tiling`] for the tilers of the modes. `A0` and `T0` are the operands at the start of the
/// recursion, for the error if the tiler has too many modes.
pub trait TilingList: 'static {
    /// The number of tilers.
    const RANK: usize;
    /// [`Tiling::Apply`], mode by mode.
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilingList>: ModeList;
    /// [`Tiling::Firsts`], mode by mode.
    type FirstList<O: ByMode, M: ModeList>: ModeList;
    /// [`Tiling::Seconds`], mode by mode.
    type SecondList<O: ByMode, M: ModeList>: ModeList;
}

/// One layout as a tiler, given its modes.
macro_rules! layout_tiling {
    ($modes:ty) => {
        type Apply<O: ByMode, A: ModeTree> = O::With<O, A, $modes>;
        type Firsts<O: ByMode, M: ModeTree> = M::First<O>;
        type Seconds<O: ByMode, M: ModeTree> = M::Second<O>;
    };
}
pub(crate) use layout_tiling;

/// One tiler for each mode, given their list.
macro_rules! list_tiling {
    ($list:ty) => {
        type Apply<O: ByMode, A: ModeTree> =
            O::Guard<A, <$list as TilingList>::ApplyList<AtMode<O, First>, A::Modes, A, $list>>;
        type Firsts<O: ByMode, M: ModeTree> =
            <$list as TilingList>::FirstList<AtMode<O, First>, M::Modes>;
        type Seconds<O: ByMode, M: ModeTree> =
            <$list as TilingList>::SecondList<AtMode<O, First>, M::Modes>;
    };
}
pub(crate) use list_tiling;

impl Tiling for Keep {
    type Apply<O: ByMode, A: ModeTree> = A;
    type Firsts<O: ByMode, M: ModeTree> = M::First<O>;
    type Seconds<O: ByMode, M: ModeTree> = M::Second<O>;
}

/// `S` contiguous elements as a tiler: the layout `S:1`.
#[derive(Debug)]
pub struct Neighbours<S>(PhantomData<S>);
impl<S: Tree> Tiling for Neighbours<S> {
    layout_tiling!(Zip<S, One>);
}

/// A tiler `L` with one tiler for each mode.
#[derive(Debug)]
pub struct EachMode<L>(PhantomData<L>);
impl<L: TilingList> Tiling for EachMode<L> {
    list_tiling!(L);
}

impl TilingList for Nil {
    const RANK: usize = 0;
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilingList> = O::Beyond<A>;
    type FirstList<O: ByMode, M: ModeList> = Nil;
    type SecondList<O: ByMode, M: ModeList> = M;
}

impl<H: Tiling, T: TilingList> TilingList for Cons<H, T> {
    const RANK: usize = 1 + T::RANK;
    type ApplyList<O: ByMode, A: ModeList, A0: ModeTree, T0: TilingList> =
        A::ApplyCons<O, H, T, A0, T0>;
    type FirstList<O: ByMode, M: ModeList> = M::FirstCons<O, H, T>;
    type SecondList<O: ByMode, M: ModeList> = M::SecondCons<O, H, T>;
}

// ---- the layout's side ----

table! {
    /// The operations of tilers on a tree of modes.
    trait TiledTree for [S: Nat, D: Nat] Mode<S, D>, [A: ModeTree, R: ModeList] Cons<A, R>;
    /// The first of exactly two modes, for the operation `O`.
    type First<O: ByMode>: ModeTree {
        Leaf => Invalid<KeepNeedsPair<O, Self>>,
        Nil => Invalid<KeepNeedsPair<O, Nil>>,
        Cons => R::FirstAfter<O, A>,
    }
    /// The second of exactly two modes.
    type Second<O: ByMode>: ModeTree {
        Leaf => Invalid<KeepNeedsPair<O, Self>>,
        Nil => Invalid<KeepNeedsPair<O, Nil>>,
        Cons => R::SecondAfter<O, A>,
    }
}

table! {
    /// [`TiledTree`] for a tuple, or the rest of one.
    trait TiledList for [B: ModeTree, R: ModeList] Cons<B, R>;
    /// [`TiledTree::First`] of this list with `A` before it.
    type FirstAfter<O: ByMode, A: ModeTree>: ModeTree {
        Nil => Invalid<KeepNeedsPair<O, Cons<A, Nil>>>,
        Cons => R::EndOfPair<O, A, A, B>,
    }
    type SecondAfter<O: ByMode, A: ModeTree>: ModeTree {
        Nil => Invalid<KeepNeedsPair<O, Cons<A, Nil>>>,
        Cons => R::EndOfPair<O, B, A, B>,
    }
    /// `P`, if this list is empty and so `A0` and `A1` before it are a pair.
    type EndOfPair<O: ByMode, P: ModeTree, A0: ModeTree, A1: ModeTree>: ModeTree {
        Nil => P,
        Cons => Invalid<KeepNeedsPair<O, Cons<A0, Cons<A1, Self>>>>,
    }
    type ApplyCons<O: ByMode, H: Tiling, T: TilingList, A0: ModeTree, T0: TilingList>: ModeList {
        Nil => Invalid<TilerRank<O::Outer, T0, A0>>,
        Cons => Cons<H::Apply<O, B>, T::ApplyList<O::Next, R, A0, T0>>,
    }
    type FirstCons<O: ByMode, H: Tiling, T: TilingList>: ModeList {
        // Unreachable: a tiler with more modes than the layout produces no pairs.
        Nil => Nil,
        Cons => Cons<H::Firsts<O, B>, T::FirstList<O::Next, R>>,
    }
    type SecondCons<O: ByMode, H: Tiling, T: TilingList>: ModeList {
        Nil => Nil,
        Cons => Cons<H::Seconds<O, B>, T::SecondList<O::Next, R>>,
    }
}

reasons! {
    /// The operation `O` by mode: the tiler `T` has more modes than the modes `M`.
    TilerRank<O: ByMode, T: TilingList, M: ModeTree> with shape = M::Shape::TUPLE,
        => LayoutError::TilerRank { operation: O::NAME, mode: O::MODE, tiler: T::RANK, shape },
        else TilerFits: "the tiler has more modes than the layout",
        "too many modes in the tiler";
    /// A zipped operation `O` that keeps a mode `M` which is not a pair.
    KeepNeedsPair<O: ByMode, M: ModeTree> with shape = M::Shape::TUPLE,
        => LayoutError::KeepNeedsPair { operation: O::ZIPPED, mode: O::MODE, shape },
        else IsPair: "_ needs a mode that is already a pair",
        "this mode is not a pair";
}
