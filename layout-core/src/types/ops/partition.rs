//! Partitions: what one of several threads has of a layout.

use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
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

/// The shape of threads as a tiler: a tile of stride 1 in each mode.
pub trait ThreadTree {
    /// The tiler.
    type Tiler: Tiling;
}

/// [`ThreadTree`] for a tuple, or the rest of one.
pub trait ThreadList {
    /// The tiles.
    type Tilers: TilingList;
}

impl<S: Nat, D: Nat> ThreadTree for Mode<S, D> {
    type Tiler = Neighbours<S>;
}

impl ThreadTree for Nil {
    type Tiler = EachMode<Nil>;
}
impl ThreadList for Nil {
    type Tilers = Nil;
}

impl<H: ModeTree, T: ModeList> ThreadTree for Cons<H, T> {
    type Tiler = EachMode<Cons<Neighbours<H::Size>, T::Tilers>>;
}
impl<H: ModeTree, T: ModeList> ThreadList for Cons<H, T> {
    type Tilers = Cons<Neighbours<H::Size>, T::Tilers>;
}

impl<R: Reason> ThreadTree for Invalid<R> {
    type Tiler = Neighbours<Self>;
}
impl<R: Reason> ThreadList for Invalid<R> {
    type Tilers = Cons<Neighbours<Self>, Nil>;
}
