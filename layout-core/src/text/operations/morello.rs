//! The operations on Morello layouts without a shape, and images by name.

use crate::engine::{IntTuple, MorelloLayout};
use crate::error::{LayoutError, NotationError};
use crate::text::value::Value;

/// Numbers without parentheses in them.
#[inline(never)]
fn numbers(value: &Value) -> Result<IntTuple, LayoutError> {
    let tuple = value.int_tuple()?;
    if tuple.depth() > 1 {
        return Err(NotationError::NESTED_MODES.into());
    }
    Ok(tuple)
}

/// How many cache lines a tensor of a shape touches, or each of its tiles where there is a fourth
/// operand.
pub(super) fn cache_lines(a: &[Value]) -> Result<Value, LayoutError> {
    let (list, shape, bytes) = (a[0].morello()?, numbers(&a[1])?, a[2].integer()?);
    let (view, shape) = match a.get(3) {
        Some(tile) => {
            let tile = numbers(tile)?;
            (list.view().tile(shape.leaves(), tile.leaves())?, tile)
        }
        None => (list.view(), shape),
    };
    Ok(view.estimate_cache_lines(shape.leaves(), bytes)?.into())
}

/// The list that is written in one way.
pub(super) fn canonical(a: &[Value]) -> Result<Value, LayoutError> {
    let view = a[0].morello()?.view().canonical(numbers(&a[1])?.leaves())?;
    Ok(Value::Morello(view.layout()))
}

/// How many physical dimensions of a tile, from the fastest, are one run of the buffer.
pub(super) fn contiguous_dims(a: &[Value]) -> Result<Value, LayoutError> {
    let (shape, tile) = (numbers(&a[1])?, numbers(&a[2])?);
    let view = a[0].morello()?.view().tile(shape.leaves(), tile.leaves())?;
    Ok(view.contiguous().into())
}

/// The list without these dimensions.
pub(super) fn drop_dims(a: &[Value]) -> Result<Value, LayoutError> {
    let view = a[0].morello()?.view().drop_dims(numbers(&a[1])?.leaves())?;
    Ok(Value::Morello(view.layout()))
}

/// The list with two dimensions exchanged.
pub(super) fn swap_dims(a: &[Value]) -> Result<Value, LayoutError> {
    let view = a[0].morello()?.view().swap_dims(a[1].integer()?, a[2].integer()?);
    Ok(Value::Morello(view.layout()))
}

/// The list of a tile, in canonical form.
pub(super) fn tile_dims(a: &[Value]) -> Result<Value, LayoutError> {
    let (shape, tile) = (numbers(&a[1])?, numbers(&a[2])?);
    let view = a[0].morello()?.view().tile(shape.leaves(), tile.leaves())?;
    Ok(Value::Morello(view.layout()))
}

/// Images with the channels inside.
pub(super) fn nhwc(a: &[Value]) -> Result<Value, LayoutError> {
    Ok(MorelloLayout::NHWC.for_shape(numbers(&a[0])?.leaves())?.into())
}

/// Images with so many channels of a pixel together.
pub(super) fn nchwc(a: &[Value]) -> Result<Value, LayoutError> {
    let images = MorelloLayout::nchwc(a[1].integer()?)?;
    Ok(images.for_shape(numbers(&a[0])?.leaves())?.into())
}
