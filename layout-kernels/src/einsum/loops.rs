//! Products without reuse: plain loops, the inner one along an axis of C.
//!
//! `ij,j->ij` multiplies each element once; a batch of 2 by 2 products does so a few times. One `gemm`
//! call for each coordinate of the batch would take longer than its multiplications.

use layout_core::engine::MAX_LEAVES;

use crate::einsum::axes::Axis;
use crate::einsum::plan::Plan;
use crate::einsum::run::{Contraction, Elements};
use crate::gemm::scale::Scale;
use crate::gemm::{Multiply, Sum};
use crate::list::{List, sort};
use crate::simd::portable::Number;

/// Products in a batch with at most this many multiplications are computed here. A `gemm` call takes
/// about as long as twice as many.
const MAX_MULTIPLICATIONS: usize = 32;

/// The same, if the inner loop is a batch axis that is contiguous in all tensors that have it: the compiler
/// uses vectors. (4x4x4, 100 products: 1.8 us, and 12 with `gemm`; 6x6x6: 4 and 14; 8x8x8: 9 and 6.)
const MAX_VECTOR_MULTIPLICATIONS: usize = 256;

/// Number of elements of C that are accumulated together.
const CHUNK: usize = 64;

/// From this extent on, the axis that is contiguous in C is the inner loop.
const MIN_INNER_EXTENT: usize = 8;

/// Whether to compute the products of a plan here.
pub(super) const fn are_faster(plan: &Plan) -> bool {
    let is_small = plan.batches > 1 && plan.multiplications() <= MAX_MULTIPLICATIONS;
    is_small || have_vectors(plan) || plan.is_elementwise()
}

/// Whether the products of a plan are computed here, with vectors along the batch.
pub(super) const fn have_vectors(plan: &Plan) -> bool {
    plan.multiplications() <= MAX_VECTOR_MULTIPLICATIONS
        && plan.has_contiguous_batch(MIN_INNER_EXTENT)
}

/// Maximum number of nested loops.
const MAX_AXES: usize = 3 * MAX_LEAVES;

/// Calls `f` with the offsets in A, B and C of each coordinate of nested loops, the fastest one first, and
/// with the coordinate.
fn for_each(axes: &[Axis], mut f: impl FnMut([usize; 3], &[usize])) {
    let (mut at, mut offsets) = (List::<usize, MAX_AXES>::new(), [0usize; 3]);
    axes.iter().for_each(|_| at.push(0));
    let at = at.as_mut_slice();
    if axes.iter().any(|axis| axis.extent == 0) {
        return;
    }
    loop {
        f(offsets, at);
        let mut i = 0;
        loop {
            let Some(axis) = axes.get(i) else { return };
            at[i] += 1;
            let back = at[i] == axis.extent;
            for (offset, stride) in offsets.iter_mut().zip(axis.strides) {
                *offset = match back {
                    false => *offset + stride,
                    true => *offset - (axis.extent - 1) * stride,
                };
            }
            if !back {
                break;
            }
            at[i] = 0;
            i += 1;
        }
    }
}

/// Computes all products of a plan, at most [`CHUNK`] elements of C at a time.
pub(super) fn run<X, Y>(
    contraction: &Contraction<'_, X::Sum>,
    elements: &mut Elements<'_, X, Y, X::Sum>,
    beta: X::Sum,
    last: bool,
    start: &[usize; MAX_LEAVES],
) where
    X: Multiply<Y>,
    Y: Copy,
{
    let Contraction { plan, alpha, then, .. } = contraction;
    let (alpha, zero) = (*alpha, X::Sum::ZERO);
    let scale = Scale::new(alpha, beta);
    let (mut outer, mut k_loops) = (List::<Axis, MAX_AXES>::new(), List::<Axis, MAX_LEAVES>::new());
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
    // With `alpha = 0`, A and B are not read, so their NaNs do not reach C.
    if alpha != zero {
        plan.axes_of_sums().for_each(|axis| k_loops.push(*axis));
    }
    let [a_stride, b_stride, c_stride] = inner.strides;
    let adds = alpha != zero;
    let Elements { a, b, c } = elements;
    for_each(outer.as_slice(), |[a_offset, b_offset, c_offset], at| {
        let mut first = 0;
        while first < inner.extent {
            let count = CHUNK.min(inner.extent - first);
            let [a_offset, b_offset] = [a_offset + first * a_stride, b_offset + first * b_stride];
            let mut sums = [zero; CHUNK];
            let sums = &mut sums[..count];
            let add = |sum: &mut X::Sum, x: X, y: Y| {
                *sum = X::multiply(x, y).plus(*sum);
            };
            if adds {
                for_each(k_loops.as_slice(), |[a_k_offset, b_k_offset, _], _| {
                    let (a, b) = (&a[a_offset + a_k_offset..], &b[b_offset + b_k_offset..]);
                    // In the first three cases the strides are constants.
                    match (a_stride, b_stride) {
                        (1, 1) => {
                            for ((sum, &x), &y) in sums.iter_mut().zip(a).zip(b) {
                                add(sum, x, y);
                            }
                        }
                        (1, 0) => {
                            let y = b[0];
                            sums.iter_mut().zip(a).for_each(|(sum, &x)| add(sum, x, y));
                        }
                        (0, 1) => {
                            let x = a[0];
                            sums.iter_mut().zip(b).for_each(|(sum, &y)| add(sum, x, y));
                        }
                        _ => {
                            for (i, sum) in sums.iter_mut().enumerate() {
                                add(sum, a[i * a_stride], b[i * b_stride]);
                            }
                        }
                    }
                });
            }
            let c_offset = c_offset + first * c_stride;
            let merge = |new: X::Sum, c: &mut X::Sum| [*c] = scale.combine([new], |_| *c);
            match c_stride {
                1 => sums.iter().zip(&mut c[c_offset..]).for_each(|(new, c)| merge(*new, c)),
                _ => {
                    for (i, new) in sums.iter().enumerate() {
                        merge(*new, &mut c[c_offset + i * c_stride]);
                    }
                }
            }
            if let Some(then) = then
                && last
            {
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
                    let from = c_offset + i * c_stride;
                    then(&mut c[from..from + length], &at_run, (mode, step));
                    at_run[mode] += step;
                }
            }
            first += count;
        }
    });
}
