//! `make` and `row_major` at the type level: the compact strides of a shape.

use typenum::UTerm;

use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::ternary::Truth;
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// The shape `S` with its column-major strides.
pub(crate) type ColumnMajor<S> = <S as CompactTree>::Columns<One>;
/// The shape `S` with its row-major strides.
pub(crate) type RowMajorOf<S> = <S as CompactTree>::Rows<One>;

/// Compact strides, for a shape.
pub trait CompactTree {
    /// The modes with column-major strides, of which the smallest is `Step`.
    type Columns<Step: Nat>: ModeTree;
    /// The modes with row-major strides, of which the smallest is `Step`.
    type Rows<Step: Nat>: ModeTree;
}

/// Compact strides, for a tuple or the rest of one.
pub trait CompactList {
    /// [`CompactTree::Columns`] as a list.
    type ColumnList<Step: Nat>: ModeList;
    /// [`CompactTree::Rows`] as a list.
    type RowList<Step: Nat>: ModeList;
}

/// What a leaf of the extent `N` has as its stride: the step, which is 0 where no step is taken.
#[doc(hidden)]
pub type CompactStride<N, Step> = <<N as Nat>::IsOne as Truth>::Choose<UTerm, Step>;

impl<N: Nat> CompactTree for N {
    type Columns<Step: Nat> = N::Mode<CompactStride<N, Step>>;
    type Rows<Step: Nat> = N::Mode<CompactStride<N, Step>>;
}

impl CompactTree for Nil {
    type Columns<Step: Nat> = Nil;
    type Rows<Step: Nat> = Nil;
}

impl CompactList for Nil {
    type ColumnList<Step: Nat> = Nil;
    type RowList<Step: Nat> = Nil;
}

impl<H: Tree, T: TreeList> CompactTree for Cons<H, T> {
    type Columns<Step: Nat> = <Self as CompactList>::ColumnList<Step>;
    type Rows<Step: Nat> = <Self as CompactList>::RowList<Step>;
}

impl<H: Tree, T: TreeList> CompactList for Cons<H, T> {
    type ColumnList<Step: Nat> = Cons<H::Columns<Step>, T::ColumnList<NatMul<Step, H::Product>>>;
    type RowList<Step: Nat> = Cons<H::Rows<NatMul<Step, T::Product>>, T::RowList<Step>>;
}

impl<R: Reason> CompactTree for Invalid<R> {
    type Columns<Step: Nat> = Self;
    type Rows<Step: Nat> = Self;
}

impl<R: Reason> CompactList for Invalid<R> {
    type ColumnList<Step: Nat> = Self;
    type RowList<Step: Nat> = Self;
}
