//! Flat lists of modes, the internal form of the operations; and `flatten`.

use crate::types::core::closed::ClosedFlatList;
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};

table! {
    /// A list of leaves: [`Nil`], `Cons<Mode<S, D>, T>`, or [`Invalid`].
    trait FlatList: ClosedFlatList + ModeList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The list with a leaf before it.
    type Push<S2: Nat, D2: Nat>: FlatList {
        Nil => Cons<Mode<S2, D2>, Nil>,
        Cons => Cons<Mode<S2, D2>, Self>,
    }
    /// CuTe's `unwrap`: the leaf itself if there is one, else the tuple.
    type Unwrap: ModeTree { Nil => Nil, Cons => T::UnwrapAfter<S, D> }
    /// `Unwrap` of this list with a leaf before it.
    type UnwrapAfter<S2: Nat, D2: Nat>: ModeTree {
        Nil => Mode<S2, D2>,
        Cons => Cons<Mode<S2, D2>, Self>,
    }
    /// The tuple of a tile and this rest.
    type After<Tile: ModeTree>: ModeTree {
        Nil => Cons<Tile, Cons<Nil, Nil>>,
        Cons => Cons<Tile, Cons<T::UnwrapAfter<S, D>, Nil>>,
    }
}

table! {
    /// `flatten`, for a tree of modes.
    trait FlattenTree for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// The leaves, prepended to `Rest`.
    type FlattenOnto<Rest: FlatList>: FlatList {
        Leaf => Cons<Self, Rest>,
        Nil => Rest,
        Cons => H::FlattenOnto<T::FlattenOnto<Rest>>,
    }
    /// The leaves as one tuple; a single leaf stays as it is.
    type Flatten: ModeTree { Leaf => Self, Nil => Nil, Cons => H::FlattenOnto<T::FlattenOnto<Nil>> }
}

/// The modes `M`, flattened.
pub(crate) type Flattened<M> = <M as FlattenTree>::Flatten;
/// All leaves of the modes `M`.
pub(crate) type Leaves<M> = <M as FlattenTree>::FlattenOnto<Nil>;
