//! Measures the peak memory of a call, without its operands.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: all calls are forwarded to the system allocator; the counters are thread-local integers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // The counters of an ending thread no longer exist.
        let _ = NOW.try_with(|now| {
            now.set(now.get() + layout.size() as isize);
            MOST.with(|most| most.set(most.get().max(now.get())));
        });
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        let _ = NOW.try_with(|now| now.set(now.get() - layout.size() as isize));
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Peak of the bytes that this thread allocates while `f` runs, beyond those it had before.
pub(crate) fn peak_of<T>(f: impl FnOnce() -> T) -> (isize, T) {
    NOW.with(|now| now.set(0));
    MOST.with(|most| most.set(0));
    let result = f();
    (MOST.with(Cell::get), result)
}
