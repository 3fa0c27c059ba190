//! `SwizzledTensor`: a swizzled layout and its elements on the heap.

use core::fmt;

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, AnySwizzled, AtCompileTime, Coordinate, Fallibility};

use super::view::offset;
use super::{Behind, SwizzledView, SwizzledViewMut};
use crate::access::element_access;
use crate::buffer::Buffer;
use crate::checks::{check_allocatable, const_unwrap};
use crate::place::{InSwizzle, Memory, MemoryMut, sealed};
use crate::view::LayoutRef;
use crate::walk::fill;

/// A tensor that owns its elements, in a swizzled layout: the element at coordinate `c` has offset
/// `Sw(offset + L(c))`.
///
/// The elements are on the heap, aligned to 128 bytes. There are as many as the
/// [bound](AnySwizzled::cosize_bound) of the layout. No two coordinates share an element.
/// [`copy`](crate::copy()) moves elements to and from it.
///
/// ```
/// use static_layout::{SwizzledTensor, Tensor, kernels::copy, layout};
/// type Rows = layout!((8,64):(64,1));
/// type Banks = layout!(Sw<3,3,3> o 0 o (8,64):(64,1));
/// let rows = Tensor::<u16, Rows>::from_fn(|(i, j)| (64 * i + j) as u16);
/// let mut banks = SwizzledTensor::<u16, Banks>::zeros();
/// copy(&rows, &mut banks);
/// // Column 0: eight rows in eight different groups of eight banks.
/// assert_eq!((banks[(1, 0)], banks.as_slice()[64 + 8]), (64, 64));
/// let mut back = Tensor::<u16, Rows>::zeros();
/// copy(&banks, &mut back);
/// assert_eq!(back.as_slice(), rows.as_slice());
/// ```
#[derive(Clone)]
pub struct SwizzledTensor<T: Copy, C> {
    // Invariant: `data.len()` is `cosize_bound` of the layout, which is injective.
    data: Buffer<T>,
    layout: C,
}

impl<T: Copy, C: AnySwizzled<Fallibility = AtCompileTime> + Default> SwizzledTensor<T, C> {
    /// A tensor full of `T::default()`, which is 0 for numbers.
    #[must_use]
    pub fn zeros() -> Self
    where
        T: Default,
    {
        Self::zeros_in(C::default())
    }

    /// A tensor full of `value`.
    #[must_use]
    pub fn full(value: T) -> Self {
        Self::full_in(C::default(), value)
    }

    /// A tensor whose element at each coordinate `c` is `f(c)`. `c` is a tuple with one index per mode.
    #[must_use]
    pub fn from_fn(f: impl FnMut(<C::Inner as AnyLayout>::Coord) -> T) -> Self
    where
        T: Default,
    {
        Self::from_fn_in(C::default(), f)
    }
}

impl<T: Copy, C: AnySwizzled> SwizzledTensor<T, C> {
    /// The checks of a static layout. A failure is a compile error.
    const CHECK: () = {
        if let Some(composed) = C::STATIC {
            const_unwrap(&check_allocatable(
                &composed.layout(),
                composed.cosize_bound(),
                size_of::<T>(),
            ));
        }
    };

    /// A tensor in `layout`, full of `T::default()`, which is 0 for numbers.
    ///
    /// # Errors
    ///
    /// [`LayoutError::NotInjective`] or [`LayoutError::StorageTooLarge`]. For a static layout these
    /// are compile errors.
    ///
    /// [`LayoutError::StorageTooLarge`] means more bytes than any allocation can have. If the
    /// allocator runs out of memory, the program aborts, as for a `Vec`.
    pub fn zeros_in(layout: C) -> <C::Fallibility as Fallibility>::Outcome<Self>
    where
        T: Default,
    {
        Self::full_in(layout, T::default())
    }

