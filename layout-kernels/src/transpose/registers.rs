//! `Lanes`: a vector register as 16-byte lanes that are all shuffled alike.
//!
//! In-lane shuffles are the fastest ones, and code that uses only them is the same for registers of
//! one, two and four lanes. Registers are assembled by loads: the first lane comes from one row, the
//! others are inserted from memory, which needs no shuffle unit. CPUs with a single unit for 512-bit
//! shuffles (Intel) are limited by it. Storing lanes with `vextractf32x4` or merging them with masked
//! broadcasts was slower.

use core::arch::x86_64::*;

use super::shuffle::Tile;
use super::{Batch, Block, StridedRows};
use crate::simd::opaque_pointer;

/// A register of [`COUNT`](Self::COUNT) lanes of 16 bytes.
///
/// # Safety
///
/// The CPU supports the instructions of the type. Pointers are valid for the bytes that a method
/// reads or writes. They need no alignment, except in [`stream`](Self::stream).
pub(crate) trait Lanes: Copy {
    /// Number of lanes.
    const COUNT: usize;
    /// Number of bytes.
    const BYTES: usize = 16 * Self::COUNT;

    /// Loads all lanes from contiguous memory at `p`.
    unsafe fn load_all(p: *const u8) -> Self;

    /// Loads lane `k` from `p + k * stride_bytes`. Offsets are in bytes.
    #[inline(always)]
    unsafe fn load(p: *const u8, stride_bytes: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_at(p, [0, stride_bytes, 2 * stride_bytes, 3 * stride_bytes]) }
    }

    /// Loads lane `k` from `p + offsets[k]`.
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self;

    /// `load(p, stride_bytes)` and `load(p + 16, stride_bytes)`.
    #[inline(always)]
    unsafe fn load_pair(p: *const u8, stride_bytes: usize) -> (Self, Self) {
        // SAFETY: guaranteed by the caller.
        unsafe { (Self::load(p, stride_bytes), Self::load(p.wrapping_add(16), stride_bytes)) }
    }

    /// Interleaves words of `W` bytes from the lower halves of both, within each lane.
    unsafe fn low<const W: usize>(self, other: Self) -> Self;

    /// Interleaves words of `W` bytes from the upper halves of both, within each lane.
    unsafe fn high<const W: usize>(self, other: Self) -> Self;

    /// Stores all lanes contiguously.
    unsafe fn store(self, p: *mut u8);

    /// Non-temporal [`store`](Self::store). `p` is aligned to the register size. Other threads are
    /// sure to see it only after `sfence`.
    unsafe fn stream(self, p: *mut u8);

    /// Runs a kernel in a separate function, compiled with the instructions of this register.
    unsafe fn call<K: Kernel>(batch: &Batch, stream: bool);

    /// Transposes `count` tiles, adjacent along the columns, in a separate function.
    unsafe fn call_tiles<K: Tile>(
        source: StridedRows<*const u8>,
        destination: StridedRows<*mut u8>,
        stream: bool,
        count: usize,
    );
}

/// A kernel that moves the blocks of a batch.
pub(crate) trait Kernel {
    /// The register whose instructions it is compiled with.
    type Register: Lanes;

    /// Whether the kernel supports blocks of this shape.
    fn fits(block: &Block) -> bool;

    /// Moves the blocks. With `stream`, whole cache lines use non-temporal stores. Always inlined.
    ///
    /// # Safety
    ///
    /// That of [`BlocksFn`](super::BlocksFn), for blocks that fit. The CPU supports the instructions
    /// of the register.
    unsafe fn run(batch: &Batch, stream: bool);
}

/// Four lanes (AVX-512).
#[derive(Clone, Copy)]
pub(crate) struct Zmm(pub(super) __m512i);

/// Two lanes (AVX2).
#[derive(Clone, Copy)]
pub(crate) struct Ymm(__m256i);

/// One lane, with AVX-512 masks.
#[derive(Clone, Copy)]
pub(crate) struct MaskedXmm(__m128i);

