//! Finds the argument of an operation that an error is about, so that the error points there and not
//! at the whole call.

use crate::engine::Vector;
use crate::error::{AlgebraError, LayoutError, Operand, Place};
use crate::text::ast::{Expr, Node};
use crate::text::operations::Operation;
use crate::text::token::Span;
use crate::text::value::Kind;

/// The arguments of a call, as far as they are present in the source.
pub(super) struct Arguments<'e, S> {
    pub(super) operation: &'e Operation,
    /// The arguments. `None` for a value that is not an expression of its own.
    pub(super) args: &'e [Option<&'e Expr<S>>],
}

/// The part of a layout that an error is about.
#[derive(Clone, Copy)]
enum Part {
    Extent,
    Stride,
    Both,
}

impl Part {
    /// The part of a layout that is spelled out; anything else as it is.
    fn of<S: Span>(self, expr: &Expr<S>) -> &Expr<S> {
        match (&expr.ungrouped().node, self) {
            (Node::Pair(shape, _), Self::Extent) => shape,
            (Node::Pair(_, stride), Self::Stride) => stride,
            _ => expr,
        }
    }
}

impl<'e, S: Span> Arguments<'e, S> {
    /// The place of the argument that does not fit. `None` if there is no such argument, or more
    /// than one.
    #[inline(never)]
    pub(super) fn culprit(&self, error: &LayoutError) -> Option<S> {
        match error {
            LayoutError::CompositionCarry { place, .. } => self.operand(place, Part::Extent),
            LayoutError::CompositionOverlap { place, .. } => self.operand(place, Part::Both),
            LayoutError::ComplementOverlap { place, .. } => self.operand(place, Part::Stride),
            LayoutError::TilerRank { mode, .. } | LayoutError::KeepNeedsPair { mode, .. } => {
                Some(mode_of(self.args.get(1).copied()??, *mode).span.clone())
            }
            LayoutError::CoordinateOutOfRange { coordinate, .. } => {
                Some(only(self.coordinate()?, *coordinate).span.clone())
            }
            LayoutError::CoordinateProfile { .. } => Some(self.coordinate()?.span.clone()),
            LayoutError::ProfileRank { .. } => self.span(1),
            LayoutError::ZeroExtent => self.zero(0),
            LayoutError::Algebra(error) => self.culprit_of(error),
            _ => None,
        }
    }

    fn culprit_of(&self, error: &AlgebraError) -> Option<S> {
        match error {
            AlgebraError::SliceProfile { .. } | AlgebraError::NothingKept { .. } => {
                Some(self.coordinate()?.span.clone())
            }
            AlgebraError::ModeRange { .. } => Some(self.span(1)?.to(&self.span(2)?)),
            AlgebraError::ModeIndex { mode, .. } => {
                Some(only(self.args.get(1).copied()??, *mode).span.clone())
            }
            AlgebraError::WindowEntry { mode, .. } | AlgebraError::WindowReach { mode, .. } => {
                Some(mode_of(self.args.get(1).copied()??, *mode).span.clone())
            }
            AlgebraError::TargetRemainder { mode, .. }
            | AlgebraError::BroadcastExtent { mode, .. } => {
                Some(mode_of(self.args.get(1).copied()??, Some(*mode)).span.clone())
            }
            AlgebraError::NoMatrix { .. } => self.span(0),
            AlgebraError::LeafCount { .. }
            | AlgebraError::NoPermutation { .. }
            | AlgebraError::BroadcastRank { .. }
            | AlgebraError::ShapeDivRank { .. }
            | AlgebraError::TargetRank { .. } => self.span(1),
            AlgebraError::OrderProfile { .. } | AlgebraError::OrderTie { .. } => {
                self.span(self.args.len() - 1)
            }
            AlgebraError::NotInImage { .. } => match self.operation.name {
                "idx2crd" => self.span(0),
                _ => self.span(self.args.len() - 1),
            },
            AlgebraError::CotargetRank { .. } => self.span(1),
            AlgebraError::ZeroFactor { .. } => self.zero(1),
            AlgebraError::UpcastStride { stride, .. }
            | AlgebraError::InverseStride { stride, .. } => {
                Some(only(self.strides()?, *stride).span.clone())
            }
            AlgebraError::BackwardStride { stride, .. } => {
                Some(only_step(self.strides()?, |step| step.at(0).1 == *stride).span.clone())
            }
            AlgebraError::SlantedStride { first, second, .. } => {
                let slanted = |step: &Vector| {
                    step.len() > 1 && (step.at(0).0, step.at(1).0) == (*first, *second)
                };
                Some(only_step(self.strides()?, slanted).span.clone())
            }
            AlgebraError::DowncastGap { .. } | AlgebraError::DowncastChoice { .. } => {
                Some(self.strides()?.span.clone())
            }
            _ => None,
        }
    }

