//! What each level does with blocks of numbers, and with runs that go past the caches.

use core::mem::MaybeUninit;
use core::ptr;

#[cfg(target_arch = "x86_64")]
use super::choice::{Of, tiles};
#[cfg(target_arch = "x86_64")]
use super::halved::Halved;
#[cfg(target_arch = "x86_64")]
use super::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use super::registers::{MaskedXmm, Xmm, Ymm, Zmm};
use super::series::{Block, Series};
#[cfg(target_arch = "x86_64")]
use super::shuffle::Shuffled;
use crate::simd::prefetch;

/// The bytes that memory moves at once.
pub(super) const CACHE_LINE: usize = 64;

/// How far ahead of what is written in order its lines are asked for: stores wait for their lines
/// one after the other, and what is fetched ahead by itself ends with a page.
pub(super) const AHEAD: usize = 1 << 10;

/// A copy of so many bytes has room in the first cache, with what it reads.
pub(super) const NEAR_BYTES: usize = 16 << 10;

/// A run of at least so many bytes may start anywhere and still be streamed: what is before the
/// first whole cache line and after the last one is little.
pub(super) const LONG_RUN: usize = 1 << 10;

/// Asks for the lines of so many bytes.
#[inline(always)]
pub(super) fn ask(p: *const u8, bytes: usize) {
    for byte in (0..bytes).step_by(CACHE_LINE) {
        prefetch(p.wrapping_add(byte));
    }
}

/// A level as a type: how it transposes numbers.
pub(super) trait Transposes {
    /// Transposes blocks of numbers of `W` bytes, 1, 2, 4, 8 or 16.
    ///
    /// With `INLINE` the compiler knows all numbers, and tiles come into the loops.
    /// Where they are not, the compiler would keep a pointer for every row of a tile across the
    /// loops, and has not enough registers: then a call for each tile is faster.
    ///
    /// With `STREAM` whole tiles are written past the caches, where the level has registers of a
    /// cache line.
    ///
    /// # Safety
    ///
    /// The instructions of the level are there. Each word of the blocks is readable in the source,
    /// where it is a number, and writable in the destination, which do not overlap. With `STREAM`,
    /// each row of the destination starts a cache line, and [`fence`](Self::fence) follows.
    unsafe fn blocks<const W: usize, const INLINE: bool, const STREAM: bool>(series: Series);

    /// Copies a run past the caches, and asks for what is `ahead` bytes behind it in the source. A
    /// long run ([`LONG_RUN`]) may start anywhere: what lies in a cache line with others stays in
    /// the caches. Fewer bytes than a cache line complete one together with those of other calls.
    ///
    /// # Safety
    ///
    /// The instructions of the level are there; the bytes can be read, and written, and do not
    /// overlap; a run that is not long is 16 or 32 bytes at a multiple of so many, or whole cache
    /// lines; [`fence`](Self::fence) follows.
    unsafe fn stream(source: *const u8, destination: *mut u8, bytes: usize, ahead: usize);

    /// Makes what was streamed visible before what is stored later.
    fn fence();
}

/// See [`Level::Portable`](crate::simd::Level::Portable).
pub(super) struct Portable;

impl Transposes for Portable {
    #[inline(always)]
    unsafe fn blocks<const W: usize, const INLINE: bool, const STREAM: bool>(series: Series) {
        // SAFETY: the caller's promise.
        unsafe { one_by_one::<[MaybeUninit<u8>; W]>(series) };
    }

    #[inline(always)]
    unsafe fn stream(source: *const u8, destination: *mut u8, bytes: usize, _: usize) {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(source, destination, bytes) };
    }

    #[inline(always)]
    fn fence() {}
}

