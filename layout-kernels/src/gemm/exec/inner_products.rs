//! Products of a matrix with a few vectors, both contiguous along K, as inner products with lanes
//! along K. Register tiles would leave most lanes unused, or wait until an operand is transposed.

use core::ops::Range;

use crate::gemm::exec::arguments::Finished;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::kernel::inner_product::{Column, Columns, ROWS};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::unblocked::pieces;
use crate::gemm::problem::strided::Strided;
use crate::par::{Par, part_start};

/// A product computed as inner products.
pub(crate) struct Products<'a> {
    pub(crate) strided: &'a Strided,
    pub(crate) matrices: &'a Matrices<'a>,
    pub(crate) kernels: &'a Kernels,
    /// Whether this is the transposed product `C^T = B^T * A^T`.
    pub(crate) transposed: bool,
}

impl Products<'_> {
    /// Computes all inner products.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run), for a product planned as inner products.
    pub(crate) unsafe fn run(&self, par: Par) {
        let m = self.strided.m;
        // Groups of rows are not split, so each sum is the same for any number of threads.
        let groups = m.div_ceil(ROWS[0]);
        let pieces = pieces(self.strided, par.threads()).min(groups);
        if pieces == 1 {
            // SAFETY: guaranteed by the caller.
            return unsafe { self.rows(0..m) };
        }
        par.for_each(pieces, |i| {
            let start = |i| (part_start(groups, i, pieces) * ROWS[0]).min(m);
            // SAFETY: guaranteed by the caller; pieces have different rows.
            unsafe { self.rows(start(i)..start(i + 1)) };
        });
    }

    /// Computes a range of rows of C.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    unsafe fn rows(&self, rows: Range<usize>) {
        let Strided { n, k, am, bn, cm, cn, .. } = *self.strided;
        let Matrices { scale, a, b, c, finish, .. } = *self.matrices;
        let Shapes { element, sum, .. } = self.kernels.shapes;
        let mut row = rows.start;
        for (together, inner_products) in ROWS.into_iter().zip(self.kernels.inner_products) {
            let left = rows.end - row;
            if left < together {
                continue;
            }
            let columns = Columns {
                first: Column {
                    k,
                    a: a.wrapping_add(row * am * element),
                    a_row: am * element,
                    b,
                    c: c.wrapping_add(row * cm * sum),
                    c_row: cm * sum,
                },
                rows: left & together.wrapping_neg(),
                columns: n,
                b_column: bn * element,
                c_column: cn * sum,
            };
            row += columns.rows;
            // SAFETY: the pointers and strides are those of the rows, the columns and their elements
            // of C. Both operands are contiguous along K.
            unsafe { inner_products(&columns, scale) };
        }
        let Some(finish) = finish else { return };
        let ((rows, row), (columns, column)) = match self.transposed {
            false => ((rows, cm), (0..n, cn)),
            true => ((0..n, cn), (rows, cm)),
        };
        finish(&Finished {
            c,
            coordinate: &|m, n| (m, n),
            columns_contiguous: column == 1 || columns.len() == 1,
            rows_contiguous: row == 1,
            rows,
            columns,
            row: &|i| i * row,
            column: &|i| i * column,
        });
    }
}
