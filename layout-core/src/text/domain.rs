//! Layouts of any kind, seen by the operations that change only the domain.

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, Swizzle};
use crate::error::LayoutError;
use crate::text::value::{Kind, Value};

/// A layout whose values are offsets, swizzled offsets or coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Domain {
    Plain(DynLayout),
    Composed(ComposedLayout),
    Coordinates(CoordinateLayout),
}

impl Domain {
    /// The layout that gives the domain.
    pub(crate) const fn layout(&self) -> DynLayout {
        match self {
            Self::Plain(layout) => *layout,
            Self::Composed(composed) => composed.layout(),
            Self::Coordinates(coordinates) => coordinates.layout(),
        }
    }

    /// The same function on another domain, which `change` makes of this one.
    pub(crate) fn map(
        &self,
        change: impl FnOnce(&DynLayout) -> Result<DynLayout, LayoutError>,
    ) -> Result<Value, LayoutError> {
        let layout = change(&self.layout())?;
        Ok(match self {
            Self::Plain(_) => Value::Layout(layout),
            Self::Composed(composed) => composed.with_layout(&layout)?.into(),
            Self::Coordinates(coordinates) => Value::Coordinates(coordinates.with_layout(&layout)?),
        })
    }
}

impl Value {
    /// As a layout of any kind.
    pub(crate) fn domain(&self) -> Result<Domain, LayoutError> {
        match self {
            Self::Composed(composed) => Ok(Domain::Composed(*composed)),
            Self::Coordinates(coordinates) => Ok(Domain::Coordinates(*coordinates)),
            Self::Layout(_) | Self::Integer(_) | Self::IntTuple(_) => {
                Ok(Domain::Plain(self.layout()?))
            }
            _ => Err(self.is_not(Kind::Domain)),
        }
    }

    /// `swizzle o self`.
    pub(crate) fn behind(&self, swizzle: &Swizzle) -> Result<Self, LayoutError> {
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
