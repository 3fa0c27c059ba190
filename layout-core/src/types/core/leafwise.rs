//! Trees of modes leaf by leaf: each one replaced, or numbers of all of them added up.

use typenum::UTerm;

use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd};
use crate::types::core::tree::{Cons, Nil};

/// What becomes of a leaf, whatever its place.
pub trait LeafMap: 'static {
    /// What the leaf `S:D` becomes.
    type Leaf<S: Nat, D: Nat>: ModeTree;
}

/// What a leaf adds to a sum.
pub trait LeafNumber: 'static {
    /// The number of the leaf `S:D`.
    type Leaf<S: Nat, D: Nat>: Nat;
}

/// A tree of modes, leaf by leaf.
pub trait Leafwise {
    /// The tree with every leaf replaced.
    type Map<F: LeafMap>: ModeTree;
    /// The sum over all leaves; meaningless when there is no such tree.
    type Sum<F: LeafNumber>: Nat;
}

/// [`Leafwise`] for a tuple, or the rest of one.
pub trait LeafwiseList {
    /// [`Leafwise::Map`] as a list.
    type MapList<F: LeafMap>: ModeList;
}

impl<S: Nat, D: Nat> Leafwise for Mode<S, D> {
    type Map<F: LeafMap> = F::Leaf<S, D>;
    type Sum<F: LeafNumber> = F::Leaf<S, D>;
}

impl Leafwise for Nil {
    type Map<F: LeafMap> = Nil;
    type Sum<F: LeafNumber> = UTerm;
}
impl LeafwiseList for Nil {
    type MapList<F: LeafMap> = Nil;
}

impl<H: ModeTree, T: ModeList> Leafwise for Cons<H, T> {
    type Map<F: LeafMap> = Cons<H::Map<F>, T::MapList<F>>;
    type Sum<F: LeafNumber> = NatAdd<H::Sum<F>, T::Sum<F>>;
}
impl<H: ModeTree, T: ModeList> LeafwiseList for Cons<H, T> {
    type MapList<F: LeafMap> = Cons<H::Map<F>, T::MapList<F>>;
}

impl<R: Reason> Leafwise for Invalid<R> {
    type Map<F: LeafMap> = Self;
    type Sum<F: LeafNumber> = UTerm;
}
impl<R: Reason> LeafwiseList for Invalid<R> {
    type MapList<F: LeafMap> = Self;
}
