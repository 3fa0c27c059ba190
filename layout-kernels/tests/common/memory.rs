//! How much memory a call takes at most, apart from what it was given.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: all is done by the system's allocator; the counters are plain numbers of one thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends has no counters.
        let _ = NOW.try_with(|now| {
            now.set(now.get() + layout.size() as isize);
            MOST.with(|most| most.set(most.get().max(now.get())));
        });
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        let _ = NOW.try_with(|now| now.set(now.get() - layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that this thread has at most, while `f` runs, beyond those it had before.
pub(crate) fn peak_of<T>(f: impl FnOnce() -> T) -> (isize, T) {
    NOW.with(|now| now.set(0));
    MOST.with(|most| most.set(0));
    let result = f();
    (MOST.with(Cell::get), result)
}
