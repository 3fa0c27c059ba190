//! The modes of a layout as a type: extent and stride paired at the leaves.
//!
//! The algebra works on these trees. [`Layout`](super::Layout) has shape and stride apart, as
//! users write them; `Zip` makes the pairs, and [`ModeTree::Shape`] and [`ModeTree::Stride`] take
//! them apart again.

use core::fmt;
use core::marker::PhantomData;

use typenum::UTerm;

use super::compose::{RightOperand, RightOperandList};
use super::coordinate::{Domain, DomainList};
use super::flat::FlattenTree;
use super::nat::{Nat, NatAdd, NatMul, One};
use super::reason::{Invalid, Reason};
use super::tiler::{TiledList, TiledTree};
use super::tree::{Cons, Nil, Tree, TreeList};
use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;

/// A leaf of a layout: the extent `S` and the stride `D`.
#[derive(Debug)]
pub struct Mode<S, D>(PhantomData<(S, D)>);

/// A tree of modes: a [`Mode`], or a [`Cons`] list of trees.
pub trait ModeTree: Domain<Values: Default> + FlattenTree + RightOperand + TiledTree {
    /// The first reason why there is no such layout.
    const ERROR: Option<LayoutError>;
    /// The extents.
    type Shape: Tree;
    /// The strides.
    type Stride: Tree;
    /// The product of the extents.
    type Size: Nat;
    /// The largest offset: `sum of (s - 1) * d`.
    type LastOffset: Nat;

    /// The shape, from the values of the run-time leaves.
    fn shape(values: &Self::Values) -> Result<IntTuple, LayoutError>;
    /// The stride, from the values of the run-time leaves.
    fn stride(values: &Self::Values) -> Result<IntTuple, LayoutError>;
    /// What is stored for the leaves of `layout` from leaf `next` on, which moves behind them.
    fn fill(layout: &DynLayout, next: &mut usize) -> Self::Values;
    /// Prints the shape or the stride.
    fn print(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// What [`ModeTree::print`] prints.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// The extents.
    Shape,
    /// The strides.
    Stride,
}

/// A [`ModeTree`] that is a tuple, or the rest of one.
pub trait ModeList:
    ModeTree<Shape = Self::ShapeList, Stride = Self::StrideList>
    + DomainList
    + RightOperandList
    + TiledList
{
    /// [`ModeTree::Shape`] as a list.
    type ShapeList: TreeList;
    /// [`ModeTree::Stride`] as a list.
    type StrideList: TreeList;
    /// Why the list does not end: it concerns the tuple, and goes before what concerns its parts.
    const END_ERROR: Option<LayoutError>;

    /// Appends the extents to `shape`.
    fn push_shape(values: &Self::Values, shape: IntTuple) -> Result<IntTuple, LayoutError>;
    /// Appends the strides to `stride`.
    fn push_stride(values: &Self::Values, stride: IntTuple) -> Result<IntTuple, LayoutError>;
    /// Prints the parts, each after a comma.
    fn print_rest(values: &Self::Values, part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<S: Nat, D: Nat> ModeTree for Mode<S, D> {
    const ERROR: Option<LayoutError> = None;
    type Shape = S;
    type Stride = D;
    type Size = S;
    type LastOffset = NatMul<S::Pred, D>;
    fn shape(values: &Self::Values) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::leaf(S::get(values.0)))
    }
    fn stride(values: &Self::Values) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::leaf(D::get(values.1)))
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
    type Size = One;
    type LastOffset = UTerm;
    fn shape((): &()) -> Result<IntTuple, LayoutError> {
        Err(LayoutError::EmptyTuple)
    }
    fn stride((): &()) -> Result<IntTuple, LayoutError> {
        Err(LayoutError::EmptyTuple)
    }
    fn fill(_: &DynLayout, _: &mut usize) {}
    fn print((): &(), _: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("()")
    }
}

impl ModeList for Nil {
    const END_ERROR: Option<LayoutError> = None;
    type ShapeList = Nil;
    type StrideList = Nil;
    fn push_shape((): &(), shape: IntTuple) -> Result<IntTuple, LayoutError> {
        Ok(shape)
    }
    fn push_stride((): &(), stride: IntTuple) -> Result<IntTuple, LayoutError> {
        Ok(stride)
    }
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
    type Size = NatMul<H::Size, T::Size>;
    type LastOffset = NatAdd<H::LastOffset, T::LastOffset>;
    fn shape(values: &Self::Values) -> Result<IntTuple, LayoutError> {
        Ok(Self::push_shape(values, IntTuple::EMPTY)?.parenthesised())
    }
    fn stride(values: &Self::Values) -> Result<IntTuple, LayoutError> {
        Ok(Self::push_stride(values, IntTuple::EMPTY)?.parenthesised())
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
    const END_ERROR: Option<LayoutError> = T::END_ERROR;
    type ShapeList = Cons<H::Shape, T::ShapeList>;
    type StrideList = Cons<H::Stride, T::StrideList>;
    fn push_shape(values: &Self::Values, shape: IntTuple) -> Result<IntTuple, LayoutError> {
        T::push_shape(&values.1, shape.push(&H::shape(&values.0)?)?)
    }
    fn push_stride(values: &Self::Values, stride: IntTuple) -> Result<IntTuple, LayoutError> {
        T::push_stride(&values.1, stride.push(&H::stride(&values.0)?)?)
    }
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
    type Size = One;
    type LastOffset = UTerm;
    fn shape((): &()) -> Result<IntTuple, LayoutError> {
        Err(R::ERROR)
    }
    fn stride((): &()) -> Result<IntTuple, LayoutError> {
        Err(R::ERROR)
    }
    fn fill(_: &DynLayout, _: &mut usize) {}
    fn print((): &(), _: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(R::ERROR.message().as_str())
    }
}

impl<R: Reason> ModeList for Invalid<R> {
    const END_ERROR: Option<LayoutError> = Some(R::ERROR);
    type ShapeList = Self;
    type StrideList = Self;
    fn push_shape((): &(), _: IntTuple) -> Result<IntTuple, LayoutError> {
        Err(R::ERROR)
    }
    fn push_stride((): &(), _: IntTuple) -> Result<IntTuple, LayoutError> {
        Err(R::ERROR)
    }
    fn print_rest((): &(), part: Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(",")?;
        Self::print(&(), part, f)
    }
}