/// One lane (SSE2).
#[derive(Clone, Copy)]
pub(crate) struct Xmm(pub(super) __m128i);

/// Defines `low` or `high` with the intrinsics for words of 1, 2, 4 and 8 bytes.
macro_rules! unpack {
    ($name:ident: $one:ident, $two:ident, $four:ident, $eight:ident) => {
        #[inline(always)]
        unsafe fn $name<const W: usize>(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            // SAFETY: the caller guarantees the instructions.
            unsafe {
                Self(match W {
                    1 => $one(a, b),
                    2 => $two(a, b),
                    4 => $four(a, b),
                    _ => $eight(a, b),
                })
            }
        }
    };
}

/// Methods that are the same for all registers.
macro_rules! moves {
    ($features:literal, $load:ident, $store:ident, $stream:ident) => {
        #[inline(always)]
        unsafe fn load_all(p: *const u8) -> Self {
            // SAFETY: guaranteed by the caller, see `Lanes`.
            Self(unsafe { $load(p.cast()) })
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut u8) {
            // SAFETY: guaranteed by the caller, see `Lanes`.
            unsafe { $store(p.cast(), self.0) };
        }

        #[inline(always)]
        unsafe fn stream(self, p: *mut u8) {
            // SAFETY: guaranteed by the caller, see `Lanes`; `p` is aligned.
            unsafe { $stream(p.cast(), self.0) };
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn call<K: Kernel>(batch: &Batch, stream: bool) {
            // SAFETY: guaranteed by the caller.
            unsafe { K::run(batch, stream) };
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn call_tiles<K: Tile>(
            mut source: StridedRows<*const u8>,
            mut destination: StridedRows<*mut u8>,
            stream: bool,
            count: usize,
        ) {
            for _ in 0..count {
                // SAFETY: guaranteed by the caller.
                unsafe { K::tile(source, destination, stream) };
                source = source.shifted(0, K::COLUMNS * K::WORD);
                destination = destination.shifted(K::COLUMNS, 0);
                // Opaque copies. Otherwise LLVM keeps a pointer for each row across the loop and runs
                // out of registers.
                source.start = opaque_pointer(source.start);
                destination.start = opaque_pointer(destination.start.cast_const()).cast_mut();
            }
        }
    };
}

/// Loads 16 bytes from `p + offset`.
///
/// # Safety
///
/// They can be read.
#[inline(always)]
unsafe fn lane(p: *const u8, offset: usize) -> __m128i {
    // SAFETY: guaranteed by the caller; x86-64 has SSE2.
    unsafe { _mm_loadu_si128(p.wrapping_add(offset).cast()) }
}

/// Regroups four 256-bit halves with lanes `(l0, r0)`, `(l1, r1)`, `(l2, r2)` and `(l3, r3)` into
/// `(l0, l1, l2, l3)` and `(r0, r1, r2, r3)`.
///
/// Uses one shuffle and two blends, because blends can run on a second execution unit.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn exchanged(halves: [__m256i; 4]) -> (__m512i, __m512i) {
    let a = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(halves[0]), halves[2]);
    let b = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(halves[1]), halves[3]);
    let a1_b0_a3_b2 = _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 8, 9, 6, 7, 12, 13), b);
    (
        _mm512_mask_mov_epi64(a, 0b1100_1100, a1_b0_a3_b2),
        _mm512_mask_mov_epi64(b, 0b0011_0011, a1_b0_a3_b2),
    )
}

