//! Innermost loops of a copy: runs of bytes, and words one by one. (Transpositions are in
//! [`transpose`](crate::transpose).)
//!
//! Each function is compiled once per SIMD level, if the level makes a difference. It takes up to
//! three innermost loops as data.

use core::ptr;

use super::plan::LONG_RUN;
use super::refine::Loop;
use crate::simd::{Level, prefetch};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::transpose::registers::Lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::transpose::x86::{Xmm, Ymm, Zmm};
use crate::transpose::{
    CACHE_LINE, move_bytes, move_long, move_overlapping, move_run, prefetch_bytes, words,
};

/// Innermost loops of a copy, with strides in bytes. Missing loops have extent 1.
#[derive(Clone, Copy)]
pub(crate) struct Inner {
    pub(crate) loops: [Loop; 3],
    /// Bytes of a run or of a word.
    pub(crate) bytes: usize,
    /// Prefetch distance in bytes: from a run to the data that is read next. 0 for no prefetch.
    pub(crate) prefetch_distance: usize,
}

/// A function that copies in all iterations of the innermost loops, from the given pointers on.
///
/// # Safety
///
/// The CPU must have the instructions of the level that the function was chosen for. In each
/// iteration, `bytes` bytes must be readable in the source and writable in the destination, and must
/// not overlap. If the function was chosen to `stream`, runs must be long ([`LONG_RUN`]), whole cache
/// lines, or 16 or 32 bytes aligned to their size, and [`fence`](crate::transpose::fence) must follow.
pub(crate) type InnerFn = unsafe fn(&Inner, *const u8, *mut u8);

/// Function for runs.
pub(crate) fn runs(level: Level, stream: bool) -> InnerFn {
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) if stream => stream_avx512,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => runs_avx512,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) if stream => stream_avx2,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => runs_avx2,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Baseline(_) if stream => stream_sse2,
        _ => {
            let _ = stream;
            runs_portable
        }
    }
}

/// Function for words of `bytes` bytes.
pub(crate) fn strided(bytes: usize) -> InnerFn {
    words!(bytes, strided_words)
}

/// Runs `$body` with the pointers of each iteration.
macro_rules! for_each_iteration {
    ($inner:ident, $source:ident, $destination:ident, |$from:ident, $to:ident| $body:expr) => {{
        let [outer, middle, inner] = $inner.loops;
        for i in 0..outer.extent {
            for j in 0..middle.extent {
                let mut s = i * outer.source + j * middle.source;
                let mut d = i * outer.destination + j * middle.destination;
                for _ in 0..inner.extent {
                    let ($from, $to) = ($source.wrapping_add(s), $destination.wrapping_add(d));
                    $body;
                    s = s.wrapping_add(inner.source);
                    d = d.wrapping_add(inner.destination);
                }
            }
        }
    }};
}

macro_rules! with_instructions {
    ($($(#[$attribute:meta])* $name:ident: $body:expr;)*) => {$(
        /// # Safety
        ///
        /// Same conditions as [`InnerFn`].
        $(#[$attribute])*
        unsafe fn $name(inner: &Inner, source: *const u8, destination: *mut u8) {
            // SAFETY: guaranteed by the caller, see `# Safety`.
            unsafe { $body(inner, source, destination) };
        }
    )*};
}

with_instructions! {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
    runs_avx512: all_runs;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "avx2,fma")]
    runs_avx2: all_runs;
    runs_portable: all_runs;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
    stream_avx512: stream_runs::<Zmm, Ymm>;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[target_feature(enable = "avx2,fma")]
    stream_avx2: stream_runs::<Ymm, Ymm>;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    stream_sse2: stream_runs::<Xmm, Xmm>;
}

/// # Safety
///
/// Same conditions as [`InnerFn`].
#[inline(always)]
unsafe fn all_runs(inner: &Inner, source: *const u8, destination: *mut u8) {
    let Inner { bytes, prefetch_distance, .. } = *inner;
    // Branches on the length once, outside the loops, so that short lengths are constants inside. Not
    // if data is prefetched: it comes from memory, which takes longer.
    macro_rules! lengths {
        ($($n:literal)*; $($first:literal to $last:literal by $half:literal)*) => {
            match bytes {
                _ if prefetch_distance != 0 => {
                    for_each_iteration!(inner, source, destination, |from, to| {
                        prefetch_bytes(from.wrapping_add(prefetch_distance), bytes);
                        move_run(from, to, bytes);
                    })
                }
                $( $n => for_each_iteration!(inner, source, destination, |from, to| {
                    move_bytes::<$n>(from, to);
                }), )*
                $( $first..=$last => for_each_iteration!(inner, source, destination, |from, to| {
                    move_overlapping::<$half>(from, to, bytes);
                }), )*
                _ => for_each_iteration!(inner, source, destination, |from, to| {
                    move_long(from, to, bytes);
                }),
            }
        };
    }
    // SAFETY: the bytes of each iteration.
    unsafe {
        lengths! {
            1 2 4 8 16 32 64 128 256;
            3 to 3 by 2  5 to 7 by 4  9 to 15 by 8  17 to 31 by 16  33 to 63 by 32
        }
    }
}

