//! `Tensor`: a layout and its elements on the heap.

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Coordinate, Fallibility, StaticLayout};

use crate::access::tensor_access;
use crate::buffer::Buffer;
use crate::checks::{check_allocatable, const_unwrap, value};
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, LayoutRef, View, ViewMut, debug};
use crate::walk::{Iter, IterMut, fill};

mod convert;

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

tensor_access!(Tensor<T, L>, [T: Copy, L], [T: Copy, L: AnyLayout]);
