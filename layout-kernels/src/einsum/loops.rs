//! Products without reuse: plain loops, the inner one along an axis of C.
//!
//! `ij,j->ij` multiplies each element once; a batch of 2 by 2 products does so a few times. One `gemm`
//! call for each coordinate of the batch would take longer than its multiplications.

use layout_core::engine::MAX_LEAVES;

use crate::einsum::axes::Axis;
use crate::einsum::epilogue::ApplyToRun;
use crate::einsum::plan::Plan;
use crate::einsum::run::Contraction;
use crate::gemm::{AnyScale, Line, Loop, for_each_iteration};
use crate::list::{List, sort};

/// Products in a batch with at most this many multiplications are computed here, unless tiles read the
/// operands in place. Packing takes about as long as twice as many.
const MAX_MULTIPLICATIONS: usize = 32;

/// The same, if the inner loop is a batch axis that is contiguous in all tensors that have it: the compiler
/// uses vectors. (4x4x4, 100 products: 1.8 us, and 12 with `gemm`; 6x6x6: 4 and 14; 8x8x8: 9 and 6.)
const MAX_VECTOR_MULTIPLICATIONS: usize = 256;

/// Maximum number of elements of C to which the epilogue is applied together: they are in L1.
const PIECE: usize = 1024;

/// From this extent on, the axis that is contiguous in C is the inner loop.
const MIN_INNER_EXTENT: usize = 8;

/// Whether to compute the products of a plan here.
pub(super) const fn are_faster(plan: &Plan) -> bool {
    have_vectors(plan) || plan.is_elementwise()
}

/// Whether to compute the products of a plan here if tiles do not read the operands in place.
pub(super) const fn are_faster_than_packing(plan: &Plan) -> bool {
    plan.batches > 1 && plan.multiplications() <= MAX_MULTIPLICATIONS
}

/// Whether the products of a plan are computed here, with vectors along the batch.
pub(super) const fn have_vectors(plan: &Plan) -> bool {
    plan.multiplications() <= MAX_VECTOR_MULTIPLICATIONS
        && plan.has_contiguous_batch(MIN_INNER_EXTENT)
}

/// Maximum number of loops over C.
const MAX_AXES: usize = 3 * MAX_LEAVES;

/// Computes all products of a plan, and applies the epilogue `then`. They start at the offsets `starts`
/// in A, B and C, and at the coordinate `start` of C.
///
/// # Safety
///
/// Same as [`Contraction::run`], for these products.
pub(super) unsafe fn run(
    plan: &Plan,
    Contraction { arguments, kernels, .. }: &Contraction<'_>,
    scale: AnyScale<'_>,
    then: Option<ApplyToRun<'_>>,
    (starts, start): ([usize; 3], &[usize; MAX_LEAVES]),
) {
    let mut outer = List::<Axis, MAX_AXES>::new();
    plan.axes_of_c().for_each(|axis| outer.push(*axis));
    // The inner loop is the contiguous axis of C, unless it is short and another axis is long.
    let key = |axis: &Axis| match axis.strides[2] == 1 && axis.extent >= MIN_INNER_EXTENT {
        true => usize::MAX,
        false => axis.extent,
    };
    let fastest = outer.as_slice().iter().enumerate().max_by_key(|(_, axis)| key(axis));
    let inner = match fastest.map(|(i, _)| i) {
        Some(i) => outer.remove(i),
        None => Axis::NONE,
    };
    sort(outer.as_mut_slice(), |axis| axis.strides[2]);
    let (mut loops, mut k_loops) = (List::<Loop, MAX_AXES>::new(), List::<Loop, MAX_LEAVES>::new());
    outer.as_slice().iter().for_each(|axis| loops.push((axis.extent, axis.strides)));
    plan.axes_of_sums().for_each(|axis| k_loops.push((axis.extent, axis.strides)));
    // With `alpha = 0`, A and B are not read, so their NaNs do not reach C.
    let k = arguments.multiplies.then_some(k_loops.as_slice());
    let strides @ [.., c_stride] = inner.strides;
    for_each_iteration::<MAX_AXES>(loops.as_slice(), |offsets, at| {
        for first in (0..inner.extent).step_by(PIECE) {
            let count = PIECE.min(inner.extent - first);
            let (a, b, c) =
                arguments.at([0, 1, 2].map(|x: usize| starts[x] + offsets[x] + first * strides[x]));
            // SAFETY: guaranteed by the caller: each offset is that of a coordinate.
            unsafe { (kernels.line)(&Line { a, b, c, strides, count, k }, scale) };
            let Some(then) = then else { continue };
            let mut at_run = *start;
            for (axis, at) in outer.as_slice().iter().zip(at) {
                at_run[axis.mode] += at * axis.coordinate_stride;
            }
            // `Axis::NONE` has no mode.
            let (mode, step) =
                if inner.is_sum() { (0, 0) } else { (inner.mode, inner.coordinate_stride) };
            at_run[mode] += first * step;
            let (runs, length) = if c_stride == 1 { (1, count) } else { (count, 1) };
            for i in 0..runs {
                then(
                    c.wrapping_add(i * c_stride * arguments.sizes[2]),
                    length,
                    &at_run,
                    (mode, step),
                );
                at_run[mode] += step;
            }
        }
    });
}
