//! The zipped, tiled and flat forms of divides and products: the pairs that the logical form
//! produces in each mode, gathered into one pair, and unpacked.

use crate::types::core::guard::GuardTree;
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};
use crate::types::ops::tiled::Tiling;

/// The result of the operation `O` on the modes `A` with the tiler `T`: pairs at the leaves of `T`.
type Pairs<O, A, T> = <T as Tiling>::Apply<O, A>;
type Firsts<O, A, T> = <T as Tiling>::Firsts<O, Pairs<O, A, T>>;
type Seconds<O, A, T> = <T as Tiling>::Seconds<O, Pairs<O, A, T>>;
/// `M`, if all pairs exist. An invalid pair is reported before an invalid mode.
type IfPairs<O, A, T, M> = <Pairs<O, A, T> as GuardTree>::Guard<M>;
type Unpacked<M, Rest> = <M as Unpack>::UnpackOnto<Rest>;

/// `((first..), (second.., further modes..))`.
pub(crate) type Zipped<O, A, T> =
    IfPairs<O, A, T, Cons<Firsts<O, A, T>, Cons<Seconds<O, A, T>, Nil>>>;
/// `(first.., ` and the modes of `Rest`.
pub(crate) type FirstsThen<O, A, T, Rest> = IfPairs<O, A, T, Unpacked<Firsts<O, A, T>, Rest>>;
/// `(second.., further modes..)`, as in the zipped form.
pub(crate) type SecondsOf<O, A, T> = IfPairs<O, A, T, Seconds<O, A, T>>;
/// `(second.., further modes..)`. A single one is not unpacked.
pub(crate) type UnpackedSeconds<O, A, T> = IfPairs<O, A, T, Unpacked<Seconds<O, A, T>, Nil>>;
/// `((first..), second.., further modes..)`.
pub(crate) type Tiled<O, A, T> =
    IfPairs<O, A, T, Cons<Firsts<O, A, T>, Unpacked<Seconds<O, A, T>, Nil>>>;
/// `(first.., second.., further modes..)`.
pub(crate) type Flat<O, A, T> =
    IfPairs<O, A, T, Unpacked<Firsts<O, A, T>, Unpacked<Seconds<O, A, T>, Nil>>>;

table! {
    /// Removing the parentheses of a tuple.
    trait Unpack for [S: Nat, D: Nat] Mode<S, D>, [A: ModeTree, R: ModeList] Cons<A, R>;
    /// The modes, prepended to `Rest`; a tuple of one mode is not unpacked, as in CuTe.
    type UnpackOnto<Rest: ModeList>: ModeList {
        Leaf => Cons<Self, Rest>,
        // It stays in the result and makes it an error, like every empty tuple.
        Nil => Cons<Nil, Rest>,
        Cons => R::UnpackAfter<A, Rest>,
    }
}

table! {
    /// [`Unpack`] for a tuple, or the rest of one.
    trait UnpackList for [B: ModeTree, R: ModeList] Cons<B, R>;
    /// [`Unpack::UnpackOnto`] of this list with `A` before it.
    type UnpackAfter<A: ModeTree, Rest: ModeList>: ModeList {
        Nil => Cons<Cons<A, Nil>, Rest>,
        Cons => Cons<A, Cons<B, R::AllThen<Rest>>>,
    }
}
