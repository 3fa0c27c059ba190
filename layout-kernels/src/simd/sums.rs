//! Horizontal sums of x86-64 registers. Summing four registers at a time transposes their lanes on
//! the way, which takes half as many shuffles per register.

use core::arch::x86_64::*;
use core::mem::transmute;

/// Sum of four lanes.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn sum_4x32(x: __m128) -> f32 {
    let pair = _mm_add_ps(x, _mm_movehl_ps(x, x));
    _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps::<1>(pair, pair)))
}

/// Sum of two lanes.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn sum_2x64(x: __m128d) -> f64 {
    _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)))
}

/// Sum of eight lanes.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn sum_8x32(x: __m256) -> f32 {
    sum_4x32(halves_8x32(x))
}

/// Sum of four lanes.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn sum_4x64(x: __m256d) -> f64 {
    sum_2x64(halves_4x64(x))
}

/// Sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn sums_4x32([a, b, c, d]: [__m128; 4]) -> [f32; 4] {
    let ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    let cd = _mm_add_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
    lanes_4x32(_mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab)))
}

/// Sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn sums_8x32([a, b, c, d]: [__m256; 4]) -> [f32; 4] {
    let ab = _mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let cd = _mm256_add_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    let low = _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd);
    let high = _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd);
    lanes_4x32(halves_8x32(_mm256_add_ps(low, high)))
}

/// Sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn sums_16x32([a, b, c, d]: [__m512; 4]) -> [f32; 4] {
    let ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    let cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    let low = _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd);
    let high = _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd);
    let all = _mm512_add_ps(low, high);
    let half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps::<1>(all));
    lanes_4x32(halves_8x32(half))
}

/// Sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn sums_4x64([a, b, c, d]: [__m256d; 4]) -> [f64; 4] {
    let ab = _mm256_add_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
    let cd = _mm256_add_pd(_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
    let ([a, b], [c, d]) = (lanes_2x64(halves_4x64(ab)), lanes_2x64(halves_4x64(cd)));
    [a, b, c, d]
}

/// Sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn sums_8x64([a, b, c, d]: [__m512d; 4]) -> [f64; 4] {
    let ab = _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
    let cd = _mm512_add_pd(_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
    let ab = _mm256_add_pd(_mm512_castpd512_pd256(ab), _mm512_extractf64x4_pd::<1>(ab));
    let cd = _mm256_add_pd(_mm512_castpd512_pd256(cd), _mm512_extractf64x4_pd::<1>(cd));
    let ([a, b], [c, d]) = (lanes_2x64(halves_4x64(ab)), lanes_2x64(halves_4x64(cd)));
    [a, b, c, d]
}

/// Wrapping sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn wrapping_sums_8x32([a, b, c, d]: [__m256i; 4]) -> [i32; 4] {
    let all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let half = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    // SAFETY: the register is four lanes.
    unsafe { transmute::<__m128i, [i32; 4]>(half) }
}

/// Wrapping sums of the lanes of four registers.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2")]
pub(super) fn wrapping_sums_16x32([a, b, c, d]: [__m512i; 4]) -> [i32; 4] {
    let [a, b, c, d] = [halves_16x32(a), halves_16x32(b), halves_16x32(c), halves_16x32(d)];
    wrapping_sums_8x32([a, b, c, d])
}

/// Wrapping sum of the lower and the upper half.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx2")]
fn halves_16x32(x: __m512i) -> __m256i {
    _mm256_add_epi32(_mm512_castsi512_si256(x), _mm512_extracti32x8_epi32::<1>(x))
}

/// Sum of the lower and the upper half.
#[inline]
#[target_feature(enable = "avx")]
fn halves_8x32(x: __m256) -> __m128 {
    _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x))
}

/// Sum of the lower and the upper half.
#[inline]
#[target_feature(enable = "avx")]
fn halves_4x64(x: __m256d) -> __m128d {
    _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x))
}

/// The lanes as an array.
#[inline]
#[target_feature(enable = "sse2")]
fn lanes_4x32(x: __m128) -> [f32; 4] {
    // SAFETY: the register is four lanes.
    unsafe { transmute(x) }
}

/// The lanes as an array.
#[inline]
#[target_feature(enable = "sse2")]
fn lanes_2x64(x: __m128d) -> [f64; 2] {
    // SAFETY: the register is two lanes.
    unsafe { transmute(x) }
}
