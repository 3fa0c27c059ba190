//! `Buffer`: heap memory for elements, aligned for every vector register.

use core::marker::PhantomData;
use core::mem;
use core::num::NonZero;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::slice;
use std::alloc::{self, Layout};

/// Alignment of a buffer in bytes: two cache lines, which the hardware prefetches as a pair, and one
/// Spyre stick. The widest vector register has 64 bytes.
pub(crate) const ALIGN: usize = 128;

/// A heap allocation with a fixed number of elements.
///
/// The start is aligned to 128 bytes, or to the alignment of `T` if that is larger. This also holds
/// for empty buffers.
pub(crate) struct Buffer<T> {
    ptr: NonNull<T>,
    len: usize,
    owns: PhantomData<T>,
}

// SAFETY: a buffer owns its elements, like a `Vec`.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: a shared buffer only hands out shared references to its elements.
unsafe impl<T: Sync> Sync for Buffer<T> {}

/// Allocator layout of `len` elements; `None` if they exceed the largest allocation.
fn allocation<T>(len: usize) -> Option<Layout> {
    Layout::array::<T>(len).and_then(|layout| layout.align_to(ALIGN)).ok()
}

impl<T: Copy> Buffer<T> {
    const DANGLING: NonNull<T> = {
        let align = if align_of::<T>() > ALIGN { align_of::<T>() } else { ALIGN };
        NonNull::without_provenance(NonZero::new(align).expect("an alignment is not 0"))
    };

    /// A buffer of `len` elements that needs no memory: `len` is 0, or the elements are zero-sized.
    fn without_memory(len: usize) -> Self {
        Self { ptr: Self::DANGLING, len, owns: PhantomData }
    }

    /// A copy of these elements, which fit in an allocation.
    pub(crate) fn of(elements: &[T]) -> Self {
        let Some(&first) = elements.first() else { return Self::without_memory(0) };
        let mut copy = Self::filled(elements.len(), first);
        copy.copy_from_slice(elements);
        copy
    }

    /// `len` copies of `value`, which fit in an allocation.
    pub(crate) fn filled(len: usize, value: T) -> Self {
        let layout = allocation::<T>(len).expect("at most the largest allocation");
        if layout.size() == 0 {
            return Self::without_memory(len);
        }
        // SAFETY: the size of `layout` is not zero.
        let raw = unsafe { alloc::alloc(layout) };
        let Some(ptr) = NonNull::new(raw.cast::<T>()) else { alloc::handle_alloc_error(layout) };
        for i in 0..len {
            // SAFETY: `i < len`, and the allocation has `len` elements.
            let element = unsafe { ptr.add(i) };
            // SAFETY: `element` is inside the allocation, which we own and which is aligned for `T`.
            unsafe { element.write(value) };
        }
        Self { ptr, len, owns: PhantomData }
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        const { assert!(!mem::needs_drop::<T>(), "elements are `Copy`, so none has a destructor") };
        if let Some(layout) = allocation::<T>(self.len)
            && layout.size() != 0
        {
            // SAFETY: `filled` allocated `ptr` with this same layout.
            unsafe { alloc::dealloc(self.ptr.as_ptr().cast(), layout) };
        }
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `ptr` is aligned and points to `len` elements, all written by `filled`. For a slice
        // of zero bytes it only has to be aligned and not null. `self` stays borrowed meanwhile.
        unsafe { slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the exclusive borrow of `self` makes this the only access.
        unsafe { slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl<T: Copy> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Self::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned<T>(buffer: &Buffer<T>) -> bool {
        buffer.as_ptr().addr().is_multiple_of(ALIGN)
    }

    #[test]
    fn elements_are_written_and_aligned() {
        for len in [0, 1, 7, 64, 1000] {
            let mut b = Buffer::filled(len, 3u16);
            assert!(aligned(&b));
            assert_eq!(&b[..], vec![3; len]);
            for (i, element) in b.iter_mut().enumerate() {
                *element = i as u16;
            }
            let c = b.clone();
            assert!(aligned(&c));
            assert_eq!(&b[..], &c[..]);
        }
    }

    #[test]
    fn elements_without_size_need_no_memory() {
        let b = Buffer::filled(usize::MAX, ());
        assert_eq!((b.len(), b.clone().len()), (usize::MAX, usize::MAX));
        assert!(aligned(&b));
    }

    #[test]
    fn strict_alignment_of_elements_is_kept() {
        #[derive(Clone, Copy)]
        #[repr(align(256))]
        struct Line(u8);
        let b = Buffer::filled(3, Line(7));
        assert_eq!(b.as_ptr().addr() % 256, 0);
        assert_eq!(b.iter().map(|line| line.0).collect::<Vec<_>>(), [7; 3]);
        assert_eq!(Buffer::<Line>::filled(0, Line(0)).as_ptr().addr() % 256, 0);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for len in [usize::MAX, isize::MAX as usize, isize::MAX as usize / 4 + 1] {
            assert!(allocation::<f32>(len).is_none());
        }
    }
}
