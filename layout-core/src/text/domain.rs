//! Layouts of any kind, seen by the operations that change only the domain.

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, Swizzle};
use crate::error::{AlgebraError, LayoutError};
use crate::text::value::{Kind, Value};
use crate::text::wrong_kind;

/// A layout whose values are offsets, swizzled offsets, or integers and coordinates.
#[derive(Debug)]
pub(crate) enum Domain<'v> {
    Plain(DynLayout),
    Composed(&'v ComposedLayout),
    Coordinates(&'v CoordinateLayout),
}

/// A layout whose values are offsets, or integers and coordinates.
pub(crate) enum Strided<'v> {
    Plain(DynLayout),
    Coordinates(&'v CoordinateLayout),
}

impl Domain<'_> {
    /// Number of modes, depth and size are those of the layout that gives the domain.
    pub(crate) const fn facts(&self) -> (usize, usize, usize) {
        match self {
            Self::Plain(l) => (l.rank(), l.depth(), l.size()),
            Self::Composed(c) => (c.layout().rank(), c.layout().depth(), c.size()),
            Self::Coordinates(l) => (l.rank(), l.depth(), l.size()),
        }
    }
}

/// The result of an operation that changes the domain, for a layout of any kind.
macro_rules! on_domain {
    ($value:expr, $layout:ident => $result:expr) => {
        Ok(match $value.domain()? {
            $crate::text::domain::Domain::Plain($layout) => $result.into(),
            $crate::text::domain::Domain::Coordinates($layout) => $result.into(),
            $crate::text::domain::Domain::Composed(composed) => {
                let $layout = composed.layout();
                composed.with_layout(&$result)?.into()
            }
        })
    };
}

/// The result of an operation for a layout that is not swizzled.
macro_rules! on_strided {
    ($value:expr, $layout:ident => $result:expr) => {
        Ok(match $value.strided()? {
            $crate::text::domain::Strided::Plain($layout) => $result.into(),
            $crate::text::domain::Strided::Coordinates($layout) => $result.into(),
        })
    };
}

/// The result of an operation that gives a layout and where it starts: an offset, which stays
/// inside of a swizzle.
macro_rules! on_start {
    ($value:expr, $layout:ident => $result:expr) => {
        Ok(match $value.domain()? {
            $crate::text::domain::Domain::Plain($layout) => $result.into(),
            $crate::text::domain::Domain::Coordinates($layout) => $result.into(),
            $crate::text::domain::Domain::Composed(composed) => {
                let $layout = composed.layout();
                let (inside, offset) = $result;
                composed.moved(offset)?.with_layout(&inside)?.into()
            }
        })
    };
}

/// The result of an operation for two such layouts.
macro_rules! on_both {
    ($value:expr, $other:expr, ($layout:ident, $second:ident) => $result:expr) => {
        Ok(match ($value.strided()?, $other.strided()?) {
            (
                $crate::text::domain::Strided::Plain($layout),
                $crate::text::domain::Strided::Plain($second),
            ) => $result.into(),
            (one, other) => {
                let ($layout, $second) = (one.coordinates(), other.coordinates());
                $result.into()
            }
        })
    };
}

pub(crate) use {on_both, on_domain, on_start, on_strided};

impl Strided<'_> {
    #[inline(never)]
    pub(crate) fn coordinates(&self) -> CoordinateLayout {
        match self {
            Self::Plain(layout) => CoordinateLayout::of_offsets(layout),
            Self::Coordinates(layout) => **layout,
        }
    }

    /// The layout with every stride made positive, and how far its offsets are above the values.
    ///
    /// # Errors
    ///
    /// When the values are no integers.
    pub(crate) fn forwards(&self) -> Result<(DynLayout, usize), LayoutError> {
        match self {
            Self::Plain(layout) => Ok((*layout, 0)),
            Self::Coordinates(layout) => layout.forwards().ok_or_else(no_offsets),
        }
    }
}

