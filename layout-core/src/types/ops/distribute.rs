//! `domain_distribute` at the type level.

use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, ZeroExtent};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatDiv, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::tree::{Cons, Nil, Tree, Zip};
use crate::types::ops::coalesce::CoalesceList;
use crate::types::ops::gcd::Gcd;

/// A layout of coordinates of the shape `S`, of a size that divides `N`.
pub(crate) type Distributed<S, N> = <<N as Nat>::IsZero as DistributeIf>::Number<S, N>;
/// The leaves of the result.
type DistributedLeaves<S, N> = <ShapeLeaves<S> as DistributeList>::Distribute<N, One>;
/// The leaves of the shape `S`; their strides are meaningless.
type ShapeLeaves<S> = Leaves<Zip<S, S>>;

table! {
    /// `domain_distribute`, for a list of leaves.
    trait DistributeList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// For each extent its greatest common divisor with the rest of `N`; the first leaf has the step
    /// `P`.
    type Distribute<N: Nat, P: Nat>: FlatList {
        Nil => Nil,
        Cons => <S::IsZero as DistributeIf>::Leaf<S, N, P, T>,
    }
}

decisions! {
    /// The branches of `domain_distribute`.
    trait DistributeIf;
    /// `self`: `N` is 0.
    type Number<S: Tree, N: Nat>: ModeTree {
        True => <Zip<S, S> as GuardTree>::Guard<Invalid<ZeroExtent>>,
        False => <<DistributedLeaves<S, N> as CoalesceList>::Coalesce as FlatList>::Unwrap,
    }
    /// `self`: the extent `S` is 0. The leaf of its part of `N`, and the leaves `T`.
    type Leaf<S: Nat, N: Nat, P: Nat, T: FlatList>: FlatList {
        True => Invalid<ZeroExtent>,
        False =>
            <T::Distribute<NatDiv<N, Gcd<S, N>>, NatMul<P, S>> as FlatList>::Push<Gcd<S, N>, P>,
    }
}
