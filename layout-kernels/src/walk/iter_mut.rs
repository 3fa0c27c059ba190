//! `IterMut`: mutable iteration over the elements of a view.

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::slice;

use layout_core::types::AnyLayout;

use crate::walk::Walk;

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

impl<'a, T, L: AnyLayout> IterMut<'a, T, L> {
    /// The caller guarantees that the layout stays inside `data` and is injective.
    #[inline]
    pub(crate) fn new(data: &'a mut [T], layout: &L) -> Self {
        debug_assert!(layout.cosize() <= data.len());
        Self { data: data.as_mut_ptr(), walk: Walk::new(layout), slice: PhantomData }
    }
}

impl<'a, T, L: AnyLayout> Iterator for IterMut<'a, T, L> {
    type Item = &'a mut T;

    #[inline]
    fn next(&mut self) -> Option<&'a mut T> {
        let offset = self.walk.next()?;
        // SAFETY: by the invariant of `data`, the offset is in bounds and occurs once.
        Some(unsafe { &mut *self.data.add(offset) })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.walk.len(), Some(self.walk.len()))
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a mut T) -> B>(mut self, start: B, mut f: F) -> B {
        if Walk::<L>::IS_SMALL {
            let mut folded = start;
            for x in self {
                folded = f(folded, x);
            }
            return folded;
        }
        let (mut folded, stride) = (start, self.walk.stride());
        loop {
            let Walk { offset, left_in_run: left, .. } = self.walk;
            if left > 0 && stride == 1 {
                // SAFETY: by the invariant of `data`; every element of the run is an offset of the
                // walk.
                let run = unsafe { slice::from_raw_parts_mut(self.data.add(offset), left) };
                folded = run.iter_mut().fold(folded, &mut f);
            } else {
                for i in 0..left {
                    // SAFETY: by the invariant of `data`, the offset is in bounds and occurs once.
                    folded = f(folded, unsafe { &mut *self.data.add(offset + i * stride) });
                }
            }
            if !self.walk.next_run() {
                return folded;
            }
        }
    }
}

impl<T, L: AnyLayout> ExactSizeIterator for IterMut<'_, T, L> {}

impl<T, L: AnyLayout> FusedIterator for IterMut<'_, T, L> {}

impl<T, L: AnyLayout> core::fmt::Debug for IterMut<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "IterMut({} left)", self.walk.len())
    }
}
