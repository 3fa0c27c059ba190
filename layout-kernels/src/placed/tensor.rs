//! `PlacedTensor`: a placement and the buffers of all its cores on the heap.

use core::fmt;

use layout_core::devices::{AnyPlacement, Fill};
use layout_core::error::LayoutError;
use layout_core::types::{AtCompileTime, Fallibility};

use super::FillValue;
use crate::buffer::Buffer;
use crate::checks::{check_allocatable_placement, const_unwrap};
use crate::place::{InPlacement, Memory, MemoryMut, Placed, sealed};
use crate::view::LayoutRef;

/// A tensor that owns its elements, distributed over cores and padded according to the placement `P`.
///
/// The buffers of all cores are consecutive in one heap allocation, aligned to 128 bytes. No two
/// elements share a slot.
///
/// [`copy`](crate::copy()) moves elements to and from it, between any layouts and placements of the
/// same shape. A copy to it also fills padding, with the value of the placement's notation or of
/// [`set_fill`](Self::set_fill). A copy from it never reads padding.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::devices::{Fill, Placement};
/// use static_layout::{PlacedTensor, Tensor, kernels::copy};
/// // Five rows of two on two cores: three rows and two.
/// let placement = Placement::builder(&[5, 2], 6, 2)?
///     .dimension(5, &[1, 0])?.piece(3)?.leaf(3, 2)?.piece(2)?.core_leaf(2, 1)?
///     .dimension(2, &[0, 1])?.piece(2)?.leaf(2, 1)?
///     .build()?;
/// let rows = Tensor::<i32, _>::full_in(DynLayout::parse("(5,2):(2,1)").unwrap(), 7)?;
/// let mut device = PlacedTensor::zeros_in(placement)?;
/// device.set_fill(Fill::NegInf);
/// copy(&rows, &mut device)?;
/// assert_eq!((device.core(0), device.core(1)), (&[7; 6][..], &[7, 7, 7, 7, i32::MIN, i32::MIN][..]));
/// assert_eq!(device.get(&[4, 1]), Some(&7));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct PlacedTensor<T: Copy, P> {
    // Invariant: `data.len()` is the number of slots, and the placement is injective.
    data: Buffer<T>,
    placement: P,
    padding: Option<T>,
}

impl<T: FillValue, P: AnyPlacement<Fallibility = AtCompileTime> + Copy + Default>
    PlacedTensor<T, P>
{
    /// A tensor full of zeros, including padding.
    #[must_use]
    pub fn zeros() -> Self {
        const { Self::CHECK };
        Self::zeros_in(P::default())
    }

    /// A tensor whose element at each coordinate `c` is `f(c)`. Padding is filled with the value of
    /// the notation, here and by copies.
    ///
    /// ```
    /// use static_layout::{PlacedTensor, layout};
    /// type Sticks = layout!(spyre { size: [40], dtype: f32 });
    /// let device = PlacedTensor::<f32, Sticks>::from_fn(|at| at[0] as f32);
    /// assert_eq!((device.as_slice()[39], device.as_slice().len()), (39.0, 64));
    /// ```
    #[must_use]
    pub fn from_fn(f: impl FnMut(&[usize]) -> T) -> Self {
        const { Self::CHECK };
        Self::from_fn_in(P::default(), f)
    }
}

impl<T: Copy, P: AnyPlacement<Fallibility = AtCompileTime> + Copy + Default> PlacedTensor<T, P> {
    /// A tensor of any element type, full of `value`, including padding. Copies to it leave padding
    /// unchanged.
    ///
    /// ```
    /// use static_layout::{PlacedTensor, layout};
    /// type Sticks = layout!(spyre { size: [40], dtype: f32 });
    /// let device = PlacedTensor::<u8, Sticks>::full(7);
    /// assert_eq!(device.as_slice(), [7; 64]);
    /// ```
    #[must_use]
    pub fn full(value: T) -> Self {
        Self::full_in(P::default(), value)
    }
}

impl<T: FillValue, P: AnyPlacement + Copy> PlacedTensor<T, P> {
    /// A tensor in `placement` full of zeros, including padding. Copies to it fill padding with the
    /// value of the notation.
    ///
    /// # Errors
    ///
    /// [`PlacementError::SharedSlot`](layout_core::error::PlacementError::SharedSlot),
    /// [`PlacementError::TooManyBytes`](layout_core::error::PlacementError::TooManyBytes). For a
    /// static placement these are compile errors.
    ///
    /// `TooManyBytes` means more bytes than any allocation can have. If the allocator runs out of
    /// memory, the program aborts, as for a `Vec`.
    pub fn zeros_in(placement: P) -> <P::Fallibility as Fallibility>::Outcome<Self> {
        const { Self::CHECK };
        P::Fallibility::outcome(Self::filled(placement, T::ZERO).map(|mut tensor| {
            tensor.set_fill(tensor.placement.fill());
            tensor
        }))
    }