/// Copies runs with non-temporal stores. A long run uses normal stores before the first whole cache
/// line of the destination and after the last one.
///
/// # Safety
///
/// Same conditions as [`InnerFn`].
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
unsafe fn stream_runs<V: Lanes, H: Lanes>(inner: &Inner, source: *const u8, destination: *mut u8) {
    let Inner { bytes, prefetch_distance, .. } = *inner;
    for_each_iteration!(inner, source, destination, |from, to| {
        // SAFETY: the bytes of an iteration.
        unsafe { stream_run::<V, H>(from, to, bytes, prefetch_distance) };
    });
}

/// # Safety
///
/// Same conditions as [`InnerFn`], for one iteration.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
unsafe fn stream_run<V: Lanes, H: Lanes>(
    source: *const u8,
    destination: *mut u8,
    bytes: usize,
    prefetch_distance: usize,
) {
    // Copies whole registers from the offset `$at` on, as long as they end before `$end`.
    macro_rules! registers {
        ($register:ty, $at:ident, $end:expr) => {
            while $at + <$register>::BYTES <= $end {
                // SAFETY: a part of the bytes; aligned, because the first one is.
                unsafe {
                    let register = <$register>::load_all(source.wrapping_add($at));
                    register.stream(destination.wrapping_add($at));
                }
                $at += <$register>::BYTES;
            }
        };
    }
    let head = destination.addr().wrapping_neg() % CACHE_LINE;
    let mut at = if bytes < LONG_RUN { 0 } else { head };
    if bytes < CACHE_LINE {
        prefetch(source.wrapping_add(prefetch_distance));
        registers!(H, at, bytes);
        registers!(Xmm, at, bytes);
        return;
    }
    // SAFETY: a part of the bytes.
    unsafe { ptr::copy_nonoverlapping(source, destination, at) };
    while bytes - at >= CACHE_LINE {
        prefetch(source.wrapping_add(at).wrapping_add(prefetch_distance));
        let end = at + CACHE_LINE;
        registers!(V, at, end);
    }
    let (from, to) = (source.wrapping_add(at), destination.wrapping_add(at));
    // SAFETY: the rest of the bytes.
    unsafe { ptr::copy_nonoverlapping(from, to, bytes - at) };
}

/// Copies words one by one. `W` is the size of a word, or 0 for other sizes.
///
/// # Safety
///
/// Same conditions as [`InnerFn`].
unsafe fn strided_words<const W: usize>(inner: &Inner, source: *const u8, destination: *mut u8) {
    let [outer, middle, line] = inner.loops;
    for i in 0..outer.extent {
        for j in 0..middle.extent {
            let from = source.wrapping_add(i * outer.source + j * middle.source);
            let to = destination.wrapping_add(i * outer.destination + j * middle.destination);
            macro_rules! words {
                ($source:expr, $destination:expr) => {
                    for k in 0..line.extent {
                        let from = from.wrapping_add(k * $source);
                        let to = to.wrapping_add(k * $destination);
                        // SAFETY: the bytes of an iteration.
                        unsafe {
                            if W == 0 {
                                ptr::copy_nonoverlapping(from, to, inner.bytes);
                            } else {
                                move_bytes::<W>(from, to);
                            }
                        }
                    }
                };
            }
            // With a constant stride, of 0 in the source or of a word in the destination, the compiler
            // uses vectors. That is faster, except for strided reads of 2-byte words. Larger words
            // gain nothing.
            match (line.source, line.destination == W) {
                (0, true) if matches!(W, 1 | 2 | 4 | 8) => words!(0, W),
                (0, false) if matches!(W, 1 | 2 | 4 | 8) => words!(0, line.destination),
                (_, true) if matches!(W, 1 | 4 | 8) => words!(line.source, W),
                _ => words!(line.source, line.destination),
            }
        }
    }
}
