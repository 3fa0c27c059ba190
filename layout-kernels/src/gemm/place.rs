//! Elements at an offset from a pointer: two operations that each need a proof, as one.

/// The element `offset` after `p`.
///
/// # Safety
///
/// It is in what `p` points into and can be read.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(p: *const T, offset: usize) -> T {
    // SAFETY: as required here.
    let place = unsafe { p.add(offset) };
    // SAFETY: as required here.
    unsafe { *place }
}

/// Writes the element `offset` after `p`.
///
/// # Safety
///
/// It is in what `p` points into and can be written.
#[inline(always)]
pub(crate) unsafe fn write<T: Copy>(p: *mut T, offset: usize, element: T) {
    // SAFETY: as required here.
    let place = unsafe { p.add(offset) };
    // SAFETY: as required here.
    unsafe { place.write(element) };
}
