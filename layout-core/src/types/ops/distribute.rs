//! `domain_distribute` at the type level.

use crate::types::api::tiler::TiledTree;
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::gcd::Gcd;
use crate::types::core::invalid::{Invalid, Reason, RunTimeLeaf, ZeroExtent};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatDiv, NatMul, One};
use crate::types::core::ternary::{False, True, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, Zip};
use crate::types::ops::coalesce::CoalesceList;

/// A layout of coordinates of the shape `S`, of a size that divides `N`.
pub(crate) type Distributed<S, N> = <<N as Nat>::IsZero as DistributeIf>::Number<S, N>;
/// The leaves of the shape `S`; their strides mean nothing.
type ShapeLeaves<S> = Leaves<Zip<S, S>>;

/// `domain_distribute`, for a list of leaves.
pub trait DistributeList {
    /// For each extent as much of `N` as divides it; the first leaf has the step `P`.
    type Distribute<N: Nat, P: Nat>: FlatList;
}

impl DistributeList for Nil {
    type Distribute<N: Nat, P: Nat> = Nil;
}

impl<S: Nat, D: Nat, T: FlatList> DistributeList for Cons<Mode<S, D>, T> {
    type Distribute<N: Nat, P: Nat> = <S::IsZero as DistributeIf>::Leaf<S, N, P, T>;
}

impl<R: Reason> DistributeList for Invalid<R> {
    type Distribute<N: Nat, P: Nat> = Self;
}

/// The branches of `domain_distribute`.
pub trait DistributeIf {
    /// `self`: `N` is 0.
    type Number<S: Tree, N: Nat>: ModeTree;
    /// `self`: the extent `S` is 0. What it takes of `N`, before the leaves `T`.
    type Leaf<S: Nat, N: Nat, P: Nat, T: FlatList>: FlatList;
}

impl DistributeIf for True {
    type Number<S: Tree, N: Nat> = <Zip<S, S> as TiledTree>::Guard<Invalid<ZeroExtent>>;
    type Leaf<S: Nat, N: Nat, P: Nat, T: FlatList> = Invalid<ZeroExtent>;
}

impl DistributeIf for False {
    type Number<S: Tree, N: Nat> = <<<ShapeLeaves<S> as DistributeList>::Distribute<N, One> as CoalesceList>::Coalesce as FlatList>::Unwrap;
    type Leaf<S: Nat, N: Nat, P: Nat, T: FlatList> =
        <T::Distribute<NatDiv<N, Gcd<S, N>>, NatMul<P, S>> as FlatList>::Push<Gcd<S, N>, P>;
}

impl DistributeIf for Unknown {
    type Number<S: Tree, N: Nat> = Invalid<RunTimeLeaf>;
    type Leaf<S: Nat, N: Nat, P: Nat, T: FlatList> = Invalid<RunTimeLeaf>;
}
