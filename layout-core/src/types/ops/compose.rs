//! `composition` at the type level, by the no-carry rule.
//!
//! `engine/compose.rs` describes the rule. Here the left layout A is a list whose last mode has a
//! type of its own, because it is unbounded. A leaf `S:Q` of B walks along that list; `Q` is the
//! step of its coordinate:
//!
//! * The digit of `Q` in the first mode is 0: that mode is skipped for good, because every later
//!   step is a multiple of this one.
//! * It is the only digit of `Q` and divides the extent: the leaf's run ends with that mode, and the
//!   rest of the leaf continues after it with step 1.
//! * Else the run is the shortest that any digit allows, and the walk starts again with the step
//!   multiplied by the run.
//!
//! If a digit or a run is not known to the compiler, a leaf takes CuTe's structure for run-time
//! numbers: in every mode of A but the last it makes as many steps as fit, at most all that remain,
//! and continues after it with the step divided by the extent. That is the composition if one of
//! step and extent divides the other. The values are checked at run time.
//!
//! Decisions are classified first and dispatched once, because the depth of projections limits the
//! number of modes. At the same time every leaf computes its reach in each mode of A. The sums of
//! the reaches are compared with A's extents, and a sum that is too large replaces the whole result.
//! So an inadmissible composition cannot hide behind an alias.

use core::marker::PhantomData;

use typenum::{B0, UInt, UTerm};

use crate::error::{LayoutError, Place};
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{Invalid, Reason, RunTimeLeaf, number, reasons};
use crate::types::core::leafwise::LeafMap;
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{
    DivRem, Nat, NatAdd, NatCeilDiv, NatDiv, NatMin, NatMul, One, QuotRem,
};
use crate::types::core::symbolic::{AtRunTime, RunTime};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{Order, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::coalesce::CoalesceList;
use crate::types::ops::place::{After, First, InMode, LocateList, Located, Ordinal, StaticPlace};

/// The composition of the modes `A` and `B`, an operand at `P`.
pub(crate) type Composed<A, B, P> = <LeftOf<A> as LeftOperand>::With<B, P>;
/// The modes `M` as a left operand.
type LeftOf<M> =
    <<<Leaves<M> as LeftOperandList>::Extend as CoalesceList>::Coalesce as LeftOperandList>::Left;
/// The composition of the coalesced list `A` and the modes `B`, an operand at `P`.
pub(crate) type ComposedList<A, B, P> =
    <<<A as LeftOperandList>::Extend as LeftOperandList>::Left as LeftOperand>::With<B, P>;
/// The composition of the coalesced list `A` and the modes `B`, an operand at `P`. The last mode of
/// `A` is unbounded, regardless of its extent.
pub(crate) type ComposedWithoutEnd<A, B, P> =
    <<A as LeftOperandList>::Left as LeftOperand>::With<B, P>;
/// Whether the reach of `B` in `A` stays below the extents of `I`.
type Held<A, B, I> = <<B as RightOperand>::Reach<A> as Reach>::Verdict<I>;

/// The composition of the modes `A` with the modes `B`, which are a tile `T` and the rest of the
/// tiles. The tile is exact everywhere. The tiles together may overflow the last extent inside the
/// domain of `A`, because coordinates beyond it are meaningless. The tile is an operand at `P`, and
/// both together at `Q`.
pub(crate) type ComposedInside<A, T, B, P, Q> =
    <LeftOf<A> as LeftOperand>::WithTiles<InsideOf<A>, T, B, P, Q>;
/// The modes `M` as a left operand that ends with its domain: only its extents matter.
type InsideOf<M> = <<Leaves<M> as CoalesceList>::Coalesce as LeftOperandList>::Left;

// ---- the operands ----

table! {
    /// A list of leaves, to be converted to a [`LeftOperand`].
    trait LeftOperandList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The list with a last extent of 1 replaced by 2: the layout continues beyond its domain with
    /// that stride (CuTe's `coalesce_x`).
    type Extend: FlatList { Nil => Nil, Cons => T::ExtendAfter<S, D> }
    /// `Extend` of this list with a leaf before it.
    type ExtendAfter<S0: Nat, D0: Nat>: FlatList {
        Nil => Cons<Mode<<S0::IsOne as Truth>::Choose<UInt<One, B0>, S0>, D0>, Nil>,
        Cons => Cons<Mode<S0, D0>, T::ExtendAfter<S, D>>,
    }
    /// This coalesced list as a left operand.
    type Left: LeftOperand { Nil => Last<UTerm>, Cons => T::LeftAfter<S, D> }
    /// `Left` of this list with a leaf before it.
    type LeftAfter<S0: Nat, D0: Nat>: LeftOperand {
        Nil => Last<D0>,
        Cons => More<S0, D0, T::LeftAfter<S, D>>,
    }
}

/// A mode of the left layout that is not the last.
#[derive(Debug)]
pub struct More<S, D, T>(PhantomData<(S, D, T)>);
/// The last mode of the left layout. Only its stride `D` matters.
#[derive(Debug)]
pub struct Last<D>(PhantomData<D>);

/// The left layout A: [`More`] modes and a [`Last`] one.
pub trait LeftOperand: 'static {
    /// `A o B` for a B at `P`.
    type With<B: ModeTree, P: StaticPlace>: ModeTree;
    /// [`ComposedInside`], where A ends with the domain `I`.
    type WithTiles<I: LeftOperand, T: ModeTree, B: ModeTree, P: StaticPlace, Q: StaticPlace>: ModeTree;
    /// The modes that the leaf `S:Q` of B becomes; `S > 1`, `Q > 0`.
    type Walk<S: Nat, Q: Nat>: FlatList;
    /// A walk over several digits from the start `A0`. `Q` is the rest of the step `Q0`; the run so
    /// far is `N` and the offset `X`.
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat>: FlatList;
    /// The reach of the leaf `S:Q` in every mode.
    type ReachOf<S: Nat, Q: Nat>: Reach;
    /// The minimum of the run `N` and the runs that the digits of `Q` allow.
    type Run<Q: Nat, N: Nat>: Nat;
    /// The digits of `Q` multiplied by `C`.
    type Digits<Q: Nat, C: Nat>: Reach;
    /// Whether the reach `U` in the first mode, and `T` in the others, are below the extents.
    type Holds<U: Nat, T: Reach>: Verdict;
    /// The verdict on a B without reach.
    type Untouched: Verdict;
}

