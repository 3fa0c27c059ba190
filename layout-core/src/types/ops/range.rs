//! `take` and `group` at the type level: ranges of modes; and lists of modes cut and joined.

use crate::types::api::tiler::TiledTree;
use crate::types::core::invalid::{Invalid, ModeRange, Named, Reason, RunTimeLeaf};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatSub};
use crate::types::core::ternary::{False, Order, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil};

/// The number of modes: 1 for a leaf.
pub(crate) type Rank<M> = <<M as TiledTree>::Modes as ModeTree>::TupleRank;
/// The modes `[B, E)` of `M`.
pub(crate) type Taken<M, B, E> = <M as TiledTree>::Guard<
    <<IsGreater<E, B> as Truth>::And<IsAtLeast<Rank<M>, E>> as RangeIf>::Take<M, B, E>,
>;
/// The modes `M`, of which `[B, E)` are one mode.
pub(crate) type Grouped<M, B, E> = <M as TiledTree>::Guard<
    <<IsAtLeast<E, B> as Truth>::And<IsAtLeast<Rank<M>, E>> as RangeIf>::Group<M, B, E>,
>;

type IsGreater<A, B> = <<A as Nat>::Compare<B> as Order>::IsGreater;
pub(crate) type IsAtLeast<A, B> = <<A as Nat>::Compare<B> as Order>::IsAtLeast;

/// `take`.
#[derive(Debug)]
pub enum TakeModes {}
impl Named for TakeModes {
    const NAME: &'static str = "take";
}

/// `group`.
#[derive(Debug)]
pub enum GroupModes {}
impl Named for GroupModes {
    const NAME: &'static str = "group";
}

/// A list of modes, cut and joined. Whether it has as many modes as a number says was decided
/// before.
pub trait RangeList {
    /// The first mode.
    type Head: ModeTree;
    /// The modes from mode `N` on.
    type Skip<N: Nat>: ModeList;
    /// The first `N` modes, before those of `Rest`.
    type FrontThen<N: Nat, Rest: ModeList>: ModeList;
    /// All modes, before those of `Rest`.
    type AllThen<Rest: ModeList>: ModeList;
}

/// The modes `[B, E)` of the list `L`.
type Range<L, B, E> = <<L as RangeList>::Skip<B> as RangeList>::FrontThen<NatSub<E, B>, Nil>;

impl RangeList for Nil {
    type Head = Nil;
    type Skip<N: Nat> = Nil;
    type FrontThen<N: Nat, Rest: ModeList> = Rest;
    type AllThen<Rest: ModeList> = Rest;
}

impl<H: ModeTree, T: ModeList> RangeList for Cons<H, T> {
    type Head = H;
    type Skip<N: Nat> = <N::IsZero as RangeIf>::Skip<N, H, T>;
    type FrontThen<N: Nat, Rest: ModeList> = <N::IsZero as RangeIf>::FrontThen<N, Rest, H, T>;
    type AllThen<Rest: ModeList> = Cons<H, T::AllThen<Rest>>;
}

impl<R: Reason> RangeList for Invalid<R> {
    type Head = Self;
    type Skip<N: Nat> = Self;
    type FrontThen<N: Nat, Rest: ModeList> = Self;
    type AllThen<Rest: ModeList> = Self;
}

/// The branches of `take` and `group`.
pub trait RangeIf {
    /// `self`: the range is one of `M`, and not empty.
    type Take<M: ModeTree, B: Nat, E: Nat>: ModeTree;
    /// `self`: the range is one of `M`.
    type Group<M: ModeTree, B: Nat, E: Nat>: ModeTree;
    /// `self`: the range is empty.
    type Enclose<L: ModeList, B: Nat, E: Nat>: ModeList;
    /// `self`: `N` is 0.
    type Skip<N: Nat, H: ModeTree, T: ModeList>: ModeList;
    /// `self`: `N` is 0.
    type FrontThen<N: Nat, Rest: ModeList, H: ModeTree, T: ModeList>: ModeList;
}

impl RangeIf for True {
    type Take<M: ModeTree, B: Nat, E: Nat> = Range<M::Modes, B, E>;
    type Group<M: ModeTree, B: Nat, E: Nat> =
        <<NatSub<E, B> as Nat>::IsZero as RangeIf>::Enclose<M::Modes, B, E>;
    type Enclose<L: ModeList, B: Nat, E: Nat> = L;
    type Skip<N: Nat, H: ModeTree, T: ModeList> = Cons<H, T>;
    type FrontThen<N: Nat, Rest: ModeList, H: ModeTree, T: ModeList> = Rest;
}
impl RangeIf for False {
    type Take<M: ModeTree, B: Nat, E: Nat> = Invalid<ModeRange<TakeModes, B, E, M>>;
    type Group<M: ModeTree, B: Nat, E: Nat> = Invalid<ModeRange<GroupModes, B, E, M>>;
    type Enclose<L: ModeList, B: Nat, E: Nat> = L::FrontThen<B, Cons<Range<L, B, E>, L::Skip<E>>>;
    type Skip<N: Nat, H: ModeTree, T: ModeList> = T::Skip<N::Pred>;
    type FrontThen<N: Nat, Rest: ModeList, H: ModeTree, T: ModeList> =
        Cons<H, T::FrontThen<N::Pred, Rest>>;
}
impl RangeIf for Unknown {
    type Take<M: ModeTree, B: Nat, E: Nat> = Invalid<RunTimeLeaf>;
    type Group<M: ModeTree, B: Nat, E: Nat> = Invalid<RunTimeLeaf>;
    type Enclose<L: ModeList, B: Nat, E: Nat> = Invalid<RunTimeLeaf>;
    type Skip<N: Nat, H: ModeTree, T: ModeList> = Invalid<RunTimeLeaf>;
    type FrontThen<N: Nat, Rest: ModeList, H: ModeTree, T: ModeList> = Invalid<RunTimeLeaf>;
}
