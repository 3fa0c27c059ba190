//! `permute`, `transposed` and `broadcast_to` at the type level; `engine/permute.rs` has the laws.

use core::marker::PhantomData;

use typenum::{U0, U1, U2, UTerm};

use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatSub};
use crate::types::core::ternary::{Order, True, Truth};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::core::visit::{
    Cases, Decide, Decision, ListCases, ListDecision, MatchTree, MatchTreeList, ModeCases,
    TruthCases, refused,
};
use crate::types::ops::range::{IsAtLeast, RangeList, Rank};
use crate::types::ops::select::Selected;

/// The modes `M` in the order `I`.
pub(crate) type Permuted<M, I> = <M as GuardTree>::Guard<<I as MatchTree>::Match<InOrder<M>>>;
/// The two modes of `M` exchanged.
pub(crate) type TransposedOf<M> =
    <M as GuardTree>::Guard<<IsEqual<Rank<M>, U2> as Decide>::Modes<Exchanged<M>>>;
/// The modes `M` repeated to the shape `S`.
pub(crate) type BroadcastToOf<M, S> = <M as GuardTree>::Guard<<S as MatchTree>::Match<ToShape<M>>>;

type IsEqual<A, B> = <<A as Nat>::Compare<B> as Order>::IsEqual;
type IsGreater<A, B> = <<A as Nat>::Compare<B> as Order>::IsGreater;

// ---- permute ----

refused! {
    /// A tuple `T` that is not a permutation of the modes `M`.
    NoPermutation: |layout, modes| layout.permute(&modes)
}

/// The modes `M` in an order.
#[derive(Debug)]
pub struct InOrder<M>(PhantomData<M>);

impl<M: ModeTree> Cases for InOrder<M> {
    type Leaf<N: Nat> =
        <<IsEqual<Rank<M>, U1> as Truth>::And<N::IsZero> as Decide>::Modes<Chosen<M, N>>;
    type Tuple<H: Tree, T: TreeList> =
        <<<IsEqual<<Cons<H, T> as TreeList>::Rank, Rank<M>> as Truth>::And<
            <Cons<H, T> as MatchTree>::IsFlat,
        > as Truth>::And<
            <Cons<H, T> as MatchTreeList>::MatchTruth<Numbers<Rank<M>>>,
        > as Decide>::Modes<Chosen<M, Cons<H, T>>>;
    type End = Invalid<NoPermutation<M, Nil>>;
}

/// Whether all numbers are below `R`, without duplicates.
#[derive(Debug)]
pub struct Numbers<R>(PhantomData<R>);

impl<R: Nat> TruthCases for Numbers<R> {
    type Tuple<H: Tree, T: TreeList> = <<IsGreater<R, H::Product> as Truth>::And<
        T::MatchTruth<Without<H::Product>>,
    > as Truth>::And<T::MatchTruth<Self>>;
    type End = True;
}

/// Whether no number is `N`.
#[derive(Debug)]
pub struct Without<N>(PhantomData<N>);

impl<N: Nat> TruthCases for Without<N> {
    type Tuple<H: Tree, T: TreeList> = <<IsGreater<N, H::Product> as Truth>::Or<
        IsGreater<H::Product, N>,
    > as Truth>::And<T::MatchTruth<Self>>;
    type End = True;
}

/// The modes of `M` in the order `I`, a permutation.
#[derive(Debug)]
pub struct Chosen<M, I>(PhantomData<(M, I)>);

impl<M: ModeTree, I: Tree> Decision for Chosen<M, I> {
    type True = Selected<M, I>;
    type False = Invalid<NoPermutation<M, I>>;
    type Unknown = Invalid<NoPermutation<M, I>>;
}

// ---- transposed ----

refused! {
    /// Modes `M` that are not a matrix, which has two modes.
    NoMatrix: |layout, _tuple| layout.transposed()
}

/// The modes of the matrix `M`, exchanged.
#[derive(Debug)]
pub struct Exchanged<M>(PhantomData<M>);

impl<M: ModeTree> Decision for Exchanged<M> {
    type True = Selected<M, Cons<U1, Cons<U0, Nil>>>;
    type False = Invalid<NoMatrix<M, U0>>;
    type Unknown = Invalid<NoMatrix<M, U0>>;
}

// ---- broadcast_to ----

refused! {
    /// A shape `T` that the modes `M` cannot be repeated to.
    NoBroadcast: |layout, shape| layout.broadcast_to(&shape)
}

/// The modes `M` repeated to a shape.
#[derive(Debug)]
pub struct ToShape<M>(PhantomData<M>);

