//! `Arguments`: a product of dynamic layouts, or a batch of them, and the callback for finished parts
//! of C.

use core::ops::Range;

use crate::gemm::float::sealed::Sum;
use crate::gemm::plan::grid;
use crate::gemm::problem::loops::{Axis, Reordered, given_coordinate};
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::{Loop, Problem};
use crate::gemm::scale::{AnyScale, Scale};
use crate::list::List;
use crate::par::{Par, are_busy};

/// Callback for finished parts of C.
pub(crate) type Finish<'a> = &'a (dyn Fn(&Finished<'_>) + Sync);

/// Callback for finished parts of C in a batch; the first argument is the index of the product.
pub(crate) type FinishOf<'a> = &'a (dyn Fn(usize, &Finished<'_>) + Sync);

/// A batch of products: layouts with matching shapes, and pointers to the first elements. There is one
/// product for each coordinate of the batch loops, fastest loop first.
///
/// Only kernels know the element types, so all other code is compiled once.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a> {
    pub(crate) layouts: [MatrixLayout<'a>; 3],
    /// The extents along M, N and K.
    pub(crate) extents: [usize; 3],
    pub(crate) batch: &'a [Loop],
    pub(crate) scale: AnyScale<'a>,
    /// Whether `alpha` is not 0, and whether `beta` is not.
    pub(crate) multiplies: bool,
    pub(crate) reads_c: bool,
    /// Sizes in bytes of the elements of A, B and C.
    pub(crate) sizes: [usize; 3],
    pub(crate) a: *const u8,
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    pub(crate) par: Par,
    /// Called with each finished part of C, possibly from several threads.
    pub(crate) finish: Option<FinishOf<'a>>,
}

// SAFETY: elements are numbers. A and B are only read, and the products of a batch write disjoint
// parts of C.
unsafe impl Sync for Arguments<'_> {}

impl<'a> Arguments<'a> {
    /// One product on one thread, without a callback.
    #[inline(always)]
    pub(crate) fn new<X, Y, T: Sum>(
        layouts: [MatrixLayout<'a>; 3],
        extents: [usize; 3],
        scale: &'a Scale<T>,
        (a, b, c): (*const X, *const Y, *mut T),
    ) -> Self {
        Self {
            layouts,
            extents,
            batch: &[],
            scale: scale.any(),
            multiplies: scale.alpha != T::ZERO,
            reads_c: scale.reads(),
            sizes: [size_of::<X>(), size_of::<Y>(), size_of::<T>()],
            a: a.cast(),
            b: b.cast(),
            c: c.cast(),
            par: Par::Sequential,
            finish: None,
        }
    }

    /// What a plan depends on.
    pub(crate) fn problem(&self) -> Problem<'a> {
        let &Self { layouts, extents, batch, reads_c, a, b, .. } = self;
        Problem {
            layouts,
            extents,
            batch,
            products: self.products(),
            starts: [a.addr(), b.addr()],
            threads: [self.threads(), self.sharing()[1].threads()],
            reads_c,
        }
    }

    /// Whether there is something to add to C: `alpha` is not 0, and no extent is 0, batch included.
    pub(crate) fn adds(&self) -> bool {
        self.multiplies && !self.extents.contains(&0) && self.products() > 0
    }

    /// Number of threads worth starting.
    #[inline]
    pub(crate) fn threads(&self) -> usize {
        let work = self.extents.into_iter().fold(self.products(), usize::saturating_mul);
        grid::pieces(work, self.par.threads())
    }

    /// Threads for the batch, and threads for each product. They share a product if there are fewer
    /// products than threads, or if threads would be idle otherwise, and products are large. (f32, 3
    /// products of 200x200x200 on two threads: 155 GFLOP/s divided, 198 shared.)
    pub(crate) fn sharing(&self) -> [Par; 2] {
        let (products, threads) = (self.products(), self.threads());
        let work = self.extents.into_iter().fold(1, usize::saturating_mul);
        let is_small = grid::pieces(work / 2, threads) < threads;
        match products >= threads && (is_small || are_busy(threads, products)) {
            true => [self.par, Par::Sequential],
            false => [Par::Sequential, self.par],
        }
    }

    /// Number of products in the batch.
    #[inline]
    pub(crate) fn products(&self) -> usize {
        self.batch.iter().map(|&(extent, _)| extent).product()
    }

    /// The elements of A, B and C at these offsets.
    #[inline(always)]
    pub(crate) fn at(&self, offsets: [usize; 3]) -> (*const u8, *const u8, *mut u8) {
        let [a, b, c] = offsets;
        let [size_of_a, size_of_b, size_of_c] = self.sizes;
        // Offsets of elements, unless an operand is empty: hence `wrapping_add`.
        (
            self.a.wrapping_add(a * size_of_a),
            self.b.wrapping_add(b * size_of_b),
            self.c.wrapping_add(c * size_of_c),
        )
    }

    /// The first elements of A, B and C of one product.
    // Inlined, so that static batches have constant strides.
    #[inline(always)]
    pub(crate) fn of_product(&self, mut index: usize) -> (*const u8, *const u8, *mut u8) {
        let mut offsets = [0; 3];
        for &(extent, strides) in self.batch {
            for (offset, stride) in offsets.iter_mut().zip(strides) {
                *offset += index % extent * stride;
            }
            index /= extent;
        }
        self.at(offsets)
    }
}

/// A part of C whose sums are complete.
pub struct Finished<'a> {
    /// Base of the element offsets.
    pub(crate) c: *mut u8,
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    /// Offset of a row, and of a column, in elements, and its coordinate in C.
    pub(crate) row: &'a dyn Fn(usize) -> (usize, usize),
    pub(crate) column: &'a dyn Fn(usize) -> (usize, usize),
    /// Whether the columns, or the rows, are contiguous in memory and have consecutive coordinates.
    pub(crate) columns_contiguous: bool,
    pub(crate) rows_contiguous: bool,
}

impl<'a> Finished<'a> {
    /// Replaces each element `x` of `C(m, n)` by `f(x, (m, n))`. If `inlined`, that is part of the caller.
    ///
    /// # Safety
    ///
    /// Same as [`for_each_run`](Self::for_each_run), for elements of type `T`.
    #[inline(always)]
    pub(crate) unsafe fn map<T: Copy>(&self, f: &impl Fn(T, (usize, usize)) -> T, inlined: bool) {
        let replace = |run: *mut u8, length, at, along| {
            // SAFETY: the run is `length` contiguous elements of C, which the caller makes accessible.
            let run = unsafe { core::slice::from_raw_parts_mut(run.cast::<T>(), length) };
            match inlined {
                true => map_run(run, at, along, f),
                false => map_run_apart(run, at, along, f),
            }
        };
        // SAFETY: guaranteed by the caller.
        unsafe { self.for_each_run(size_of::<T>(), replace) };
    }

    /// Calls `f` for each contiguous run of C: with its first element, the number of its elements, the
    /// coordinate of the first one, and the direction of the run.
    ///
    /// # Safety
    ///
    /// The elements of C have `size` bytes. C is valid for reads and writes at each row offset plus each
    /// column offset, and nothing else accesses it during the call.
    #[inline(always)]
    pub(crate) unsafe fn for_each_run(
        &self,
        size: usize,
        mut f: impl FnMut(*mut u8, usize, (usize, usize), Along),
    ) {
        let Self { rows, columns, row, column, .. } = self;
        let mut run = |offset: usize, len, at, along| {
            f(self.c.wrapping_add(offset * size), len, at, along);
        };
        if self.columns_contiguous {
            let (first, n) = column(columns.start);
            for i in rows.clone() {
                let (offset, m) = row(i);
                run(offset + first, columns.len(), (m, n), Along::Columns);
            }
        } else {
            let len = if self.rows_contiguous { rows.len() } else { 1 };
            for j in columns.clone() {
                let (first, n) = column(j);
                for i in rows.clone().step_by(len.max(1)) {
                    let (offset, m) = row(i);
                    run(offset + first, len, (m, n), Along::Rows);
                }
            }
        }
    }

    /// Calls `f` with this part of a reordered product, with coordinates of the given layouts.
    pub(crate) fn with_given_coordinates(
        &self,
        reordered: &Reordered,
        f: impl FnOnce(&Finished<'_>),
    ) {
        let [m, n] = reordered.axes.each_ref().map(List::as_slice);
        let row = |i| {
            let (offset, m_of_loops) = (self.row)(i);
            (offset, given_coordinate(m, m_of_loops))
        };
        let column = |i| {
            let (offset, n_of_loops) = (self.column)(i);
            (offset, given_coordinate(n, n_of_loops))
        };
        let keep_order = |axes: &[Axis]| axes.is_sorted_by_key(|axis| axis.coordinate_stride);
        f(&Finished {
            c: self.c,
            rows: self.rows.clone(),
            columns: self.columns.clone(),
            row: &row,
            column: &column,
            columns_contiguous: self.columns_contiguous && keep_order(n),
            rows_contiguous: self.rows_contiguous && keep_order(m),
        });
    }

    /// Reports a part of a strided C, which starts at `c`: rows and columns of the transposed product, if
    /// `transposed`, and their strides.
    pub(crate) fn report(
        c: *mut u8,
        finish: Finish<'_>,
        [row, column]: [usize; 2],
        (rows, columns): (Range<usize>, Range<usize>),
        transposed: bool,
    ) {
        let part = Finished {
            c,
            row: &|i| (i * row, i),
            column: &|i| (i * column, i),
            columns_contiguous: column == 1 || columns.len() == 1,
            rows_contiguous: row == 1 || rows.len() == 1,
            rows,
            columns,
        };
        finish(&if transposed { part.transposed() } else { part });
    }

    /// The same part, with rows and columns swapped.
    pub(crate) fn transposed(self) -> Self {
        Self {
            c: self.c,
            rows: self.columns,
            columns: self.rows,
            row: self.column,
            column: self.row,
            columns_contiguous: self.rows_contiguous,
            rows_contiguous: self.columns_contiguous,
        }
    }

    /// Calls `f` with all of C, which starts at `c`.
    pub(crate) fn with_all(layout: MatrixLayout<'_>, c: *mut u8, f: impl FnOnce(&Finished<'_>)) {
        let [m, n] = Mode::both(&layout);
        f(&Finished::all([&m, &n], c, &|i| (m.offset(i), i), &|i| (n.offset(i), i)));
    }

    /// All of C, given its modes along M and N, and the offsets and coordinates along them.
    #[inline(always)]
    pub(crate) fn all(
        [m, n]: [&Mode; 2],
        c: *mut u8,
        row: &'a dyn Fn(usize) -> (usize, usize),
        column: &'a dyn Fn(usize) -> (usize, usize),
    ) -> Self {
        let linear = |mode: &Mode| mode.extents().len() == 1 && mode.offset(1) == 1;
        let (rows, columns) = (0..m.size(), 0..n.size());
        let (columns_contiguous, rows_contiguous) = (linear(n), linear(m));
        Self { c, rows, columns, row, column, columns_contiguous, rows_contiguous }
    }
}

/// Replaces each element of a run, which starts at `(m, n)`.
///
/// The last element comes first: if `f` checks an index, the compiler then knows that the others are in bounds, and
/// uses vectors.
#[inline(always)]
fn map_run<T: Copy>(
    run: &mut [T],
    (m, n): (usize, usize),
    along: Along,
    f: &impl Fn(T, (usize, usize)) -> T,
) {
    let Some((last, rest)) = run.split_last_mut() else { return };
    match along {
        Along::Columns => {
            let end = n + rest.len();
            let of_last = f(*last, (m, end));
            for (x, n) in rest.iter_mut().zip(n..end) {
                *x = f(*x, (m, n));
            }
            *last = of_last;
        }
        Along::Rows => {
            let end = m + rest.len();
            let of_last = f(*last, (end, n));
            for (x, m) in rest.iter_mut().zip(m..end) {
                *x = f(*x, (m, n));
            }
            *last = of_last;
        }
    }
}

/// [`map_run`] as a function of its own. The compiler then knows that no element is part of what `f` reads, and
/// uses vectors. (`x + bias[n]` of f32 with SSE2, `bias` a `Vec`: 0.96 ns an element without this and the last
/// element first, 0.40 with both.)
#[inline(never)]
fn map_run_apart<T: Copy>(
    run: &mut [T],
    start: (usize, usize),
    along: Along,
    f: &impl Fn(T, (usize, usize)) -> T,
) {
    map_run(run, start, along, f);
}

/// Direction of a run in C.
#[derive(Clone, Copy)]
pub(crate) enum Along {
    /// Along M: down a column.
    Rows,
    /// Along N: across a row.
    Columns,
}
