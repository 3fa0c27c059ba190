//! Shapes and strides as types: trees of `Cons`/`Nil` lists over `Nat` leaves.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;
use crate::types::core::closed::{ClosedTree, ClosedTreeList};
use crate::types::core::flat::FlatList;
use crate::types::core::invalid::{Invalid, Reason, reasons};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::sealed::Sealed;
use crate::types::core::symbolic::{Dyn, Expression, Symbolic};
use crate::types::core::visit::{MatchTree, MatchTreeList};

/// The end of a tuple: `Cons<U4, Cons<U8, Nil>>` is `(4,8)`.
#[derive(Debug)]
pub struct Nil;
impl Sealed for Nil {}

/// A tuple with a first part `H` and the rest `T`, which ends in [`Nil`].
#[derive(Debug)]
pub struct Cons<H, T>(PhantomData<(H, T)>);
impl<H, T> Sealed for Cons<H, T> {}

/// `Cons<$t, Cons<.., Nil>>`.
macro_rules! list {
    () => { $crate::types::Nil };
    ($t:ty $(, $rest:ty)*) => { $crate::types::Cons<$t, list!($($rest),*)> };
}
pub(crate) use list;

/// A shape or a stride: a [`Nat`], or a tuple ([`Cons`]) of trees.
#[diagnostic::on_unimplemented(
    message = "a shape or a stride is a typenum unsigned integer, `Dyn`, or a `Cons` list of these",
    label = "not a shape or a stride"
)]
pub trait Tree: ClosedTree + MatchTree + Sealed + Sized + 'static {
    /// The tree as a value.
    const TUPLE: Result<IntTuple, LayoutError>;
    /// This shape with the stride `D`: pairs of both at the leaves.
    #[doc(hidden)]
    type Zip<D: Tree>: ModeTree;
    /// This stride with an integer shape.
    #[doc(hidden)]
    type ZipLeaf<S: Nat>: ModeTree;
    /// This stride with a tuple shape.
    #[doc(hidden)]
    type ZipTuple<H: Tree, T: TreeList>: ModeTree;
    /// The product of the leaves.
    #[doc(hidden)]
    type Product: Nat;
    /// The products of the modes, with the strides that
    /// [`Extents`](crate::types::ops::morello::Extents) requires.
    #[doc(hidden)]
    type Extents: FlatList;
}

/// A [`Tree`] that is a tuple, or the rest of one.
///
/// `S0` and `D0` are the tuples at the start of the zip, for the error if the rank differs.
pub trait TreeList: ClosedTreeList + MatchTreeList + Tree {
    /// The number of parts.
    #[doc(hidden)]
    type Rank: Nat;
    /// The leaves, without the parentheses of the tuple itself.
    const PARTS: Result<IntTuple, LayoutError>;
    #[doc(hidden)]
    type ZipList<D: TreeList, S0: Tree, D0: Tree>: ModeList;
    #[doc(hidden)]
    type ZipListCons<H: Tree, T: TreeList, S0: Tree, D0: Tree>: ModeList;
    #[doc(hidden)]
    type ZipListNil<S0: Tree, D0: Tree>: ModeList;
}

/// The modes of a layout: `S` and `D` paired at the leaves.
pub(crate) type Zip<S, D> = <S as Tree>::Zip<D>;

const fn leaf(value: Option<usize>) -> Result<IntTuple, LayoutError> {
    match value {
        Some(value) => Ok(IntTuple::leaf(value)),
        None => Err(LayoutError::RunTimeLeaf),
    }
}

/// The parts of a tuple as a tuple.
pub(super) const fn enclosed(
    parts: Result<IntTuple, LayoutError>,
) -> Result<IntTuple, LayoutError> {
    Ok(attempt!(parts).parenthesised())
}

/// The parts of a tuple: the first one, and the others.
pub(super) const fn joined(
    head: Result<IntTuple, LayoutError>,
    tail: Result<IntTuple, LayoutError>,
) -> Result<IntTuple, LayoutError> {
    attempt!(head).push(&attempt!(tail))
}

