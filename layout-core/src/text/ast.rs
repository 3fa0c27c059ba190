//! The syntax tree of the notation, before its parts are evaluated.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::devices::tenstorrent::TensorType;
use crate::engine::{LinearLayout, PhysDim, Vector};
use crate::text::operations::Operation;
use crate::text::token::Span;
use crate::text::value::Kind;

/// A piece of notation and its place.
#[derive(Clone, Debug)]
pub struct Expr<S> {
    /// The node.
    pub node: Node<S>,
    /// Its place.
    pub span: S,
}

/// The kinds of pieces of notation.
#[derive(Clone, Debug)]
pub enum Node<S> {
    /// `8` or `_8`
    Integer(usize),
    /// `-8`, `2@1` or `1@0-2@1`: a stride with a sign or a direction.
    Step(Box<Vector>),
    /// `_`
    Hole,
    /// `?`: a number that is known at run time.
    Unknown,
    /// `n`, `N` or `typenum::U4`: its text, and the tokens it was written with.
    Name(String, Range<usize>),
    /// A Rust expression: the index of its token.
    Value(usize),
    /// A Rust type: the index of its token.
    Type(usize),
    /// `(a, b)`
    Tuple(Vec<Expr<S>>),
    /// `shape:stride`
    Pair(Box<Expr<S>>, Box<Expr<S>>),
    /// `<a, b>`
    Tiler(Vec<Expr<S>>),
    /// `A o B o C`
    Compose(Vec<Expr<S>>),
    /// `operation(a, b)`: the name, its place, the arguments.
    Call(String, S, Vec<Expr<S>>),
    /// `Sw<3, 0, 3>`
    Swizzle(u32, u32, i32),
    /// `(12):(1) @ 36`
    At(Box<Expr<S>>, Box<Expr<S>>),
    /// `[-1, 0]` or `[(0,0), (1,0)]`. A list that could be a Morello layout is parsed as one.
    List(Vec<Expr<S>>),
    /// `[1, 0, 1 p(4)] for (6, 8)`
    Morello(Vec<Part<S>>, Option<Box<Expr<S>>>),
    /// `spyre { size: [512], dtype: f16 }`
    Spyre(Vec<Field<S>>),
    /// `tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>>>`
    Tenstorrent(Box<TensorType>),
    /// `#ttg.linear<{register = [[1], [2]], lane = [[4]]}>`
    Linear(Box<LinearLayout>),
}

/// A field of a notation in braces, `size: [512]`.
#[derive(Clone, Debug)]
pub struct Field<S> {
    /// Its name.
    pub name: String,
    /// The place of its name.
    pub place: S,
    /// The value after the colon.
    pub value: Expr<S>,
}

/// One physical dimension of a Morello layout.
#[derive(Clone, Debug)]
pub struct Part<S> {
    /// The logical dimension that it is a part of.
    pub dimension: usize,
    /// Its kind and size.
    pub kind: PhysDim,
    /// The place of the whole part.
    pub span: S,
}

impl<S: Span> Expr<S> {
    /// Whether this is syntactically a shape or a stride: an integer, another leaf, or a tuple of
    /// them. `(A)` around anything else only groups.
    pub fn is_int_tuple(&self) -> bool {
        match &self.node {
            Node::Integer(_)
            | Node::Step(_)
            | Node::Hole
            | Node::Unknown
            | Node::Name(..)
            | Node::Value(_)
            | Node::Type(_) => true,
            Node::Tuple(parts) => parts.len() != 1 || parts[0].is_int_tuple(),
            _ => false,
        }
    }

