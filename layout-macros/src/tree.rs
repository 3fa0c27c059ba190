//! Shapes and strides with leaves that are known to the compiler or at run time.

use std::ops::Range;

use layout_core::engine::{IntTuple, MAX_LEAVES, MAX_SIZE};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{Expr, Node, outline};
use proc_macro2::TokenStream;

use crate::lower::Lowering;
use crate::tokens::Place;

/// A leaf of a shape or stride.
#[derive(Clone)]
pub(crate) enum Leaf {
    /// An integer literal.
    Static(usize),
    /// A type-level integer, such as a typenum integer.
    Type(TokenStream),
    /// A run-time leaf in a type (`_`).
    Hole,
    /// A run-time leaf in a value: an expression of type `usize`.
    Value(TokenStream),
}

/// A shape or stride.
#[derive(Clone)]
pub(crate) enum Tree {
    Leaf(Leaf),
    Tuple(Vec<Self>),
}

impl Tree {
    /// The leaves from left to right.
    pub(crate) fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Self::Leaf(leaf) => vec![leaf],
            Self::Tuple(parts) => parts.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// The same tree with each leaf replaced.
    pub(crate) fn map(&self, leaf: &mut impl FnMut(&Leaf) -> Leaf) -> Self {
        match self {
            Self::Leaf(old) => Self::Leaf(leaf(old)),
            Self::Tuple(parts) => Self::Tuple(parts.iter().map(|part| part.map(leaf)).collect()),
        }
    }
}

impl From<&IntTuple> for Tree {
    fn from(tuple: &IntTuple) -> Self {
        if tuple.is_int() {
            return Self::Leaf(Leaf::Static(tuple.leaves()[0]));
        }
        Self::Tuple((0..tuple.rank()).map(|i| Self::from(&tuple.mode(i))).collect())
    }
}

impl Lowering<'_> {
    /// Reads a shape or stride.
    pub(crate) fn tree(&mut self, expr: &Expr<Place>) -> Option<Tree> {
        Some(match &expr.node {
            Node::Tuple(parts) if parts.is_empty() => {
                self.fail(&expr.span, LayoutError::EmptyTuple)?
            }
            Node::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.tree(part)).collect();
                Tree::Tuple(parts.into_iter().collect::<Option<_>>()?)
            }
            _ => Tree::Leaf(self.leaf(expr)?),
        })
    }

    /// Reads one leaf.
    pub(crate) fn leaf(&mut self, expr: &Expr<Place>) -> Option<Leaf> {
        Some(match &expr.node {
            Node::Integer(n) => Leaf::Static(*n),
            Node::Hole => Leaf::Hole,
            Node::Name(name, tokens) if is_value_name(name) => {
                self.run_time_value(expr, tokens.clone())
            }
            Node::Name(_, tokens) => Leaf::Type(self.source.rust(tokens.clone())),
            Node::Value(token) => self.run_time_value(expr, *token..token + 1),
            Node::Type(token) => Leaf::Type(self.source.rust(*token..token + 1)),
            _ => {
                let (expected, found) = ("an integer or a tuple of integers", expr.describe());
                self.fail(&expr.span, NotationError::Kind { expected, found })?
            }
        })
    }

    /// A leaf that is a Rust expression.
    fn run_time_value(&mut self, expr: &Expr<Place>, tokens: Range<usize>) -> Leaf {
        let tokens = self.source.rust(tokens);
        self.value.get_or_insert_with(|| (expr.span.clone(), tokens.to_string()));
        Leaf::Value(tokens)
    }

    /// Checks of a shape and its stride that do not need the values of open leaves.
    pub(crate) fn check_known(
        &mut self,
        shape: (&Expr<Place>, &Tree),
        stride: Option<(&Expr<Place>, &Tree)>,
    ) -> Option<()> {
        let (extents, outlined) = (shape.1.leaves(), outline(shape.0));
        if extents.len() > MAX_LEAVES {
            return self.fail(&shape.0.span, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        let shape_tuple = outlined?;
        let mut size = 1usize;
        for extent in &extents {
            let Leaf::Static(extent) = extent else { continue };
            size = match size.checked_mul(*extent).filter(|&size| size <= MAX_SIZE) {
                Some(size) => size,
                None => {
                    let error = LayoutError::SizeOverflow { shape: shape_tuple };
                    return self.fail(&shape.0.span, error);
                }
            };
        }
        let Some((stride, steps)) = stride else { return Some(()) };
        let mut last = Some(0usize);
        for (extent, step) in extents.iter().zip(steps.leaves()) {
            let (Leaf::Static(extent), Leaf::Static(step)) = (extent, step) else { continue };
            let reach = extent.saturating_sub(1).checked_mul(*step);
            last = last.zip(reach).and_then(|(last, reach)| last.checked_add(reach));
        }
        match last {
            Some(last) if last < MAX_SIZE => Some(()),
            _ => {
                let (shape, stride_tuple) = (shape_tuple, outline(stride)?);
                let error = LayoutError::CosizeOverflow { shape, stride: stride_tuple };
                self.fail(&stride.span, error)
            }
        }
    }
}

/// Whether a path names a value. Names of values start in lower case, names of types do not. An
/// all-capitals name is a constant if it contains `_`, otherwise a type.
pub(crate) fn is_value_name(path: &str) -> bool {
    let name = path.rsplit("::").next().unwrap_or(path);
    name.starts_with(|c: char| c == '_' || c.is_lowercase())
        || name.contains('_') && !name.contains(char::is_lowercase)
}
