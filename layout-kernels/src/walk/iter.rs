//! `Iter` and `IterMut`: iteration over the elements of a view.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use layout_core::types::AnyLayout;

use super::Walk;

/// Iterator over the elements of a view in coordinate order, leftmost mode fastest.
///
/// As fast as a slice iterator for a contiguous static layout, and as nested loops for other static
/// layouts.
pub struct Iter<'a, T, L: AnyLayout> {
    // Invariant: each offset of the walk is inside `data`.
    data: &'a [T],
    walk: Walk<L>,
}

/// Mutable iterator over the elements of a view in coordinate order, leftmost mode fastest.
///
/// It is as fast as [`Iter`](crate::Iter).
pub struct IterMut<'a, T, L: AnyLayout> {
    // Invariant: each offset of the walk is inside the slice that starts at `data` and is exclusively
    // borrowed. No offset occurs twice, since the layout is injective.
    data: *mut T,
    walk: Walk<L>,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: equivalent to the `&mut [T]` it was created from; the walk only has integers.
unsafe impl<T: Send, L: AnyLayout> Send for IterMut<'_, T, L> {}
// SAFETY: as above; a shared reference gives no access to elements.
unsafe impl<T: Sync, L: AnyLayout> Sync for IterMut<'_, T, L> {}

impl<T, L: AnyLayout> Clone for Iter<'_, T, L> {
    fn clone(&self) -> Self {
        Self { data: self.data, walk: self.walk.clone() }
    }
}

impl<'a, T, L: AnyLayout> Iter<'a, T, L> {
    /// The caller guarantees that the layout stays inside `data`.
    #[inline]
    pub(crate) fn new(data: &'a [T], layout: &L) -> Self {
        Self { data, walk: Walk::new(layout) }
    }
}

impl<'a, T, L: AnyLayout> IterMut<'a, T, L> {
    /// The caller guarantees that the layout stays inside `data` and is injective.
    #[inline]
    pub(crate) fn new(data: &'a mut [T], layout: &L) -> Self {
        debug_assert!(layout.cosize() <= data.len());
        Self { data: data.as_mut_ptr(), walk: Walk::new(layout), slice: PhantomData }
    }
}

/// Implements the iterator traits. `$element_at` is the element of `$data` at an offset of the walk.
macro_rules! iterator {
    ($name:ident over $element:ty: |$data:ident, $offset:ident| $element_at:expr) => {
        impl<'a, T, L: AnyLayout> Iterator for $name<'a, T, L> {
            type Item = $element;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                let ($data, $offset) = (self.data, self.walk.next()?);
                Some($element_at)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.walk.size_hint()
            }

            #[inline]
            fn fold<B, F: FnMut(B, Self::Item) -> B>(self, start: B, mut f: F) -> B {
                let $data = self.data;
                self.walk.fold(start, |folded, $offset| f(folded, $element_at))
            }
        }

        impl<T, L: AnyLayout> ExactSizeIterator for $name<'_, T, L> {}

        impl<T, L: AnyLayout> FusedIterator for $name<'_, T, L> {}

        impl<T, L: AnyLayout> fmt::Debug for $name<'_, T, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({} left)", stringify!($name), self.len())
            }
        }
    };
}

iterator!(Iter over &'a T: |data, offset| {
    debug_assert!(offset < data.len());
    // SAFETY: by the invariant of `data`, the offset is in bounds.
    unsafe { data.get_unchecked(offset) }
});

iterator!(IterMut over &'a mut T: |data, offset| {
    // SAFETY: by the invariant of `data`, the offset is in bounds and occurs once.
    unsafe { &mut *data.add(offset) }
});
