//! Products of `bf16` and `f16` with `f32` accumulators: pairs of `bf16` with AVX-512 BF16,
//! otherwise elements widened to `f32`.
//!
//! `vdpbf16ps` rounds to nearest and treats subnormal `bf16` and `f32` as zero; the widened
//! products keep subnormals.

use half::{bf16, f16};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::arithmetic::Fma;
use crate::gemm::kernel::table::{Kernels, kernels, last, of_floats};
use crate::gemm::kernel::widened::WidenedDot;
use crate::gemm::kernel::words::{Dot, Operand};
use crate::simd::Level;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::integer::I32x16;
use crate::simd::vector::{Isa, isa};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::widen::Widen;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::x86::mask32;

/// The arithmetic of widened numbers at a level.
type Floats<I> = Fma<<I as Isa<f32>>::Full>;

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

    #[inline(always)]
    unsafe fn load_first(from: *const bf16, n: usize) -> I32x16 {
        use core::arch::x86_64::_mm512_maskz_loadu_epi16;
        // SAFETY: guaranteed by the caller: AVX-512.
        I32x16(unsafe { _mm512_maskz_loadu_epi16(mask32(n), from.cast()) })
    }

    #[inline(always)]
    unsafe fn load_rows(
        from: *const bf16,
        stride: usize,
        rows: usize,
        lanes: Option<usize>,
    ) -> I32x16 {
        use core::arch::x86_64::{_mm512_or_si512, _mm512_slli_epi32};
        // SAFETY: guaranteed by the caller: AVX-512. A `bf16` is 16 bits.
        unsafe {
            let row = |i: usize| from.wrapping_byte_add(i * stride).cast::<u16>();
            let mut words = I32x16::widen_up_to(row(0), lanes).0;
            if rows > 1 {
                let next = I32x16::widen_up_to(row(1), lanes).0;
                words = _mm512_or_si512(words, _mm512_slli_epi32::<16>(next));
            }
            I32x16(words)
        }
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
            of_floats!(avx512, WidenedDot<bf16, bf16, Floats<isa::Avx512>>, of 32 registers)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => {
            of_floats!(avx2, WidenedDot<bf16, bf16, Floats<isa::Avx2>>, of 16 registers)
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        Level::Neon(_) => {
            of_floats!(plain, WidenedDot<bf16, bf16, Floats<isa::Neon>>, of 32 registers)
        }
        _ => {
            of_floats!(plain, WidenedDot<bf16, bf16, Floats<isa::Portable>>, of arrays)
        }
    }
}

/// The kernels of `f16` at a level.
pub(crate) fn kernels_of_f16(level: Level) -> &'static Kernels {
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => {
            of_floats!(avx512, WidenedDot<f16, f16, Floats<isa::Avx512>>, of 32 registers)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => {
            of_floats!(avx2, WidenedDot<f16, f16, Floats<isa::Avx2>>, of 16 registers)
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        Level::Neon(_) => {
            of_floats!(plain, WidenedDot<f16, f16, Floats<isa::Neon>>, of 32 registers)
        }
        _ => of_floats!(plain, WidenedDot<f16, f16, Floats<isa::Portable>>, of arrays),
    }
}
