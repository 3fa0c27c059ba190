//! The registers of x86-64 as [`Lanes`].
//!
//! Lanes are put together by loads: a register gets its first lane, or half, from one row and the
//! others by insertion from memory, which needs no shuffle. On processors with one unit for 512-bit
//! shuffles (Intel) that unit is the limit of all transpositions. Storing lanes with
//! `vextractf32x4` and merging them with masked broadcasts were slower.

use core::arch::x86_64::*;

use super::lanes::{Lane, Lanes, Move};

/// Four lanes, with AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Zmm(pub(super) __m512i);

/// Two lanes, with AVX2.
#[derive(Clone, Copy)]
pub(super) struct Ymm(__m256i);

/// One lane, with the masks of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct MaskedXmm(__m128i);

/// One lane, with SSE2.
#[derive(Clone, Copy)]
pub(super) struct Xmm(pub(super) __m128i);

/// `low` or `high` from the intrinsics for words of 1, 2, 4 and 8 bytes.
macro_rules! interleave {
    ($name:ident: $one:ident, $two:ident, $four:ident, $eight:ident) => {
        #[inline(always)]
        unsafe fn $name<const W: usize>(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            Self(match W {
                // SAFETY: the caller has the instruction.
                1 => unsafe { $one(a, b) },
                // SAFETY: as above.
                2 => unsafe { $two(a, b) },
                // SAFETY: as above.
                4 => unsafe { $four(a, b) },
                // SAFETY: as above.
                _ => unsafe { $eight(a, b) },
            })
        }
    };
}

/// What is the same for all registers.
macro_rules! moves {
    ($features:literal, $load:ident, $store:ident, $stream:ident) => {
        #[inline(always)]
        unsafe fn load_all(p: *const u8) -> Self {
            // SAFETY: the caller has the instruction and allows the bytes to be read.
            Self(unsafe { $load(p.cast()) })
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut u8) {
            // SAFETY: the caller has the instruction and allows the bytes to be written.
            unsafe { $store(p.cast(), self.0) };
        }

        #[inline(always)]
        unsafe fn stream(self, p: *mut u8) {
            // SAFETY: as in `store`, and the caller says that `p` is aligned.
            unsafe { $stream(p.cast(), self.0) };
        }

        #[inline(always)]
        unsafe fn fence() {
            // SAFETY: x86-64 has the instruction.
            unsafe { _mm_sfence() };
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn apart<M: Move>(m: M) {
            // SAFETY: the caller's promise.
            unsafe { m.run() };
        }
    };
}

/// `load_pair` from two loads.
macro_rules! pair_of_loads {
    () => {
        #[inline(always)]
        unsafe fn load_pair(p: *const u8, distance: usize) -> (Self, Self) {
            // SAFETY: the caller's promise.
            let left = unsafe { Self::load(p, distance) };
            // SAFETY: the caller's promise.
            (left, unsafe { Self::load(p.wrapping_add(16), distance) })
        }
    };
}

/// The 16 bytes from `p + offset`.
///
/// # Safety
///
/// They can be read.
#[inline(always)]
unsafe fn lane(p: *const u8, offset: usize) -> __m128i {
    // SAFETY: the caller's promise; x86-64 has SSE2.
    unsafe { _mm_loadu_si128(p.wrapping_add(offset).cast()) }
}

/// The 32 bytes from `p + k * distance`.
///
/// # Safety
///
/// They can be read, and AVX is there.
#[inline(always)]
unsafe fn two_lanes(p: *const u8, k: usize, distance: usize) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { _mm256_loadu_si256(p.wrapping_add(k * distance).cast()) }
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn four(a: __m128i, b: __m128i, c: __m128i, d: __m128i) -> __m512i {
    let ab = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(ab, c), d)
}

/// From lanes `(a0, b0, a2, b2)` and `(a1, b1, a3, b3)`, where `a` and `b` are `(0, 1)` and
/// `(2, 3)` of the four 256-bit halves.
///
/// One shuffle and two blends: blends have a second execution unit.
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
    const PAIRS: bool = true;

    #[inline(always)]
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
        // SAFETY: the caller allows these 16 bytes to be read.
        let a = unsafe { lane(p, offsets[0]) };
        // SAFETY: as above.
        let b = unsafe { lane(p, offsets[1]) };
        // SAFETY: as above.
        let c = unsafe { lane(p, offsets[2]) };
        // SAFETY: as above.
        let d = unsafe { lane(p, offsets[3]) };
        // SAFETY: the caller has the instructions.
        Self(unsafe { four(a, b, c, d) })
    }

    #[inline(always)]
    unsafe fn load_pair(p: *const u8, distance: usize) -> (Self, Self) {
        // SAFETY: the caller allows these 32 bytes to be read.
        let a = unsafe { two_lanes(p, 0, distance) };
        // SAFETY: as above.
        let b = unsafe { two_lanes(p, 1, distance) };
        // SAFETY: as above.
        let c = unsafe { two_lanes(p, 2, distance) };
        // SAFETY: as above.
        let d = unsafe { two_lanes(p, 3, distance) };
        // SAFETY: the caller has the instructions.
        let (left, right) = unsafe { exchanged([a, b, c, d]) };
        (Self(left), Self(right))
    }

    interleave!(low: _mm512_unpacklo_epi8, _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64);
    interleave!(high: _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64);
    moves!(
        "avx512f,avx512bw,avx512dq,avx512vl",
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_stream_si512
    );
}

impl Lanes for Ymm {
    const COUNT: usize = 2;
    const PAIRS: bool = false;