    fn span(&self, argument: usize) -> Option<S> {
        Some(self.args.get(argument).copied()??.span.clone())
    }

    /// The strides of the first argument, or the whole argument if its strides are not spelled out.
    fn strides(&self) -> Option<&'e Expr<S>> {
        let layout = self.args.first().copied()??;
        match &layout.ungrouped().node {
            Node::Pair(_, strides) => Some(strides),
            _ => Some(layout),
        }
    }

    /// The first 0 in the arguments from `start` on.
    fn zero(&self, start: usize) -> Option<S> {
        let zero = self.args.get(start..)?.iter().flatten().find_map(|arg| zero_extent(arg));
        zero.map(|zero| zero.span.clone())
    }

    /// The argument that is a coordinate.
    fn coordinate(&self) -> Option<&'e Expr<S>> {
        let slicer = self.operation.params.iter().position(|&kind| kind == Kind::Slicer);
        let argument = slicer.or(match self.operation.name {
            "crd2idx" | "idx2crd" | "crd2crd" => Some(0),
            "domain_offset" => Some(1),
            _ => None,
        })?;
        self.args.get(argument).copied()?
    }

    /// The operand at `place`, or the shape or stride in it that `part` selects.
    fn operand(&self, place: &Place, part: Part) -> Option<S> {
        let name = self.operation.name;
        // The operands of an intermediate operation may not be in the source.
        let involves_operation = match place.operation {
            "logical_divide" => name.ends_with("_divide") || name.starts_with("local_"),
            "logical_product" => name.ends_with("_product") || name == "tile_to_shape",
            of => of == name,
        };
        if !involves_operation {
            return None;
        }
        let first = matches!(place.operand, Operand::Layout | Operand::Block);
        let argument = self.args.get(usize::from(!first)).copied()??;
        if matches!(place.operand, Operand::Rest | Operand::TileAndRest) {
            return Some(mode_of(argument, place.by_mode).span.clone());
        }
        // A layout has the modes in its shape and its strides, a tiler has a layout for each mode.
        let numbers = part.of(mode_of(part.of(argument), place.by_mode));
        Some(match part {
            Part::Both => numbers.span.clone(),
            _ => mode_of(numbers, place.mode).span.clone(),
        })
    }
}

/// Mode `mode` of a tiler or a shape, if it is written as a tuple.
fn mode_of<S>(expr: &Expr<S>, mode: Option<usize>) -> &Expr<S> {
    match (&expr.node, mode) {
        (Node::Tiler(parts) | Node::Tuple(parts), Some(mode)) => parts.get(mode).unwrap_or(expr),
        _ => expr,
    }
}

/// The leaf of a tuple that equals this number if there is exactly one, else the whole tuple.
fn only<S>(expr: &Expr<S>, number: usize) -> &Expr<S> {
    only_leaf(expr, &|leaf| matches!(leaf, Node::Integer(n) if *n == number))
}

/// The leaf of strides that satisfies `is` if there is exactly one, else all strides.
fn only_step<S>(expr: &Expr<S>, is: impl Fn(&Vector) -> bool) -> &Expr<S> {
    only_leaf(expr, &|leaf| matches!(leaf, Node::Step(step) if is(step)))
}

/// The leaf of a tuple that satisfies `is` if there is exactly one, else the whole tuple.
fn only_leaf<'e, S>(expr: &'e Expr<S>, is: &dyn Fn(&Node<S>) -> bool) -> &'e Expr<S> {
    fn find<'e, S>(
        expr: &'e Expr<S>,
        is: &dyn Fn(&Node<S>) -> bool,
        found: &mut [Option<&'e Expr<S>>; 2],
    ) {
        match &expr.node {
            Node::Tuple(parts) => parts.iter().for_each(|part| find(part, is, found)),
            leaf if is(leaf) => *found = [Some(expr), found[0]],
            _ => {}
        }
    }
    let mut found = [None; 2];
    find(expr, is, &mut found);
    match found {
        [Some(leaf), None] => leaf,
        _ => expr,
    }
}

/// The first 0 among the extents and other integers that are not strides.
fn zero_extent<S>(expr: &Expr<S>) -> Option<&Expr<S>> {
    match &expr.node {
        Node::Integer(0) => Some(expr),
        Node::Pair(shape, _) => zero_extent(shape),
        Node::Tuple(parts) | Node::Tiler(parts) => parts.iter().find_map(zero_extent),
        _ => None,
    }
}
