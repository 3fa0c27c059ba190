//! `filter`, `filter_zeros` and `nullspace` at the type level.
//!
//! A stride that is only known at run time is assumed to be nonzero. That is valid for every value:
//! the leaf stays in `filter` and out of `nullspace`.

use typenum::UTerm;

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::leafwise::{LeafMap, Leafwise};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::Truth;
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::by_profile::{Each, OfModes};
use crate::types::ops::coalesce::Coalesced;

/// The modes `M` with extent 1 wherever the stride is 0.
pub(crate) type ZerosFiltered<M> = <M as Leafwise>::Map<FilterZero>;
/// The modes `M` without modes of stride 0, coalesced.
pub(crate) type Filtered<M> = Coalesced<ZerosFiltered<M>>;
/// The modes `M`, filtered at each leaf of the profile `P`.
pub(crate) type FilteredBy<M, P> = Each<FilterEach, P, M>;
/// The coordinates of the modes `M` that do not move the offset.
pub(crate) type NullspaceModes<M> =
    <<<Leaves<M> as ZeroStrideList>::ZeroStrides<One> as ZeroStrideList>::OrUnit as FlatList>::Unwrap;

/// Replaces the extent by 1 if the stride is 0.
#[derive(Debug)]
pub enum FilterZero {}

impl LeafMap for FilterZero {
    type Leaf<S: Nat, D: Nat> = Mode<<D::IsZero as Truth>::Choose<One, S>, D>;
}

/// `filter` by profile.
#[derive(Debug)]
pub enum FilterEach {}

impl OfModes for FilterEach {
    type Of<A: ModeTree> = Filtered<A>;
}

table! {
    /// `nullspace`, for a list of leaves.
    trait ZeroStrideList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// For each leaf of stride 0 the step of the 1-D coordinate that counts through it. The first
    /// leaf has the step `P`.
    type ZeroStrides<P: Nat>: FlatList {
        Nil => Nil,
        Cons => <D::IsZero as FilterIf>::ZeroStrides<S, P, T::ZeroStrides<NatMul<P, S>>>,
    }
    /// The list; `1:0` for an empty one.
    type OrUnit: FlatList { Nil => Cons<Mode<One, UTerm>, Nil>, Cons => Self }
}

decisions! {
    /// The branches of `nullspace`.
    trait FilterIf;
    /// `self`: the leaf with extent `S` and step `P` before `Rest` has stride 0.
    type ZeroStrides<S: Nat, P: Nat, Rest: FlatList>: FlatList {
        True => Rest::Push<S, <S::IsOne as Truth>::Choose<UTerm, P>>,
        False => Rest,
        Unknown => Rest,
    }
}
