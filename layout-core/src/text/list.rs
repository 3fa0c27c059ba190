//! Lists of offsets, which are printed and never stored.

use core::fmt;

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout};
use crate::error::{LayoutError, NotationError};

/// The longest list that an operation makes: what a reader, or a program, can still take in.
const LONGEST: usize = 1 << 20;

/// A list of numbers, or of coordinates, `[0, 2, 4]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct List(Of);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    Table(ComposedLayout),
    Coordinates(CoordinateLayout),
    Image(DynLayout),
    Gaps(DynLayout),
}

fn check(operation: &'static str, length: usize) -> Result<(), LayoutError> {
    if length > LONGEST {
        let error = NotationError::ListTooLong { operation, length, limit: LONGEST };
        return Err(error.into());
    }
    Ok(())
}

impl List {
    /// The offsets of all coordinates.
    pub(crate) fn table(layout: &ComposedLayout) -> Result<Self, LayoutError> {
        check("table", layout.size())?;
        Ok(Self(Of::Table(*layout)))
    }

    /// The coordinates that a layout of coordinates has.
    pub(crate) fn coordinates(layout: &CoordinateLayout) -> Result<Self, LayoutError> {
        check("table", layout.layout().size())?;
        Ok(Self(Of::Coordinates(*layout)))
    }

    /// The offsets that some coordinate has, each once.
    pub(crate) fn image(layout: &DynLayout) -> Result<Self, LayoutError> {
        check("image", layout.cosize())?;
        Ok(Self(Of::Image(*layout)))
    }

    /// The offsets below the largest that no coordinate has.
    pub(crate) fn gaps(layout: &DynLayout) -> Result<Self, LayoutError> {
        check("gaps", layout.cosize())?;
        Ok(Self(Of::Gaps(*layout)))
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Of::Table(layout) => write_items(f, layout.table()),
            Of::Coordinates(layout) => {
                let items = 0..layout.layout().size();
                write_items(f, items.map(|i| layout.coordinate_at_index(i)))
            }
            Of::Image(layout) => write_items(f, layout.image()),
            Of::Gaps(layout) => write_items(f, layout.gaps()),
        }
    }
}

fn write_items<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    f.write_str("[")?;
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    f.write_str("]")
}
