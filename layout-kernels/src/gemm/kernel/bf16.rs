//! Products of `bf16` and `f16` with `f32` accumulators: pairs of `bf16` with AVX-512 BF16,
//! otherwise elements widened to `f32`.
//!
//! `vdpbf16ps` rounds to nearest and treats subnormal `bf16` and `f32` as zero; the widened
//! products keep subnormals.

use core::marker::PhantomData;

use half::{bf16, f16};

use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::kernel::table::{Kernels, kernels, last, of_floats};
use crate::gemm::kernel::words::{Dot, Operand};
use crate::gemm::multiply::Multiply;
use crate::gemm::pointer::{read, write};
use crate::simd::Level;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::integer::I32x16;
use crate::simd::vector::{Isa, Vector, isa};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::x86::mask16;

/// A 16-bit float whose values are all `f32` values.
pub(crate) trait Narrow: Multiply<Sum = f32> {
    /// The same value; a NaN stays a NaN.
    fn widen(self) -> f32;

    /// Widens `n` numbers, if the level of the registers `V` has an instruction for it. Returns
    /// whether it did.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `V`. `_n` numbers must be valid for reads at `_from`,
    /// and for writes at `_to`.
    #[inline(always)]
    unsafe fn widen_vectorised<V: Vector<Element = f32>>(
        _from: *const Self,
        _to: *mut f32,
        _n: usize,
    ) -> bool {
        false
    }
}

impl Narrow for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        // The bits above 16 zeros. Not `to_f32`, which makes NaNs quiet.
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
}

impl Narrow for f16 {
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

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline(always)]
    unsafe fn widen_vectorised<V: Vector<Element = f32>>(
        from: *const Self,
        to: *mut f32,
        n: usize,
    ) -> bool {
        use core::arch::x86_64::{
            _mm256_loadu_epi16, _mm256_maskz_loadu_epi16, _mm512_cvtph_ps, _mm512_mask_storeu_ps,
            _mm512_storeu_ps,
        };
        // Registers of 16 `f32` are those of AVX-512.
        if const { V::LANES != 16 } {
            return false;
        }
        // SAFETY: guaranteed by the caller: AVX-512, and the numbers of whole registers and of the mask.
        unsafe {
            let whole = n & !15;
            for i in (0..whole).step_by(16) {
                let halves = _mm256_loadu_epi16(from.add(i).cast());
                _mm512_storeu_ps(to.add(i), _mm512_cvtph_ps(halves));
            }
            if whole < n {
                let mask = mask16(n - whole);
                let halves = _mm256_maskz_loadu_epi16(mask, from.add(whole).cast());
                _mm512_mask_storeu_ps(to.add(whole), mask, _mm512_cvtph_ps(halves));
            }
        }
        true
    }
}

/// Operand elements widened to `f32`, with registers `V`.
pub(crate) struct AsFloats<E, V>(PhantomData<(E, V)>);

impl<E: Narrow, V: Vector<Element = f32>> Operand for AsFloats<E, V> {
    type Element = E;
    type Part = f32;
    type Words = V;
    const IS_WORD: bool = false;

    #[inline(always)]
    fn part(element: E) -> f32 {
        element.widen()
    }

    #[inline(always)]
    unsafe fn convert(from: *const E, to: *mut f32, n: usize) {
        // SAFETY: guaranteed by the caller.
        if unsafe { E::widen_vectorised::<V>(from, to, n) } {
            return;
        }
        for i in 0..n {
            // SAFETY: guaranteed by the caller.
            unsafe { write(to, i, read(from, i).widen()) };
        }
    }
}

/// Products of widened elements in the registers `V`.
pub(crate) struct WidenedFloats<E, V>(PhantomData<(E, V)>);

impl<E: Narrow, V: Vector<Element = f32>> Dot for WidenedFloats<E, V> {
    type Sum = f32;
    type A = AsFloats<E, V>;
    type B = AsFloats<E, V>;
    type Math = Fma<V>;
    type Inner = Self;
}

/// Words of two `bf16`, for AVX-512 BF16.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct Bf16Pairs;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Operand for Bf16Pairs {
    type Element = bf16;
    type Part = bf16;
    type Words = I32x16;
    const IS_WORD: bool = true;

    #[inline(always)]
    fn part(element: bf16) -> bf16 {
        element
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Dot for Bf16Pairs {
    type Sum = f32;
    type A = Self;
    type B = Self;
    type Math = MultiplyBf16Pairs;
    type Inner = Self;
}

/// Products of two `bf16` in each lane.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct MultiplyBf16Pairs;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Arithmetic for MultiplyBf16Pairs {
    type Word = i32;
    type Sum = f32;
    type Words = I32x16;
    type Sums = <isa::Avx512 as Isa<f32>>::Full;

    #[inline(always)]
    unsafe fn dot(x: Self::Words, y: Self::Words, mut sums: Self::Sums) -> Self::Sums {
        use core::arch::x86_64::{__m512bh, __m512i, _mm512_dpbf16_ps};
        use core::mem::transmute;
        // SAFETY: guaranteed by the caller: AVX-512 BF16. The register types are all 64 bytes of
        // plain data.
        unsafe {
            let x = transmute::<__m512i, __m512bh>(x.0);
            let y = transmute::<__m512i, __m512bh>(y.0);
            sums.0 = _mm512_dpbf16_ps(sums.0, x, y);
        }
        sums
    }
}

/// The kernels of `bf16` at a level.
pub(crate) fn kernels_of_bf16(level: Level) -> &'static Kernels {
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(has) if has.bf16() => {
            kernels!(avx512_bf16, Bf16Pairs: 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => {
            of_floats!(avx512, WidenedFloats<bf16, <isa::Avx512 as Isa<f32>>::Full>, avx512)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => {
            of_floats!(avx2, WidenedFloats<bf16, <isa::Avx2 as Isa<f32>>::Full>, avx2)
        }
        _ => of_floats!(plain, WidenedFloats<bf16, <isa::Portable as Isa<f32>>::Full>, few),
    }
}

/// The kernels of `f16` at a level.
pub(crate) fn kernels_of_f16(level: Level) -> &'static Kernels {
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => {
            of_floats!(avx512, WidenedFloats<f16, <isa::Avx512 as Isa<f32>>::Full>, avx512)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => of_floats!(avx2, WidenedFloats<f16, <isa::Avx2 as Isa<f32>>::Full>, avx2),
        _ => of_floats!(plain, WidenedFloats<f16, <isa::Portable as Isa<f32>>::Full>, few),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_f16_are_the_same_number() {
        for bits in 0..=u16::MAX {
            let (x, own) = (f16::from_bits(bits).to_f32(), f16::from_bits(bits).widen());
            assert!(x.to_bits() == own.to_bits() || x.is_nan() && own.is_nan(), "{bits:#x}");
        }
    }
}
