//! `unflatten` at the type level: the leaves of a layout under the parentheses of a profile.

use typenum::UTerm;

use crate::types::api::tiler::TiledTree;
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{Invalid, LeafCount, Reason, RunTimeLeaf};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd, One};
use crate::types::core::ternary::{False, Order, True, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::range::RangeList;

/// The leaves of the modes `M`, nested as the profile `P` is.
pub(crate) type Unflattened<M, P> = <M as TiledTree>::Guard<
    <<<<Leaves<M> as ModeTree>::TupleRank as Nat>::Compare<<P as NestTree>::LeafCount> as Order>::IsEqual as NestIf>::Nest<M, P>,
>;

/// `unflatten`, for a profile.
pub trait NestTree {
    /// The number of leaves.
    type LeafCount: Nat;
    /// The first leaves of `L`, as many as the profile has, nested as it is.
    type Nest<L: FlatList>: ModeTree;
    /// The leaves of `L` behind those.
    type Left<L: FlatList>: FlatList;
}

/// [`NestTree`] for a tuple, or the rest of one.
pub trait NestList {
    /// [`NestTree::Nest`] as a list.
    type NestList<L: FlatList>: ModeList;
}

/// A list of leaves without the first one.
pub trait LeafList {
    /// The other leaves.
    type Tail: FlatList;
}

impl LeafList for Nil {
    type Tail = Nil;
}
impl<S: Nat, D: Nat, T: FlatList> LeafList for Cons<Mode<S, D>, T> {
    type Tail = T;
}
impl<R: Reason> LeafList for Invalid<R> {
    type Tail = Self;
}

impl<N: Nat> NestTree for N {
    type LeafCount = One;
    type Nest<L: FlatList> = <L as RangeList>::Head;
    type Left<L: FlatList> = L::Tail;
}

impl NestTree for Nil {
    type LeafCount = UTerm;
    type Nest<L: FlatList> = Nil;
    type Left<L: FlatList> = L;
}

impl NestList for Nil {
    type NestList<L: FlatList> = Nil;
}

impl<H: Tree, T: TreeList> NestTree for Cons<H, T> {
    type LeafCount = NatAdd<H::LeafCount, T::LeafCount>;
    type Nest<L: FlatList> = <Self as NestList>::NestList<L>;
    type Left<L: FlatList> = T::Left<H::Left<L>>;
}

impl<H: Tree, T: TreeList> NestList for Cons<H, T> {
    type NestList<L: FlatList> = Cons<H::Nest<L>, T::NestList<H::Left<L>>>;
}

impl<R: Reason> NestTree for Invalid<R> {
    type LeafCount = UTerm;
    type Nest<L: FlatList> = Self;
    type Left<L: FlatList> = Self;
}

impl<R: Reason> NestList for Invalid<R> {
    type NestList<L: FlatList> = Self;
}

/// The branches: `self` is whether there are as many leaves as in the profile.
pub trait NestIf {
    /// The leaves of `M`, nested as `P` is.
    type Nest<M: ModeTree, P: Tree>: ModeTree;
}

impl NestIf for True {
    type Nest<M: ModeTree, P: Tree> = <P as NestTree>::Nest<Leaves<M>>;
}
impl NestIf for False {
    type Nest<M: ModeTree, P: Tree> = Invalid<LeafCount<P, M>>;
}
impl NestIf for Unknown {
    type Nest<M: ModeTree, P: Tree> = Invalid<RunTimeLeaf>;
}
