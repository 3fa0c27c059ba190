//! `View` and `ViewMut`: a slice seen through a layout. `AsView` and `AsViewMut`: the operand traits
//! of kernels, implemented by everything that has such a view.

use core::fmt;
use core::ops::Index;

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Coordinate, StaticLayout};

use crate::access::element_access;
use crate::checks::{check_covers, check_covers_layout, check_injective, const_unwrap};
use crate::walk::{Iter, IterMut};

/// A shared slice seen through a layout.
///
/// The slice covers every offset of the layout. This is checked at construction, so reads need no
/// checks.
pub struct View<'a, T, L> {
    // Invariant: `data.len() >= cosize` of the layout.
    data: &'a [T],
    layout: L,
}

/// An exclusive slice seen through a layout that maps no two coordinates to one offset.
///
/// This and the property of [`View`] are both checked at construction.
pub struct ViewMut<'a, T, L> {
    // Invariant: `data.len() >= cosize` of the layout, and the layout is injective.
    data: &'a mut [T],
    layout: L,
}

impl<T, L: Copy> Clone for View<'_, T, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, L: Copy> Copy for View<'_, T, L> {}

impl<'a, T, L: AnyLayout> View<'a, T, L> {
    /// The slice `data` seen through `layout`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::View;
    /// let rows = DynLayout::parse("(2,3):(3,1)").unwrap();
    /// let a = View::new_in(&[1, 2, 3, 4, 5, 6], rows)?;
    /// assert_eq!(a.iter().copied().collect::<Vec<_>>(), [1, 4, 2, 5, 3, 6]);
    /// assert!(View::new_in(&[1, 2, 3], rows).is_err());
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the layout reaches beyond the slice.
    #[inline]
    pub fn new_in(data: &'a [T], layout: L) -> Result<Self, LayoutError> {
        check_covers_layout(&layout, data.len())?;
        Ok(Self { data, layout })
    }

    /// The caller guarantees that the layout stays inside `data`.
    pub(crate) fn new_checked(data: &'a [T], layout: L) -> Self {
        Self { data, layout }
    }

    /// The element at a coordinate; `None` if the coordinate lies outside the shape.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::View;
    /// let a = View::new_in(&[1, 2, 3, 4, 5, 6], DynLayout::parse("(2,3):(3,1)").unwrap())?;
    /// assert_eq!((a.get((1, 2)), a.get(4), a.get((2, 0))), (Some(&6), Some(&3), None));
    /// assert_eq!(a[(1, 0)], 4);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    pub fn get(&self, coordinate: impl Coordinate<L>) -> Option<&'a T> {
        self.data.get(self.layout.try_offset(coordinate).ok()?)
    }

    /// Iterator over the elements in coordinate order, leftmost mode fastest.
    ///
    /// # Panics
    ///
    /// Never for the layouts of this library: a view of an invalid layout cannot be constructed.
    #[inline]
    pub fn iter(&self) -> Iter<'a, T, L> {
        Iter::new(self.data, &self.layout)
    }
}

impl<'a, T, L: StaticLayout> View<'a, T, L> {
    /// The slice `data` seen through the static layout `L`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the layout reaches beyond the slice, whose length is only
    /// known at run time. With [`from_array`](Self::from_array) this is a compile error.
    #[inline]
    pub fn new(data: &'a [T]) -> Result<Self, LayoutError> {
        Self::new_in(data, L::default())
    }

    /// The array `data` seen through the static layout `L`. An array that is too short is a compile
    /// error.
    #[inline]
    pub fn from_array<const N: usize>(data: &'a [T; N]) -> Self {
        const { const_unwrap(&check_covers(&L::LAYOUT, N)) };
        Self { data, layout: L::default() }
    }
}

impl<'a, T, L: Copy> View<'a, T, L> {
    /// The layout.
    pub fn layout(&self) -> L {
        self.layout
    }

    /// The layout by reference, since it may be large.
    #[inline(always)]
    pub(crate) fn layout_ref(&self) -> &L {
        &self.layout
    }

    /// The slice in memory order, including elements that no coordinate maps to.
    pub fn as_slice(&self) -> &'a [T] {
        self.data
    }
}

