//! `coalesce` at the type level.

use typenum::UTerm;

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::ternary::{False, Order, True, Unknown};
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

/// `coalesce`, for a list of leaves.
pub trait CoalesceList {
    /// The list without extents of 1 and with neighbours merged; `1:0` when nothing is left.
    type Coalesce: FlatList;
    /// The same, after a mode with an extent above 1 that may still grow.
    type CoalesceAfter<S: Nat, D: Nat>: FlatList;
}

impl CoalesceList for Nil {
    type Coalesce = Cons<Mode<One, UTerm>, Nil>;
    type CoalesceAfter<S: Nat, D: Nat> = Cons<Mode<S, D>, Nil>;
}

impl<S: Nat, D: Nat, T: FlatList> CoalesceList for Cons<Mode<S, D>, T> {
    type Coalesce = <S::IsOne as CoalesceIf>::SkipFirst<S, D, T>;
    type CoalesceAfter<S0: Nat, D0: Nat> = <S::IsOne as CoalesceIf>::Skip<S0, D0, S, D, T>;
}

impl<R: Reason> CoalesceList for Invalid<R> {
    type Coalesce = Self;
    type CoalesceAfter<S: Nat, D: Nat> = Self;
}

/// The branches of `coalesce`.
pub trait CoalesceIf {
    /// `self`: the first extent is 1.
    type SkipFirst<S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the extent after `S0:D0` is 1.
    type Skip<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: `S:D` continues `S0:D0`.
    type Merge<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList>: FlatList;
}

impl CoalesceIf for True {
    type SkipFirst<S: Nat, D: Nat, T: FlatList> = T::Coalesce;
    type Skip<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList> = T::CoalesceAfter<S0, D0>;
    type Merge<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList> = T::CoalesceAfter<NatMul<S0, S>, D0>;
}

impl CoalesceIf for False {
    type SkipFirst<S: Nat, D: Nat, T: FlatList> = T::CoalesceAfter<S, D>;
    type Skip<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList> =
        <<<NatMul<S0, D0> as Nat>::Compare<D> as Order>::IsEqual as CoalesceIf>::Merge<
            S0,
            D0,
            S,
            D,
            T,
        >;
    type Merge<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList> =
        Cons<Mode<S0, D0>, T::CoalesceAfter<S, D>>;
}

// What is not known to go or to merge stays, as in CuTe.
impl CoalesceIf for Unknown {
    type SkipFirst<S: Nat, D: Nat, T: FlatList> = <False as CoalesceIf>::SkipFirst<S, D, T>;
    type Skip<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList> =
        <False as CoalesceIf>::Skip<S0, D0, S, D, T>;
    type Merge<S0: Nat, D0: Nat, S: Nat, D: Nat, T: FlatList> =
        <False as CoalesceIf>::Merge<S0, D0, S, D, T>;
}
