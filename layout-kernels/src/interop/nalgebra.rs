//! `nalgebra`: matrices as views, and views as matrices.

use layout_core::engine::DynLayout;
use layout_core::error::{ArrayError, LayoutError};
use layout_core::types::AnyLayout;
use nalgebra::{
    Dim, Dyn, Matrix, MatrixView, MatrixViewMut, RawStorage, RawStorageMut, ViewStorage,
    ViewStorageMut,
};

#[cfg(feature = "std")]
use super::strides::tensor;
use super::strides::{contiguous_layout_of, matrix, sealed::Sealed, view, view_mut};
use crate::checks::not_injective;
#[cfg(feature = "std")]
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};

/// Views a matrix. Owned matrices of `nalgebra` are contiguous and column-major.
///
/// ```
/// # #[cfg(feature = "nalgebra-0_35")] {
/// use static_layout::{View, layout};
/// use nalgebra::Matrix2x3;
/// let m = Matrix2x3::new(1, 2, 3, 4, 5, 6);
/// let v = View::try_from(&m)?.typed::<layout!((2, 3))>()?;
/// assert_eq!((v[(1, 0)], v.as_slice()), (4, &[1, 4, 2, 5, 3, 6][..]));
/// # }
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`ArrayError::Gaps`], or another [`LayoutError`] if the extents and strides do not form a valid
/// layout.
impl<'a, T, R: Dim, C: Dim, S: RawStorage<T, R, C>> TryFrom<&'a Matrix<T, R, C, S>>
    for View<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: &'a Matrix<T, R, C, S>) -> Result<Self, LayoutError> {
        // SAFETY: the elements are borrowed as `matrix` is.
        unsafe { view(matrix) }
    }
}

/// Converts a matrix that is itself a view.
impl<'a, T, R: Dim, C: Dim, RS: Dim, CS: Dim> TryFrom<MatrixView<'a, T, R, C, RS, CS>>
    for View<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: MatrixView<'a, T, R, C, RS, CS>) -> Result<Self, LayoutError> {
        // SAFETY: `matrix` borrows its elements for `'a`.
        unsafe { view(&matrix) }
    }
}

/// Views a matrix mutably.
///
/// # Errors
///
/// Those of the conversion to a [`View`].
impl<'a, T, R: Dim, C: Dim, S: RawStorageMut<T, R, C>> TryFrom<&'a mut Matrix<T, R, C, S>>
    for ViewMut<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: &'a mut Matrix<T, R, C, S>) -> Result<Self, LayoutError> {
        let layout = contiguous_layout_of(matrix)?;
        // SAFETY: the elements are borrowed as `matrix` is, exclusively, and there are no gaps.
        unsafe { view_mut(matrix.data.ptr_mut(), layout) }
    }
}

/// Converts a matrix that is itself a mutable view.
impl<'a, T, R: Dim, C: Dim, RS: Dim, CS: Dim> TryFrom<MatrixViewMut<'a, T, R, C, RS, CS>>
    for ViewMut<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(mut matrix: MatrixViewMut<'a, T, R, C, RS, CS>) -> Result<Self, LayoutError> {
        let layout = contiguous_layout_of(&matrix)?;
        // SAFETY: `matrix` borrows its elements exclusively for `'a`, and has no gaps.
        unsafe { view_mut(matrix.data.ptr_mut(), layout) }
    }
}

/// Copies a matrix with any strides. The copy is contiguous, column-major or, if the rows of the
/// matrix have the smaller stride, row-major.
///
/// # Errors
///
/// [`LayoutError::StorageTooLarge`] if the elements do not fit in memory.
#[cfg(feature = "std")]
impl<T: Copy, R: Dim, C: Dim, S: RawStorage<T, R, C>> TryFrom<&Matrix<T, R, C, S>>
    for Tensor<T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(matrix: &Matrix<T, R, C, S>) -> Result<Self, LayoutError> {
        tensor(matrix)
    }
}

