//! `Nat`: the integers at the leaves of a shape or a stride, and arithmetic on them.
//!
//! The integers are typenum's own `UInt`/`UTerm`, so `L::Size: Unsigned` and
//! `GenericArray<T, L::Size>` hold. The arithmetic is our own: every function is an associated type
//! that exists for all arguments. So no where-clauses are needed, and the compiler needs a third of
//! the time of typenum's operator traits.

use core::fmt::Debug;
use core::hash::Hash;

use typenum::{B0, B1, UInt, UTerm};

use crate::types::core::closed::ClosedDivision;
use crate::types::core::invalid::{Invalid, ZeroExtent};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::sealed::Sealed;
use crate::types::core::symbolic::{Expression, Variables};
use crate::types::core::ternary::{Equal, False, Greater, Less, Order, True, Truth};
use crate::types::core::tree::Tree;

/// A leaf of a shape or a stride: a typenum unsigned integer (`U4`) or [`Dyn`](crate::types::Dyn).
///
/// Results have no leading zeros: they are the types that typenum itself would give.
///
/// ```
/// use static_layout::types::{Nat, NatDiv, NatMul};
/// use static_layout::typenum::{U3, U4, U12, U14, assert_type_eq};
/// assert_type_eq!(NatMul<U3, U4>, U12);
/// assert_type_eq!(NatDiv<U14, U4>, U3);
/// assert_eq!(<U14 as Nat>::VALUE, Some(14));
/// ```
#[diagnostic::on_unimplemented(
    message = "a leaf of a layout must be a typenum unsigned integer or `Dyn`",
    label = "not an integer type"
)]
pub trait Nat: Sealed + Surplus + Tree + Copy + Default + Send + Sync + 'static {
    /// The integer; `None` for a run-time one. Beyond `usize` it is `usize::MAX`, which is not valid
    /// in a layout.
    const VALUE: Option<usize>;
    /// The stored value: `()`, or a `usize` for [`Dyn`](crate::types::Dyn).
    type Value: Copy + Default + Eq + Hash + Debug + Send + Sync + 'static;
    /// The integer, from the stored value.
    #[doc(hidden)]
    fn get(value: Self::Value) -> usize;
    /// The stored value of this integer.
    #[doc(hidden)]
    fn put(value: usize) -> Self::Value;
    /// `n + 1`.
    type Succ: Nat;
    /// `n - 1`, and 0 for 0.
    type Pred: Nat;
    /// `2 n`.
    type Double: Nat;
    /// `n + m`.
    type Add<M: Nat>: Nat;
    /// `n - m`; meaningless if `m` is larger.
    type Sub<M: Nat>: Nat;
    /// `n * m`.
    type Mul<M: Nat>: Nat;
    /// How `n` compares with `m`.
    type Compare<M: Nat>: Order;
    /// Quotient and remainder of `m / n`; meaningless if `n` is 0. For an even divisor both are
    /// halved first.
    type Divide<M: Nat>: Division;
    /// Whether it is 0.
    type IsZero: Truth;
    /// Whether it is 1.
    type IsOne: Truth;

    /// Second halves of the binary operations: `self` is the right operand, and the left operand is
    /// `2 V` (`B0`) or `2 V + 1` (`B1`).
    #[doc(hidden)]
    type AddB0<V: Nat>: Nat;
    #[doc(hidden)]
    type AddB1<V: Nat>: Nat;
    #[doc(hidden)]
    type SubFromB0<V: Nat>: Nat;
    #[doc(hidden)]
    type SubFromB1<V: Nat>: Nat;
    #[doc(hidden)]
    type CompareZero: Order;
    #[doc(hidden)]
    type CompareB0<V: Nat>: Order;
    #[doc(hidden)]
    type CompareB1<V: Nat>: Order;

    /// `self / (2 V)`.
    #[doc(hidden)]
    type DivEven<V: Nat>: Division;
    /// `N / (2 self + 1)`.
    #[doc(hidden)]
    type DivideOdd<N: Nat>: Division;
    /// Long division by `D`, from the highest bit on.
    #[doc(hidden)]
    type DivLong<D: Nat>: Division;
    /// The number of bits by which `self` is longer than `D`.
    #[doc(hidden)]
    type Surplus<D: Nat>: Surplus;
    /// The number of bits by which `2 N`, or `2 N + 1`, is longer than `self`.
    #[doc(hidden)]
    type SurplusOf<N: Nat>: Surplus;
    /// `self / D`, where `self` is longer than `D` by `M` plus one bits.
    #[doc(hidden)]
    type DivNext<M: Surplus, D: Nat>: Division;

    /// The mode with this extent and a stride.
    #[doc(hidden)]
    type Mode<Stride: Nat>: ModeTree;

    /// The smaller of `n` and `m`. One of them is a run-time integer.
    #[doc(hidden)]
    type MinAtRunTime<M: Nat>: Nat;
    /// The quotient `Q` of a division that leaves this remainder, rounded up.
    #[doc(hidden)]
    type RoundUp<Q: Nat>: Nat;
    /// The run-time integer that `E` names, if this is [`Dyn`](crate::types::Dyn).
    #[doc(hidden)]
    type Named<E: Expression>: Nat;
    /// The integer, with [`Symbolic`](crate::types::core::symbolic::Symbolic) ones evaluated from
    /// the leaves that they name; `None` if it is not known or does not fit.
    #[doc(hidden)]
    #[inline]
    fn evaluate(_: &Variables) -> Option<usize> {
        Self::VALUE
    }
}

