//! What a piece of notation stands for.

use core::fmt;

use crate::engine::{DynLayout, IntTuple, MorelloLayout, Tiler};
use crate::error::{LayoutError, NotationError};

/// What a piece of notation stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Value {
    /// An integer that is no extent of anything yet.
    Integer(usize),
    /// A shape, a stride or a profile.
    IntTuple(IntTuple),
    /// A layout.
    Layout(DynLayout),
    /// `<8, 4>`: a tiler that applies mode by mode.
    Tiler(Tiler),
    /// `[0, 1 p(4)]` without a shape.
    Morello(MorelloLayout),
}

/// What an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A layout, or a shape, which stands for its compact column-major layout.
    Layout,
    /// An integer or a tuple of integers.
    IntTuple,
    /// An integer, or a shape where every number is written out.
    Cotarget,
    /// A layout, or a tiler `<..>`.
    Tiler,
}

impl Kind {
    /// Whether a layout is of this kind.
    pub const fn is_layout(self) -> bool {
        matches!(self, Self::Layout | Self::Tiler)
    }

    /// What it takes, with an article.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Layout => "a layout",
            Self::IntTuple | Self::Cotarget => "an integer or a tuple of integers",
            Self::Tiler => "a layout or a tiler",
        }
    }
}

impl Value {
    /// What it is, with an article.
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::Integer(_) => "an integer",
            Self::IntTuple(_) => "a tuple of integers",
            Self::Layout(_) => "a layout",
            Self::Tiler(_) => "a tiler",
            Self::Morello(_) => "a Morello layout without a shape",
        }
    }

    const fn is_not(&self, kind: Kind) -> LayoutError {
        let (expected, found) = (kind.describe(), self.describe());
        match self {
            Self::Morello(_) => LayoutError::Notation(NotationError::ShapeNeeded),
            _ => LayoutError::Notation(NotationError::Kind { expected, found }),
        }
    }

    /// As a layout: a shape stands for its compact column-major layout.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else, and
    /// [`LayoutError::SizeOverflow`].
    pub fn layout(&self) -> Result<DynLayout, LayoutError> {
        match self {
            Self::Layout(layout) => Ok(*layout),
            Self::Integer(_) | Self::IntTuple(_) => DynLayout::make(&self.int_tuple()?),
            _ => Err(self.is_not(Kind::Layout)),
        }
    }

    /// As an integer or a tuple of integers.
    ///
    /// # Errors
    ///
    /// [`NotationError::Kind`] or [`NotationError::ShapeNeeded`] for something else.
    pub fn int_tuple(&self) -> Result<IntTuple, LayoutError> {
        match self {
            Self::Integer(n) => Ok(IntTuple::leaf(*n)),
            Self::IntTuple(t) => Ok(*t),
            _ => Err(self.is_not(Kind::IntTuple)),
        }
    }

    /// As a tiler: a layout is one, and the integer `n` is `n:1`.
    ///
    /// # Errors
    ///
    /// [`NotationError::AmbiguousTiler`] for a tuple of integers, [`NotationError::ShapeNeeded`].
    pub fn tiler(&self) -> Result<Tiler, LayoutError> {
        match self {
            Self::Tiler(tiler) => Ok(*tiler),
            Self::Layout(layout) => Ok(Tiler::layout(layout)),
            Self::Integer(n) => {
                let layout = DynLayout::new(&IntTuple::leaf(*n), &IntTuple::leaf(1))?;
                Ok(Tiler::layout(&layout))
            }
            Self::IntTuple(shape) => Err(NotationError::AmbiguousTiler { shape: *shape }.into()),
            Self::Morello(_) => Err(self.is_not(Kind::Tiler)),
        }
    }
}

impl From<DynLayout> for Value {
    fn from(layout: DynLayout) -> Self {
        Self::Layout(layout)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(n) => n.fmt(f),
            Self::IntTuple(t) => t.fmt(f),
            Self::Layout(l) => l.fmt(f),
            Self::Tiler(t) => t.fmt(f),
            Self::Morello(m) => m.fmt(f),
        }
    }
}
