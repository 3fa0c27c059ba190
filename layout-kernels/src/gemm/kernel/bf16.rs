//! Products of `bf16`, whose sums are `f32`: pairs with AVX-512 BF16, and widened to `f32`
//! elsewhere.
//!
//! `vdpbf16ps` rounds to nearest and takes numbers too small for a normal `bf16` or `f32` as zero;
//! the widened products keep them.

use core::marker::PhantomData;

use half::bf16;

use crate::gemm::float::sealed;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::table::{Kernels, kernels, last, of_floats};
use crate::gemm::kernel::words::{Dot, Lanes};
use crate::gemm::multiply::Multiply;
use crate::simd::Level;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::vector::{Isa, isa};

/// Packed as `f32`, and otherwise as the products `D` of `f32`.
pub(crate) struct Widened<D>(PhantomData<D>);

#[inline(always)]
fn wide(elements: &[bf16]) -> f32 {
    // The same bits above 16 zeros; not `to_f32`, which makes NaNs quiet.
    elements.first().map_or(0.0, |x| f32::from_bits(u32::from(x.to_bits()) << 16))
}

impl<D: Dot<Sum = f32, Word = f32>> Dot for Widened<D> {
    type X = bf16;
    type Y = bf16;
    type Sum = f32;
    type Word = f32;
    const DEPTH: usize = 1;
    const X_IS_WORD: bool = false;
    const Y_IS_WORD: bool = false;
    type Math = D::Math;
    type PackA = Self;
    type PackB = Self;

    #[inline(always)]
    fn times(x: bf16, y: bf16) -> f32 {
        Multiply::times(x, y)
    }

    #[inline(always)]
    fn x(elements: &[bf16]) -> f32 {
        wide(elements)
    }

    #[inline(always)]
    fn y(elements: &[bf16]) -> f32 {
        wide(elements)
    }
}

/// Pairs, with AVX-512 BF16.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct Pairs;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn pair(elements: &[bf16]) -> i32 {
    let half = |i: usize| elements.get(i).map_or(0, |x| u32::from(x.to_bits()));
    (half(0) | half(1) << 16).cast_signed()
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Dot for Pairs {
    type X = bf16;
    type Y = bf16;
    type Sum = f32;
    type Word = i32;
    const DEPTH: usize = 2;
    const X_IS_WORD: bool = true;
    const Y_IS_WORD: bool = true;
    type Math = MultiplyPairs;
    type PackA = Self;
    type PackB = Self;

    #[inline(always)]
    fn times(x: bf16, y: bf16) -> f32 {
        Multiply::times(x, y)
    }

    #[inline(always)]
    fn x(elements: &[bf16]) -> i32 {
        pair(elements)
    }

    #[inline(always)]
    fn y(elements: &[bf16]) -> i32 {
        pair(elements)
    }
}

/// Products of two `bf16` in each lane.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct MultiplyPairs;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Arithmetic for MultiplyPairs {
    type Word = i32;
    type Sum = f32;
    type Words = crate::simd::integer::I32x16;
    type Sums = <isa::Avx512 as Isa<f32>>::Full;

    #[inline(always)]
    unsafe fn dot(x: Self::Words, y: Self::Words, mut sums: Self::Sums) -> Self::Sums {
        use core::arch::x86_64::{__m512bh, __m512i, _mm512_dpbf16_ps};
        use core::mem::transmute;
        // SAFETY: as required here: AVX-512 BF16. Registers are 64 bytes of any kind.
        unsafe {
            let x = transmute::<__m512i, __m512bh>(x.0);
            let y = transmute::<__m512i, __m512bh>(y.0);
            sums.0 = _mm512_dpbf16_ps(sums.0, x, y);
        }
        sums
    }
}

/// The kernels of a level for `bf16`.
pub(crate) fn kernels_of_bf16(level: Level) -> &'static Kernels<bf16, bf16, f32> {
    use sealed::Element;
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(has) if has.bf16() => {
            kernels!(avx512_bf16, Pairs: 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => of_floats!(avx512, Widened<<f32 as Element>::Dot512>, avx512),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => of_floats!(avx2, Widened<<f32 as Element>::Dot2>, avx2),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Baseline(_) => of_floats!(plain, Widened<<f32 as Element>::DotSse>, few),
        _ => of_floats!(plain, Widened<Lanes<f32, <f32 as Element>::Portable>>, few),
    }
}
