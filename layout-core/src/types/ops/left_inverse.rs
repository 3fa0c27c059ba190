//! `left_inverse` at the type level.
//!
//! The modes by rising stride are the digits of an offset; `engine/inverse.rs` has the walk in
//! words. A decision about the room of a digit that run-time leaves leave open does not stop the
//! walk: the modes of the inverse are the same for all values that have one.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{Invalid, InverseOverlap, InverseStride, Reason, RunTimeLeaf};
use crate::types::core::modes::Mode;
use crate::types::core::nat::{DivRem, Division, Nat, NatAdd, NatDiv, NatMul, One};
use crate::types::core::ternary::{False, Order, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::coalesce::{CoalesceList, CoalescedList};
use crate::types::ops::compose::LeftOperandList;

/// The left inverse of the modes `M`.
pub(crate) type LeftInverseModes<M> = <LeftInverseOf<M> as FlatList>::Unwrap;
type LeftInverseOf<M> =
    <<<<CoalescedList<M> as DigitList>::Digits<One, GoesOn<M>> as Digits>::Sort as Digits>::Walk<
        One,
        One,
        UTerm,
        UTerm,
    > as CoalesceList>::Coalesce;

/// Whether the last mode of the coalesced layout is what goes on beyond its domain: a last leaf of
/// extent 1 may go on in another way.
type GoesOn<M> = <CoalescedList<M> as DigitList>::IsAsLong<
    <<Leaves<M> as LeftOperandList>::Extend as CoalesceList>::Coalesce,
>;

/// A leaf `S:D`, the step `P` of the 1-D coordinate that counts through it, and whether it has no
/// end, `E`.
#[derive(Debug)]
pub struct Digit<S, D, P, E>(PhantomData<(S, D, P, E)>);

/// `left_inverse`, for a coalesced list of leaves.
pub trait DigitList {
    /// The leaves as digits; the first has the step `P`, and whether the last one is endless is `E`.
    type Digits<P: Nat, E: Truth>: Digits;
    /// `Digits` of this list with a leaf before it.
    type DigitsAfter<S: Nat, D: Nat, P: Nat, E: Truth>: Digits;
    /// Whether this list has as many leaves as `L`.
    type IsAsLong<L: DigitList>: Truth;
    /// Whether this list is empty.
    type IsEmpty: Truth;
    /// Whether this list has one leaf more than `L`.
    type IsLonger<L: DigitList>: Truth;
}

impl DigitList for Nil {
    type Digits<P: Nat, E: Truth> = Nil;
    type DigitsAfter<S: Nat, D: Nat, P: Nat, E: Truth> = Cons<Digit<S, D, P, E>, Nil>;
    type IsAsLong<L: DigitList> = L::IsEmpty;
    type IsEmpty = True;
    type IsLonger<L: DigitList> = False;
}

impl<S: Nat, D: Nat, T: FlatList> DigitList for Cons<Mode<S, D>, T> {
    type Digits<P: Nat, E: Truth> = T::DigitsAfter<S, D, P, E>;
    type DigitsAfter<S0: Nat, D0: Nat, P: Nat, E: Truth> =
        Cons<Digit<S0, D0, P, False>, T::DigitsAfter<S, D, NatMul<P, S0>, E>>;
    type IsAsLong<L: DigitList> = L::IsLonger<T>;
    type IsEmpty = False;
    type IsLonger<L: DigitList> = L::IsAsLong<T>;
}

impl<R: Reason> DigitList for Invalid<R> {
    type Digits<P: Nat, E: Truth> = Self;
    type DigitsAfter<S: Nat, D: Nat, P: Nat, E: Truth> = Self;
    type IsAsLong<L: DigitList> = Unknown;
    type IsEmpty = Unknown;
    type IsLonger<L: DigitList> = Unknown;
}

/// A list of [`Digit`]s.
pub trait Digits {
    /// The list by rising stride. Equal strides come in the order of an exchange sort, as in the
    /// engine: it decides which of them the inverse uses.
    type Sort: Digits;
    /// One pass of the sort: the smallest of this list and a digit before it, the larger of each
    /// pair left in its place.
    type Smallest<S: Nat, D: Nat, P: Nat, E: Truth>: Selection;
    /// The modes of the inverse that write an offset in these sorted digits. The digit before has
    /// the extent `L`, the weight `W` and the step `P`, and offsets up to `R` come before it.
    type Walk<L: Nat, W: Nat, P: Nat, R: Nat>: FlatList;
    /// Whether the next stride leaves room for more than `S` steps of `D`.
    type HasRoom<S: Nat, D: Nat>: Truth;
}

impl Digits for Nil {
    type Sort = Nil;
    type Smallest<S: Nat, D: Nat, P: Nat, E: Truth> = Selected<Digit<S, D, P, E>, Nil>;
    type Walk<L: Nat, W: Nat, P: Nat, R: Nat> = Cons<Mode<L, P>, Nil>;
    type HasRoom<S: Nat, D: Nat> = True;
}

impl<S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> Digits for Cons<Digit<S, D, P, E>, T> {
    type Sort = <T::Smallest<S, D, P, E> as Selection>::Sort;
    type Smallest<S2: Nat, D2: Nat, P2: Nat, E2: Truth> =
        <<D::Compare<D2> as Order>::IsAtLeast as DigitIf>::Smallest<S2, D2, P2, E2, S, D, P, E, T>;
    type Walk<L: Nat, W: Nat, P0: Nat, R: Nat> =
        <D::IsZero as DigitIf>::Walk<W, P0, R, S, D, P, E, T>;
    type HasRoom<S2: Nat, D2: Nat> = <D::Compare<NatMul<S2::Succ, D2>> as Order>::IsAtLeast;
}

impl<R: Reason> Digits for Invalid<R> {
    type Sort = Self;
    type Smallest<S: Nat, D: Nat, P: Nat, E: Truth> = Self;
    type Walk<L: Nat, W: Nat, P: Nat, R2: Nat> = Self;
    type HasRoom<S: Nat, D: Nat> = Unknown;
}

/// The smallest digit `X` of a list, and the others.
#[derive(Debug)]
pub struct Selected<X, T>(PhantomData<(X, T)>);

/// [`Selected`], or [`Invalid`].
pub trait Selection {
    /// The same, with another digit among the others, in front.
    type With<S: Nat, D: Nat, P: Nat, E: Truth>: Selection;
    /// The smallest digit before the others sorted.
    type Sort: Digits;
}

impl<S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> Selection for Selected<Digit<S, D, P, E>, T> {
    type With<S2: Nat, D2: Nat, P2: Nat, E2: Truth> =
        Selected<Digit<S, D, P, E>, Cons<Digit<S2, D2, P2, E2>, T>>;
    type Sort = Cons<Digit<S, D, P, E>, T::Sort>;
}

impl<R: Reason> Selection for Invalid<R> {
    type With<S: Nat, D: Nat, P: Nat, E: Truth> = Self;
    type Sort = Self;
}

/// The branches of `left_inverse`.
#[rustfmt::skip]
pub trait DigitIf {
    /// `self`: the stride `D` is not below `D2`, the smallest so far.
    type Smallest<S2: Nat, D2: Nat, P2: Nat, E2: Truth, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: Selection;
    /// `self`: the stride `D` is 0.
    type Walk<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: FlatList;
    /// `self`: the weight `W` divides the stride `D`.
    type Divides<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: FlatList;
    /// `self`: offsets up to the reach `R` of this digit run over its extent.
    type Overruns<R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: FlatList;
    /// `self`: this digit has an end, and there are offsets beyond it.
    type Overlaps<R: Nat, S: Nat, D: Nat, P: Nat, T: Digits>: FlatList;
    /// Not `self`.
    type Not: Truth;
}

#[rustfmt::skip]
impl DigitIf for True {
    type Smallest<S2: Nat, D2: Nat, P2: Nat, E2: Truth, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <T::Smallest<S2, D2, P2, E2> as Selection>::With<S, D, P, E>;
    // A mode that does not move is at coordinate 0.
    type Walk<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        T::Walk<S, W, P0, R>;
    type Divides<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <<<<Reach<R, S, D> as Nat>::Compare<NatMul<S, D>> as Order>::IsAtLeast as DigitIf>::Overruns<
            Reach<R, S, D>, S, D, P, E, T,
        > as FlatList>::Push<NatDiv<D, W>, P0>;
    type Overruns<R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <<E::Not as Truth>::And<T::HasRoom<S, D>> as DigitIf>::Overlaps<R, S, D, P, T>;
    type Overlaps<R: Nat, S: Nat, D: Nat, P: Nat, T: Digits> = Invalid<InverseOverlap<D, S, R>>;
    type Not = False;
}
/// The largest offset up to a digit.
type Reach<R, S, D> = NatAdd<R, NatMul<<S as Nat>::Pred, D>>;

#[rustfmt::skip]
impl DigitIf for False {
    type Smallest<S2: Nat, D2: Nat, P2: Nat, E2: Truth, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <T::Smallest<S, D, P, E> as Selection>::With<S2, D2, P2, E2>;
    type Walk<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <<<DivRem<D, W> as Division>::Remainder as Nat>::IsZero as DigitIf>::Divides<
            W, P0, R, S, D, P, E, T,
        >;
    type Divides<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        Invalid<InverseStride<D, W>>;
    type Overruns<R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> = T::Walk<S, D, P, R>;
    type Overlaps<R: Nat, S: Nat, D: Nat, P: Nat, T: Digits> = T::Walk<S, D, P, R>;
    type Not = True;
}

#[rustfmt::skip]
impl DigitIf for Unknown {
    type Smallest<S2: Nat, D2: Nat, P2: Nat, E2: Truth, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        Invalid<RunTimeLeaf>;
    type Walk<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <False as DigitIf>::Walk<W, P0, R, S, D, P, E, T>;
    type Divides<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> =
        <True as DigitIf>::Divides<W, P0, R, S, D, P, E, T>;
    type Overruns<R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits> = T::Walk<S, D, P, R>;
    type Overlaps<R: Nat, S: Nat, D: Nat, P: Nat, T: Digits> = T::Walk<S, D, P, R>;
    type Not = Unknown;
}
