//! `select`, `replace`, `append` and `prepend` at the type level: modes by index.

use crate::error::{AlgebraError, LayoutError, NotationError};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, Named, Reason, number, reasons};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::Order;
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::range::{RangeList, Rank};

/// The modes of `M` that `I` lists: an integer, or a flat tuple of them.
pub(crate) type Selected<M, I> = <M as GuardTree>::Guard<<I as ModeNumbers>::Select<M>>;
/// The modes `M` with mode `N` replaced by `B`.
pub(crate) type Replaced<M, N, B> =
    <M as GuardTree>::Guard<<Has<M, N> as SelectIf>::Replace<M, N, B>>;
/// The modes `M`, and `B` after them.
pub(crate) type Appended<M, B> = <<M as GuardTree>::Modes as RangeList>::AllThen<Cons<B, Nil>>;
/// The modes `M`, and `B` before them.
pub(crate) type Prepended<M, B> = Cons<B, <M as GuardTree>::Modes>;

/// Whether mode `N` is one of `M`.
type Has<M, N> = <<Rank<M> as Nat>::Compare<N> as Order>::IsGreater;
type Nth<M, N> = <Has<M, N> as SelectIf>::Nth<M, N>;

/// `select`.
#[derive(Debug)]
pub enum SelectModes {}
impl Named for SelectModes {
    const NAME: &'static str = "select";
}

/// `replace`.
#[derive(Debug)]
pub enum ReplaceMode {}
impl Named for ReplaceMode {
    const NAME: &'static str = "replace";
}

table! {
    /// `select`, for the indices of modes.
    trait ModeNumbers for [N: Nat] N, [H: Tree, T: TreeList] Cons<H, T>;
    /// The modes with these indices, as a list.
    type Select<M: ModeTree>: ModeList {
        Leaf => Cons<Nth<M, N>, Nil>,
        Nil => Nil,
        Cons => Cons<H::SelectOne<M>, T::Select<M>>,
    }
    /// The one mode with this index.
    type SelectOne<M: ModeTree>: ModeTree {
        Leaf => Nth<M, N>,
        Nil => Invalid<NestedModes>,
        Cons => Invalid<NestedModes>,
    }
}

table! {
    /// `replace`, for a tree of modes that has the mode `N`.
    trait ReplaceTree for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The modes with mode `N` replaced by `B`.
    type Replace<N: Nat, B: ModeTree>: ModeTree {
        Leaf => B,
        Nil => Nil,
        Cons => <Self as RangeList>::FrontThen<N, Cons<B, <Self as RangeList>::Skip<N::Succ>>>,
    }
}

decisions! {
    /// The branches: `self` is whether there is a mode `N`.
    trait SelectIf;
    /// Mode `N`.
    type Nth<M: ModeTree, N: Nat>: ModeTree {
        True => <<M::Modes as RangeList>::Skip<N> as RangeList>::Head,
        False => Invalid<ModeIndex<SelectModes, N, M>>,
    }
    /// The modes with mode `N` replaced by `B`.
    type Replace<M: ModeTree, N: Nat, B: ModeTree>: ModeTree {
        True => <M as ReplaceTree>::Replace<N, B>,
        False => Invalid<ModeIndex<ReplaceMode, N, M>>,
    }
}

reasons! {
    /// The operation `O`: a mode `N` that the modes `M` do not have.
    ModeIndex<O: Named, N: Nat, M: ModeTree> with shape = M::Shape::TUPLE,
        => LayoutError::Algebra(AlgebraError::ModeIndex {
            operation: O::NAME,
            mode: number::<N>(),
            shape,
        }),
        else HasMode: "the layout does not have a mode with this index",
        "a mode index is not below the rank of the layout";
}

/// `select` by a tuple inside a tuple.
#[derive(Debug)]
pub enum NestedModes {}

impl Reason for NestedModes {
    const ERROR: LayoutError = LayoutError::Notation(NotationError::NESTED_MODES);
}
