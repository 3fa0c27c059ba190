//! Leaf by leaf operations on trees of modes: replace each leaf, or sum a number over all leaves.

use typenum::UTerm;

use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd};
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};

/// A function of a leaf, independent of its position.
pub trait LeafMap: 'static {
    /// The replacement of the leaf `S:D`.
    type Leaf<S: Nat, D: Nat>: ModeTree;
}

/// A number for each leaf, to be summed.
pub trait LeafNumber: 'static {
    /// The number of the leaf `S:D`.
    type Leaf<S: Nat, D: Nat>: Nat;
}

table! {
    /// A tree of modes, leaf by leaf.
    trait Leafwise for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The tree with every leaf replaced.
    type Map<F: LeafMap>: ModeTree {
        Leaf => F::Leaf<S, D>,
        Nil => Nil,
        Cons => Cons<H::Map<F>, T::MapList<F>>,
    }
    /// The sum over all leaves; meaningless if there is no such tree.
    type Sum<F: LeafNumber>: Nat {
        Leaf => F::Leaf<S, D>,
        Nil => UTerm,
        Cons => NatAdd<H::Sum<F>, T::Sum<F>>,
        Invalid => UTerm,
    }
}

table! {
    /// [`Leafwise`] for a tuple, or the rest of one.
    trait LeafwiseList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// [`Leafwise::Map`] as a list.
    type MapList<F: LeafMap>: ModeList { Nil => Nil, Cons => Cons<H::Map<F>, T::MapList<F>> }
}
