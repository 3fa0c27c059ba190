//! `zip` at the type level: the two top levels of a layout transposed.

use crate::types::api::tiler::TiledTree;
use crate::types::core::invalid::{Invalid, Reason, RunTimeLeaf, ZipRank};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::ternary::{False, Order, True, Unknown};
use crate::types::core::tree::{Cons, Nil};

/// The modes `M`, of which mode `j` has the modes `j` of all.
pub(crate) type ZipOf<M> = <M as TiledTree>::Guard<<M as ZipTree>::Transposed>;
/// The modes of `A` and `B` in pairs.
pub(crate) type ZipWithOf<A, B> = <A as ZipTree>::Pairs<B>;

/// `zip`, for a tree of modes: the whole, or one of its modes, which is a row.
pub trait ZipTree {
    /// The two top levels transposed.
    type Transposed: ModeTree;
    /// The same, of the modes `Rest` behind this first one.
    type TransposedWith<Rest: ModeList>: ModeTree;
    /// The modes of this row and of the row `B` in pairs.
    type Pairs<B: ModeTree>: ModeTree;
    /// [`Pairs`](Self::Pairs) of the row `A`, which has the modes `H` and `T`, and of this one.
    type PairsAfter<H: ModeTree, T: ModeList, A: ModeTree>: ModeTree;
    /// The first mode of a row.
    type RowHead: ModeTree;
    /// The other modes of a row.
    type RowTail: ModeTree;
}

/// `zip`, for a list of rows that are equally long.
pub trait ZipList {
    /// `M`, if all rows have the rank of the row `First`.
    type IfRank<First: ModeTree, M: ModeTree>: ModeTree;
    /// [`ZipTree::Pairs`] of the rests of the rows `A0` and `B0`.
    type PairList<B: ModeList, A0: ModeTree, B0: ModeTree>: ModeList;
    /// The pairs of `H` and `T`, which are the rest of `A0`, with this rest of `B0`.
    type PairListAfter<H: ModeTree, T: ModeList, A0: ModeTree, B0: ModeTree>: ModeList;
    /// No pairs, if this rest of `B0` ends where `A0` does.
    type PairsEnd<A0: ModeTree, B0: ModeTree>: ModeList;
    /// The first mode of each row.
    type Heads: ModeList;
    /// The rows without their first mode.
    type Tails: ModeList;
    /// The columns of this row and of the rows `Rest`.
    type Columns<Rest: ModeList>: ModeList;
}

impl<S: Nat, D: Nat> ZipTree for Mode<S, D> {
    type Transposed = Self;
    type TransposedWith<Rest: ModeList> = Cons<Cons<Self, Rest>, Nil>;
    type Pairs<B: ModeTree> = Cons<Cons<Self, Cons<B, Nil>>, Nil>;
    type PairsAfter<H: ModeTree, T: ModeList, A: ModeTree> = Invalid<ZipRank<A, Self>>;
    type RowHead = Self;
    type RowTail = Self;
}

impl ZipTree for Nil {
    type Transposed = Nil;
    type TransposedWith<Rest: ModeList> = Nil;
    type Pairs<B: ModeTree> = Nil;
    type PairsAfter<H: ModeTree, T: ModeList, A: ModeTree> = Invalid<ZipRank<A, Nil>>;
    type RowHead = Nil;
    type RowTail = Nil;
}

impl<H: ModeTree, T: ModeList> ZipTree for Cons<H, T> {
    type Transposed = H::TransposedWith<T>;
    type TransposedWith<Rest: ModeList> = Rest::IfRank<Self, <Self as ZipList>::Columns<Rest>>;
    type Pairs<B: ModeTree> = B::PairsAfter<H, T, Self>;
    type PairsAfter<H0: ModeTree, T0: ModeList, A: ModeTree> =
        Cons<Cons<H0, Cons<H, Nil>>, T0::PairList<T, A, Self>>;
    type RowHead = H;
    type RowTail = T;
}

impl<R: Reason> ZipTree for Invalid<R> {
    type Transposed = Self;
    type TransposedWith<Rest: ModeList> = Self;
    type Pairs<B: ModeTree> = Self;
    type PairsAfter<H: ModeTree, T: ModeList, A: ModeTree> = Self;
    type RowHead = Self;
    type RowTail = Self;
}

impl ZipList for Nil {
    type IfRank<First: ModeTree, M: ModeTree> = M;
    type PairList<B: ModeList, A0: ModeTree, B0: ModeTree> = B::PairsEnd<A0, B0>;
    type PairListAfter<H: ModeTree, T: ModeList, A0: ModeTree, B0: ModeTree> =
        Invalid<ZipRank<A0, B0>>;
    type PairsEnd<A0: ModeTree, B0: ModeTree> = Nil;
    type Heads = Nil;
    type Tails = Nil;
    type Columns<Rest: ModeList> = Nil;
}

impl<H: ModeTree, T: ModeList> ZipList for Cons<H, T> {
    type IfRank<First: ModeTree, M: ModeTree> =
        <<<First::TupleRank as Nat>::Compare<H::TupleRank> as Order>::IsEqual as ZipIf>::IfRank<
            First,
            M,
            H,
            T,
        >;
    type PairList<B: ModeList, A0: ModeTree, B0: ModeTree> = B::PairListAfter<H, T, A0, B0>;
    type PairListAfter<H0: ModeTree, T0: ModeList, A0: ModeTree, B0: ModeTree> =
        Cons<Cons<H0, Cons<H, Nil>>, T0::PairList<T, A0, B0>>;
    type PairsEnd<A0: ModeTree, B0: ModeTree> = Invalid<ZipRank<A0, B0>>;
    type Heads = Cons<H::RowHead, T::Heads>;
    type Tails = Cons<H::RowTail, T::Tails>;
    type Columns<Rest: ModeList> = Cons<Cons<H, Rest::Heads>, T::Columns<Rest::Tails>>;
}

impl<R: Reason> ZipList for Invalid<R> {
    type IfRank<First: ModeTree, M: ModeTree> = Self;
    type PairList<B: ModeList, A0: ModeTree, B0: ModeTree> = Self;
    type PairListAfter<H: ModeTree, T: ModeList, A0: ModeTree, B0: ModeTree> = Self;
    type PairsEnd<A0: ModeTree, B0: ModeTree> = Self;
    type Heads = Self;
    type Tails = Self;
    type Columns<Rest: ModeList> = Self;
}

/// The branches: `self` is whether the row `H` has the rank of the first one.
pub trait ZipIf {
    /// `M`, if all rows have.
    type IfRank<First: ModeTree, M: ModeTree, H: ModeTree, T: ModeList>: ModeTree;
}

impl ZipIf for True {
    type IfRank<First: ModeTree, M: ModeTree, H: ModeTree, T: ModeList> = T::IfRank<First, M>;
}
impl ZipIf for False {
    type IfRank<First: ModeTree, M: ModeTree, H: ModeTree, T: ModeList> =
        Invalid<ZipRank<First, H>>;
}
impl ZipIf for Unknown {
    type IfRank<First: ModeTree, M: ModeTree, H: ModeTree, T: ModeList> = Invalid<RunTimeLeaf>;
}
