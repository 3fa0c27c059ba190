//! A line of C as plain loops: for contractions that multiply each element once, and for batches of tiny
//! products.

use layout_core::engine::MAX_LEAVES;

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::multiply::Multiply;
use crate::gemm::problem::{Loop, for_each_iteration};
use crate::gemm::scale::{AnyScale, Kind, Scale};
use crate::simd::portable::Number;

/// Elements of C along a line, each of them a sum of products along K.
pub(crate) struct Line<'a> {
    /// The first element in A, B and C.
    pub(crate) a: *const u8,
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    /// Strides of the line in A, B and C.
    pub(crate) strides: [usize; 3],
    /// Number of elements of C.
    pub(crate) count: usize,
    /// The loops along K. `None` if A and B are not read.
    pub(crate) k: Option<&'a [Loop]>,
}

/// Computes a line of C.
pub(crate) type LineKernel = unsafe fn(&Line<'_>, AnyScale<'_>);

/// Number of elements of a line that are accumulated together.
const CHUNK: usize = 64;

/// [`LineKernel`] for elements `X`, `Y` and their sums.
///
/// # Safety
///
/// Elements of A and B are valid for reads at each iteration of the line and of the loops along K, and
/// elements of C for reads and writes along the line. Nothing else accesses C during the call. The
/// elements and the scale have these types.
pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy>(all: &Line<'_>, scale: AnyScale<'_>) {
    // In the first three cases the strides are constants, so compilers use vectors.
    // SAFETY: guaranteed by the caller.
    unsafe {
        match all.strides {
            [1, 1, _] => with_strides::<X, Y>(all, scale, 1, 1),
            [1, 0, _] => with_strides::<X, Y>(all, scale, 1, 0),
            [0, 1, _] => with_strides::<X, Y>(all, scale, 0, 1),
            [a_stride, b_stride, _] => with_strides::<X, Y>(all, scale, a_stride, b_stride),
        }
    }
}

/// [`run`] with these strides of A and B.
///
/// # Safety
///
/// Same as [`run`].
#[inline(always)]
unsafe fn with_strides<X: Multiply<Y>, Y: Copy>(
    all: &Line<'_>,
    scale: AnyScale<'_>,
    a_stride: usize,
    b_stride: usize,
) {
    let (a, b, c) = (all.a.cast::<X>(), all.b.cast::<Y>(), all.c.cast::<X::Sum>());
    let c_stride = all.strides[2];
    // A copy, which no store to C can change. SAFETY: guaranteed by the caller.
    let scale = unsafe { *scale.of::<X::Sum>() };
    let product = |a_offset: usize, b_offset: usize, i: usize| {
        let x = a.wrapping_add(a_offset + i * a_stride);
        let y = b.wrapping_add(b_offset + i * b_stride);
        // SAFETY: guaranteed by the caller.
        unsafe { X::multiply(*x, *y) }
    };
    let store = |scale: &Scale<X::Sum>, i: usize, sum| {
        // SAFETY: guaranteed by the caller.
        unsafe { scale.store(sum, c.wrapping_add(i * c_stride)) };
    };
    // Without loops along K, each sum is a product. In the first case the scale is a constant.
    if let Some([]) = all.k {
        match scale.kind {
            Kind::Assign => {
                for i in 0..all.count {
                    store(X::Sum::ASSIGN, i, product(0, 0, i).plus(X::Sum::ZERO));
                }
            }
            _ => {
                for i in 0..all.count {
                    store(&scale, i, product(0, 0, i).plus(X::Sum::ZERO));
                }
            }
        }
        return;
    }
    for first in (0..all.count).step_by(CHUNK) {
        let mut sums = [X::Sum::ZERO; CHUNK];
        let count = CHUNK.min(all.count - first);
        if let Some(k) = all.k {
            for_each_iteration::<MAX_LEAVES>(k, |[a_offset, b_offset, _], _| {
                for (i, sum) in sums[..count].iter_mut().enumerate() {
                    *sum = product(a_offset, b_offset, first + i).plus(*sum);
                }
            });
        }
        for (i, sum) in sums[..count].iter().enumerate() {
            store(&scale, first + i, *sum);
        }
    }
}
