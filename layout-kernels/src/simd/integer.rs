//! Vectors of `i32` with wrapping arithmetic: an array, and x86-64 registers.

use super::portable::Array4;

/// Four lanes as an array, for all architectures.
pub(crate) type Ints = Array4<i32>;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use core::arch::x86_64::*;

    use crate::simd::portable::{load_first, store_first};
    use crate::simd::vector::Vector;
    use crate::simd::x86::{mask_8x32, mask16, vector};

    /// `a * b + c`.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX-512.
    #[inline(always)]
    unsafe fn mul_add_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: guaranteed by the caller.
        let product = unsafe { _mm512_mullo_epi32(a, b) };
        // SAFETY: guaranteed by the caller.
        unsafe { _mm512_add_epi32(product, c) }
    }

    /// `a * b + c`.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX2.
    #[inline(always)]
    unsafe fn mul_add_256(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: guaranteed by the caller.
        let product = unsafe { _mm256_mullo_epi32(a, b) };
        // SAFETY: guaranteed by the caller.
        unsafe { _mm256_add_epi32(product, c) }
    }

    /// Loads eight integers.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX, and the elements can be read.
    #[inline(always)]
    unsafe fn load_256(p: *const i32) -> __m256i {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm256_loadu_si256(p.cast()) }
    }

    /// Stores eight integers.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX, and the elements can be written.
    #[inline(always)]
    unsafe fn store_256(p: *mut i32, v: __m256i) {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm256_storeu_si256(p.cast(), v) };
    }

    /// Sum of eight integers.
    ///
    /// # Safety
    ///
    /// The CPU supports AVX.
    #[inline(always)]
    unsafe fn sum_256(v: __m256i) -> i32 {
        let mut lanes = [0; 8];
        // SAFETY: guaranteed by the caller; `lanes` has eight elements.
        unsafe { store_256(lanes.as_mut_ptr(), v) };
        lanes.into_iter().fold(0, i32::wrapping_add)
    }

    /// `a * b` in each of four lanes. SSE2 multiplies two lanes at a time, with 64-bit results.
    ///
    /// # Safety
    ///
    /// The CPU supports SSE2.
    #[inline(always)]
    unsafe fn mul_128(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let even = _mm_mul_epu32(a, b);
            let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            let (even, odd) = (_mm_shuffle_epi32::<0b1000>(even), _mm_shuffle_epi32::<0b1000>(odd));
            _mm_unpacklo_epi32(even, odd)
        }
    }

    /// `a * b + c`.
    ///
    /// # Safety
    ///
    /// The CPU supports SSE2.
    #[inline(always)]
    unsafe fn mul_add_128(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm_add_epi32(mul_128(a, b), c) }
    }

    /// Loads four integers.
    ///
    /// # Safety
    ///
    /// The CPU supports SSE2, and the elements can be read.
    #[inline(always)]
    unsafe fn load_128(p: *const i32) -> __m128i {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm_loadu_si128(p.cast()) }
    }

    /// Stores four integers.
    ///
    /// # Safety
    ///
    /// The CPU supports SSE2, and the elements can be written.
    #[inline(always)]
    unsafe fn store_128(p: *mut i32, v: __m128i) {
        // SAFETY: guaranteed by the caller.
        unsafe { _mm_storeu_si128(p.cast(), v) };
    }

    /// Sum of four integers.
    ///
    /// # Safety
    ///
    /// The CPU supports SSE2.
    #[inline(always)]
    unsafe fn sum_128(v: __m128i) -> i32 {
        let mut lanes = [0; 4];
        // SAFETY: `lanes` has four elements.
        unsafe { store_128(lanes.as_mut_ptr(), v) };
        lanes.into_iter().fold(0, i32::wrapping_add)
    }

    vector! {
        pub(crate) I32x4: [i32; 4] in __m128i,
        _mm_set1_epi32, load_128, store_128, mul_add_128, mul_128, _mm_add_epi32, sum_128,
        load_first(p, n) {
            // SAFETY: guaranteed by the caller.
            unsafe { load_128(load_first(p, n).as_ptr()) }
        },
        store_first(v) {
            let mut lanes = [0; 4];
            // SAFETY: guaranteed by the caller; `lanes` has four elements.
            unsafe {
                store_128(lanes.as_mut_ptr(), v);
                store_first(lanes, p, n);
            }
        }
    }

    vector! {
        pub(crate) I32x16: [i32; 16] in __m512i,
        _mm512_set1_epi32, _mm512_loadu_epi32, _mm512_storeu_epi32, mul_add_512,
        _mm512_mullo_epi32, _mm512_add_epi32, _mm512_reduce_add_epi32,
        rest mask16, _mm512_mask_storeu_epi32,
        // SAFETY: the caller guarantees AVX-512 and that the masked lanes can be read.
        load_first(p, n) unsafe { _mm512_maskz_loadu_epi32(mask16(n), p) },
        // SAFETY: the caller guarantees AVX-512 and that the masked lanes can be written.
        store_first(v) unsafe { _mm512_mask_storeu_epi32(p, mask16(n), v) }
    }

    vector! {
        pub(crate) I32x8: [i32; 8] in __m256i,
        _mm256_set1_epi32, load_256, store_256, mul_add_256,
        _mm256_mullo_epi32, _mm256_add_epi32, sum_256,
        load_first(p, n) {
            // SAFETY: the caller guarantees AVX2.
            let mask = unsafe { mask_8x32(n) };
            // SAFETY: the caller guarantees AVX2 and that the masked lanes can be read.
            unsafe { _mm256_maskload_epi32(p, mask) }
        },
        store_first(v) {
            // SAFETY: the caller guarantees AVX2.
            let mask = unsafe { mask_8x32(n) };
            // SAFETY: the caller guarantees AVX2 and that the masked lanes can be written.
            unsafe { _mm256_maskstore_epi32(p, mask, v) }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86::{I32x4, I32x8, I32x16};
