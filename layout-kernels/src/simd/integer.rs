//! Vectors of `i32`, whose sums wrap around: arrays, and x86-64 registers.

use super::vector::Vector;

/// `N` lanes as an array, for every architecture and for x86-64 without AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Ints<const N: usize>(pub(crate) [i32; N]);

impl<const N: usize> Vector for Ints<N> {
    type Element = i32;
    const LANES: usize = N;

    #[inline(always)]
    unsafe fn splat(x: i32) -> Self {
        Self([x; N])
    }

    #[inline(always)]
    unsafe fn load(p: *const i32) -> Self {
        // SAFETY: the caller allows `N` elements to be read.
        Self(unsafe { p.cast::<[i32; N]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn load_first(p: *const i32, n: usize) -> Self {
        let mut lanes = [0; N];
        // SAFETY: the caller allows `n <= N` elements to be read; `lanes` is a local.
        unsafe { core::ptr::copy_nonoverlapping(p, lanes.as_mut_ptr(), n) };
        Self(lanes)
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut i32) {
        // SAFETY: the caller allows `N` elements to be written.
        unsafe { p.cast::<[i32; N]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn store_first(self, p: *mut i32, n: usize) {
        // SAFETY: the caller allows `n <= N` elements to be written; `self` is a local.
        unsafe { core::ptr::copy_nonoverlapping(self.0.as_ptr(), p, n) };
    }

    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_mul(b.0[i]).wrapping_add(c.0[i])))
    }

    #[inline(always)]
    unsafe fn mul(self, b: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_mul(b.0[i])))
    }

    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].wrapping_add(b.0[i])))
    }

    #[inline(always)]
    unsafe fn sum(self) -> i32 {
        self.0.into_iter().fold(0, i32::wrapping_add)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use crate::simd::vector::Vector;
    use crate::simd::x86::{mask_8x32, mask16, vector};

    /// `a * b + c`.
    ///
    /// # Safety
    ///
    /// AVX-512 is there.
    #[inline(always)]
    unsafe fn mul_add_512(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: the caller's promise.
        let product = unsafe { _mm512_mullo_epi32(a, b) };
        // SAFETY: the caller's promise.
        unsafe { _mm512_add_epi32(product, c) }
    }

    /// `a * b + c`.
    ///
    /// # Safety
    ///
    /// AVX2 is there.
    #[inline(always)]
    unsafe fn mul_add_256(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: the caller's promise.
        let product = unsafe { _mm256_mullo_epi32(a, b) };
        // SAFETY: the caller's promise.
        unsafe { _mm256_add_epi32(product, c) }
    }

    /// Eight numbers.
    ///
    /// # Safety
    ///
    /// AVX is there, and they can be read.
    #[inline(always)]
    unsafe fn load_256(p: *const i32) -> __m256i {
        // SAFETY: the caller's promise.
        unsafe { _mm256_loadu_si256(p.cast()) }
    }

    /// Writes eight numbers.
    ///
    /// # Safety
    ///
    /// AVX is there, and they can be written.
    #[inline(always)]
    unsafe fn store_256(p: *mut i32, v: __m256i) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(p.cast(), v) };
    }

    /// The sum of eight numbers.
    ///
    /// # Safety
    ///
    /// AVX is there.
    #[inline(always)]
    unsafe fn sum_256(v: __m256i) -> i32 {
        let mut lanes = [0; 8];
        // SAFETY: the caller's promise; `lanes` has eight elements.
        unsafe { store_256(lanes.as_mut_ptr(), v) };
        lanes.into_iter().fold(0, i32::wrapping_add)
    }

    vector! {
        pub(crate) I32x16: [i32; 16] in __m512i,
        _mm512_set1_epi32, _mm512_loadu_epi32, _mm512_storeu_epi32, mul_add_512,
        _mm512_mullo_epi32, _mm512_add_epi32, _mm512_reduce_add_epi32,
        // SAFETY: the caller has AVX-512 and allows the lanes of the mask to be read.
        load_first(p, n) unsafe { _mm512_maskz_loadu_epi32(mask16(n), p) },
        // SAFETY: the caller has AVX-512 and allows the lanes of the mask to be written.
        store_first(v) unsafe { _mm512_mask_storeu_epi32(p, mask16(n), v) }
    }

    vector! {
        pub(crate) I32x8: [i32; 8] in __m256i,
        _mm256_set1_epi32, load_256, store_256, mul_add_256,
        _mm256_mullo_epi32, _mm256_add_epi32, sum_256,
        load_first(p, n) {
            // SAFETY: the caller has AVX2.
            let mask = unsafe { mask_8x32(n) };
            // SAFETY: the caller has AVX2 and allows the lanes of the mask to be read.
            unsafe { _mm256_maskload_epi32(p, mask) }
        },
        store_first(v) {
            // SAFETY: the caller has AVX2.
            let mask = unsafe { mask_8x32(n) };
            // SAFETY: the caller has AVX2 and allows the lanes of the mask to be written.
            unsafe { _mm256_maskstore_epi32(p, mask, v) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{I32x8, I32x16};
