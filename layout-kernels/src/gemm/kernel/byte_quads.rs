//! Products of bytes with AVX-512 VNNI: four bytes per lane and instruction, with `i32` accumulators.
//!
//! Sums are exact and wrap around as `i32` does: no instruction here saturates. VNNI multiplies
//! unsigned by signed bytes. If both operands are signed, A is packed as `x + 128`, and
//! accumulators start from `-128` times the sum of each column of B.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::byte_pairs::I16PairDot;
use crate::gemm::kernel::bytes::Byte;
use crate::gemm::kernel::words::{Dot, Operand};
use crate::simd::integer::I32x16;
use crate::simd::vector::Vector;
use crate::simd::widen::Widen;
use crate::simd::x86::mask64;

/// Words of four bytes. `SHIFTED` if both operands are signed.
pub(crate) struct ByteQuads<const SHIFTED: bool>;

impl<const IS_SHIFTED: bool> Operand for ByteQuads<IS_SHIFTED> {
    type Element = u8;
    type Part = u8;
    type Words = I32x16;
    const IS_WORD: bool = true;
    const SHIFTED: bool = IS_SHIFTED;

    #[inline(always)]
    fn part(element: u8) -> u8 {
        element
    }

    #[inline(always)]
    unsafe fn load_first(from: *const u8, n: usize) -> I32x16 {
        // SAFETY: guaranteed by the caller: AVX-512.
        I32x16(unsafe { _mm512_maskz_loadu_epi8(mask64(n), from.cast()) })
    }

    #[inline(always)]
    unsafe fn load_rows(
        from: *const u8,
        stride: usize,
        rows: usize,
        lanes: Option<usize>,
    ) -> I32x16 {
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe {
            let row = |i: usize| from.wrapping_add(i * stride);
            let mut words = I32x16::widen_up_to(row(0), lanes).0;
            if rows > 1 {
                let next = I32x16::widen_up_to(row(1), lanes).0;
                words = _mm512_or_si512(words, _mm512_slli_epi32::<8>(next));
            }
            if rows > 2 {
                let next = I32x16::widen_up_to(row(2), lanes).0;
                words = _mm512_or_si512(words, _mm512_slli_epi32::<16>(next));
            }
            if rows > 3 {
                let next = I32x16::widen_up_to(row(3), lanes).0;
                words = _mm512_or_si512(words, _mm512_slli_epi32::<24>(next));
            }
            I32x16(words)
        }
    }

    /// Shifts words of A to `x + 128`. Writes the correction, `-128` times the sum of each column,
    /// into the row after the words of B.
    #[inline(always)]
    unsafe fn finish(panel: *mut i32, rows: usize, width: usize, of_b: bool) {
        if !IS_SHIFTED {
            return;
        }
        let all = rows * width;
        // SAFETY: guaranteed by the caller: AVX-512 VNNI, and vectors of the panel.
        unsafe {
            let shift = I32x16::splat(SHIFT);
            if !of_b {
                for i in (0..all).step_by(I32x16::LANES) {
                    let (p, n) = (panel.wrapping_add(i), I32x16::LANES.min(all - i));
                    let words = I32x16::load_first(p, n);
                    I32x16(_mm512_xor_epi32(words.0, shift.0)).store_first(p, n);
                }
                return;
            }
            for i in (0..width).step_by(I32x16::LANES) {
                let p = panel.wrapping_add(i);
                let mut sums = I32x16::splat(0);
                for k in 0..rows {
                    let words = I32x16::load(p.wrapping_add(k * width));
                    sums = MultiplyBytes::<false>::dot(shift, words, sums);
                }
                sums.mul(I32x16::splat(-1)).store(p.wrapping_add(all));
            }
        }
    }
}

/// Bytes `X` times bytes `Y` with AVX-512 VNNI. At least one of them is signed.
pub(crate) struct Vnni<X, Y>(PhantomData<(X, Y)>);

impl<X: Signs<Y>, Y: Byte> Dot for Vnni<X, Y> {
    type Sum = i32;
    type A = X::Packed;
    type B = X::Packed;
    type Math = X::Math;
    type Inner = X::Inner;
}

/// Products of four bytes in each lane. The signed bytes are in the words of B, or in those of A if
/// `SWAPPED`.
pub(crate) struct MultiplyBytes<const SWAPPED: bool>;

/// Which bytes of a pair are signed, and how AVX-512 VNNI multiplies them.
pub(crate) trait Signs<Y>: Byte {
    type Math: Arithmetic<Word = i32, Sum = i32, Words = I32x16, Sums = I32x16>;
    /// How both operands are packed.
    type Packed: Operand<Element = u8, Words = I32x16>;
    /// The multiplication for inner products, which read bytes in place and so not shifted.
    type Inner: Dot<Sum = i32>;
}

impl Signs<i8> for u8 {
    type Math = MultiplyBytes<false>;
    type Packed = ByteQuads<false>;
    type Inner = Vnni<u8, i8>;
}

impl Signs<u8> for i8 {
    type Math = MultiplyBytes<true>;
    type Packed = ByteQuads<false>;
    type Inner = Vnni<i8, u8>;
}

impl Signs<i8> for i8 {
    type Math = MultiplyBytes<false>;
    type Packed = ByteQuads<true>;
    type Inner = I16PairDot<i8, i8, I32x16>;
}

impl<const SWAPPED: bool> Arithmetic for MultiplyBytes<SWAPPED> {
    type Word = i32;
    type Sum = i32;
    type Words = I32x16;
    type Sums = I32x16;
    const CORRECTS: bool = !SWAPPED;
    const FUSES: bool = false;

    #[inline(always)]
    unsafe fn dot(x: I32x16, y: I32x16, sums: I32x16) -> I32x16 {
        // The unsigned or shifted operand comes first.
        let (x, y) = if SWAPPED { (y, x) } else { (x, y) };
        // SAFETY: guaranteed by the caller: AVX-512 VNNI.
        unsafe { I32x16(_mm512_dpbusd_epi32(sums.0, x.0, y.0)) }
    }
}

/// 128 in each byte. Adding it to a signed byte flips the top bit.
const SHIFT: i32 = i32::from_le_bytes([0x80; 4]);
