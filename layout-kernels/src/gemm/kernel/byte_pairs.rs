//! Products of bytes as pairs of 16-bit numbers with `i32` accumulators, for SSE2, AVX2 and AVX-512.
//!
//! Sums are exact and wrap around as `i32` does: no instruction here saturates.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::bytes::Byte;
use crate::gemm::kernel::words::{Dot, Operand};
use crate::simd::integer::{I32x4, I32x8, I32x16};
use crate::simd::vector::Vector;
use crate::simd::widen::{Widen, load_bytes};
use crate::simd::x86::mask32;

/// Products of pairs of 16-bit numbers, summed in the lanes of a register.
pub(crate) trait PairDot: Vector<Element = i32> + Widen<u8> + Widen<i8> {
    /// Adds both products of each lane to `sums`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions.
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self;

    /// The lower halves of the lanes of `low` and of `high`, in pairs.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions.
    unsafe fn pair(low: Self, high: Self) -> Self;

    /// Loads a byte into each lane, or into the first `lanes` lanes.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The bytes must be valid for reads.
    #[inline(always)]
    unsafe fn widen_bytes<X: Byte>(from: *const X, lanes: Option<usize>) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match X::SIGNED {
                true => Self::widen_up_to(from.cast::<i8>(), lanes),
                false => Self::widen_up_to(from.cast::<u8>(), lanes),
            }
        }
    }

    /// Loads as many bytes as a register has 16-bit numbers.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The bytes must be valid for reads.
    unsafe fn load_pairs<X: Byte>(from: *const X) -> Self;

    /// Loads `n` bytes, at most as many as a register has 16-bit numbers; the other numbers are zero.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The bytes must be valid for reads.
    #[inline(always)]
    unsafe fn load_first_pairs<X: Byte>(from: *const X, n: usize) -> Self {
        // SAFETY: guaranteed by the caller; a register with more than 16 numbers has a method of its
        // own.
        unsafe {
            const { assert!(2 * Self::LANES <= 16) };
            Self::load_pairs(load_bytes(from.cast(), n).as_ptr().cast::<X>())
        }
    }
}

impl PairDot for I32x4 {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        // SAFETY: guaranteed by the caller: SSE2.
        unsafe {
            let low = _mm_and_si128(low.0, _mm_set1_epi32(0xffff));
            Self(_mm_or_si128(low, _mm_slli_epi32::<16>(high.0)))
        }
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        // SAFETY: guaranteed by the caller: SSE2.
        unsafe { Self(_mm_madd_epi16(x.0, y.0)).add(sums) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const X) -> Self {
        // SAFETY: guaranteed by the caller: SSE2.
        unsafe {
            let bytes = _mm_loadl_epi64(from.cast());
            Self(match X::SIGNED {
                true => _mm_srai_epi16::<8>(_mm_unpacklo_epi8(bytes, bytes)),
                false => _mm_unpacklo_epi8(bytes, _mm_setzero_si128()),
            })
        }
    }
}

impl PairDot for I32x16 {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe {
            let high = _mm512_slli_epi32::<16>(high.0);
            Self(_mm512_mask_blend_epi16(0xaaaa_aaaa, low.0, high))
        }
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe { Self(_mm512_madd_epi16(x.0, y.0)).add(sums) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const X) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let bytes = _mm256_loadu_si256(from.cast());
            Self(match X::SIGNED {
                true => _mm512_cvtepi8_epi16(bytes),
                false => _mm512_cvtepu8_epi16(bytes),
            })
        }
    }

    #[inline(always)]
    unsafe fn load_first_pairs<X: Byte>(from: *const X, n: usize) -> Self {
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe {
            let bytes = _mm256_maskz_loadu_epi8(mask32(n), from.cast());
            Self::load_pairs((&raw const bytes).cast::<X>())
        }
    }
}

impl PairDot for I32x8 {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        // SAFETY: guaranteed by the caller: AVX2.
        Self(unsafe { _mm256_blend_epi16::<0b1010_1010>(low.0, _mm256_slli_epi32::<16>(high.0)) })
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        // SAFETY: guaranteed by the caller: AVX2.
        unsafe { Self(_mm256_madd_epi16(x.0, y.0)).add(sums) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const X) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let bytes = _mm_loadu_si128(from.cast());
            Self(match X::SIGNED {
                true => _mm256_cvtepi8_epi16(bytes),
                false => _mm256_cvtepu8_epi16(bytes),
            })
        }
    }
}

/// Bytes `X`, packed as pairs of 16-bit numbers.
pub(crate) struct I16Pairs<X, V>(PhantomData<(X, V)>);

impl<X: Byte, V: PairDot> Operand for I16Pairs<X, V> {
    type Element = X;
    type Part = i16;
    type Words = V;
    const IS_WORD: bool = false;

    #[inline(always)]
    fn part(element: X) -> i16 {
        element.widen() as i16
    }

    #[inline(always)]
    unsafe fn load(from: *const X) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::load_pairs(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const X, n: usize) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::load_first_pairs(from, n) }
    }

    #[inline(always)]
    unsafe fn load_rows(from: *const X, stride: usize, rows: usize, lanes: Option<usize>) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let high = match rows {
                1 => V::splat(0),
                _ => V::widen_bytes(from.wrapping_add(stride), lanes),
            };
            V::pair(V::widen_bytes(from, lanes), high)
        }
    }
}

/// Bytes `X` times bytes `Y`, as pairs of 16-bit numbers.
pub(crate) struct I16PairDot<X, Y, V>(PhantomData<(X, Y, V)>);

impl<X: Byte, Y: Byte, V: PairDot> Dot for I16PairDot<X, Y, V> {
    type Sum = i32;
    type A = I16Pairs<X, V>;
    type B = I16Pairs<Y, V>;
    type Math = MultiplyI16Pairs<V>;
    type Inner = Self;
}

/// Products of pairs of 16-bit numbers in the lanes of `V`.
pub(crate) struct MultiplyI16Pairs<V>(PhantomData<V>);

impl<V: PairDot> Arithmetic for MultiplyI16Pairs<V> {
    type Word = i32;
    type Sum = i32;
    type Words = V;
    type Sums = V;
    const FUSES: bool = false;

    #[inline(always)]
    unsafe fn dot(x: V, y: V, sums: V) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::dot_pairs(x, y, sums) }
    }
}
