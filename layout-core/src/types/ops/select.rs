//! `select`, `replace`, `append` and `prepend` at the type level: modes by their numbers.

use crate::types::api::tiler::TiledTree;
use crate::types::core::invalid::{Invalid, ModeIndex, Named, NestedModes, Reason, RunTimeLeaf};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::ternary::{False, Order, True, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::range::{RangeList, Rank};

/// The modes of `M` that `I` lists: an integer, or a flat tuple of them.
pub(crate) type Selected<M, I> = <M as TiledTree>::Guard<<I as ModeNumbers>::Select<M>>;
/// The modes `M` with `B` in the place of mode `N`.
pub(crate) type Replaced<M, N, B> =
    <M as TiledTree>::Guard<<Has<M, N> as SelectIf>::Replace<M, N, B>>;
/// The modes `M`, and `B` after them.
pub(crate) type Appended<M, B> = <<M as TiledTree>::Modes as RangeList>::AllThen<Cons<B, Nil>>;
/// The modes `M`, and `B` before them.
pub(crate) type Prepended<M, B> = Cons<B, <M as TiledTree>::Modes>;

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

/// What `select` asks of the numbers of modes.
pub trait ModeNumbers {
    /// The modes of these numbers, as a list.
    type Select<M: ModeTree>: ModeList;
    /// The one mode of this number.
    type SelectOne<M: ModeTree>: ModeTree;
}

impl<N: Nat> ModeNumbers for N {
    type Select<M: ModeTree> = Cons<Nth<M, N>, Nil>;
    type SelectOne<M: ModeTree> = Nth<M, N>;
}

impl ModeNumbers for Nil {
    type Select<M: ModeTree> = Nil;
    type SelectOne<M: ModeTree> = Invalid<NestedModes>;
}

impl<H: Tree, T: TreeList> ModeNumbers for Cons<H, T> {
    type Select<M: ModeTree> = Cons<H::SelectOne<M>, T::Select<M>>;
    type SelectOne<M: ModeTree> = Invalid<NestedModes>;
}

impl<R: Reason> ModeNumbers for Invalid<R> {
    type Select<M: ModeTree> = Self;
    type SelectOne<M: ModeTree> = Self;
}

/// `replace`, for a tree of modes that has the mode `N`.
pub trait ReplaceTree {
    /// The modes with `B` in the place of mode `N`.
    type Replace<N: Nat, B: ModeTree>: ModeTree;
}

impl<S: Nat, D: Nat> ReplaceTree for Mode<S, D> {
    type Replace<N: Nat, B: ModeTree> = B;
}

impl ReplaceTree for Nil {
    type Replace<N: Nat, B: ModeTree> = Nil;
}

impl<H: ModeTree, T: ModeList> ReplaceTree for Cons<H, T> {
    type Replace<N: Nat, B: ModeTree> =
        <Self as RangeList>::FrontThen<N, Cons<B, <Self as RangeList>::Skip<N::Succ>>>;
}

impl<R: Reason> ReplaceTree for Invalid<R> {
    type Replace<N: Nat, B: ModeTree> = Self;
}

/// The branches: `self` is whether there is a mode `N`.
pub trait SelectIf {
    /// Mode `N`.
    type Nth<M: ModeTree, N: Nat>: ModeTree;
    /// The modes with `B` in the place of mode `N`.
    type Replace<M: ModeTree, N: Nat, B: ModeTree>: ModeTree;
}

impl SelectIf for True {
    type Nth<M: ModeTree, N: Nat> = <<M::Modes as RangeList>::Skip<N> as RangeList>::Head;
    type Replace<M: ModeTree, N: Nat, B: ModeTree> = <M as ReplaceTree>::Replace<N, B>;
}
impl SelectIf for False {
    type Nth<M: ModeTree, N: Nat> = Invalid<ModeIndex<SelectModes, N, M>>;
    type Replace<M: ModeTree, N: Nat, B: ModeTree> = Invalid<ModeIndex<ReplaceMode, N, M>>;
}
impl SelectIf for Unknown {
    type Nth<M: ModeTree, N: Nat> = Invalid<RunTimeLeaf>;
    type Replace<M: ModeTree, N: Nat, B: ModeTree> = Invalid<RunTimeLeaf>;
}
