//! The offset of a coordinate that is a type.

use typenum::UTerm;

use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd, NatDiv, NatMul, NatRem};
use crate::types::core::symbolic::Dyn;
use crate::types::core::tree::{Cons, Nil};

/// Offsets of 1-D coordinates, for a tree of modes.
pub trait IndexedTree {
    /// The offset of the coordinate `N`, which counts through the first mode first.
    type OffsetOf<N: Nat>: Nat;
}

/// [`IndexedTree`] for a tuple, or the rest of one.
pub trait IndexedList {
    /// [`IndexedTree::OffsetOf`] of this list with `H` before it.
    type OffsetBehind<H: ModeTree, N: Nat>: Nat;
}

impl<S: Nat, D: Nat> IndexedTree for Mode<S, D> {
    type OffsetOf<N: Nat> = NatMul<N, D>;
}

impl IndexedTree for Nil {
    type OffsetOf<N: Nat> = UTerm;
}
impl IndexedList for Nil {
    type OffsetBehind<H: ModeTree, N: Nat> = H::OffsetOf<N>;
}

impl<H: ModeTree, T: ModeList> IndexedTree for Cons<H, T> {
    type OffsetOf<N: Nat> = T::OffsetBehind<H, N>;
}
impl<H: ModeTree, T: ModeList> IndexedList for Cons<H, T> {
    type OffsetBehind<H0: ModeTree, N: Nat> = NatAdd<
        H0::OffsetOf<NatRem<N, H0::Size>>,
        <Self as IndexedTree>::OffsetOf<NatDiv<N, H0::Size>>,
    >;
}

// Of modes that are not known, or are none, no offset is.
impl<R: Reason> IndexedTree for Invalid<R> {
    type OffsetOf<N: Nat> = Dyn;
}
impl<R: Reason> IndexedList for Invalid<R> {
    type OffsetBehind<H: ModeTree, N: Nat> = Dyn;
}
