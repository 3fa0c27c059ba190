//! Common part of the array conversions: an array with one extent and one stride per axis.

use core::slice;

use layout_core::engine::{DynLayout, MAX_LEAVES};
use layout_core::error::{ArrayError, LayoutError};
use layout_core::types::AnyLayout;

use self::sealed::Sealed;
use crate::checks::value;
#[cfg(feature = "std")]
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};

/// The layout with these extents and strides, with or without gaps between its elements.
pub(crate) fn layout_of(extents: &[usize], strides: &[isize]) -> Result<DynLayout, LayoutError> {
    let axes = extents.len();
    if axes > MAX_LEAVES {
        return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
    }
    let mut positive = [0; MAX_LEAVES];
    let empty = extents.contains(&0);
    for (axis, &stride) in strides.iter().enumerate() {
        positive[axis] = match usize::try_from(stride) {
            Ok(stride) => stride,
            // The stride is never used.
            Err(_) if empty || extents[axis] == 1 => 0,
            Err(_) => return Err(ArrayError::NegativeStride { axis, stride }.into()),
        };
    }
    if axes == 0 {
        return Ok(DynLayout::UNIT);
    }
    DynLayout::strided(extents, &positive[..axes])
}

/// The layout of an array whose elements are contiguous.
pub(crate) fn contiguous_layout_of<T>(array: &impl Sealed<T>) -> Result<DynLayout, LayoutError> {
    let layout = array.with_raw_parts(|_, extents, strides| layout_of(extents, strides))?;
    if layout.size() > 0 && !is_contiguous(layout.extents(), layout.strides()) {
        let (shape, stride) = (layout.shape(), layout.stride());
        return Err(ArrayError::Gaps { shape, stride }.into());
    }
    Ok(layout)
}

/// Views an array.
///
/// # Safety
///
/// The elements of the array are borrowed for `'a`.
pub(crate) unsafe fn view<'a, T>(
    array: &impl Sealed<T>,
) -> Result<View<'a, T, DynLayout>, LayoutError> {
    let layout = contiguous_layout_of(array)?;
    if layout.cosize() == 0 {
        return View::new_in(&[], layout);
    }
    let start = array.with_raw_parts(|start, _, _| start);
    // SAFETY: no stride is negative, so `start` is the first element in memory. There are no gaps, so
    // all `cosize` elements belong to the array.
    View::new_in(unsafe { slice::from_raw_parts(start, layout.cosize()) }, layout)
}

/// Views an array mutably.
///
/// # Safety
///
/// `layout` is that of the array, and `start` its first element. The elements at all offsets below the
/// cosize are borrowed exclusively for `'a` and initialised: those of the array, and those in its gaps.
pub(crate) unsafe fn view_mut<'a, T>(
    start: *mut T,
    layout: DynLayout,
) -> Result<ViewMut<'a, T, DynLayout>, LayoutError> {
    if layout.cosize() == 0 {
        return ViewMut::new_in(&mut [], layout);
    }
    // SAFETY: guaranteed by the caller.
    ViewMut::new_in(unsafe { slice::from_raw_parts_mut(start, layout.cosize()) }, layout)
}