/// The only mode of a left operand, with the stride `D`, as a function of the leaves of B.
#[derive(Debug)]
pub struct Scaled<D>(PhantomData<D>);

impl<D: Nat> LeafMap for Scaled<D> {
    type Leaf<S: Nat, Q: Nat> = Mode<S, <S::IsOne as Truth>::Choose<UTerm, NatMul<Q, D>>>;
}

impl<D: Nat> LeftOperand for Last<D> {
    // One mode has no bounded digits, so nothing must be checked.
    type With<B: ModeTree, P: StaticPlace> = B::Map<Scaled<D>>;
    type WithTiles<I: LeftOperand, T: ModeTree, B: ModeTree, P: StaticPlace, Q: StaticPlace> =
        B::Map<Scaled<D>>;
    type Walk<S: Nat, Q: Nat> = Cons<Mode<S, NatMul<Q, D>>, Nil>;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat> =
        <RunIn<S, N> as RunFit>::Again<A0, Q0, S, N, NatAdd<X, NatMul<Q, D>>>;
    type ReachOf<S: Nat, Q: Nat> = Nil;
    type Run<Q: Nat, N: Nat> = N;
    type Digits<Q: Nat, C: Nat> = Nil;
    type Holds<U: Nat, T: Reach> = Fits;
    type Untouched = Fits;
}

