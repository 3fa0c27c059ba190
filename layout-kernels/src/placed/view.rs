//! `PlacedView` and `PlacedViewMut`: slices seen through a placement.

use core::fmt;

use layout_core::devices::AnyPlacement;
use layout_core::error::LayoutError;

use super::FillValue;
#[cfg(feature = "std")]
use crate::checks::check_core_buffers;
use crate::checks::{check_buffers, check_injective_placement};
use crate::place::{InPlacement, Memory, MemoryMut, Placed, sealed};
use crate::view::LayoutRef;

/// Shared slices seen through a placement: one slice with the buffers of all cores in order, or one
/// slice per core.
///
/// [`copy`](crate::copy()) only reads elements, never padding.
pub struct PlacedView<'a, T, P> {
    memory: Memory<'a, T>,
    placement: P,
}

impl<'a, T, P: AnyPlacement + Copy> PlacedView<'a, T, P> {
    /// One slice with the buffers of all cores in order.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::devices::Placement;
    /// use static_layout::{PlacedView, Tensor, kernels::copy};
    /// // Two rows of three, each stored as four.
    /// let placement = Placement::builder(&[2, 3], 8, 1)?
    ///     .dimension(2, &[1, 0])?.piece(2)?.leaf(2, 4)?
    ///     .dimension(3, &[0, 1])?.piece(3)?.leaf(4, 1)?
    ///     .build()?;
    /// let device = PlacedView::new_in(&[1, 2, 3, 0, 4, 5, 6, 0], placement)?;
    /// let mut rows = Tensor::zeros_in(DynLayout::parse("(2,3):(3,1)").unwrap())?;
    /// copy(&device, &mut rows)?;
    /// assert_eq!(rows.as_slice(), [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PlacementError::Buffers`](layout_core::error::PlacementError::Buffers) if the slice is too
    /// short.
    pub fn new_in(slice: &'a [T], placement: P) -> Result<Self, LayoutError> {
        check_buffers(&placement.placement(), slice.len())?;
        Ok(Self { memory: Memory::Contiguous(slice), placement })
    }

    /// One slice per core.
    ///
    /// # Errors
    ///
    /// [`PlacementError::Buffers`](layout_core::error::PlacementError::Buffers) if there are too few
    /// slices, or one is too short.
    #[cfg(feature = "std")]
    pub fn of_cores(
        slices: impl IntoIterator<Item = &'a [T]>,
        placement: P,
    ) -> Result<Self, LayoutError> {
        let slices: Vec<_> = slices.into_iter().collect();
        check_core_buffers(&placement.placement(), slices.iter().map(|slice| slice.len()))?;
        Ok(Self { memory: Memory::PerCore(slices), placement })
    }
}

impl<T, P: AnyPlacement + Copy> sealed::Read<T, InPlacement> for PlacedView<'_, T, P> {
    type Place = Placed<P>;

    fn read(&self) -> (LayoutRef<'_, Placed<P>>, Memory<'_, T>) {
        let memory = match &self.memory {
            Memory::Contiguous(slice) => Memory::Contiguous(slice),
            #[cfg(feature = "std")]
            Memory::PerCore(slices) => Memory::PerCore(slices.clone()),
        };
        (LayoutRef::Owned(Placed(self.placement)), memory)
    }
}

/// Mutable slices seen through a placement in which no two elements share a slot: one slice with the
/// buffers of all cores in order, or one slice per core.
///
/// [`copy`](crate::copy()) to it also fills padding, with the value of the placement's notation or of
/// [`with_padding`](Self::with_padding).
pub struct PlacedViewMut<'a, T, P> {
    memory: MemoryMut<'a, T>,
    placement: P,
    padding: Option<T>,
}

impl<'a, T: FillValue, P: AnyPlacement + Copy> PlacedViewMut<'a, T, P> {
    /// One slice with the buffers of all cores in order. Padding is filled with the value of the
    /// notation.
    ///
    /// # Errors
    ///
    /// [`PlacementError::Buffers`](layout_core::error::PlacementError::Buffers) if the slice is too
    /// short, [`PlacementError::SharedSlot`](layout_core::error::PlacementError::SharedSlot) if two
    /// elements share a slot.
    pub fn new_in(slice: &'a mut [T], placement: P) -> Result<Self, LayoutError> {
        let padding = T::fill_value(placement.fill());
        Ok(Self::unfilled_in(slice, placement)?.with_padding(padding))
    }

