//! `left_inverse` at the type level.
//!
//! The modes by rising stride are the digits of an offset; `engine/inverse.rs` describes the walk.
//! If run-time leaves leave it open whether a digit has room, the walk continues: the modes of the
//! inverse are the same for all values that have one.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{Invalid, Reason, number, reasons};
use crate::types::core::modes::Mode;
use crate::types::core::nat::{DivRem, Division, Nat, NatAdd, NatDiv, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{False, Order, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::coalesce::{CoalesceList, CoalescedList};
use crate::types::ops::compose::LeftOperandList;

/// The left inverse of the modes `M`.
pub(crate) type LeftInverseModes<M> = <LeftInverseOf<M> as FlatList>::Unwrap;
type LeftInverseOf<M> =
    <<<<CoalescedList<M> as DigitList>::Digits<One, IsUnbounded<M>> as Digits>::Sort as Digits>::Walk<
        One,
        One,
        UTerm,
        UTerm,
    > as CoalesceList>::Coalesce;

/// Whether the last mode of the coalesced layout is unbounded. It is not if a last leaf of extent 1
/// continues with another stride.
type IsUnbounded<M> = <CoalescedList<M> as DigitList>::IsAsLong<
    <<Leaves<M> as LeftOperandList>::Extend as CoalesceList>::Coalesce,
>;

/// A leaf `S:D`, the step `P` of the 1-D coordinate that counts through it, and `E`: whether it is
/// unbounded.
#[derive(Debug)]
pub struct Digit<S, D, P, E>(PhantomData<(S, D, P, E)>);

table! {
    /// `left_inverse`, for a coalesced list of leaves.
    trait DigitList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The leaves as digits. The first has the step `P`; `E` is whether the last one is unbounded.
    type Digits<P: Nat, E: Truth>: Digits { Nil => Nil, Cons => T::DigitsAfter<S, D, P, E> }
    /// `Digits` of this list with a leaf before it.
    type DigitsAfter<S0: Nat, D0: Nat, P: Nat, E: Truth>: Digits {
        Nil => Cons<Digit<S0, D0, P, E>, Nil>,
        Cons => Cons<Digit<S0, D0, P, False>, T::DigitsAfter<S, D, NatMul<P, S0>, E>>,
    }
    /// Whether this list has as many leaves as `L`.
    type IsAsLong<L: DigitList>: Truth {
        Nil => L::IsEmpty,
        Cons => L::IsLonger<T>,
        Invalid => Unknown,
    }
    /// Whether this list is empty.
    type IsEmpty: Truth { Nil => True, Cons => False, Invalid => Unknown }
    /// Whether this list has one leaf more than `L`.
    type IsLonger<L: DigitList>: Truth { Nil => False, Cons => L::IsAsLong<T>, Invalid => Unknown }
}

table! {
    /// A list of [`Digit`]s.
    trait Digits for [S: Nat, D: Nat, P: Nat, E: Truth, T: Digits] Cons<Digit<S, D, P, E>, T>;
    /// The list by rising stride. Equal strides are in the order of an exchange sort, as in the
    /// engine: it determines which of them the inverse uses.
    type Sort: Digits { Nil => Nil, Cons => <T::Smallest<S, D, P, E> as Selection>::Sort }
    /// One pass of the sort: selects the smallest of this list and a digit before it. The larger one
    /// of each compared pair stays in place.
    type Smallest<S2: Nat, D2: Nat, P2: Nat, E2: Truth>: Selection {
        Nil => Selected<Digit<S2, D2, P2, E2>, Nil>,
        Cons => <<D::Compare<D2> as Order>::IsAtLeast as DigitIf>::Smallest<
            S2, D2, P2, E2, S, D, P, E, T,
        >,
    }
    /// The modes of the inverse that write an offset in these sorted digits. The previous digit has
    /// the extent `L`, the weight `W` and the step `P0`; `R` is the largest offset before these
    /// digits.
    type Walk<L: Nat, W: Nat, P0: Nat, R: Nat>: FlatList {
        Nil => Cons<Mode<L, P0>, Nil>,
        Cons => <D::IsZero as DigitIf>::Walk<W, P0, R, S, D, P, E, T>,
    }
    /// Whether the next stride leaves room for more than `S2` steps of `D2`.
    type HasRoom<S2: Nat, D2: Nat>: Truth {
        Nil => True,
        Cons => <D::Compare<NatMul<S2::Succ, D2>> as Order>::IsAtLeast,
        Invalid => Unknown,
    }
}

/// The smallest digit `X` of a list, and the others.
#[derive(Debug)]
pub struct Selected<X, T>(PhantomData<(X, T)>);

/// [`Selected`], or [`Invalid`].
pub trait Selection {
    /// The same, with another digit prepended to the others.
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

decisions! {
    /// The branches of `left_inverse`.
    trait DigitIf;
    /// `self`: the stride `D` is not below `D2`, the smallest so far.
    type Smallest<
        S2: Nat, D2: Nat, P2: Nat, E2: Truth, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits
    >: Selection {
        True => <T::Smallest<S2, D2, P2, E2> as Selection>::With<S, D, P, E>,
        False => <T::Smallest<S, D, P, E> as Selection>::With<S2, D2, P2, E2>,
    }
    /// `self`: the stride `D` is 0.
    type Walk<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: FlatList {
        // A mode of stride 0 gets coordinate 0.
        True => T::Walk<S, W, P0, R>,
        False => <<<DivRem<D, W> as Division>::Remainder as Nat>::IsZero as DigitIf>::Divides<
            W, P0, R, S, D, P, E, T,
        >,
        Unknown => <False as DigitIf>::Walk<W, P0, R, S, D, P, E, T>,
    }
    /// `self`: the weight `W` divides the stride `D`.
    type Divides<W: Nat, P0: Nat, R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: FlatList {
        True => <<Overruns<R, S, D> as DigitIf>::Overruns<
            Reach<R, S, D>, S, D, P, E, T,
        > as FlatList>::Push<NatDiv<D, W>, P0>,
        False => Invalid<InverseStride<D, W>>,
        Unknown => <True as DigitIf>::Divides<W, P0, R, S, D, P, E, T>,
    }
    /// `self`: offsets up to the reach `R` of this digit exceed its extent.
    type Overruns<R: Nat, S: Nat, D: Nat, P: Nat, E: Truth, T: Digits>: FlatList {
        True => <<E::Not as Truth>::And<T::HasRoom<S, D>> as DigitIf>::Overlaps<R, S, D, P, T>,
        False => T::Walk<S, D, P, R>,
        Unknown => T::Walk<S, D, P, R>,
    }
    /// `self`: this digit is bounded, and there are offsets beyond it.
    type Overlaps<R: Nat, S: Nat, D: Nat, P: Nat, T: Digits>: FlatList {
        True => Invalid<InverseOverlap<D, S, R>>,
        False => T::Walk<S, D, P, R>,
        Unknown => T::Walk<S, D, P, R>,
    }
    /// Logical not.
    type Not: Truth { True => False, False => True, Unknown => Unknown }
}

/// Whether offsets up to the reach of a digit exceed its extent.
type Overruns<R, S, D> = <<Reach<R, S, D> as Nat>::Compare<NatMul<S, D>> as Order>::IsAtLeast;
/// The largest offset up to a digit.
type Reach<R, S, D> = NatAdd<R, NatMul<<S as Nat>::Pred, D>>;

reasons! {
    /// `left_inverse(L)`: a stride that is not a multiple of the next smaller one.
    InverseStride<Stride: Nat, Smaller: Nat> => LayoutError::Algebra(AlgebraError::InverseStride {
            stride: number::<Stride>(),
            smaller: number::<Smaller>(),
        }),
        else HasLeftInverse: "left_inverse: a stride is not a multiple of the next smaller one",
        "this layout has no left inverse";
    /// `left_inverse(L)`: a mode whose extent is exceeded by the offsets up to it.
    InverseOverlap<Stride: Nat, Extent: Nat, Reach: Nat>
        => LayoutError::Algebra(AlgebraError::InverseOverlap {
            stride: number::<Stride>(),
            extent: number::<Extent>(),
            reach: number::<Reach>(),
        }),
        else DigitsFit: "left_inverse: the modes overlap, so no layout inverts this one",
        "this layout has no left inverse";
}
