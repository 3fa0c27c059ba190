//! Blocks of a swizzled run, permuted in registers.
//!
//! Where the bits that `Sw<B,M,S>` reads lie above those that it writes, they are the same for a
//! whole block of `2^(M+B)` neighbours, whose element `i` is at `i ^ x` with one `x`. The high bits
//! of `x` say which register of the block is read, the low ones how its words change places.
//!
//! The `x` of an offset is that of its high bits XOR that of its low ones. So a few registers in a
//! row have constants of their own, and share one `x`. (To copy first what has the same `x`, the
//! first register of each period, then the second one, is faster in the first cache, and half as
//! fast in the second one, which fetches ahead what is in order.)

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::arch::x86_64::*;
use core::{array, ptr};

use crate::simd::Level;
use crate::transpose::move_bytes;

/// The bytes of a word that changes its place in a register.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const WORD: usize = 4;

/// Offsets in bytes: the first one, the bits that move others, and how far to the right.
#[derive(Clone, Copy)]
pub(super) struct Bits {
    pub(super) offset: usize,
    pub(super) mask: usize,
    pub(super) right: u32,
}

impl Bits {
    /// What is XORed to the bits of an offset.
    #[inline(always)]
    fn of(&self, offset: usize) -> usize {
        (offset & self.mask).rotate_right(self.right)
    }

    /// How many bytes there are in front of the next offset that is a multiple of `n`, which is all
    /// the same if nothing is XORed.
    fn before(&self, n: usize) -> Option<usize> {
        if self.mask == 0 { None } else { Some(self.offset.wrapping_neg() % n) }
    }
}

/// Blocks to copy.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Where the first one is in both memories, and what is to be known of its offset.
    pub(super) source: (*const u8, Bits),
    pub(super) destination: (*mut u8, Bits),
    /// How many bytes there are.
    pub(super) bytes: usize,
}

/// The smallest blocks and groups that this level permutes, in bytes.
pub(super) fn smallest(level: Level) -> (usize, usize) {
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => (64, WORD),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => (32, WORD),
        _ => (16, 16),
    }
}

impl Blocks {
    /// Copies them.
    ///
    /// # Safety
    ///
    /// All bytes are numbers, can be read, and written, and do not overlap. Masks move groups in
    /// aligned blocks below them, and the offsets and `bytes` are multiples of such blocks; blocks
    /// and groups are as large as [`smallest`] says.
    pub(super) unsafe fn copy(self, level: Level) {
        // SAFETY: as required of the caller; the level proves the instructions.
        unsafe {
            match level {
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(_) => avx512(self),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(_) => avx2(self),
                _ => self.each::<Lane, 8>(),
            }
        }
    }

    /// Copies rows of so many registers, which share an XOR, and what is before and behind them: half
    /// of the registers that there are, so that each has its constant in one of the others.
    ///
    /// # Safety
    ///
    /// As for [`copy`](Self::copy), and the instructions of `R` are there.
    #[inline(always)]
    unsafe fn each<R: Register, const ROW: usize>(self) {
        let row = ROW * R::BYTES;
        let start = match (self.source.1.before(row), self.destination.1.before(row)) {
            (Some(s), Some(d)) if s != d => self.bytes,
            (Some(start), _) | (_, Some(start)) => start.min(self.bytes),
            (None, None) => 0,
        };
        let end = self.bytes - (self.bytes - start) % row;
        // SAFETY: as required of the caller, for the registers in front of the rows, for whole rows, the first one at
        // a multiple of them, and for the registers behind the rows.
        unsafe {
            self.registers::<R>(0, start);
            self.rows::<R, ROW>(start, end);
            self.registers::<R>(end, self.bytes);
        }
    }

    /// What is XORed in both memories this far from the first block.
    #[inline(always)]
    fn exchanged(&self, at: usize) -> usize {
        let (s, d) = (self.source.1, self.destination.1);
        s.of(s.offset + at) ^ d.of(d.offset + at)
    }

    /// Copies register by register.
    ///
    /// # Safety
    ///
    /// As for [`each`](Self::each).
    #[inline(always)]
    unsafe fn registers<R: Register>(self, start: usize, end: usize) {
        for at in (start..end).step_by(R::BYTES) {
            let x = self.exchanged(at);
            let from = self.source.0.wrapping_add(at ^ (x / R::BYTES * R::BYTES));
            // SAFETY: registers of one block, since `x` is below its size.
            unsafe { R::copy(R::places(x % R::BYTES), from, self.destination.0.wrapping_add(at)) };
        }
    }

