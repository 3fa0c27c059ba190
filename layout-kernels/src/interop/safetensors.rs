//! `safetensors`: views of the tensors in a file, [`read`] into any layout or placement, and
//! [`Stored`] to write tensors.
//!
//! ```
//! # #[cfg(feature = "safetensors-0_8")] {
//! # use layout_kernels::interop::safetensors::{Stored, read};
//! use safetensors::{SafeTensors, serialize};
//! use static_layout::{Tensor, View, layout};
//! // A column-major tensor. In files, tensors are row-major.
//! let t = Tensor::<f32, layout!((2, 3):(1, 2))>::from_fn(|(i, j)| (10 * i + j) as f32);
//! let file = serialize([("weight", Stored::new(&t)?)], None).unwrap();
//!
//! let tensors = SafeTensors::deserialize(&file).unwrap();
//! let weight = tensors.tensor("weight").unwrap();
//! let mut back = Tensor::<f32, layout!((2, 3):(1, 2))>::zeros();
//! read(&weight, &mut back)?;
//! assert_eq!(back.as_slice(), t.as_slice());
//! // Without a copy, if the data is aligned for `f32`.
//! if let Ok(view) = View::<f32, _>::try_from(&weight) {
//!     assert_eq!((view.layout().to_string().as_str(), view[(1, 2)]), ("(2,3):(3,1)", 12.0));
//! }
//! # }
//! # Ok::<(), static_layout::LayoutError>(())
//! ```

use std::borrow::Cow;

use bytemuck::{AnyBitPattern, NoUninit, cast_slice};
use layout_core::engine::DynLayout;
use layout_core::error::{ArrayError, LayoutError};
use layout_core::types::IntoResult;
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use super::row_major::{RowMajor, row_major};
use crate::copy::copy;
use crate::place::Destination;
use crate::tensor::Tensor;
use crate::view::{AsView, View};

#[cfg(target_endian = "big")]
compile_error!("elements in a safetensors file are little-endian, and are not swapped");

mod element {
    pub trait Sealed {}
}

/// Element types of a file: integers and floats, `bf16` and `f16` with the feature `half`,
/// `Complex<f32>` with `num-complex-0_4`.
pub trait Element: AnyBitPattern + NoUninit + element::Sealed {
    /// The type in the file.
    const DTYPE: Dtype;
}

macro_rules! elements {
    ($($(if $feature:literal)? $t:ty: $dtype:ident),+ $(,)?) => {$(
        $(#[cfg(feature = $feature)])?
        impl element::Sealed for $t {}
        $(#[cfg(feature = $feature)])?
        impl Element for $t {
            const DTYPE: Dtype = Dtype::$dtype;
        }
    )+};
}
elements!(
    u8: U8, i8: I8, u16: U16, i16: I16, u32: U32, i32: I32, u64: U64, i64: I64, f32: F32, f64: F64,
    if "half" half::f16: F16,
    if "half" half::bf16: BF16,
    if "num-complex-0_4" num_complex::Complex<f32>: C64,
);

/// Row-major layout of a tensor in a file.
fn layout_of<T: Element>(tensor: &TensorView<'_>) -> Result<DynLayout, LayoutError> {
    if tensor.dtype() != T::DTYPE {
        let (file, tensor) = (name(tensor.dtype()), name(T::DTYPE));
        return Err(ArrayError::ElementType { file, tensor }.into());
    }
    row_major(tensor.shape())
}

fn name(dtype: Dtype) -> &'static str {
    macro_rules! names {
        ($($name:ident)*) => {
            match dtype {
                $(Dtype::$name => stringify!($name),)*
                _ => "a float of 8 bits or fewer",
            }
        };
    }
    names!(BOOL U8 I8 U16 I16 U32 I32 U64 I64 F16 BF16 F32 F64 C64)
}

/// Views a tensor in a file, which is in memory or memory-mapped, without a copy.
///
/// # Errors
///
/// [`ArrayError::ElementType`]; [`ArrayError::Misaligned`] if the tensor is not aligned for `T` in
/// the file: [`read`] it, or convert it to a `Tensor`.
impl<'a, T: Element> TryFrom<&TensorView<'a>> for View<'a, T, DynLayout> {
    type Error = LayoutError;
    fn try_from(tensor: &TensorView<'a>) -> Result<Self, LayoutError> {
        View::from_bytes_in(tensor.data(), layout_of::<T>(tensor)?)
    }
}

/// Copies a tensor in a file, in the order of the file and with any alignment.
///
/// # Errors
///
/// [`ArrayError::ElementType`], or another [`LayoutError`] if the extents do not form a valid layout.
impl<T: Element> TryFrom<&TensorView<'_>> for Tensor<T, DynLayout> {
    type Error = LayoutError;
    fn try_from(from: &TensorView<'_>) -> Result<Self, LayoutError> {
        let layout = layout_of::<T>(from)?;
        let mut tensor = Self::full_in(layout, T::zeroed())?;
        let (bytes, data) = (tensor.as_bytes_mut(), from.data());
        if bytes.len() != data.len() {
            let (bytes, element) = (data.len(), size_of::<T>());
            return Err(ArrayError::Bytes { bytes, element }.into());
        }
        bytes.copy_from_slice(data);
        Ok(tensor)
    }
}

/// Copies a tensor in a file into a tensor or a view of the same shape, in any layout or placement.
///
/// If the tensor in the file is aligned for `T`, this is one pass with
/// [`kernels::copy`](fn@crate::copy). Otherwise the bytes are first copied to an aligned tensor.
///
/// # Errors
///
/// [`ArrayError::ElementType`], [`LayoutError::CopyShape`].
pub fn read<T, D, B>(from: &TensorView<'_>, to: &mut D) -> Result<(), LayoutError>
where
    T: Element,
    D: Destination<T, B> + ?Sized,
{
    match View::<T, DynLayout>::try_from(from) {
        Ok(view) => copy(&view, to).into_result(),
        Err(LayoutError::Array(ArrayError::Misaligned { .. })) => {
            copy(&Tensor::<T, DynLayout>::try_from(from)?, to).into_result()
        }
        Err(error) => Err(error),
    }
}

/// A tensor as `safetensors` stores it, row-major. Elements that already are in this order are not
/// copied.
#[derive(Clone, Debug)]
pub struct Stored<'a, T: Element>(RowMajor<'a, T>);

impl<'a, T: Element> Stored<'a, T> {
    /// Stores a tensor or a view. Each mode becomes an axis.
    ///
    /// # Errors
    ///
    /// A [`LayoutError`] if the shape has no valid row-major layout.
    pub fn new(tensor: &'a impl AsView<T>) -> Result<Self, LayoutError> {
        RowMajor::new(&tensor.as_view()).map(Self)
    }
}

impl<T: Element> safetensors::View for Stored<'_, T> {
    fn dtype(&self) -> Dtype {
        T::DTYPE
    }

    fn shape(&self) -> &[usize] {
        &self.0.extents
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(cast_slice(&self.0.elements))
    }

    fn data_len(&self) -> usize {
        self.data().len()
    }
}
