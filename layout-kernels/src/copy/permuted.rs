//! Copies blocks of a swizzled run, permuted in registers.
//!
//! If the bits that `Sw<B,M,S>` reads lie above those that it writes, they are the same for a whole
//! block of `2^(M+B)` neighbours. Element `i` of the block is then at `i ^ x`, with one `x` for the
//! block. The high bits of `x` select the register of the block to read. The low bits permute the
//! words in it.
//!
//! The `x` of an offset is the `x` of its high bits XOR the `x` of its low bits. So the few registers
//! of a row each have a constant of their own and share one `x`. (Alternative: copy everything with
//! the same `x` first, that is, the first register of each period, then the second one. That is faster
//! in L1, and half as fast in L2, which prefetches sequential accesses.)

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::arch::x86_64::*;
use core::{array, ptr};

use crate::simd::Level;
use crate::transpose::move_bytes;

/// Bytes of a word that is permuted within a register.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const WORD: usize = 4;

/// A swizzle of byte offsets: the first offset, the mask of the bits that are read, and their rotation
/// to the right.
#[derive(Clone, Copy)]
pub(super) struct ByteSwizzle {
    pub(super) offset: usize,
    pub(super) mask: usize,
    pub(super) rotate: u32,
}

impl ByteSwizzle {
    /// The value that is XORed with an offset.
    #[inline(always)]
    fn of(&self, offset: usize) -> usize {
        (offset & self.mask).rotate_right(self.rotate)
    }

    /// Bytes before the next offset that is a multiple of `n`. `None` if nothing is XORed, so that any
    /// offset will do.
    fn bytes_to_multiple(&self, n: usize) -> Option<usize> {
        if self.mask == 0 { None } else { Some(self.offset.wrapping_neg() % n) }
    }
}

/// Blocks to copy.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Address and swizzle of the first block in both memories.
    pub(super) source: (*const u8, ByteSwizzle),
    pub(super) destination: (*mut u8, ByteSwizzle),
    /// Total bytes.
    pub(super) bytes: usize,
}

/// Minimum size in bytes of the blocks and of the groups that this level permutes.
pub(super) fn min_block_and_group(level: Level) -> (usize, usize) {
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => (64, WORD),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => (32, WORD),
        _ => (16, 16),
    }
}

impl Blocks {
    /// Copies the blocks.
    ///
    /// # Safety
    ///
    /// All bytes must be plain data, readable in the source and writable in the destination, and the
    /// memories must not overlap. The swizzles must move groups only inside aligned blocks below the
    /// mask bits. The offsets and `bytes` must be multiples of the block size. Blocks and groups must
    /// be at least as large as [`min_block_and_group`] says.
    pub(super) unsafe fn copy(self, level: Level) {
        // SAFETY: guaranteed by the caller; `level` proves that the CPU has the instructions.
        unsafe {
            match level {
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(_) => avx512(self),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(_) => avx2(self),
                _ => self.copy_with::<Unpermuted16, 8>(),
            }
        }
    }

    /// Copies rows of `ROW` registers, which share an XOR, and the registers before and after the
    /// rows. `ROW` is half the number of registers of the CPU. Each register of a row then keeps its
    /// constant in one of the others.
    ///
    /// # Safety
    ///
    /// Same conditions as [`copy`](Self::copy). The CPU must have the instructions of `R`.
    #[inline(always)]
    unsafe fn copy_with<R: Register, const ROW: usize>(self) {
        let row = ROW * R::BYTES;
        let start =
            match (self.source.1.bytes_to_multiple(row), self.destination.1.bytes_to_multiple(row))
            {
                (Some(s), Some(d)) if s != d => self.bytes,
                (Some(start), _) | (_, Some(start)) => start.min(self.bytes),
                (None, None) => 0,
            };
        let end = self.bytes - (self.bytes - start) % row;
        // SAFETY: guaranteed by the caller, for the registers before the rows, for whole rows that
        // start at a multiple of a row, and for the registers after the rows.
        unsafe {
            self.registers::<R>(0, start);
            self.rows::<R, ROW>(start, end);
            self.registers::<R>(end, self.bytes);
        }
    }

    /// Combined XOR of both memories at byte `at` from the first block.
    #[inline(always)]
    fn xor_at(&self, at: usize) -> usize {
        let (s, d) = (self.source.1, self.destination.1);
        s.of(s.offset + at) ^ d.of(d.offset + at)
    }

    /// Copies register by register.
    ///
    /// # Safety
    ///
    /// Same conditions as [`copy_with`](Self::copy_with).
    #[inline(always)]
    unsafe fn registers<R: Register>(self, start: usize, end: usize) {
        for at in (start..end).step_by(R::BYTES) {
            let x = self.xor_at(at);
            let from = self.source.0.wrapping_add(at ^ (x / R::BYTES * R::BYTES));
            // SAFETY: registers of one block, because `x` is below the block size.
            unsafe { R::copy(R::indices(x % R::BYTES), from, self.destination.0.wrapping_add(at)) };
        }
    }

