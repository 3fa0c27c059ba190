//! `Tensor`: a layout and its elements on the heap.

use core::fmt;
use core::ops::{Index, IndexMut};

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Coordinate, Fallibility, StaticLayout};

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
        unwrap_checked(Self::filled(L::default(), value))
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
        unwrap_checked(Self::computed(L::default(), f))
    }
}

impl<T: Copy, L: AnyLayout> Tensor<T, L> {
    /// The checks of a static layout. A failure is a compile error.
    const CHECK: () = {
        if let Some(layout) = L::STATIC {
            const_unwrap(&check_allocatable(&layout, size_of::<T>()));
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
        check_allocatable(&value, size_of::<T>())?;
        let Some(data) = Buffer::filled(value.cosize(), element) else {
            let (shape, stride) = (value.shape(), value.stride());
            return Err(LayoutError::StorageTooLarge {
                element_bytes: size_of::<T>(),
                shape,
                stride,
            });
        };
        Ok(Self { data, layout })
    }

    /// An empty tensor.
    fn without_elements(layout: L) -> Result<Self, LayoutError> {
        Ok(Self { data: Buffer::empty(), layout })
    }

    fn computed(layout: L, f: impl FnMut(L::Coord) -> T) -> Result<Self, LayoutError>
    where
        T: Default,
    {
        let mut tensor = Self::filled(layout, T::default())?;
        fill(&layout, &mut tensor.data, f);
        Ok(tensor)
    }

    /// The element at a coordinate; `None` if the coordinate lies outside the shape.
    pub fn get(&self, coordinate: impl Coordinate<L>) -> Option<&T> {
        self.data.get(self.layout.try_offset(coordinate).ok()?)
    }

    /// The element at a coordinate; `None` if the coordinate lies outside the shape.
    pub fn get_mut(&mut self, coordinate: impl Coordinate<L>) -> Option<&mut T> {
        self.data.get_mut(self.layout.try_offset(coordinate).ok()?)
    }

    /// The tensor as a view.
    pub fn view(&self) -> View<'_, T, L> {
        View::new_checked(&self.data, self.layout)
    }

    /// The tensor as a mutable view.
    pub fn view_mut(&mut self) -> ViewMut<'_, T, L> {
        ViewMut::new_checked(&mut self.data, self.layout)
    }

    /// Iterator over the elements in coordinate order, leftmost mode fastest.
    ///
    /// # Panics
    ///
    /// Never for the layouts of this library; see [`View::iter`].
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, L> {
        self.view().iter()
    }

    /// Mutable iterator over the elements in coordinate order, leftmost mode fastest.
    ///
    /// ```
    /// use static_layout::{Tensor, layout};
    /// let mut t = Tensor::<f32, layout!((2,3):(3,1))>::zeros();
    /// t.iter_mut().zip(1u8..).for_each(|(x, i)| *x = f32::from(i));
    /// assert_eq!(t.as_slice(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`iter`](Self::iter).
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, L> {
        IterMut::new(&mut self.data, &self.layout)
    }

    /// The layout.
    pub fn layout(&self) -> L {
        self.layout
    }
}

impl<T: Copy, L> Tensor<T, L> {
    /// All elements in memory order, including those that no coordinate maps to.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// All elements in memory order, including those that no coordinate maps to.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }
}

/// `tensor[coordinate]`. Panics if the coordinate lies outside the shape, as slice indexing does.
impl<T: Copy, L: AnyLayout, C: Coordinate<L>> Index<C> for Tensor<T, L> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, coordinate: C) -> &T {
        &self.data[self.layout.offset(coordinate)]
    }
}

impl<T: Copy, L: AnyLayout, C: Coordinate<L>> IndexMut<C> for Tensor<T, L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, coordinate: C) -> &mut T {
        &mut self.data[self.layout.offset(coordinate)]
    }
}

/// Unwraps the result of a construction whose checks already ran in a `const`.
fn unwrap_checked<V>(result: Result<V, LayoutError>) -> V {
    match result {
        Ok(value) => value,
        Err(error) => error.fail(),
    }
}

impl<T: Copy, L: AnyLayout> AsView<T> for Tensor<T, L> {
    type Layout = L;
    fn as_view(&self) -> View<'_, T, L> {
        self.view()
    }

    #[inline(always)]
    fn parts(&self, _: Token) -> (&[T], LayoutRef<'_, L>) {
        (&self.data, LayoutRef::Borrowed(&self.layout))
    }
}

impl<T: Copy, L: AnyLayout> AsViewMut<T> for Tensor<T, L> {
    fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
        self.view_mut()
    }

    #[inline(always)]
    fn parts_mut(&mut self, _: Token) -> (&mut [T], LayoutRef<'_, L>) {
        (&mut self.data, LayoutRef::Borrowed(&self.layout))
    }
}

impl<T: Copy + fmt::Debug, L: AnyLayout> fmt::Debug for Tensor<T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("Tensor", self.view(), f)
    }
}
