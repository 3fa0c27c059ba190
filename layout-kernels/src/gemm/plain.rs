//! A product as three loops, for what no other kernel takes.

use crate::gemm::float::Float;
use crate::gemm::modes::Modes;
use crate::gemm::place::read;
use crate::gemm::tile::Scale;

/// `C = alpha * A * B + beta * C`, one element of C after the other.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the modes;
/// nothing else accesses C meanwhile.
pub(crate) unsafe fn run<T: Float>(
    modes: &Modes,
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    // With `alpha = 0` neither A nor B is read, so that nothing in them makes a NaN.
    let depth = if scale.alpha == T::ZERO { 0 } else { modes.k };
    for n in 0..modes.n {
        for m in 0..modes.m {
            let mut sum = T::ZERO;
            for k in 0..depth {
                let i = modes.am.offset(m) + modes.ak.offset(k);
                let j = modes.bk.offset(k) + modes.bn.offset(n);
                // SAFETY: an offset of A.
                let x = unsafe { read(a, i) };
                // SAFETY: an offset of B.
                let y = unsafe { read(b, j) };
                sum = sum + x * y;
            }
            // SAFETY: an offset of C.
            let place = unsafe { c.add(modes.cm.offset(m) + modes.cn.offset(n)) };
            // SAFETY: as above.
            unsafe { scale.store(sum, place) };
        }
    }
}
