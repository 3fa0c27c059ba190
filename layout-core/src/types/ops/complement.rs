//! `complement` at the type level.
//!
//! What is left out is coalesced as it is made: a gap ends before the next stride, so no two of them
//! merge, and those of extent 1 are not made. The numbers are compared before they are divided,
//! because most layouts are compact.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{
    ComplementOverlap, EmptyTuple, Invalid, Reason, RunTimeLeaf, ZeroExtent,
};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatMax, NatMul, One};
use crate::types::core::place::Alone;
use crate::types::core::ternary::{Equal, False, Greater, Less, Order, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// The complement of the modes `M` in the integer or shape `N`.
pub(crate) type Complemented<M, N> = <ComplementAt<M, N, Alone> as FlatList>::Unwrap;
/// The complement of the modes `M` in their own cosize.
pub(crate) type ComplementedInside<M> = Complemented<M, <<M as ModeTree>::LastOffset as Nat>::Succ>;

/// The complement of the modes `M`, an operand at `P`, in the integer or shape `N`, as a coalesced
/// list.
pub(crate) type ComplementAt<M, N, P> = <ComplementOf<M, N> as FlatList>::Locate<P, M>;
type ComplementOf<M, N> = <FreeModes<M, N> as ComplementList>::OrUnit;
/// The complement of the modes `M`, an operand at `P`, in every cotarget at once: a coalesced list
/// of which the last mode goes on.
pub(crate) type ComplementWithoutEnd<M, P> = <FreeModes<M, Endless> as FlatList>::Locate<P, M>;
type FreeModes<M, N> = <<Leaves<M> as ComplementList>::Sort as ComplementList>::Gaps<One, N>;

/// `complement`, for a list of leaves.
pub trait ComplementList {
    /// The leaves that move, by rising stride.
    type Sort: FlatList;
    /// This sorted list with one more leaf.
    type Insert<S: Nat, D: Nat>: FlatList;
    /// What this sorted list leaves out of the cotarget `N`, when everything below `Covered` is dealt
    /// with: the modes of an extent above 1.
    type Gaps<Covered: Nat, N: Cotarget>: FlatList;
    /// This list, or `1:0` if it is empty.
    type OrUnit: FlatList;
}

impl ComplementList for Nil {
    type Sort = Nil;
    type Insert<S: Nat, D: Nat> = Cons<Mode<S, D>, Nil>;
    type Gaps<Covered: Nat, N: Cotarget> = N::Fill<Covered>;
    type OrUnit = Cons<Mode<One, UTerm>, Nil>;
}

impl<S: Nat, D: Nat, T: FlatList> ComplementList for Cons<Mode<S, D>, T> {
    type Sort = <<S::IsOne as Truth>::Or<D::IsZero> as ComplementIf>::SortWithout<S, D, T>;
    type Insert<S2: Nat, D2: Nat> =
        <<D2::Compare<D> as Order>::IsGreater as ComplementIf>::InsertAfter<S2, D2, S, D, T>;
    type Gaps<Covered: Nat, N: Cotarget> =
        <D::Compare<Covered> as ComplementOrder>::Gaps<Covered, N, S, D, T>;
    type OrUnit = Self;
}

impl<R: Reason> ComplementList for Invalid<R> {
    type Sort = Self;
    type Insert<S: Nat, D: Nat> = Self;
    type Gaps<Covered: Nat, N: Cotarget> = Self;
    type OrUnit = Self;
}

/// What a complement goes up to: an integer, a shape, or [`Endless`].
pub trait Cotarget {
    /// The last mode of a complement that has dealt with everything below `Covered`, if its extent is
    /// above 1.
    type Fill<Covered: Nat>: FlatList;
}

/// No end: the last mode is there for its stride.
#[derive(Debug)]
pub enum Endless {}

impl Cotarget for Endless {
    type Fill<Covered: Nat> = Cons<Mode<One, Covered>, Nil>;
}

/// [`Cotarget`], for a shape.
pub trait CotargetTree: Cotarget {
    /// The repeats `R`, and those that these leaves need.
    type Repeat<R: Repeats>: Repeats;
}

/// [`CotargetTree`] for a tuple, or the rest of one.
pub trait CotargetList {
    /// [`CotargetTree::Repeat`] for the parts.
    type RepeatParts<R: Repeats>: Repeats;
}

impl<N: Nat> Cotarget for N {
    type Fill<Covered: Nat> = <N::IsZero as ComplementIf>::Fill<NatCeilDiv<N, Covered>, Covered>;
}
impl<N: Nat> CotargetTree for N {
    type Repeat<R: Repeats> = R::Leaf<N>;
}

impl Cotarget for Nil {
    type Fill<Covered: Nat> = Invalid<EmptyTuple>;
}
impl CotargetTree for Nil {
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
}
impl<H: Tree, T: TreeList> CotargetTree for Cons<H, T> {
    type Repeat<R: Repeats> = T::RepeatParts<H::Repeat<R>>;
}
impl<H: Tree, T: TreeList> CotargetList for Cons<H, T> {
    type RepeatParts<R: Repeats> = T::RepeatParts<H::Repeat<R>>;
}

impl<E: Reason> Cotarget for Invalid<E> {
    type Fill<Covered: Nat> = Self;
}
impl<E: Reason> CotargetTree for Invalid<E> {
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

/// The branches of `complement`, by how the next stride compares with what is covered.
pub trait ComplementOrder {
    /// The gap before the leaf `S:D`, and those behind it.
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList>: FlatList;
}

impl ComplementOrder for Less {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> =
        Invalid<ComplementOverlap<D, Covered>>;
}
impl ComplementOrder for Equal {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> = T::Gaps<NatMul<S, D>, N>;
}
impl ComplementOrder for Greater {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> =
        <<NatDiv<D, Covered> as Nat>::IsOne as ComplementIf>::Push<
            NatDiv<D, Covered>,
            Covered,
            T::Gaps<NatMul<S, D>, N>,
        >;
}
// A gap that may be there is one.
impl ComplementOrder for Unknown {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> =
        <T::Gaps<NatMul<S, D>, N> as FlatList>::Push<NatDiv<D, Covered>, Covered>;
}

/// The branches of `complement`.
pub trait ComplementIf {
    /// `self`: the leaf `S:D` does not move.
    type SortWithout<S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the leaf `S2:D2` goes behind `S:D`.
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: the extent `S` is 1.
    type Push<S: Nat, D: Nat, T: FlatList>: FlatList;
    /// `self`: there is nothing to fill.
    type Fill<Repeat: Nat, Covered: Nat>: FlatList;
}

impl ComplementIf for True {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = T::Sort;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> =
        <T::Insert<S2, D2> as FlatList>::Push<S, D>;
    type Push<S: Nat, D: Nat, T: FlatList> = T;
    type Fill<Repeat: Nat, Covered: Nat> = Invalid<ZeroExtent>;
}

impl ComplementIf for False {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = <T::Sort as ComplementList>::Insert<S, D>;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> =
        Cons<Mode<S2, D2>, Cons<Mode<S, D>, T>>;
    type Push<S: Nat, D: Nat, T: FlatList> = T::Push<S, D>;
    type Fill<Repeat: Nat, Covered: Nat> =
        <Repeat::IsOne as ComplementIf>::Push<Repeat, Covered, Nil>;
}

// A leaf that may move takes its place. Only the order of the strides has to be known.
impl ComplementIf for Unknown {
    type SortWithout<S: Nat, D: Nat, T: FlatList> = <False as ComplementIf>::SortWithout<S, D, T>;
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList> = Invalid<RunTimeLeaf>;
    type Push<S: Nat, D: Nat, T: FlatList> = T::Push<S, D>;
    type Fill<Repeat: Nat, Covered: Nat> = <False as ComplementIf>::Fill<Repeat, Covered>;
}
