//! Products of bytes with `i32` accumulators: four bytes per instruction with AVX-512 VNNI,
//! otherwise pairs of 16-bit numbers.
//!
//! Sums are exact and wrap around as `i32` does: no instruction here saturates. VNNI multiplies
//! unsigned by signed bytes. If both operands are signed, A is packed as `x + 128`, and
//! accumulators start from `-128` times the sum of each column of B.

use core::marker::PhantomData;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::table::{Kernels, kernels, last};
use crate::gemm::kernel::words::{Dot, Operand};
use crate::simd::Level;
use crate::simd::integer::Ints;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::integer::{I32x4, I32x8, I32x16};
use crate::simd::vector::Vector;
use crate::simd::widen::{Widen, load_bytes};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::x86::{mask32, mask64};

/// Signedness of a byte. Kernels move all bytes as `u8`, so that code without multiplications is
/// compiled only once.
pub(crate) trait Byte: 'static {
    const SIGNED: bool;

    /// The number with these bits.
    fn to_i32(bits: u8) -> i32;
}

impl Byte for u8 {
    const SIGNED: bool = false;

    #[inline(always)]
    fn to_i32(bits: u8) -> i32 {
        i32::from(bits)
    }
}

impl Byte for i8 {
    const SIGNED: bool = true;

    #[inline(always)]
    fn to_i32(bits: u8) -> i32 {
        i32::from(bits.cast_signed())
    }
}

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
    unsafe fn widen_bytes<X: Byte>(from: *const u8, lanes: Option<usize>) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match X::SIGNED {
                true => Self::widen_up_to(from.cast::<i8>(), lanes),
                false => Self::widen_up_to(from, lanes),
            }
        }
    }

    /// Loads as many bytes as a register has 16-bit numbers.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The bytes must be valid for reads.
    unsafe fn load_pairs<X: Byte>(from: *const u8) -> Self;

    /// Loads `n` bytes, at most as many as a register has 16-bit numbers; the other numbers are zero.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The bytes must be valid for reads.
    #[inline(always)]
    unsafe fn load_first_pairs<X: Byte>(from: *const u8, n: usize) -> Self {
        // SAFETY: guaranteed by the caller; a register with more than 16 numbers has a method of its
        // own.
        unsafe {
            const { assert!(2 * Self::LANES <= 16) };
            Self::load_pairs::<X>(load_bytes(from, n).as_ptr().cast())
        }
    }
}