    /// Copies row by row.
    ///
    /// # Safety
    ///
    /// As for [`each`](Self::each); offsets that are XORed are multiples of a row at `start`.
    #[inline(always)]
    unsafe fn rows<R: Register, const ROW: usize>(self, start: usize, end: usize) {
        let (s, d) = (self.source.1, self.destination.1);
        let (source, destination) =
            (self.source.0.wrapping_add(start), self.destination.0.wrapping_add(start));
        // That of two bits is that of one XOR that of the other one.
        let mut own = [0; ROW];
        for i in 1..ROW {
            let lowest = i & i.wrapping_neg();
            own[i] = own[i ^ lowest] ^ s.of(lowest * R::BYTES) ^ d.of(lowest * R::BYTES);
        }
        // Where each register of a row is read.
        let first: [usize; ROW] =
            array::from_fn(|i| (i * R::BYTES) ^ (own[i] / R::BYTES * R::BYTES));
        // SAFETY: the instructions are there.
        let mut places = [unsafe { R::places(0) }; ROW];
        let mut shared = usize::MAX;
        for at in (0..end - start).step_by(ROW * R::BYTES) {
            let x = self.exchanged(start + at);
            if shared != x % R::BYTES {
                shared = x % R::BYTES;
                for (places, own) in places.iter_mut().zip(own) {
                    // SAFETY: the instructions are there.
                    *places = unsafe { R::places((own ^ shared) % R::BYTES) };
                }
            }
            let row = at ^ (x / R::BYTES * R::BYTES);
            for i in 0..ROW {
                // Otherwise the compiler makes vectors of these numbers, and takes them apart.
                // SAFETY: an element of the array.
                let first = unsafe { ptr::read_volatile(&first[i]) };
                let (from, to) = (row ^ first, at + i * R::BYTES);
                let (from, to) = (source.wrapping_add(from), destination.wrapping_add(to));
                // SAFETY: registers of one block, since what is XORed is below its size. The `x`
                // of both parts of an offset, which have no bit in common, is that of the offset.
                unsafe { R::copy(places[i], from, to) };
            }
        }
    }
}

/// A register whose words change places.
///
/// # Safety
///
/// Methods need the instructions of the register.
trait Register {
    const BYTES: usize;
    type Places: Copy;

    /// Where each word comes from: its own place with these bits exchanged.
    unsafe fn places(x: usize) -> Self::Places;

    /// Copies one; so many bytes are numbers, can be read, and written.
    unsafe fn copy(places: Self::Places, from: *const u8, to: *mut u8);
}

/// 16 bytes that stay as they are.
struct Lane;

impl Register for Lane {
    const BYTES: usize = 16;
    type Places = ();

    #[inline(always)]
    unsafe fn places(_: usize) {}

    #[inline(always)]
    unsafe fn copy((): (), from: *const u8, to: *mut u8) {
        // SAFETY: the precondition.
        unsafe { move_bytes::<16>(from, to) };
    }
}

/// The words of a register in order.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const OWN: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
struct Zmm;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Register for Zmm {
    const BYTES: usize = 64;
    type Places = __m512i;

    #[inline(always)]
    unsafe fn places(x: usize) -> __m512i {
        // SAFETY: the precondition; there are as many numbers.
        unsafe {
            let own = _mm512_loadu_si512(OWN.as_ptr().cast());
            _mm512_xor_si512(own, _mm512_set1_epi32((x / WORD) as i32))
        }
    }

    #[inline(always)]
    unsafe fn copy(places: __m512i, from: *const u8, to: *mut u8) {
        // SAFETY: the precondition.
        unsafe {
            let words = _mm512_loadu_si512(from.cast());
            _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi32(places, words));
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
struct Ymm;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Register for Ymm {
    const BYTES: usize = 32;
    type Places = __m256i;

    #[inline(always)]
    unsafe fn places(x: usize) -> __m256i {
        // SAFETY: the precondition; there are as many numbers.
        unsafe {
            let own = _mm256_loadu_si256(OWN.as_ptr().cast());
            _mm256_xor_si256(own, _mm256_set1_epi32((x / WORD) as i32))
        }
    }

    #[inline(always)]
    unsafe fn copy(places: __m256i, from: *const u8, to: *mut u8) {
        // SAFETY: the precondition.
        unsafe {
            let words = _mm256_loadu_si256(from.cast());
            _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(words, places));
        }
    }
}

/// # Safety
///
/// That of [`Blocks::copy`], and the instructions are there.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(blocks: Blocks) {
    // SAFETY: as required of the caller.
    unsafe { blocks.each::<Zmm, 16>() };
}

/// # Safety
///
/// That of [`Blocks::copy`], and the instructions are there.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[target_feature(enable = "avx2")]
unsafe fn avx2(blocks: Blocks) {
    // SAFETY: as required of the caller.
    unsafe { blocks.each::<Ymm, 8>() };
}