/// Copies an array. The copy is contiguous, with the axes in the order of their strides in memory.
#[cfg(feature = "std")]
pub(crate) fn tensor<T: Copy>(array: &impl Sealed<T>) -> Result<Tensor<T, DynLayout>, LayoutError> {
    array.with_raw_parts(|start, extents, strides| {
        if extents.len() > MAX_LEAVES {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        // Axes by increasing magnitude of the stride; among equal strides the last axis first, as in
        // row-major order.
        let mut order: Vec<usize> = (0..extents.len()).rev().collect();
        order.sort_by_key(|&axis| strides[axis].unsigned_abs());
        let (mut dense, mut reach) = ([0; MAX_LEAVES], 1usize);
        for &axis in &order {
            dense[axis] = reach;
            // If this saturates, the layout is rejected below.
            reach = reach.saturating_mul(extents[axis].max(1));
        }
        let layout = match extents {
            [] => DynLayout::UNIT,
            _ => DynLayout::strided(extents, &dense[..extents.len()])?,
        };
        if layout.size() == 0 {
            return Tensor::from_slice_in(layout, &[]);
        }
        // SAFETY: the array is not empty, and this is its first element.
        let mut tensor = Tensor::full_in(layout, unsafe { *start })?;
        let (mut place, mut at) = (start, vec![0; extents.len()]);
        // `order` is the memory order of the tensor, so its elements are written sequentially.
        for element in tensor.as_mut_slice() {
            // SAFETY: `place` is the address of the element at coordinate `at`.
            *element = unsafe { *place };
            for &axis in &order {
                let stride = strides[axis];
                at[axis] += 1;
                place = place.wrapping_offset(stride);
                if at[axis] < extents[axis] {
                    break;
                }
                place = place.wrapping_offset(stride.wrapping_mul(-at[axis].cast_signed()));
                at[axis] = 0;
            }
        }
        Ok(tensor)
    })
}

impl<'a, T> View<'a, T, DynLayout> {
    /// Views an array that is part of the slice `whole`, with or without gaps. The view borrows the
    /// elements in the gaps too.
    ///
    /// ```
    /// # #[cfg(feature = "ndarray-0_17")] {
    /// use static_layout::{Tensor, View, kernels::copy, layout};
    /// use ndarray::{Array2, s};
    /// let a = Array2::from_shape_fn((4, 6), |(i, j)| 10 * i + j);
    /// // Every second column.
    /// let part = View::part_of(a.as_slice().unwrap(), &a.slice(s![1.., ..;2]))?;
    /// assert_eq!((part.layout().to_string().as_str(), part[(2, 1)]), ("(3,3):(6,2)", 32));
    /// let mut t = Tensor::<usize, layout!((3, 3))>::zeros();
    /// copy(&part, &mut t)?;
    /// assert_eq!(t.as_slice(), [10, 20, 30, 12, 22, 32, 14, 24, 34]);
    /// # }
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the array is not inside the slice. The reported length is
    /// that from the first element of the array to the end of the slice, 0 if that element is not in
    /// the slice. [`ArrayError::NegativeStride`](layout_core::error::ArrayError::NegativeStride), or
    /// another [`LayoutError`] if the extents and strides do not form a valid layout.
    pub fn part_of<A: StridedArray<T> + ?Sized>(
        whole: &'a [T],
        array: &A,
    ) -> Result<Self, LayoutError> {
        array.with_raw_parts(|start, extents, strides| {
            let layout = layout_of(extents, strides)?;
            let bytes = start.addr().wrapping_sub(whole.as_ptr().addr());
            // Zero-sized elements all have the same address.
            let first = bytes / size_of::<T>().max(1);
            let is_element = first * size_of::<T>() == bytes;
            let rest = whole.get(first..).filter(|_| is_element).unwrap_or_default();
            Self::new_in(rest, layout)
        })
    }
}

/// An array of another crate with one stride per axis.
pub trait StridedArray<T>: Sealed<T> {}

impl<T, A: Sealed<T> + ?Sized> StridedArray<T> for A {}

pub(crate) mod sealed {
    /// Implemented for the arrays of crates that have a feature.
    ///
    /// # Safety
    ///
    /// While the array is borrowed, the elements with these extents and strides are initialised and can
    /// be read.
    pub unsafe trait Sealed<T> {
        /// Calls `f` with a pointer to the first element, and the extents and strides in elements.
        fn with_raw_parts<R>(&self, f: impl FnOnce(*const T, &[usize], &[isize]) -> R) -> R;
    }
}

/// Whether the offsets of all coordinates cover every number below the cosize.
///
/// With the axes sorted by stride, the first few cover the offsets `0..reach`. Adding the next axis
/// leaves no gap if and only if its stride is at most `reach`, because no later axis has a smaller
/// stride.
fn is_contiguous(extents: &[usize], strides: &[usize]) -> bool {
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

/// The layout with a single extent and stride per mode. Checks the number of axes, if it is given.
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

/// Extents and strides of a matrix. A vector is a matrix with one column.
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

    /// Tests each offset.
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
            assert_eq!(is_contiguous(&extents, &strides), naive(&layout), "{layout}");
        }
    }
}
