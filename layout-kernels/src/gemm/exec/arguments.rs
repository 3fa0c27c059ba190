//! `Arguments`: one product of layouts that are values, and what happens to its finished parts.

use core::ops::Range;

use layout_core::engine::DynLayout;

use crate::gemm::problem::mode::Mode;
use crate::gemm::scale::Scale;
use crate::par::Par;

/// What is called with finished parts of C.
pub(crate) type Finish<'a, T> = &'a (dyn Fn(&Finished<'_, T>) + Sync);

/// What a product needs: layouts that make one, and where their elements are.
pub struct Arguments<'a, X, Y, T> {
    pub(crate) layouts: [&'a DynLayout; 3],
    pub(crate) scale: &'a Scale<T>,
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "only blocks are cut for it"))]
    pub(crate) par: Par,
    /// Called with each finished part of C, perhaps by several threads.
    pub(crate) finish: Option<Finish<'a, T>>,
}

/// A part of C whose sums are complete.
pub struct Finished<'a, T> {
    pub(crate) c: *mut T,
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    /// The offsets of rows and of columns.
    pub(crate) row: &'a dyn Fn(usize) -> usize,
    pub(crate) column: &'a dyn Fn(usize) -> usize,
    /// Whether the columns, or else the rows, are consecutive elements.
    pub(crate) columns_run: bool,
    pub(crate) rows_run: bool,
}

impl<T: Copy> Finished<'_, T> {
    /// Replaces each element `x` of `C(m, n)` by `f(x, (m, n))`.
    ///
    /// # Safety
    ///
    /// C can be read and written at each row's offset plus each column's, and nothing else accesses
    /// it meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn each(&self, f: &impl Fn(T, (usize, usize)) -> T) {
        let Self { rows, columns, .. } = self;
        if self.columns_run {
            for m in rows.clone() {
                let first = self.c.wrapping_add((self.row)(m) + (self.column)(columns.start));
                // SAFETY: the columns of this row are consecutive.
                let run = unsafe { core::slice::from_raw_parts_mut(first, columns.len()) };
                for (x, n) in run.iter_mut().zip(columns.clone()) {
                    *x = f(*x, (m, n));
                }
            }
        } else if self.rows_run {
            for n in columns.clone() {
                let first = self.c.wrapping_add((self.row)(rows.start) + (self.column)(n));
                // SAFETY: the rows of this column are consecutive.
                let run = unsafe { core::slice::from_raw_parts_mut(first, rows.len()) };
                for (x, m) in run.iter_mut().zip(rows.clone()) {
                    *x = f(*x, (m, n));
                }
            }
        } else {
            for n in columns.clone() {
                let column = (self.column)(n);
                for m in rows.clone() {
                    let p = self.c.wrapping_add((self.row)(m) + column);
                    // SAFETY: an element of C.
                    let x = unsafe { p.read() };
                    // SAFETY: an element of C.
                    unsafe { p.write(f(x, (m, n))) };
                }
            }
        }
    }
}

/// Calls `finish` with all of C.
pub(crate) fn all<T>(m: &Mode, n: &Mode, c: *mut T, finish: &dyn Fn(&Finished<'_, T>)) {
    let linear = |mode: &Mode| mode.extents().len() == 1 && mode.offset(1) == 1;
    finish(&Finished {
        c,
        rows: 0..m.size(),
        columns: 0..n.size(),
        row: &|i| m.offset(i),
        column: &|i| n.offset(i),
        columns_run: linear(n),
        rows_run: linear(m),
    });
}