impl<HS: Nat, HD: Nat, T: LeftOperand> LeftOperand for More<HS, HD, T> {
    type With<B: ModeTree, P: StaticPlace> =
        <Held<Self, B, Self> as Verdict>::Guard<P, B, B::Compose<Self, P>>;
    type WithTiles<I: LeftOperand, V: ModeTree, B: ModeTree, P: StaticPlace, Q: StaticPlace> =
        <B::IfValid<Held<Self, V, Self>> as Verdict>::Guard<
            P,
            V,
            <Held<Self, B, I> as Verdict>::Guard<Q, B, B::Compose<Self, Q>>,
        >;
    type Walk<S: Nat, Q: Nat> = <DigitIn<Q, HS> as Digit>::Walk<Self, HD, S, Q, HS, T>;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat> =
        <DigitIn<Q, HS> as Digit>::WalkDigits<A0, S, Q0, Q, N, X, HS, HD, T>;
    type ReachOf<S: Nat, Q: Nat> = <DigitIn<Q, HS> as Digit>::ReachOf<Self, S, Q, HS, T>;
    type Run<Q: Nat, N: Nat> = <DigitIn<Q, HS> as Digit>::Run<N, HS, T>;
    type Digits<Q: Nat, C: Nat> = <DigitIn<Q, HS> as Digit>::Digits<C, Q, T>;
    type Holds<U: Nat, V: Reach> =
        <<U::Compare<HS> as Order>::IsAtLeast as ComposeIf>::Exceeds<U, HS, V, T>;
    type Untouched = Fits;
}

impl<R: Reason> LeftOperand for Invalid<R> {
    type With<B: ModeTree, P: StaticPlace> = Self;
    type WithTiles<I: LeftOperand, T: ModeTree, B: ModeTree, P: StaticPlace, Q: StaticPlace> = Self;
    type Walk<S: Nat, Q: Nat> = Self;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat> = Self;
    type ReachOf<S: Nat, Q: Nat> = Nil;
    type Run<Q: Nat, N: Nat> = N;
    type Digits<Q: Nat, C: Nat> = Nil;
    type Holds<U: Nat, T: Reach> = Self;
    type Untouched = Self;
}

table! {
    /// The right layout B: its modes, leaf by leaf.
    trait RightOperand for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// `A o B` for a B at `P`, without the check of the whole.
    type Compose<A: LeftOperand, P: StaticPlace>: ModeTree {
        Leaf =>
            <<LeafOf<S, D, A> as LocateList>::Locate<P, Self> as FlatList>::Unwrap,
        Nil => Nil,
        Cons => Cons<H::Compose<A, InMode<P, First>>, T::ComposeList<A, P, After<First>>>,
    }
    /// The reach of all leaves together in every mode of A.
    type Reach<A: LeftOperand>: Reach {
        Leaf => <HasOneOffset<S, D> as ComposeIf>::LeafReach<S, D, A>,
        Nil => Nil,
        Cons => <H::Reach<A> as Reach>::Add<T::Reach<A>>,
        Invalid => Nil,
    }
    /// The verdict `V`, unless B is invalid.
    type IfValid<V: Verdict>: Verdict { Leaf => V, Nil => V, Cons => V }
}

table! {
    /// [`RightOperand`] for a tuple, or the rest of one.
    trait RightOperandList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// [`RightOperand::Compose`] as a list; the first mode is mode `J` of the place `P`.
    type ComposeList<A: LeftOperand, P: StaticPlace, J: Ordinal>: ModeList {
        Nil => Nil,
        Cons => Cons<H::Compose<A, InMode<P, J>>, T::ComposeList<A, P, After<J>>>,
    }
}

/// The leaves that the leaf `S:D` becomes.
type LeafOf<S, D, A> = <HasOneOffset<S, D> as ComposeIf>::Leaf<S, D, A>;
/// Whether a leaf only has offset 0.
type HasOneOffset<S, D> = <<S as Nat>::IsOne as Truth>::Or<<D as Nat>::IsZero>;

// ---- comparison of a step with an extent of A ----

type DigitIn<Q, HS> = <DivRem<Q, HS> as Classify>::Digit<HS, Q>;

/// The step `Q` compared with the first extent `HS`: [`Absent`], [`Exact`], [`Inexact`], [`Several`]
/// or [`Unknown`].
pub trait Digit {
    #[doc(hidden)]
    type Walk<A0: LeftOperand, HD: Nat, S: Nat, Q: Nat, HS: Nat, T: LeftOperand>: FlatList;
    #[doc(hidden)]
    type WalkDigits<
        A0: LeftOperand,
        S: Nat,
        Q0: Nat,
        Q: Nat,
        N: Nat,
        X: Nat,
        HS: Nat,
        HD: Nat,
        T: LeftOperand,
    >: FlatList;
    #[doc(hidden)]
    type ReachOf<A0: LeftOperand, S: Nat, Q: Nat, HS: Nat, T: LeftOperand>: Reach;
    #[doc(hidden)]
    type Run<N: Nat, HS: Nat, T: LeftOperand>: Nat;
    #[doc(hidden)]
    type Digits<C: Nat, Q: Nat, T: LeftOperand>: Reach;
}