impl<'a, T, L: AnyLayout> ViewMut<'a, T, L> {
    /// The mutable slice `data` seen through `layout`.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::{View, ViewMut, kernels::copy};
    /// let layout = |text| DynLayout::parse(text).unwrap();
    /// let mut columns = [0; 6];
    /// copy(
    ///     &View::new_in(&[1, 2, 3, 4, 5, 6], layout("(2,3):(3,1)"))?,
    ///     &mut ViewMut::new_in(&mut columns, layout("(2,3):(1,2)"))?,
    /// )?;
    /// assert_eq!(columns, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the layout reaches beyond the slice,
    /// [`LayoutError::NotInjective`] if it maps two coordinates to one offset.
    pub fn new_in(data: &'a mut [T], layout: L) -> Result<Self, LayoutError> {
        let mut slot = None;
        let value = layout.to_dyn_in(&mut slot)?;
        check_injective(value)?;
        check_covers(value, data.len())?;
        Ok(Self { data, layout })
    }

    /// The caller guarantees that the layout stays inside `data` and is injective.
    pub(crate) fn new_checked(data: &'a mut [T], layout: L) -> Self {
        Self { data, layout }
    }
}

impl<'a, T, L: StaticLayout> ViewMut<'a, T, L> {
    /// The mutable slice `data` seen through the static layout `L`. A layout that maps two
    /// coordinates to one offset is a compile error.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the layout reaches beyond the slice, whose length is only
    /// known at run time. With [`from_array`](Self::from_array) this is a compile error.
    #[inline]
    pub fn new(data: &'a mut [T]) -> Result<Self, LayoutError> {
        const { const_unwrap(&check_injective(&L::LAYOUT)) };
        check_covers_layout(&L::default(), data.len())?;
        Ok(Self { data, layout: L::default() })
    }

    /// The mutable array `data` seen through the static layout `L`. It is a compile error if the
    /// array is too short or the layout maps two coordinates to one offset.
    #[inline]
    pub fn from_array<const N: usize>(data: &'a mut [T; N]) -> Self {
        const {
            const_unwrap(&check_injective(&L::LAYOUT));
            const_unwrap(&check_covers(&L::LAYOUT, N));
        };
        Self { data, layout: L::default() }
    }
}

impl<T, L: AnyLayout> ViewMut<'_, T, L> {
    /// Iterator over the elements in coordinate order, leftmost mode fastest.
    ///
    /// # Panics
    ///
    /// As [`View::iter`].
    #[inline]
    pub fn iter(&self) -> Iter<'_, T, L> {
        Iter::new(self.data, &self.layout)
    }

    /// Mutable iterator over the elements in coordinate order, leftmost mode fastest.
    ///
    /// # Panics
    ///
    /// As [`iter`](Self::iter).
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T, L> {
        IterMut::new(self.data, &self.layout)
    }
}

impl<T, L: Copy> ViewMut<'_, T, L> {
    /// The layout.
    pub fn layout(&self) -> L {
        self.layout
    }

    /// The layout by reference, since it may be large.
    #[inline(always)]
    pub(crate) fn layout_ref(&self) -> &L {
        &self.layout
    }
}

impl<'a, T, L> ViewMut<'a, T, L> {
    /// The slice, with its full lifetime.
    pub fn into_slice(self) -> &'a mut [T] {
        self.data
    }
}

/// An operand that can be read as a [`View`]: a tensor, a view, or a reference to one.
///
/// Kernels take their inputs as `&impl AsView<T>` and get the view of each operand once per call. An
/// implementation that returns a different view each time is therefore safe.
pub trait AsView<T> {
    /// The layout of the view.
    type Layout: AnyLayout;
    /// The view.
    fn as_view(&self) -> View<'_, T, Self::Layout>;

    /// Slice and layout of [`as_view`](Self::as_view). Cannot be implemented outside this crate,
    /// since `Token` cannot be named there. Kernels can therefore rely on the parts as on a view.
    #[doc(hidden)]
    #[inline(always)]
    fn parts(&self, _: private::Token) -> (&[T], LayoutRef<'_, Self::Layout>) {
        let View { data, layout } = self.as_view();
        (data, LayoutRef::Owned(layout))
    }
}

/// The layout of a view: a reference, to avoid copying a large layout, or a value computed for this
/// call.
#[doc(hidden)]
pub enum LayoutRef<'a, L> {
    Borrowed(&'a L),
    Owned(L),
}

impl<L> LayoutRef<'_, L> {
    #[inline(always)]
    pub(crate) fn get(&self) -> &L {
        match self {
            Self::Borrowed(layout) => layout,
            Self::Owned(layout) => layout,
        }
    }
}

