//! Registers of 64-bit ARM as [`Lanes`].

use core::arch::aarch64::*;

use super::Block;
use super::cover::small_block;
use super::registers::{Lanes, Unmasked, moves, unpack};

/// One lane: a NEON register.
#[derive(Clone, Copy)]
pub(crate) struct Quad(uint8x16_t);

/// Defines an interleaving of words of more than a byte.
macro_rules! zip {
    ($($name:ident: $zip:ident, $from_bytes:ident, $to_bytes:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "neon")]
        fn $name(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            $to_bytes($zip($from_bytes(a), $from_bytes(b)))
        }
    )*};
}

zip! {
    low_16: vzip1q_u16, vreinterpretq_u16_u8, vreinterpretq_u8_u16;
    high_16: vzip2q_u16, vreinterpretq_u16_u8, vreinterpretq_u8_u16;
    low_32: vzip1q_u32, vreinterpretq_u32_u8, vreinterpretq_u8_u32;
    high_32: vzip2q_u32, vreinterpretq_u32_u8, vreinterpretq_u8_u32;
    low_64: vzip1q_u64, vreinterpretq_u64_u8, vreinterpretq_u8_u64;
    high_64: vzip2q_u64, vreinterpretq_u64_u8, vreinterpretq_u8_u64;
}

impl Lanes for Quad {
    const COUNT: usize = 1;

    #[inline(always)]
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
        // SAFETY: guaranteed by the caller, see `Lanes`.
        Self(unsafe { vld1q_u8(p.wrapping_add(offsets[0])) })
    }

    unpack!(low: vzip1q_u8, low_16, low_32, low_64);
    unpack!(high: vzip2q_u8, high_16, high_32, high_64);
    // No intrinsic stores past the caches.
    moves!("neon", vld1q_u8, vst1q_u8, vst1q_u8);
}

impl Unmasked for Quad {}

/// Transposes a small block of words of 4 or 8 bytes, inlined into the caller; see [`small_block`]. In
/// registers of 16 bytes.
///
/// # Safety
///
/// The CPU supports the instructions of the registers. Otherwise that of [`small_block`].
#[inline(always)]
pub(crate) unsafe fn transpose_small<const WORD: usize>(_bytes: usize, block: Block) {
    // SAFETY: guaranteed by the caller.
    unsafe { small_block::<Quad, WORD>(block) };
}
