//! The operations that take a profile: a tree whose leaves select the parts to work on.

use crate::error::LayoutError;
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, Reason, reasons};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{Order, Truth};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// An operation at each leaf of a profile.
pub trait ByProfile: 'static {
    /// The operation on the modes `A` at the leaf `N`.
    type At<N: Nat, A: ModeTree>: ModeTree;
    /// Whether a tuple of `Rank` parts may correspond to the modes `A`.
    type Fits<Rank: Nat, A: ModeTree>: Truth;
    /// The error if the tuple `P` does not.
    type Misfit<P: TreeList, A: ModeTree>: Reason;
}

/// An operation on modes that ignores the integers of the profile. A profile has no more modes than
/// the layout.
pub trait OfModes: 'static {
    /// The operation on the modes `A`.
    type Of<A: ModeTree>: ModeTree;
}

impl<O: OfModes> ByProfile for O {
    type At<N: Nat, A: ModeTree> = O::Of<A>;
    type Fits<Rank: Nat, A: ModeTree> =
        <<<A::Modes as ModeTree>::TupleRank as Nat>::Compare<Rank> as Order>::IsAtLeast;
    type Misfit<P: TreeList, A: ModeTree> = ProfileRank<P, A>;
}

/// The modes `A`, with the operation `O` at each leaf of the profile `P`. Modes beyond the profile
/// stay.
pub(crate) type Each<O, P, A> = <A as GuardTree>::Guard<<P as Profile>::Each<O, A>>;

table! {
    /// The operation [`ByProfile`] on a profile.
    trait Profile for [N: Nat] N, [H: Tree, T: TreeList] Cons<H, T>;
    /// The operation at each leaf.
    type Each<O: ByProfile, A: ModeTree>: ModeTree {
        Leaf => O::At<N, A>,
        Nil => Nil,
        Cons => <O::Fits<<Self as TreeList>::Rank, A> as ProfileIf>::EachIfFits<O, H, T, A>,
    }
}

table! {
    /// [`Profile`] for a tuple, or the rest of one.
    trait ProfileList for [H: Tree, T: TreeList] Cons<H, T>;
    /// The operation on the modes that correspond to the parts.
    type EachOf<O: ByProfile, A: ModeList>: ModeList { Nil => A, Cons => A::EachPart<O, H, T> }
}

decisions! {
    /// The branches at a tuple.
    trait ProfileIf;
    /// `self`: the tuple fits.
    type EachIfFits<O: ByProfile, H: Tree, T: TreeList, A: ModeTree>: ModeTree {
        True => <A::Modes as ProfiledList>::EachPart<O, H, T>,
        False => Invalid<O::Misfit<Cons<H, T>, A>>,
    }
}

table! {
    /// The operation [`ByProfile`] on a list of modes.
    trait ProfiledList for [A: ModeTree, R: ModeList] Cons<A, R>;
    /// The operation on the first mode, by `H`, and on the others, by `T`.
    type EachPart<O: ByProfile, H: Tree, T: TreeList>: ModeList {
        Nil => Nil,
        Cons => Cons<H::Each<O, A>, T::EachOf<O, R>>,
    }
}

reasons! {
    /// A profile `P`, or a part of one, that has more modes than `M`.
    ProfileRank<P: TreeList, M: ModeTree> with profile = P::TUPLE, with shape = M::Shape::TUPLE,
        => LayoutError::ProfileRank { profile, shape },
        else ProfileFits: "the profile has more modes than the layout",
        "too many modes in the profile";
}
