//! Vectors as x86-64 registers: 64 bytes with AVX-512, 32 and 16 with AVX2. SSE2 uses arrays instead:
//! LLVM keeps an array of four floats in a register as well as with intrinsics.

use core::arch::x86_64::*;

use super::registers::{isa, vector};
use super::sums::{
    sum_2x64, sum_4x32, sum_4x64, sum_8x32, sums_4x32, sums_4x64, sums_8x32, sums_8x64, sums_16x32,
};
use super::vector::{Isa, MAX_LANES, Vector};

/// A mask of the lowest `n <= 16` bits.
#[inline(always)]
pub(crate) const fn mask16(n: usize) -> __mmask16 {
    ((1u32 << n) - 1) as __mmask16
}

/// A mask of the lowest `n <= 32` bits.
#[inline(always)]
pub(crate) const fn mask32(n: usize) -> __mmask32 {
    ((1u64 << n) - 1) as __mmask32
}

/// A mask of the lowest `n <= 64` bits.
#[inline(always)]
pub(crate) const fn mask64(n: usize) -> __mmask64 {
    ((1u128 << n) - 1) as __mmask64
}

/// A mask of the lowest `n <= 8` bits.
#[inline(always)]
const fn mask8(n: usize) -> __mmask8 {
    ((1u32 << n) - 1) as __mmask8
}