/// The values of a layout are coordinates where they must be integers.
pub(crate) fn no_offsets() -> LayoutError {
    wrong_kind("a layout of offsets", "a layout of coordinates")
}

impl Value {
    /// As a layout of any kind.
    #[inline(never)]
    pub(crate) fn domain(&self) -> Result<Domain<'_>, LayoutError> {
        match self {
            Self::Composed(composed) => Ok(Domain::Composed(composed)),
            Self::Coordinates(coordinates) => Ok(Domain::Coordinates(coordinates)),
            Self::Layout(_) | Self::Integer(_) | Self::IntTuple(_) => {
                Ok(Domain::Plain(self.layout()?))
            }
            _ => Err(self.is_not(Kind::Domain)),
        }
    }

    /// As a layout that is not swizzled.
    #[inline(never)]
    pub(crate) fn strided(&self) -> Result<Strided<'_>, LayoutError> {
        match self {
            Self::Coordinates(coordinates) => Ok(Strided::Coordinates(coordinates)),
            Self::Layout(_) | Self::Integer(_) | Self::IntTuple(_) => {
                Ok(Strided::Plain(self.layout()?))
            }
            _ => Err(self.is_not(Kind::Strided)),
        }
    }

    /// `self o inner`.
    pub(crate) fn composition(&self, inner: &Self) -> Result<Self, LayoutError> {
        match (self, inner) {
            (Self::Swizzle(swizzle), _) => inner.behind(swizzle),
            (_, Self::Swizzle(swizzle)) => self.swizzled_before(swizzle, self.domain()?.facts().2),
            (_, Self::Composed(inner)) if inner.offset() == 0 => {
                let swizzled = self.swizzled_before(&inner.swizzle(), inner.layout().cosize())?;
                swizzled.composition(&Self::Layout(inner.layout()))
            }
            (_, Self::Composed(inner)) => {
                let offset = inner.offset();
                Err(LayoutError::Algebra(AlgebraError::OffsetInside { offset }))
            }
            (Self::Composed(_), Self::Coordinates(_)) => Err(inner.is_not(Kind::Tiler)),
            (_, Self::Coordinates(right)) => {
                Ok(self.strided()?.coordinates().composition(right)?.into())
            }
            _ => {
                let by = inner.tiler()?;
                on_domain!(self, l => l.composition_by(&by)?)
            }
        }
    }

    /// `self o swizzle` for coordinates below `limit`: the swizzle that does the same behind this
    /// layout.
    fn swizzled_before(&self, swizzle: &Swizzle, limit: usize) -> Result<Self, LayoutError> {
        let (outer, offset, layout) = match self.domain()? {
            Domain::Plain(layout) => (None, 0, layout),
            Domain::Composed(c) => (Some(c.swizzle()), c.offset(), c.layout()),
            Domain::Coordinates(_) => return Err(self.is_not(Kind::Layout)),
        };
        let behind = swizzle.behind(&layout, limit)?;
        match outer {
            None => Ok(behind.composition(&layout).into()),
            Some(outer) if offset == 0 || behind.is_identity() => {
                let merged = outer.merge(&behind)?;
                Ok(ComposedLayout::new(&merged, offset, &layout)?.into())
            }
            Some(_) => Err(LayoutError::Algebra(AlgebraError::OffsetInside { offset })),
        }
    }

    /// `swizzle o self`.
    fn behind(&self, swizzle: &Swizzle) -> Result<Self, LayoutError> {
        Ok(match self {
            Self::Swizzle(inner) => Self::Swizzle(swizzle.merge(inner)?),
            Self::Composed(inner) => {
                let merged = swizzle.merge(&inner.swizzle())?;
                ComposedLayout::new(&merged, inner.offset(), &inner.layout())?.into()
            }
            _ => swizzle.composition(&self.layout()?).into(),
        })
    }
}
