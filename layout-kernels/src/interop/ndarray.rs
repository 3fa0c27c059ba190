//! `ndarray`: arrays as views, and views as arrays.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;
use ndarray::{
    ArrayBase, ArrayView, ArrayViewMut, Data, DataMut, Dimension, IxDyn, ShapeBuilder, StrideShape,
};

use super::strides::{axes, contiguous_layout_of, sealed::Sealed, tensor, view, view_mut};
use crate::checks::not_injective;
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};

/// Views an array. The layout has the extents and strides of the array.
///
/// ```
/// # #[cfg(feature = "ndarray-0_17")] {
/// use static_layout::{View, ViewMut, kernels::gemm, layout};
/// use ndarray::{Array2, array};
/// let a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// let b = a.t();
/// let mut c = Array2::<f64>::zeros((2, 2));
/// let (a, b) = (View::try_from(&a)?, View::try_from(b)?);
/// assert_eq!((a.layout().to_string(), b.layout().to_string()), ("(2,3):(3,1)".into(), "(3,2):(1,3)".into()));
/// gemm(1.0, &a, &b, 0.0, &mut ViewMut::try_from(&mut c)?)?;
/// assert_eq!(c, array![[14.0, 32.0], [32.0, 77.0]]);
/// // The extents and strides of the type are checked once; to kernels they are then constants.
/// let a = a.typed::<layout!((2, 3):(3, 1))>()?;
/// assert_eq!(a[(1, 2)], 6.0);
/// # }
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`ArrayError::Gaps`](layout_core::error::ArrayError::Gaps),
/// [`ArrayError::NegativeStride`](layout_core::error::ArrayError::NegativeStride), or another
/// [`LayoutError`] if the extents and strides do not form a valid layout.
impl<'a, T, D: Dimension> TryFrom<ArrayView<'a, T, D>> for View<'a, T, DynLayout> {
    type Error = LayoutError;
    fn try_from(array: ArrayView<'a, T, D>) -> Result<Self, LayoutError> {
        // SAFETY: `array` borrows its elements for `'a`.
        unsafe { view(&array) }
    }
}

impl<'a, T, S: Data<Elem = T>, D: Dimension> TryFrom<&'a ArrayBase<S, D>>
    for View<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(array: &'a ArrayBase<S, D>) -> Result<Self, LayoutError> {
        array.view().try_into()
    }
}

/// Copies an array with any strides. The copy is contiguous, with the axes in the order of their
/// strides in memory.
///
/// ```
/// # #[cfg(feature = "ndarray-0_17")] {
/// use static_layout::Tensor;
/// use ndarray::{array, s};
/// let a = array![[1, 2, 3], [4, 5, 6]];
/// let t = Tensor::try_from(a.slice(s![.., ..;-1]))?;
/// assert_eq!((t.layout().to_string().as_str(), t.as_slice()), ("(2,3):(3,1)", &[3, 2, 1, 6, 5, 4][..]));
/// # }
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::TooManyLeaves`], [`LayoutError::StorageTooLarge`].
impl<T: Copy, D: Dimension> TryFrom<ArrayView<'_, T, D>> for Tensor<T, DynLayout> {
    type Error = LayoutError;
    fn try_from(array: ArrayView<'_, T, D>) -> Result<Self, LayoutError> {
        tensor(&array)
    }
}

// SAFETY: these are the elements of the array.
unsafe impl<T, S: Data<Elem = T>, D: Dimension> Sealed<T> for ArrayBase<S, D> {
    fn with_raw_parts<R>(&self, f: impl FnOnce(*const T, &[usize], &[isize]) -> R) -> R {
        f(self.as_ptr(), self.shape(), self.strides())
    }
}

/// Views a mutable array.
///
/// # Errors
///
/// Those of the conversion to a [`View`].
impl<'a, T, D: Dimension> TryFrom<ArrayViewMut<'a, T, D>> for ViewMut<'a, T, DynLayout> {
    type Error = LayoutError;
    fn try_from(mut array: ArrayViewMut<'a, T, D>) -> Result<Self, LayoutError> {
        let layout = contiguous_layout_of(&array)?;
        // SAFETY: `array` borrows its elements exclusively for `'a`, and has no gaps.
        unsafe { view_mut(array.as_mut_ptr(), layout) }
    }
}

impl<'a, T, S: DataMut<Elem = T>, D: Dimension> TryFrom<&'a mut ArrayBase<S, D>>
    for ViewMut<'a, T, DynLayout>
{
    type Error = LayoutError;
    fn try_from(array: &'a mut ArrayBase<S, D>) -> Result<Self, LayoutError> {
        array.view_mut().try_into()
    }
}

/// Converts a view to an array. Each mode becomes an axis.
///
/// ```
/// # #[cfg(feature = "ndarray-0_17")] {
/// use static_layout::{Tensor, layout};
/// use ndarray::{ArrayView2, ArrayViewMut2, array, s};
/// let mut t = Tensor::<i32, layout!((2, 3):(1, 2))>::zeros();
/// // Any array, even with gaps or reversed, can be assigned to a tensor that is viewed as an array.
/// let other = array![[1, 2, 3, 4], [5, 6, 7, 8]];
/// ArrayViewMut2::try_from(t.view_mut())?.assign(&other.slice(s![..;-1, 1..]));
/// assert_eq!(ArrayView2::try_from(t.view())?, array![[6, 7, 8], [2, 3, 4]]);
/// // A packed mode has no single stride.
/// let packed = Tensor::<i32, layout!([1, 0, 1 p(2)] for (2, 4))>::zeros();
/// assert!(ArrayView2::try_from(packed.view()).is_err());
/// # }
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`AlgebraError::NoSingleStride`](layout_core::error::AlgebraError::NoSingleStride),
/// [`ArrayError::Rank`](layout_core::error::ArrayError::Rank).
impl<'a, T, L: AnyLayout, D: Dimension> TryFrom<View<'a, T, L>> for ArrayView<'a, T, D> {
    type Error = LayoutError;
    fn try_from(view: View<'a, T, L>) -> Result<Self, LayoutError> {
        let (layout, shape) = shape(&view.layout())?;
        Self::from_shape(shape, view.as_slice()).map_err(|_| not_injective(&layout))
    }
}

/// Converts a view to a mutable array.
///
/// # Errors
///
/// Those of the conversion of a [`View`].
impl<'a, T, L: AnyLayout, D: Dimension> TryFrom<ViewMut<'a, T, L>> for ArrayViewMut<'a, T, D> {
    type Error = LayoutError;
    fn try_from(view: ViewMut<'a, T, L>) -> Result<Self, LayoutError> {
        let (layout, shape) = shape(&view.layout())?;
        Self::from_shape(shape, view.into_slice()).map_err(|_| not_injective(&layout))
    }
}

/// The layout of a view, and the shape of the array. If `ndarray` refuses a shape, it does not say why.
/// All reasons except repeated elements were checked before.
fn shape<L: AnyLayout, D: Dimension>(
    layout: &L,
) -> Result<(DynLayout, StrideShape<D>), LayoutError> {
    let layout = axes(layout, D::NDIM)?;
    let dimension = |numbers: &[usize]| match D::from_dimension(&IxDyn(numbers)) {
        Some(dimension) => Ok(dimension),
        None => Err(not_injective(&layout)),
    };
    let shape = dimension(layout.extents())?.strides(dimension(layout.strides())?);
    Ok((layout, shape))
}