macro_rules! leaf_tree {
    ($([$($generics:tt)*] $leaf:ty;)+) => {$(
        impl<$($generics)*> Tree for $leaf {
            const TUPLE: Result<IntTuple, LayoutError> = leaf(<$leaf as Nat>::VALUE);
            type Zip<D: Tree> = D::ZipLeaf<$leaf>;
            type ZipLeaf<S: Nat> = S::Mode<$leaf>;
            type ZipTuple<H: Tree, T: TreeList> = Invalid<Incongruent<Cons<H, T>, $leaf>>;
            type Product = Self;
            type Extents = Cons<Mode<Self, One>, Nil>;
        }
    )+};
}
leaf_tree! {
    [] UTerm;
    [U: Nat] UInt<U, B0>;
    [U: Nat] UInt<U, B1>;
    [] Dyn;
    [E: Expression] Symbolic<E>;
}

impl Tree for Nil {
    const TUPLE: Result<IntTuple, LayoutError> = Err(LayoutError::EmptyTuple);
    type Zip<D: Tree> = Invalid<Incongruent<Nil, D>>;
    type ZipLeaf<S: Nat> = Invalid<Incongruent<S, Nil>>;
    type ZipTuple<H: Tree, T: TreeList> = Invalid<Incongruent<Cons<H, T>, Nil>>;
    type Product = One;
    type Extents = Nil;
}

impl TreeList for Nil {
    type Rank = UTerm;
    const PARTS: Result<IntTuple, LayoutError> = Ok(IntTuple::EMPTY);
    type ZipList<D: TreeList, S0: Tree, D0: Tree> = D::ZipListNil<S0, D0>;
    type ZipListCons<H: Tree, T: TreeList, S0: Tree, D0: Tree> = Invalid<Incongruent<S0, D0>>;
    type ZipListNil<S0: Tree, D0: Tree> = Nil;
}

impl<H: Tree, T: TreeList> Tree for Cons<H, T> {
    const TUPLE: Result<IntTuple, LayoutError> = enclosed(<Self as TreeList>::PARTS);
    type Zip<D: Tree> = D::ZipTuple<H, T>;
    type ZipLeaf<S: Nat> = Invalid<Incongruent<S, Self>>;
    type ZipTuple<SH: Tree, ST: TreeList> = Cons<SH::Zip<H>, ST::ZipList<T, Cons<SH, ST>, Self>>;
    type Product = NatMul<H::Product, T::Product>;
    type Extents = <T::Extents as FlatList>::Push<H::Product, One>;
}

impl<H: Tree, T: TreeList> TreeList for Cons<H, T> {
    type Rank = <T::Rank as Nat>::Succ;
    const PARTS: Result<IntTuple, LayoutError> = joined(H::TUPLE, T::PARTS);
    type ZipList<D: TreeList, S0: Tree, D0: Tree> = D::ZipListCons<H, T, S0, D0>;
    type ZipListCons<SH: Tree, ST: TreeList, S0: Tree, D0: Tree> =
        Cons<SH::Zip<H>, ST::ZipList<T, S0, D0>>;
    type ZipListNil<S0: Tree, D0: Tree> = Invalid<Incongruent<S0, D0>>;
}

impl<R: Reason> Tree for Invalid<R> {
    const TUPLE: Result<IntTuple, LayoutError> = Err(R::ERROR);
    type Zip<D: Tree> = Self;
    type ZipLeaf<S: Nat> = Self;
    type ZipTuple<H: Tree, T: TreeList> = Self;
    type Product = One;
    type Extents = Self;
}

impl<R: Reason> TreeList for Invalid<R> {
    type Rank = UTerm;
    const PARTS: Result<IntTuple, LayoutError> = Err(R::ERROR);
    type ZipList<D: TreeList, S0: Tree, D0: Tree> = Self;
    type ZipListCons<H: Tree, T: TreeList, S0: Tree, D0: Tree> = Self;
    type ZipListNil<S0: Tree, D0: Tree> = Self;
}

reasons! {
    /// A shape and a stride, or parts of them, with different nesting.
    Incongruent<S: Tree, D: Tree> with shape = S::TUPLE, with stride = D::TUPLE,
        => match DynLayout::new(&shape, &stride) {
            Err(error) => error,
            Ok(_) => LayoutError::StrideNesting { shape, stride },
        },
        else Congruent: "the shape and the stride of this layout are nested differently",
        "write one stride for each extent, nested in the same way";
}
