//! Products as plain loops: for tiny products, for those that no other kernel handles, and for
//! contractions that multiply each element once.

use layout_core::engine::MAX_LEAVES;

use crate::gemm::exec::arguments::Finished;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::float::sealed::Sum as _;
use crate::gemm::multiply::Multiply;
use crate::gemm::problem::Loop;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::{AnyScale, Kind, Scale};
use crate::list::List;
use crate::simd::portable::Number;

/// Computes `C = alpha * A * B + beta * C` for any layouts.
///
/// # Safety
///
/// Elements of A and B are valid for reads, and elements of C for reads and writes, at every offset of
/// the layouts, whose shapes match. Nothing else accesses C during the call. The elements have these
/// types.
pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy>(
    [a_layout, b_layout, c_layout]: [MatrixLayout<'_>; 3],
    matrices: &Matrices<'_>,
) {
    let (a, b, c) = (matrices.a.cast::<X>(), matrices.b.cast::<Y>(), matrices.c.cast::<X::Sum>());
    // SAFETY: guaranteed by the caller.
    let scale = unsafe { matrices.scale.of::<X::Sum>() };
    let (am, ak) = (Mode::of(&a_layout, 0), Mode::of(&a_layout, 1));
    let (bk, bn) = (Mode::of(&b_layout, 0), Mode::of(&b_layout, 1));
    let (cm, cn) = (Mode::of(&c_layout, 0), Mode::of(&c_layout, 1));
    // With `alpha = 0`, A and B are not read, so their NaNs do not reach C.
    let depth = if scale.alpha == X::Sum::ZERO { 0 } else { ak.size() };
    let a = |m, k| a.wrapping_add(am.offset(m) + ak.offset(k));
    let b = |k, n| b.wrapping_add(bk.offset(k) + bn.offset(n));
    let c = |m, n| c.wrapping_add(cm.offset(m) + cn.offset(n));
    // SAFETY: guaranteed by the caller.
    unsafe { loops([am.size(), bn.size(), depth], scale, a, b, c) };
}

/// Computes `C = alpha * A * B + beta * C` for strided matrices, with `alpha` not 0.
///
/// # Safety
///
/// Same as [`run`]; the matrices have these types of elements.
pub(crate) unsafe fn run_strided<X: Multiply<Y>, Y: Copy>(
    strided: &Strided,
    matrices: &Matrices<'_>,
) {
    let Strided { m, n, k, am, ak, bk, bn, cm, cn } = *strided;
    let (a, b) = (matrices.a.cast::<X>(), matrices.b.cast::<Y>());
    let c = matrices.c.cast::<X::Sum>();
    // SAFETY: guaranteed by the caller.
    unsafe {
        let scale = *matrices.scale.of::<X::Sum>();
        // Not `loops`, which multiplies the strides by each coordinate. (f32, 1 to 6 a side: 1.06 times as fast;
        // f64 1.10.)
        let (mut column_of_b, mut column_of_c) = (b, c);
        for _ in 0..n {
            let (mut row_of_a, mut place) = (a, column_of_c);
            for _ in 0..m {
                let (mut x, mut y) = (row_of_a, column_of_b);
                let mut sum = X::multiply(*x, *y);
                for _ in 1..k {
                    (x, y) = (x.wrapping_add(ak), y.wrapping_add(bk));
                    sum = X::multiply(*x, *y).plus(sum);
                }
                scale.store(sum, place);
                (row_of_a, place) = (row_of_a.wrapping_add(am), place.wrapping_add(cm));
            }
            (column_of_b, column_of_c) =
                (column_of_b.wrapping_add(bn), column_of_c.wrapping_add(cn));
        }
    }
    if let Some(finish) = matrices.finish {
        let modes = [&Mode::leaf(m, cm), &Mode::leaf(n, cn)];
        finish(&Finished::all(modes, matrices.c, &|m| m * cm, &|n| n * cn));
    }
}

/// The loops over C and along K, given the addresses of elements.
///
/// # Safety
///
/// Elements of A and B are valid for reads, and elements of C for reads and writes. Nothing else
/// accesses C during the call.
#[inline(always)]
pub(crate) unsafe fn loops<X: Multiply<Y>, Y: Copy>(
    [m, n, k]: [usize; 3],
    scale: &Scale<X::Sum>,
    a: impl Fn(usize, usize) -> *const X,
    b: impl Fn(usize, usize) -> *const Y,
    c: impl Fn(usize, usize) -> *mut X::Sum,
) {
    for j in 0..n {
        for i in 0..m {
            let mut sum = X::Sum::ZERO;
            for p in 0..k {
                // SAFETY: guaranteed by the caller.
                let (x, y) = unsafe { (*a(i, p), *b(p, j)) };
                sum = X::multiply(x, y).plus(sum);
            }
            // SAFETY: guaranteed by the caller.
            unsafe { scale.store(sum, c(i, j)) };
        }
    }
}

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
pub(crate) unsafe fn line<X: Multiply<Y>, Y: Copy>(all: &Line<'_>, scale: AnyScale<'_>) {
    let (a, b, c) = (all.a.cast::<X>(), all.b.cast::<Y>(), all.c.cast::<X::Sum>());
    let [a_stride, b_stride, c_stride] = all.strides;
    // A copy, which no store to C can change. SAFETY: guaranteed by the caller.
    let scale = unsafe { *scale.of::<X::Sum>() };
    let store = |scale: &Scale<X::Sum>, i: usize, sum| {
        // SAFETY: guaranteed by the caller.
        unsafe { scale.store(sum, c.wrapping_add(i * c_stride)) };
    };
    // Without loops along K, each sum is a product. In the first case the scale is a constant.
    if let Some([]) = all.k {
        let strides = [a_stride, b_stride];
        // SAFETY: guaranteed by the caller.
        return unsafe {
            match scale.kind {
                Kind::Assign => products(all.count, strides, (a, b), |i, product: X::Sum| {
                    store(X::Sum::ASSIGN, i, product.plus(X::Sum::ZERO));
                }),
                _ => products(all.count, strides, (a, b), |i, product: X::Sum| {
                    store(&scale, i, product.plus(X::Sum::ZERO));
                }),
            }
        };
    }
    for first in (0..all.count).step_by(CHUNK) {
        let mut sums = [X::Sum::ZERO; CHUNK];
        let count = CHUNK.min(all.count - first);
        let (a, b) = (a.wrapping_add(first * a_stride), b.wrapping_add(first * b_stride));
        if let Some(k) = all.k {
            for_each_iteration::<MAX_LEAVES>(k, |[a_offset, b_offset, _], _| {
                let start = (a.wrapping_add(a_offset), b.wrapping_add(b_offset));
                // SAFETY: guaranteed by the caller.
                unsafe {
                    products(count, [a_stride, b_stride], start, |i, product: X::Sum| {
                        sums[i] = product.plus(sums[i]);
                    });
                }
            });
        }
        sums.iter().take(count).enumerate().for_each(|(i, sum)| store(&scale, first + i, *sum));
    }
}

/// Calls `f` with the index and the product of each pair of elements with these strides.
///
/// # Safety
///
/// The elements are valid for reads.
#[inline(always)]
unsafe fn products<X: Multiply<Y>, Y: Copy>(
    count: usize,
    [a_stride, b_stride]: [usize; 2],
    (a, b): (*const X, *const Y),
    mut f: impl FnMut(usize, X::Sum),
) {
    let mut each = |a_stride: usize, b_stride: usize| {
        for i in 0..count {
            // SAFETY: guaranteed by the caller.
            let (x, y) = unsafe { (*a.wrapping_add(i * a_stride), *b.wrapping_add(i * b_stride)) };
            f(i, X::multiply(x, y));
        }
    };
    // In the first three cases the strides are constants, so compilers use vectors.
    match (a_stride, b_stride) {
        (1, 1) => each(1, 1),
        (1, 0) => each(1, 0),
        (0, 1) => each(0, 1),
        _ => each(a_stride, b_stride),
    }
}

/// Calls `f` for each iteration of at most `MAX` nested loops, the fastest one first: with the offsets in
/// A, B and C, and the index of each loop.
#[inline(always)]
pub(crate) fn for_each_iteration<const MAX: usize>(
    loops: &[Loop],
    mut f: impl FnMut([usize; 3], &[usize]),
) {
    let [(inner, inner_strides), outer @ ..] = loops else { return f([0; 3], &[]) };
    if loops.iter().any(|&(extent, _)| extent == 0) {
        return;
    }
    let (mut at, mut start) = (List::<usize, MAX>::new(), [0usize; 3]);
    loops.iter().for_each(|_| at.push(0));
    let at = at.as_mut_slice();
    loop {
        let mut offsets = start;
        for i in 0..*inner {
            at[0] = i;
            f(offsets, at);
            offsets = [0, 1, 2].map(|operand| offsets[operand] + inner_strides[operand]);
        }
        let mut next = 0;
        loop {
            let Some(&(extent, strides)) = outer.get(next) else { return };
            next += 1;
            at[next] += 1;
            let back = if at[next] == extent { extent } else { 0 };
            start = [0, 1, 2]
                .map(|operand| start[operand] + strides[operand] - back * strides[operand]);
            if back == 0 {
                break;
            }
            at[next] = 0;
        }
    }
}
