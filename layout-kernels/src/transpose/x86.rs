//! Registers of x86-64 as [`Lanes`].

use core::arch::x86_64::*;

use super::Block;
use super::cover::small_block;
use super::registers::{Lanes, Unmasked, moves, unpack};

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

impl Unmasked for Xmm {}

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

/// Transposes a small block of words of 4 or 8 bytes, inlined into the caller; see [`small_block`]. In
/// registers of this many bytes.
///
/// # Safety
///
/// The CPU supports the instructions of the registers. Otherwise that of [`small_block`].
#[inline(always)]
pub(crate) unsafe fn transpose_small<const WORD: usize>(bytes: usize, block: Block) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match bytes {
            64 => small_block::<Zmm, WORD>(block),
            32 => small_block::<Ymm, WORD>(block),
            _ => small_block::<Xmm, WORD>(block),
        }
    }
}
