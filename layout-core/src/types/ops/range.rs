//! `take` and `group` at the type level: ranges of modes; and lists of modes cut and joined.

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, Named, number, reasons};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatSub};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{Order, Truth};
use crate::types::core::tree::{Cons, Nil, Tree};

/// The number of modes: 1 for a leaf.
pub(crate) type Rank<M> = <<M as GuardTree>::Modes as ModeTree>::TupleRank;
/// The modes `[B, E)` of `M`.
pub(crate) type Taken<M, B, E> = <M as GuardTree>::Guard<
    <<IsGreater<E, B> as Truth>::And<IsAtLeast<Rank<M>, E>> as RangeIf>::Take<M, B, E>,
>;
/// The modes `M` with `[B, E)` as one mode.
pub(crate) type Grouped<M, B, E> = <M as GuardTree>::Guard<
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

table! {
    /// A list of modes, cut and joined. It was checked before that the list has enough modes.
    trait RangeList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The first mode.
    type Head: ModeTree { Nil => Nil, Cons => H }
    /// The modes from mode `N` on.
    type Skip<N: Nat>: ModeList { Nil => Nil, Cons => <N::IsZero as RangeIf>::Skip<N, H, T> }
    /// The first `N` modes, prepended to `Rest`.
    type FrontThen<N: Nat, Rest: ModeList>: ModeList {
        Nil => Rest,
        Cons => <N::IsZero as RangeIf>::FrontThen<N, Rest, H, T>,
    }
    /// All modes, prepended to `Rest`.
    type AllThen<Rest: ModeList>: ModeList { Nil => Rest, Cons => Cons<H, T::AllThen<Rest>> }
}

/// The modes `[B, E)` of the list `L`.
type Range<L, B, E> = <<L as RangeList>::Skip<B> as RangeList>::FrontThen<NatSub<E, B>, Nil>;

decisions! {
    /// The branches of `take` and `group`.
    trait RangeIf;
    /// `self`: the range is in `M`, and not empty.
    type Take<M: ModeTree, B: Nat, E: Nat>: ModeTree {
        True => Range<M::Modes, B, E>,
        False => Invalid<ModeRange<TakeModes, B, E, M>>,
    }
    /// `self`: the range is in `M`.
    type Group<M: ModeTree, B: Nat, E: Nat>: ModeTree {
        True => <<NatSub<E, B> as Nat>::IsZero as RangeIf>::Enclose<M::Modes, B, E>,
        False => Invalid<ModeRange<GroupModes, B, E, M>>,
    }
    /// `self`: the range is empty.
    type Enclose<L: ModeList, B: Nat, E: Nat>: ModeList {
        True => L,
        False => L::FrontThen<B, Cons<Range<L, B, E>, L::Skip<E>>>,
    }
    /// `self`: `N` is 0.
    type Skip<N: Nat, H: ModeTree, T: ModeList>: ModeList {
        True => Cons<H, T>,
        False => T::Skip<N::Pred>,
    }
    /// `self`: `N` is 0.
    type FrontThen<N: Nat, Rest: ModeList, H: ModeTree, T: ModeList>: ModeList {
        True => Rest,
        False => Cons<H, T::FrontThen<N::Pred, Rest>>,
    }
}

reasons! {
    /// The operation `O`: a range from `B` to `E` that the modes `M` do not have.
    ModeRange<O: Named, B: Nat, E: Nat, M: ModeTree> with shape = M::Shape::TUPLE,
        => LayoutError::Algebra(AlgebraError::ModeRange {
            operation: O::NAME,
            begin: number::<B>(),
            end: number::<E>(),
            shape,
        }),
        else HasRange: "this is not a range of the layout's modes",
        "a range that is empty, backwards, or goes beyond the last mode";
}
