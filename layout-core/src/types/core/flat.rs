//! Flat lists of modes: what the operations work on inside, and `flatten`.

use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::place::{Located, StaticPlace};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::coalesce::CoalesceList;
use crate::types::ops::complement::ComplementList;
use crate::types::ops::compose::LeftOperandList;
use crate::types::ops::distribute::DistributeList;
use crate::types::ops::filter::StillList;
use crate::types::ops::inverse::InverseList;
use crate::types::ops::left_inverse::DigitList;
use crate::types::ops::make_ordered::PartList;
use crate::types::ops::max_common::CommonList;
use crate::types::ops::morello::Extents;
use crate::types::ops::unflatten::LeafList;

/// A list of leaves: [`Nil`], `Cons<Mode<S, D>, T>`, or [`Invalid`].
pub trait FlatList:
    ModeList
    + CoalesceList
    + LeftOperandList
    + ComplementList
    + InverseList
    + StillList
    + DigitList
    + DistributeList
    + CommonList
    + Extents
    + LeafList
    + PartList
{
    /// The list with a leaf before it.
    type Push<S: Nat, D: Nat>: FlatList;
    /// CuTe's `unwrap`: the leaf itself if there is one, else the tuple.
    type Unwrap: ModeTree;
    /// `Unwrap` of this list with a leaf before it.
    type UnwrapAfter<S: Nat, D: Nat>: ModeTree;
    /// The list; one that does not exist, because of the operand with the modes `M`, with the
    /// place `P` of that operand.
    type Locate<P: StaticPlace, M: ModeTree>: FlatList;
    /// The tuple of a tile and this rest.
    type After<Tile: ModeTree>: ModeTree;
}

impl FlatList for Nil {
    type Push<S: Nat, D: Nat> = Cons<Mode<S, D>, Nil>;
    type Unwrap = Nil;
    type UnwrapAfter<S: Nat, D: Nat> = Mode<S, D>;
    type Locate<P: StaticPlace, M: ModeTree> = Self;
    type After<Tile: ModeTree> = Cons<Tile, Cons<Nil, Nil>>;
}

impl<S: Nat, D: Nat, T: FlatList> FlatList for Cons<Mode<S, D>, T> {
    type Push<S2: Nat, D2: Nat> = Cons<Mode<S2, D2>, Self>;
    type Unwrap = T::UnwrapAfter<S, D>;
    type UnwrapAfter<S2: Nat, D2: Nat> = Cons<Mode<S2, D2>, Self>;
    type Locate<P: StaticPlace, M: ModeTree> = Self;
    type After<Tile: ModeTree> = Cons<Tile, Cons<T::UnwrapAfter<S, D>, Nil>>;
}

impl<R: Reason> FlatList for Invalid<R> {
    type Push<S: Nat, D: Nat> = Self;
    type Unwrap = Self;
    type UnwrapAfter<S: Nat, D: Nat> = Self;
    type Locate<P: StaticPlace, M: ModeTree> = Invalid<Located<R, P, M>>;
    type After<Tile: ModeTree> = Self;
}

/// `flatten`, for a tree of modes.
pub trait FlattenTree {
    /// The leaves, before those of `Rest`.
    type FlattenOnto<Rest: FlatList>: FlatList;
    /// The leaves as one tuple; a leaf by itself stays as it is.
    type Flatten: ModeTree;
}

/// The modes `M`, flattened.
pub(crate) type Flattened<M> = <M as FlattenTree>::Flatten;
/// All leaves of the modes `M`.
pub(crate) type Leaves<M> = <M as FlattenTree>::FlattenOnto<Nil>;

impl<S: Nat, D: Nat> FlattenTree for Mode<S, D> {
    type FlattenOnto<Rest: FlatList> = Cons<Self, Rest>;
    type Flatten = Self;
}

impl FlattenTree for Nil {
    type FlattenOnto<Rest: FlatList> = Rest;
    type Flatten = Nil;
}

impl<H: ModeTree, T: ModeList> FlattenTree for Cons<H, T> {
    type FlattenOnto<Rest: FlatList> = H::FlattenOnto<T::FlattenOnto<Rest>>;
    type Flatten = H::FlattenOnto<T::FlattenOnto<Nil>>;
}

impl<R: Reason> FlattenTree for Invalid<R> {
    type FlattenOnto<Rest: FlatList> = Self;
    type Flatten = Self;
}