/// `A + B`.
pub type NatAdd<A, B> = <A as Nat>::Add<B>;
/// `A - B`.
pub type NatSub<A, B> = <A as Nat>::Sub<B>;
/// `A * B`.
pub type NatMul<A, B> = <A as Nat>::Mul<B>;
/// Quotient and remainder of `A / B`.
pub(crate) type DivRem<A, B> = <B as Nat>::Divide<A>;
/// `A / B`, rounded down.
pub type NatDiv<A, B> = <DivRem<A, B> as Division>::Quotient;
/// `A / B`, rounded up.
pub type NatCeilDiv<A, B> = <DivRem<A, B> as Division>::Ceiling;
/// `A % B`.
pub type NatRem<A, B> = <DivRem<A, B> as Division>::Remainder;
/// The smaller of `A` and `B`.
pub type NatMin<A, B> = <<A as Nat>::Compare<B> as Order>::Min<A, B>;

/// The larger of `A` and `B`.
pub(crate) type NatMax<A, B> = NatSub<NatAdd<A, B>, NatMin<A, B>>;

/// The integer 1.
pub(crate) type One = UInt<UTerm, B1>;

const fn doubled(half: Option<usize>, bit: usize) -> Option<usize> {
    match half {
        Some(half) => Some(half.saturating_mul(2).saturating_add(bit)),
        None => None,
    }
}

impl Nat for UTerm {
    const VALUE: Option<usize> = Some(0);
    type Value = ();
    fn get((): ()) -> usize {
        0
    }
    fn put(_: usize) {}
    type Succ = One;
    type Pred = UTerm;
    type Double = UTerm;
    type Add<M: Nat> = M;
    type AddB0<V: Nat> = UInt<V, B0>;
    type AddB1<V: Nat> = UInt<V, B1>;
    type Sub<M: Nat> = UTerm;
    type SubFromB0<V: Nat> = UInt<V, B0>;
    type SubFromB1<V: Nat> = UInt<V, B1>;
    type Mul<M: Nat> = UTerm;
    type Compare<M: Nat> = M::CompareZero;
    type CompareZero = Equal;
    type CompareB0<V: Nat> = Greater;
    type CompareB1<V: Nat> = Greater;
    type Divide<N: Nat> = QuotRem<UTerm, UTerm>;
    type DivEven<V: Nat> = QuotRem<UTerm, UTerm>;
    type DivideOdd<N: Nat> = QuotRem<N, UTerm>;
    type DivLong<D: Nat> = QuotRem<UTerm, UTerm>;
    type Surplus<D: Nat> = NotLonger;
    type SurplusOf<N: Nat> = N;
    // Unreachable: there is at least one bit.
    type DivNext<M: Surplus, D: Nat> = QuotRem<UTerm, UTerm>;
    type IsZero = True;
    type IsOne = False;
    type Mode<Stride: Nat> = Invalid<ZeroExtent>;
    type MinAtRunTime<M: Nat> = M::MinAtRunTime<Self>;
    type RoundUp<Q: Nat> = Q;
    type Named<E: Expression> = Self;
}

