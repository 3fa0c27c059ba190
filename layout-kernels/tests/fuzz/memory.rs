//! Buffers of exact size: any access beyond the elements is detected.

use std::ops::{Deref, DerefMut};

/// Elements between inaccessible pages, or in a heap block of exactly their size, which an address
/// sanitizer watches.
pub(crate) struct Exact<T: 'static>(Memory<T>);

enum Memory<T: 'static> {
    Heap(Box<[T]>),
    #[cfg(target_os = "linux")]
    Pages {
        elements: &'static mut [T],
        _pages: pages::Pages,
    },
}

impl<T: Copy> Exact<T> {
    /// Places the elements at the end of their memory or, with `front`, at its start.
    pub(crate) fn new(elements: impl ExactSizeIterator<Item = T>, front: bool) -> Self {
        #[cfg(target_os = "linux")]
        if std::env::var_os("FUZZ_HEAP").is_none() {
            let pages = pages::Pages::new(elements.len() * size_of::<T>());
            let elements = pages.filled(elements, front);
            return Self(Memory::Pages { elements, _pages: pages });
        }
        let _ = front;
        Self(Memory::Heap(elements.collect()))
    }
}

impl<T> Deref for Exact<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Heap(elements) => elements,
            #[cfg(target_os = "linux")]
            Memory::Pages { elements, .. } => elements,
        }
    }
}

impl<T> DerefMut for Exact<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Heap(elements) => elements,
            #[cfg(target_os = "linux")]
            Memory::Pages { elements, .. } => elements,
        }
    }
}

#[cfg(target_os = "linux")]
mod pages {
    use std::ffi::{c_int, c_void};
    use std::ptr::null_mut;

    const PAGE: usize = 4096;
    const NO_ACCESS: c_int = 0;
    const READ_WRITE: c_int = 3;
    const PRIVATE_ANONYMOUS: c_int = 0x22;

    unsafe extern "C" {
        fn mmap(
            at: *mut c_void,
            len: usize,
            access: c_int,
            flags: c_int,
            file: c_int,
            offset: isize,
        ) -> *mut c_void;
        fn mprotect(at: *mut c_void, len: usize, access: c_int) -> c_int;
        fn munmap(at: *mut c_void, len: usize) -> c_int;
    }

    /// Pages between two inaccessible pages.
    pub(super) struct Pages {
        start: *mut u8,
        inner: usize,
    }

    impl Pages {
        pub(super) fn new(bytes: usize) -> Self {
            let inner = bytes.next_multiple_of(PAGE);
            // SAFETY: maps new pages at an address chosen by the system, so nothing else uses them.
            unsafe {
                let all = inner + 2 * PAGE;
                let start = mmap(null_mut(), all, NO_ACCESS, PRIVATE_ANONYMOUS, -1, 0);
                assert!(start.addr() != usize::MAX, "the system has no {all} bytes");
                let start = start.cast::<u8>();
                if inner > 0 {
                    let changed = mprotect(start.add(PAGE).cast(), inner, READ_WRITE);
                    assert_eq!(changed, 0, "the access to pages cannot be changed");
                }
                Self { start, inner }
            }
        }

        /// Writes the elements to these pages and returns them with the lifetime of the pages.
        pub(super) fn filled<T>(
            &self,
            elements: impl ExactSizeIterator<Item = T>,
            front: bool,
        ) -> &'static mut [T] {
            let (len, bytes) = (elements.len(), elements.len() * size_of::<T>());
            assert!(bytes <= self.inner && align_of::<T>() <= PAGE);
            let skipped = if front { 0 } else { self.inner - bytes };
            // SAFETY: the pages are ours and have at least `bytes` bytes. The size of `T` is a
            // multiple of its alignment, so elements that end at a page boundary are aligned.
            unsafe {
                let first = self.start.add(PAGE + skipped).cast::<T>();
                let mut written = 0;
                for element in elements.take(len) {
                    first.add(written).write(element);
                    written += 1;
                }
                assert_eq!(written, len, "an iterator knows its length");
                std::slice::from_raw_parts_mut(first, len)
            }
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: unmaps exactly what `new` mapped; the slice is dropped together with it.
            unsafe { munmap(self.start.cast(), self.inner + 2 * PAGE) };
        }
    }
}
