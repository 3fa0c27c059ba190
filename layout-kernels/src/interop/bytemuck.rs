//! `bytemuck`: bytes viewed as elements, tensors as bytes, and elements reinterpreted as another type
//! of the same size.

use bytemuck::{AnyBitPattern, NoUninit, PodCastError, try_cast_slice, try_cast_slice_mut};
use layout_core::error::{ArrayError, LayoutError};
use layout_core::types::{AnyLayout, ArrayLayout};

use crate::array_tensor::ArrayTensor;
#[cfg(feature = "std")]
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};

impl<'a, T: AnyBitPattern, L: AnyLayout> View<'a, T, L> {
    /// Views bytes as elements in `layout`, for example those of a buffer or a memory-mapped file.
    ///
    /// ```
    /// # #[cfg(feature = "bytemuck-1")] {
    /// use static_layout::{View, layout};
    /// let words = [1u32, 2, 3, 4, 5, 6];
    /// let bytes: &[u8] = bytemuck::cast_slice(&words);
    /// let v = View::<u32, _>::from_bytes_in(bytes, layout!((2, 3):(3, 1)))?;
    /// assert_eq!(v[(1, 0)], 4);
    /// let error = View::<u32, _>::from_bytes_in(&bytes[1..21], v.layout()).unwrap_err();
    /// assert_eq!(error.to_string(), "the bytes are misaligned: 1 byte past a multiple of 4 (alignment of the element)");
    /// # }
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArrayError::Misaligned`], [`ArrayError::Bytes`], [`LayoutError::SliceTooShort`].
    pub fn from_bytes_in(bytes: &'a [u8], layout: L) -> Result<Self, LayoutError> {
        Self::new_in(cast(bytes)?, layout)
    }
}

impl<'a, T: AnyBitPattern + NoUninit, L: AnyLayout> ViewMut<'a, T, L> {
    /// Mutable version of [`View::from_bytes_in`].
    ///
    /// # Errors
    ///
    /// Those of [`View::from_bytes_in`]; [`LayoutError::NotInjective`] if the layout maps two
    /// coordinates to one offset.
    pub fn from_bytes_in(bytes: &'a mut [u8], layout: L) -> Result<Self, LayoutError> {
        let (start, count) = (bytes.as_ptr(), bytes.len());
        let elements =
            try_cast_slice_mut(bytes).map_err(|e| bytes_error::<T>(e, start.addr(), count))?;
        Self::new_in(elements, layout)
    }
}

impl<'a, T: NoUninit, L: AnyLayout> View<'a, T, L> {
    /// The same elements reinterpreted as another type of the same size, such as the bits of floats,
    /// or the `f16` of one crate as that of another.
    ///
    /// ```
    /// # #[cfg(feature = "bytemuck-1")] {
    /// use static_layout::{Tensor, layout};
    /// let t = Tensor::<f32, layout!((2, 3))>::full(1.0);
    /// assert_eq!(t.view().cast::<u32>()?[(1, 2)], 0x3f80_0000);
    /// assert!(t.view().cast::<u64>().is_err());
    /// # }
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArrayError::Bytes`] if the sizes differ, [`ArrayError::Misaligned`] if `U` has a stricter
    /// alignment.
    pub fn cast<U: AnyBitPattern>(&self) -> Result<View<'a, U, L>, LayoutError> {
        if size_of::<T>() != size_of::<U>() {
            return Err(ArrayError::Bytes { bytes: size_of::<T>(), element: size_of::<U>() }.into());
        }
        Ok(View::new_checked(cast(self.as_slice())?, self.layout()))
    }
}

macro_rules! bytes {
    ($($tensor:ident: $bound:ident $(if $feature:literal)?),+) => {$(
        $(#[cfg(feature = $feature)])?
        impl<T: NoUninit, L: $bound> $tensor<T, L> {
            /// Bytes of all elements in memory order, including elements that no coordinate maps to.
            ///
            /// ```
            /// # #[cfg(feature = "bytemuck-1")] {
            #[doc = concat!("use static_layout::{", stringify!($tensor), ", layout};")]
            #[doc = concat!("let t = ", stringify!($tensor), "::<u16, layout!((2, 2))>::full(0x0102);")]
            /// assert_eq!(t.as_bytes(), 0x0102_0102_0102_0102u64.to_ne_bytes());
            /// # }
            /// ```
            pub fn as_bytes(&self) -> &[u8] {
                bytemuck::cast_slice(self.as_slice())
            }

            /// Mutable version of [`as_bytes`](Self::as_bytes).
            pub fn as_bytes_mut(&mut self) -> &mut [u8]
            where
                T: AnyBitPattern,
            {
                bytemuck::cast_slice_mut(self.as_mut_slice())
            }
        }
    )+};
}
bytes!(Tensor: AnyLayout if "std", ArrayTensor: ArrayLayout);

fn cast<T: NoUninit, U: AnyBitPattern>(from: &[T]) -> Result<&[U], LayoutError> {
    try_cast_slice(from).map_err(|e| bytes_error::<U>(e, from.as_ptr().addr(), size_of_val(from)))
}

/// The reason why bytes cannot be viewed as elements of `T`.
fn bytes_error<T>(error: PodCastError, start: usize, bytes: usize) -> LayoutError {
    match error {
        PodCastError::TargetAlignmentGreaterAndInputNotAligned => {
            ArrayError::Misaligned { align: align_of::<T>(), past: start % align_of::<T>() }.into()
        }
        _ => ArrayError::Bytes { bytes, element: size_of::<T>() }.into(),
    }
}
