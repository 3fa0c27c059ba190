//! Reads and writes at an offset from a pointer: pointer arithmetic and access as one unsafe
//! operation.

/// Reads the element `offset` elements after `p`.
///
/// # Safety
///
/// The element is in the allocation of `p` and valid for reads.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(p: *const T, offset: usize) -> T {
    // SAFETY: guaranteed by the caller.
    let place = unsafe { p.add(offset) };
    // SAFETY: guaranteed by the caller.
    unsafe { *place }
}

/// Writes the element `offset` elements after `p`.
///
/// # Safety
///
/// The element is in the allocation of `p` and valid for writes.
#[inline(always)]
pub(crate) unsafe fn write<T: Copy>(p: *mut T, offset: usize, element: T) {
    // SAFETY: guaranteed by the caller.
    let place = unsafe { p.add(offset) };
    // SAFETY: guaranteed by the caller.
    unsafe { place.write(element) };
}
