//! `ArrayTensor`: a tensor stored inline in an array, without an allocator.

use core::fmt;
use core::ops::{Index, IndexMut};

use generic_array::GenericArray;
use generic_array::sequence::GenericSequence;
use layout_core::types::{ArrayLayout, Coordinate};

use crate::checks::{check_injective, const_unwrap};
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, LayoutRef, View, ViewMut, debug};
use crate::walk::{Iter, IterMut, fill};

/// A tensor that stores its elements inline, ordered by the static layout `L`.
///
/// Its size is the layout's cosize; it needs no allocator. Above a few kilobytes, avoid moves or use
/// [`Tensor`](crate::Tensor). As for a `Tensor`, the layout must be injective: a layout that maps two
/// coordinates to one offset is a compile error.
///
/// ```
/// use static_layout::{ArrayTensor, layout};
/// type Rows = layout!((2,3):(3,1));
/// let mut t = ArrayTensor::<u8, Rows>::from_fn(|(i, j)| (10 * i + j) as u8);
/// t[(0, 1)] = 7;
/// assert_eq!(t.as_slice(), [0, 7, 2, 10, 11, 12]);
/// ```
#[derive(Clone)]
pub struct ArrayTensor<T, L: ArrayLayout> {
    // Invariant: the layout is injective. The type makes the length equal to the cosize.
    data: GenericArray<T, L::Cosize>,
    layout: L,
}

impl<T: Copy, L: ArrayLayout> ArrayTensor<T, L> {
    const CHECK: () = const_unwrap(&check_injective(&L::LAYOUT));

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
        Self { data: GenericArray::generate(|_| value), layout: L::default() }
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
        let mut tensor = Self::zeros();
        fill(&L::default(), &mut tensor.data, f);
        tensor
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
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, L> {
        self.view().iter()
    }

    /// Mutable iterator over the elements in coordinate order, leftmost mode fastest.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, L> {
        IterMut::new(&mut self.data, &self.layout)
    }

    /// The layout.
    pub fn layout(&self) -> L {
        self.layout
    }

    /// All elements in memory order, including those that no coordinate maps to.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// All elements in memory order, including those that no coordinate maps to.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }
}

impl<T: Copy, L: ArrayLayout> AsView<T> for ArrayTensor<T, L> {
    type Layout = L;
    fn as_view(&self) -> View<'_, T, L> {
        self.view()
    }

    #[inline(always)]
    fn parts(&self, _: Token) -> (&[T], LayoutRef<'_, L>) {
        (&self.data, LayoutRef::Borrowed(&self.layout))
    }
}

impl<T: Copy, L: ArrayLayout> AsViewMut<T> for ArrayTensor<T, L> {
    fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
        self.view_mut()
    }

    #[inline(always)]
    fn parts_mut(&mut self, _: Token) -> (&mut [T], LayoutRef<'_, L>) {
        (&mut self.data, LayoutRef::Borrowed(&self.layout))
    }
}

/// `tensor[coordinate]`. Panics if the coordinate lies outside the shape, as slice indexing does.
impl<T: Copy, L: ArrayLayout, C: Coordinate<L>> Index<C> for ArrayTensor<T, L> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, coordinate: C) -> &T {
        &self.data[self.layout.offset(coordinate)]
    }
}

impl<T: Copy, L: ArrayLayout, C: Coordinate<L>> IndexMut<C> for ArrayTensor<T, L> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, coordinate: C) -> &mut T {
        &mut self.data[self.layout.offset(coordinate)]
    }
}

impl<T: Copy + fmt::Debug, L: ArrayLayout> fmt::Debug for ArrayTensor<T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("ArrayTensor", self.view(), f)
    }
}
