//! Run-time integers at the type level: `Dyn`, whose type carries no information, and `Symbolic`,
//! whose type tells how it is computed.
//!
//! The type of a mixed result has [`Dyn`] for every unknown number. To fill these numbers in, the
//! operation is evaluated on types a second time, with the run-time leaves of the operands named by
//! [`Extent`] and [`Stride`] variables: arithmetic then gives [`Expression`]s, which are evaluated.
//! A decision about either sort of integer is unknown, so both results have the same structure, and
//! one algebra serves static and mixed layouts.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt};

use crate::engine::MAX_LEAVES;
use crate::types::core::modes::Mode;
use crate::types::core::nat::{Division, Nat, NotLonger, One, Surplus};
use crate::types::core::sealed::Sealed;
use crate::types::core::ternary::{Truth, Unknown};

/// A run-time integer: a leaf of [`Mixed`](crate::types::Mixed), stored as a `usize`.
///
/// Arithmetic with it gives `Dyn`, and a decision about it is unknown.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Dyn;
impl Sealed for Dyn {}

/// A run-time integer with the expression for it.
#[derive(Debug)]
pub struct Symbolic<E>(PhantomData<fn() -> E>);
impl<E> Sealed for Symbolic<E> {}

impl<E> Clone for Symbolic<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Symbolic<E> {}
impl<E> Default for Symbolic<E> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// How a run-time integer is computed from the leaves of the operands.
pub trait Expression: 'static {
    /// The integer; `None` if it does not fit.
    fn evaluate(leaves: &Variables) -> Option<usize>;
}

/// The extents and the strides of the leaves of all operands with run-time leaves, concatenated.
#[derive(Debug)]
pub struct Variables {
    pub(crate) leaves: [[usize; Self::MAX]; 2],
    pub(crate) len: usize,
}

impl Variables {
    /// Operations have at most three operands.
    const MAX: usize = 3 * MAX_LEAVES;

    pub(crate) const NONE: Self = Self { leaves: [[0; Self::MAX]; 2], len: 0 };
}

macro_rules! expressions {
    ($($(#[$doc:meta])* $name:ident<$($operand:ident),+>: |$leaves:ident| $value:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<$($operand),+>(PhantomData<($($operand,)+)>);

        impl<$($operand: Nat),+> Expression for $name<$($operand),+> {
            #[inline]
            fn evaluate($leaves: &Variables) -> Option<usize> {
                $value
            }
        }
    )+};
}
expressions! {
    /// The extent of leaf `I`.
    Extent<I>: |leaves| leaves.leaves[0].get(I::VALUE?).copied();
    /// The stride of leaf `I`.
    Stride<I>: |leaves| leaves.leaves[1].get(I::VALUE?).copied();
    /// `A + B`.
    Plus<A, B>: |leaves| A::evaluate(leaves)?.checked_add(B::evaluate(leaves)?);
    /// `A - B`.
    Minus<A, B>: |leaves| A::evaluate(leaves)?.checked_sub(B::evaluate(leaves)?);
    /// `A - 1`, and 0 for 0.
    Predecessor<A>: |leaves| Some(A::evaluate(leaves)?.saturating_sub(1));
    /// `A * B`.
    Times<A, B>: |leaves| A::evaluate(leaves)?.checked_mul(B::evaluate(leaves)?);
    /// `A / B`, rounded down.
    Quotient<A, B>: |leaves| A::evaluate(leaves)?.checked_div(B::evaluate(leaves)?);
    /// `A % B`.
    Remainder<A, B>: |leaves| A::evaluate(leaves)?.checked_rem(B::evaluate(leaves)?);
    /// `A / B`, rounded up. The maximum for a `B` of 0, as a step of 0 never leaves an extent.
    CeilQuotient<A, B>: |leaves| Some(match B::evaluate(leaves)? {
        0 => usize::MAX,
        divisor => A::evaluate(leaves)?.div_ceil(divisor),
    });
    /// `Q`, plus 1 unless the remainder `R` is 0.
    RoundedUp<Q, R>: |leaves| {
        Q::evaluate(leaves)?.checked_add(usize::from(R::evaluate(leaves)? > 0))
    };
    /// The smaller of `A` and `B`.
    Minimum<A, B>: |leaves| Some(A::evaluate(leaves)?.min(B::evaluate(leaves)?));
}

/// [`Dyn`] or [`Symbolic`]: the sort of the results of arithmetic.
pub trait RunTime: 'static {
    /// The integer that is computed by `E`.
    type Of<E: Expression>: Nat;
}
impl RunTime for Dyn {
    type Of<E: Expression> = Dyn;
}
impl<E0: Expression> RunTime for Symbolic<E0> {
    type Of<E: Expression> = Symbolic<E>;
}
/// The integer that is computed by `E`, of the same sort as `R`.
type Computed<R, E> = <R as RunTime>::Of<E>;

