//! The offset of a coordinate that is a type.

use typenum::UTerm;

use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd, NatDiv, NatMul, NatRem};
use crate::types::core::symbolic::Dyn;
use crate::types::core::table::table;
use crate::types::core::tree::Cons;

table! {
    /// Offsets of 1-D coordinates, for a tree of modes. The offset is unknown if a mode is unknown
    /// or not valid.
    trait IndexedTree for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The offset of the coordinate `N`, which counts through the first mode first.
    type OffsetOf<N: Nat>: Nat {
        Leaf => NatMul<N, D>,
        Nil => UTerm,
        Cons => T::OffsetBehind<H, N>,
        Invalid => Dyn,
    }
}

table! {
    /// [`IndexedTree`] for a tuple, or the rest of one.
    trait IndexedList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// [`IndexedTree::OffsetOf`] of this list with `H0` before it.
    type OffsetBehind<H0: ModeTree, N: Nat>: Nat {
        Nil => H0::OffsetOf<N>,
        Cons => NatAdd<
            H0::OffsetOf<NatRem<N, H0::Size>>, <Self as IndexedTree>::OffsetOf<NatDiv<N, H0::Size>>,
        >,
        Invalid => Dyn,
    }
}
