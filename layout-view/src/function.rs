//! Layouts of any kind and placements as functions of 1-D coordinates, evaluated point by point.

use layout_core::devices::{Placement, Slot};
use layout_core::engine::{
    ComposedLayout, CoordinateLayout, IntTuple, LinearLayout, SignedTuple, Swizzle, Vector,
};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::Value;

use crate::point::steps;
pub use crate::point::{Coordinate, Point};

/// A layout or placement that can be evaluated point by point.
#[derive(Clone, Debug)]
pub enum Function {
    /// Offsets, swizzled or not.
    Offsets(ComposedLayout),
    /// Integers, or coordinates. With a start value, also the layout extended by one mode of two
    /// coordinates: coordinate 1 adds the start.
    Coordinates(Box<CoordinateLayout>, Option<Box<CoordinateLayout>>),
    /// The XOR of the bases of the set bits of an index.
    Linear(Box<LinearLayout>),
    /// Slots.
    Placed(Box<Placement>),
}

impl Function {
    /// The function of a value of the notation.
    ///
    /// # Errors
    ///
    /// If the value is neither a layout nor a placement.
    pub fn of(value: &Value) -> Result<Self, LayoutError> {
        Ok(match value {
            Value::Coordinates(layout) => Self::Coordinates(layout.clone(), None),
            Value::Linear(layout) => Self::Linear(layout.clone()),
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

    /// The same as a placement, if the layout is plain and of offsets.
    ///
    /// # Errors
    ///
    /// For swizzled layouts and layouts of coordinates.
    pub fn placed(&self) -> Result<Placement, LayoutError> {
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

    /// The shape of its coordinates.
    pub fn shape(&self) -> IntTuple {
        match self {
            Self::Offsets(layout) => layout.shape(),
            Self::Coordinates(layout, _) => layout.shape(),
            Self::Linear(layout) => layout.shape(),
            Self::Placed(placement) => placement.shape(),
        }
    }

    /// Number of 1-D coordinates.
    pub fn size(&self) -> usize {
        match self {
            Self::Offsets(layout) => layout.size(),
            Self::Coordinates(layout, _) => layout.size(),
            Self::Linear(layout) => layout.size(),
            Self::Placed(placement) => placement.elements(),
        }
    }

    /// The name of its values, in the plural.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Offsets(_) => "offsets",
            Self::Coordinates(layout, _) if layout.has_integers() => "offsets",
            Self::Linear(layout) if layout.outputs().len() == 1 => "offsets",
            Self::Coordinates(..) | Self::Linear(_) => "coordinates",
            Self::Placed(_) => "slots",
        }
    }

    /// The value at a 1-D coordinate below the size.
    ///
    /// # Errors
    ///
    /// If the coordinate is outside the domain, or the value is not a number.
    pub fn at(&self, index: usize) -> Result<Point, LayoutError> {
        Ok(match self {
            Self::Offsets(layout) => Point::Integer(layout.offset_of_index(index) as isize),
            Self::Coordinates(layout, moved) => {
                let value = match moved {
                    Some(moved) => moved.coordinate_at_index((layout.size() + index) as isize)?,
                    None => layout.coordinate_at_index(index as isize)?,
                };
                match value.as_integer() {
                    Some(integer) => Point::Integer(integer),
                    None => Point::Coordinate(Coordinate::of(&value)?),
                }
            }
            Self::Linear(layout) => {
                let value = layout.value_of_index(index);
                match layout.outputs().len() {
                    // A value has at most 62 bits.
                    1 => Point::Integer(value as isize),
                    _ => {
                        let shape = layout.value_shape();
                        let at = shape.natural_coordinate(&IntTuple::leaf(value))?;
                        Point::Coordinate(Coordinate::of(&at.into())?)
                    }
                }
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

    /// The coordinate in its shape for a 1-D coordinate.
    ///
    /// # Errors
    ///
    /// If the coordinate is outside the domain.
    pub fn coordinate(&self, index: usize) -> Result<IntTuple, LayoutError> {
        self.shape().natural_coordinate(&IntTuple::leaf(index))
    }
}

/// Folds the start value into the layout as an extra mode: `M(c, 1) = L(c) + start`.
fn moved(layout: &CoordinateLayout, start: &SignedTuple) -> Result<CoordinateLayout, LayoutError> {
    let mut step = Vector::ZERO;
    for (path, value) in steps(start)? {
        step.add(1, &Vector::step(value, path))?;
    }
    let shape = IntTuple::tuple(&[layout.shape(), IntTuple::leaf(2)])?;
    let mut strides: Vec<_> = (0..layout.len()).map(|i| layout.stride_at(i)).collect();
    strides.push(step);
    CoordinateLayout::new(&shape, &strides)
}
