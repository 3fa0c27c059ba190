//! `upcast`, `downcast` and `recast` at the type level.
//!
//! A stride that is known at run time only is taken for a multiple of the factor, and for another
//! one than 1, as in CuTe.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::types::api::tiler::TiledTree;
use crate::types::core::gcd::Gcd;
use crate::types::core::invalid::{
    DowncastChoice, DowncastGap, Invalid, RunTimeLeaf, UpcastCarry, UpcastStride, ZeroFactor,
};
use crate::types::core::leafwise::{LeafMap, LeafNumber, Leafwise};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatMul, NatRem, One};
use crate::types::core::ternary::{False, Order, True, Truth, Unknown};

/// The modes `M` in elements of `N` old ones.
pub(crate) type UpcastModes<M, N> = <<N as Nat>::IsZero as RecastIf>::Upcast<M, N>;
/// The modes `M` in elements of which an old one has `N`.
pub(crate) type DowncastModes<M, N> = <<N as Nat>::IsZero as RecastIf>::Downcast<M, N>;
/// The modes `M` of elements of `O` bits in elements of `N` bits.
pub(crate) type RecastModes<M, O, N> =
    <<<O as Nat>::IsZero as Truth>::Or<<N as Nat>::IsZero> as RecastIf>::Recast<M, O, N>;

/// What has a factor.
pub trait Cast: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
}

/// `upcast` by `N`, of a leaf; as a number, how far its offsets reach into one new element.
#[derive(Debug)]
pub struct UpcastBy<N>(PhantomData<N>);
/// `downcast` by `N`, of a leaf; as a number, whether its stride is 1.
#[derive(Debug)]
pub struct DowncastBy<N>(PhantomData<N>);
/// `recast`.
#[derive(Debug)]
pub enum Recasting {}

impl<N: Nat> Cast for UpcastBy<N> {
    const NAME: &'static str = "upcast";
}
impl<N: Nat> Cast for DowncastBy<N> {
    const NAME: &'static str = "downcast";
}
impl Cast for Recasting {
    const NAME: &'static str = "recast";
}

impl<N: Nat> LeafMap for UpcastBy<N> {
    type Leaf<S: Nat, D: Nat> = <<NatRem<D, N> as Nat>::IsZero as RecastIf>::Multiple<S, D, N>;
}
impl<N: Nat> LeafNumber for UpcastBy<N> {
    type Leaf<S: Nat, D: Nat> = <<NatRem<D, N> as Nat>::IsZero as RecastIf>::Reach<S, D, N>;
}

impl<N: Nat> LeafMap for DowncastBy<N> {
    type Leaf<S: Nat, D: Nat> = <D::IsOne as RecastIf>::Unit<S, D, N>;
}
impl<N: Nat> LeafNumber for DowncastBy<N> {
    type Leaf<S: Nat, D: Nat> = <D::IsOne as RecastIf>::Units<D>;
}

/// The branches of all three.
pub trait RecastIf {
    /// `self`: the factor `N` is 0.
    type Upcast<M: ModeTree, N: Nat>: ModeTree;
    /// `self`: the stride `D` is a multiple of the factor `N`.
    type Multiple<S: Nat, D: Nat, N: Nat>: ModeTree;
    /// `self`: the stride `D` is a multiple of the factor `N`.
    type Reach<S: Nat, D: Nat, N: Nat>: Nat;
    /// `self`: the stride `D` divides the factor `N`.
    type Divisor<S: Nat, D: Nat, N: Nat>: ModeTree;
    /// `self`: the reach `R` of all leaves into one new element leaves it. `M` is the result.
    type Carries<M: ModeTree, R: Nat, N: Nat>: ModeTree;
    /// `self`: the factor `N` is 0.
    type Downcast<M: ModeTree, N: Nat>: ModeTree;
    /// `self`: the stride `D` is 1.
    type Unit<S: Nat, D: Nat, N: Nat>: ModeTree;
    /// `self`: the stride `D` is 1. The number of leaves of stride 1 that this leaf is.
    type Units<D: Nat>: Nat;
    /// `self`: `Units`, the number of leaves of stride 1, is 0.
    type NoUnit<M: ModeTree, Units: Nat, N: Nat>: ModeTree;
    /// `self`: there is one leaf of stride 1.
    type OneUnit<M: ModeTree, N: Nat>: ModeTree;
    /// `self`: one of the numbers of bits is 0.
    type Recast<M: ModeTree, O: Nat, N: Nat>: ModeTree;
    /// `self`: the factor `N` is 1.
    type Up<M: ModeTree, N: Nat>: ModeTree;
    /// `self`: the factor `N` is 1.
    type Down<M: ModeTree, N: Nat>: ModeTree;
}

/// The reach of the modes `M` into one of the new elements of `N` old ones.
type ReachOf<M, N> = <M as Leafwise>::Sum<UpcastBy<N>>;
/// The modes `M`, if they are, without a result.
type Refused<M, R> = <M as TiledTree>::Guard<Invalid<R>>;

