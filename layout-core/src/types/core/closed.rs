//! Where the tree is closed over the operations: the only file of the core that knows them.
//!
//! A bound as `M: ModeTree` stands for every operation on `M`, so that generic code needs no other.
//! An operation therefore is a trait that every tree has: it is listed here, and its file implements
//! it for each sort of tree. So an operation needs the trees, the trees this list, and the list the
//! operation: without this file no operation would be in a circle with the core.

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
use crate::types::ops::filter::{FilterIf, StillList};
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

/// A trait of its own for several traits of operations.
macro_rules! closed {
    ($($(#[$doc:meta])* $closed:ident: $first:ident $(+ $operation:ident)*;)+) => {$(
        $(#[$doc])*
        pub trait $closed: $first $(+ $operation)* {}
        impl<T: $first $(+ $operation)*> $closed for T {}
    )+};
}
closed! {
    /// What operations decide by a [`Truth`](super::ternary::Truth).
    ClosedTruth:
        BlockIf + CoalesceIf + CommonIf + ComplementIf + ComposeIf + DigitIf + DistributeIf
        + FilterIf + GcdIf + InverseIf + MorelloIf + NestIf + PartIf + ProfileIf + RangeIf + RecastIf
        + SelectIf + ShapeDivIf + SliceIf + ZipIf;
    /// What operations decide by an [`Order`](super::ternary::Order).
    ClosedOrder: ComplementOrder + InverseOrder;
    /// What operations ask of a [`Division`](super::nat::Division).
    ClosedDivision: Classify;
    /// What operations ask of a [`Tree`](super::tree::Tree).
    ClosedTree:
        CompactTree + CotargetTree + ModeNumbers + NestTree + Profile + ShapeDivide + TargetTree;
    /// What operations ask of a [`TreeList`](super::tree::TreeList).
    ClosedTreeList:
        CompactList + CotargetList + NestList + ProfileList + ShapeDivideList + TargetList;
    /// What operations ask of a [`ModeTree`](super::modes::ModeTree).
    ClosedModeTree:
        IndexedTree + PadTree + ReplaceTree + RightOperand + ThreadTree + TiledTree + Unpack + ZipTree;
    /// What operations ask of a [`ModeList`](super::modes::ModeList).
    ClosedModeList:
        BlockList + IndexedList + PadList + ProfiledList + RangeList + RightOperandList + SlicedList + ThreadList
        + TiledList + UnpackList + ZipList;
    /// What operations ask of a [`FlatList`](super::flat::FlatList).
    ClosedFlatList:
        CoalesceList + CommonList + ComplementList + DigitList + DistributeList + Extents
        + InverseList + LeafList + LeftOperandList + LocateList + PartList + StillList;
}
