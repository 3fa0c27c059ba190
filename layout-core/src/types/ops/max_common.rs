//! `max_common_vector` and `max_common_layout` at the type level.
//!
//! As in `engine/max_common.rs`: as long as no digit of A overflows, A is additive, so one step of
//! each mode of `R = right_inverse(B)` determines up to which n `A(R(n)) = n` holds. If run-time
//! leaves leave that open, the result is a lower bound.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::guard::GuardTree;
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatAdd, NatDiv, NatMin, NatMul, NatRem, NatSub, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{False, Order};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::by_mode::{Compose, Right};
use crate::types::ops::coalesce::{CoalesceList, CoalescedList};
use crate::types::ops::compose::{ComposedList, LeftOperandList};
use crate::types::ops::inverse::RightInverseOf;

/// The elements of the longest vector that the modes `A` and `B` have in common.
pub(crate) type CommonVector<A, B> =
    <RightInverseOf<B> as CommonList>::Run<<CoalescedList<A> as CommonList>::Inside, One>;

/// The layout of the coordinates that the modes `A` and `B` have in common.
pub(crate) type CommonLayout<A, B> = <CoalescedList<A> as GuardTree>::Guard<
    <RightInverseOf<B> as GuardTree>::Guard<
        <<Common<A, B> as Nat>::IsOne as CommonIf>::Layout<RightInverseOf<B>, Common<A, B>>,
    >,
>;
/// The size of [`CommonLayout`].
type Common<A, B> = <RightInverseOf<B> as CommonList>::Run<Endless<A>, One>;
/// The modes `M` with an unbounded last mode.
type Endless<M> =
    <<<Leaves<M> as LeftOperandList>::Extend as CoalesceList>::Coalesce as CommonList>::Endless;

table! {
    /// The two operands of the walk, both coalesced lists of leaves.
    trait CommonList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// A, up to the end of its domain.
    type Inside: Rooms { Nil => Nil, Cons => T::InsideAfter<S, D>, Invalid => Nil }
    /// A with an unbounded last mode.
    type Endless: Rooms { Nil => Nil, Cons => T::EndlessAfter<S, D>, Invalid => Nil }
    /// `Inside` of this list with a leaf before it.
    type InsideAfter<S0: Nat, D0: Nat>: Rooms {
        Nil => End<D0, S0::Pred>,
        Cons => Room<S0, D0, S0::Pred, T::InsideAfter<S, D>>,
        Invalid => Nil,
    }
    /// `Endless` of this list with a leaf before it.
    type EndlessAfter<S0: Nat, D0: Nat>: Rooms {
        Nil => NoEnd<D0>,
        Cons => Room<S0, D0, S0::Pred, T::EndlessAfter<S, D>>,
        Invalid => Nil,
    }
    /// Up to which n `A(R(n)) = n` holds. `self` is the rest of R; it holds below `N`.
    type Run<A: Rooms, N: Nat>: Nat {
        Nil => N,
        Cons =>
            <<<A::Offset<D> as Nat>::Compare<N> as Order>::IsEqual as CommonIf>::Run<S, D, T, A, N>,
        Invalid => N,
    }
}

/// The mode `S:D`, in which the coordinate may rise by `Left`, and the modes after it.
#[derive(Debug)]
pub struct Room<S, D, Left, T>(PhantomData<(S, D, Left, T)>);
/// The last mode, of stride `D`, in which the coordinate may rise by `Left`.
#[derive(Debug)]
pub struct End<D, Left>(PhantomData<(D, Left)>);
/// The last mode, of stride `D`, unbounded.
#[derive(Debug)]
pub struct NoEnd<D>(PhantomData<D>);

/// The layout A, with the room left in each digit: [`Room`]s, then [`End`] or [`NoEnd`].
pub trait Rooms: 'static {
    /// `A(Q)`.
    type Offset<Q: Nat>: Nat;
    /// The maximum number of coordinates, up to `N`, with distance `Q` and without an overflow.
    type Steps<Q: Nat, N: Nat>: Nat;
    /// The rest after `N` steps of `Q`.
    type After<Q: Nat, N: Nat>: Rooms;
}

impl<S: Nat, D: Nat, Left: Nat, T: Rooms> Rooms for Room<S, D, Left, T> {
    type Offset<Q: Nat> = NatAdd<NatMul<NatRem<Q, S>, D>, T::Offset<NatDiv<Q, S>>>;
    type Steps<Q: Nat, N: Nat> = T::Steps<
        NatDiv<Q, S>,
        <<NatRem<Q, S> as Nat>::IsZero as CommonIf>::Steps<NatRem<Q, S>, Left, N>,
    >;
    type After<Q: Nat, N: Nat> =
        Room<S, D, NatSub<Left, NatMul<NatRem<Q, S>, N>>, T::After<NatDiv<Q, S>, N>>;
}

impl<D: Nat, Left: Nat> Rooms for End<D, Left> {
    type Offset<Q: Nat> = NatMul<Q, D>;
    type Steps<Q: Nat, N: Nat> = <Q::IsZero as CommonIf>::Steps<Q, Left, N>;
    type After<Q: Nat, N: Nat> = End<D, NatSub<Left, NatMul<Q, N>>>;
}

impl<D: Nat> Rooms for NoEnd<D> {
    type Offset<Q: Nat> = NatMul<Q, D>;
    type Steps<Q: Nat, N: Nat> = N;
    type After<Q: Nat, N: Nat> = Self;
}

// A layout that does not exist.
impl Rooms for Nil {
    type Offset<Q: Nat> = UTerm;
    type Steps<Q: Nat, N: Nat> = N;
    type After<Q: Nat, N: Nat> = Nil;
}

decisions! {
    /// The branches of both operations.
    trait CommonIf;
    /// `self`: the step `Q` is 0. The maximum number of coordinates, up to `N`, with distance `Q`
    /// and a rise of at most `Left`.
    type Steps<Q: Nat, Left: Nat, N: Nat>: Nat {
        True => N,
        False => NatMin<N, <NatDiv<Left, Q> as Nat>::Succ>,
        Unknown => <False as CommonIf>::Steps<Q, Left, N>,
    }
    /// `self`: a step of the mode `S:Q` of R changes the offset of A by `N`. `T` are the modes after
    /// it.
    type Run<S: Nat, Q: Nat, T: CommonList, A: Rooms, N: Nat>: Nat {
        True => <<<A::Steps<Q, S> as Nat>::Compare<S> as Order>::IsEqual as CommonIf>::Whole<
            A::Steps<Q, S>, Q, T, A, N,
        >,
        False => N,
        Unknown => N,
    }
    /// `self`: A allows as many `Steps` as this mode has coordinates.
    type Whole<Steps: Nat, Q: Nat, T: CommonList, A: Rooms, N: Nat>: Nat {
        True => T::Run<A::After<Q, Steps::Pred>, NatMul<N, Steps>>,
        False => NatMul<N, Steps>,
        Unknown => NatMul<N, Steps>,
    }
    /// `self`: the two layouts have `N = 1` offsets in common.
    type Layout<R: FlatList, N: Nat>: ModeTree {
        True => Mode<One, UTerm>,
        False => ComposedList<R, Mode<N, One>, Right<Compose>>,
        Unknown => <False as CommonIf>::Layout<R, N>,
    }
}
