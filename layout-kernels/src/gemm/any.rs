//! Products of layouts that are not all static, or that are large: which kernel makes them.

#[cfg(feature = "std")]
use crate::gemm::blocking::Blocking;
use crate::gemm::float::Float;
#[cfg(feature = "std")]
use crate::gemm::micro::kernels;
use crate::gemm::modes::Modes;
use crate::gemm::plain;
use crate::gemm::tile::Scale;
use crate::simd::Level;
#[cfg(feature = "std")]
use crate::simd::cache::Caches;

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
        let kernels = kernels::<T>(level);
        let turned = !modes.cn.runs(kernels.lanes) && modes.cm.runs(kernels.lanes);
        let transposed;
        let (modes, a, b) = if turned {
            transposed = modes.transposed();
            (&transposed, b, a)
        } else {
            (modes, a, b)
        };
        let blocking = Blocking::new(modes, &kernels, &Caches::detect());
        // SAFETY: the caller's promise.
        unsafe { crate::gemm::blocked::run(&kernels, &blocking, modes, scale, a, b, c) };
        return;
    }
    let _ = level;
    // SAFETY: the caller's promise.
    unsafe { plain::run(modes, scale, a, b, c) };
}