/// The digit is 0; the step is `K` in the next mode.
#[derive(Debug)]
pub struct Absent<K>(PhantomData<K>);
/// The only digit. The step divides the extent `C` times.
#[derive(Debug)]
pub struct Exact<C>(PhantomData<C>);
/// The only digit. The extent ends within the `C`th step.
#[derive(Debug)]
pub struct Inexact<C>(PhantomData<C>);
/// The digit is `R`, and the step `K` in the next mode is not 0 either.
#[derive(Debug)]
pub struct Several<K, R>(PhantomData<(K, R)>);

#[rustfmt::skip]
impl<K: Nat> Digit for Absent<K> {
    type Walk<A0: LeftOperand, HD: Nat, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> = T::Walk<S, K>;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat, HS: Nat, HD: Nat, T: LeftOperand> =
        T::WalkDigits<A0, S, Q0, K, N, X>;
    type ReachOf<A0: LeftOperand, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <T::ReachOf<S, K> as Reach>::Push<UTerm>;
    type Run<N: Nat, HS: Nat, T: LeftOperand> = T::Run<K, N>;
    type Digits<C: Nat, Q: Nat, T: LeftOperand> = <T::Digits<K, C> as Reach>::Push<UTerm>;
}

#[rustfmt::skip]
impl<C: Nat> Digit for Exact<C> {
    type Walk<A0: LeftOperand, HD: Nat, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <RunIn<S, C> as RunFit>::Onward<T, S, C, NatMul<Q, HD>>;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat, HS: Nat, HD: Nat, T: LeftOperand> =
        <RunIn<S, NatMin<N, C>> as RunFit>::Again<A0, Q0, S, NatMin<N, C>, NatAdd<X, NatMul<Q, HD>>>;
    type ReachOf<A0: LeftOperand, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <RunIn<S, C> as RunFit>::ReachOnward<Q, T, S, C>;
    type Run<N: Nat, HS: Nat, T: LeftOperand> = NatMin<N, C>;
    type Digits<K: Nat, Q: Nat, T: LeftOperand> = Cons<NatMul<K, Q>, Nil>;
}

#[rustfmt::skip]
impl<C: Nat> Digit for Inexact<C> {
    type Walk<A0: LeftOperand, HD: Nat, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <RunIn<S, C> as RunFit>::Again<A0, Q, S, C, NatMul<Q, HD>>;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat, HS: Nat, HD: Nat, T: LeftOperand> =
        <RunIn<S, NatMin<N, C>> as RunFit>::Again<A0, Q0, S, NatMin<N, C>, NatAdd<X, NatMul<Q, HD>>>;
    type ReachOf<A0: LeftOperand, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <RunIn<S, C> as RunFit>::ReachAgain<A0, Q, S, C>;
    type Run<N: Nat, HS: Nat, T: LeftOperand> = NatMin<N, C>;
    type Digits<K: Nat, Q: Nat, T: LeftOperand> = Cons<NatMul<K, Q>, Nil>;
}

#[rustfmt::skip]
impl<K: Nat, R: Nat> Digit for Several<K, R> {
    type Walk<A0: LeftOperand, HD: Nat, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        T::WalkDigits<A0, S, Q, K, NatCeilDiv<HS, R>, NatMul<R, HD>>;
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat, HS: Nat, HD: Nat, T: LeftOperand> =
        T::WalkDigits<A0, S, Q0, K, NatMin<N, NatCeilDiv<HS, R>>, NatAdd<X, NatMul<R, HD>>>;
    type ReachOf<A0: LeftOperand, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <RunIn<S, T::Run<K, NatCeilDiv<HS, R>>> as RunFit>::ReachAgain<A0, Q, S, T::Run<K, NatCeilDiv<HS, R>>>;
    type Run<N: Nat, HS: Nat, T: LeftOperand> = T::Run<K, NatMin<N, NatCeilDiv<HS, R>>>;
    type Digits<C: Nat, Q: Nat, T: LeftOperand> = <T::Digits<K, C> as Reach>::Push<NatMul<C, R>>;
}

