//! A product as three loops, for what no other kernel takes.

use layout_core::engine::DynLayout;

use crate::gemm::float::sealed::Sum;
use crate::gemm::place::read;
use crate::gemm::problem::mode::Mode;
use crate::gemm::scale::Scale;

/// `C = alpha * A * B + beta * C`, one element of C after the other.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts,
/// which make a product; nothing else accesses C meanwhile.
pub(crate) unsafe fn run<X: Copy, Y: Copy, T: Sum>(
    [a_layout, b_layout, c_layout]: [&DynLayout; 3],
    scale: &Scale<T>,
    (a, b, c): (*const X, *const Y, *mut T),
    times: fn(X, Y) -> T,
) {
    let (am, ak) = (Mode::of(a_layout, 0), Mode::of(a_layout, 1));
    let (bk, bn) = (Mode::of(b_layout, 0), Mode::of(b_layout, 1));
    let (cm, cn) = (Mode::of(c_layout, 0), Mode::of(c_layout, 1));
    // With `alpha = 0` neither A nor B is read, so that nothing in them makes a NaN.
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
                sum = T::ONE.times_plus(times(x, y), sum);
            }
            // SAFETY: an offset of C.
            let place = unsafe { c.add(cm.offset(m) + cn.offset(n)) };
            // SAFETY: as above.
            unsafe { scale.store(sum, place) };
        }
    }
}
