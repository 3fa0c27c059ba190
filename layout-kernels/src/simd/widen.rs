//! Narrow numbers, loaded into the lanes of wider ones: bytes and the bits of `bf16` into `i32`,
//! `bf16` and `f16` into `f32`.

#[cfg(feature = "half")]
use half::{bf16, f16};

use super::portable::{Array4, Number};
use super::vector::Vector;

/// A number whose value is also one of a wider type.
pub(crate) trait Narrow: Copy + 'static {
    /// The wider type.
    type Wide: Number;
    /// What a product of two such numbers costs, in multiplications of `Wide`.
    const COST: usize = 1;

    /// The same value; a NaN stays a NaN.
    fn widen(self) -> Self::Wide;
}

macro_rules! narrow_integers {
    ($($integer:ty)*) => {$(
        impl Narrow for $integer {
            type Wide = i32;

            #[inline(always)]
            fn widen(self) -> i32 {
                i32::from(self)
            }
        }
    )*};
}

narrow_integers!(u8 i8 u16);

#[cfg(feature = "half")]
impl Narrow for bf16 {
    type Wide = f32;

    #[inline(always)]
    fn widen(self) -> f32 {
        // The bits above 16 zeros. Not `to_f32`, which makes NaNs quiet.
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
}

#[cfg(feature = "half")]
impl Narrow for f16 {
    type Wide = f32;
    const COST: usize = 4;

    // Not `to_f32`, which queries CPU features in each call. Branch-free, so that LLVM vectorises
    // loops.
    #[inline(always)]
    fn widen(self) -> f32 {
        const EXPONENT: u32 = 1 << 23;
        // The `f32` exponent of 2^-14, the smallest normal `f16`.
        const SMALLEST: u32 = 113 * EXPONENT;
        let bits = u32::from(self.to_bits());
        let (sign, rest) = ((bits & 0x8000) << 16, (bits & 0x7fff) << 13);
        // Subnormals: 0.m * 2^-14 = 1.m * 2^-14 - 2^-14, exact.
        let small = f32::from_bits(rest + SMALLEST) - f32::from_bits(SMALLEST);
        let normal = rest + (127 - 15) * EXPONENT;
        // Infinity and NaN have all exponent bits set in both formats.
        let large = rest + (255 - 31) * EXPONENT;
        let magnitude = if rest < EXPONENT { small.to_bits() } else { normal };
        f32::from_bits(sign | if rest >= 31 * EXPONENT { large } else { magnitude })
    }
}

/// Registers whose lanes can be loaded from numbers of type `E`, which all have the same value as a
/// number of a lane.
///
/// # Safety
///
/// Every method needs the instructions of its type.
pub(crate) trait Widen<E: Narrow>: Vector<Element = E::Wide> {
    /// Loads `LANES` numbers from `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// The numbers can be read.
    unsafe fn widen(p: *const E) -> Self;

    /// Loads `n <= LANES` numbers from `p`; the other lanes are zero.
    ///
    /// # Safety
    ///
    /// The numbers can be read.
    #[inline(always)]
    unsafe fn widen_first(p: *const E, n: usize) -> Self {
        // SAFETY: guaranteed by the caller; a register that is loaded from more than 16 bytes has a
        // method of its own.
        unsafe {
            const { assert!(Self::LANES * size_of::<E>() <= 16) };
            let bytes = load_bytes(p.cast(), n * size_of::<E>());
            Self::widen(bytes.as_ptr().cast())
        }
    }

    /// Loads all lanes, or only the first ones, if `lanes` is `Some`; the others are then zero.
    ///
    /// # Safety
    ///
    /// The numbers can be read.
    #[inline(always)]
    unsafe fn widen_up_to(p: *const E, lanes: Option<usize>) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match lanes {
                None => Self::widen(p),
                Some(n) => Self::widen_first(p, n),
            }
        }
    }
}

/// Loads `n <= 16` bytes, in their order in memory; the others are zero. Memory after them is not touched.
/// No loop: LLVM would keep the accumulators of a kernel around it on the stack.
///
/// # Safety
///
/// The bytes can be read.
#[inline(always)]
pub(crate) unsafe fn load_bytes(p: *const u8, n: usize) -> [u64; 2] {
    /// The number at `p`, whose lowest byte is the first.
    #[inline(always)]
    unsafe fn at<T: Copy>(p: *const u8) -> T {
        // SAFETY: guaranteed by the caller.
        unsafe { p.cast::<T>().read_unaligned() }
    }
    // SAFETY: guaranteed by the caller: all reads are within the bytes. Reads may overlap: what two of
    // them have is equal where they are combined, or shifted out.
    let halves: [u64; 2] = unsafe {
        match n {
            0 => [0; 2],
            1..4 => {
                let [first, middle, last] = [0, n / 2, n - 1].map(|i| u64::from(*p.add(i)));
                [first | middle << (8 * (n / 2)) | last << (8 * (n - 1)), 0]
            }
            4..8 => {
                let (low, high) = (u32::from_le(at(p)), u32::from_le(at(p.add(n - 4))));
                [u64::from(low) | u64::from(high) << (8 * (n - 4)), 0]
            }
            8 => [u64::from_le(at(p)), 0],
            _ => {
                let high = u64::from_le(at(p.add(n - 8)));
                [u64::from_le(at(p)), high >> (8 * (16 - n))]
            }
        }
    };
    halves.map(u64::to_le)
}

