//! What the processor can do at most, for benches that say which share of it a kernel reaches.

use core::hint::black_box;

use crate::gemm::{Float, elements as sealed};
use crate::simd::Level;
use crate::simd::vector::{Isa, Vector};

/// Runs `turns` of independent products and sums in registers, and returns how many floating-point
/// operations these were: their time gives the most that a product of matrices can reach.
///
/// At levels without FMA each is a product, then a sum.
pub fn peak<T: Float>(level: Level, turns: usize) -> usize {
    match level {
        // SAFETY: the token proves the instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => unsafe { avx512::<T>(turns) },
        // SAFETY: the token proves the instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => unsafe { avx2::<T>(turns) },
        // SAFETY: SSE2 is part of x86-64.
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => unsafe { chains::<T, <T as sealed::Element>::Sse2>(turns) },
        // SAFETY: plain Rust needs no instructions.
        _ => unsafe { chains::<T, <T as sealed::Element>::Portable>(turns) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Float>(turns: usize) -> usize {
    // SAFETY: this function has the instructions.
    unsafe { chains::<T, <T as sealed::Element>::Avx512>(turns) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Float>(turns: usize) -> usize {
    // SAFETY: this function has the instructions.
    unsafe { chains::<T, <T as sealed::Element>::Avx2>(turns) }
}

/// # Safety
///
/// The instructions of `I` are there.
#[inline(always)]
unsafe fn chains<T: Float, I: Isa<T>>(turns: usize) -> usize {
    // More than a sum takes, and no more than registers.
    const CHAINS: usize = 12;
    // SAFETY: the caller's promise.
    let mut x = unsafe { I::Full::splat(black_box(T::ZERO)) };
    // SAFETY: the caller's promise.
    let y = unsafe { I::Full::splat(black_box(T::ONE)) };
    // Twelve variables and not an array, which would have to be unrolled first.
    let (mut a, mut b, mut c, mut d, mut e, mut f) = (x, x, x, x, x, x);
    let (mut g, mut h, mut i, mut j, mut k, mut l) = (y, y, y, y, y, y);
    for _ in 0..turns {
        macro_rules! each {
            ($($sum:ident)*) => {
                $(
                    // SAFETY: the caller's promise.
                    $sum = unsafe { $sum.mul_add(y, x) };
                )*
            };
        }
        each!(a b c d e f g h i j k l);
    }
    for sum in [a, b, c, d, e, f, g, h, i, j, k, l] {
        // SAFETY: the caller's promise.
        x = unsafe { x.add(sum) };
    }
    let mut lanes = [T::ZERO; 16];
    // SAFETY: no vector has more than 16 lanes.
    unsafe { x.store(lanes.as_mut_ptr()) };
    black_box(lanes);
    2 * CHAINS * I::Full::LANES * turns
}
