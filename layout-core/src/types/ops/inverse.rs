//! `right_inverse` at the type level.

use core::marker::PhantomData;

use crate::types::core::flat::FlatList;
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::Mode;
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::ternary::{Equal, False, Greater, Less, Order, True, Unknown};
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

/// `right_inverse`, for a coalesced list of leaves.
pub trait InverseList {
    /// The leaves with their steps, by rising stride; the first leaf has the step `P`.
    type WithSteps<P: Nat>: SortedSteps;
}

impl InverseList for Nil {
    type WithSteps<P: Nat> = Nil;
}

impl<S: Nat, D: Nat, T: FlatList> InverseList for Cons<Mode<S, D>, T> {
    type WithSteps<P: Nat> = <D::IsZero as InverseIf>::AddStep<S, D, P, T>;
}

impl<R: Reason> InverseList for Invalid<R> {
    type WithSteps<P: Nat> = Self;
}

/// [`Step`]s by rising stride.
pub trait SortedSteps {
    /// This list with one more step, before those of the same stride.
    type Insert<S: Nat, D: Nat, P: Nat>: SortedSteps;
    /// This list with a step at its front.
    type Push<S: Nat, D: Nat, P: Nat>: SortedSteps;
    /// The modes of the inverse beyond the offset `Covered`.
    type Invert<Covered: Nat>: FlatList;
}

impl SortedSteps for Nil {
    type Insert<S: Nat, D: Nat, P: Nat> = Cons<Step<S, D, P>, Nil>;
    type Push<S: Nat, D: Nat, P: Nat> = Cons<Step<S, D, P>, Nil>;
    type Invert<Covered: Nat> = Nil;
}

impl<S: Nat, D: Nat, P: Nat, T: SortedSteps> SortedSteps for Cons<Step<S, D, P>, T> {
    type Insert<S2: Nat, D2: Nat, P2: Nat> =
        <<D2::Compare<D> as Order>::IsGreater as InverseIf>::InsertAfter<S2, D2, P2, S, D, P, T>;
    type Push<S2: Nat, D2: Nat, P2: Nat> = Cons<Step<S2, D2, P2>, Self>;
    type Invert<Covered: Nat> = <D::Compare<Covered> as InverseOrder>::Take<Covered, S, P, T>;
}

impl<R: Reason> SortedSteps for Invalid<R> {
    type Insert<S: Nat, D: Nat, P: Nat> = Self;
    type Push<S: Nat, D: Nat, P: Nat> = Self;
    type Invert<Covered: Nat> = Self;
}

/// The branches of the sort.
pub trait InverseIf {
    /// `self`: the leaf `S:D` with the step `P`, before the list `T`, does not move.
    type AddStep<S: Nat, D: Nat, P: Nat, T: FlatList>: SortedSteps;
    /// `self`: the step `S2:D2` goes behind `S:D`.
    type InsertAfter<S2: Nat, D2: Nat, P2: Nat, S: Nat, D: Nat, P: Nat, T: SortedSteps>: SortedSteps;
}

impl InverseIf for True {
    type AddStep<S: Nat, D: Nat, P: Nat, T: FlatList> = T::WithSteps<NatMul<P, S>>;
    type InsertAfter<S2: Nat, D2: Nat, P2: Nat, S: Nat, D: Nat, P: Nat, T: SortedSteps> =
        <T::Insert<S2, D2, P2> as SortedSteps>::Push<S, D, P>;
}
impl InverseIf for False {
    type AddStep<S: Nat, D: Nat, P: Nat, T: FlatList> =
        <T::WithSteps<NatMul<P, S>> as SortedSteps>::Insert<S, D, P>;
    type InsertAfter<S2: Nat, D2: Nat, P2: Nat, S: Nat, D: Nat, P: Nat, T: SortedSteps> =
        Cons<Step<S2, D2, P2>, Cons<Step<S, D, P>, T>>;
}
// The inverse follows strides that are known, as in CuTe.
impl InverseIf for Unknown {
    type AddStep<S: Nat, D: Nat, P: Nat, T: FlatList> = T::WithSteps<NatMul<P, S>>;
    type InsertAfter<S2: Nat, D2: Nat, P2: Nat, S: Nat, D: Nat, P: Nat, T: SortedSteps> =
        Cons<Step<S, D, P>, T>;
}

/// The branches of the inversion: `self` is how the next stride compares with what is covered.
pub trait InverseOrder {
    /// The modes of the inverse, from the leaf with extent `S` and step `P` on.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps>: FlatList;
}

impl InverseOrder for Less {
    // Offsets that are covered already, or a mode that does not move.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> = T::Invert<Covered>;
}
impl InverseOrder for Equal {
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> =
        <T::Invert<NatMul<Covered, S>> as FlatList>::Push<S, P>;
}
impl InverseOrder for Greater {
    // The first gap: no further stride can be smaller.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> = Nil;
}
impl InverseOrder for Unknown {
    // Behind a run-time extent no stride is known to follow.
    type Take<Covered: Nat, S: Nat, P: Nat, T: SortedSteps> = Nil;
}
