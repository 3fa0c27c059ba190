//! Elements at an offset from a pointer: two operations that each need a proof, as one.

/// The element `offset` after `p`.
///
/// # Safety
///
/// It is in what `p` points into and can be read.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(p: *const T, offset: usize) -> T {
    // SAFETY: the caller's promise.
    let place = unsafe { p.add(offset) };
    // SAFETY: the caller's promise.
    unsafe { *place }
}

/// Writes the element `offset` after `p`.
///
/// # Safety
///
/// It is in what `p` points into and can be written.
#[inline(always)]
pub(crate) unsafe fn write<T: Copy>(p: *mut T, offset: usize, element: T) {
    // SAFETY: the caller's promise.
    let place = unsafe { p.add(offset) };
    // SAFETY: the caller's promise.
    unsafe { place.write(element) };
}