impl Lanes for Zmm {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
        // SAFETY: guaranteed by the caller, see `Lanes`.
        unsafe {
            let ab = _mm512_castsi128_si512(lane(p, offsets[0]));
            let ab = _mm512_inserti32x4::<1>(ab, lane(p, offsets[1]));
            let abc = _mm512_inserti32x4::<2>(ab, lane(p, offsets[2]));
            Self(_mm512_inserti32x4::<3>(abc, lane(p, offsets[3])))
        }
    }

    #[inline(always)]
    unsafe fn load_pair(p: *const u8, stride_bytes: usize) -> (Self, Self) {
        // SAFETY: guaranteed by the caller, see `Lanes`: 32 bytes of each row.
        unsafe {
            let half = |k: usize| _mm256_loadu_si256(p.wrapping_add(k * stride_bytes).cast());
            let (left, right) = exchanged([half(0), half(1), half(2), half(3)]);
            (Self(left), Self(right))
        }
    }

    unpack!(low: _mm512_unpacklo_epi8, _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64);
    unpack!(high: _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64);
    moves!(
        "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma",
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_stream_si512
    );
}

impl Lanes for Ymm {
    const COUNT: usize = 2;

    #[inline(always)]
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
        // SAFETY: guaranteed by the caller, see `Lanes`.
        unsafe {
            let a = _mm256_castsi128_si256(lane(p, offsets[0]));
            Self(_mm256_inserti128_si256::<1>(a, lane(p, offsets[1])))
        }
    }

    unpack!(low: _mm256_unpacklo_epi8, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64);
    unpack!(high: _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64);
    moves!("avx2,fma", _mm256_loadu_si256, _mm256_storeu_si256, _mm256_stream_si256);
}

impl Ymm {
    /// Selects bytes within each lane by the indices in the same lane of `table`.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX2.
    #[inline(always)]
    pub(super) unsafe fn shuffle(self, table: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { _mm256_shuffle_epi8(self.0, table.0) })
    }

    /// Stores the first lane.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX2, and 16 bytes can be written at `p`.
    #[inline(always)]
    pub(super) unsafe fn store_low(self, p: *mut u8) {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm_storeu_si128(p.cast(), _mm256_castsi256_si128(self.0)) };
    }

    /// Stores the second lane.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX2, and 16 bytes can be written at `p`.
    #[inline(always)]
    pub(super) unsafe fn store_high(self, p: *mut u8) {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm_storeu_si128(p.cast(), _mm256_extracti128_si256::<1>(self.0)) };
    }
}

/// Implements `Lanes` for a register of one lane.
macro_rules! one_lane {
    ($name:ident, $features:literal) => {
        impl Lanes for $name {
            const COUNT: usize = 1;

            #[inline(always)]
            unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
                // SAFETY: guaranteed by the caller, see `Lanes`.
                Self(unsafe { lane(p, offsets[0]) })
            }

            unpack!(low: _mm_unpacklo_epi8, _mm_unpacklo_epi16, _mm_unpacklo_epi32, _mm_unpacklo_epi64);
            unpack!(high: _mm_unpackhi_epi8, _mm_unpackhi_epi16, _mm_unpackhi_epi32, _mm_unpackhi_epi64);
            moves!($features, _mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128);
        }
    };
}

one_lane!(MaskedXmm, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma");
one_lane!(Xmm, "sse2");

/// A mask of the lowest `n` bits.
#[inline(always)]
const fn ones(n: usize) -> __mmask16 {
    ((1u32 << n) - 1) as __mmask16
}

impl MaskedXmm {
    /// Loads `n` bytes from `p`, `1 <= n <= 16`; the others are zero. Reads no other byte.
    ///
    /// # Safety
    ///
    /// That of [`Lanes`].
    #[inline(always)]
    pub(super) unsafe fn load_part(p: *const u8, n: usize) -> Self {
        // SAFETY: guaranteed by the caller, for the masked bytes.
        Self(unsafe { _mm_maskz_loadu_epi8(ones(n), p.cast()) })
    }

    /// Stores the first `n` bytes, `1 <= n <= 16`, and no others.
    ///
    /// # Safety
    ///
    /// That of [`Lanes`].
    #[inline(always)]
    pub(super) unsafe fn store_part(self, p: *mut u8, n: usize) {
        // SAFETY: guaranteed by the caller, for the masked bytes.
        unsafe { _mm_mask_storeu_epi8(p.cast(), ones(n), self.0) };
    }
}
