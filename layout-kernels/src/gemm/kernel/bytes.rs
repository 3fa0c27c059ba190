//! The kernels of bytes, with `i32` accumulators: four bytes per instruction with AVX-512 VNNI
//! (`byte_quads`), otherwise pairs of 16-bit numbers on x86-64 (`byte_pairs`), otherwise bytes that are
//! widened to `i32`.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::gemm::kernel::byte_pairs::I16PairDot;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::gemm::kernel::byte_quads::{Signs, Vnni};
use crate::gemm::kernel::table::{Kernels, kernels, last};
use crate::gemm::kernel::widened::{MultiplyWideBytes, WidenedDot};
use crate::gemm::kernel::words::{Dot, Operand};
use crate::simd::Level;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::simd::integer::{I32x4, I32x8};
use crate::simd::widen::Narrow;

/// `u8` or `i8`.
pub(crate) trait Byte: Narrow<Wide = i32> {
    const SIGNED: bool;
}

impl Byte for u8 {
    const SIGNED: bool = false;
}

impl Byte for i8 {
    const SIGNED: bool = true;
}

/// The kernels of bytes at a level. At least one operand is signed.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) fn bytes<X: Signs<Y>, Y: Byte>(level: Level) -> &'static Kernels {
    match level {
        Level::Avx512(has) if has.vnni() => {
            kernels!(avx512_vnni, Vnni<X, Y>: 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8)
        }
        // Few CPUs have AVX-512 without VNNI: not worth separate tiles.
        Level::Avx512(_) | Level::Avx2(_) => {
            kernels!(avx2, I16PairDot<X, Y, I32x8>: 1 2 3 4 5 to 6, 1 2 3 4 5 to 6)
        }
        Level::Baseline(_) => {
            kernels!(plain, I16PairDot<X, Y, I32x4>: 1 2 3 to 4, 1 2 3 to 4)
        }
        _ => portable::<X, Y>(),
    }
}

/// The kernels of bytes at a level. At least one operand is signed.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) fn bytes<X: Byte, Y: Byte>(level: Level) -> &'static Kernels {
    match level {
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        Level::Neon(_) => {
            use crate::gemm::kernel::arithmetic::Fma;
            use crate::simd::neon::I32x4;
            kernels!(plain, WidenedDot<X, Y, Fma<I32x4>>: 1 2 3 4 5 6 7 to 8, 1 2 3 4 5 6 7 to 8)
        }
        _ => portable::<X, Y>(),
    }
}

/// The kernels with arrays as registers.
fn portable<X: Byte, Y: Byte>() -> &'static Kernels {
    kernels!(plain, WidenedDot<X, Y, MultiplyWideBytes>: 1 2 3 to 4, 1 2 3 to 4)
}
