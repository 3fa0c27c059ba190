//! Products of `bf16`, whose sums are `f32`: pairs with AVX-512 BF16, and widened to `f32`
//! elsewhere.
//!
//! `vdpbf16ps` rounds to nearest and takes numbers too small for a normal `bf16` or `f32` as zero;
//! the widened products keep them.

use core::marker::PhantomData;

use half::bf16;

use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::kernel::table::{Kernels, kernels, last, of_floats};
use crate::gemm::kernel::words::{Dot, Operand};
use crate::gemm::multiply::Multiply;
use crate::simd::Level;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::integer::I32x16;
use crate::simd::vector::{Isa, Vector, isa};

/// Widened to `f32`.
pub(crate) struct AsFloats;

impl Operand for AsFloats {
    type Element = bf16;
    type Word = f32;
    const DEPTH: usize = 1;
    const IS_WORD: bool = false;

    #[inline(always)]
    fn word(elements: &[bf16]) -> f32 {
        // The same bits above 16 zeros; not `to_f32`, which makes NaNs quiet.
        elements.first().map_or(0.0, |x| f32::from_bits(u32::from(x.to_bits()) << 16))
    }
}

/// Products of what is widened, in the registers `V`.
pub(crate) struct Widened<V>(PhantomData<V>);

impl<V: Vector<Element = f32>> Dot for Widened<V> {
    type Sum = f32;
    type A = AsFloats;
    type B = AsFloats;
    type Math = Fma<V>;

    #[inline(always)]
    fn times(x: bf16, y: bf16) -> f32 {
        Multiply::times(x, y)
    }
}

/// Pairs, with AVX-512 BF16.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct Pairs;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Operand for Pairs {
    type Element = bf16;
    type Word = i32;
    const DEPTH: usize = 2;
    const IS_WORD: bool = true;

    #[inline(always)]
    fn word(elements: &[bf16]) -> i32 {
        let half = |i: usize| elements.get(i).map_or(0, |x| u32::from(x.to_bits()));
        (half(0) | half(1) << 16).cast_signed()
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Dot for Pairs {
    type Sum = f32;
    type A = Self;
    type B = Self;
    type Math = MultiplyPairs;

    #[inline(always)]
    fn times(x: bf16, y: bf16) -> f32 {
        Multiply::times(x, y)
    }
}

/// Products of two `bf16` in each lane.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct MultiplyPairs;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Arithmetic for MultiplyPairs {
    type Word = i32;
    type Sum = f32;
    type Words = I32x16;
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
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(has) if has.bf16() => {
            kernels!(avx512_bf16, Pairs: 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8)
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => of_floats!(avx512, Widened<<isa::Avx512 as Isa<f32>>::Full>, avx512),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => of_floats!(avx2, Widened<<isa::Avx2 as Isa<f32>>::Full>, avx2),
        _ => of_floats!(plain, Widened<<isa::Portable as Isa<f32>>::Full>, few),
    }
}
