//! `zip` at the type level: the two top levels of a layout transposed.

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, reasons};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::Order;
use crate::types::core::tree::{Cons, Nil, Tree};

/// The modes `M` transposed: mode `j` consists of the modes `j` of all modes.
pub(crate) type ZipOf<M> = <M as GuardTree>::Guard<<M as ZipTree>::Transposed>;
/// The modes of `A` and `B` in pairs.
pub(crate) type ZipWithOf<A, B> = <A as ZipTree>::Pairs<B>;

table! {
    /// `zip`, for a tree of modes: the whole, or one of its modes, which is a row.
    trait ZipTree for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The two top levels transposed.
    type Transposed: ModeTree { Leaf => Self, Nil => Nil, Cons => H::TransposedWith<T> }
    /// The same for this first mode and the modes `Rest` after it.
    type TransposedWith<Rest: ModeList>: ModeTree {
        Leaf => Cons<Cons<Self, Rest>, Nil>,
        Nil => Nil,
        Cons => Rest::IfRank<Self, <Self as ZipList>::Columns<Rest>>,
    }
    /// The modes of this row and of the row `B` in pairs.
    type Pairs<B: ModeTree>: ModeTree {
        Leaf => Cons<Cons<Self, Cons<B, Nil>>, Nil>,
        Nil => Nil,
        Cons => B::PairsAfter<H, T, Self>,
    }
    /// [`Pairs`](Self::Pairs) of the row `A`, which has the modes `H0` and `T0`, and of this one.
    type PairsAfter<H0: ModeTree, T0: ModeList, A: ModeTree>: ModeTree {
        Leaf => Invalid<ZipRank<A, Self>>,
        Nil => Invalid<ZipRank<A, Nil>>,
        Cons => Cons<Cons<H0, Cons<H, Nil>>, T0::PairList<T, A, Self>>,
    }
    /// The first mode of a row.
    type RowHead: ModeTree { Leaf => Self, Nil => Nil, Cons => H }
    /// The other modes of a row.
    type RowTail: ModeTree { Leaf => Self, Nil => Nil, Cons => T }
}

table! {
    /// `zip`, for a list of rows of equal rank.
    trait ZipList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// `M`, if all rows have the rank of the row `First`.
    type IfRank<First: ModeTree, M: ModeTree>: ModeTree {
        Nil => M,
        Cons => <<<First::TupleRank as Nat>::Compare<
            H::TupleRank,
        > as Order>::IsEqual as ZipIf>::IfRank<First, M, H, T>,
    }
    /// [`ZipTree::Pairs`] of the rests of the rows `A0` and `B0`.
    type PairList<B: ModeList, A0: ModeTree, B0: ModeTree>: ModeList {
        Nil => B::PairsEnd<A0, B0>,
        Cons => B::PairListAfter<H, T, A0, B0>,
    }
    /// The pairs of `H0` and `T0`, which are the rest of `A0`, with this rest of `B0`.
    type PairListAfter<H0: ModeTree, T0: ModeList, A0: ModeTree, B0: ModeTree>: ModeList {
        Nil => Invalid<ZipRank<A0, B0>>,
        Cons => Cons<Cons<H0, Cons<H, Nil>>, T0::PairList<T, A0, B0>>,
    }
    /// The end of the pairs, if this rest of `B0` ends where `A0` does.
    type PairsEnd<A0: ModeTree, B0: ModeTree>: ModeList {
        Nil => Nil,
        Cons => Invalid<ZipRank<A0, B0>>,
    }
    /// The first mode of each row.
    type Heads: ModeList { Nil => Nil, Cons => Cons<H::RowHead, T::Heads> }
    /// The rows without their first mode.
    type Tails: ModeList { Nil => Nil, Cons => Cons<H::RowTail, T::Tails> }
    /// The columns of this row and of the rows `Rest`.
    type Columns<Rest: ModeList>: ModeList {
        Nil => Nil,
        Cons => Cons<Cons<H, Rest::Heads>, T::Columns<Rest::Tails>>,
    }
}

decisions! {
    /// The branches: `self` is whether the row `H` has the rank of the first one.
    trait ZipIf;
    /// `M`, if all rows do.
    type IfRank<First: ModeTree, M: ModeTree, H: ModeTree, T: ModeList>: ModeTree {
        True => T::IfRank<First, M>,
        False => Invalid<ZipRank<First, H>>,
    }
}

reasons! {
    /// `zip`: a mode `M` with another rank than the first one.
    ZipRank<First: ModeTree, M: ModeTree>
        with first = First::Shape::TUPLE, with other = M::Shape::TUPLE,
        => LayoutError::Algebra(AlgebraError::ZipRank { first, other }),
        else Zips: "zip: the modes do not have the same rank",
        "a mode of this layout does not have the rank of the first one";
}