impl<M: ModeTree> Cases for ToShape<M> {
    type Leaf<N: Nat> = <IsEqual<Rank<M>, U1> as Decide>::Modes<ToExtent<M, N>>;
    type Tuple<H: Tree, T: TreeList> =
        <IsAtLeast<<Cons<H, T> as TreeList>::Rank, Rank<M>> as Decide>::Modes<ToExtents<M, H, T>>;
    type End = Invalid<NoBroadcast<M, Nil>>;
}

/// The only mode of `M` repeated to `N` elements.
#[derive(Debug)]
pub struct ToExtent<M, N>(PhantomData<(M, N)>);

impl<M: ModeTree, N: Nat> Decision for ToExtent<M, N> {
    type True = N::Match<Fit<<M::Modes as RangeList>::Head, NoBroadcast<M, N>>>;
    type False = Invalid<NoBroadcast<M, N>>;
    type Unknown = Invalid<NoBroadcast<M, N>>;
}

/// The modes `M` repeated to the extents `H` and `T`, which are at least as many.
#[derive(Debug)]
pub struct ToExtents<M, H, T>(PhantomData<(M, H, T)>);

impl<M: ModeTree, H: Tree, T: TreeList> Decision for ToExtents<M, H, T> {
    type True = <Cons<H, T> as MatchTreeList>::MatchList<
        Extents<
            M::Modes,
            NatSub<<Cons<H, T> as TreeList>::Rank, Rank<M>>,
            NoBroadcast<M, Cons<H, T>>,
        >,
    >;
    type False = Invalid<NoBroadcast<M, Cons<H, T>>>;
    type Unknown = Invalid<NoBroadcast<M, Cons<H, T>>>;
}

/// `New` additional modes, then the modes `A`, repeated to extents.
#[derive(Debug)]
pub struct Extents<A, New, R>(PhantomData<(A, New, R)>);

impl<A: ModeList, New: Nat, R: Reason> ListCases for Extents<A, New, R> {
    type Tuple<H: Tree, T: TreeList> = <New::IsZero as Decide>::List<NextExtent<A, New, R, H, T>>;
    type End = Nil;
}

/// The first extent `H`: decides whether there are no additional modes.
#[derive(Debug)]
pub struct NextExtent<A, New, R, H, T>(PhantomData<(A, New, R, H, T)>);

impl<A: ModeList, New: Nat, R: Reason, H: Tree, T: TreeList> ListDecision
    for NextExtent<A, New, R, H, T>
{
    type True = A::MatchModes<ExtentOf<H, T, R>>;
    type False = Cons<H::Match<Fit<Nil, R>>, T::MatchList<Extents<A, New::Pred, R>>>;
    type Unknown = Invalid<R>;
}

/// The first of some modes repeated to `H`, the others to `T`.
#[derive(Debug)]
pub struct ExtentOf<H, T, R>(PhantomData<(H, T, R)>);

impl<H: Tree, T: TreeList, R: Reason> ModeCases for ExtentOf<H, T, R> {
    type Modes<A: ModeTree, Rest: ModeList> =
        Cons<H::Match<Fit<A, R>>, T::MatchList<Extents<Rest, UTerm, R>>>;
    type End = Invalid<R>;
}

/// The mode `A`, or an additional one if that is empty, repeated to an extent.
#[derive(Debug)]
pub struct Fit<A, R>(PhantomData<(A, R)>);

impl<A: ModeTree, R: Reason> Cases for Fit<A, R> {
    type Leaf<N: Nat> = <<A::Size as Nat>::IsOne as Decide>::Modes<Repeat<A, N, R>>;
    type Tuple<H: Tree, T: TreeList> = Invalid<R>;
    type End = Invalid<R>;
}

/// The mode `A` repeated to `N` elements: decides whether it has one element.
#[derive(Debug)]
pub struct Repeat<A, N, R>(PhantomData<(A, N, R)>);

impl<A: ModeTree, N: Nat, R: Reason> Decision for Repeat<A, N, R> {
    type True = N::Mode<UTerm>;
    type False = <IsEqual<A::Size, N> as Decide>::Modes<Stay<A, R>>;
    type Unknown = <IsEqual<A::Size, N> as Decide>::Modes<Stay<A, R>>;
}

/// The mode `A` unchanged: decides whether its size fits. A run-time size is assumed to fit.
#[derive(Debug)]
pub struct Stay<A, R>(PhantomData<(A, R)>);

impl<A: ModeTree, R: Reason> Decision for Stay<A, R> {
    type True = A;
    type False = Invalid<R>;
    type Unknown = A;
}