impl RecastIf for True {
    type Upcast<M: ModeTree, N: Nat> = Refused<M, ZeroFactor<UpcastBy<N>>>;
    type Multiple<S: Nat, D: Nat, N: Nat> = Mode<S, NatDiv<D, N>>;
    type Reach<S: Nat, D: Nat, N: Nat> = UTerm;
    type Divisor<S: Nat, D: Nat, N: Nat> = Mode<NatCeilDiv<S, NatDiv<N, D>>, One>;
    type Carries<M: ModeTree, R: Nat, N: Nat> = Refused<M, UpcastCarry<N, R>>;
    type Downcast<M: ModeTree, N: Nat> = Refused<M, ZeroFactor<DowncastBy<N>>>;
    type Unit<S: Nat, D: Nat, N: Nat> = Mode<NatMul<S, N>, D>;
    type Units<D: Nat> = One;
    type NoUnit<M: ModeTree, Units: Nat, N: Nat> = Refused<M, DowncastGap<M>>;
    type OneUnit<M: ModeTree, N: Nat> = M::Map<DowncastBy<N>>;
    type Recast<M: ModeTree, O: Nat, N: Nat> = Refused<M, ZeroFactor<Recasting>>;
    type Up<M: ModeTree, N: Nat> = M;
    type Down<M: ModeTree, N: Nat> = M;
}

impl RecastIf for False {
    type Upcast<M: ModeTree, N: Nat> =
        <<<ReachOf<M, N> as Nat>::Compare<N> as Order>::IsAtLeast as RecastIf>::Carries<
            M::Map<UpcastBy<N>>,
            ReachOf<M, N>,
            N,
        >;
    type Multiple<S: Nat, D: Nat, N: Nat> =
        <<NatRem<N, D> as Nat>::IsZero as RecastIf>::Divisor<S, D, N>;
    type Reach<S: Nat, D: Nat, N: Nat> = NatMul<NatRem<S::Pred, NatDiv<N, D>>, D>;
    type Divisor<S: Nat, D: Nat, N: Nat> = Invalid<UpcastStride<D, N>>;
    type Carries<M: ModeTree, R: Nat, N: Nat> = M;
    type Downcast<M: ModeTree, N: Nat> =
        <<M::Sum<DowncastBy<N>> as Nat>::IsZero as RecastIf>::NoUnit<M, M::Sum<DowncastBy<N>>, N>;
    type Unit<S: Nat, D: Nat, N: Nat> = Mode<S, NatMul<D, N>>;
    type Units<D: Nat> = UTerm;
    type NoUnit<M: ModeTree, Units: Nat, N: Nat> = <Units::IsOne as RecastIf>::OneUnit<M, N>;
    type OneUnit<M: ModeTree, N: Nat> = Refused<M, DowncastChoice<M>>;
    type Recast<M: ModeTree, O: Nat, N: Nat> =
        <<NatDiv<O, Gcd<O, N>> as Nat>::IsOne as RecastIf>::Down<
            <<NatDiv<N, Gcd<O, N>> as Nat>::IsOne as RecastIf>::Up<M, NatDiv<N, Gcd<O, N>>>,
            NatDiv<O, Gcd<O, N>>,
        >;
    type Up<M: ModeTree, N: Nat> = UpcastModes<M, N>;
    type Down<M: ModeTree, N: Nat> = DowncastModes<M, N>;
}

impl RecastIf for Unknown {
    type Upcast<M: ModeTree, N: Nat> = Invalid<RunTimeLeaf>;
    type Multiple<S: Nat, D: Nat, N: Nat> = <True as RecastIf>::Multiple<S, D, N>;
    type Reach<S: Nat, D: Nat, N: Nat> = UTerm;
    type Divisor<S: Nat, D: Nat, N: Nat> = Invalid<RunTimeLeaf>;
    type Carries<M: ModeTree, R: Nat, N: Nat> = M;
    type Downcast<M: ModeTree, N: Nat> = Invalid<RunTimeLeaf>;
    type Unit<S: Nat, D: Nat, N: Nat> = <False as RecastIf>::Unit<S, D, N>;
    // Some number that is not known either.
    type Units<D: Nat> = D;
    type NoUnit<M: ModeTree, Units: Nat, N: Nat> = <Units::IsOne as RecastIf>::OneUnit<M, N>;
    type OneUnit<M: ModeTree, N: Nat> = M::Map<DowncastBy<N>>;
    type Recast<M: ModeTree, O: Nat, N: Nat> = Invalid<RunTimeLeaf>;
    type Up<M: ModeTree, N: Nat> = Invalid<RunTimeLeaf>;
    type Down<M: ModeTree, N: Nat> = Invalid<RunTimeLeaf>;
}
