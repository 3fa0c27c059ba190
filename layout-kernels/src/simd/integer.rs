//! Registers of `i32` with wrapping arithmetic.

use core::arch::x86_64::*;
use core::mem::transmute;

use crate::simd::portable::{load_first, store_first};
use crate::simd::registers::vector;
use crate::simd::sums::{wrapping_sums_8x32, wrapping_sums_16x32};
use crate::simd::vector::Vector;
use crate::simd::x86::{mask_8x32, mask16};

/// `a * b` in each of four lanes. SSE2 multiplies two lanes at a time, with 64-bit results.
#[inline]
#[target_feature(enable = "sse2")]
fn mul_4x32(a: __m128i, b: __m128i) -> __m128i {
    let even = _mm_mul_epu32(a, b);
    let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
    let (even, odd) = (_mm_shuffle_epi32::<0b1000>(even), _mm_shuffle_epi32::<0b1000>(odd));
    _mm_unpacklo_epi32(even, odd)
}

#[inline(always)]
fn sum(lanes: [i32; 4]) -> i32 {
    lanes.into_iter().fold(0, i32::wrapping_add)
}

vector! {
    pub(crate) I32x4: [i32; 4] in __m128i,
    _mm_set1_epi32, mul_4x32, _mm_add_epi32,
    sum |v| sum(transmute::<__m128i, [i32; 4]>(v)),
    load_first |p, n| _mm_loadu_si128(load_first(p, n).as_ptr().cast()),
    store_first |p, n, v| store_first(transmute::<__m128i, [i32; 4]>(v), p, n),
}

vector! {
    pub(crate) I32x16: [i32; 16] in __m512i,
    _mm512_set1_epi32, _mm512_mullo_epi32, _mm512_add_epi32, sums wrapping_sums_16x32,
    rest mask16, _mm512_mask_storeu_epi32,
    sum |v| _mm512_reduce_add_epi32(v),
    load_first |p, n| _mm512_maskz_loadu_epi32(mask16(n), p),
    store_first |p, n, v| _mm512_mask_storeu_epi32(p, mask16(n), v),
}

vector! {
    pub(crate) I32x8: [i32; 8] in __m256i,
    _mm256_set1_epi32, _mm256_mullo_epi32, _mm256_add_epi32, sums wrapping_sums_8x32,
    sum |v| wrapping_sums_8x32([v; 4])[0],
    load_first |p, n| _mm256_maskload_epi32(p, mask_8x32(n)),
    store_first |p, n, v| _mm256_maskstore_epi32(p, mask_8x32(n), v),
}
