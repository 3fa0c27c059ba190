//! Inner products: each element of C is a dot product, with vectors along K.
//!
//! They pay if both operands are contiguous along K and C has few rows or few columns, above all
//! for a matrix times a vector. Tiles would use few lanes, or need a transposed operand. Elements
//! that are not words in memory are converted on the fly.

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::words::{Dot, Operand, Sums};
use crate::gemm::scale::Scale;
use crate::simd::vector::{self, Vector};

/// Numbers of rows of A that are multiplied with a column of B together.
pub(crate) const ROWS: [usize; 3] = [8, 4, 1];
/// Bytes of a register without AVX.
const SMALL_REGISTER_BYTES: usize = 16;
/// From this number of vectors along K on, a single row has several accumulators.
const LONG_VECTORS: usize = 16;

/// A register of words of `D`.
type Words<D> = <<D as Dot>::Math as Arithmetic>::Words;

/// Some rows of A times a column of B. Strides are in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    /// Elements along K.
    pub(crate) k: usize,
    pub(crate) a: *const u8,
    pub(crate) a_row: usize,
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    pub(crate) c_row: usize,
}

/// Some rows of A times some columns of B. Strides are in bytes.
pub(crate) struct Columns {
    pub(crate) first: Column,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) b_column: usize,
    pub(crate) c_column: usize,
}

/// Whether registers are larger than the smallest ones, which do not repay code for many rows.
pub(crate) const fn has_large_registers<D: Dot>() -> bool {
    size_of::<Words<D>>() > SMALL_REGISTER_BYTES
}

/// Whether eight rows are multiplied together; otherwise four are. Accumulators of two registers leave too
/// few registers for eight.
pub(crate) const fn has_eight_rows<D: Dot>() -> bool {
    size_of::<Sums<D>>() == size_of::<Words<D>>() && has_large_registers::<D>()
}

/// Computes the inner products of all rows and columns. `N` is one of [`ROWS`] and divides the number of
/// rows.
///
/// # Safety
///
/// The CPU must have the instructions. The words of the rows and of the columns must be valid for
/// reads, and C for reads and writes for each row and column.
#[inline(always)]
pub(crate) unsafe fn all<D: Dot, const N: usize>(columns: &Columns, scale: &Scale<D::Sum>) {
    let elements = const { Sums::<D>::LANES * D::A::DEPTH };
    let Columns { first, rows, columns, b_column, c_column } = columns;
    let (mut a, mut c) = (first.a, first.c);
    for _ in 0..rows / N {
        for j in 0..*columns {
            let (b, c) = (first.b.wrapping_add(j * b_column), c.wrapping_add(j * c_column));
            // Not a copy of `first` as a whole: its wide loads would wait for the narrow stores of the
            // caller.
            let Column { k, a_row, c_row, .. } = *first;
            let column = Column { k, a, a_row, b, c, c_row };
            // SAFETY: guaranteed by the caller.
            unsafe {
                match N {
                    1 if k >= LONG_VECTORS * elements => long_row::<D>(&column, scale),
                    _ => self::rows::<D, N>(&column, scale),
                }
            }
        }
        a = a.wrapping_add(N * first.a_row);
        c = c.wrapping_add(N * first.c_row);
    }
}

/// Computes the inner products of `N` rows together.
///
/// # Safety
///
/// Same as [`all`], for one column.
#[inline(always)]
pub(crate) unsafe fn rows<D: Dot, const N: usize>(column: &Column, scale: &Scale<D::Sum>) {
    let elements = const { Sums::<D>::LANES * D::A::DEPTH };
    let (mut a, mut b) = (
        column.a.cast::<<D::A as Operand>::Element>(),
        column.b.cast::<<D::B as Operand>::Element>(),
    );
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut sums = [Sums::<D>::splat(D::Sum::ZERO); N];
        for _ in 0..column.k / elements {
            let y = D::B::load(b);
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = D::A::load(a.wrapping_byte_add(i * column.a_row));
                *sum = D::Math::dot(x, y, *sum);
            }
            (a, b) = (a.wrapping_add(elements), b.wrapping_add(elements));
        }
        let rest = column.k % elements;
        if rest > 0 {
            let y = D::B::load_first(b, rest);
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = D::A::load_first(a.wrapping_byte_add(i * column.a_row), rest);
                *sum = D::Math::dot(x, y, *sum);
            }
        }
        let totals = vector::sums(sums);
        let places = core::array::from_fn(|i| column.c.wrapping_add(i * column.c_row).cast());
        scale.store_all(totals, places);
    }
}

/// Computes the inner product of one row, with several accumulators: each step along K waits for the one
/// before.
///
/// # Safety
///
/// Same as [`all`], for one column.
#[inline(always)]
unsafe fn long_row<D: Dot>(column: &Column, scale: &Scale<D::Sum>) {
    const STEPS: usize = 4;
    let elements = const { Sums::<D>::LANES * D::A::DEPTH };
    let (mut a, mut b) = (
        column.a.cast::<<D::A as Operand>::Element>(),
        column.b.cast::<<D::B as Operand>::Element>(),
    );
    let (vectors, rest) = (column.k / elements, column.k % elements);
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut sums = [Sums::<D>::splat(D::Sum::ZERO); STEPS];
        for _ in 0..vectors / STEPS {
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = D::A::load(a.wrapping_add(i * elements));
                *sum = D::Math::dot(x, D::B::load(b.wrapping_add(i * elements)), *sum);
            }
            (a, b) = (a.wrapping_add(STEPS * elements), b.wrapping_add(STEPS * elements));
        }
        let [mut first, mut last, more @ ..] = sums;
        for _ in 0..vectors % STEPS {
            first = D::Math::dot(D::A::load(a), D::B::load(b), first);
            (a, b) = (a.wrapping_add(elements), b.wrapping_add(elements));
        }
        if rest > 0 {
            let (x, y) = (D::A::load_first(a, rest), D::B::load_first(b, rest));
            last = D::Math::dot(x, y, last);
        }
        let sum = first.add(last).add(more[0].add(more[1])).sum();
        scale.store(sum, column.c.cast());
    }
}
