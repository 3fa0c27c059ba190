//! `faer`: matrices as views, and views as matrices.

use faer::reborrow::Reborrow;
use faer::{Mat, MatMut, MatRef, Shape, Stride};
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use super::strides::{
    contiguous_layout_of, layout_of, matrix, sealed::Sealed, tensor, view, view_mut,
};
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};

/// Views a matrix.
///
/// The columns of a `faer::Mat` start at aligned addresses. Unless the length of a column is a
/// multiple of 64 bytes, there are uninitialised gaps between the columns, and a `MatRef` of the
/// matrix does not convert to a view. A [`ViewMut`] of the `Mat` itself fills the gaps. Any matrix
/// can be copied to a [`Tensor`].
///
/// ```
/// # #[cfg(feature = "faer-0_24")] {
/// use static_layout::{Tensor, View, ViewMut, layout};
/// use faer::{Mat, MatMut};
/// let m = Mat::from_fn(16, 3, |i, j| (i + 100 * j) as f64);
/// assert_eq!(View::try_from(m.as_ref())?.layout().to_string(), "(16,3):(1,16)");
/// let mut odd = Mat::from_fn(5, 3, |i, j| (i + 100 * j) as f64);
/// assert!(View::try_from(odd.as_ref()).is_err());
/// assert_eq!(Tensor::try_from(odd.as_ref())?.layout().to_string(), "(5,3):(1,5)");
/// assert_eq!(ViewMut::try_from(&mut odd)?.layout().to_string(), "(5,3):(1,8)");
/// let mut t = Tensor::<f64, layout!((5, 3):(3, 1))>::zeros();
/// MatMut::try_from(t.view_mut())?.copy_from(&odd);
/// assert_eq!(t[(4, 2)], 204.0);
/// # }
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`ArrayError::Gaps`](layout_core::error::ArrayError::Gaps),
/// [`ArrayError::NegativeStride`](layout_core::error::ArrayError::NegativeStride), or another
/// [`LayoutError`] if the extents and strides do not form a valid layout.
impl<'a, T, R: Shape, C: Shape, RS: Stride, CS: Stride> TryFrom<MatRef<'a, T, R, C, RS, CS>>
    for View<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: MatRef<'a, T, R, C, RS, CS>) -> Result<Self, LayoutError> {
        // SAFETY: `matrix` borrows its elements for `'a`.
        unsafe { view(&matrix) }
    }
}

/// Views a matrix mutably.
///
/// # Errors
///
/// Those of the conversion to a [`View`].
impl<'a, T, R: Shape, C: Shape, RS: Stride, CS: Stride> TryFrom<MatMut<'a, T, R, C, RS, CS>>
    for ViewMut<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: MatMut<'a, T, R, C, RS, CS>) -> Result<Self, LayoutError> {
        let layout = contiguous_layout_of(&matrix.rb())?;
        // SAFETY: `matrix` borrows its elements exclusively for `'a`, and has no gaps.
        unsafe { view_mut(matrix.as_ptr_mut(), layout) }
    }
}

/// Views an owned matrix mutably, even with gaps between its columns. The gaps become part of the
/// view's slice, so they are first filled with copies of the first element.
///
/// # Errors
///
/// A [`LayoutError`] if the extents and strides do not form a valid layout.
impl<'a, T: Copy, R: Shape, C: Shape> TryFrom<&'a mut Mat<T, R, C>> for ViewMut<'a, T, DynLayout> {
    type Error = LayoutError;
    fn try_from(matrix: &'a mut Mat<T, R, C>) -> Result<Self, LayoutError> {
        let matrix = matrix.as_dyn_mut();
        let extents @ [rows, columns] = [matrix.nrows(), matrix.ncols()];
        let strides @ [_, across] = [1, matrix.col_stride()];
        let start = matrix.as_ptr_mut();
        if rows > 0 {
            let across = across.unsigned_abs();
            for column in 0..columns.saturating_sub(1) {
                for row in rows..across {
                    // SAFETY: a `Mat` has memory for `across` rows of each column, which is borrowed
                    // exclusively with it. Its first element is initialised.
                    unsafe { start.add(column * across + row).write(*start) };
                }
            }
        }
        // SAFETY: `matrix` is borrowed exclusively for `'a`, including its gaps, which are
        // initialised above.
        unsafe { view_mut(start, layout_of(&extents, &strides)?) }
    }
}

/// Copies a matrix with any strides. The copy is contiguous, column-major or, if the rows of the
/// matrix have the smaller stride, row-major.
///
/// # Errors
///
/// [`LayoutError::StorageTooLarge`] if the elements do not fit in memory.
impl<'a, T: Copy, R: Shape, C: Shape, RS: Stride, CS: Stride> TryFrom<MatRef<'a, T, R, C, RS, CS>>
    for Tensor<T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: MatRef<'a, T, R, C, RS, CS>) -> Result<Self, LayoutError> {
        tensor(&matrix)
    }
}

// SAFETY: these are the elements of the matrix.
unsafe impl<T, R: Shape, C: Shape, RS: Stride, CS: Stride> Sealed<T>
    for MatRef<'_, T, R, C, RS, CS>
{
    fn with_raw_parts<O>(&self, f: impl FnOnce(*const T, &[usize], &[isize]) -> O) -> O {
        let matrix = self.as_dyn().as_dyn_stride();
        let extents = [matrix.nrows(), matrix.ncols()];
        f(matrix.as_ptr(), &extents, &[matrix.row_stride(), matrix.col_stride()])
    }
}

/// Converts a view to a matrix. A view with one mode becomes a column.
///
/// # Errors
///
/// [`AlgebraError::NoSingleStride`](layout_core::error::AlgebraError::NoSingleStride),
/// [`ArrayError::Rank`](layout_core::error::ArrayError::Rank).
impl<'a, T, L: AnyLayout> TryFrom<View<'a, T, L>> for MatRef<'a, T> {
    type Error = LayoutError;
    fn try_from(view: View<'a, T, L>) -> Result<Self, LayoutError> {
        let [(rows, down), (columns, across)] = matrix(&view.layout())?;
        let (down, across) = (down.cast_signed(), across.cast_signed());
        let start = view.as_slice().as_ptr();
        // SAFETY: a view has an element for each coordinate, borrowed for `'a`.
        Ok(unsafe { MatRef::from_raw_parts(start, rows, columns, down, across) })
    }
}

/// Converts a view to a mutable matrix.
///
/// # Errors
///
/// Those of the conversion of a [`View`].
impl<'a, T, L: AnyLayout> TryFrom<ViewMut<'a, T, L>> for MatMut<'a, T> {
    type Error = LayoutError;
    fn try_from(view: ViewMut<'a, T, L>) -> Result<Self, LayoutError> {
        let [(rows, down), (columns, across)] = matrix(&view.layout())?;
        let (down, across) = (down.cast_signed(), across.cast_signed());
        let start = view.into_slice().as_mut_ptr();
        // SAFETY: a view has an element for each coordinate, borrowed exclusively for `'a`, and no
        // two coordinates share one.
        Ok(unsafe { MatMut::from_raw_parts_mut(start, rows, columns, down, across) })
    }
}
