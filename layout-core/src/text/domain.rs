//! Layouts of any kind, for operations that change only the domain.

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, LinearLayout, Swizzle};
use crate::error::{AlgebraError, LayoutError};
use crate::text::list::List;
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
    /// Number of modes, depth and size of the layout that gives the domain.
    pub(crate) const fn facts(&self) -> (usize, usize, usize) {
        match self {
            Self::Plain(l) => (l.rank(), l.depth(), l.size()),
            Self::Composed(c) => (c.layout().rank(), c.layout().depth(), c.size()),
            Self::Coordinates(l) => (l.rank(), l.depth(), l.size()),
        }
    }

    /// One more than the largest offset; the size of the smallest box of coordinates.
    pub(crate) fn cosize(&self) -> Result<usize, LayoutError> {
        match self {
            Self::Plain(l) => Ok(l.cosize()),
            Self::Composed(c) => c.cosize(),
            Self::Coordinates(l) => l.cosize(),
        }
    }

    pub(crate) fn is_injective(&self) -> Result<bool, LayoutError> {
        match self {
            Self::Plain(l) => l.is_injective(),
            Self::Composed(c) => c.layout().is_injective(),
            Self::Coordinates(l) => l.numbered()?.is_injective(),
        }
    }

    pub(crate) fn is_bijective(&self) -> Result<bool, LayoutError> {
        match self {
            Self::Plain(l) => Ok(l.is_bijective()),
            _ => Ok(self.facts().2 == self.cosize()? && self.is_injective()?),
        }
    }

    pub(crate) fn is_contiguous(&self) -> Result<bool, LayoutError> {
        match self {
            Self::Plain(l) => Ok(l.is_contiguous()),
            // A swizzle keeps the number of offsets.
            Self::Composed(c) => {
                let once = c.layout().filter();
                let count =
                    if once.is_injective()? { once.size() } else { List::image((once, 0))?.len() };
                Ok(count == c.cosize()?)
            }
            Self::Coordinates(l) => {
                let numbered = l.numbered()?;
                Ok(numbered.cosize() == l.cosize()? && numbered.is_contiguous())
            }
        }
    }

    /// All values, sorted, each once.
    pub(crate) fn image(&self) -> Result<List, LayoutError> {
        match self {
            Self::Plain(l) => List::image((*l, 0)),
            Self::Composed(c) => List::swizzled_image(c),
            Self::Coordinates(l) => match l.forwards() {
                Some(forwards) => List::image(forwards),
                None => List::coordinate_image(l),
            },
        }
    }

    /// The integers between the smallest and the largest value that are not values.
    pub(crate) fn gaps(&self) -> Result<List, LayoutError> {
        match self {
            Self::Plain(l) => List::gaps((*l, 0)),
            Self::Composed(c) => List::swizzled_gaps(c),
            Self::Coordinates(l) => List::gaps(l.forwards().ok_or_else(no_offsets)?),
        }
    }
}

/// The result of an operation: one expression for a plain layout or one of coordinates, one for a
/// swizzled layout.
macro_rules! on_kinds {
    ($value:expr, $layout:ident => $result:expr, $composed:ident => $swizzled:expr) => {
        Ok(match $value.domain()? {
            $crate::text::domain::Domain::Plain($layout) => $result.into(),
            $crate::text::domain::Domain::Coordinates($layout) => $result.into(),
            $crate::text::domain::Domain::Composed($composed) => {
                let $layout = $composed.layout();
                $swizzled.into()
            }
        })
    };
}

/// The result of an operation that changes the domain, for a layout of any kind. The swizzle stays.
macro_rules! on_domain {
    ($value:expr, $layout:ident => $result:expr) => {
        $crate::text::domain::on_kinds!(
            $value, $layout => $result, composed => composed.with_layout(&$result)?
        )
    };
}

/// The result of an operation on the layout inside the swizzle. The swizzle is dropped.
macro_rules! on_inside {
    ($value:expr, $layout:ident => $result:expr) => {
        $crate::text::domain::on_kinds!($value, $layout => $result, composed => $result)
    };
}

