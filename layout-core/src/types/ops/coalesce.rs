//! `coalesce` at the type level.

use typenum::UTerm;

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{False, Order};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::by_profile::{Each, OfModes};

/// The leaves of the modes `M` with neighbours merged, as a list.
pub(crate) type CoalescedList<M> = <Leaves<M> as CoalesceList>::Coalesce;
/// The modes `M`, coalesced.
pub(crate) type Coalesced<M> = <CoalescedList<M> as FlatList>::Unwrap;
/// The modes `M`, coalesced at each leaf of the profile `P`.
pub(crate) type CoalescedBy<M, P> = Each<CoalesceEach, P, M>;

/// `coalesce` by profile.
#[derive(Debug)]
pub enum CoalesceEach {}

impl OfModes for CoalesceEach {
    type Of<A: ModeTree> = Coalesced<A>;
}

table! {
    /// `coalesce`, for a list of leaves.
    trait CoalesceList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The list without extents of 1 and with neighbours merged; `1:0` if it is empty.
    type Coalesce: FlatList {
        Nil => Cons<Mode<One, UTerm>, Nil>,
        Cons => <S::IsOne as CoalesceIf>::SkipFirst<S, D, T>,
    }
    /// The same, after a mode with an extent above 1 that may still grow.
    type CoalesceAfter<S0: Nat, D0: Nat>: FlatList {
        Nil => Cons<Mode<S0, D0>, Nil>,
        Cons => <S::IsOne as CoalesceIf>::Skip<S0, D0, S, D, T>,
    }
}

decisions! {
    /// The branches of `coalesce`. Unless a leaf is known to disappear or to merge, it stays, as in
    /// CuTe.
    trait CoalesceIf;
    /// `self`: the first extent is 1.
    type SkipFirst<S: Nat, D: Nat, T: FlatList>: FlatList {
        True => T::Coalesce,
        False => T::CoalesceAfter<S, D>,
        Unknown => <False as CoalesceIf>::SkipFirst<S, D, T>,
    }
    /// `self`: the extent after `S0:D0` is 1.
    type Skip<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList>: FlatList {
        True => T::CoalesceAfter<S0, D0>,
        False => <<<NatMul<S0, D0> as Nat>::Compare<D> as Order>::IsEqual as CoalesceIf>::Merge<
            S0, D0, S, D, T,
        >,
        Unknown => <False as CoalesceIf>::Skip<S0, D0, S, D, T>,
    }
    /// `self`: `S:D` continues `S0:D0`.
    type Merge<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList>: FlatList {
        True => T::CoalesceAfter<NatMul<S0, S>, D0>,
        False => Cons<Mode<S0, D0>, T::CoalesceAfter<S, D>>,
        Unknown => <False as CoalesceIf>::Merge<S0, D0, S, D, T>,
    }
}
