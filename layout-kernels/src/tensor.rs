//! `Tensor`: elements on the heap and the layout they are in.

use core::fmt;
use core::ops::{Index, IndexMut};

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Coordinate, Fallibility, StaticLayout};

use crate::buffer::Buffer;
use crate::facts::{must, storable, value};
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, Held, View, ViewMut, debug};
use crate::walk::{Iter, IterMut, fill};

mod convert;

/// A tensor that owns its elements, in the order that the layout `L` gives them.
///
/// The elements are on the heap, aligned to 128 bytes: as many as the layout's cosize, also where
/// no coordinate leads to one. The layout maps no two coordinates to one offset, since a tensor
/// can be written; broadcasts are [`View`]s of a smaller one.
///
/// With a static layout, construction cannot fail: what is wrong does not compile. With another
/// layout, use the constructors that end in `_in`, which return a `Result`.
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
        unfailing(Self::filled(L::default(), value))
    }

    /// A tensor with `f` of each coordinate: a tuple with one number for each mode.
    ///
    /// Elements that no coordinate leads to are `T::default()`.
    #[must_use]
    pub fn from_fn(f: impl FnMut(L::Coord) -> T) -> Self
    where
        T: Default,
    {
        const { Self::CHECK };
        unfailing(Self::computed(L::default(), f))
    }
}

impl<T: Copy, L: AnyLayout> Tensor<T, L> {
    /// The checks of a static layout, a compile error where they fail.
    const CHECK: () = {
        if let Some(layout) = L::STATIC {
            must(&storable(&layout, size_of::<T>()));
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
    /// [`LayoutError::NotInjective`] or [`LayoutError::StorageTooLarge`], or what keeps the
    /// layout's numbers from making a layout. For a static layout these are compile errors.
    ///
    /// [`LayoutError::StorageTooLarge`] is about numbers: more bytes than an allocation can have. Where
    /// the allocator has not so many at the time, the program aborts, as it does for a `Vec`.
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

    /// A tensor in `layout` with `f` of each coordinate: one number for each mode.
    ///
    /// Elements that no coordinate leads to are `T::default()`.
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
        storable(&value, size_of::<T>())?;
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

    /// The tensor in a layout without elements.
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

    /// The element at a coordinate, or nothing when the coordinate lies outside the shape.
    pub fn get(&self, coordinate: impl Coordinate<L>) -> Option<&T> {
        self.data.get(self.layout.try_offset(coordinate).ok()?)
    }

    /// The element at a coordinate, or nothing when the coordinate lies outside the shape.
    pub fn get_mut(&mut self, coordinate: impl Coordinate<L>) -> Option<&mut T> {
        self.data.get_mut(self.layout.try_offset(coordinate).ok()?)
    }

    /// The tensor as a view.
    pub fn view(&self) -> View<'_, T, L> {
        View::new_checked(&self.data, self.layout)
    }

    /// The tensor as a view that can be written.
    pub fn view_mut(&mut self) -> ViewMut<'_, T, L> {
        ViewMut::new_checked(&mut self.data, self.layout)
    }

    /// The elements by rising coordinate, leftmost mode fastest.
    ///
    /// # Panics
    ///
    /// Never for the layouts of this library, as [`View::iter`].
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, L> {
        self.view().iter()
    }

    /// The elements by rising coordinate, leftmost mode fastest, to be written.
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
    /// All elements in the order of memory, with those that no coordinate leads to.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// All elements in the order of memory, with those that no coordinate leads to.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }
}

/// `tensor[coordinate]`; a coordinate outside the shape panics as an index of a slice does.
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

/// The value of a construction whose checks ran in a `const`.
fn unfailing<V>(result: Result<V, LayoutError>) -> V {
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
    fn parts(&self, _: Token) -> (&[T], Held<'_, L>) {
        (&self.data, Held::There(&self.layout))
    }
}

impl<T: Copy, L: AnyLayout> AsViewMut<T> for Tensor<T, L> {
    fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
        self.view_mut()
    }

    #[inline(always)]
    fn parts_mut(&mut self, _: Token) -> (&mut [T], Held<'_, L>) {
        (&mut self.data, Held::There(&self.layout))
    }
}

impl<T: Copy + fmt::Debug, L: AnyLayout> fmt::Debug for Tensor<T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("Tensor", self.view(), f)
    }
}