    /// Description for errors, with an article.
    pub fn describe(&self) -> &'static str {
        match &self.node {
            Node::Integer(_) => "an integer",
            Node::Step(_) => "a stride",
            Node::List(_) => "a list",
            Node::At(..) => "a layout with an offset",
            Node::Hole | Node::Unknown | Node::Value(_) => "a run-time value",
            Node::Name(..) => "a name",
            Node::Type(_) => "a type",
            Node::Tuple(_) if self.is_int_tuple() => "a tuple of integers",
            Node::Tiler(_) => "a tiler",
            Node::Swizzle(..) => "a swizzle",
            Node::Spyre(_) => "a Spyre layout",
            Node::Tenstorrent(_) => "a metal layout",
            Node::Linear(_) => "a linear layout",
            _ => "a layout",
        }
    }

    /// The expression without grouping parentheses.
    pub fn ungrouped(&self) -> &Self {
        match &self.node {
            Node::Tuple(parts) if parts.len() == 1 && !parts[0].is_int_tuple() => {
                parts[0].ungrouped()
            }
            _ => self,
        }
    }

    /// Whether every number in it is a literal.
    pub fn is_literal(&self) -> bool {
        match &self.node {
            // The fields of a Spyre layout are always literals.
            Node::Integer(_)
            | Node::Step(_)
            | Node::Swizzle(..)
            | Node::Spyre(_)
            | Node::Tenstorrent(_)
            | Node::Linear(_) => true,
            Node::Hole | Node::Unknown | Node::Name(..) | Node::Value(_) | Node::Type(_) => false,
            Node::Pair(a, b) | Node::At(a, b) => a.is_literal() && b.is_literal(),
            // `_` in a tiler, or as one, counts as a literal: it keeps a mode.
            Node::Tiler(parts) | Node::Compose(parts) => {
                parts.iter().all(|part| matches!(part.node, Node::Hole) || part.is_literal())
            }
            Node::Tuple(parts) | Node::List(parts) => parts.iter().all(Self::is_literal),
            Node::Call(name, _, args) => {
                let kinds = Operation::find(name).map_or(&[][..], |operation| operation.params);
                args.iter().enumerate().all(|(i, arg)| match kinds.get(i) {
                    // `_` in a coordinate counts as a literal as well.
                    Some(Kind::Slicer) => arg.is_literal_coordinate(),
                    Some(kind) if kind.may_keep() => {
                        matches!(arg.node, Node::Hole) || arg.is_literal()
                    }
                    _ => arg.is_literal(),
                })
            }
            Node::Morello(_, shape) => shape.as_ref().is_none_or(|shape| shape.is_literal()),
        }
    }

    /// Whether a number in this tuple, or layout, is `?`.
    pub(crate) fn has_unknown(&self) -> bool {
        match &self.node {
            Node::Unknown => true,
            Node::Tuple(parts) => parts.iter().any(Self::has_unknown),
            Node::Pair(a, b) | Node::At(a, b) => a.has_unknown() || b.has_unknown(),
            _ => false,
        }
    }

    /// Whether an integer in this tuple has a sign, or a direction.
    pub(crate) fn has_sign(&self) -> bool {
        match &self.node {
            Node::Step(_) => true,
            Node::Tuple(parts) => parts.iter().any(Self::has_sign),
            _ => false,
        }
    }

    /// Calls `found` for each stride that has a sign or a direction. The flag is true if it is
    /// inside the stride of a layout.
    pub fn for_each_step(&self, found: &mut impl FnMut(&Self, bool)) {
        self.find_steps(false, found);
    }

    fn find_steps(&self, in_stride: bool, found: &mut impl FnMut(&Self, bool)) {
        match &self.node {
            Node::Step(_) => found(self, in_stride),
            Node::Pair(shape, stride) => {
                shape.find_steps(false, found);
                stride.find_steps(true, found);
            }
            Node::At(layout, offset) => {
                layout.find_steps(false, found);
                offset.find_steps(false, found);
            }
            Node::Tuple(parts) => parts.iter().for_each(|part| part.find_steps(in_stride, found)),
            Node::Tiler(parts)
            | Node::Compose(parts)
            | Node::Call(_, _, parts)
            | Node::List(parts) => parts.iter().for_each(|part| part.find_steps(false, found)),
            Node::Morello(_, Some(shape)) => shape.find_steps(false, found),
            _ => {}
        }
    }

    fn is_literal_coordinate(&self) -> bool {
        match &self.node {
            Node::Hole => true,
            Node::Tuple(parts) => parts.iter().all(Self::is_literal_coordinate),
            _ => self.is_literal(),
        }
    }
}
