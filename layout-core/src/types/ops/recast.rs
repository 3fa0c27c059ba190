//! `upcast`, `downcast` and `recast` at the type level.
//!
//! A stride that is only known at run time is assumed to be a multiple of the factor, and not 1, as
//! in CuTe.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, number, reasons};
use crate::types::core::leafwise::{LeafMap, LeafNumber, Leafwise};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatMul, NatRem, One};
use crate::types::core::table::decisions;
use crate::types::core::ternary::{False, Order, True, Truth};
use crate::types::core::tree::Tree;
use crate::types::ops::gcd::Gcd;

/// The modes `M` in elements that are `N` times as large.
pub(crate) type UpcastModes<M, N> = <<N as Nat>::IsZero as RecastIf>::Upcast<M, N>;
/// The modes `M` in elements that are smaller by `N`.
pub(crate) type DowncastModes<M, N> = <<N as Nat>::IsZero as RecastIf>::Downcast<M, N>;
/// The modes `M`, in elements of `O` bits, converted to elements of `N` bits.
pub(crate) type RecastModes<M, O, N> =
    <<<O as Nat>::IsZero as Truth>::Or<<N as Nat>::IsZero> as RecastIf>::Recast<M, O, N>;

/// An operation with a factor.
pub trait Cast: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
}

/// `upcast` by `N`, of a leaf. As a number: how far its offsets reach into one new element.
#[derive(Debug)]
pub struct UpcastBy<N>(PhantomData<N>);
/// `downcast` by `N`, of a leaf. As a number: whether its stride is 1.
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

decisions! {
    /// The branches of all three.
    trait RecastIf;
    /// `self`: the factor `N` is 0.
    type Upcast<M: ModeTree, N: Nat>: ModeTree {
        True => Refused<M, ZeroFactor<UpcastBy<N>>>,
        False => <<<ReachOf<M, N> as Nat>::Compare<N> as Order>::IsAtLeast as RecastIf>::Carries<
            M::Map<UpcastBy<N>>, ReachOf<M, N>, N,
        >,
    }
    /// `self`: the stride `D` is a multiple of the factor `N`.
    type Multiple<S: Nat, D: Nat, N: Nat>: ModeTree {
        True => Mode<S, NatDiv<D, N>>,
        False => <<NatRem<N, D> as Nat>::IsZero as RecastIf>::Divisor<S, D, N>,
        Unknown => <True as RecastIf>::Multiple<S, D, N>,
    }
    /// `self`: the stride `D` is a multiple of the factor `N`.
    type Reach<S: Nat, D: Nat, N: Nat>: Nat {
        True => UTerm,
        False => NatMul<NatRem<S::Pred, NatDiv<N, D>>, D>,
        Unknown => UTerm,
    }
    /// `self`: the stride `D` divides the factor `N`.
    type Divisor<S: Nat, D: Nat, N: Nat>: ModeTree {
        True => Mode<NatCeilDiv<S, NatDiv<N, D>>, One>,
        False => Invalid<UpcastStride<D, N>>,
    }
    /// `self`: the reach `R` of all leaves into one new element exceeds the element. `M` is the
    /// result.
    type Carries<M: ModeTree, R: Nat, N: Nat>: ModeTree {
        True => Refused<M, UpcastCarry<N, R>>,
        False => M,
        Unknown => M,
    }
    /// `self`: the factor `N` is 0.
    type Downcast<M: ModeTree, N: Nat>: ModeTree {
        True => Refused<M, ZeroFactor<DowncastBy<N>>>,
        False => <<M::Sum<DowncastBy<N>> as Nat>::IsZero as RecastIf>::NoUnit<
            M, M::Sum<DowncastBy<N>>, N,
        >,
    }
    /// `self`: the stride `D` is 1.
    type Unit<S: Nat, D: Nat, N: Nat>: ModeTree {
        True => Mode<NatMul<S, N>, D>,
        False => Mode<S, NatMul<D, N>>,
        Unknown => <False as RecastIf>::Unit<S, D, N>,
    }
    /// `self`: the stride `D` is 1. The contribution of this leaf to the number of leaves of stride
    /// 1.
    type Units<D: Nat>: Nat {
        True => One,
        False => UTerm,
        // Some number that is not known either.
        Unknown => D,
    }
    /// `self`: `Units`, the number of leaves of stride 1, is 0.
    type NoUnit<M: ModeTree, Units: Nat, N: Nat>: ModeTree {
        True => Refused<M, DowncastGap<M>>,
        False => <Units::IsOne as RecastIf>::OneUnit<M, N>,
        Unknown => <Units::IsOne as RecastIf>::OneUnit<M, N>,
    }
    /// `self`: there is one leaf of stride 1.
    type OneUnit<M: ModeTree, N: Nat>: ModeTree {
        True => M::Map<DowncastBy<N>>,
        False => Refused<M, DowncastChoice<M>>,
        Unknown => M::Map<DowncastBy<N>>,
    }
    /// `self`: one of the numbers of bits is 0.
    type Recast<M: ModeTree, O: Nat, N: Nat>: ModeTree {
        True => Refused<M, ZeroFactor<Recasting>>,
        False => <<NatDiv<O, Gcd<O, N>> as Nat>::IsOne as RecastIf>::Down<
            <<NatDiv<N, Gcd<O, N>> as Nat>::IsOne as RecastIf>::Up<M, NatDiv<N, Gcd<O, N>>>,
            NatDiv<O, Gcd<O, N>>,
        >,
    }
    /// `self`: the factor `N` is 1.
    type Up<M: ModeTree, N: Nat>: ModeTree { True => M, False => UpcastModes<M, N> }
    /// `self`: the factor `N` is 1.
    type Down<M: ModeTree, N: Nat>: ModeTree { True => M, False => DowncastModes<M, N> }
}

