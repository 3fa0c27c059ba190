//! Moves of contiguous runs of bytes and of single words with any contents.

use core::mem::MaybeUninit;
use core::ptr;

use super::{Batch, Block, BlocksFn, CACHE_LINE};

/// Moves `N` bytes with any contents.
///
/// # Safety
///
/// They can be read and written, and do not overlap.
#[inline(always)]
pub(crate) unsafe fn move_bytes<const N: usize>(source: *const u8, destination: *mut u8) {
    // SAFETY: guaranteed by the caller. An array of `MaybeUninit<u8>` may be uninitialised, and its
    // alignment is 1.
    unsafe {
        let bytes = source.cast::<[MaybeUninit<u8>; N]>().read();
        destination.cast::<[MaybeUninit<u8>; N]>().write(bytes);
    }
}

/// Moves `N` to `2 * N` bytes: the first `N` and the last `N`.
///
/// # Safety
///
/// That of [`move_run`].
#[inline(always)]
pub(crate) unsafe fn move_overlapping<const N: usize>(
    source: *const u8,
    destination: *mut u8,
    bytes: usize,
) {
    let at = bytes - N;
    // SAFETY: the run has at least `N` bytes.
    unsafe {
        move_bytes::<N>(source, destination);
        move_bytes::<N>(source.wrapping_add(at), destination.wrapping_add(at));
    }
}

/// Moves a contiguous run of any length. A short run takes a few vector moves, the last overlapping
/// the one before it. A call of `memcpy` takes longer.
///
/// # Safety
///
/// The bytes can be read and written, and do not overlap.
#[inline(always)]
pub(crate) unsafe fn move_run(source: *const u8, destination: *mut u8, bytes: usize) {
    // SAFETY: guaranteed by the caller; the run is at least as long as each branch requires.
    unsafe {
        match bytes {
            65.. => move_long(source, destination, bytes),
            32.. => move_overlapping::<32>(source, destination, bytes),
            16.. => move_overlapping::<16>(source, destination, bytes),
            8.. => move_overlapping::<8>(source, destination, bytes),
            4.. => move_overlapping::<4>(source, destination, bytes),
            2.. => move_overlapping::<2>(source, destination, bytes),
            1 => move_bytes::<1>(source, destination),
            0 => {}
        }
    }
}

/// Moves a run of 0 bytes or of at least 64.
///
/// # Safety
///
/// That of [`move_run`].
#[inline(always)]
pub(crate) unsafe fn move_long(source: *const u8, destination: *mut u8, bytes: usize) {
    if bytes >= 1024 {
        // SAFETY: guaranteed by the caller.
        unsafe { ptr::copy_nonoverlapping(source, destination, bytes) };
    } else {
        let mut at = 0;
        while at < bytes {
            let start = at.min(bytes - 64);
            let (from, to) = (source.wrapping_add(start), destination.wrapping_add(start));
            // SAFETY: 64 bytes inside the run.
            unsafe { move_bytes::<64>(from, to) };
            at += 64;
        }
    }
}

/// Selects an instance of a function that is generic over the word size. Sizes that copies do not
/// commonly have use 0.
macro_rules! words {
    ($bytes:expr, $f:ident) => {
        match $bytes {
            1 => $f::<1>,
            2 => $f::<2>,
            4 => $f::<4>,
            8 => $f::<8>,
            12 => $f::<12>,
            16 => $f::<16>,
            24 => $f::<24>,
            32 => $f::<32>,
            _ => $f::<0>,
        }
    };
}
pub(crate) use words;

/// The function for blocks of words of `bytes` bytes.
pub(super) fn kernel(bytes: usize) -> BlocksFn {
    words!(bytes, blocks)
}

/// Transposes blocks in bands as wide as a cache line of the source. `W` is the word size, or 0 for
/// sizes that have no instance.
///
/// # Safety
///
/// Each word of the blocks is readable in the source and writable in the destination, and the two do
/// not overlap.
unsafe fn blocks<const W: usize>(batch: &Batch, _stream: bool) {
    for k in 0..batch.count {
        let Block { source, destination, rows, columns, word, .. } = batch.nth(k);
        let word = if W == 0 { word } else { W };
        let band = CACHE_LINE.checked_div(word).map_or(1, |words| words.max(1));
        for left in (0..columns).step_by(band) {
            for row in 0..rows {
                for column in left..columns.min(left + band) {
                    let from = source.at(row, column * word);
                    let to = destination.at(column, row * word);
                    // SAFETY: a word of the block.
                    unsafe {
                        if W == 0 {
                            ptr::copy_nonoverlapping(from, to, word);
                        } else {
                            move_bytes::<W>(from, to);
                        }
                    }
                }
            }
        }
    }
}

/// Transposes a small block, word by word. There are no registers.
///
/// # Safety
///
/// That of [`BlocksFn`] for the block.
#[allow(dead_code, reason = "for targets without registers")]
pub(crate) unsafe fn transpose_small<const WORD: usize>(_bytes: usize, block: Block) {
    // SAFETY: guaranteed by the caller.
    unsafe { kernel(WORD)(&Batch::one(block), false) };
}