    /// One slice per core. Padding is filled with the value of the notation.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::devices::{Fill, Placement};
    /// use static_layout::{FillValue, PlacedViewMut, Tensor, kernels::copy};
    /// // Five rows of two on two cores: three rows and two.
    /// let placement = Placement::builder(&[5, 2], 6, 2)?
    ///     .dimension(5, &[1, 0])?.piece(3)?.leaf(3, 2)?.piece(2)?.core_leaf(2, 1)?
    ///     .dimension(2, &[0, 1])?.piece(2)?.leaf(2, 1)?
    ///     .build()?;
    /// let rows = Tensor::from_fn_in(DynLayout::parse("(5,2):(2,1)").unwrap(), |c| {
    ///     10 * c.leaves()[0] + c.leaves()[1]
    /// })?;
    /// let mut buffers = [[7; 6]; 2];
    /// let cores = buffers.iter_mut().map(|buffer| &mut buffer[..]);
    /// let device = PlacedViewMut::of_cores(cores, placement)?;
    /// copy(&rows, &mut device.with_padding(usize::fill_value(Fill::Zero)))?;
    /// assert_eq!(buffers, [[0, 1, 10, 11, 20, 21], [30, 31, 40, 41, 0, 0]]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new_in`](Self::new_in).
    #[cfg(feature = "std")]
    pub fn of_cores(
        slices: impl IntoIterator<Item = &'a mut [T]>,
        placement: P,
    ) -> Result<Self, LayoutError> {
        let padding = T::fill_value(placement.fill());
        Ok(Self::unfilled_of_cores(slices, placement)?.with_padding(padding))
    }
}

impl<'a, T, P: AnyPlacement + Copy> PlacedViewMut<'a, T, P> {
    /// [`new_in`](Self::new_in) for any element type. Padding is left unchanged.
    ///
    /// # Errors
    ///
    /// As [`new_in`](Self::new_in).
    pub fn unfilled_in(slice: &'a mut [T], placement: P) -> Result<Self, LayoutError> {
        let value = placement.placement();
        check_buffers(&value, slice.len())?;
        check_injective_placement(&value)?;
        Ok(Self { memory: MemoryMut::Contiguous(slice), placement, padding: None })
    }

    /// [`of_cores`](Self::of_cores) for any element type. Padding is left unchanged.
    ///
    /// # Errors
    ///
    /// As [`new_in`](Self::new_in).
    #[cfg(feature = "std")]
    pub fn unfilled_of_cores(
        slices: impl IntoIterator<Item = &'a mut [T]>,
        placement: P,
    ) -> Result<Self, LayoutError> {
        let slices: Vec<_> = slices.into_iter().collect();
        let value = placement.placement();
        check_core_buffers(&value, slices.iter().map(|slice| slice.len()))?;
        check_injective_placement(&value)?;
        Ok(Self { memory: MemoryMut::PerCore(slices), placement, padding: None })
    }

    /// Sets the value that a copy writes to padding; with `None` it leaves padding unchanged.
    #[must_use]
    pub fn with_padding(mut self, padding: Option<T>) -> Self {
        self.padding = padding;
        self
    }
}

impl<T: Copy, P: AnyPlacement + Copy> sealed::Write<T, InPlacement> for PlacedViewMut<'_, T, P> {
    type Place = Placed<P>;

    fn write(&mut self) -> (LayoutRef<'_, Placed<P>>, MemoryMut<'_, T>, Option<T>) {
        let memory = match &mut self.memory {
            MemoryMut::Contiguous(slice) => MemoryMut::Contiguous(slice),
            #[cfg(feature = "std")]
            MemoryMut::PerCore(slices) => {
                MemoryMut::PerCore(slices.iter_mut().map(|slice| &mut **slice).collect())
            }
        };
        (LayoutRef::Owned(Placed(self.placement)), memory, self.padding)
    }
}

macro_rules! debug {
    ($($name:ident)*) => {$(
        impl<T, P: AnyPlacement> fmt::Debug for $name<'_, T, P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let name = stringify!($name);
                f.debug_struct(name).field("placement", &self.placement.placement()).finish()
            }
        }
    )*};
}
debug!(PlacedView PlacedViewMut);