impl<U: Nat> Nat for UInt<U, B0> {
    const VALUE: Option<usize> = doubled(U::VALUE, 0);
    type Value = ();
    #[inline(always)]
    fn get((): ()) -> usize {
        const { Self::VALUE.unwrap() }
    }
    fn put(_: usize) {}
    type Succ = UInt<U, B1>;
    type Pred = UInt<U::Pred, B1>;
    type Double = UInt<Self, B0>;
    type Add<M: Nat> = M::AddB0<U>;
    type AddB0<V: Nat> = UInt<V::Add<U>, B0>;
    type AddB1<V: Nat> = UInt<V::Add<U>, B1>;
    type Sub<M: Nat> = M::SubFromB0<U>;
    type SubFromB0<V: Nat> = <V::Sub<U> as Nat>::Double;
    type SubFromB1<V: Nat> = UInt<V::Sub<U>, B1>;
    type Mul<M: Nat> = <U::Mul<M> as Nat>::Double;
    type Compare<M: Nat> = M::CompareB0<U>;
    type CompareZero = Less;
    type CompareB0<V: Nat> = V::Compare<U>;
    type CompareB1<V: Nat> = <V::Compare<U> as Order>::Then<Greater>;
    type Divide<N: Nat> = N::DivEven<U>;
    type DivEven<V: Nat> = <V::Divide<U> as Division>::LowestB0;
    type DivideOdd<N: Nat> = N::DivLong<UInt<Self, B1>>;
    type DivLong<D: Nat> = <<Self as Nat>::Surplus<D> as Surplus>::LongDivide<Self, D>;
    type Surplus<D: Nat> = D::SurplusOf<U>;
    type SurplusOf<N: Nat> = N::Surplus<U>;
    type DivNext<M: Surplus, D: Nat> = <M::LongDivide<U, D> as Division>::NextB0<D>;
    type IsZero = False;
    type IsOne = False;
    type Mode<Stride: Nat> = Mode<Self, Stride>;
    type MinAtRunTime<M: Nat> = M::MinAtRunTime<Self>;
    type RoundUp<Q: Nat> = Q::Succ;
    type Named<E: Expression> = Self;
}

impl<U: Nat> Nat for UInt<U, B1> {
    const VALUE: Option<usize> = doubled(U::VALUE, 1);
    type Value = ();
    #[inline(always)]
    fn get((): ()) -> usize {
        const { Self::VALUE.unwrap() }
    }
    fn put(_: usize) {}
    type Succ = UInt<U::Succ, B0>;
    type Pred = U::Double;
    type Double = UInt<Self, B0>;
    type Add<M: Nat> = M::AddB1<U>;
    type AddB0<V: Nat> = UInt<V::Add<U>, B1>;
    type AddB1<V: Nat> = UInt<<V::Add<U> as Nat>::Succ, B0>;
    type Sub<M: Nat> = M::SubFromB1<U>;
    type SubFromB0<V: Nat> = UInt<<V::Sub<U> as Nat>::Pred, B1>;
    type SubFromB1<V: Nat> = <V::Sub<U> as Nat>::Double;
    type Mul<M: Nat> = <<U::Mul<M> as Nat>::Double as Nat>::Add<M>;
    type Compare<M: Nat> = M::CompareB1<U>;
    type CompareZero = Less;
    type CompareB0<V: Nat> = <V::Compare<U> as Order>::Then<Less>;
    type CompareB1<V: Nat> = V::Compare<U>;
    type Divide<N: Nat> = U::DivideOdd<N>;
    type DivEven<V: Nat> = <V::Divide<U> as Division>::LowestB1;
    type DivideOdd<N: Nat> = N::DivLong<UInt<Self, B1>>;
    type DivLong<D: Nat> = <<Self as Nat>::Surplus<D> as Surplus>::LongDivide<Self, D>;
    type Surplus<D: Nat> = D::SurplusOf<U>;
    type SurplusOf<N: Nat> = N::Surplus<U>;
    type DivNext<M: Surplus, D: Nat> = <M::LongDivide<U, D> as Division>::NextB1<D>;
    type IsZero = False;
    type IsOne = U::IsZero;
    type Mode<Stride: Nat> = Mode<Self, Stride>;
    type MinAtRunTime<M: Nat> = M::MinAtRunTime<Self>;
    type RoundUp<Q: Nat> = Q::Succ;
    type Named<E: Expression> = Self;
}

/// A quotient and a remainder.
#[derive(Debug)]
pub struct QuotRem<Q, R>(core::marker::PhantomData<(Q, R)>);

/// The result of [`Nat::Divide`]: a [`QuotRem`].
pub trait Division: ClosedDivision + 'static {
    /// The quotient, rounded down.
    type Quotient: Nat;
    /// The remainder.
    type Remainder: Nat;
    /// The quotient, rounded up.
    type Ceiling: Nat;
    /// The division of twice the dividend by twice the divisor.
    #[doc(hidden)]
    type LowestB0: Division;
    /// The division of twice the dividend, and 1, by twice the divisor.
    #[doc(hidden)]
    type LowestB1: Division;
    /// The division of the dividend with a further bit 0 on its right.
    #[doc(hidden)]
    type NextB0<D: Nat>: Division;
    /// The division of the dividend with a further bit 1 on its right.
    #[doc(hidden)]
    type NextB1<D: Nat>: Division;
}

