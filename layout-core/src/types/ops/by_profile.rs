//! The operations that take a profile: a tree whose leaves say what to work on as one.

use crate::types::api::tiler::TiledTree;
use crate::types::core::invalid::{Invalid, ProfileRank, Reason, RunTimeLeaf};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::ternary::{False, Order, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// An operation at each leaf of a profile.
pub trait ByProfile: 'static {
    /// The operation on the modes `A` at the leaf `N`.
    type At<N: Nat, A: ModeTree>: ModeTree;
    /// Whether a tuple of `Rank` parts may stand for the modes `A`.
    type Fits<Rank: Nat, A: ModeTree>: Truth;
    /// Why the tuple `P` does not.
    type Misfit<P: TreeList, A: ModeTree>: Reason;
}

/// An operation on modes, whatever the integers of the profile; a profile has no more modes than
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
pub(crate) type Each<O, P, A> = <A as TiledTree>::Guard<<P as Profile>::Each<O, A>>;

/// What [`ByProfile`] asks of a profile.
pub trait Profile {
    /// The operation at each leaf.
    type Each<O: ByProfile, A: ModeTree>: ModeTree;
}

/// [`Profile`] for a tuple, or the rest of one.
pub trait ProfileList {
    /// The operation on the modes that the parts stand for.
    type EachOf<O: ByProfile, A: ModeList>: ModeList;
}

impl<N: Nat> Profile for N {
    type Each<O: ByProfile, A: ModeTree> = O::At<N, A>;
}

impl Profile for Nil {
    type Each<O: ByProfile, A: ModeTree> = Nil;
}

impl ProfileList for Nil {
    type EachOf<O: ByProfile, A: ModeList> = A;
}

impl<H: Tree, T: TreeList> Profile for Cons<H, T> {
    type Each<O: ByProfile, A: ModeTree> =
        <O::Fits<<Self as TreeList>::Rank, A> as ProfileIf>::EachIfFits<O, H, T, A>;
}

impl<H: Tree, T: TreeList> ProfileList for Cons<H, T> {
    type EachOf<O: ByProfile, A: ModeList> = A::EachPart<O, H, T>;
}

impl<R: Reason> Profile for Invalid<R> {
    type Each<O: ByProfile, A: ModeTree> = Self;
}

impl<R: Reason> ProfileList for Invalid<R> {
    type EachOf<O: ByProfile, A: ModeList> = Self;
}

/// The branches at a tuple.
pub trait ProfileIf {
    /// `self`: the tuple fits.
    type EachIfFits<O: ByProfile, H: Tree, T: TreeList, A: ModeTree>: ModeTree;
}

impl ProfileIf for True {
    type EachIfFits<O: ByProfile, H: Tree, T: TreeList, A: ModeTree> =
        <A::Modes as ProfiledList>::EachPart<O, H, T>;
}
impl ProfileIf for False {
    type EachIfFits<O: ByProfile, H: Tree, T: TreeList, A: ModeTree> =
        Invalid<O::Misfit<Cons<H, T>, A>>;
}
impl ProfileIf for Unknown {
    type EachIfFits<O: ByProfile, H: Tree, T: TreeList, A: ModeTree> = Invalid<RunTimeLeaf>;
}

/// What profiles ask of a list of modes.
pub trait ProfiledList {
    /// The operation on the first mode, by `H`, and on the others, by `T`.
    type EachPart<O: ByProfile, H: Tree, T: TreeList>: ModeList;
}

impl ProfiledList for Nil {
    type EachPart<O: ByProfile, H: Tree, T: TreeList> = Nil;
}

impl<A: ModeTree, R: ModeList> ProfiledList for Cons<A, R> {
    type EachPart<O: ByProfile, H: Tree, T: TreeList> = Cons<H::Each<O, A>, T::EachOf<O, R>>;
}

impl<R: Reason> ProfiledList for Invalid<R> {
    type EachPart<O: ByProfile, H: Tree, T: TreeList> = Self;
}
