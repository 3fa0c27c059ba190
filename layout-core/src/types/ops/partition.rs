//! Partitions: the part of a layout that one of several threads has.

use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::by_mode::Divide;
use crate::types::ops::tiled::{EachMode, Neighbours, Tiling, TilingList};
use crate::types::ops::zipped::{FirstsThen, UnpackedSeconds};

/// The modes of a tile.
pub(crate) type TileOf<A, T> = FirstsThen<Divide, A, T, Nil>;
/// The modes of `A` that one of the threads with the modes `T` has.
pub(crate) type PartOf<A, T> = UnpackedSeconds<Divide, A, <T as ThreadTree>::Tiler>;
/// The elements that all threads together have at one time: the tile.
pub(crate) type ThreadTile<A, T> = FirstsThen<Divide, A, <T as ThreadTree>::Tiler, Nil>;

table! {
    /// The shape of threads as a tiler: a tile of stride 1 in each mode.
    trait ThreadTree for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The tiler.
    type Tiler: Tiling {
        Leaf => Neighbours<S>,
        Nil => EachMode<Nil>,
        Cons => EachMode<Cons<Neighbours<H::Size>, T::Tilers>>,
        Invalid => Neighbours<Self>,
    }
}

table! {
    /// [`ThreadTree`] for a tuple, or the rest of one.
    trait ThreadList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The tiles.
    type Tilers: TilingList {
        Nil => Nil,
        Cons => Cons<Neighbours<H::Size>, T::Tilers>,
        Invalid => Cons<Neighbours<Self>, Nil>,
    }
}
