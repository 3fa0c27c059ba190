//! A product as three plain loops, for products that no other kernel handles.

use layout_core::engine::DynLayout;

use crate::gemm::float::sealed::Sum;
use crate::gemm::pointer::read;
use crate::gemm::problem::mode::Mode;
use crate::gemm::scale::Scale;

/// Computes `C = alpha * A * B + beta * C`, one element of C at a time.
///
/// # Safety
///
/// Elements of A and B are valid for reads, and elements of C for reads and writes, at every offset of
/// the layouts, whose shapes match. Nothing else accesses C during the call.
pub(crate) unsafe fn run<X: Copy, Y: Copy, T: Sum>(
    [a_layout, b_layout, c_layout]: [&DynLayout; 3],
    scale: &Scale<T>,
    (a, b, c): (*const X, *const Y, *mut T),
    multiply: fn(X, Y) -> T,
) {
    let (am, ak) = (Mode::of(a_layout, 0), Mode::of(a_layout, 1));
    let (bk, bn) = (Mode::of(b_layout, 0), Mode::of(b_layout, 1));
    let (cm, cn) = (Mode::of(c_layout, 0), Mode::of(c_layout, 1));
    // With `alpha = 0`, A and B are not read, so their NaNs do not reach C.
    let depth = if scale.alpha == T::ZERO { 0 } else { ak.size() };
    for n in 0..bn.size() {
        for m in 0..am.size() {
            let mut sum = T::ZERO;
            for k in 0..depth {
                let i = am.offset(m) + ak.offset(k);
                let j = bk.offset(k) + bn.offset(n);
                // SAFETY: an offset of A.
                let x = unsafe { read(a, i) };
                // SAFETY: an offset of B.
                let y = unsafe { read(b, j) };
                sum = multiply(x, y).plus(sum);
            }
            // SAFETY: an offset of C.
            let place = unsafe { c.add(cm.offset(m) + cn.offset(n)) };
            // SAFETY: as above.
            unsafe { scale.store(sum, place) };
        }
    }
}
