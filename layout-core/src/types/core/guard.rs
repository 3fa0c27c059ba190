//! Replaces results by [`Invalid`](super::invalid::Invalid) if a part is invalid; and modes as a
//! list.

use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};

table! {
    /// Functions of a tree of modes that every operation uses.
    trait GuardTree for [S: Nat, D: Nat] Mode<S, D>, [A: ModeTree, R: ModeList] Cons<A, R>;
    /// The modes as a list.
    type Modes: ModeList { Leaf => Cons<Self, Nil>, Nil => Nil, Cons => Self }
    /// `M`, if nothing in this tree is [`Invalid`]; else the reason in [`ModeTree::ERROR`].
    type Guard<M: ModeTree>: ModeTree {
        Leaf => M,
        Nil => M,
        Cons => R::GuardEnd<A::Guard<R::GuardParts<M>>>,
    }
}

table! {
    /// [`GuardTree`] for a tuple, or the rest of one.
    trait GuardList for [B: ModeTree, R: ModeList] Cons<B, R>;
    /// `M`, if nothing in the parts of this list is [`Invalid`].
    type GuardParts<M: ModeTree>: ModeTree { Nil => M, Cons => B::Guard<R::GuardParts<M>> }
    /// `M`, if this list ends, and does not end in [`Invalid`].
    type GuardEnd<M: ModeTree>: ModeTree { Nil => M, Cons => R::GuardEnd<M> }
}
