//! Inner products: each element of C is a dot product, with vectors along K.
//!
//! They pay if both operands are contiguous along K and C has few rows or few columns, above all
//! for a matrix times a vector. Tiles would use few lanes, or need a transposed operand. Elements
//! that are not words in memory are converted on the fly.

use core::mem::MaybeUninit;
use core::slice;

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::words::{Dot, Operand, Sums};
use crate::gemm::scale::Scale;
use crate::simd::vector::{self, MAX_LANES, Vector};

/// Maximum number of rows of A that are multiplied with a column of B together.
pub(crate) const MAX_ROWS_PER_CALL: usize = 8;

/// A register of words of `D`.
type Words<D> = <<D as Dot>::Math as Arithmetic>::Words;

/// Some rows of A times one column of B. Strides are in bytes.
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

/// Computes the inner products of `ROWS` rows, at most [`MAX_ROWS_PER_CALL`]. If an accumulator takes
/// two registers, [`MAX_ROWS_PER_CALL`] rows are computed in two halves.
///
/// # Safety
///
/// The CPU must have the instructions. The words of the rows and of the column must be valid for
/// reads, and C for reads and writes for each row.
#[inline(always)]
pub(crate) unsafe fn rows<D: Dot, const ROWS: usize>(column: &Column, scale: &Scale<D::Sum>) {
    const HALF: usize = MAX_ROWS_PER_CALL / 2;
    // SAFETY: guaranteed by the caller; each half is some of the rows.
    unsafe {
        if const { ROWS == MAX_ROWS_PER_CALL && size_of::<Sums<D>>() > size_of::<Words<D>>() } {
            let Column { a, a_row, c, c_row, .. } = *column;
            let (a, c) = (a.wrapping_add(HALF * a_row), c.wrapping_add(HALF * c_row));
            some_rows::<D, HALF>(column, scale);
            some_rows::<D, HALF>(&Column { a, c, ..*column }, scale);
        } else {
            some_rows::<D, ROWS>(column, scale);
        }
    }
}

/// Computes the inner products of `ROWS` rows together.
///
/// # Safety
///
/// Same as [`rows`].
#[inline(always)]
unsafe fn some_rows<D: Dot, const ROWS: usize>(column: &Column, scale: &Scale<D::Sum>) {
    let elements = const { Sums::<D>::LANES * D::A::DEPTH };
    let (mut a, mut b) = (
        column.a.cast::<<D::A as Operand>::Element>(),
        column.b.cast::<<D::B as Operand>::Element>(),
    );
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut sums = [Sums::<D>::splat(D::Sum::ZERO); ROWS];
        for _ in 0..column.k / elements {
            let y = words::<D::B, Words<D>>(b);
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = words::<D::A, Words<D>>(a.wrapping_byte_add(i * column.a_row));
                *sum = D::Math::dot(x, y, *sum);
            }
            (a, b) = (a.wrapping_add(elements), b.wrapping_add(elements));
        }
        let rest = column.k % elements;
        if rest > 0 {
            let y = last_words::<D::B, Words<D>>(b, rest);
            for (i, sum) in sums.iter_mut().enumerate() {
                let x = last_words::<D::A, Words<D>>(a.wrapping_byte_add(i * column.a_row), rest);
                *sum = D::Math::dot(x, y, *sum);
            }
        }
        let places = core::array::from_fn(|i| column.c.wrapping_add(i * column.c_row).cast());
        scale.store_all(vector::sums(sums), places);
    }
}

/// Loads a register of words.
///
/// # Safety
///
/// The CPU must have the instructions. The elements of a whole register must be valid for reads.
#[inline(always)]
unsafe fn words<O: Operand, V: Vector<Element = O::Word>>(from: *const O::Element) -> V {
    // SAFETY: guaranteed by the caller; a register has at most as many lanes as the array.
    unsafe {
        if O::IS_WORD {
            return V::load(from.cast());
        }
        let mut words = MaybeUninit::<[O::Word; MAX_LANES]>::uninit();
        O::words(from, words.as_mut_ptr().cast(), V::LANES);
        V::load(words.as_ptr().cast())
    }
}

/// Loads the words of `elements` elements, padded with zeros.
///
/// # Safety
///
/// The CPU must have the instructions. The elements must be valid for reads, and fewer than a
/// register holds.
#[inline(always)]
unsafe fn last_words<O: Operand, V: Vector<Element = O::Word>>(
    from: *const O::Element,
    elements: usize,
) -> V {
    let (whole, rest) = (elements / O::DEPTH, elements % O::DEPTH);
    // SAFETY: guaranteed by the caller; a register has at most as many lanes as the array. All-zero
    // bits represent zero.
    unsafe {
        if O::IS_WORD && rest == 0 {
            return V::load_first(from.cast(), whole);
        }
        let mut words = MaybeUninit::<[O::Word; MAX_LANES]>::zeroed();
        let start = words.as_mut_ptr().cast::<O::Word>();
        O::words(from, start, whole);
        if rest > 0 {
            let last = slice::from_raw_parts(from.add(whole * O::DEPTH), rest);
            start.add(whole).write(O::word(last));
        }
        V::load(start)
    }
}
