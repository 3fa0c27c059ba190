//! Products of layouts that are not all static, or that are large: which kernel makes them.

use crate::gemm::float::Float;
use crate::gemm::modes::Modes;
use crate::gemm::plain;
use crate::gemm::tile::Scale;
use crate::simd::Level;

/// `C = alpha * A * B + beta * C`.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the modes;
/// nothing else accesses C meanwhile.
pub(crate) unsafe fn run<T: Float>(
    level: Level,
    modes: &Modes,
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    // Packing needs memory. What is left has nothing to add, so that C is only scaled.
    #[cfg(feature = "std")]
    if scale.alpha != T::ZERO && modes.m > 0 && modes.n > 0 && modes.k > 0 {
        // SAFETY: the caller's promise.
        unsafe { crate::gemm::blocked::run(level, modes, scale, a, b, c) };
        return;
    }
    let _ = level;
    // SAFETY: the caller's promise.
    unsafe { plain::run(modes, scale, a, b, c) };
}
