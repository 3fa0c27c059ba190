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
    let (a, b, c) = (all.a.cast::<X>(), all.b.cast::<Y>(), all.c.cast::<X::Sum>());
    let [a_stride, b_stride, c_stride] = all.strides;
    // A copy, which no store to C can change. SAFETY: guaranteed by the caller.
    let scale = unsafe { *scale.of::<X::Sum>() };
    let store = |scale: &Scale<X::Sum>, i: usize, sum| {
        // SAFETY: guaranteed by the caller.
        unsafe { scale.store(sum, c.wrapping_add(i * c_stride)) };
    };
    // Here each sum is a product, and the scale is a constant.
    if let (Some([]), Kind::Assign) = (all.k, scale.kind) {
        // SAFETY: guaranteed by the caller.
        return unsafe {
            each_product((a, b), [a_stride, b_stride], all.count, |i, product| {
                store(X::Sum::ASSIGN, i, product.plus(X::Sum::ZERO));
            })
        };
    }
    for first in (0..all.count).step_by(CHUNK) {
        let mut sums = [X::Sum::ZERO; CHUNK];
        let sums = &mut sums[..CHUNK.min(all.count - first)];
        if let Some(k) = all.k {
            for_each_iteration::<MAX_LEAVES>(k, |[a_offset, b_offset, _], _| {
                let start = (
                    a.wrapping_add(a_offset + first * a_stride),
                    b.wrapping_add(b_offset + first * b_stride),
                );
                // SAFETY: guaranteed by the caller.
                unsafe {
                    each_product(start, [a_stride, b_stride], sums.len(), |i, product| {
                        sums[i] = product.plus(sums[i]);
                    });
                }
            });
        }
        for (i, sum) in sums.iter().enumerate() {
            store(&scale, first + i, *sum);
        }
    }
}

/// Calls a function with the product of each pair of elements of two lines.
///
/// # Safety
///
/// The elements are valid for reads.
#[inline(always)]
unsafe fn each_product<X: Multiply<Y>, Y: Copy>(
    start: (*const X, *const Y),
    strides: [usize; 2],
    count: usize,
    f: impl FnMut(usize, X::Sum),
) {
    // In the first three cases the strides are constants, so compilers use vectors.
    // SAFETY: guaranteed by the caller.
    unsafe {
        match strides {
            [1, 1] => with_strides(start, [1, 1], count, f),
            [1, 0] => with_strides(start, [1, 0], count, f),
            [0, 1] => with_strides(start, [0, 1], count, f),
            _ => with_strides(start, strides, count, f),
        }
    }
}

/// [`each_product`] with these strides, always inlined.
///
/// # Safety
///
/// Same as [`each_product`].
#[inline(always)]
unsafe fn with_strides<X: Multiply<Y>, Y: Copy>(
    (a, b): (*const X, *const Y),
    [a_stride, b_stride]: [usize; 2],
    count: usize,
    mut f: impl FnMut(usize, X::Sum),
) {
    for i in 0..count {
        let (x, y) = (a.wrapping_add(i * a_stride), b.wrapping_add(i * b_stride));
        // SAFETY: guaranteed by the caller.
        f(i, unsafe { X::multiply(*x, *y) });
    }
}
