//! `shape_div` at the type level.

use typenum::{B0, B1, UInt, UTerm};

use crate::types::core::invalid::{Invalid, Reason, ShapeDivRank, ShapeDivRemainder, ZeroExtent};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatRem, One};
use crate::types::core::symbolic::{Dyn, Expression, Symbolic};
use crate::types::core::ternary::{False, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// One integer by another.
type Quotient<A, B> =
    <<<A as Nat>::IsZero as Truth>::Or<<B as Nat>::IsZero> as ShapeDivIf>::Zero<A, B>;

/// `shape_div`, for a shape.
pub trait ShapeDivide {
    /// This shape divided by `D`.
    type DivideBy<D: Tree>: Tree;
    /// The integer `S` divided by this shape.
    type DivideInteger<S: Nat>: Tree;
    /// The tuple of `H` and `T` divided by this shape.
    type DivideTuple<H: Tree, T: TreeList>: Tree;
    /// `X`, if nothing in this shape is [`Invalid`].
    type Unless<X: Tree>: Tree;
}

/// [`ShapeDivide`] for a tuple, or the rest of one. `S0` and `D0` are the tuples that the walk
/// started from: what to report when the rank differs.
pub trait ShapeDivideList {
    /// This tuple divided by an integer, from left to right.
    type DivideListBy<N: Nat>: TreeList;
    /// This tuple divided by `D`, part by part.
    type DivideEachBy<D: TreeList, S0: Tree, D0: Tree>: TreeList;
    /// `H` and the tuple `T` divided by this tuple, part by part.
    type DivideEach<H: Tree, T: TreeList, S0: Tree, D0: Tree>: TreeList;
    /// Nothing divided by this tuple.
    type DivideNone<S0: Tree, D0: Tree>: TreeList;
}

macro_rules! leaf_divide {
    ($([$($generics:tt)*] $leaf:ty;)+) => {$(
        impl<$($generics)*> ShapeDivide for $leaf {
            type DivideBy<D: Tree> = D::DivideInteger<$leaf>;
            type DivideInteger<S: Nat> = Quotient<S, $leaf>;
            type DivideTuple<H: Tree, T: TreeList> =
                Cons<H::DivideBy<$leaf>, T::DivideListBy<NatCeilDiv<$leaf, H::Product>>>;
            type Unless<X: Tree> = X;
        }
    )+};
}
leaf_divide! {
    [] UTerm;
    [U: Nat] UInt<U, B0>;
    [U: Nat] UInt<U, B1>;
    [] Dyn;
    [E: Expression] Symbolic<E>;
}

impl ShapeDivide for Nil {
    type DivideBy<D: Tree> = Nil;
    type DivideInteger<S: Nat> = Nil;
    type DivideTuple<H: Tree, T: TreeList> = Invalid<ShapeDivRank<Cons<H, T>, Nil>>;
    type Unless<X: Tree> = X;
}
impl ShapeDivideList for Nil {
    type DivideListBy<N: Nat> = Nil;
    type DivideEachBy<D: TreeList, S0: Tree, D0: Tree> = D::DivideNone<S0, D0>;
    type DivideEach<H: Tree, T: TreeList, S0: Tree, D0: Tree> = Invalid<ShapeDivRank<S0, D0>>;
    type DivideNone<S0: Tree, D0: Tree> = Nil;
}

impl<H: Tree, T: TreeList> ShapeDivide for Cons<H, T> {
    type DivideBy<D: Tree> = D::DivideTuple<H, T>;
    type DivideInteger<S: Nat> =
        <Self as ShapeDivide>::Unless<Quotient<S, <Self as Tree>::Product>>;
    type DivideTuple<SH: Tree, ST: TreeList> =
        Cons<SH::DivideBy<H>, ST::DivideEachBy<T, Cons<SH, ST>, Self>>;
    type Unless<X: Tree> = H::Unless<T::Unless<X>>;
}
impl<H: Tree, T: TreeList> ShapeDivideList for Cons<H, T> {
    type DivideListBy<N: Nat> = Cons<H::DivideBy<N>, T::DivideListBy<NatCeilDiv<N, H::Product>>>;
    type DivideEachBy<D: TreeList, S0: Tree, D0: Tree> = D::DivideEach<H, T, S0, D0>;
    type DivideEach<SH: Tree, ST: TreeList, S0: Tree, D0: Tree> =
        Cons<SH::DivideBy<H>, ST::DivideEachBy<T, S0, D0>>;
    type DivideNone<S0: Tree, D0: Tree> = Invalid<ShapeDivRank<S0, D0>>;
}

impl<R: Reason> ShapeDivide for Invalid<R> {
    type DivideBy<D: Tree> = Self;
    type DivideInteger<S: Nat> = Self;
    type DivideTuple<H: Tree, T: TreeList> = Self;
    type Unless<X: Tree> = Self;
}
impl<R: Reason> ShapeDivideList for Invalid<R> {
    type DivideListBy<N: Nat> = Self;
    type DivideEachBy<D: TreeList, S0: Tree, D0: Tree> = Self;
    type DivideEach<H: Tree, T: TreeList, S0: Tree, D0: Tree> = Self;
    type DivideNone<S0: Tree, D0: Tree> = Self;
}

/// The branches of the division of integers.
pub trait ShapeDivIf {
    /// `self`: one of them is 0.
    type Zero<A: Nat, B: Nat>: Tree;
    /// `self`: `B` divides `A`.
    type Divides<A: Nat, B: Nat>: Tree;
    /// `self`: `A` divides `B`.
    type Divided<A: Nat, B: Nat>: Tree;
}

impl ShapeDivIf for True {
    type Zero<A: Nat, B: Nat> = Invalid<ZeroExtent>;
    type Divides<A: Nat, B: Nat> = NatDiv<A, B>;
    type Divided<A: Nat, B: Nat> = One;
}

impl ShapeDivIf for False {
    type Zero<A: Nat, B: Nat> = <<NatRem<A, B> as Nat>::IsZero as ShapeDivIf>::Divides<A, B>;
    type Divides<A: Nat, B: Nat> = <<NatRem<B, A> as Nat>::IsZero as ShapeDivIf>::Divided<A, B>;
    type Divided<A: Nat, B: Nat> = Invalid<ShapeDivRemainder<A, B>>;
}

// Both quotients that there can be are this one.
impl ShapeDivIf for Unknown {
    type Zero<A: Nat, B: Nat> = NatCeilDiv<A, B>;
    type Divides<A: Nat, B: Nat> = NatCeilDiv<A, B>;
    type Divided<A: Nat, B: Nat> = NatCeilDiv<A, B>;
}
