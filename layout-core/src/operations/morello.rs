//! The operations on Morello layouts without a shape, and images by name.

use super::forms::forms;
use crate::engine::morello::MorelloView;
use crate::engine::{IntTuple, MorelloLayout};
use crate::error::{LayoutError, NotationError};
use crate::text::value::Value;

/// Numbers without parentheses in them.
#[inline(never)]
fn numbers(value: &Value) -> Result<IntTuple, LayoutError> {
    let tuple = value.int_tuple()?;
    refuse!(tuple.depth() > 1, NotationError::NESTED_MODES);
    Ok(tuple)
}

forms! {

/// The number of cache lines that a tensor of a shape touches.
text cache_lines(Morello, IntTuple, Integer) {
    |a| cache_lines(a[0].morello()?.view(), &numbers(&a[1])?, &a[2])
}

/// The number of cache lines that each tile of a tensor of a shape touches.
text cache_lines(Morello, IntTuple, Integer, IntTuple) {
    |a| {
        let tile = numbers(&a[3])?;
        let view = a[0].morello()?.view().tile(numbers(&a[1])?.leaves(), tile.leaves())?;
        cache_lines(view, &tile, &a[2])
    }
}

/// The list in canonical form.
text canonical(Morello, IntTuple) {
    |a| Ok(a[0].morello()?.view().canonical(numbers(&a[1])?.leaves())?.into())
}

/// The number of physical dimensions of a tile, from the fastest, that are contiguous.
text contiguous_dims(Morello, IntTuple, IntTuple) { |a| Ok(tile(a)?.contiguous().into()) }

/// The list without these dimensions.
text drop_dims(Morello, IntTuple) {
    |a| Ok(a[0].morello()?.view().drop_dims(numbers(&a[1])?.leaves())?.into())
}

/// The list with two dimensions exchanged.
text swap_dims(Morello, Integer, Integer) {
    |a| Ok(a[0].morello()?.view().swap_dims(a[1].integer()?, a[2].integer()?).into())
}

/// The list of a tile, in canonical form.
text tile_dims(Morello, IntTuple, IntTuple) { |a| Ok(tile(a)?.into()) }

/// Images with the channels innermost.
text nhwc(IntTuple) {
    |a| Ok(MorelloLayout::NHWC.for_shape(numbers(&a[0])?.leaves())?.into())
}

/// Images with `N` channels of a pixel packed together.
text nchwc(IntTuple, Integer) {
    |a| {
        let images = MorelloLayout::nchwc(a[1].integer()?)?;
        Ok(images.for_shape(numbers(&a[0])?.leaves())?.into())
    }
}

}

fn cache_lines(view: MorelloView, shape: &IntTuple, bytes: &Value) -> Result<Value, LayoutError> {
    Ok(view.estimate_cache_lines(shape.leaves(), bytes.integer()?)?.into())
}

/// The arguments (list, shape, tile) converted to the list of the tile.
fn tile(a: &[Value]) -> Result<MorelloView, LayoutError> {
    a[0].morello()?.view().tile(numbers(&a[1])?.leaves(), numbers(&a[2])?.leaves())
}

impl From<MorelloView> for Value {
    fn from(view: MorelloView) -> Self {
        Self::Morello(view.layout())
    }
}
