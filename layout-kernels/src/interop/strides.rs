//! What arrays of all crates have in common: one extent and one stride for each axis.

use core::slice;

use layout_core::engine::{DynLayout, IntTuple, MAX_LEAVES};
use layout_core::error::{ArrayError, LayoutError};
use layout_core::types::AnyLayout;

use crate::facts::value;
use crate::view::{View, ViewMut};

/// An array: its first element, and the extent and the stride of each axis.
pub(crate) struct Strided<'s, P> {
    pub(crate) start: P,
    pub(crate) extents: &'s [usize],
    pub(crate) strides: &'s [isize],
}

impl<P> Strided<'_, P> {
    /// The layout of the array, if its elements are side by side.
    fn layout(&self) -> Result<DynLayout, LayoutError> {
        let (extents, axes) = (self.extents, self.extents.len());
        if axes > MAX_LEAVES {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        let mut strides = [0; MAX_LEAVES];
        let empty = extents.contains(&0);
        for (axis, &stride) in self.strides.iter().enumerate() {
            strides[axis] = match usize::try_from(stride) {
                Ok(stride) => stride,
                // It is not used.
                Err(_) if empty || extents[axis] == 1 => 0,
                Err(_) => return Err(ArrayError::NegativeStride { axis, stride }.into()),
            };
        }
        if axes == 0 {
            return Ok(DynLayout::UNIT);
        }
        let strides = &strides[..axes];
        let layout = DynLayout::strided(extents, strides)?;
        if !empty && !side_by_side(extents, strides) {
            let (shape, stride) = (IntTuple::flat(extents)?, IntTuple::flat(strides)?);
            return Err(ArrayError::Gaps { shape, stride }.into());
        }
        Ok(layout)
    }
}

impl<T> Strided<'_, *const T> {
    /// The array as a view.
    ///
    /// # Safety
    ///
    /// The array's elements are borrowed for `'a`, and were written.
    pub(crate) unsafe fn view<'a>(self) -> Result<View<'a, T, DynLayout>, LayoutError> {
        let layout = self.layout()?;
        if layout.cosize() == 0 {
            return View::new_in(&[], layout);
        }
        // SAFETY: no stride is negative, so that `start` is the first element in memory, and there
        // are no gaps: each of so many elements is one of the array.
        let elements = unsafe { slice::from_raw_parts(self.start, layout.cosize()) };
        View::new_in(elements, layout)
    }
}

impl<T> Strided<'_, *mut T> {
    /// The array as a view that can be written.
    ///
    /// # Safety
    ///
    /// The array's elements are borrowed exclusively for `'a`, and were written.
    pub(crate) unsafe fn view_mut<'a>(self) -> Result<ViewMut<'a, T, DynLayout>, LayoutError> {
        let layout = self.layout()?;
        if layout.cosize() == 0 {
            return ViewMut::new_in(&mut [], layout);
        }
        // SAFETY: as in `view`.
        let elements = unsafe { slice::from_raw_parts_mut(self.start, layout.cosize()) };
        ViewMut::new_in(elements, layout)
    }
}

/// Whether offsets of coordinates are all numbers below the cosize.
///
/// With the axes by rising stride, offsets of the first ones are `0..reach`. Those with one more axis
/// have no gap exactly if its stride is at most `reach`: no other axis has a smaller one.
fn side_by_side(extents: &[usize], strides: &[usize]) -> bool {
    let (mut reach, mut done) = (1, [false; MAX_LEAVES]);
    for _ in extents {
        let axes = (0..extents.len()).filter(|&axis| !done[axis]);
        let Some(axis) = axes.min_by_key(|&axis| strides[axis]) else { break };
        done[axis] = true;
        if extents[axis] > 1 {
            if strides[axis] > reach {
                return false;
            }
            reach += (extents[axis] - 1) * strides[axis];
        }
    }
    true
}

/// The layout with one extent and one stride for each axis of an array with so many.
pub(crate) fn axes<L: AnyLayout>(
    layout: &L,
    axes: Option<usize>,
) -> Result<DynLayout, LayoutError> {
    let layout = value(layout)?.with_single_strides()?;
    match axes {
        Some(axes) if axes != layout.rank() => {
            Err(ArrayError::Rank { axes, shape: layout.shape() }.into())
        }
        _ => Ok(layout),
    }
}

/// The extents and strides of an array of two axes. A vector is a matrix with one column.
#[cfg(any(feature = "faer-0_24", feature = "nalgebra-0_35"))]
pub(crate) fn matrix<L: AnyLayout>(layout: &L) -> Result<[(usize, usize); 2], LayoutError> {
    let layout = match axes(layout, None)? {
        vector if vector.rank() == 1 => return Ok([leaf(&vector, 0), (1, vector.cosize())]),
        _ => axes(layout, Some(2))?,
    };
    Ok([leaf(&layout, 0), leaf(&layout, 1)])
}

#[cfg(any(feature = "faer-0_24", feature = "nalgebra-0_35"))]
fn leaf(layout: &DynLayout, axis: usize) -> (usize, usize) {
    (layout.extents()[axis], layout.strides()[axis])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::Walk;

    /// By trying each offset.
    fn naive(layout: &DynLayout) -> bool {
        let mut reached = vec![false; layout.cosize()];
        Walk::new(layout).for_each(|offset| reached[offset] = true);
        reached.iter().all(|&reached| reached)
    }

    #[test]
    fn gaps_are_found() {
        for case in 0..4usize.pow(6) {
            let digit = |i: u32| case / 4usize.pow(i) % 4;
            let extents = [1 + digit(0), 1 + digit(1), 1 + digit(2)];
            let strides = [digit(3), 2 * digit(4), 3 * digit(5)];
            let layout = DynLayout::strided(&extents, &strides).unwrap();
            assert_eq!(side_by_side(&extents, &strides), naive(&layout), "{layout}");
        }
    }
}
