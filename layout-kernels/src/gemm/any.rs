//! Products of layouts that are not all static, or that are large: which kernel makes them.

use layout_core::engine::DynLayout;

use crate::gemm::float::Float;
use crate::gemm::modes::extent;
use crate::gemm::plain;
use crate::gemm::tile::Scale;
use crate::simd::Level;

/// `C = alpha * A * B + beta * C`.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts,
/// which make a product; nothing else accesses C meanwhile.
pub(crate) unsafe fn run<T: Float>(
    level: Level,
    layouts: [&DynLayout; 3],
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let [first, second, _] = layouts;
    let empty = extent(first, 0) == 0 || extent(first, 1) == 0 || extent(second, 1) == 0;
    // Packing needs memory. What is left has nothing to add, so that C is only scaled.
    #[cfg(feature = "std")]
    if scale.alpha != T::ZERO && !empty {
        // SAFETY: the caller's promise.
        unsafe { blocked(level, layouts, scale, a, b, c) };
        return;
    }
    let _ = (level, empty);
    // SAFETY: the caller's promise.
    unsafe { plain::run(layouts, scale, a, b, c) };
}

/// As [`run`], where there is something to add.
///
/// # Safety
///
/// As [`run`].
#[cfg(feature = "std")]
unsafe fn blocked<T: Float>(
    level: Level,
    layouts: [&DynLayout; 3],
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    use crate::gemm::blocked::run;
    use crate::gemm::blocking::Blocking;
    use crate::gemm::micro::kernels;
    use crate::gemm::operands::Operands;
    use crate::simd::cache::Caches;

    let mut table = Vec::new();
    let mut operands = Operands::new(layouts, &mut table);
    let kernels = kernels::<T>(level);
    let (mut a, mut b) = (a, b);
    if !operands.cn.has_runs(kernels.lanes, 1) && operands.cm.has_runs(kernels.lanes, 1) {
        operands = operands.transposed();
        (a, b) = (b, a);
    }
    let blocking = Blocking::new(&operands, &kernels, &Caches::detect());
    // SAFETY: the caller's promise.
    unsafe { run(&kernels, &blocking, operands, scale, a, b, c) };
}
