//! `unflatten` at the type level: the leaves of a layout with the nesting of a profile.

use typenum::UTerm;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, reasons};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::Order;
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::range::RangeList;

/// The leaves of the modes `M` with the nesting of the profile `P`.
pub(crate) type Unflattened<M, P> = <M as GuardTree>::Guard<
    <<<<Leaves<M> as ModeTree>::TupleRank as Nat>::Compare<<P as NestTree>::LeafCount> as Order>::IsEqual as NestIf>::Nest<M, P>,
>;

table! {
    /// `unflatten`, for a profile.
    trait NestTree for [N: Nat] N, [H: Tree, T: TreeList] Cons<H, T>;
    /// The number of leaves.
    type LeafCount: Nat {
        Leaf => One,
        Nil => UTerm,
        Cons => NatAdd<H::LeafCount, T::LeafCount>,
        Invalid => UTerm,
    }
    /// The first leaves of `L`, as many as the profile has, with its nesting.
    type Nest<L: FlatList>: ModeTree {
        Leaf => <L as RangeList>::Head,
        Nil => Nil,
        Cons => <Self as NestList>::NestList<L>,
    }
    /// The remaining leaves of `L`.
    type Left<L: FlatList>: FlatList { Leaf => L::Tail, Nil => L, Cons => T::Left<H::Left<L>> }
}

table! {
    /// [`NestTree`] for a tuple, or the rest of one.
    trait NestList for [H: Tree, T: TreeList] Cons<H, T>;
    /// [`NestTree::Nest`] as a list.
    type NestList<L: FlatList>: ModeList {
        Nil => Nil,
        Cons => Cons<H::Nest<L>, T::NestList<H::Left<L>>>,
    }
}

table! {
    /// A list of leaves without the first one.
    trait LeafList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The other leaves.
    type Tail: FlatList { Nil => Nil, Cons => T }
}

decisions! {
    /// The branches: `self` is whether there are as many leaves as in the profile.
    trait NestIf;
    /// The leaves of `M` with the nesting of `P`.
    type Nest<M: ModeTree, P: Tree>: ModeTree {
        True => <P as NestTree>::Nest<Leaves<M>>,
        False => Invalid<LeafCount<P, M>>,
    }
}

reasons! {
    /// `unflatten`: a profile `P` with another number of leaves than the modes `M`.
    LeafCount<P: Tree, M: ModeTree> with profile = P::TUPLE, with shape = M::Shape::TUPLE,
        => LayoutError::Algebra(AlgebraError::LeafCount { profile, shape }),
        else HasLeaves: "unflatten: the profile has a different number of leaves than the layout",
        "write one leaf for each leaf of the layout";
}
