//! The functions that an expansion of `layout!` calls: for `layout-macros`, not for people.

use crate::engine::MAX_SIZE;
use crate::error::{LayoutError, MorelloError};

/// A stride as the product of run-time extents, cut at a number that no layout has room for: a
/// layout with such a stride is refused where it is used.
pub const fn product(a: usize, b: usize) -> usize {
    match a.checked_mul(b) {
        Some(product) if product <= MAX_SIZE => product,
        _ => MAX_SIZE,
    }
}

/// What the sizes of a Morello dimension, `size` in all, leave of its run-time extent.
///
/// # Errors
///
/// [`MorelloError::NotDivisible`] when the sizes do not divide the extent.
pub const fn rest_of(dimension: usize, extent: usize, size: usize) -> Result<usize, LayoutError> {
    if extent.is_multiple_of(size) {
        Ok(extent / size)
    } else {
        let error = MorelloError::NotDivisible { dimension, size, left: extent };
        Err(LayoutError::Morello(error))
    }
}