    /// Copies row by row.
    ///
    /// # Safety
    ///
    /// Same conditions as [`copy_with`](Self::copy_with). At `start`, swizzled offsets must be
    /// multiples of a row.
    #[inline(always)]
    unsafe fn rows<R: Register, const ROW: usize>(self, start: usize, end: usize) {
        let (s, d) = (self.source.1, self.destination.1);
        let (source, destination) =
            (self.source.0.wrapping_add(start), self.destination.0.wrapping_add(start));
        // The `x` of two bits is the `x` of one XOR the `x` of the other.
        let mut own = [0; ROW];
        for i in 1..ROW {
            let lowest = i & i.wrapping_neg();
            own[i] = own[i ^ lowest] ^ s.of(lowest * R::BYTES) ^ d.of(lowest * R::BYTES);
        }
        // Where each register of a row is read, in bytes from the start of the row.
        let first: [usize; ROW] =
            array::from_fn(|i| (i * R::BYTES) ^ (own[i] / R::BYTES * R::BYTES));
        // SAFETY: the caller guarantees that the CPU has the instructions.
        let mut indices = [unsafe { R::indices(0) }; ROW];
        let mut shared = usize::MAX;
        for at in (0..end - start).step_by(ROW * R::BYTES) {
            let x = self.xor_at(start + at);
            if shared != x % R::BYTES {
                shared = x % R::BYTES;
                for (indices, own) in indices.iter_mut().zip(own) {
                    // SAFETY: the caller guarantees that the CPU has the instructions.
                    *indices = unsafe { R::indices((own ^ shared) % R::BYTES) };
                }
            }
            let row = at ^ (x / R::BYTES * R::BYTES);
            for i in 0..ROW {
                // With a normal read, the compiler packs these indices into vectors and extracts them
                // again.
                // SAFETY: an element of the array.
                let first = unsafe { ptr::read_volatile(&first[i]) };
                let (from, to) = (row ^ first, at + i * R::BYTES);
                let (from, to) = (source.wrapping_add(from), destination.wrapping_add(to));
                // SAFETY: registers of one block, because the XOR is below the block size. The two
                // parts of an offset have no bit in common, so the XOR of their `x` is the `x` of the
                // offset.
                unsafe { R::copy(indices[i], from, to) };
            }
        }
    }
}

/// Register whose words can be permuted.
///
/// # Safety
///
/// The CPU must have the instructions of the register.
trait Register {
    const BYTES: usize;
    type Indices: Copy;

    /// Source index of each word: its own index XOR these bits, given in bytes.
    unsafe fn indices(x: usize) -> Self::Indices;

    /// Copies one register. Its bytes must be plain data, readable at `from` and writable at `to`.
    unsafe fn copy(indices: Self::Indices, from: *const u8, to: *mut u8);
}

/// 16 bytes that are not permuted.
struct Unpermuted16;

impl Register for Unpermuted16 {
    const BYTES: usize = 16;
    type Indices = ();

    #[inline(always)]
    unsafe fn indices(_: usize) {}

    #[inline(always)]
    unsafe fn copy((): (), from: *const u8, to: *mut u8) {
        // SAFETY: guaranteed by the caller, see the trait.
        unsafe { move_bytes::<16>(from, to) };
    }
}

/// Word indices of the identity permutation.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const IDENTITY: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
struct Zmm;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Register for Zmm {
    const BYTES: usize = 64;
    type Indices = __m512i;

    #[inline(always)]
    unsafe fn indices(x: usize) -> __m512i {
        // SAFETY: guaranteed by the caller, see the trait; the array is as long as the register.
        unsafe {
            let own = _mm512_loadu_si512(IDENTITY.as_ptr().cast());
            _mm512_xor_si512(own, _mm512_set1_epi32((x / WORD) as i32))
        }
    }

    #[inline(always)]
    unsafe fn copy(indices: __m512i, from: *const u8, to: *mut u8) {
        // SAFETY: guaranteed by the caller, see the trait.
        unsafe {
            let words = _mm512_loadu_si512(from.cast());
            _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi32(indices, words));
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
struct Ymm;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Register for Ymm {
    const BYTES: usize = 32;
    type Indices = __m256i;

    #[inline(always)]
    unsafe fn indices(x: usize) -> __m256i {
        // SAFETY: guaranteed by the caller, see the trait; the array is longer than the register.
        unsafe {
            let own = _mm256_loadu_si256(IDENTITY.as_ptr().cast());
            _mm256_xor_si256(own, _mm256_set1_epi32((x / WORD) as i32))
        }
    }

    #[inline(always)]
    unsafe fn copy(indices: __m256i, from: *const u8, to: *mut u8) {
        // SAFETY: guaranteed by the caller, see the trait.
        unsafe {
            let words = _mm256_loadu_si256(from.cast());
            _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(words, indices));
        }
    }
}

/// # Safety
///
/// Same conditions as [`Blocks::copy`]. The CPU must have AVX-512F.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[target_feature(enable = "avx512f")]
unsafe fn avx512(blocks: Blocks) {
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { blocks.copy_with::<Zmm, 16>() };
}

/// # Safety
///
/// Same conditions as [`Blocks::copy`]. The CPU must have AVX2.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[target_feature(enable = "avx2")]
unsafe fn avx2(blocks: Blocks) {
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { blocks.copy_with::<Ymm, 8>() };
}