/// The number of steps `Q` that fit into an extent `HS`, at most `S`, if not all of them are known.
type StepsIn<HS, Q, S> = NatMin<NatCeilDiv<HS, Q>, S>;

#[rustfmt::skip]
impl Digit for Unknown {
    type Walk<A0: LeftOperand, HD: Nat, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> =
        <T::Walk<NatDiv<S, StepsIn<HS, Q, S>>, NatCeilDiv<Q, HS>> as FlatList>::Push<StepsIn<HS, Q, S>, NatMul<Q, HD>>;
    // No structure is valid for every extent.
    type WalkDigits<A0: LeftOperand, S: Nat, Q0: Nat, Q: Nat, N: Nat, X: Nat, HS: Nat, HD: Nat, T: LeftOperand> =
        Invalid<RunTimeLeaf>;
    type ReachOf<A0: LeftOperand, S: Nat, Q: Nat, HS: Nat, T: LeftOperand> = Nil;
    type Run<N: Nat, HS: Nat, T: LeftOperand> = N;
    type Digits<C: Nat, Q: Nat, T: LeftOperand> = Nil;
}

// ---- comparison of a run with an extent of B ----

type RunIn<S, N> = <DivRem<S, N> as Classify>::RunFit;

/// The run `N` compared with the extent `S` of a leaf: [`Short`], [`Whole`], [`Longer`], [`Carries`]
/// or [`Unknown`]. `X` is the stride that the leaf gets.
pub trait RunFit {
    /// Continues after the current mode of A, with step 1.
    type Onward<T: LeftOperand, S: Nat, N: Nat, X: Nat>: FlatList;
    /// Continues from `A0`, with the step `Q` multiplied by `N`.
    type Again<A0: LeftOperand, Q: Nat, S: Nat, N: Nat, X: Nat>: FlatList;
    #[doc(hidden)]
    type ReachOnward<Q: Nat, T: LeftOperand, S: Nat, N: Nat>: Reach;
    #[doc(hidden)]
    type ReachAgain<A0: LeftOperand, Q: Nat, S: Nat, N: Nat>: Reach;
}

/// The leaf ends before the run.
#[derive(Debug)]
pub enum Short {}
/// The leaf is exactly the run.
#[derive(Debug)]
pub enum Whole {}
/// The leaf is `K` runs.
#[derive(Debug)]
pub struct Longer<K>(PhantomData<K>);
/// The run does not divide the leaf.
#[derive(Debug)]
pub enum Carries {}

impl RunFit for Short {
    type Onward<T: LeftOperand, S: Nat, N: Nat, X: Nat> = Cons<Mode<S, X>, Nil>;
    type Again<A0: LeftOperand, Q: Nat, S: Nat, N: Nat, X: Nat> = Cons<Mode<S, X>, Nil>;
    type ReachOnward<Q: Nat, T: LeftOperand, S: Nat, N: Nat> = Cons<NatMul<S::Pred, Q>, Nil>;
    type ReachAgain<A0: LeftOperand, Q: Nat, S: Nat, N: Nat> = A0::Digits<Q, S::Pred>;
}

impl RunFit for Whole {
    type Onward<T: LeftOperand, S: Nat, N: Nat, X: Nat> = Cons<Mode<N, X>, Nil>;
    type Again<A0: LeftOperand, Q: Nat, S: Nat, N: Nat, X: Nat> = Cons<Mode<N, X>, Nil>;
    type ReachOnward<Q: Nat, T: LeftOperand, S: Nat, N: Nat> = Cons<NatMul<N::Pred, Q>, Nil>;
    type ReachAgain<A0: LeftOperand, Q: Nat, S: Nat, N: Nat> = A0::Digits<Q, N::Pred>;
}

