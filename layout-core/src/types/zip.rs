//! `zip` at the type level: the two top levels of a layout transposed.

use super::modes::{Mode, ModeList, ModeTree};
use super::nat::Nat;
use super::reason::{Invalid, Reason, RunTimeLeaf, ZipRank};
use super::tiler::TiledTree;
use super::tree::{Cons, Nil};
use super::truth::{False, Order, True, Unknown};

/// The modes `M`, of which mode `j` has the modes `j` of all.
pub(crate) type ZipOf<M> = <M as TiledTree>::Guard<<M as ZipTree>::Transposed>;
/// The modes of `A` and `B` in pairs.
pub(crate) type ZipWithOf<A, B> = ZipOf<Cons<A, Cons<B, Nil>>>;

/// `zip`, for a tree of modes: the whole, or one of its modes, which is a row.
pub trait ZipTree {
    /// The two top levels transposed.
    type Transposed: ModeTree;
    /// The same, of the modes `Rest` behind this first one.
    type TransposedWith<Rest: ModeList>: ModeTree;
    /// The first mode of a row.
    type RowHead: ModeTree;
    /// The other modes of a row.
    type RowTail: ModeTree;
}

/// `zip`, for a list of rows that are equally long.
pub trait ZipList {
    /// `M`, if all rows have the rank of the row `First`.
    type IfRank<First: ModeTree, M: ModeTree>: ModeTree;
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
    type RowHead = Self;
    type RowTail = Self;
}

impl ZipTree for Nil {
    type Transposed = Nil;
    type TransposedWith<Rest: ModeList> = Nil;
    type RowHead = Nil;
    type RowTail = Nil;
}

impl<H: ModeTree, T: ModeList> ZipTree for Cons<H, T> {
    type Transposed = H::TransposedWith<T>;
    type TransposedWith<Rest: ModeList> = Rest::IfRank<Self, <Self as ZipList>::Columns<Rest>>;
    type RowHead = H;
    type RowTail = T;
}

impl<R: Reason> ZipTree for Invalid<R> {
    type Transposed = Self;
    type TransposedWith<Rest: ModeList> = Self;
    type RowHead = Self;
    type RowTail = Self;
}

impl ZipList for Nil {
    type IfRank<First: ModeTree, M: ModeTree> = M;
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
    type Heads = Cons<H::RowHead, T::Heads>;
    type Tails = Cons<H::RowTail, T::Tails>;
    type Columns<Rest: ModeList> = Cons<Cons<H, Rest::Heads>, T::Columns<Rest::Tails>>;
}

impl<R: Reason> ZipList for Invalid<R> {
    type IfRank<First: ModeTree, M: ModeTree> = Self;
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
