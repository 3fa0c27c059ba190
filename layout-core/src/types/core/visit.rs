//! Case distinctions by structure and by decision for operations, instead of a trait per operation.
//!
//! A `match` on a type is an associated type of it. These traits are that `match` for any operation,
//! so a new operation adds no supertrait to the tree. The compiler evaluates only the branch taken.

use typenum::{B0, B1, UInt, UTerm};

use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;
use crate::types::core::invalid::{Invalid, Reason, RunTimeLeaf};
use crate::types::core::modes::{ModeList, ModeTree, checked};
use crate::types::core::nat::Nat;
use crate::types::core::symbolic::{Dyn, Expression, Symbolic};
use crate::types::core::ternary::{False, True, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};

/// The modes for each value of a decision.
pub trait Decision: 'static {
    /// If it is true.
    type True: ModeTree;
    /// If it is false.
    type False: ModeTree;
    /// If it depends on a run-time leaf.
    type Unknown: ModeTree;
}

/// A list of modes for each value of a decision.
pub trait ListDecision: 'static {
    /// If it is true.
    type True: ModeList;
    /// If it is false.
    type False: ModeList;
    /// If it depends on a run-time leaf.
    type Unknown: ModeList;
}

/// A value that selects one of three branches.
pub trait Decide {
    /// One of three trees.
    type Modes<D: Decision>: ModeTree;
    /// One of three lists.
    type List<D: ListDecision>: ModeList;
}

macro_rules! decide {
    ($($truth:ident)+) => {$(
        impl Decide for $truth {
            type Modes<D: Decision> = D::$truth;
            type List<D: ListDecision> = D::$truth;
        }
    )+};
}
decide!(True False Unknown);

/// Modes by the structure of a tuple of integers.
pub trait Cases: 'static {
    /// For an integer.
    type Leaf<N: Nat>: ModeTree;
    /// For a tuple, or the rest of one.
    type Tuple<H: Tree, T: TreeList>: ModeTree;
    /// For the end of a tuple.
    type End: ModeTree;
}

/// A list of modes by a tuple of integers.
pub trait ListCases: 'static {
    /// For a tuple, or the rest of one.
    type Tuple<H: Tree, T: TreeList>: ModeList;
    /// For the end of a tuple.
    type End: ModeList;
}

/// A decision by a tuple of integers.
pub trait TruthCases: 'static {
    /// For a tuple, or the rest of one.
    type Tuple<H: Tree, T: TreeList>: Truth;
    /// For the end of a tuple.
    type End: Truth;
}

/// Case distinction by the structure of a tuple of integers.
pub trait MatchTree {
    /// Whether this is an integer.
    type IsLeaf: Truth;
    /// Whether this is an integer or a tuple of integers.
    type IsFlat: Truth;
    /// The modes for this case.
    type Match<C: Cases>: ModeTree;
}

/// [`MatchTree`] for a tuple, or the rest of one.
pub trait MatchTreeList {
    /// The list for this case.
    type MatchList<C: ListCases>: ModeList;
    /// The decision for this case; false if there is no such tuple.
    type MatchTruth<C: TruthCases>: Truth;
}

macro_rules! match_leaf {
    ($([$($generics:tt)*] $leaf:ty;)+) => {$(
        impl<$($generics)*> MatchTree for $leaf {
            type IsLeaf = True;
            type IsFlat = True;
            type Match<C: Cases> = C::Leaf<$leaf>;
        }
    )+};
}
match_leaf! {
    [] UTerm;
    [U: Nat] UInt<U, B0>;
    [U: Nat] UInt<U, B1>;
    [] Dyn;
    [E: Expression] Symbolic<E>;
}

impl MatchTree for Nil {
    type IsLeaf = False;
    type IsFlat = True;
    type Match<C: Cases> = C::End;
}
impl MatchTreeList for Nil {
    type MatchList<C: ListCases> = C::End;
    type MatchTruth<C: TruthCases> = C::End;
}

impl<H: Tree, T: TreeList> MatchTree for Cons<H, T> {
    type IsLeaf = False;
    type IsFlat = <H::IsLeaf as Truth>::And<T::IsFlat>;
    type Match<C: Cases> = C::Tuple<H, T>;
}
impl<H: Tree, T: TreeList> MatchTreeList for Cons<H, T> {
    type MatchList<C: ListCases> = C::Tuple<H, T>;
    type MatchTruth<C: TruthCases> = C::Tuple<H, T>;
}

impl<R: Reason> MatchTree for Invalid<R> {
    type IsLeaf = False;
    type IsFlat = False;
    type Match<C: Cases> = Self;
}
impl<R: Reason> MatchTreeList for Invalid<R> {
    type MatchList<C: ListCases> = Self;
    type MatchTruth<C: TruthCases> = False;
}

/// A list of modes by the structure of a list of modes.
pub trait ModeCases: 'static {
    /// For a mode and the rest.
    type Modes<A: ModeTree, R: ModeList>: ModeList;
    /// For the end of the list.
    type End: ModeList;
}

/// Case distinction by the structure of a list of modes.
pub trait MatchModes {
    /// The list for this case.
    type MatchModes<C: ModeCases>: ModeList;
}

impl MatchModes for Nil {
    type MatchModes<C: ModeCases> = C::End;
}
impl<A: ModeTree, R: ModeList> MatchModes for Cons<A, R> {
    type MatchModes<C: ModeCases> = C::Modes<A, R>;
}
impl<R: Reason> MatchModes for Invalid<R> {
    type MatchModes<C: ModeCases> = Self;
}

/// The reason why the types refuse something, from the engine: the types only decide that they do.
pub(crate) const fn reason_of(result: Result<DynLayout, LayoutError>) -> LayoutError {
    match result {
        Err(error) => error,
        // The decision depends on a number that the types do not know.
        Ok(_) => RunTimeLeaf::ERROR,
    }
}

/// The modes `M` and a tuple `T` as values, for an operation of the engine on them.
pub(crate) const fn values_of<M: ModeTree, T: Tree>() -> Result<(DynLayout, IntTuple), LayoutError>
{
    match (checked::<M>(), T::TUPLE) {
        (Ok(layout), Ok(tuple)) => Ok((layout, tuple)),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// Defines the reason of an operation that the engine refuses for the modes `M` and the tuple `T`.
macro_rules! refused {
    ($(#[$doc:meta])* $name:ident: |$layout:ident, $tuple:ident| $result:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<M, T>(core::marker::PhantomData<(M, T)>);

        impl<M: $crate::types::ModeTree, T: $crate::types::Tree> $crate::types::Reason
            for $name<M, T>
        {
            const ERROR: $crate::error::LayoutError = match $crate::types::core::visit::values_of::<M, T>()
            {
                Ok(($layout, $tuple)) => $crate::types::core::visit::reason_of($result),
                Err(error) => error,
            };
        }
    };
}
pub(crate) use refused;