impl<K: Nat> RunFit for Longer<K> {
    type Onward<T: LeftOperand, S: Nat, N: Nat, X: Nat> = <T::Walk<K, One> as FlatList>::Push<N, X>;
    type Again<A0: LeftOperand, Q: Nat, S: Nat, N: Nat, X: Nat> =
        <A0::Walk<K, NatMul<Q, N>> as FlatList>::Push<N, X>;
    type ReachOnward<Q: Nat, T: LeftOperand, S: Nat, N: Nat> =
        <T::ReachOf<K, One> as Reach>::Push<NatMul<N::Pred, Q>>;
    type ReachAgain<A0: LeftOperand, Q: Nat, S: Nat, N: Nat> =
        <A0::Digits<Q, N::Pred> as Reach>::Add<A0::ReachOf<K, NatMul<Q, N>>>;
}

impl RunFit for Carries {
    type Onward<T: LeftOperand, S: Nat, N: Nat, X: Nat> = Invalid<CompositionCarry<S, N>>;
    type Again<A0: LeftOperand, Q: Nat, S: Nat, N: Nat, X: Nat> = Invalid<CompositionCarry<S, N>>;
    type ReachOnward<Q: Nat, T: LeftOperand, S: Nat, N: Nat> = Refused;
    type ReachAgain<A0: LeftOperand, Q: Nat, S: Nat, N: Nat> = Refused;
}

impl RunFit for Unknown {
    type Onward<T: LeftOperand, S: Nat, N: Nat, X: Nat> =
        <T::Walk<NatDiv<S, NatMin<N, S>>, One> as FlatList>::Push<NatMin<N, S>, X>;
    type Again<A0: LeftOperand, Q: Nat, S: Nat, N: Nat, X: Nat> =
        <A0::Walk<NatDiv<S, NatMin<N, S>>, NatMul<Q, N>> as FlatList>::Push<NatMin<N, S>, X>;
    type ReachOnward<Q: Nat, T: LeftOperand, S: Nat, N: Nat> = Nil;
    type ReachAgain<A0: LeftOperand, Q: Nat, S: Nat, N: Nat> = Nil;
}

// ---- the classifiers ----

/// Classifies a division; `self` is the [`QuotRem`].
pub trait Classify {
    /// `self` is `Q / HS`.
    type Digit<HS: Nat, Q: Nat>: Digit;
    /// `self` is `S / N`.
    type RunFit: RunFit;
    /// `self` is `HS / Q`.
    type OnlyDigit: Digit;
}

impl<K: Nat, R: Nat> Classify for QuotRem<K, R> {
    type Digit<HS: Nat, Q: Nat> = <R::IsZero as ComposeIf>::NoDigit<K, R, HS, Q>;
    type RunFit = <K::IsZero as ComposeIf>::NoRun<K, R>;
    type OnlyDigit = <R::IsZero as ComposeIf>::Divides<K>;
}

impl<R: RunTime, N: Nat, D: Nat> Classify for AtRunTime<R, N, D> {
    type Digit<HS: Nat, Q: Nat> = Unknown;
    type RunFit = Unknown;
    type OnlyDigit = Unknown;
}

decisions! {
    /// The branches of the composition.
    trait ComposeIf;
    /// `self`: the digit is 0.
    type NoDigit<K: Nat, R: Nat, HS: Nat, Q: Nat>: Digit {
        True => Absent<K>,
        False => <K::IsZero as ComposeIf>::NoMore<K, R, HS, Q>,
        Unknown => Unknown,
    }
    /// `self`: there is no further digit.
    type NoMore<K: Nat, R: Nat, HS: Nat, Q: Nat>: Digit {
        True => <DivRem<HS, Q> as Classify>::OnlyDigit,
        False => Several<K, R>,
        Unknown => Unknown,
    }
    /// `self`: the step divides the extent of A.
    type Divides<C: Nat>: Digit { True => Exact<C>, False => Inexact<C::Succ>, Unknown => Unknown }
    /// `self`: the leaf is shorter than the run.
    type NoRun<K: Nat, R: Nat>: RunFit {
        True => Short,
        False => <R::IsZero as ComposeIf>::RunDivides<K>,
        Unknown => Unknown,
    }
    /// `self`: the run divides the leaf.
    type RunDivides<K: Nat>: RunFit {
        True => <K::IsOne as ComposeIf>::OneRun<K>,
        False => Carries,
        Unknown => Unknown,
    }
    /// `self`: it is one run.
    type OneRun<K: Nat>: RunFit { True => Whole, False => Longer<K>, Unknown => Unknown }
    /// `self`: the leaf only has offset 0.
    type Leaf<S: Nat, D: Nat, A: LeftOperand>: FlatList {
        True => Cons<Mode<S, UTerm>, Nil>,
        False => A::Walk<S, D>,
        // A walk is also valid for leaves that only have offset 0.
        Unknown => A::Walk<S, D>,
    }
    #[doc(hidden)]
    type LeafReach<S: Nat, D: Nat, A: LeftOperand>: Reach {
        True => Nil,
        False => A::ReachOf<S, D>,
        Unknown => A::ReachOf<S, D>,
    }
    /// `self`: the reach `U` is not below the extent `HS`.
    type Exceeds<U: Nat, HS: Nat, V: Reach, T: LeftOperand>: Verdict {
        True => Invalid<CompositionOverlap<U, HS>>,
        False => V::Verdict<T>,
        Unknown => V::Verdict<T>,
    }
}

