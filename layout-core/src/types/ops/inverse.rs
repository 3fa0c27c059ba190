//! `right_inverse` at the type level.

use core::marker::PhantomData;

use crate::types::core::flat::FlatList;
use crate::types::core::modes::Mode;
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{Equal, Greater, Less, Order, Unknown};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::coalesce::{CoalesceList, CoalescedList};

type Steps<M> = <CoalescedList<M> as InverseList>::WithSteps<One>;
/// The right inverse of the modes `M`, as a coalesced list.
pub(crate) type RightInverseOf<M> =
    <<Steps<M> as SortedSteps>::Invert<One> as CoalesceList>::Coalesce;

/// The right inverse of the modes `M`.
pub(crate) type RightInverseModes<M> = <RightInverseOf<M> as FlatList>::Unwrap;

/// A leaf and the step of the 1-D coordinate that counts through it.
#[derive(Debug)]
pub struct Step<S, D, P>(PhantomData<(S, D, P)>);

table! {
    /// `right_inverse`, for a coalesced list of leaves.
    trait InverseList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The leaves with their steps, by rising stride. The first leaf has the step `P`.
    type WithSteps<P: Nat>: SortedSteps {
        Nil => Nil,
        Cons => <D::IsZero as InverseIf>::AddStep<S, D, P, T>,
    }
}

table! {
    /// [`Step`]s by rising stride.
    trait SortedSteps for [S: Nat, D: Nat, P: Nat, T: SortedSteps] Cons<Step<S, D, P>, T>;
    /// This list with another step inserted, before steps of the same stride.
    type Insert<S2: Nat, D2: Nat, P2: Nat>: SortedSteps {
        Nil => Cons<Step<S2, D2, P2>, Nil>,
        Cons => <<D2::Compare<D> as Order>::IsGreater as InverseIf>::InsertAfter<
            S2, D2, P2, S, D, P, T,
        >,
    }
    /// This list with a step prepended.
    type Push<S2: Nat, D2: Nat, P2: Nat>: SortedSteps {
        Nil => Cons<Step<S2, D2, P2>, Nil>,
        Cons => Cons<Step<S2, D2, P2>, Self>,
    }
    /// The modes of the inverse beyond the offset `Covered`.
    type Invert<Covered: Nat>: FlatList {
        Nil => Nil,
        Cons => <D::Compare<Covered> as InverseOrder>::Take<Covered, S, P, T>,
    }
}

decisions! {
    /// The branches of the sort. The inverse only uses strides that are known, as in CuTe.
    trait InverseIf;
    /// `self`: the leaf `S:D` with the step `P`, before the list `T`, has stride 0.
    type AddStep<S: Nat, D: Nat, P: Nat, T: FlatList>: SortedSteps {
        True => T::WithSteps<NatMul<P, S>>,
        False => <T::WithSteps<NatMul<P, S>> as SortedSteps>::Insert<S, D, P>,
        Unknown => T::WithSteps<NatMul<P, S>>,
    }
    /// `self`: the step `S2:D2` goes after `S:D`.
    type InsertAfter<
        S2: Nat, D2: Nat, P2: Nat, S: Nat, D: Nat, P: Nat, T: SortedSteps
    >: SortedSteps {
        True => <T::Insert<S2, D2, P2> as SortedSteps>::Push<S, D, P>,
        False => Cons<Step<S2, D2, P2>, Cons<Step<S, D, P>, T>>,
        Unknown => Cons<Step<S, D, P>, T>,
    }
}

/// The branches of the inversion: `self` is the comparison of the next stride with the covered size.
pub trait InverseOrder {
    /// The modes of the inverse, from the leaf with extent `S` and step `P` on.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps>: FlatList;
}

impl InverseOrder for Less {
    // Offsets that are already covered, or a mode of stride 0.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> = T::Invert<Covered>;
}
impl InverseOrder for Equal {
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> =
        <T::Invert<NatMul<Covered, S>> as FlatList>::Push<S, P>;
}
impl InverseOrder for Greater {
    // The first gap: later strides are larger.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> = Nil;
}
impl InverseOrder for Unknown {
    // After a run-time extent, no stride is known to continue it.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> = Nil;
}
