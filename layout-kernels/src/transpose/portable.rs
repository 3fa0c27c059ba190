//! Words that are moved one by one, whatever they hold.

use core::mem::MaybeUninit;
use core::ptr;

use super::{Batch, Block, BlocksFn, CACHE_LINE};

/// Moves `N` bytes, whatever they hold.
///
/// # Safety
///
/// They can be read, and written, and do not overlap.
#[inline(always)]
pub(crate) unsafe fn move_bytes<const N: usize>(source: *const u8, destination: *mut u8) {
    // SAFETY: the precondition; bytes may be uninitialised in an array of `MaybeUninit`, which is
    // aligned to a byte.
    unsafe {
        let bytes = source.cast::<[MaybeUninit<u8>; N]>().read();
        destination.cast::<[MaybeUninit<u8>; N]>().write(bytes);
    }
}

/// Calls a function that is generic over the size of a word for the sizes that copies have, with 0
/// for all others.
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

/// The function for blocks of words of so many bytes.
pub(super) fn kernel(bytes: usize) -> BlocksFn {
    words!(bytes, blocks)
}

/// Transposes blocks in bands as wide as a cache line of the source; `W` is the size of a word, or
/// 0 if it is another one.
///
/// # Safety
///
/// Each word of the blocks is readable in the source and writable in the destination, which do not
/// overlap.
unsafe fn blocks<const W: usize>(batch: &Batch) {
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