/// Mask of the first `n <= 8` lanes of 32 bits, or of the first `n / 2` lanes of 64 bits.
///
/// # Safety
///
/// The CPU supports AVX.
#[inline(always)]
pub(super) unsafe fn mask_8x32(n: usize) -> __m256i {
    // Ones, then zeros: the mask starts `n` entries before the zeros. A `const` and not a `static`:
    // other crates do not see the value of a static, so masks of constant `n` would be loaded from
    // memory.
    const LANES: &[i32; 16] = &[-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: `8 - n` is within the table, and at least eight entries follow.
    unsafe { LANES.as_ptr().add(8 - n).cast::<__m256i>().read_unaligned() }
}

vector! {
    pub F32x16: [f32; 16] in __m512,
    _mm512_set1_ps, _mm512_mul_ps, _mm512_add_ps, fma _mm512_fmadd_ps, sums sums_16x32,
    halves F32x8, _mm512_zextps256_ps512, _mm512_extractf32x8_ps, _mm512_insertf32x8, _mm512_castps512_ps256,
    rest mask16, _mm512_mask_storeu_ps,
    permute indices32, _mm512_castsi512_ps, _mm512_castps_si512, _mm512_permutexvar_ps,
    sum |v| _mm512_reduce_add_ps(v),
    load_first |p, n| _mm512_maskz_loadu_ps(mask16(n), p),
    store_first |p, n, v| _mm512_mask_storeu_ps(p, mask16(n), v),
}

vector! {
    pub F64x8: [f64; 8] in __m512d,
    _mm512_set1_pd, _mm512_mul_pd, _mm512_add_pd, fma _mm512_fmadd_pd, sums sums_8x64,
    halves F64x4, _mm512_zextpd256_pd512, _mm512_extractf64x4_pd, _mm512_insertf64x4, _mm512_castpd512_pd256,
    rest mask8, _mm512_mask_storeu_pd,
    permute indices64, _mm512_castsi512_pd, _mm512_castpd_si512, _mm512_permutexvar_pd,
    sum |v| _mm512_reduce_add_pd(v),
    load_first |p, n| _mm512_maskz_loadu_pd(mask8(n), p),
    store_first |p, n, v| _mm512_mask_storeu_pd(p, mask8(n), v),
}

vector! {
    pub F32x8: [f32; 8] in __m256,
    _mm256_set1_ps, _mm256_mul_ps, _mm256_add_ps, fma _mm256_fmadd_ps, sums sums_8x32,
    halves F32x4, _mm256_zextps128_ps256, _mm256_extractf128_ps, _mm256_insertf128_ps, _mm256_castps256_ps128,
    permute indices_8x32, _mm256_castsi256_ps, _mm256_castps_si256, permute_8x32,
    sum |v| sum_8x32(v),
    load_first |p, n| _mm256_maskload_ps(p, mask_8x32(n)),
    store_first |p, n, v| _mm256_maskstore_ps(p, mask_8x32(n), v),
}

vector! {
    pub F64x4: [f64; 4] in __m256d,
    _mm256_set1_pd, _mm256_mul_pd, _mm256_add_pd, fma _mm256_fmadd_pd, sums sums_4x64,
    halves F64x2, _mm256_zextpd128_pd256, _mm256_extractf128_pd, _mm256_insertf128_pd, _mm256_castpd256_pd128,
    permute indices_4x64, _mm256_castsi256_pd, _mm256_castpd_si256, permute_4x64,
    sum |v| sum_4x64(v),
    load_first |p, n| _mm256_maskload_pd(p, mask_8x32(2 * n)),
    store_first |p, n, v| _mm256_maskstore_pd(p, mask_8x32(2 * n), v),
}

vector! {
    pub F32x4: [f32; 4] in __m128,
    _mm_set1_ps, _mm_mul_ps, _mm_add_ps, fma _mm_fmadd_ps, sums sums_4x32,
    unmasked 3,
    sum |v| sum_4x32(v),
    load_first |p, n| match n {
        0 => _mm_setzero_ps(),
        1 => _mm_load_ss(p),
        // Two elements are loaded as one of 64 bits.
        2 => _mm_castpd_ps(_mm_load_sd(p.cast())),
        3 => _mm_movelh_ps(_mm_castpd_ps(_mm_load_sd(p.cast())), _mm_load_ss(p.wrapping_add(2))),
        _ => _mm_loadu_ps(p),
    },
    store_first |p, n, v| match n {
        0 => {}
        1 => _mm_store_ss(p, v),
        2 => _mm_store_sd(p.cast(), _mm_castps_pd(v)),
        3 => {
            _mm_store_sd(p.cast(), _mm_castps_pd(v));
            _mm_store_ss(p.wrapping_add(2), _mm_movehl_ps(v, v));
        }
        _ => _mm_storeu_ps(p, v),
    },
}

vector! {
    pub F64x2: [f64; 2] in __m128d,
    _mm_set1_pd, _mm_mul_pd, _mm_add_pd, fma _mm_fmadd_pd,
    unmasked 1,
    sum |v| sum_2x64(v),
    load_first |p, n| match n {
        0 => _mm_setzero_pd(),
        1 => _mm_load_sd(p),
        _ => _mm_loadu_pd(p),
    },
    store_first |p, n, v| match n {
        0 => {}
        1 => _mm_store_sd(p, v),
        _ => _mm_storeu_pd(p, v),
    },
}

/// Permutation indices for lanes of 32 bits. They are passed one by one: LLVM evaluates constants of
/// at most 32 bytes, and then selects a cheaper instruction for the permutation.
///
/// # Safety
///
/// The CPU supports AVX-512.
#[inline(always)]
unsafe fn indices32(lane_indices: &[u8; MAX_LANES]) -> __m512i {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *lane_indices;
    // SAFETY: the caller guarantees AVX-512.
    unsafe {
        _mm512_setr_epi32(
            a as i32, b as i32, c as i32, d as i32, e as i32, f as i32, g as i32, h as i32,
            i as i32, j as i32, k as i32, l as i32, m as i32, n as i32, o as i32, p as i32,
        )
    }
}

/// Like [`indices32`], for lanes of 64 bits.
///
/// # Safety
///
/// The CPU supports AVX-512.
#[inline(always)]
unsafe fn indices64(lane_indices: &[u8; MAX_LANES]) -> __m512i {
    let [a, b, c, d, e, f, g, h, ..] = *lane_indices;
    // SAFETY: the caller guarantees AVX-512.
    unsafe {
        _mm512_setr_epi64(
            a as i64, b as i64, c as i64, d as i64, e as i64, f as i64, g as i64, h as i64,
        )
    }
}

/// Like [`indices32`], for eight lanes.
///
/// # Safety
///
/// The CPU supports AVX.
#[inline(always)]
unsafe fn indices_8x32(lane_indices: &[u8; MAX_LANES]) -> __m256i {
    let [a, b, c, d, e, f, g, h, ..] = *lane_indices;
    // SAFETY: the caller guarantees AVX.
    unsafe {
        _mm256_setr_epi32(
            a as i32, b as i32, c as i32, d as i32, e as i32, f as i32, g as i32, h as i32,
        )
    }
}

/// Like [`indices32`], for four lanes of 64 bits: AVX2 permutes their halves.
///
/// # Safety
///
/// The CPU supports AVX.
#[inline(always)]
unsafe fn indices_4x64(lane_indices: &[u8; MAX_LANES]) -> __m256i {
    let [a, b, c, d, ..] = lane_indices.map(|lane| 2 * lane as i32);
    // SAFETY: the caller guarantees AVX.
    unsafe { _mm256_setr_epi32(a, a + 1, b, b + 1, c, c + 1, d, d + 1) }
}

/// # Safety
///
/// The CPU supports AVX2.
#[inline(always)]
unsafe fn permute_8x32(lane_indices: __m256i, v: __m256) -> __m256 {
    // SAFETY: guaranteed by the caller.
    unsafe { _mm256_permutevar8x32_ps(v, lane_indices) }
}

/// # Safety
///
/// The CPU supports AVX2.
#[inline(always)]
unsafe fn permute_4x64(halves: __m256i, v: __m256d) -> __m256d {
    // SAFETY: guaranteed by the caller.
    unsafe { _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(v), halves)) }
}

isa!(Avx512, f32: F32x16, F32x8, F32x4, 32,
    indices32: _mm512_permutex2var_ps);
isa!(Avx512, f64: F64x8, F64x4, F64x2, 32,
    indices64: _mm512_permutex2var_pd);
isa!(Avx2, f32: F32x8, F32x4, F32x4, 15);
isa!(Avx2, f64: F64x4, F64x2, F64x2, 15);
