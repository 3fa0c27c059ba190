//! Layouts of any kind and placements as functions of 1-D coordinates, to look at them point by point.

use std::fmt;

use layout_core::devices::{Placement, Slot};
use layout_core::engine::{
    ComposedLayout, CoordinateLayout, IntTuple, Path, SignedTuple, Swizzle, Vector,
};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::Value;

/// What can be looked at point by point.
#[derive(Clone, Debug)]
pub(crate) enum Function {
    /// Offsets, swizzled or not.
    Offsets(ComposedLayout),
    /// Integers, or coordinates. Where something is added to each, also the layout with one mode more,
    /// of two coordinates: the second one adds it.
    Coordinates(Box<CoordinateLayout>, Option<Box<CoordinateLayout>>),
    /// Slots.
    Placed(Box<Placement>),
}

/// A value of a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// An offset, or a negative integer.
    Integer(isize),
    /// A coordinate, flat.
    Coordinate(Vec<isize>),
    /// A core, and the offset in its buffer.
    Slot(usize, usize),
}

impl Function {
    /// The function that a value of the notation is.
    pub(crate) fn of(value: &Value) -> Result<Self, LayoutError> {
        Ok(match value {
            Value::Coordinates(layout) => Self::Coordinates(layout.clone(), None),
            Value::At(at) => match (at.0.as_layout(), at.1.as_integer()) {
                (Some(layout), Some(offset)) if offset >= 0 => {
                    let identity = Swizzle::new(0, 0, 0)?;
                    let offset = offset.unsigned_abs();
                    Self::Offsets(ComposedLayout::new(&identity, offset, &layout)?)
                }
                _ => Self::Coordinates(Box::new(at.0), Some(Box::new(moved(&at.0, &at.1)?))),
            },
            Value::Spyre(layout) => Self::Placed(Box::new(layout.placement())),
            Value::CurrentSpyre(layout) => Self::Placed(Box::new(layout.try_placement()?)),
            Value::Tenstorrent(tensor) => Self::Placed(Box::new(tensor.layout().placement())),
            _ => match value.composed() {
                Ok(layout) => Self::Offsets(layout),
                Err(LayoutError::Notation(NotationError::Kind { found, .. })) => {
                    let expected = "a layout of any kind, or a placement";
                    return Err(NotationError::Kind { expected, found }.into());
                }
                Err(error) => return Err(error),
            },
        })
    }

    /// The same as a placement, where the layout is in memory and plain.
    pub(crate) fn placed(&self) -> Result<Placement, LayoutError> {
        match self {
            Self::Placed(placement) => Ok(**placement),
            Self::Offsets(layout) if layout.as_layout().is_some() => {
                Placement::of_layout(&layout.layout())
            }
            _ => {
                let (expected, found) =
                    ("a layout of offsets", "a swizzled layout, or coordinates");
                Err(NotationError::Kind { expected, found }.into())
            }
        }
    }

    pub(crate) fn shape(&self) -> IntTuple {
        match self {
            Self::Offsets(layout) => layout.shape(),
            Self::Coordinates(layout, _) => layout.shape(),
            Self::Placed(placement) => placement.shape(),
        }
    }

    /// The number of 1-D coordinates.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Offsets(layout) => layout.size(),
            Self::Coordinates(layout, _) => layout.size(),
            Self::Placed(placement) => placement.elements(),
        }
    }

    /// What its values are, in the plural.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Offsets(_) => "offsets",
            Self::Coordinates(layout, _) if layout.has_integers() => "offsets",
            Self::Coordinates(..) => "coordinates",
            Self::Placed(_) => "slots",
        }
    }

    /// The value at a 1-D coordinate below the size.
    pub(crate) fn at(&self, index: usize) -> Result<Point, LayoutError> {
        Ok(match self {
            Self::Offsets(layout) => Point::Integer(layout.offset_of_index(index) as isize),
            Self::Coordinates(layout, moved) => {
                let value = match moved {
                    Some(moved) => moved.coordinate_at_index((layout.size() + index) as isize)?,
                    None => layout.coordinate_at_index(index as isize)?,
                };
                let integer = value.as_integer().map(Point::Integer);
                integer.unwrap_or_else(|| Point::Coordinate(value.values().to_vec()))
            }
            Self::Placed(placement) => {
                let shape = placement.shape();
                let at = shape.natural_coordinate(&IntTuple::leaf(index))?;
                let at = if placement.rank() == 0 { &[][..] } else { at.leaves() };
                let Slot { core, offset } = placement.slot(at)?;
                Point::Slot(core, offset)
            }
        })
    }

    /// The coordinate in its shape that a 1-D coordinate stands for.
    pub(crate) fn coordinate(&self, index: usize) -> Result<IntTuple, LayoutError> {
        self.shape().natural_coordinate(&IntTuple::leaf(index))
    }
}

/// A layout and what is added to its values, as modes of one layout: `M(c, 1) = L(c) + start`.
fn moved(layout: &CoordinateLayout, start: &SignedTuple) -> Result<CoordinateLayout, LayoutError> {
    // Its parentheses, which its text has; its numbers have signs.
    let tree = IntTuple::parse(&start.to_string().replace('-', "")).map_err(|error| {
        error.problems().first().map_or(LayoutError::ZeroExtent, |problem| problem.error)
    })?;
    let (mut step, mut values) = (Vector::ZERO, start.values().iter().copied());
    for (path, value) in paths(&tree)?.into_iter().zip(&mut values) {
        step.add(1, &Vector::step(value, path))?;
    }
    let shape = IntTuple::tuple(&[layout.shape(), IntTuple::leaf(2)])?;
    let mut strides: Vec<_> = (0..layout.len()).map(|i| layout.stride_at(i)).collect();
    strides.push(step);
    CoordinateLayout::new(&shape, &strides)
}

/// Where the leaves of a tuple are.
fn paths(tree: &IntTuple) -> Result<Vec<Path>, LayoutError> {
    if tree.is_int() {
        return Ok(vec![Path::ROOT]);
    }
    let mut all = Vec::new();
    for mode in 0..tree.rank() {
        for path in paths(&tree.mode(mode))? {
            all.push(path.inside(mode)?);
        }
    }
    Ok(all)
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Coordinate(values) => {
                let values: Vec<_> = values.iter().map(ToString::to_string).collect();
                write!(f, "({})", values.join(","))
            }
            Self::Slot(core, offset) => write!(f, "{core}:{offset}"),
        }
    }
}