macro_rules! run_time_nat {
    ($([$($generics:tt)*] $nat:ty: $value:ty, get $get:expr, put $put:expr, named $named:ty,
        |$leaves:ident| $evaluated:expr;)+) => {$(
        impl<$($generics)*> Nat for $nat {
            const VALUE: Option<usize> = None;
            type Value = $value;
            #[inline(always)]
            fn get(value: $value) -> usize {
                $get(value)
            }
            fn put(value: usize) -> $value {
                $put(value)
            }
            type Succ = Computed<Self, Plus<Self, One>>;
            type Pred = Computed<Self, Predecessor<Self>>;
            type Double = Computed<Self, Times<Self, UInt<One, B0>>>;
            type Add<M: Nat> = Computed<Self, Plus<Self, M>>;
            type AddB0<V: Nat> = Computed<Self, Plus<UInt<V, B0>, Self>>;
            type AddB1<V: Nat> = Computed<Self, Plus<UInt<V, B1>, Self>>;
            type Sub<M: Nat> = Computed<Self, Minus<Self, M>>;
            type SubFromB0<V: Nat> = Computed<Self, Minus<UInt<V, B0>, Self>>;
            type SubFromB1<V: Nat> = Computed<Self, Minus<UInt<V, B1>, Self>>;
            type Mul<M: Nat> = Computed<Self, Times<Self, M>>;
            type Compare<M: Nat> = Unknown;
            type CompareZero = Unknown;
            type CompareB0<V: Nat> = Unknown;
            type CompareB1<V: Nat> = Unknown;
            type MinAtRunTime<M: Nat> = Computed<Self, Minimum<Self, M>>;
            type Divide<N: Nat> = AtRunTime<Self, N, Self>;
            type DivEven<V: Nat> = AtRunTime<Self, Self, UInt<V, B0>>;
            type DivideOdd<N: Nat> = AtRunTime<Self, N, UInt<Self, B1>>;
            type DivLong<D: Nat> = AtRunTime<Self, Self, D>;
            // Long division is only used for two known integers.
            type Surplus<D: Nat> = NotLonger;
            type SurplusOf<N: Nat> = NotLonger;
            type DivNext<M: Surplus, D: Nat> = AtRunTime<Self, Self, D>;
            type RoundUp<Q: Nat> = Computed<Self, RoundedUp<Q, Self>>;
            type IsZero = Unknown;
            type IsOne = Unknown;
            type Mode<S: Nat> = Mode<Self, S>;
            type Named<E: Expression> = $named;
            fn evaluate($leaves: &Variables) -> Option<usize> {
                $evaluated
            }
        }
    )+};
}
run_time_nat! {
    [] Dyn: usize, get |n| n, put |n| n, named Symbolic<E>, |_leaves| None;
    [E0: Expression] Symbolic<E0>: (), get |()| 0, put |_| (), named Self,
        |leaves| E0::evaluate(leaves);
}

impl<R: RunTime> Surplus for R {
    type LongDivide<N: Nat, D: Nat> = AtRunTime<R, N, D>;
}

/// The division `N / D`. One of them is a run-time integer of the sort of `R`.
#[derive(Debug)]
pub struct AtRunTime<R, N, D>(PhantomData<(R, N, D)>);

impl<R: RunTime, N: Nat, D: Nat> Division for AtRunTime<R, N, D> {
    type Quotient = Computed<R, Quotient<N, D>>;
    type Remainder = Computed<R, Remainder<N, D>>;
    // One case is known: a single step into any extent is a single step.
    type Ceiling = <N::IsOne as Truth>::Choose<One, Computed<R, CeilQuotient<N, D>>>;
    type LowestB0 = Self;
    type LowestB1 = Self;
    type NextB0<E: Nat> = Self;
    type NextB1<E: Nat> = Self;
}