    /// A tensor in `layout`, full of `value`.
    ///
    /// # Errors
    ///
    /// As [`zeros_in`](Self::zeros_in).
    pub fn full_in(layout: C, value: T) -> <C::Fallibility as Fallibility>::Outcome<Self> {
        const { Self::CHECK };
        C::Fallibility::outcome(Self::filled(layout, value))
    }

    /// A tensor in `layout` whose element at each coordinate `c` is `f(c)`. `c` has one index per mode.
    ///
    /// Elements that no coordinate maps to are `T::default()`.
    ///
    /// ```
    /// use static_layout::{SwizzledTensor, engine::{ComposedLayout, DynLayout, Swizzle}};
    /// let rows = DynLayout::parse("(4,4):(4,1)").unwrap();
    /// let banks: ComposedLayout = Swizzle::new(2, 0, 2)?.composition(&rows);
    /// let t = SwizzledTensor::from_fn_in(banks, |c| 10 * c.leaves()[0] + c.leaves()[1])?;
    /// assert_eq!(t.as_slice()[..8], [0, 1, 2, 3, 11, 10, 13, 12]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`zeros_in`](Self::zeros_in).
    pub fn from_fn_in(
        layout: C,
        f: impl FnMut(<C::Inner as AnyLayout>::Coord) -> T,
    ) -> <C::Fallibility as Fallibility>::Outcome<Self>
    where
        T: Default,
    {
        const { Self::CHECK };
        C::Fallibility::outcome(Self::computed(layout, f))
    }

    fn filled(layout: C, element: T) -> Result<Self, LayoutError> {
        let composed = layout.to_composed();
        check_allocatable(&composed.layout(), composed.cosize_bound(), size_of::<T>())?;
        Ok(Self { data: Buffer::filled(composed.cosize_bound(), element), layout })
    }

    fn computed(
        layout: C,
        f: impl FnMut(<C::Inner as AnyLayout>::Coord) -> T,
    ) -> Result<Self, LayoutError>
    where
        T: Default,
    {
        let mut tensor = Self::filled(layout, T::default())?;
        let composed = layout.to_composed();
        let (swizzle, offset) = (composed.swizzle(), composed.offset());
        // Fill the plain layout first, then permute the offsets by the swizzle.
        let mut plain = vec![T::default(); composed.layout().cosize()];
        fill(&layout.inner(), &mut plain, f);
        for (inner, element) in plain.into_iter().enumerate() {
            tensor.data[swizzle.apply(offset + inner)] = element;
        }
        Ok(tensor)
    }

    /// The tensor as a view.
    pub fn view(&self) -> SwizzledView<'_, T, C> {
        SwizzledView::new_checked(&self.data, self.layout)
    }

    /// The tensor as a mutable view.
    pub fn view_mut(&mut self) -> SwizzledViewMut<'_, T, C> {
        SwizzledViewMut::new_checked(&mut self.data, self.layout)
    }

    /// The layout.
    pub fn layout(&self) -> C {
        self.layout
    }
}

element_access! {
    SwizzledTensor<T, C>, [T: Copy, C], [T: Copy, C: AnySwizzled], C::Inner, offset
}

impl<T: Copy, C: AnySwizzled> sealed::Read<T, InSwizzle> for SwizzledTensor<T, C> {
    type Place = Behind<C>;

    fn read(&self) -> (LayoutRef<'_, Behind<C>>, Memory<'_, T>) {
        (LayoutRef::Owned(Behind(self.layout)), Memory::Contiguous(&self.data))
    }
}

impl<T: Copy, C: AnySwizzled> sealed::Write<T, InSwizzle> for SwizzledTensor<T, C> {
    type Place = Behind<C>;

    fn write(&mut self) -> (LayoutRef<'_, Behind<C>>, MemoryMut<'_, T>, Option<T>) {
        (LayoutRef::Owned(Behind(self.layout)), MemoryMut::Contiguous(&mut self.data), None)
    }
}

impl<T: Copy + fmt::Debug, C: AnySwizzled> fmt::Debug for SwizzledTensor<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SwizzledTensor").field("layout", &self.layout).finish_non_exhaustive()
    }
}
