//! `Finish`: what [`Gemm::then`](crate::gemm::Gemm::then) makes of sums that are still in registers.

use core::mem::MaybeUninit;

use crate::gemm::Epilogue;
use crate::gemm::float::Float;
use crate::simd::vector::{MAX_LANES, Vector};

/// A function of elements, and where in C a tile is: rows and columns are those of the plan, which
/// may be the columns and rows of C.
#[derive(Clone, Copy)]
pub(crate) struct Finish<'a, F> {
    then: &'a F,
    transposed: bool,
    row: usize,
    column: usize,
}

impl<'a, F> Finish<'a, F> {
    /// For the first tile.
    #[inline(always)]
    pub(crate) fn new(then: &'a F, transposed: bool) -> Self {
        Self { then, transposed, row: 0, column: 0 }
    }

    /// So many rows further.
    #[inline(always)]
    pub(crate) fn below(&self, rows: usize) -> Self {
        Self { row: self.row + rows, ..*self }
    }

    /// So many columns further.
    #[inline(always)]
    pub(crate) fn right_of(&self, columns: usize) -> Self {
        Self { column: self.column + columns, ..*self }
    }

    /// The elements of a row and of so many columns, finished.
    ///
    /// # Safety
    ///
    /// The instructions of `V` are there.
    #[inline(always)]
    pub(crate) unsafe fn lanes<V: Vector>(&self, v: V, lanes: usize, row: usize, column: usize) -> V
    where
        V::Element: Float,
        F: Epilogue<V::Element>,
    {
        if F::KEEPS {
            return v;
        }
        const { assert!(V::LANES <= MAX_LANES) };
        let mut buffer = MaybeUninit::<[V::Element; MAX_LANES]>::uninit();
        let p = buffer.as_mut_ptr().cast::<V::Element>();
        // SAFETY: the buffer has room for all lanes.
        unsafe { v.store(p) };
        for lane in 0..lanes {
            let (m, n) = (self.row + row, self.column + column + lane);
            let at = if self.transposed { (n, m) } else { (m, n) };
            let p = p.wrapping_add(lane);
            // SAFETY: a lane that was just stored.
            let x = unsafe { p.read() };
            // SAFETY: as above.
            unsafe { p.write(self.then.call(x, at)) };
        }
        // SAFETY: all lanes were stored.
        unsafe { V::load(p) }
    }
}