/// The result of an operation that returns a layout and its start. For a swizzled layout the start
/// becomes the offset inside the swizzle.
macro_rules! on_start {
    ($value:expr, $layout:ident => $result:expr) => {
        $crate::text::domain::on_kinds!($value, $layout => $result, composed => {
            let (inside, offset) = $result;
            composed.moved(offset)?.with_layout(&inside)?
        })
    };
}

/// The result of an operation on two layouts. If the first is swizzled, both operands are plain and
/// the operation applies to the layout inside the swizzle.
macro_rules! on_both {
    ($value:expr, $other:expr, ($layout:ident, $second:ident) => $result:expr) => {
        if let $crate::text::value::Value::Composed(composed) = $value {
            let ($layout, $second) = (composed.layout(), $other.layout()?);
            Ok(composed.with_layout(&$result)?.into())
        } else {
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
        }
    };
}

pub(crate) use {on_both, on_domain, on_inside, on_kinds, on_start};

impl Strided<'_> {
    #[inline(never)]
    pub(crate) fn coordinates(&self) -> CoordinateLayout {
        match self {
            Self::Plain(layout) => CoordinateLayout::of_offsets(layout),
            Self::Coordinates(layout) => **layout,
        }
    }
}

/// The error for a layout whose values are coordinates where integers are required.
pub(crate) fn no_offsets() -> LayoutError {
    wrong_kind("a layout of offsets", "a layout of coordinates")
}

impl Value {
    /// Converts to a layout of any kind.
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

    /// Converts to a layout that is not swizzled.
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
            (Self::Swizzle(swizzle), Self::Linear(inner)) => {
                let swizzle = LinearLayout::of_swizzle(swizzle, inner.output_bits())?;
                Ok(swizzle.composition(inner)?.into())
            }
            (Self::Linear(_), _) | (_, Self::Linear(_)) => {
                Ok(self.linear()?.composition(&inner.linear()?)?.into())
            }
            (Self::Swizzle(swizzle), _) => inner.composed_with(swizzle),
            (_, Self::Swizzle(swizzle)) => self.swizzled_before(swizzle, self.domain()?.facts().2),
            (_, Self::Composed(inner)) if inner.offset() == 0 => {
                let swizzled = self.swizzled_before(&inner.swizzle(), inner.layout().cosize())?;
                swizzled.composition(&Self::Layout(inner.layout()))
            }
            (_, Self::Composed(inner)) => {
                let offset = inner.offset();
                Err(LayoutError::Algebra(AlgebraError::OffsetInside { offset }))
            }
            (Self::Composed(outer), Self::Coordinates(right)) => {
                let layout = CoordinateLayout::of_offsets(&outer.layout()).composition(right)?;
                Ok(outer.with_layout(&Self::from(layout).layout()?)?.into())
            }
            (_, Self::Coordinates(right)) => {
                Ok(self.strided()?.coordinates().composition(right)?.into())
            }
            _ => {
                let by = inner.tiler()?;
                on_domain!(self, l => l.composition_by(&by)?)
            }
        }
    }

    /// `self o swizzle` for coordinates below `limit`, rewritten as an equivalent swizzle applied
    /// after this layout.
    fn swizzled_before(&self, swizzle: &Swizzle, limit: usize) -> Result<Self, LayoutError> {
        let (outer, offset, layout) = match self.domain()? {
            Domain::Plain(layout) => (None, 0, layout),
            Domain::Composed(c) => (Some(c.swizzle()), c.offset(), c.layout()),
            Domain::Coordinates(_) => return Err(self.is_not(Kind::Layout)),
        };
        let commuted = swizzle.behind(&layout, limit)?;
        match outer {
            None => Ok(commuted.composition(&layout).into()),
            Some(outer) if offset == 0 || commuted.is_identity() => {
                let merged = outer.merge(&commuted)?;
                Ok(ComposedLayout::new(&merged, offset, &layout)?.into())
            }
            Some(_) => Err(LayoutError::Algebra(AlgebraError::OffsetInside { offset })),
        }
    }

    /// `swizzle o self`.
    fn composed_with(&self, swizzle: &Swizzle) -> Result<Self, LayoutError> {
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
