//! `Tensor`: a layout and its elements on the heap.

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Coordinate, Fallibility, StaticLayout};

use crate::access::tensor_access;
use crate::buffer::Buffer;
use crate::checks::{check_allocatable, check_covers, const_unwrap, value};
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, LayoutRef, View, ViewMut, debug};
use crate::walk::{Iter, IterMut, fill};

/// A tensor that owns its elements, ordered by the layout `L`.
///
/// The elements are on the heap, aligned to 128 bytes. There are as many as the layout's cosize,
/// including those that no coordinate maps to. The layout must be injective because a tensor can be
/// written; a broadcast is a [`View`] of a smaller tensor.
///
/// With a static layout, construction cannot fail: errors are compile errors. For other layouts, use
/// the constructors that end in `_in`, which return a `Result`.
#[derive(Clone)]
pub struct Tensor<T: Copy, L> {
    // Invariant: `data.len()` is the layout's cosize, and the layout is injective.
    data: Buffer<T>,
    layout: L,
}

impl<T: Copy, L: StaticLayout> Tensor<T, L> {
    /// A tensor full of `T::default()`, which is 0 for numbers.
    #[must_use]
    pub fn zeros() -> Self
    where
        T: Default,
    {
        const { Self::CHECK };
        Self::full(T::default())
    }

    /// A tensor full of `value`.
    #[must_use]
    pub fn full(value: T) -> Self {
        const { Self::CHECK };
        L::Fallibility::outcome(Self::filled(L::default(), value))
    }

    /// A tensor whose element at each coordinate `c` is `f(c)`. `c` is a tuple with one index per mode.
    ///
    /// Elements that no coordinate maps to are `T::default()`.
    #[must_use]
    pub fn from_fn(f: impl FnMut(L::Coord) -> T) -> Self
    where
        T: Default,
    {
        const { Self::CHECK };
        L::Fallibility::outcome(Self::computed(L::default(), f))
    }
}

impl<T: Copy, L: AnyLayout> Tensor<T, L> {
    /// The checks of a static layout. A failure is a compile error.
    const CHECK: () = {
        if let Some(layout) = L::STATIC {
            const_unwrap(&check_allocatable(&layout, layout.cosize(), size_of::<T>()));
        }
    };

    /// A tensor in `layout`, full of `T::default()`, which is 0 for numbers.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::Tensor;
    /// let t = Tensor::<f32, _>::zeros_in(DynLayout::parse("(4,8):(8,1)").unwrap())?;
    /// assert_eq!(t.as_slice(), [0.0; 32]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::NotInjective`], [`LayoutError::StorageTooLarge`], or the error of an invalid
    /// mixed layout. For a static layout these are compile errors.
    ///
    /// [`LayoutError::StorageTooLarge`] means more bytes than any allocation can have. If the
    /// allocator runs out of memory, the program aborts, as for a `Vec`.
    pub fn zeros_in(layout: L) -> <L::Fallibility as Fallibility>::Outcome<Self>
    where
        T: Default,
    {
        const { Self::CHECK };
        Self::full_in(layout, T::default())
    }

    /// A tensor in `layout`, full of `value`.
    ///
    /// # Errors
    ///
    /// As [`zeros_in`](Self::zeros_in).
    pub fn full_in(layout: L, value: T) -> <L::Fallibility as Fallibility>::Outcome<Self> {
        const { Self::CHECK };
        L::Fallibility::outcome(Self::filled(layout, value))
    }

    /// A tensor in `layout` whose element at each coordinate `c` is `f(c)`. `c` has one index per mode.
    ///
    /// Elements that no coordinate maps to are `T::default()`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::Tensor;
    /// let rows = DynLayout::parse("(2,3):(3,1)").unwrap();
    /// let t = Tensor::from_fn_in(rows, |c| 10 * c.leaves()[0] + c.leaves()[1])?;
    /// assert_eq!(t.as_slice(), [0, 1, 2, 10, 11, 12]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`zeros_in`](Self::zeros_in).
    pub fn from_fn_in(
        layout: L,
        f: impl FnMut(L::Coord) -> T,
    ) -> <L::Fallibility as Fallibility>::Outcome<Self>
    where
        T: Default,
    {
        const { Self::CHECK };
        L::Fallibility::outcome(Self::computed(layout, f))
    }

    fn filled(layout: L, element: T) -> Result<Self, LayoutError> {
        let value = value(&layout)?;
        check_allocatable(&value, value.cosize(), size_of::<T>())?;
        Ok(Self { data: Buffer::filled(value.cosize(), element), layout })
    }

    fn computed(layout: L, f: impl FnMut(L::Coord) -> T) -> Result<Self, LayoutError>
    where
        T: Default,
    {
        let mut tensor = Self::filled(layout, T::default())?;
        fill(&layout, &mut tensor.data, f);
        Ok(tensor)
    }
}

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

tensor_access!(Tensor<T, L>, [T: Copy, L], [T: Copy, L: AnyLayout]);
