//! `make` and `row_major` at the type level: the compact strides of a shape.

use typenum::UTerm;

use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::table::table;
use crate::types::core::ternary::Truth;
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// The shape `S` with its column-major strides.
pub(crate) type ColumnMajor<S> = <S as CompactTree>::Columns<One>;
/// The shape `S` with its row-major strides.
pub(crate) type RowMajorOf<S> = <S as CompactTree>::Rows<One>;

table! {
    /// Compact strides, for a shape.
    trait CompactTree for [N: Nat] N, [H: Tree, T: TreeList] Cons<H, T>;
    /// The modes with column-major strides. The smallest stride is `Step`.
    type Columns<Step: Nat>: ModeTree {
        Leaf => N::Mode<CompactStride<N, Step>>,
        Nil => Nil,
        Cons => <Self as CompactList>::ColumnList<Step>,
    }
    /// The modes with row-major strides. The smallest stride is `Step`.
    type Rows<Step: Nat>: ModeTree {
        Leaf => N::Mode<CompactStride<N, Step>>,
        Nil => Nil,
        Cons => <Self as CompactList>::RowList<Step>,
    }
}

table! {
    /// Compact strides, for a tuple or the rest of one.
    trait CompactList for [H: Tree, T: TreeList] Cons<H, T>;
    /// [`CompactTree::Columns`] as a list.
    type ColumnList<Step: Nat>: ModeList {
        Nil => Nil,
        Cons => Cons<H::Columns<Step>, T::ColumnList<NatMul<Step, H::Product>>>,
    }
    /// [`CompactTree::Rows`] as a list.
    type RowList<Step: Nat>: ModeList {
        Nil => Nil,
        Cons => Cons<H::Rows<NatMul<Step, T::Product>>, T::RowList<Step>>,
    }
}

/// The stride of a leaf of extent `N`: the step, but 0 if the extent is 1.
#[doc(hidden)]
pub type CompactStride<N, Step> = <<N as Nat>::IsOne as Truth>::Choose<UTerm, Step>;