// ---- the check of the whole ----

/// The reach of B in the modes of A except the last one: a list of integers, or [`Refused`].
pub trait Reach: 'static {
    /// This list with the reach in the previous mode prepended.
    type Push<U: Nat>: Reach;
    /// The sum of both.
    type Add<V: Reach>: Reach;
    /// The sum with the list of `U` and `V`.
    type AddList<U: Nat, V: Reach>: Reach;
    /// Whether every reach is below its extent.
    type Verdict<A: LeftOperand>: Verdict;
}

/// A leaf of B has no modes. It is already [`Invalid`], so the whole is not replaced.
#[derive(Debug)]
pub enum Refused {}

impl Reach for Nil {
    type Push<U: Nat> = Cons<U, Nil>;
    type Add<V: Reach> = V;
    type AddList<U: Nat, V: Reach> = Cons<U, V>;
    type Verdict<A: LeftOperand> = A::Untouched;
}

impl<U: Nat, V: Reach> Reach for Cons<U, V> {
    type Push<U2: Nat> = Cons<U2, Self>;
    type Add<V2: Reach> = V2::AddList<U, V>;
    type AddList<U2: Nat, V2: Reach> = <V2::Add<V> as Reach>::Push<NatAdd<U2, U>>;
    type Verdict<A: LeftOperand> = A::Holds<U, V>;
}

impl Reach for Refused {
    type Push<U: Nat> = Refused;
    type Add<V: Reach> = Refused;
    type AddList<U: Nat, V: Reach> = Refused;
    type Verdict<A: LeftOperand> = A::Untouched;
}

/// [`Fits`], or [`Invalid`] with a reason.
pub trait Verdict: 'static {
    /// The composition `M` with the modes `B`, an operand at `P`, if it is valid.
    type Guard<P: StaticPlace, B: ModeTree, M: ModeTree>: ModeTree;
}

/// No digit carries.
#[derive(Debug)]
pub enum Fits {}

impl Verdict for Fits {
    type Guard<P: StaticPlace, B: ModeTree, M: ModeTree> = M;
}
impl<R: Reason> Verdict for Invalid<R> {
    type Guard<P: StaticPlace, B: ModeTree, M: ModeTree> = Invalid<Located<R, P, B>>;
}

reasons! {
    /// `composition(A, B)`: the rest of an extent of B, and the run that does not divide it.
    CompositionCarry<Extent: Nat, Run: Nat> => LayoutError::CompositionCarry {
            place: Place::NONE,
            extent: number::<Extent>(),
            rest: number::<Extent>(),
            run: number::<Run>(),
        },
        else NoCarry: "composition: no layout equals A(B(c))",
        "the left layout carries within an extent of the right one";
    /// `composition(A, B)`: the reach of the modes of B together, and the extent of A that is too
    /// small.
    CompositionOverlap<Reach: Nat, Extent: Nat> => LayoutError::CompositionOverlap {
            place: Place::NONE,
            reach: number::<Reach>(),
            extent: number::<Extent>(),
        },
        else NoOverlap: "composition: no layout equals A(B(c))",
        "the modes of the right layout together overflow an extent of the left one";
}