    #[inline(always)]
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
        // SAFETY: the caller allows these 16 bytes to be read.
        let a = unsafe { lane(p, offsets[0]) };
        // SAFETY: as above.
        let b = unsafe { lane(p, offsets[1]) };
        // SAFETY: the caller has the instruction.
        let a = unsafe { _mm256_castsi128_si256(a) };
        // SAFETY: the caller has the instruction.
        Self(unsafe { _mm256_inserti128_si256::<1>(a, b) })
    }

    pair_of_loads!();
    interleave!(low: _mm256_unpacklo_epi8, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64);
    interleave!(high: _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64);
    moves!("avx2", _mm256_loadu_si256, _mm256_storeu_si256, _mm256_stream_si256);
}

impl Ymm {
    /// In each lane, the bytes that the same lane of `table` numbers.
    ///
    /// # Safety
    ///
    /// AVX2 is there.
    #[inline(always)]
    pub(super) unsafe fn shuffle(self, table: Self) -> Self {
        // SAFETY: the caller has the instruction.
        Self(unsafe { _mm256_shuffle_epi8(self.0, table.0) })
    }

    /// Writes the first lane.
    ///
    /// # Safety
    ///
    /// AVX2 is there, and 16 bytes can be written at `p`.
    #[inline(always)]
    pub(super) unsafe fn store_low(self, p: *mut u8) {
        // SAFETY: the caller has the instruction.
        let lane = unsafe { _mm256_castsi256_si128(self.0) };
        // SAFETY: the caller allows the bytes to be written.
        unsafe { _mm_storeu_si128(p.cast(), lane) };
    }

    /// Writes the second lane.
    ///
    /// # Safety
    ///
    /// AVX2 is there, and 16 bytes can be written at `p`.
    #[inline(always)]
    pub(super) unsafe fn store_high(self, p: *mut u8) {
        // SAFETY: the caller has the instruction.
        let lane = unsafe { _mm256_extracti128_si256::<1>(self.0) };
        // SAFETY: the caller allows the bytes to be written.
        unsafe { _mm_storeu_si128(p.cast(), lane) };
    }
}

/// A register of one lane.
macro_rules! one_lane {
    ($name:ident, $features:literal) => {
        impl Lanes for $name {
            const COUNT: usize = 1;
            const PAIRS: bool = false;

            #[inline(always)]
            unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self {
                // SAFETY: the caller allows these 16 bytes to be read.
                Self(unsafe { lane(p, offsets[0]) })
            }

            pair_of_loads!();
            interleave!(low: _mm_unpacklo_epi8, _mm_unpacklo_epi16, _mm_unpacklo_epi32, _mm_unpacklo_epi64);
            interleave!(high: _mm_unpackhi_epi8, _mm_unpackhi_epi16, _mm_unpackhi_epi32, _mm_unpackhi_epi64);
            moves!($features, _mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128);
        }
    };
}

one_lane!(MaskedXmm, "avx512f,avx512bw,avx512dq,avx512vl");
one_lane!(Xmm, "sse2");

/// `n` ones from the lowest bit.
#[inline(always)]
const fn ones(n: usize) -> __mmask16 {
    ((1u32 << n) - 1) as __mmask16
}

impl Lane for MaskedXmm {
    #[inline(always)]
    unsafe fn load_part(p: *const u8, n: usize) -> Self {
        // SAFETY: the caller has the instruction and allows the bytes of the mask to be read.
        Self(unsafe { _mm_maskz_loadu_epi8(ones(n), p.cast()) })
    }

    #[inline(always)]
    unsafe fn store_part(self, p: *mut u8, n: usize) {
        // SAFETY: the caller has the instruction and allows the bytes of the mask to be written.
        unsafe { _mm_mask_storeu_epi8(p.cast(), ones(n), self.0) };
    }
}

/// Without masks: two integers that overlap.
impl Lane for Xmm {
    #[inline(always)]
    unsafe fn load_part(p: *const u8, n: usize) -> Self {
        macro_rules! two_of {
            ($int:ty) => {{
                const BYTES: usize = size_of::<$int>();
                // SAFETY: `n` is at least this many bytes.
                let first = unsafe { p.cast::<$int>().read_unaligned() };
                // SAFETY: these end where the `n` bytes end.
                let last = unsafe { p.wrapping_add(n - BYTES).cast::<$int>().read_unaligned() };
                u128::from(first) | u128::from(last) << (8 * (n - BYTES))
            }};
        }
        let bytes = match n {
            8.. => two_of!(u64),
            4.. => two_of!(u32),
            2.. => two_of!(u16),
            _ => two_of!(u8),
        };
        // SAFETY: x86-64 has SSE2.
        Self(unsafe { _mm_set_epi64x((bytes >> 64) as i64, bytes as i64) })
    }

    #[inline(always)]
    unsafe fn store_part(self, p: *mut u8, n: usize) {
        let mut lane = [0u64; 2];
        // SAFETY: `lane` has 16 bytes.
        unsafe { _mm_storeu_si128(lane.as_mut_ptr().cast(), self.0) };
        let bytes = u128::from(lane[0]) | u128::from(lane[1]) << 64;
        macro_rules! two_of {
            ($int:ty) => {{
                const BYTES: usize = size_of::<$int>();
                // SAFETY: `n` is at least this many bytes.
                unsafe { p.cast::<$int>().write_unaligned(bytes as $int) };
                let last = (bytes >> (8 * (n - BYTES))) as $int;
                // SAFETY: these end where the `n` bytes end.
                unsafe { p.wrapping_add(n - BYTES).cast::<$int>().write_unaligned(last) };
            }};
        }
        match n {
            8.. => two_of!(u64),
            4.. => two_of!(u32),
            2.. => two_of!(u16),
            _ => two_of!(u8),
        }
    }
}
