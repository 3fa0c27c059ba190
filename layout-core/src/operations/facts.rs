//! Queries that only the notation has: facts about layouts, shapes and swizzles.

use alloc::vec::Vec;

use super::forms::forms;
use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, IntTuple, Slicer};
use crate::error::LayoutError;
use crate::text::domain::{Domain, on_domain};
use crate::text::list::List;
use crate::text::value::Value;

forms! {

/// Whether the sizes of one shape nest in those of another.
text compatible(IntTuple, IntTuple) {
    |a| Ok(a[0].int_tuple()?.compatible(&a[1].int_tuple()?).into())
}

/// Whether two tuples have the same parentheses.
text congruent(IntTuple, IntTuple) {
    |a| Ok(a[0].int_tuple()?.congruent(&a[1].int_tuple()?).into())
}

/// Whether the parentheses of one tuple are those of another, or fewer.
text weakly_congruent(IntTuple, IntTuple) {
    |a| Ok(a[0].int_tuple()?.weakly_congruent(&a[1].int_tuple()?).into())
}

/// One more than the largest offset.
text cosize(Mapping) {
    |a| Ok(match &a[0] {
        Value::Linear(l) => l.cosize(),
        other => other.domain()?.cosize()?,
    }.into())
}

/// A coordinate of one shape as a coordinate of another.
text crd2crd(IntTuple, IntTuple, IntTuple) {
    |a| Ok(a[1].int_tuple()?.crd2crd(&a[0].int_tuple()?, &a[2].int_tuple()?)?.into())
}

/// The 1-D coordinate of a coordinate of a shape.
text crd2idx(IntTuple, IntTuple) { |a| Ok(a[1].int_tuple()?.crd2idx(&a[0].int_tuple()?)?.into()) }

/// The offset of a coordinate of a shape with strides.
text crd2idx(IntTuple, IntTuple, IntTuple) {
    |a| {
        let layout = DynLayout::new(&a[1].int_tuple()?, &a[2].int_tuple()?)?;
        Ok(layout.offset_of(&a[0].int_tuple()?)?.into())
    }
}

/// The coordinate of a shape that a 1-D coordinate stands for.
text idx2crd(IntTuple, IntTuple) {
    |a| Ok(a[1].int_tuple()?.natural_coordinate(&a[0].int_tuple()?)?.into())
}

/// The coordinate of a shape with strides that has an offset.
text idx2crd(IntTuple, IntTuple, IntTuple) {
    |a| {
        let layout = DynLayout::new(&a[1].int_tuple()?, &a[2].int_tuple()?)?;
        Ok(coordinate_of(&layout, &a[0].int_tuple()?)?.into())
    }
}

/// How deep the modes are nested: 0 for an integer. Modes of a linear layout are flat dimensions.
text depth(Mapping) { |a| Ok(facts(&a[0])?.1.into()) }

/// The number of modes.
text rank(Mapping) { |a| Ok(facts(&a[0])?.0.into()) }

/// The number of coordinates.
text size(Mapping) { |a| Ok(facts(&a[0])?.2.into()) }

/// The value at a coordinate; with `_` in it, the slice there.
text eval(Mapping, Slicer) { |a| evaluate(&a[0], &a[1].coordinate()?) }

/// All values in the order of 1-D coordinates.
text table(Mapping) { |a| table(&a[0]) }

/// All values, sorted, each once.
text image(Mapping) {
    |a| match &a[0] {
        Value::Linear(l) => List::linear("image", &l.image()),
        other => other.domain()?.image(),
    }.map(Value::List)
}

/// The integers between the smallest and the largest value that are not values.
text gaps(Domain) { |a| a[0].domain()?.gaps().map(Value::List) }

/// The layout that has its coordinates as values.
text identity(IntTuple) { |a| Ok(CoordinateLayout::identity(&a[0].int_tuple()?)?.into()) }

/// Whether each offset below the cosize has one coordinate.
text is_bijective(Mapping) {
    |a| Ok(match &a[0] {
        Value::Linear(l) => l.is_injective() && l.is_contiguous(),
        other => other.domain()?.is_bijective()?,
    }.into())
}

/// Whether each offset below the cosize has a coordinate.
text is_contiguous(Mapping) {
    |a| Ok(match &a[0] {
        Value::Linear(l) => l.is_contiguous(),
        other => other.domain()?.is_contiguous()?,
    }.into())
}

/// Whether no two coordinates have the same offset.
text is_injective(Mapping) {
    |a| Ok(match &a[0] {
        Value::Linear(l) => l.is_injective(),
        other => other.domain()?.is_injective()?,
    }.into())
}

/// An offset after a swizzle.
text swizzle_apply(Swizzle, Integer) { |a| Ok(a[0].swizzle()?.apply(a[1].integer()?).into()) }

/// A swizzle applied after a layout or a swizzle.
text swizzle_compose(Swizzle, Function) { |a| a[0].composition(&a[1]) }

}

