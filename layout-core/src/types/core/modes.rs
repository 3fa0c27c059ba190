//! The modes of a layout as a type: extent and stride paired at the leaves.
//!
//! The algebra works on these trees. [`Layout`](crate::types::Layout) has shape and stride
//! separately, as users write them. `Zip` pairs them, and [`ModeTree::Shape`] and
//! [`ModeTree::Stride`] separate them again.

use core::fmt;
use core::marker::PhantomData;

use typenum::UTerm;

use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;
use crate::types::core::closed::{ClosedModeList, ClosedModeTree};
use crate::types::core::domain::{Domain, DomainList};
use crate::types::core::flat::FlattenTree;
use crate::types::core::guard::{GuardList, GuardTree};
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::leafwise::{Leafwise, LeafwiseList};
use crate::types::core::nat::{Nat, NatAdd, NatMul, One};
use crate::types::core::sealed::Sealed;
use crate::types::core::symbolic::{Extent, Stride, Variables};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList, enclosed, joined};
use crate::types::core::visit::MatchModes;

/// A leaf of a layout: the extent `S` and the stride `D`.
#[derive(Debug)]
pub struct Mode<S, D>(PhantomData<(S, D)>);
impl<S, D> Sealed for Mode<S, D> {}

/// A tree of modes: a [`Mode`], or a [`Cons`] list of trees.
pub trait ModeTree:
    ClosedModeTree + Domain<Values: Default> + FlattenTree + Leafwise + GuardTree
{
    /// The first reason why this layout does not exist.
    const ERROR: Option<LayoutError>;
    /// The extents.
    type Shape: Tree;
    /// The strides.
    type Stride: Tree;
    /// The number of modes of a tuple; 0 for a leaf.
    type TupleRank: Nat;
    /// The product of the extents.
    type Size: Nat;
    /// The largest offset: `sum of (s - 1) * d`.
    type LastOffset: Nat;

    /// A tuple with the nesting of the modes and leaves 0.
    const PROFILE: Result<IntTuple, LayoutError>;

    /// These modes with the run-time leaves named, as variables from `I` on.
    type Symbols<I: Nat>: ModeTree;
    /// The next free variable after naming these modes.
    type NextSymbol<I: Nat>: Nat;

    /// Writes the leaves. The inverse of [`fill`](Self::fill). There is room: a `PROFILE` with more leaves
    /// is an error.
    fn write_leaves(values: &Self::Values, leaves: &mut LeafWriter<'_>);
    /// Evaluates the leaves, which are expressions in the operands' leaves, and writes them. `None` if a
    /// number does not fit.
    fn evaluate(from: &Variables, leaves: &mut LeafWriter<'_>) -> Option<()>;
    /// The stored values for the leaves of `layout` from leaf `next` on. Advances `next`.
    fn fill(layout: &DynLayout, next: &mut usize) -> Self::Values;
    /// Prints the shape or the stride.
    fn print(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// Writes the extents and the strides of a layout's leaves, one leaf after the other.
#[derive(Debug)]
pub struct LeafWriter<'a> {
    extents: &'a mut [usize],
    strides: &'a mut [usize],
    next: usize,
}

impl<'a> LeafWriter<'a> {
    /// Writes from leaf `next` on.
    #[inline]
    pub(crate) const fn new([extents, strides]: [&'a mut [usize]; 2], next: usize) -> Self {
        Self { extents, strides, next }
    }

    /// The next leaf.
    #[inline]
    pub(crate) const fn next(&self) -> usize {
        self.next
    }

    /// Writes a leaf. `None` if there is no room.
    #[inline]
    pub(crate) fn push(&mut self, extent: usize, stride: usize) -> Option<()> {
        *self.extents.get_mut(self.next)? = extent;
        *self.strides.get_mut(self.next)? = stride;
        self.next += 1;
        Some(())
    }
}

/// The part that [`ModeTree::print`] prints.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// The extents.
    Shape,
    /// The strides.
    Stride,
}

/// A [`ModeTree`] that is a tuple, or the rest of one.
pub trait ModeList:
    ClosedModeList
    + ModeTree<Shape = Self::ShapeList, Stride = Self::StrideList>
    + DomainList
    + MatchModes
    + LeafwiseList
    + GuardList
{
    /// [`ModeTree::Shape`] as a list.
    type ShapeList: TreeList;
    /// [`ModeTree::Stride`] as a list.
    type StrideList: TreeList;
    /// [`ModeTree::Symbols`] as a list.
    type SymbolsList<I: Nat>: ModeList;
    /// The error if the list does not end properly. It concerns the whole tuple, and precedes errors
    /// of its parts.
    const END_ERROR: Option<LayoutError>;

    /// [`ModeTree::PROFILE`] without the parentheses.
    const PROFILE_PARTS: Result<IntTuple, LayoutError>;

    /// Prints the parts, each after a comma.
    fn print_rest(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<S: Nat, D: Nat> ModeTree for Mode<S, D> {
    const ERROR: Option<LayoutError> = None;
    type Shape = S;
    type Stride = D;
    type TupleRank = UTerm;
    type Size = S;
    type LastOffset = NatMul<S::Pred, D>;
    const PROFILE: Result<IntTuple, LayoutError> = Ok(IntTuple::leaf(0));
    type Symbols<I: Nat> = Mode<S::Named<Extent<I>>, D::Named<Stride<I>>>;
    type NextSymbol<I: Nat> = I::Succ;
    #[inline]
    fn evaluate(from: &Variables, leaves: &mut LeafWriter<'_>) -> Option<()> {
        leaves.push(S::evaluate(from)?, D::evaluate(from)?)
    }
    #[inline]
    fn write_leaves(values: &Self::Values, leaves: &mut LeafWriter<'_>) {
        leaves.push(S::get(values.0), D::get(values.1));
    }
    fn fill(layout: &DynLayout, next: &mut usize) -> Self::Values {
        let leaf = *next;
        *next += 1;
        (S::put(layout.extents()[leaf]), D::put(layout.strides()[leaf]))
    }
    fn print(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match part {
            Part::Shape => S::get(values.0),
            Part::Stride => D::get(values.1),
        };
        write!(f, "{number}")
    }
}

impl ModeTree for Nil {
    const ERROR: Option<LayoutError> = None;
    type Shape = Nil;
    type Stride = Nil;
    type TupleRank = UTerm;
    type Size = One;
    type LastOffset = UTerm;
    const PROFILE: Result<IntTuple, LayoutError> = Err(LayoutError::EmptyTuple);
    type Symbols<I: Nat> = Nil;
    type NextSymbol<I: Nat> = I;
    fn evaluate(_: &Variables, _: &mut LeafWriter<'_>) -> Option<()> {
        Some(())
    }
    #[inline]
    fn write_leaves((): &(), _: &mut LeafWriter<'_>) {}
    fn fill(_: &DynLayout, _: &mut usize) {}
    fn print((): &(), _: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("()")
    }
}

impl ModeList for Nil {
    type SymbolsList<I: Nat> = Nil;
    const END_ERROR: Option<LayoutError> = None;
    type ShapeList = Nil;
    type StrideList = Nil;
    const PROFILE_PARTS: Result<IntTuple, LayoutError> = Ok(IntTuple::EMPTY);
    fn print_rest((): &(), _: Part, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl<H: ModeTree, T: ModeList> ModeTree for Cons<H, T> {
    const ERROR: Option<LayoutError> = match (T::END_ERROR, H::ERROR) {
        (Some(error), _) | (None, Some(error)) => Some(error),
        (None, None) => T::ERROR,
    };
    type Shape = Cons<H::Shape, T::ShapeList>;
    type Stride = Cons<H::Stride, T::StrideList>;
    type TupleRank = <T::TupleRank as Nat>::Succ;
    type Size = NatMul<H::Size, T::Size>;
    type LastOffset = NatAdd<H::LastOffset, T::LastOffset>;
    const PROFILE: Result<IntTuple, LayoutError> = enclosed(<Self as ModeList>::PROFILE_PARTS);
    type Symbols<I: Nat> = Cons<H::Symbols<I>, T::SymbolsList<H::NextSymbol<I>>>;
    type NextSymbol<I: Nat> = T::NextSymbol<H::NextSymbol<I>>;
    #[inline]
    fn evaluate(from: &Variables, leaves: &mut LeafWriter<'_>) -> Option<()> {
        H::evaluate(from, leaves)?;
        T::evaluate(from, leaves)
    }
    #[inline]
    fn write_leaves(values: &Self::Values, leaves: &mut LeafWriter<'_>) {
        H::write_leaves(&values.0, leaves);
        T::write_leaves(&values.1, leaves);
    }
    fn fill(layout: &DynLayout, next: &mut usize) -> Self::Values {
        (H::fill(layout, next), T::fill(layout, next))
    }
    fn print(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        H::print(&values.0, part, f)?;
        T::print_rest(&values.1, part, f)?;
        f.write_str(")")
    }
}

impl<H: ModeTree, T: ModeList> ModeList for Cons<H, T> {
    type SymbolsList<I: Nat> = Cons<H::Symbols<I>, T::SymbolsList<H::NextSymbol<I>>>;
    const END_ERROR: Option<LayoutError> = T::END_ERROR;
    type ShapeList = Cons<H::Shape, T::ShapeList>;
    type StrideList = Cons<H::Stride, T::StrideList>;
    const PROFILE_PARTS: Result<IntTuple, LayoutError> = joined(H::PROFILE, T::PROFILE_PARTS);
    fn print_rest(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(",")?;
        H::print(&values.0, part, f)?;
        T::print_rest(&values.1, part, f)
    }
}

impl<R: Reason> ModeTree for Invalid<R> {
    const ERROR: Option<LayoutError> = Some(R::ERROR);
    type Shape = Self;
    type Stride = Self;
    type TupleRank = UTerm;
    type Size = One;
    type LastOffset = UTerm;
    const PROFILE: Result<IntTuple, LayoutError> = Err(R::ERROR);
    type Symbols<I: Nat> = Self;
    type NextSymbol<I: Nat> = I;
    fn evaluate(_: &Variables, _: &mut LeafWriter<'_>) -> Option<()> {
        None
    }
    fn write_leaves((): &(), _: &mut LeafWriter<'_>) {}
    fn fill(_: &DynLayout, _: &mut usize) {}
    fn print((): &(), _: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(R::ERROR.message().as_str())
    }
}

impl<R: Reason> ModeList for Invalid<R> {
    type SymbolsList<I: Nat> = Self;
    const END_ERROR: Option<LayoutError> = Some(R::ERROR);
    type ShapeList = Self;
    type StrideList = Self;
    const PROFILE_PARTS: Result<IntTuple, LayoutError> = Err(R::ERROR);
    fn print_rest((): &(), part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(",")?;
        Self::print(&(), part, f)
    }
}

/// The modes as a value, or the error if they are not a valid layout.
pub(crate) const fn checked<M: ModeTree>() -> Result<DynLayout, LayoutError> {
    if let Some(error) = M::ERROR {
        return Err(error);
    }
    match (M::Shape::TUPLE, M::Stride::TUPLE) {
        (Ok(shape), Ok(stride)) => DynLayout::new(&shape, &stride),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}
