//! `complement` at the type level.

use super::coalesce::CoalesceList;
use super::flat::{FlatList, Leaves};
use super::modes::Mode;
use super::nat::{Nat, NatCeilDiv, NatDiv, NatMul, One};
use super::reason::{ComplementOverlap, Invalid, Reason, RunTimeLeaf, ZeroExtent};
use super::tree::{Cons, Nil};
use super::truth::{False, Order, True, Truth, Unknown};

/// The complement of the modes `M` in `N` offsets, as a coalesced list.
pub(crate) type ComplementOf<M, N> = <<<Leaves<M> as ComplementList>::Sort as ComplementList>::Gaps<
    One,
    N,
> as CoalesceList>::Coalesce;

/// `complement`, for a list of leaves.
pub trait ComplementList {
    /// The leaves that move, by rising stride.
    type Sort: FlatList;
    /// This sorted list with one more leaf.
    type Insert<S: Nat, D: Nat>: FlatList;
    /// What this sorted list leaves out, when everything below `Covered` is dealt with.
    type Gaps<Covered: Nat, N: Nat>: FlatList;
}

impl ComplementList for Nil {
    type Sort = Nil;
    type Insert<S: Nat, D: Nat> = Cons<Mode<S, D>, Nil>;
    type Gaps<Covered: Nat, N: Nat> = <N::IsZero as ComplementIf>::Fill<Covered, N>;
}

impl<S: Nat, D: Nat, T: FlatList> ComplementList for Cons<Mode<S, D>, T> {
    type Sort = <<S::IsOne as Truth>::Or<D::IsZero> as ComplementIf>::SortWithout<S, D, T>;
    type Insert<S2: Nat, D2: Nat> =
        <<D2::Compare<D> as Order>::IsGreater as ComplementIf>::InsertAfter<S2, D2, S, D, T>;
    type Gaps<Covered: Nat, N: Nat> =
        <<NatDiv<D, Covered> as Nat>::IsZero as ComplementIf>::Gap<Covered, N, S, D, T>;
}

impl<R: Reason> ComplementList for Invalid<R> {
    type Sort = Self;
    type Insert<S: Nat, D: Nat> = Self;
    type Gaps<Covered: Nat, N: Nat> = Self;
}

/// The branches of `complement`.
pub trait ComplementIf {
    /// `self`: the leaf `S:D` does not move.
    type SortWithout<S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the leaf `S2:D2` goes behind `S:D`.
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the stride `D` is inside what is covered.
    type Gap<Covered: Nat, N: Nat, S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: there is nothing to fill.
    type Fill<Covered: Nat, N: Nat>: FlatList;
}

impl ComplementIf for True {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = T::Sort;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> =
        <T::Insert<S2, D2> as FlatList>::Push<S, D>;
    type Gap<Covered: Nat, N: Nat, S: Nat, D: Nat, T: FlatList> =
        Invalid<ComplementOverlap<D, Covered>>;
    type Fill<Covered: Nat, N: Nat> = Invalid<ZeroExtent>;
}

impl ComplementIf for False {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = <T::Sort as ComplementList>::Insert<S, D>;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> =
        Cons<Mode<S2, D2>, Cons<Mode<S, D>, T>>;
    type Gap<Covered: Nat, N: Nat, S: Nat, D: Nat, T: FlatList> =
        <T::Gaps<NatMul<S, D>, N> as FlatList>::Push<NatDiv<D, Covered>, Covered>;
    type Fill<Covered: Nat, N: Nat> = Cons<Mode<NatCeilDiv<N, Covered>, Covered>, Nil>;
}

impl ComplementIf for Unknown {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = Invalid<RunTimeLeaf>;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> = Invalid<RunTimeLeaf>;
    type Gap<Covered: Nat, N: Nat, S: Nat, D: Nat, T: FlatList> = Invalid<RunTimeLeaf>;
    type Fill<Covered: Nat, N: Nat> = Invalid<RunTimeLeaf>;
}
