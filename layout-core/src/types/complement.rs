//! `complement` at the type level.

use core::marker::PhantomData;

use super::coalesce::CoalesceList;
use super::flat::{FlatList, Leaves};
use super::modes::{Mode, ModeTree};
use super::nat::{Nat, NatCeilDiv, NatDiv, NatMax, NatMul, One};
use super::place::Alone;
use super::reason::{ComplementOverlap, EmptyTuple, Invalid, Reason, RunTimeLeaf, ZeroExtent};
use super::tree::{Cons, Nil, Tree, TreeList};
use super::truth::{False, Order, True, Truth, Unknown};

/// The complement of the modes `M` in the integer or shape `N`.
pub(crate) type Complemented<M, N> = <ComplementAt<M, N, Alone> as FlatList>::Unwrap;
/// The complement of the modes `M` in their own cosize.
pub(crate) type ComplementedInside<M> = Complemented<M, <<M as ModeTree>::LastOffset as Nat>::Succ>;

/// The complement of the modes `M`, an operand at `P`, in the integer or shape `N`, as a coalesced
/// list.
pub(crate) type ComplementAt<M, N, P> = <ComplementOf<M, N> as FlatList>::Locate<P, M>;
type ComplementOf<M, N> = <<<Leaves<M> as ComplementList>::Sort as ComplementList>::Gaps<
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
    type Gaps<Covered: Nat, N: Tree>: FlatList;
}

impl ComplementList for Nil {
    type Sort = Nil;
    type Insert<S: Nat, D: Nat> = Cons<Mode<S, D>, Nil>;
    type Gaps<Covered: Nat, N: Tree> = N::Fill<Covered>;
}

impl<S: Nat, D: Nat, T: FlatList> ComplementList for Cons<Mode<S, D>, T> {
    type Sort = <<S::IsOne as Truth>::Or<D::IsZero> as ComplementIf>::SortWithout<S, D, T>;
    type Insert<S2: Nat, D2: Nat> =
        <<D2::Compare<D> as Order>::IsGreater as ComplementIf>::InsertAfter<S2, D2, S, D, T>;
    type Gaps<Covered: Nat, N: Tree> =
        <<NatDiv<D, Covered> as Nat>::IsZero as ComplementIf>::Gap<Covered, N, S, D, T>;
}

impl<R: Reason> ComplementList for Invalid<R> {
    type Sort = Self;
    type Insert<S: Nat, D: Nat> = Self;
    type Gaps<Covered: Nat, N: Tree> = Self;
}

/// What a complement goes up to: an integer or a shape.
pub trait Cotarget {
    /// The last mode of a complement that has dealt with everything below `Covered`.
    type Fill<Covered: Nat>: FlatList;
    /// The repeats `R`, and those that these leaves need.
    type Repeat<R: Repeats>: Repeats;
}

/// [`Cotarget`] for a tuple, or the rest of one.
pub trait CotargetList {
    /// [`Cotarget::Repeat`] for the parts.
    type RepeatParts<R: Repeats>: Repeats;
}

impl<N: Nat> Cotarget for N {
    type Fill<Covered: Nat> = <N::IsZero as ComplementIf>::Fill<NatCeilDiv<N, Covered>, Covered>;
    type Repeat<R: Repeats> = R::Leaf<N>;
}

impl Cotarget for Nil {
    type Fill<Covered: Nat> = Invalid<EmptyTuple>;
    type Repeat<R: Repeats> = Invalid<EmptyTuple>;
}
impl CotargetList for Nil {
    type RepeatParts<R: Repeats> = R;
}

impl<H: Tree, T: TreeList> Cotarget for Cons<H, T> {
    type Fill<Covered: Nat> = <T::RepeatParts<H::Repeat<Repeated<One, Covered>>> as Repeats>::Fill<
        <Self as Tree>::Product,
        Covered,
    >;
    type Repeat<R: Repeats> = T::RepeatParts<H::Repeat<R>>;
}
impl<H: Tree, T: TreeList> CotargetList for Cons<H, T> {
    type RepeatParts<R: Repeats> = T::RepeatParts<H::Repeat<R>>;
}

impl<E: Reason> Cotarget for Invalid<E> {
    type Fill<Covered: Nat> = Self;
    type Repeat<R: Repeats> = Self;
}
impl<E: Reason> CotargetList for Invalid<E> {
    type RepeatParts<R: Repeats> = Self;
}

/// How often the last mode repeats, `N` times, for the leaves of a shape so far, which leave
/// `Rest` of what is covered.
#[derive(Debug)]
pub struct Repeated<N, Rest>(PhantomData<(N, Rest)>);

/// A [`Repeated`], or [`Invalid`].
pub trait Repeats {
    /// The same with one more leaf.
    type Leaf<Extent: Nat>: Repeats;
    /// The last mode, which repeats at least as often as the size of the shape needs.
    type Fill<Size: Nat, Covered: Nat>: FlatList;
}

impl<N: Nat, Rest: Nat> Repeats for Repeated<N, Rest> {
    type Leaf<Extent: Nat> =
        Repeated<NatMul<N, NatCeilDiv<Extent, Rest>>, NatCeilDiv<Rest, Extent>>;
    type Fill<Size: Nat, Covered: Nat> =
        <Size::IsZero as ComplementIf>::Fill<NatMax<N, NatCeilDiv<Size, Covered>>, Covered>;
}
impl<E: Reason> Repeats for Invalid<E> {
    type Leaf<Extent: Nat> = Self;
    type Fill<Size: Nat, Covered: Nat> = Self;
}

/// The branches of `complement`.
pub trait ComplementIf {
    /// `self`: the leaf `S:D` does not move.
    type SortWithout<S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the leaf `S2:D2` goes behind `S:D`.
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the stride `D` is inside what is covered.
    type Gap<Covered: Nat, N: Tree, S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: there is nothing to fill.
    type Fill<Repeat: Nat, Covered: Nat>: FlatList;
}

impl ComplementIf for True {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = T::Sort;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> =
        <T::Insert<S2, D2> as FlatList>::Push<S, D>;
    type Gap<Covered: Nat, N: Tree, S: Nat, D: Nat, T: FlatList> =
        Invalid<ComplementOverlap<D, Covered>>;
    type Fill<Repeat: Nat, Covered: Nat> = Invalid<ZeroExtent>;
}

impl ComplementIf for False {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = <T::Sort as ComplementList>::Insert<S, D>;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> =
        Cons<Mode<S2, D2>, Cons<Mode<S, D>, T>>;
    type Gap<Covered: Nat, N: Tree, S: Nat, D: Nat, T: FlatList> =
        <T::Gaps<NatMul<S, D>, N> as FlatList>::Push<NatDiv<D, Covered>, Covered>;
    type Fill<Repeat: Nat, Covered: Nat> = Cons<Mode<Repeat, Covered>, Nil>;
}

// A leaf that may move takes its place, and a gap that may be there is one. Only the order of the
// strides has to be known.
impl ComplementIf for Unknown {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = <False as ComplementIf>::SortWithout<S, D, T>;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> = Invalid<RunTimeLeaf>;
    type Gap<Covered: Nat, N: Tree, S: Nat, D: Nat, T: FlatList> =
        <False as ComplementIf>::Gap<Covered, N, S, D, T>;
    type Fill<Repeat: Nat, Covered: Nat> = <False as ComplementIf>::Fill<Repeat, Covered>;
}
