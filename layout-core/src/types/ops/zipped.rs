//! The zipped, tiled and flat forms of divides and products: the pairs that the logical form makes
//! in each mode, gathered into one pair, and unpacked.

use crate::types::api::tiler::{AnyTiler, TiledTree};
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::tree::{Cons, Nil};

/// What the operation `O` makes of the modes `A` with the tiler `T`: pairs at the leaves of `T`.
type Pairs<O, A, T> = <T as AnyTiler>::Apply<O, A>;
type Firsts<O, A, T> = <T as AnyTiler>::Firsts<O, Pairs<O, A, T>>;
type Seconds<O, A, T> = <T as AnyTiler>::Seconds<O, Pairs<O, A, T>>;
/// `M`, if all pairs exist. A pair that is refused is reported before a mode that is none.
type IfPairs<O, A, T, M> = <Pairs<O, A, T> as TiledTree>::Guard<M>;
type Unpacked<M, Rest> = <M as Unpack>::UnpackOnto<Rest>;

/// `((first..), (second.., further modes..))`.
pub(crate) type Zipped<O, A, T> =
    IfPairs<O, A, T, Cons<Firsts<O, A, T>, Cons<Seconds<O, A, T>, Nil>>>;
/// `(first.., ` and the modes of `Rest`.
pub(crate) type FirstsThen<O, A, T, Rest> = IfPairs<O, A, T, Unpacked<Firsts<O, A, T>, Rest>>;
/// `(second.., further modes..)`, as it is in the zipped form.
pub(crate) type SecondsOf<O, A, T> = IfPairs<O, A, T, Seconds<O, A, T>>;
/// `(second.., further modes..)`, of which a single one stays whole.
pub(crate) type UnpackedSeconds<O, A, T> = IfPairs<O, A, T, Unpacked<Seconds<O, A, T>, Nil>>;
/// `((first..), second.., further modes..)`.
pub(crate) type Tiled<O, A, T> =
    IfPairs<O, A, T, Cons<Firsts<O, A, T>, Unpacked<Seconds<O, A, T>, Nil>>>;
/// `(first.., second.., further modes..)`.
pub(crate) type Flat<O, A, T> =
    IfPairs<O, A, T, Unpacked<Firsts<O, A, T>, Unpacked<Seconds<O, A, T>, Nil>>>;

/// Taking the parentheses off a tuple.
pub trait Unpack {
    /// The modes before those of `Rest`; a tuple of one mode stays whole, as in CuTe.
    type UnpackOnto<Rest: ModeList>: ModeList;
}

/// [`Unpack`] for a tuple, or the rest of one.
pub trait UnpackList {
    /// [`Unpack::UnpackOnto`] of this list with `A` before it.
    type UnpackAfter<A: ModeTree, Rest: ModeList>: ModeList;
}

impl<S: Nat, D: Nat> Unpack for Mode<S, D> {
    type UnpackOnto<Rest: ModeList> = Cons<Self, Rest>;
}

impl Unpack for Nil {
    // It stays in the result and makes it an error, as every empty tuple does.
    type UnpackOnto<Rest: ModeList> = Cons<Nil, Rest>;
}
impl UnpackList for Nil {
    type UnpackAfter<A: ModeTree, Rest: ModeList> = Cons<Cons<A, Nil>, Rest>;
}

impl<A: ModeTree, R: ModeList> Unpack for Cons<A, R> {
    type UnpackOnto<Rest: ModeList> = R::UnpackAfter<A, Rest>;
}
impl<B: ModeTree, R: ModeList> UnpackList for Cons<B, R> {
    type UnpackAfter<A: ModeTree, Rest: ModeList> = Cons<A, Cons<B, R::AllThen<Rest>>>;
}

impl<E: Reason> Unpack for Invalid<E> {
    type UnpackOnto<Rest: ModeList> = Self;
}
impl<E: Reason> UnpackList for Invalid<E> {
    type UnpackAfter<A: ModeTree, Rest: ModeList> = Self;
}
