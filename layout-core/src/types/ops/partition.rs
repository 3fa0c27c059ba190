//! Partitions: what one of several threads has of a layout.

use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::by_mode::Divide;
use crate::types::ops::tiled::{EachMode, Neighbours, Tiling, TilingList};
use crate::types::ops::zipped::{FirstsThen, UnpackedSeconds};

/// The modes of a tile.
pub(crate) type TileOf<A, T> = FirstsThen<Divide, A, T, Nil>;
/// The modes that one of the threads with the modes `T` has of `A`.
pub(crate) type PartOf<A, T> = UnpackedSeconds<Divide, A, <T as ThreadTree>::Tiler>;
/// What the threads together have at once: the tile.
pub(crate) type Team<A, T> = FirstsThen<Divide, A, <T as ThreadTree>::Tiler, Nil>;

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