impl<E: Narrow> Widen<E> for Array4<E::Wide> {
    #[inline(always)]
    unsafe fn widen(p: *const E) -> Self {
        // SAFETY: guaranteed by the caller.
        let [a, b, c, d] = unsafe { p.cast::<[E; 4]>().read_unaligned() };
        Self([a.widen(), b.widen(), c.widen(), d.widen()])
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use core::arch::x86_64::*;

    #[cfg(feature = "half")]
    use half::{bf16, f16};

    use super::Widen;
    use crate::simd::integer::{I32x4, I32x8, I32x16};
    use crate::simd::x86::mask16;
    #[cfg(feature = "half")]
    use crate::simd::x86::{F32x8, F32x16};

    /// Implements `Widen` with the given intrinsics: for a register of narrow numbers, and how that is
    /// loaded.
    macro_rules! widen {
        ($($vector:ident: $narrow:ty, $load:ident $(, first $mask:ident, $load_first:ident)?, |$x:ident| $widened:expr;)*) => {$(
            impl Widen<$narrow> for $vector {
                #[inline(always)]
                unsafe fn widen(p: *const $narrow) -> Self {
                    // SAFETY: guaranteed by the caller.
                    unsafe {
                        let $x = $load(p.cast());
                        Self($widened)
                    }
                }

                $(
                    #[inline(always)]
                    unsafe fn widen_first(p: *const $narrow, n: usize) -> Self {
                        // SAFETY: guaranteed by the caller.
                        unsafe {
                            let $x = $load_first($mask(n), p.cast());
                            Self($widened)
                        }
                    }
                )?
            }
        )*};
    }

    widen! {
        I32x16: u8, _mm_loadu_si128, first mask16, _mm_maskz_loadu_epi8, |x| _mm512_cvtepu8_epi32(x);
        I32x16: i8, _mm_loadu_si128, first mask16, _mm_maskz_loadu_epi8, |x| _mm512_cvtepi8_epi32(x);
        I32x8: u8, _mm_loadu_si64, |x| _mm256_cvtepu8_epi32(x);
        I32x8: i8, _mm_loadu_si64, |x| _mm256_cvtepi8_epi32(x);
        I32x4: u8, _mm_loadu_si32, |x| {
            let zero = _mm_setzero_si128();
            _mm_unpacklo_epi16(_mm_unpacklo_epi8(x, zero), zero)
        };
        I32x4: i8, _mm_loadu_si32, |x| {
            let x = _mm_unpacklo_epi8(x, x);
            _mm_srai_epi32::<24>(_mm_unpacklo_epi16(x, x))
        };
    }

    #[cfg(feature = "half")]
    widen! {
        I32x16: u16, _mm256_loadu_epi16, first mask16, _mm256_maskz_loadu_epi16,
            |x| _mm512_cvtepu16_epi32(x);
        F32x16: bf16, _mm256_loadu_epi16, first mask16, _mm256_maskz_loadu_epi16,
            |x| _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(x)));
        F32x16: f16, _mm256_loadu_epi16, first mask16, _mm256_maskz_loadu_epi16,
            |x| _mm512_cvtph_ps(x);
        F32x8: bf16, _mm_loadu_si128,
            |x| _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(x)));
        F32x8: f16, _mm_loadu_si128, |x| _mm256_cvtph_ps(x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_loaded_up_to_a_register() {
        let bytes: [u8; 16] = core::array::from_fn(|i| 200 + i as u8);
        for n in 0..=16 {
            let memory = bytes[..n].to_vec();
            let mut expected = [0; 16];
            expected[..n].copy_from_slice(&memory);
            // SAFETY: these are the bytes of the vector.
            let loaded = unsafe { load_bytes(memory.as_ptr(), n) };
            assert_eq!(loaded.map(u64::to_ne_bytes).as_flattened(), expected);
        }
    }

    #[cfg(feature = "half")]
    #[test]
    fn all_f16_are_the_same_number() {
        for bits in 0..=u16::MAX {
            let (x, own) = (f16::from_bits(bits).to_f32(), f16::from_bits(bits).widen());
            assert!(x.to_bits() == own.to_bits() || x.is_nan() && own.is_nan(), "{bits:#x}");
        }
    }
}
