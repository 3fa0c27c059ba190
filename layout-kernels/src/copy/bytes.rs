//! Runs of bytes, whatever they hold.

use core::mem::MaybeUninit;
use core::ptr;

/// Moves `N` bytes, whatever they hold.
///
/// # Safety
///
/// They can be read, and written, and do not overlap.
#[inline(always)]
pub(super) unsafe fn move_bytes<const N: usize>(source: *const u8, destination: *mut u8) {
    // SAFETY: the caller's promise; bytes may be uninitialised in an array of `MaybeUninit`.
    let bytes = unsafe { source.cast::<[MaybeUninit<u8>; N]>().read() };
    // SAFETY: the caller's promise.
    unsafe { destination.cast::<[MaybeUninit<u8>; N]>().write(bytes) };
}

/// Moves a run of any length. A short one is a few vector moves, of which the last one overlaps the
/// one before it: a call of `memcpy` costs more than it moves.
///
/// # Safety
///
/// As for [`move_bytes`].
#[inline(always)]
pub(super) unsafe fn move_run(source: *const u8, destination: *mut u8, bytes: usize) {
    // The first bytes and the last ones.
    macro_rules! two_of {
        ($n:literal) => {{
            // SAFETY: the run has at least `$n` bytes.
            unsafe { move_bytes::<$n>(source, destination) };
            let at = bytes - $n;
            let (from, to) = (source.wrapping_add(at), destination.wrapping_add(at));
            // SAFETY: as above.
            unsafe { move_bytes::<$n>(from, to) };
        }};
    }
    match bytes {
        1024.. => {
            // SAFETY: the caller's promise.
            unsafe { ptr::copy_nonoverlapping(source, destination, bytes) };
        }
        65.. => {
            let mut at = 0;
            while at < bytes {
                let at_most = at.min(bytes - 64);
                let (from, to) = (source.wrapping_add(at_most), destination.wrapping_add(at_most));
                // SAFETY: 64 bytes that end inside the run.
                unsafe { move_bytes::<64>(from, to) };
                at += 64;
            }
        }
        32.. => two_of!(32),
        16.. => two_of!(16),
        8.. => two_of!(8),
        4.. => two_of!(4),
        2.. => two_of!(2),
        _ => two_of!(1),
    }
}