#[cfg(target_arch = "x86_64")]
macro_rules! level {
    (
        $(#[$doc:meta])*
        $name:ident: $wide:ty, $half:ty, $one:ty; $two:ty, $four:ty
    ) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl Transposes for $name {
            #[inline(always)]
            unsafe fn blocks<const W: usize, const INLINE: bool, const STREAM: bool>(series: Series) {
                macro_rules! blocks {
                    ($w:literal, $tile:ty, $inline:expr) => {
                        // SAFETY: the caller's promise.
                        unsafe {
                            tiles::<$wide, $half, $one, Of<$w>, $tile, INLINE, { $inline }, STREAM>(series)
                        }
                    };
                }
                match W {
                    // These tiles are long, so that a call of one is nothing.
                    1 => blocks!(1, Shuffled<$wide, 1, 2>, false),
                    2 => blocks!(2, $two, false),
                    4 => blocks!(4, $four, INLINE),
                    8 => blocks!(8, Shuffled<$wide, 8, 2>, INLINE),
                    _ => blocks!(16, Shuffled<$wide, 16, 2>, INLINE),
                }
            }

            #[inline(always)]
            unsafe fn stream(source: *const u8, destination: *mut u8, bytes: usize, ahead: usize) {
                // SAFETY: the caller's promise.
                unsafe { stream::<$wide, $half>(source, destination, bytes, ahead) };
            }

            #[inline(always)]
            fn fence() {
                // SAFETY: x86-64 has the instruction.
                unsafe { <$wide>::fence() };
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
level!(
    /// See [`Level::Avx512`](crate::simd::Level::Avx512).
    Avx512: Zmm, Ymm, MaskedXmm; Halved<2>, Halved<4>
);
#[cfg(target_arch = "x86_64")]
level!(
    /// See [`Level::Avx2`](crate::simd::Level::Avx2).
    Avx2: Ymm, Ymm, Xmm; Shuffled<Ymm, 2, 2>, Shuffled<Ymm, 4, 2>
);
#[cfg(target_arch = "x86_64")]
level!(
    /// See [`Level::Baseline`](crate::simd::Level::Baseline).
    Sse2: Xmm, Xmm, Xmm; Shuffled<Xmm, 2, 2>, Shuffled<Xmm, 4, 2>
);

/// Copies a run past the caches, but for what a long one has before the first whole cache line of
/// the destination and behind the last one.
///
/// # Safety
///
/// As for [`Transposes::stream`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn stream<V: Lanes, H: Lanes>(
    source: *const u8,
    destination: *mut u8,
    bytes: usize,
    ahead: usize,
) {
    // Registers from the offset `$at` on, until there is none that ends before `$end`.
    macro_rules! registers {
        ($register:ty, $at:ident, $end:expr) => {
            while $at + 16 * <$register>::COUNT <= $end {
                // SAFETY: a part of the bytes.
                let register = unsafe { <$register>::load_all(source.wrapping_add($at)) };
                // SAFETY: a part of the bytes, aligned because the first one was and registers
                // have always the same size.
                unsafe { register.stream(destination.wrapping_add($at)) };
                $at += 16 * <$register>::COUNT;
            }
        };
    }
    let head = destination.addr().wrapping_neg() % CACHE_LINE;
    let mut at = if bytes < LONG_RUN { 0 } else { head };
    if bytes < CACHE_LINE {
        prefetch(source.wrapping_add(ahead));
        registers!(H, at, bytes);
        registers!(Xmm, at, bytes);
        return;
    }
    // SAFETY: a part of the bytes.
    unsafe { ptr::copy_nonoverlapping(source, destination, at) };
    while bytes - at >= CACHE_LINE {
        prefetch(source.wrapping_add(at).wrapping_add(ahead));
        let end = at + CACHE_LINE;
        registers!(V, at, end);
    }
    let (from, to) = (source.wrapping_add(at), destination.wrapping_add(at));
    // SAFETY: the rest of the bytes.
    unsafe { ptr::copy_nonoverlapping(from, to, bytes - at) };
}

/// Transposes blocks of anything, in bands as wide as a cache line of the source.
///
/// # Safety
///
/// Each `T` of the blocks is readable in the source and writable in the destination, which do not
/// overlap.
#[inline(always)]
pub(super) unsafe fn one_by_one<T: Copy>(series: Series) {
    let band = const {
        match CACHE_LINE.checked_div(size_of::<T>()) {
            Some(0) | None => 1,
            Some(elements) => elements,
        }
    };
    for k in 0..series.count {
        let Block { source, destination, rows, columns, .. } = series.nth(k);
        let mut left = 0;
        while left < columns {
            let right = if columns - left < band { columns } else { left + band };
            for row in 0..rows {
                for column in left..right {
                    let from = source.at(row, column * size_of::<T>());
                    let to = destination.at(column, row * size_of::<T>());
                    // SAFETY: a `T` of the block.
                    let element = unsafe { from.cast::<T>().read_unaligned() };
                    // SAFETY: the same one in the destination.
                    unsafe { to.cast::<T>().write_unaligned(element) };
                }
            }
            left = right;
        }
    }
}
