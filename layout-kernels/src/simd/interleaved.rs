//! `Interleaved`: vectors of complex numbers with interleaved real and imaginary parts.

use core::ops::Neg;

use super::portable::{Array4, Number};
use super::vector::Vector;

/// A register of complex numbers. Even lanes hold real parts, each odd lane the matching imaginary
/// part.
///
/// # Safety
///
/// That of [`Vector`].
pub(crate) trait Interleaved: Vector {
    /// A vector with `re + im i` in each pair of lanes.
    unsafe fn pairs(re: Self::Element, im: Self::Element) -> Self;

    /// The real part of each number, in both of its lanes.
    unsafe fn real_parts(self) -> Self;

    /// The imaginary part of each number, in both of its lanes.
    unsafe fn imaginary_parts(self) -> Self;

    /// Each number times `i`: `-im + re i`.
    unsafe fn times_i(self) -> Self;

    /// Sum of all real parts and sum of all imaginary parts, added by halves of the register.
    unsafe fn sum_of_pairs(self) -> [Self::Element; 2];
}

impl<T: Number + Neg<Output = T>> Interleaved for Array4<T> {
    #[inline(always)]
    unsafe fn pairs(re: T, im: T) -> Self {
        Self([re, im, re, im])
    }

    #[inline(always)]
    unsafe fn real_parts(self) -> Self {
        let Self([a, _, c, _]) = self;
        Self([a, a, c, c])
    }

    #[inline(always)]
    unsafe fn imaginary_parts(self) -> Self {
        let Self([_, b, _, d]) = self;
        Self([b, b, d, d])
    }

    #[inline(always)]
    unsafe fn times_i(self) -> Self {
        let Self([a, b, c, d]) = self;
        Self([-b, a, -d, c])
    }

    #[inline(always)]
    unsafe fn sum_of_pairs(self) -> [T; 2] {
        let Self([a, b, c, d]) = self;
        [a.plus(c), b.plus(d)]
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use core::arch::x86_64::*;

    use super::Interleaved;
    use crate::simd::vector::Vector;
    use crate::simd::x86::{F32x8, F32x16, F64x4, F64x8};

    macro_rules! interleaved {
        ($vector:ident: $unpack:ident, $even:expr, $odd:expr, $swap:expr, $xor:ident, |$v:ident| $sum:expr) => {
            impl Interleaved for $vector {
                #[inline(always)]
                unsafe fn pairs(re: Self::Element, im: Self::Element) -> Self {
                    // SAFETY: the caller guarantees the instructions.
                    unsafe { Self($unpack(Self::splat(re).0, Self::splat(im).0)) }
                }

                #[inline(always)]
                unsafe fn real_parts(self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $even(self.0) })
                }

                #[inline(always)]
                unsafe fn imaginary_parts(self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $odd(self.0) })
                }

                #[inline(always)]
                unsafe fn times_i(self) -> Self {
                    // SAFETY: as above.
                    unsafe { Self($xor($swap(self.0), Self::pairs(-0.0, 0.0).0)) }
                }

                #[inline(always)]
                unsafe fn sum_of_pairs(self) -> [Self::Element; 2] {
                    let $v = self.0;
                    // SAFETY: as above.
                    unsafe { $sum }
                }
            }
        };
    }

    interleaved!(F32x16: _mm512_unpacklo_ps, _mm512_moveldup_ps, _mm512_movehdup_ps,
    _mm512_permute_ps::<0xb1>, _mm512_xor_ps, |v| {
        F32x8(_mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps::<1>(v))).sum_of_pairs()
    });
    interleaved!(F64x8: _mm512_unpacklo_pd, _mm512_movedup_pd, _mm512_permute_pd::<0xff>,
    _mm512_permute_pd::<0x55>, _mm512_xor_pd, |v| {
        F64x4(_mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd::<1>(v))).sum_of_pairs()
    });
    interleaved!(F32x8: _mm256_unpacklo_ps, _mm256_moveldup_ps, _mm256_movehdup_ps,
    _mm256_permute_ps::<0xb1>, _mm256_xor_ps, |v| {
        let v = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
        let v = _mm_add_ps(v, _mm_movehl_ps(v, v));
        [_mm_cvtss_f32(v), _mm_cvtss_f32(_mm_movehdup_ps(v))]
    });
    interleaved!(F64x4: _mm256_unpacklo_pd, _mm256_movedup_pd, _mm256_permute_pd::<0xf>,
    _mm256_permute_pd::<0x5>, _mm256_xor_pd, |v| {
        let v = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
        [_mm_cvtsd_f64(v), _mm_cvtsd_f64(_mm_unpackhi_pd(v, v))]
    });
}
