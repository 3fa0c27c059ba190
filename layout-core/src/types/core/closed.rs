//! Ties the trees to the operations. The only file of the core that depends on the operations.
//!
//! The bound `M: ModeTree` must imply every operation on `M`, so that generic code needs no other
//! bound. So each operation is a trait that every tree implements: it is listed here as a
//! supertrait, and its file implements it for each sort of tree. The cyclic dependency between trees
//! and operations goes through this file only.

use crate::types::ops::blocked::{BlockIf, BlockList, PadList, PadTree, TargetList, TargetTree};
use crate::types::ops::by_profile::{Profile, ProfileIf, ProfileList, ProfiledList};
use crate::types::ops::coalesce::{CoalesceIf, CoalesceList};
use crate::types::ops::compact::{CompactList, CompactTree};
use crate::types::ops::complement::{
    ComplementIf, ComplementList, ComplementOrder, CotargetList, CotargetTree,
};
use crate::types::ops::compose::{
    Classify, ComposeIf, LeftOperandList, RightOperand, RightOperandList,
};
use crate::types::ops::distribute::{DistributeIf, DistributeList};
use crate::types::ops::filter::{FilterIf, ZeroStrideList};
use crate::types::ops::gcd::GcdIf;
use crate::types::ops::inverse::{InverseIf, InverseList, InverseOrder};
use crate::types::ops::left_inverse::{DigitIf, DigitList};
use crate::types::ops::make_ordered::{PartIf, PartList};
use crate::types::ops::max_common::{CommonIf, CommonList};
use crate::types::ops::morello::{Extents, MorelloIf};
use crate::types::ops::offset::{IndexedList, IndexedTree};
use crate::types::ops::partition::{ThreadList, ThreadTree};
use crate::types::ops::place::LocateList;
use crate::types::ops::range::{RangeIf, RangeList};
use crate::types::ops::recast::RecastIf;
use crate::types::ops::select::{ModeNumbers, ReplaceTree, SelectIf};
use crate::types::ops::shape_div::{ShapeDivIf, ShapeDivide, ShapeDivideList};
use crate::types::ops::slicer::{SliceIf, SlicedList};
use crate::types::ops::tiled::{TiledList, TiledTree};
use crate::types::ops::unflatten::{LeafList, NestIf, NestList, NestTree};
use crate::types::ops::zip::{ZipIf, ZipList, ZipTree};
use crate::types::ops::zipped::{Unpack, UnpackList};

/// Combines several traits of operations into one.
macro_rules! closed {
    ($($(#[$doc:meta])* $closed:ident: $first:ident $(+ $operation:ident)*;)+) => {$(
        $(#[$doc])*
        pub trait $closed: $first $(+ $operation)* {}
        impl<T: $first $(+ $operation)*> $closed for T {}
    )+};
}
closed! {
    /// The operations' decisions by a [`Truth`](super::ternary::Truth).
    ClosedTruth:
        BlockIf + CoalesceIf + CommonIf + ComplementIf + ComposeIf + DigitIf + DistributeIf
        + FilterIf + GcdIf + InverseIf + MorelloIf + NestIf + PartIf + ProfileIf + RangeIf + RecastIf
        + SelectIf + ShapeDivIf + SliceIf + ZipIf;
    /// The operations' decisions by an [`Order`](super::ternary::Order).
    ClosedOrder: ComplementOrder + InverseOrder;
    /// The operations on a [`Division`](super::nat::Division).
    ClosedDivision: Classify;
    /// The operations on a [`Tree`](super::tree::Tree).
    ClosedTree:
        CompactTree + CotargetTree + ModeNumbers + NestTree + Profile + ShapeDivide + TargetTree;
    /// The operations on a [`TreeList`](super::tree::TreeList).
    ClosedTreeList:
        CompactList + CotargetList + NestList + ProfileList + ShapeDivideList + TargetList;
    /// The operations on a [`ModeTree`](super::modes::ModeTree).
    ClosedModeTree:
        IndexedTree + PadTree + ReplaceTree + RightOperand + ThreadTree + TiledTree + Unpack + ZipTree;
    /// The operations on a [`ModeList`](super::modes::ModeList).
    ClosedModeList:
        BlockList + IndexedList + PadList + ProfiledList + RangeList + RightOperandList + SlicedList + ThreadList
        + TiledList + UnpackList + ZipList;
    /// The operations on a [`FlatList`](super::flat::FlatList).
    ClosedFlatList:
        CoalesceList + CommonList + ComplementList + DigitList + DistributeList + Extents
        + InverseList + LeafList + LeftOperandList + LocateList + PartList + ZeroStrideList;
}