/// Rank, depth and size.
fn facts(value: &Value) -> Result<(usize, usize, usize), LayoutError> {
    Ok(match value {
        Value::Linear(l) => (l.shape().rank(), l.shape().depth(), l.size()),
        other => other.domain()?.facts(),
    })
}

/// The value at a coordinate; with `_` in it, the slice there.
fn evaluate(value: &Value, coordinate: &Slicer) -> Result<Value, LayoutError> {
    if coordinate.keeps() {
        return slice(&value.to_cute()?, coordinate);
    }
    let at = coordinate.values();
    if let Value::Linear(linear) = value {
        return Ok(linear.value_at(&at)?.into());
    }
    Ok(match value.domain()? {
        Domain::Plain(layout) => layout.offset_of(&at)?.into(),
        Domain::Composed(composed) => composed.offset_of(&at)?.into(),
        Domain::Coordinates(coordinates) => coordinates.coordinate_at(&at)?.into(),
    })
}

/// The modes that a coordinate keeps. For a swizzled layout the fixed modes become an offset inside
/// the swizzle; for other layouts they are dropped.
pub(super) fn slice(value: &Value, coordinate: &Slicer) -> Result<Value, LayoutError> {
    Ok(match value.domain()? {
        Domain::Plain(layout) => layout.slice(coordinate)?.into(),
        Domain::Composed(composed) => composed.slice(coordinate)?.into(),
        Domain::Coordinates(layout) => layout.slice(coordinate)?.into(),
    })
}

/// The coordinate of an offset. For a tuple: the coordinate in each mode.
fn coordinate_of(layout: &DynLayout, offset: &IntTuple) -> Result<IntTuple, LayoutError> {
    if offset.is_int() {
        return layout.coordinate_of(offset.leaves()[0]);
    }
    let shape = layout.shape();
    if shape.is_int() || offset.rank() != shape.rank() {
        return Err(LayoutError::CoordinateProfile { coordinate: *offset, shape });
    }
    let modes = (0..shape.rank()).map(|i| coordinate_of(&layout.mode(i), &offset.mode(i)));
    IntTuple::tuple(&modes.collect::<Result<Vec<_>, _>>()?)
}

/// All leaves as modes; a tuple stays a tuple.
pub(super) fn flatten(value: &Value) -> Result<Value, LayoutError> {
    Ok(match value {
        Value::Integer(_) => value.clone(),
        Value::IntTuple(tuple) => tuple.flattened().into(),
        Value::Slicer(slicer) => slicer.flattened().into(),
        Value::Signed(tuple) => tuple.flattened().into(),
        _ => return on_domain!(value, l => l.flatten()),
    })
}

/// All values in the order of 1-D coordinates.
fn table(value: &Value) -> Result<Value, LayoutError> {
    if let Value::Linear(linear) = value {
        return List::linear("table", linear).map(Value::List);
    }
    let list = match value.domain()? {
        Domain::Plain(layout) => List::table(&ComposedLayout::from(layout)),
        Domain::Composed(composed) => List::table(composed),
        Domain::Coordinates(coordinates) => List::coordinates(coordinates),
    };
    list.map(Value::List)
}
