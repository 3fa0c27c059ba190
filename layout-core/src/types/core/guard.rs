//! Results only where every part exists, and modes as a list.

use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::table;
use crate::types::core::tree::{Cons, Nil};

table! {
    /// What every operation asks of a tree of modes.
    trait GuardTree for [S: Nat, D: Nat] Mode<S, D>, [A: ModeTree, R: ModeList] Cons<A, R>;
    /// The modes as a list.
    type Modes: ModeList { Leaf => Cons<Self, Nil>, Nil => Nil, Cons => Self }
    /// `M`, if nothing in this tree is [`Invalid`]; else the reason that [`ModeTree::ERROR`] has.
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
    /// `M`, if this list ends, and not in [`Invalid`].
    type GuardEnd<M: ModeTree>: ModeTree { Nil => M, Cons => R::GuardEnd<M> }
}