impl<Q: Nat, R: Nat> Division for QuotRem<Q, R> {
    type Quotient = Q;
    type Remainder = R;
    type Ceiling = R::RoundUp<Q>;
    type LowestB0 = QuotRem<Q, R::Double>;
    type LowestB1 = QuotRem<Q, UInt<R, B1>>;
    type NextB0<D: Nat> = <<R::Double as Nat>::Compare<D> as Order>::Divide<Q, R::Double, D>;
    type NextB1<D: Nat> = <<UInt<R, B1> as Nat>::Compare<D> as Order>::Divide<Q, UInt<R, B1>, D>;
}

/// By how many bits an integer is longer than another: an integer with one bit more, or
/// [`NotLonger`].
pub trait Surplus: 'static {
    /// `N / D`, where `N` is longer than `D` by this.
    type LongDivide<N: Nat, D: Nat>: Division;
}

/// The integer is not longer.
#[derive(Debug)]
pub enum NotLonger {}

impl Surplus for NotLonger {
    type LongDivide<N: Nat, D: Nat> = <N::Compare<D> as Order>::Divide<UTerm, N, D>;
}
impl Surplus for UTerm {
    type LongDivide<N: Nat, D: Nat> = N::DivNext<NotLonger, D>;
}
impl<M: Nat, B: 'static> Surplus for UInt<M, B> {
    type LongDivide<N: Nat, D: Nat> = N::DivNext<M, D>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Dyn;
    use typenum::consts::*;

    /// Every operation on a pair of small integers, compared with `usize`.
    fn agrees<A: Nat, B: Nat>() {
        let (a, b) = (A::VALUE.unwrap(), B::VALUE.unwrap());
        assert_eq!(NatAdd::<A, B>::VALUE, Some(a + b), "{a} + {b}");
        assert_eq!(NatMul::<A, B>::VALUE, Some(a.saturating_mul(b)), "{a} * {b}");
        assert_eq!(NatMin::<A, B>::VALUE, Some(a.min(b)), "min({a}, {b})");
        assert_eq!(NatMax::<A, B>::VALUE, Some(a.max(b)), "max({a}, {b})");
        assert_eq!(A::Succ::VALUE, Some(a + 1));
        assert_eq!(A::Pred::VALUE, Some(a.saturating_sub(1)));
        if a >= b {
            assert_eq!(NatSub::<A, B>::VALUE, Some(a - b), "{a} - {b}");
        }
        if b > 0 {
            assert_eq!(NatDiv::<A, B>::VALUE, a.checked_div(b), "{a} / {b}");
            assert_eq!(NatRem::<A, B>::VALUE, a.checked_rem(b), "{a} % {b}");
            assert_eq!(NatCeilDiv::<A, B>::VALUE, Some(a.div_ceil(b)), "ceil({a} / {b})");
        }
    }

    macro_rules! all_pairs {
        ([$($a:ident)+] $b:tt) => { $(all_pairs!(@ $a $b);)+ };
        (@ $a:ident [$($b:ident)+]) => { $(agrees::<$a, $b>();)+ };
    }

    #[test]
    fn arithmetic_is_that_of_usize() {
        all_pairs!(
            [U0 U1 U2 U3 U4 U5 U6 U7 U8 U9 U10 U11 U12 U13 U14 U15 U16 U17 U18 U19 U20 U21 U22 U23]
            [U0 U1 U2 U3 U4 U5 U6 U7 U8 U9 U10 U11 U12 U13 U14 U15 U16 U17 U18 U19 U20 U21 U22 U23]
        );
        all_pairs!(
            [U1024 U1000 U4096 U65536 U1000000]
            [U1 U3 U10 U1000 U1024]
        );
        #[cfg(target_pointer_width = "64")]
        all_pairs!([U1073741824 U1000000000000000000] [U1 U3 U10 U1000 U1024]);
    }

    /// A type equals typenum's own only in normal form, without leading zeros.
    #[test]
    fn results_are_in_normal_form() {
        typenum::assert_type_eq!(NatSub<U16, U16>, U0);
        typenum::assert_type_eq!(NatSub<U17, U16>, U1);
        typenum::assert_type_eq!(NatRem<U17, U16>, U1);
        typenum::assert_type_eq!(NatDiv<U15, U16>, U0);
        typenum::assert_type_eq!(<U16 as Nat>::Pred, U15);
        typenum::assert_type_eq!(<U1 as Nat>::Pred, U0);
        typenum::assert_type_eq!(NatMul<U16, U0>, U0);
        typenum::assert_type_eq!(NatMul<U0, U16>, U0);
    }

    #[test]
    fn a_run_time_integer_absorbs() {
        typenum::assert_type_eq!(NatAdd<Dyn, U4>, Dyn);
        typenum::assert_type_eq!(NatAdd<U4, Dyn>, Dyn);
        typenum::assert_type_eq!(NatMul<U4, Dyn>, Dyn);
        typenum::assert_type_eq!(NatDiv<U4, Dyn>, Dyn);
        assert_eq!(Dyn::VALUE, None);
    }
}
