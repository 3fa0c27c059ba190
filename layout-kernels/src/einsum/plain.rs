//! Many tiny products: plain loops, for a call of `gemm` takes longer than a few multiplications.

use layout_core::engine::{DynLayout, MAX_LEAVES};

use crate::einsum::epilogue::EinsumEpilogue;
use crate::einsum::plan::Plan;
use crate::einsum::run::{Contraction, Elements};
use crate::gemm::{Multiply, Sum};

/// Products with at most so many multiplications are made here, where there are several. A call of
/// `gemm` takes about as long as twice as many.
const MOST: usize = 32;

/// The offsets of the multiplications of one product, those of each element of C side by side.
pub(super) struct Tiny {
    /// In A and in B.
    factors: [[usize; 2]; MOST],
    /// In C.
    elements: [usize; MOST],
    rows: usize,
    size: usize,
    sums: usize,
}

impl Tiny {
    /// Nothing, unless the products of the plan are tiny and there are several.
    pub(super) fn new(plan: &Plan) -> Option<Self> {
        let [a, b, c] = &plan.layouts;
        let ((rows, sums), (_, columns)) = (sizes(a), sizes(b));
        let work = rows.checked_mul(columns)?.checked_mul(sums)?;
        if plan.batches < 2 || work > MOST {
            return None;
        }
        let mut tiny =
            Self { factors: [[0; 2]; MOST], elements: [0; MOST], rows, size: rows * columns, sums };
        // Without products there may be more elements than that.
        if tiny.size > MOST {
            return None;
        }
        for element in 0..tiny.size {
            let (m, n) = (element % rows, element / rows);
            tiny.elements[element] = c.offset_of_index(element);
            for k in 0..sums {
                tiny.factors[element * sums + k] =
                    [a.offset_of_index(m + k * rows), b.offset_of_index(k + n * sums)];
            }
        }
        Some(tiny)
    }

    /// Makes all products.
    pub(super) fn run<X, Y, F>(
        &self,
        contraction: &Contraction<'_, X::Sum, F>,
        elements: &mut Elements<'_, X, Y, X::Sum>,
        beta: X::Sum,
        last: bool,
        start: &[usize; MAX_LEAVES],
    ) where
        X: Multiply<Y>,
        Y: Copy,
        F: EinsumEpilogue<X::Sum>,
    {
        let Contraction { plan, subscripts, alpha, then, .. } = contraction;
        let (extent, strides, mode, step) = plan.fastest_of_batch();
        let reads = *alpha != X::Sum::ZERO;
        for outer in 0..plan.batches / extent {
            let mut at = *start;
            let mut offsets = plan.offsets(outer * extent, &mut at);
            for _ in 0..extent {
                let Elements { a, b, c } = elements.from(offsets);
                for element in 0..self.size {
                    let mut sum = X::Sum::ZERO;
                    let factors = &self.factors[element * self.sums..][..self.sums];
                    for &[x, y] in factors.iter().take(if reads { self.sums } else { 0 }) {
                        sum = X::times(a[x], b[y]).times_plus(X::Sum::ONE, sum);
                    }
                    let c = &mut c[self.elements[element]];
                    let old = match beta == X::Sum::ZERO {
                        true => X::Sum::ZERO,
                        false => c.times_plus(beta, X::Sum::ZERO),
                    };
                    let new = sum.times_plus(*alpha, old);
                    *c = if F::KEEPS || !last {
                        new
                    } else {
                        let mut at = at;
                        plan.coordinate((element % self.rows, element / self.rows), &mut at);
                        then.call(new, &at[..subscripts.len(2)])
                    };
                }
                for (offset, stride) in offsets.iter_mut().zip(strides) {
                    *offset += stride;
                }
                at[mode] += step;
            }
        }
    }
}

/// The sizes of the modes of a matrix.
fn sizes(matrix: &DynLayout) -> (usize, usize) {
    (matrix.mode(0).size(), matrix.mode(1).size())
}