impl PairDot for Ints {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        let pair = |low: i32, high: i32| low & 0xffff | high << 16;
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (low, high);
        Self([pair(a, e), pair(b, f), pair(c, g), pair(d, h)])
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        let pair = |x: i32, y: i32| {
            let low = |v: i32| v << 16 >> 16;
            (low(x) * low(y)).wrapping_add((x >> 16) * (y >> 16))
        };
        let (Self([x0, x1, x2, x3]), Self([y0, y1, y2, y3])) = (x, y);
        // SAFETY: arrays need no special instructions.
        unsafe { sums.add(Self([pair(x0, y0), pair(x1, y1), pair(x2, y2), pair(x3, y3)])) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const u8) -> Self {
        // SAFETY: guaranteed by the caller.
        let [a, b, c, d, e, f, g, h] = unsafe { *from.cast::<[u8; 8]>() }.map(X::to_i32);
        // Both operands have their pairs in this order.
        // SAFETY: arrays need no special instructions.
        unsafe { Self::pair(Self([a, c, e, g]), Self([b, d, f, h])) }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl PairDot for I32x4 {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        use core::arch::x86_64::{_mm_and_si128, _mm_or_si128, _mm_set1_epi32, _mm_slli_epi32};
        // SAFETY: guaranteed by the caller: SSE2.
        unsafe {
            let low = _mm_and_si128(low.0, _mm_set1_epi32(0xffff));
            Self(_mm_or_si128(low, _mm_slli_epi32::<16>(high.0)))
        }
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        use core::arch::x86_64::_mm_madd_epi16;
        // SAFETY: guaranteed by the caller: SSE2.
        unsafe { Self(_mm_madd_epi16(x.0, y.0)).add(sums) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const u8) -> Self {
        use core::arch::x86_64::{
            _mm_loadl_epi64, _mm_setzero_si128, _mm_srai_epi16, _mm_unpacklo_epi8,
        };
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

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl PairDot for I32x16 {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        use core::arch::x86_64::{_mm512_mask_blend_epi16, _mm512_slli_epi32};
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe {
            let high = _mm512_slli_epi32::<16>(high.0);
            Self(_mm512_mask_blend_epi16(0xaaaa_aaaa, low.0, high))
        }
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        use core::arch::x86_64::_mm512_madd_epi16;
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe { Self(_mm512_madd_epi16(x.0, y.0)).add(sums) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const u8) -> Self {
        use core::arch::x86_64::{_mm256_loadu_si256, _mm512_cvtepi8_epi16, _mm512_cvtepu8_epi16};
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
    unsafe fn load_first_pairs<X: Byte>(from: *const u8, n: usize) -> Self {
        use core::arch::x86_64::_mm256_maskz_loadu_epi8;
        // SAFETY: guaranteed by the caller: AVX-512.
        unsafe {
            let bytes = _mm256_maskz_loadu_epi8(mask32(n), from.cast());
            Self::load_pairs::<X>((&raw const bytes).cast())
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl PairDot for I32x8 {
    #[inline(always)]
    unsafe fn pair(low: Self, high: Self) -> Self {
        use core::arch::x86_64::{_mm256_blend_epi16, _mm256_slli_epi32};
        // SAFETY: guaranteed by the caller: AVX2.
        Self(unsafe { _mm256_blend_epi16::<0b1010_1010>(low.0, _mm256_slli_epi32::<16>(high.0)) })
    }

    #[inline(always)]
    unsafe fn dot_pairs(x: Self, y: Self, sums: Self) -> Self {
        use core::arch::x86_64::_mm256_madd_epi16;
        // SAFETY: guaranteed by the caller: AVX2.
        unsafe { Self(_mm256_madd_epi16(x.0, y.0)).add(sums) }
    }

    #[inline(always)]
    unsafe fn load_pairs<X: Byte>(from: *const u8) -> Self {
        use core::arch::x86_64::{_mm_loadu_si128, _mm256_cvtepi8_epi16, _mm256_cvtepu8_epi16};
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
    type Element = u8;
    type Part = i16;
    type Words = V;
    const IS_WORD: bool = false;

    #[inline(always)]
    fn part(element: u8) -> i16 {
        X::to_i32(element) as i16
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::load_pairs::<X>(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const u8, n: usize) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::load_first_pairs::<X>(from, n) }
    }

    #[inline(always)]
    unsafe fn load_rows(from: *const u8, stride: usize, rows: usize, lanes: Option<usize>) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let high = match rows {
                1 => V::splat(0),
                _ => V::widen_bytes::<X>(from.wrapping_add(stride), lanes),
            };
            V::pair(V::widen_bytes::<X>(from, lanes), high)
        }
    }
}

/// Bytes `X` times bytes `Y`, as pairs of 16-bit numbers.
pub(crate) struct WidenedBytes<X, Y, V>(PhantomData<(X, Y, V)>);

impl<X: Byte, Y: Byte, V: PairDot> Dot for WidenedBytes<X, Y, V> {
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

/// Words of four bytes. `SHIFTED` if both operands are signed.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct ByteQuads<const SHIFTED: bool>;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
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
        use core::arch::x86_64::_mm512_maskz_loadu_epi8;
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
        use core::arch::x86_64::{_mm512_or_si512, _mm512_slli_epi32};
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
        use core::arch::x86_64::_mm512_xor_epi32;
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
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct Vnni<X, Y>(PhantomData<(X, Y)>);

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<X: Signs<Y>, Y: Byte> Dot for Vnni<X, Y> {
    type Sum = i32;
    type A = X::Packed;
    type B = X::Packed;
    type Math = X::Math;
    type Inner = X::Inner;
}

/// Products of four bytes in each lane. The signed bytes are in the words of B, or in those of A if
/// `SWAPPED`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct MultiplyBytes<const SWAPPED: bool>;

/// Which bytes of a pair are signed, and how AVX-512 VNNI multiplies them.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) trait Signs<Y>: Byte {
    type Math: Arithmetic<Word = i32, Sum = i32, Words = I32x16, Sums = I32x16>;
    /// How both operands are packed.
    type Packed: Operand<Element = u8, Words = I32x16>;
    /// The multiplication for inner products, which read bytes in place and so not shifted.
    type Inner: Dot<Sum = i32>;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Signs<i8> for u8 {
    type Math = MultiplyBytes<false>;
    type Packed = ByteQuads<false>;
    type Inner = Vnni<u8, i8>;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Signs<u8> for i8 {
    type Math = MultiplyBytes<true>;
    type Packed = ByteQuads<false>;
    type Inner = Vnni<i8, u8>;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Signs<i8> for i8 {
    type Math = MultiplyBytes<false>;
    type Packed = ByteQuads<true>;
    type Inner = WidenedBytes<i8, i8, I32x16>;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl<const SWAPPED: bool> Arithmetic for MultiplyBytes<SWAPPED> {
    type Word = i32;
    type Sum = i32;
    type Words = I32x16;
    type Sums = I32x16;
    const CORRECTS: bool = !SWAPPED;
    const FUSES: bool = false;

    #[inline(always)]
    unsafe fn dot(x: I32x16, y: I32x16, sums: I32x16) -> I32x16 {
        use core::arch::x86_64::_mm512_dpbusd_epi32;
        // The unsigned or shifted operand comes first.
        let (x, y) = if SWAPPED { (y, x) } else { (x, y) };
        // SAFETY: guaranteed by the caller: AVX-512 VNNI.
        unsafe { I32x16(_mm512_dpbusd_epi32(sums.0, x.0, y.0)) }
    }
}

/// 128 in each byte. Adding it to a signed byte flips the top bit.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const SHIFT: i32 = i32::from_le_bytes([0x80; 4]);

/// The kernels of bytes at a level. At least one operand is signed.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) fn bytes<X: Signs<Y>, Y: Byte>(level: Level) -> &'static Kernels {
    match level {
        Level::Avx512(has) if has.vnni() => {
            kernels!(avx512_vnni, Vnni<X, Y>: 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8)
        }
        // Few CPUs have AVX-512 without VNNI: not worth separate tiles.
        Level::Avx512(_) | Level::Avx2(_) => {
            kernels!(avx2, WidenedBytes<X, Y, I32x8>: 1 2 3 4 5 to 6, 1 2 3 4 5 to 6)
        }
        Level::Baseline(_) => {
            kernels!(plain, WidenedBytes<X, Y, I32x4>: 1 2 3 to 4, 1 2 3 to 4)
        }
        _ => portable::<X, Y>(),
    }
}

/// The kernels of bytes at a level. At least one operand is signed.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) fn bytes<X: Byte, Y: Byte>(_: Level) -> &'static Kernels {
    portable::<X, Y>()
}

/// The kernels with arrays as registers.
fn portable<X: Byte, Y: Byte>() -> &'static Kernels {
    kernels!(plain, WidenedBytes<X, Y, Ints>: 1 2 3 to 4, 1 2 3 to 4)
}