/// The reach of the modes `M` into one new element, which is `N` times as large.
type ReachOf<M, N> = <M as Leafwise>::Sum<UpcastBy<N>>;
/// The invalid result with reason `R`, unless the modes `M` are invalid already.
type Refused<M, R> = <M as GuardTree>::Guard<Invalid<R>>;

reasons! {
    /// `upcast(L, N)`: neither the stride nor the factor divides the other.
    UpcastStride<Stride: Nat, Factor: Nat> => LayoutError::Algebra(AlgebraError::UpcastStride {
            stride: number::<Stride>(),
            factor: number::<Factor>(),
        }),
        else HasUpcast: "upcast: neither the stride nor the factor divides the other",
        "a stride of this layout does not fit the factor";
    /// `upcast(L, N)`: modes that cross into the next element only together.
    UpcastCarry<Factor: Nat, Reach: Nat> => LayoutError::Algebra(AlgebraError::UpcastCarry {
            factor: number::<Factor>(),
            reach: number::<Reach>(),
        }),
        else UpcastsTogether: "upcast: the modes together reach beyond a new element",
        "this layout has no such upcast";
    /// `downcast(L, N)`: no stride of the modes `M` is 1.
    DowncastGap<M: ModeTree> with stride = M::Stride::TUPLE,
        => LayoutError::Algebra(AlgebraError::DowncastGap { stride }),
        else HasUnit: "downcast: no stride is 1",
        "one mode must step through neighbouring elements";
    /// `downcast(L, N)`: several strides of the modes `M` are 1.
    DowncastChoice<M: ModeTree> with stride = M::Stride::TUPLE,
        => LayoutError::Algebra(AlgebraError::DowncastChoice { stride }),
        else HasOneUnit: "downcast: more than one stride is 1",
        "give modes of extent 1 the stride 0";
    /// The operation `O` with a factor of 0.
    ZeroFactor<O: Cast> => LayoutError::Algebra(AlgebraError::ZeroFactor { operation: O::NAME }),
        else HasFactor: "the factor must not be 0",
        "a factor or a number of bits is 0";
}
