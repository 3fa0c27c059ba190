//! Conversions between tensors, slices and vectors.

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, StaticLayout};

use super::Tensor;
use crate::buffer::Buffer;
use crate::checks::{check_allocatable, check_covers, value};

impl<T: Copy, L: StaticLayout> Tensor<T, L> {
    /// A tensor with a copy of these elements, in memory order: one for each offset of the layout,
    /// including those that no coordinate maps to.
    ///
    /// ```
    /// use static_layout::{Tensor, layout};
    /// let columns = Tensor::<_, layout!((2, 3))>::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!((columns[(1, 0)], columns[(0, 2)]), (2, 5));
    /// assert!(Tensor::<_, layout!((2, 3))>::from_slice(&[1, 2, 3]).is_err());
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_slice_in`](Self::from_slice_in).
    pub fn from_slice(elements: &[T]) -> Result<Self, LayoutError> {
        Self::from_slice_in(L::default(), elements)
    }

    /// [`from_slice`](Self::from_slice) for a vector. The elements are copied, because a tensor's
    /// memory is aligned to 128 bytes and a `Vec`'s need not be.
    ///
    /// # Errors
    ///
    /// As [`from_slice_in`](Self::from_slice_in).
    pub fn from_vec(elements: Vec<T>) -> Result<Self, LayoutError> {
        Self::from_slice(&elements)
    }
}

impl<T: Copy, L: AnyLayout> Tensor<T, L> {
    /// A tensor in `layout` with a copy of these elements, in memory order.
    ///
    /// ```
    /// use static_layout::{Tensor, layout};
    /// let n = 2;
    /// let rows = Tensor::from_slice_in(layout!((n, 3):(3, 1)), &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!((rows[(1, 0)], rows.into_vec()), (4, vec![1, 2, 3, 4, 5, 6]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if there are fewer elements than the layout's cosize,
    /// [`LayoutError::SliceTooLong`] if there are more, and the errors of
    /// [`zeros_in`](Self::zeros_in).
    pub fn from_slice_in(layout: L, elements: &[T]) -> Result<Self, LayoutError> {
        let numbers = value(&layout)?;
        check_allocatable(&numbers, numbers.cosize(), size_of::<T>())?;
        check_covers(&numbers, elements.len())?;
        if elements.len() > numbers.cosize() {
            let (shape, stride) = (numbers.shape(), numbers.stride());
            return Err(LayoutError::SliceTooLong { elements: elements.len(), shape, stride });
        }
        Ok(Self { data: Buffer::of(elements), layout })
    }

    /// A copy of all elements, in memory order.
    pub fn into_vec(self) -> Vec<T> {
        self.data.to_vec()
    }
}

impl<T: Copy, L: StaticLayout> TryFrom<Vec<T>> for Tensor<T, L> {
    type Error = LayoutError;

    /// As [`from_vec`](Self::from_vec).
    fn try_from(elements: Vec<T>) -> Result<Self, LayoutError> {
        Self::from_vec(elements)
    }
}

impl<T: Copy, L: StaticLayout> TryFrom<&[T]> for Tensor<T, L> {
    type Error = LayoutError;

    /// As [`from_slice`](Self::from_slice).
    fn try_from(elements: &[T]) -> Result<Self, LayoutError> {
        Self::from_slice(elements)
    }
}

impl<T: Copy, L: AnyLayout> From<Tensor<T, L>> for Vec<T> {
    /// As [`into_vec`](Tensor::into_vec).
    fn from(tensor: Tensor<T, L>) -> Self {
        tensor.into_vec()
    }
}