    /// A tensor in `placement` whose element at each coordinate `c` is `f(c)`. Padding is filled with
    /// the value of the notation, here and by copies.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// use static_layout::PlacedTensor;
    /// let text = "tensor<3x2xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), one, <2x1>>>";
    /// let rows = MetalLayout::parse(text).unwrap();
    /// let cores = PlacedTensor::from_fn_in(rows, |at| (10 * at[0] + at[1]) as f32)?;
    /// assert_eq!((cores.core(0), cores.core(1)), (&[0.0, 1.0, 10.0, 11.0][..], &[20.0, 21.0, 1.0, 1.0][..]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`zeros_in`](Self::zeros_in).
    pub fn from_fn_in(
        placement: P,
        f: impl FnMut(&[usize]) -> T,
    ) -> <P::Fallibility as Fallibility>::Outcome<Self> {
        const { Self::CHECK };
        P::Fallibility::outcome(Self::computed(placement, f))
    }

    fn computed(placement: P, mut f: impl FnMut(&[usize]) -> T) -> Result<Self, LayoutError> {
        let padding = T::fill_value(placement.fill());
        let mut tensor = Self::filled(placement, padding.unwrap_or(T::ZERO))?;
        tensor.padding = padding;
        let value = placement.placement();
        let mut set = Ok(());
        value.region().for_each(|at| match value.slot_number(at) {
            // A slot number is an index into the consecutive buffers.
            Ok(index) => tensor.data[index] = f(at),
            Err(error) => set = Err(error),
        });
        set.map(|()| tensor)
    }
}

impl<T: FillValue, P> PlacedTensor<T, P> {
    /// Sets the fill for padding that later copies to this tensor write.
    pub fn set_fill(&mut self, fill: Fill) {
        self.padding = T::fill_value(fill);
    }
}

impl<T: Copy, P: AnyPlacement + Copy> PlacedTensor<T, P> {
    /// The checks of a static placement. A failure is a compile error.
    const CHECK: () = {
        if let Some(placement) = P::STATIC {
            const_unwrap(&check_allocatable_placement(&placement, size_of::<T>()));
        }
    };

    /// A tensor of any element type in `placement`, full of `value`, including padding. Copies to it
    /// leave padding unchanged.
    ///
    /// # Errors
    ///
    /// As [`zeros_in`](Self::zeros_in).
    pub fn full_in(placement: P, value: T) -> <P::Fallibility as Fallibility>::Outcome<Self> {
        const { Self::CHECK };
        P::Fallibility::outcome(Self::filled(placement, value))
    }

    fn filled(placement: P, element: T) -> Result<Self, LayoutError> {
        let value = placement.placement();
        check_allocatable_placement(&value, size_of::<T>())?;
        Ok(Self { data: Buffer::filled(value.slots(), element), placement, padding: None })
    }

    /// The element at a coordinate; `None` if the coordinate lies outside the shape.
    pub fn get(&self, coordinate: &[usize]) -> Option<&T> {
        self.data.get(self.slot_index(coordinate)?)
    }

    /// The element at a coordinate; `None` if the coordinate lies outside the shape.
    pub fn get_mut(&mut self, coordinate: &[usize]) -> Option<&mut T> {
        let index = self.slot_index(coordinate)?;
        self.data.get_mut(index)
    }

    fn slot_index(&self, coordinate: &[usize]) -> Option<usize> {
        self.placement.slot_number(coordinate).ok()
    }

    /// The buffer of a core, including padding.
    ///
    /// # Panics
    ///
    /// If there is no such core.
    #[track_caller]
    pub fn core(&self, core: usize) -> &[T] {
        let storage = self.placement.placement().storage();
        self.data.chunks_exact(storage).nth(core).expect("a core of the placement")
    }

    /// The buffer of a core, including padding.
    ///
    /// # Panics
    ///
    /// If there is no such core.
    #[track_caller]
    pub fn core_mut(&mut self, core: usize) -> &mut [T] {
        let storage = self.placement.placement().storage();
        self.data.chunks_exact_mut(storage).nth(core).expect("a core of the placement")
    }

    /// The placement.
    pub fn placement(&self) -> P {
        self.placement
    }
}

impl<T: Copy, P> PlacedTensor<T, P> {
    /// The buffers of all cores in memory order, including padding.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// The buffers of all cores in memory order, including padding.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// Sets the value that later copies to this tensor write to padding; with `None` they leave it
    /// unchanged.
    pub fn set_padding(&mut self, padding: Option<T>) {
        self.padding = padding;
    }
}

impl<T: Copy, P: AnyPlacement + Copy> sealed::Read<T, InPlacement> for PlacedTensor<T, P> {
    type Place = Placed<P>;

    fn read(&self) -> (LayoutRef<'_, Placed<P>>, Memory<'_, T>) {
        (LayoutRef::Owned(Placed(self.placement)), Memory::Contiguous(&self.data))
    }
}

impl<T: Copy, P: AnyPlacement + Copy> sealed::Write<T, InPlacement> for PlacedTensor<T, P> {
    type Place = Placed<P>;

    fn write(&mut self) -> (LayoutRef<'_, Placed<P>>, MemoryMut<'_, T>, Option<T>) {
        (
            LayoutRef::Owned(Placed(self.placement)),
            MemoryMut::Contiguous(&mut self.data),
            self.padding,
        )
    }
}

impl<T: Copy, P: AnyPlacement> fmt::Debug for PlacedTensor<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let placement = self.placement.placement();
        f.debug_struct("PlacedTensor").field("placement", &placement).finish_non_exhaustive()
    }
}
