//! Results only where every part exists, and modes as a list.

use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::tree::{Cons, Nil};

/// What every operation asks of a tree of modes.
pub trait GuardTree {
    /// The modes as a list.
    type Modes: ModeList;
    /// `M`, if nothing in this tree is [`Invalid`]; else the reason that [`ModeTree::ERROR`] has.
    type Guard<M: ModeTree>: ModeTree;
}

/// [`GuardTree`] for a tuple, or the rest of one.
pub trait GuardList {
    /// `M`, if nothing in the parts of this list is [`Invalid`].
    type GuardParts<M: ModeTree>: ModeTree;
    /// `M`, if this list ends, and not in [`Invalid`].
    type GuardEnd<M: ModeTree>: ModeTree;
}

impl<S: Nat, D: Nat> GuardTree for Mode<S, D> {
    type Modes = Cons<Self, Nil>;
    type Guard<M: ModeTree> = M;
}

impl GuardTree for Nil {
    type Modes = Nil;
    type Guard<M: ModeTree> = M;
}
impl GuardList for Nil {
    type GuardParts<M: ModeTree> = M;
    type GuardEnd<M: ModeTree> = M;
}

impl<A: ModeTree, R: ModeList> GuardTree for Cons<A, R> {
    type Modes = Self;
    type Guard<M: ModeTree> = R::GuardEnd<A::Guard<R::GuardParts<M>>>;
}
impl<B: ModeTree, R: ModeList> GuardList for Cons<B, R> {
    type GuardParts<M: ModeTree> = B::Guard<R::GuardParts<M>>;
    type GuardEnd<M: ModeTree> = R::GuardEnd<M>;
}

impl<R: Reason> GuardTree for Invalid<R> {
    type Modes = Self;
    type Guard<M: ModeTree> = Self;
}
impl<R: Reason> GuardList for Invalid<R> {
    type GuardParts<M: ModeTree> = Self;
    type GuardEnd<M: ModeTree> = Self;
}