// SAFETY: these are the elements of the matrix. All elements of a matrix are initialised.
unsafe impl<T, R: Dim, C: Dim, S: RawStorage<T, R, C>> Sealed<T> for Matrix<T, R, C, S> {
    fn with_raw_parts<O>(&self, f: impl FnOnce(*const T, &[usize], &[isize]) -> O) -> O {
        let ((rows, columns), (down, across)) = (self.data.shape(), self.data.strides());
        // Strides of existing memory fit in `isize`.
        let strides = [down.value().cast_signed(), across.value().cast_signed()];
        f(self.data.ptr(), &[rows.value(), columns.value()], &strides)
    }
}

/// Converts a view to a matrix with static or dynamic extents. A view with one mode becomes a column.
///
/// ```
/// # #[cfg(feature = "nalgebra-0_35")] {
/// use static_layout::{Tensor, layout};
/// use nalgebra::{Const, Dyn, MatrixView};
/// let t = Tensor::<i32, layout!((2, 3):(3, 1))>::from_fn(|(i, j)| (10 * i + j) as i32);
/// let m = MatrixView::<_, Const<2>, Dyn, Dyn, Dyn>::try_from(t.view())?;
/// assert_eq!((m.shape(), m[(1, 2)]), ((2, 3), 12));
/// assert!(MatrixView::<i32, Const<3>, Dyn, Dyn, Dyn>::try_from(t.view()).is_err());
/// # }
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`AlgebraError::NoSingleStride`](layout_core::error::AlgebraError::NoSingleStride),
/// [`ArrayError::Rank`], [`ArrayError::Extent`].
impl<'a, T, L: AnyLayout, R: Dim, C: Dim> TryFrom<View<'a, T, L>>
    for MatrixView<'a, T, R, C, Dyn, Dyn>
{
    type Error = LayoutError;
    fn try_from(view: View<'a, T, L>) -> Result<Self, LayoutError> {
        let (shape, strides) = dimensions(&view.layout())?;
        // SAFETY: a view has an element for each coordinate, borrowed for `'a`.
        let storage =
            unsafe { ViewStorage::from_raw_parts(view.as_slice().as_ptr(), shape, strides) };
        Ok(Self::from_data(storage))
    }
}

/// Converts a view to a mutable matrix.
///
/// # Errors
///
/// Those of the conversion of a [`View`].
impl<'a, T, L: AnyLayout, R: Dim, C: Dim> TryFrom<ViewMut<'a, T, L>>
    for MatrixViewMut<'a, T, R, C, Dyn, Dyn>
{
    type Error = LayoutError;
    fn try_from(view: ViewMut<'a, T, L>) -> Result<Self, LayoutError> {
        let (shape, strides) = dimensions(&view.layout())?;
        let start = view.into_slice().as_mut_ptr();
        // SAFETY: a view has an element for each coordinate, borrowed exclusively for `'a`, and no
        // two coordinates share one.
        let storage = unsafe { ViewStorageMut::from_raw_parts(start, shape, strides) };
        Ok(Self::from_data(storage))
    }
}

/// Shape and strides of a matrix.
type Dimensions<R, C> = ((R, C), (Dyn, Dyn));

fn dimensions<L: AnyLayout, R: Dim, C: Dim>(layout: &L) -> Result<Dimensions<R, C>, LayoutError> {
    let [(rows, down), (columns, across)] = matrix(layout)?;
    // nalgebra computes with the stride of a single row or column, too. Here it may be any number.
    let down = if rows <= 1 { 1 } else { down };
    let across = if columns <= 1 { rows } else { across };
    // nalgebra finds the end of a column by its stride.
    if down == 0 {
        return Err(not_injective(&layout.to_dyn()?));
    }
    Ok(((dimension(0, rows)?, dimension(1, columns)?), (Dyn(down), Dyn(across))))
}

fn dimension<D: Dim>(axis: usize, extent: usize) -> Result<D, LayoutError> {
    match D::try_to_usize() {
        Some(expected) if expected != extent => {
            Err(ArrayError::Extent { axis, expected, extent }.into())
        }
        _ => Ok(D::from_usize(extent)),
    }
}
