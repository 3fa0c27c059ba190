//! Products of a matrix with a few vectors, for which register tiles would leave most lanes unused or wait
//! until an operand is packed: as inner products, if both operands are contiguous along K; as combinations
//! of the rows of B, if B is contiguous along N.

use core::ops::Range;

use crate::gemm::exec::arguments::Finished;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::kernel::batch::CACHE_LINE;
use crate::gemm::kernel::inner_product::{MAX_ROWS, RowsAndColumns};
use crate::gemm::kernel::row_combination::{self, Combination};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::short_rows::ShortRows;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::unblocked::pieces;
use crate::gemm::problem::strided::Strided;
use crate::par::{Par, part_start};
use crate::simd::cache::Caches;

/// Shorter blocks along K would read and write C too often.
const MIN_K_BLOCK: usize = 256;
/// Blocks along K have a multiple of so many elements: whole registers, of any elements.
const K_UNIT: usize = 64;

/// A product computed as inner products or as row combinations.
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
    pub(crate) unsafe fn inner_products(&self, par: Par) {
        // Groups of rows are not split, so each sum is the same for any number of threads.
        let group = MAX_ROWS;
        // SAFETY: guaranteed by the caller; pieces have different rows.
        self.for_each_piece(self.strided.m, group, par, &|rows| unsafe {
            self.rows(rows, (1, [0; 3]));
        });
    }

    /// Computes all inner products of `count` products. From one to the next, A, B and C have these strides, in
    /// bytes.
    ///
    /// # Safety
    ///
    /// Same as [`inner_products`](Self::inner_products), for each product. If there are several, nothing is called
    /// with finished parts.
    pub(crate) unsafe fn inner_products_of_batch(&self, batch: (usize, [usize; 3])) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.rows(0..self.strided.m, batch) };
    }

    /// Computes all rows of C as combinations of rows of B.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run), for a product planned as row combinations.
    pub(crate) unsafe fn row_combinations(&self, par: Par) {
        let group = CACHE_LINE / self.kernels.shapes.sum;
        // SAFETY: guaranteed by the caller; pieces have different columns.
        self.for_each_piece(self.strided.n, group, par, &|columns| unsafe {
            self.columns(columns);
        });
    }

    /// Computes all rows of C, several in a vector.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run), for a product planned as short rows.
    pub(crate) unsafe fn short_rows(&self, par: Par) {
        // SAFETY: guaranteed by the caller; pieces have different rows.
        self.for_each_piece(self.strided.m, CACHE_LINE, par, &|rows| unsafe {
            self.some_short_rows(rows);
        });
    }

    /// Divides rows or columns of C among threads, in whole groups, and calls `f` for each range.
    fn for_each_piece(
        &self,
        all: usize,
        group: usize,
        par: Par,
        f: &(dyn Fn(Range<usize>) + Sync),
    ) {
        let groups = all.div_ceil(group);
        let pieces = pieces(self.strided, par.threads()).min(groups);
        if pieces == 1 {
            return f(0..all);
        }
        let start = |i| (part_start(groups, i, pieces) * group).min(all);
        par.for_each(pieces, |i| f(start(i)..start(i + 1)));
    }

    /// Computes a range of rows of C as inner products, for each product of a batch.
    ///
    /// # Safety
    ///
    /// Same as [`inner_products_of_batch`](Self::inner_products_of_batch).
    unsafe fn rows(&self, rows: Range<usize>, (products, next): (usize, [usize; 3])) {
        let Strided { n, k, am, bn, cm, cn, .. } = *self.strided;
        let Matrices { scale, a, b, c, .. } = *self.matrices;
        let Shapes { element, sum, .. } = self.kernels.shapes;
        let bytes = rows.len().saturating_mul(k).saturating_mul(element);
        let mut all = RowsAndColumns {
            k,
            rows: rows.len(),
            columns: n,
            a: a.wrapping_add(rows.start * am * element),
            a_row: am * element,
            b,
            b_column: bn * element,
            c: c.wrapping_add(rows.start * cm * sum),
            c_row: cm * sum,
            c_column: cn * sum,
            products,
            next,
            // Query the CPU only for data that exceeds the usual L2.
            prefetches: n > 1 && bytes > Caches::DEFAULT.l2 && bytes > Caches::detect().l2,
        };
        let (Kernels { inner_tiles, with_scales, .. }, k_block) = (self.kernels, self.k_block());
        // SAFETY: the pointers and strides are those of the rows, the columns and their elements of C.
        // Both operands are contiguous along K.
        unsafe {
            match k_block >= k {
                true => inner_tiles.all(&mut all, scale),
                false => with_scales(scale, 1, &|first, later| {
                    for start in (0..k).step_by(k_block) {
                        let [a, b] = [all.a, all.b].map(|p| p.wrapping_add(start * element));
                        let mut block = RowsAndColumns { k: k_block.min(k - start), a, b, ..all };
                        inner_tiles.all(&mut block, if start == 0 { first } else { later });
                    }
                }),
            }
        }
        self.report(rows, 0..n);
    }

    /// Elements along K in a block of inner products: the columns of B are then in L2 for all rows of A.
    /// (f32 96x3000x4000: 80 GFLOP/s with all of K at a time, 92 in three blocks.)
    fn k_block(&self) -> usize {
        let Strided { n, k, .. } = *self.strided;
        let step = n.saturating_mul(self.kernels.shapes.element);
        // Query the CPU only for data that exceeds half of the usual L2.
        if n == 1 || step.saturating_mul(k) <= Caches::DEFAULT.l2 / 2 {
            return k;
        }
        let most = (Caches::detect().l2 / 2 / step).max(MIN_K_BLOCK);
        k.div_ceil(k.div_ceil(most)).next_multiple_of(K_UNIT)
    }

    /// Computes a range of columns of C as row combinations.
    ///
    /// # Safety
    ///
    /// Same as [`row_combinations`](Self::row_combinations).
    unsafe fn columns(&self, columns: Range<usize>) {
        let Strided { m, k, am, ak, bk, cm, .. } = *self.strided;
        let Matrices { scale, a, b, c, .. } = *self.matrices;
        let Shapes { element, sum, .. } = self.kernels.shapes;
        let all = Combination {
            rows: m,
            columns: columns.len(),
            k,
            a,
            a_row: am * element,
            a_step: ak * element,
            b: b.wrapping_add(columns.start * element),
            b_step: bk * element,
            c: c.wrapping_add(columns.start * sum),
            c_row: cm * sum,
        };
        let [most, few, single] = self.kernels.row_combinations;
        let combine = match m {
            1 => single,
            m if m <= row_combination::ROWS[1] => few,
            _ => most,
        };
        // SAFETY: the pointers and strides are those of the operands and of these columns of C. B and C
        // are contiguous along N, and the function has enough rows.
        unsafe { combine(&all, scale) };
        self.report(0..m, columns);
    }

    /// Computes a range of rows of C, several in a vector.
    ///
    /// # Safety
    ///
    /// Same as [`short_rows`](Self::short_rows).
    unsafe fn some_short_rows(&self, rows: Range<usize>) {
        let Strided { n, k, bk, bn, .. } = *self.strided;
        let Matrices { scale, a, b, c, .. } = *self.matrices;
        let Shapes { element, sum, .. } = self.kernels.shapes;
        let all = ShortRows {
            rows: rows.len(),
            columns: n,
            k,
            a: a.wrapping_add(rows.start * k * element),
            b,
            b_steps: [bk, bn],
            c: c.wrapping_add(rows.start * n * sum),
        };
        let kernel = self.kernels.short_rows.expect("only levels with a kernel have such plans");
        // SAFETY: guaranteed by the caller: rows of A and C are contiguous, and several fit in a vector.
        unsafe { kernel(&all, scale) };
        self.report(rows, 0..n);
    }

    /// Reports a finished part of C.
    fn report(&self, rows: Range<usize>, columns: Range<usize>) {
        let Strided { cm, cn, .. } = *self.strided;
        let Matrices { c, finish, .. } = *self.matrices;
        if let Some(finish) = finish {
            Finished::report(c, finish, [cm, cn], (rows, columns), self.transposed);
        }
    }
}