pub(crate) mod private {
    /// A token that cannot be named outside this crate. See [`AsView::parts`](super::AsView::parts).
    pub struct Token;
}

/// An operand that can be written as a [`ViewMut`]: a tensor, a mutable view, or a reference to one.
///
/// Kernels take their outputs as `&mut impl AsViewMut<T>` and get the view of each once per call.
pub trait AsViewMut<T>: AsView<T> {
    /// The view.
    fn as_view_mut(&mut self) -> ViewMut<'_, T, Self::Layout>;

    /// Slice and layout of [`as_view_mut`](Self::as_view_mut); see [`parts`](AsView::parts).
    #[doc(hidden)]
    #[inline(always)]
    fn parts_mut(&mut self, _: private::Token) -> (&mut [T], LayoutRef<'_, Self::Layout>) {
        let ViewMut { data, layout } = self.as_view_mut();
        (data, LayoutRef::Owned(layout))
    }
}

macro_rules! as_view {
    ($($view:ident)*; $($reference:ty)*) => {
        $(
            impl<T, L: AnyLayout> AsView<T> for $view<'_, T, L> {
                type Layout = L;
                fn as_view(&self) -> View<'_, T, L> {
                    View { data: self.data, layout: self.layout }
                }

                #[inline(always)]
                fn parts(&self, _: private::Token) -> (&[T], LayoutRef<'_, L>) {
                    (self.data, LayoutRef::Borrowed(&self.layout))
                }
            }
        )*
        $(
            impl<T, V: AsView<T> + ?Sized> AsView<T> for $reference {
                type Layout = V::Layout;
                fn as_view(&self) -> View<'_, T, V::Layout> {
                    (**self).as_view()
                }

                #[inline(always)]
                fn parts(&self, token: private::Token) -> (&[T], LayoutRef<'_, V::Layout>) {
                    (**self).parts(token)
                }
            }
        )*
    };
}
as_view!(View ViewMut; &V &mut V);

impl<T, L: AnyLayout> AsViewMut<T> for ViewMut<'_, T, L> {
    fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
        ViewMut { data: self.data, layout: self.layout }
    }

    #[inline(always)]
    fn parts_mut(&mut self, _: private::Token) -> (&mut [T], LayoutRef<'_, L>) {
        (self.data, LayoutRef::Borrowed(&self.layout))
    }
}

impl<T, V: AsViewMut<T> + ?Sized> AsViewMut<T> for &mut V {
    fn as_view_mut(&mut self) -> ViewMut<'_, T, V::Layout> {
        (**self).as_view_mut()
    }

    #[inline(always)]
    fn parts_mut(&mut self, token: private::Token) -> (&mut [T], LayoutRef<'_, V::Layout>) {
        (**self).parts_mut(token)
    }
}

/// `view[coordinate]`. Panics if the coordinate lies outside the shape, as slice indexing does.
impl<T, L: AnyLayout, C: Coordinate<L>> Index<C> for View<'_, T, L> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, coordinate: C) -> &T {
        &self.data[self.layout.offset(coordinate)]
    }
}

element_access!(ViewMut<'_, T, L>, [T, L], [T, L: AnyLayout], L, AnyLayout::offset);

/// Maximum number of elements that `Debug` prints.
const PRINTED: usize = 64;

/// Prints the layout and, unless there are too many, the elements in coordinate order.
pub(crate) fn debug<T: fmt::Debug, L: AnyLayout>(
    name: &str,
    view: View<'_, T, L>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut f = f.debug_struct(name);
    f.field("layout", &view.layout);
    let elements = view.iter();
    if elements.len() <= PRINTED {
        f.field("elements", &Elements(elements)).finish()
    } else {
        f.finish_non_exhaustive()
    }
}

struct Elements<'a, T, L: AnyLayout>(Iter<'a, T, L>);

impl<T: fmt::Debug, L: AnyLayout> fmt::Debug for Elements<'_, T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.clone()).finish()
    }
}

impl<T: fmt::Debug, L: AnyLayout> fmt::Debug for View<'_, T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("View", *self, f)
    }
}

impl<T: fmt::Debug, L: AnyLayout> fmt::Debug for ViewMut<'_, T, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("ViewMut", self.as_view(), f)
    }
}
