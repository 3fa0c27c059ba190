//! Inner products: each element of C is a dot product, with vectors along K.
//!
//! They pay where both operands are consecutive along K and C has few rows or few columns: a matrix
//! times a vector, most of all. Tiles would fill few lanes, or wait until an operand is transposed.

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::scale::Scale;
use crate::simd::vector::{self, Vector};

/// How many rows of A meet a column of B at a time.
pub(crate) const TOGETHER: usize = 8;

/// Some rows of A times one column of B. Strides are in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// Words along K.
    pub(crate) words: usize,
    pub(crate) a: *const u8,
    pub(crate) a_row: usize,
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    pub(crate) c_row: usize,
}

/// The inner products of `ROWS` rows, at most [`TOGETHER`]. Half of them are made at a time where a sum takes two
/// registers.
///
/// # Safety
///
/// The instructions are there. The words of the rows and of the column can be read, and C can be
/// read and written for each row.
#[inline(always)]
pub(crate) unsafe fn rows<D: Arithmetic, const ROWS: usize>(
    column: &Column,
    scale: &Scale<D::Sum>,
) {
    const HALF: usize = TOGETHER / 2;
    // SAFETY: as required here; both halves are some of the rows.
    unsafe {
        if const { ROWS == TOGETHER && size_of::<D::Sums>() > size_of::<D::Words>() } {
            let Column { a, a_row, c, c_row, .. } = *column;
            let (a, c) = (a.wrapping_add(HALF * a_row), c.wrapping_add(HALF * c_row));
            some_rows::<D, HALF>(column, scale);
            some_rows::<D, HALF>(&Column { a, c, ..*column }, scale);
        } else {
            some_rows::<D, ROWS>(column, scale);
        }
    }
}

/// The inner products of `ROWS` rows at a time.
///
/// # Safety
///
/// As [`rows`].
#[inline(always)]
unsafe fn some_rows<D: Arithmetic, const ROWS: usize>(column: &Column, scale: &Scale<D::Sum>) {
    let (lanes, word) = (D::Sums::LANES, const { size_of::<D::Word>() });
    let (mut a, mut b) = (column.a, column.b);
    // SAFETY: as required here.
    unsafe {
        let mut sums = [D::Sums::splat(D::Sum::ZERO); ROWS];
        for _ in 0..column.words / lanes {
            let y = D::Words::load(b.cast());
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = D::Words::load(a.wrapping_add(i * column.a_row).cast());
                *sum = D::dot(x, y, *sum);
            }
            (a, b) = (a.wrapping_add(lanes * word), b.wrapping_add(lanes * word));
        }
        let rest = column.words % lanes;
        if rest > 0 {
            let y = D::Words::load_first(b.cast(), rest);
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = D::Words::load_first(a.wrapping_add(i * column.a_row).cast(), rest);
                *sum = D::dot(x, y, *sum);
            }
        }
        let places = core::array::from_fn(|i| column.c.wrapping_add(i * column.c_row).cast());
        scale.store_all(vector::sums(sums), places);
    }
}
