//! `shape_div` at the type level.

use typenum::{B0, B1, UInt, UTerm};

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::invalid::{Invalid, ZeroExtent, number, reasons};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatRem, One};
use crate::types::core::symbolic::{Dyn, Expression, Symbolic};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::Truth;
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// One integer divided by another.
type Quotient<A, B> =
    <<<A as Nat>::IsZero as Truth>::Or<<B as Nat>::IsZero> as ShapeDivIf>::Zero<A, B>;

table! {
    /// `shape_div`, for a shape.
    trait ShapeDivide for [H: Tree, T: TreeList] Cons<H, T>;
    /// This shape divided by `D`.
    type DivideBy<D: Tree>: Tree { Nil => Nil, Cons => D::DivideTuple<H, T> }
    /// The integer `S` divided by this shape.
    type DivideInteger<S: Nat>: Tree {
        Nil => Nil,
        Cons => <Self as ShapeDivide>::IfValid<Quotient<S, <Self as Tree>::Product>>,
    }
    /// The tuple of `SH` and `ST` divided by this shape.
    type DivideTuple<SH: Tree, ST: TreeList>: Tree {
        Nil => Invalid<ShapeDivRank<Cons<SH, ST>, Nil>>,
        Cons => Cons<SH::DivideBy<H>, ST::DivideEachBy<T, Cons<SH, ST>, Self>>,
    }
    /// `X`, if nothing in this shape is [`Invalid`].
    type IfValid<X: Tree>: Tree { Nil => X, Cons => H::IfValid<T::IfValid<X>> }
}

table! {
    /// [`ShapeDivide`] for a tuple, or the rest of one. `S0` and `D0` are the tuples at the start of
    /// the walk, for the error if the rank differs.
    trait ShapeDivideList for [H: Tree, T: TreeList] Cons<H, T>;
    /// This tuple divided by an integer, from left to right.
    type DivideListBy<N: Nat>: TreeList {
        Nil => Nil,
        Cons => Cons<H::DivideBy<N>, T::DivideListBy<NatCeilDiv<N, H::Product>>>,
    }
    /// This tuple divided by `D`, part by part.
    type DivideEachBy<D: TreeList, S0: Tree, D0: Tree>: TreeList {
        Nil => D::DivideNone<S0, D0>,
        Cons => D::DivideEach<H, T, S0, D0>,
    }
    /// `SH` and the tuple `ST` divided by this tuple, part by part.
    type DivideEach<SH: Tree, ST: TreeList, S0: Tree, D0: Tree>: TreeList {
        Nil => Invalid<ShapeDivRank<S0, D0>>,
        Cons => Cons<SH::DivideBy<H>, ST::DivideEachBy<T, S0, D0>>,
    }
    /// The end of a tuple divided by this tuple.
    type DivideNone<S0: Tree, D0: Tree>: TreeList {
        Nil => Nil,
        Cons => Invalid<ShapeDivRank<S0, D0>>,
    }
}

macro_rules! leaf_divide {
    ($([$($generics:tt)*] $leaf:ty;)+) => {$(
        impl<$($generics)*> ShapeDivide for $leaf {
            type DivideBy<D: Tree> = D::DivideInteger<$leaf>;
            type DivideInteger<S: Nat> = Quotient<S, $leaf>;
            type DivideTuple<H: Tree, T: TreeList> =
                Cons<H::DivideBy<$leaf>, T::DivideListBy<NatCeilDiv<$leaf, H::Product>>>;
            type IfValid<X: Tree> = X;
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

decisions! {
    /// The branches of the division of integers. The two possible quotients agree in this form.
    trait ShapeDivIf;
    /// `self`: one of them is 0.
    type Zero<A: Nat, B: Nat>: Tree {
        True => Invalid<ZeroExtent>,
        False => <<NatRem<A, B> as Nat>::IsZero as ShapeDivIf>::Divides<A, B>,
        Unknown => NatCeilDiv<A, B>,
    }
    /// `self`: `B` divides `A`.
    type Divides<A: Nat, B: Nat>: Tree {
        True => NatDiv<A, B>,
        False => <<NatRem<B, A> as Nat>::IsZero as ShapeDivIf>::Divided<A, B>,
        Unknown => NatCeilDiv<A, B>,
    }
    /// `self`: `A` divides `B`.
    type Divided<A: Nat, B: Nat>: Tree {
        True => One,
        False => Invalid<ShapeDivRemainder<A, B>>,
        Unknown => NatCeilDiv<A, B>,
    }
}

reasons! {
    /// `shape_div`: tuples with different numbers of modes.
    ShapeDivRank<S: Tree, D: Tree> with dividend = S::TUPLE, with divisor = D::TUPLE,
        => LayoutError::Algebra(AlgebraError::ShapeDivRank { dividend, divisor }),
        else SameRank: "shape_div: the tuples have different numbers of modes",
        "this shape has no such quotient";
    /// `shape_div`: neither integer divides the other.
    ShapeDivRemainder<A: Nat, B: Nat> => LayoutError::Algebra(AlgebraError::ShapeDivRemainder {
            dividend: number::<A>(),
            divisor: number::<B>(),
        }),
        else Divides: "shape_div: neither integer divides the other",
        "this shape has no such quotient";
}
