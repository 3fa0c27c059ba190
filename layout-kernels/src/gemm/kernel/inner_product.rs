//! Inner products: each element of C is a dot product, with vectors along K.
//!
//! They pay if both operands are contiguous along K and C has few rows or few columns: activations times
//! the weights of a layer, or a matrix times a vector. Tiles would use few lanes, or need a transposed
//! operand. A register of B is multiplied with several rows of A, and one of A with several columns of B.
//! Elements that are not words in memory are converted on the fly.

use core::array;

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::words::{Dot, Operand, Sums};
use crate::gemm::scale::Scale;
use crate::simd::prefetch_l2;
use crate::simd::vector::{self, Vector};

/// Maximum number of rows that are multiplied together.
pub(crate) const MAX_ROWS: usize = 8;
/// Bytes of a register of SSE2 or NEON.
const SMALL_REGISTER_BYTES: usize = 16;
/// From this number of vectors along K on, a single row has several accumulators.
const LONG_VECTORS: usize = 16;

/// Rows that each tile prefetches, of the four after its own. Two tiles prefetch all of them. (f32 12 by 512
/// times 512 by 16,384: 44 GFLOP/s without, 75 with it.)
const PREFETCHED_ROWS: usize = 2;

/// A register of words of `D`.
type Words<D> = <<D as Dot>::Math as Arithmetic>::Words;

/// Some rows of A and some columns of B, contiguous along K, and their elements of C; the same of each product
/// of a batch. Strides are in bytes.
#[derive(Clone, Copy)]
pub(crate) struct RowsAndColumns {
    /// Elements along K.
    pub(crate) k: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) a: *const u8,
    pub(crate) a_row: usize,
    pub(crate) b: *const u8,
    pub(crate) b_column: usize,
    pub(crate) c: *mut u8,
    pub(crate) c_row: usize,
    pub(crate) c_column: usize,
    /// Number of products, and the strides of A, B and C from one to the next.
    pub(crate) products: usize,
    pub(crate) next: [usize; 3],
    /// Whether the next rows of A are prefetched, because A does not fit in L2.
    pub(crate) prefetches: bool,
}

/// The elements of a row of A and of a column of B.
type Elements<D> =
    (*const <<D as Dot>::A as Operand>::Element, *const <<D as Dot>::B as Operand>::Element);

impl RowsAndColumns {
    /// The first elements of a row and of a column.
    #[inline(always)]
    const fn elements<D: Dot>(&self, row: usize, column: usize) -> Elements<D> {
        let a = self.a.wrapping_add(row * self.a_row);
        let b = self.b.wrapping_add(column * self.b_column);
        (a.cast(), b.cast())
    }

    /// Their element of C.
    #[inline(always)]
    const fn sum<D: Dot>(&self, row: usize, column: usize) -> *mut D::Sum {
        self.c.wrapping_add(row * self.c_row).wrapping_add(column * self.c_column).cast()
    }
}

/// Whether code for many rows pays: not with few small registers.
pub(crate) const fn has_many_rows<D: Dot>() -> bool {
    size_of::<Words<D>>() > SMALL_REGISTER_BYTES || Sums::<D>::REGISTERS == 32
}

/// Whether eight rows are multiplied together; otherwise four are. Accumulators of two registers leave too
/// few registers for eight.
pub(crate) const fn has_eight_rows<D: Dot>() -> bool {
    size_of::<Sums<D>>() == size_of::<Words<D>>() && has_many_rows::<D>()
}

/// Maximum number of columns that are multiplied with four rows together: half of the registers are
/// accumulators.
pub(crate) const fn max_columns<D: Dot>() -> usize {
    let per_sum = size_of::<Sums<D>>() / size_of::<Words<D>>();
    match Sums::<D>::REGISTERS {
        32 => 4 / per_sum,
        _ if has_many_rows::<D>() => 2 / per_sum,
        _ => 1,
    }
}

/// Computes the inner products of all rows and columns of each product, in blocks of `k_block` elements along K.
///
/// # Safety
///
/// The CPU must have the instructions. In each product, the words of the rows and of the columns must be valid
/// for reads, and C for reads and writes for each row and column. `k_block` must be whole registers of words, or
/// all elements.
#[inline(always)]
pub(crate) unsafe fn all<D: Dot>(all: &RowsAndColumns, k_block: usize, scale: &Scale<D::Sum>) {
    let (mut product, [a, b, c]) = (*all, all.next);
    for _ in 0..all.products {
        // SAFETY: guaranteed by the caller.
        unsafe { one::<D>(&product, k_block, scale) };
        product.a = product.a.wrapping_add(a);
        product.b = product.b.wrapping_add(b);
        product.c = product.c.wrapping_add(c);
    }
}

/// Computes the inner products of all rows and columns of one product.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
unsafe fn one<D: Dot>(all: &RowsAndColumns, k_block: usize, scale: &Scale<D::Sum>) {
    let (mut block, mut scale, mut left) = (*all, *scale, all.k);
    loop {
        block.k = k_block.min(left);
        // SAFETY: guaranteed by the caller. Blocks before this one are in C.
        unsafe { block_along_k::<D>(&block, &scale) };
        left -= block.k;
        if left == 0 {
            break;
        }
        let (a, b) = block.elements::<D>(0, 0);
        (block.a, block.b) = (a.wrapping_add(block.k).cast(), b.wrapping_add(block.k).cast());
        scale = scale.later();
    }
}

/// Computes the inner products of all rows and columns, or adds those of a block along K.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
unsafe fn block_along_k<D: Dot>(all: &RowsAndColumns, scale: &Scale<D::Sum>) {
    let mut row = 0;
    // SAFETY: guaranteed by the caller.
    unsafe {
        if const { has_eight_rows::<D>() } && all.columns == 1 {
            while all.rows - row >= MAX_ROWS {
                tile::<D, MAX_ROWS, 1>(all, (row, 0), scale);
                row += MAX_ROWS;
            }
        }
        while all.rows - row >= 4 {
            four_rows::<D>(all, row, scale);
            row += 4;
        }
        let is_long = all.k >= LONG_VECTORS * const { Sums::<D>::LANES * D::A::DEPTH };
        for row in row..all.rows {
            for column in 0..all.columns {
                match is_long {
                    true => long_row::<D>(all, (row, column), scale),
                    false => tile::<D, 1, 1>(all, (row, column), scale),
                }
            }
        }
    }
}

/// Computes the inner products of four rows with all columns.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
unsafe fn four_rows<D: Dot>(all: &RowsAndColumns, row: usize, scale: &Scale<D::Sum>) {
    let mut column = 0;
    while column < all.columns {
        let (most, left) = (const { max_columns::<D>() }, all.columns - column);
        let together = match left {
            // Equal parts: four columns and a few would take longer.
            3 | 5 | 6 | 9 if most == 4 => 3,
            _ => left.min(most),
        };
        let at = (row, column);
        // SAFETY: guaranteed by the caller.
        unsafe {
            match together {
                4 if const { max_columns::<D>() == 4 } => tile::<D, 4, 4>(all, at, scale),
                3 if const { max_columns::<D>() == 4 } => tile::<D, 4, 3>(all, at, scale),
                2 if const { max_columns::<D>() >= 2 } => tile::<D, 4, 2>(all, at, scale),
                _ => tile::<D, 4, 1>(all, at, scale),
            }
        }
        column += together;
    }
}

/// Computes the inner products of `ROWS` rows and `COLUMNS` columns, from a row and a column on.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
pub(crate) unsafe fn tile<D: Dot, const ROWS: usize, const COLUMNS: usize>(
    all: &RowsAndColumns,
    (row, column): (usize, usize),
    scale: &Scale<D::Sum>,
) {
    let elements = const { Sums::<D>::LANES * D::A::DEPTH };
    let (mut a, mut b) = all.elements::<D>(row, column);
    let strides = [all.a_row, all.b_column];
    let prefetches = COLUMNS > 1 && all.prefetches && all.rows - row >= 2 * ROWS;
    // The first tile of these rows prefetches the first ones.
    let ahead = (ROWS + if column == 0 { 0 } else { PREFETCHED_ROWS }) * all.a_row;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut sums = [[Sums::<D>::splat(D::Sum::ZERO); ROWS]; COLUMNS];
        for _ in 0..all.k / elements {
            if prefetches {
                for i in 0..PREFETCHED_ROWS {
                    prefetch_l2(a.wrapping_byte_add(ahead + i * all.a_row));
                }
            }
            add::<D, ROWS, COLUMNS, true>(&mut sums, (a, b), strides, elements);
            (a, b) = (a.wrapping_add(elements), b.wrapping_add(elements));
        }
        let rest = all.k % elements;
        if rest > 0 {
            add::<D, ROWS, COLUMNS, false>(&mut sums, (a, b), strides, rest);
        }
        for (j, sums) in sums.iter().enumerate() {
            let places = array::from_fn(|i| all.sum::<D>(row + i, column + j));
            scale.store_all(vector::sums(*sums), places);
        }
    }
}

/// Adds the products of the next `n` elements along K: those of a register, if `WHOLE`.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
unsafe fn add<D: Dot, const ROWS: usize, const COLUMNS: usize, const WHOLE: bool>(
    sums: &mut [[Sums<D>; ROWS]; COLUMNS],
    (a, b): Elements<D>,
    [a_row, b_column]: [usize; 2],
    n: usize,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut ys = [load::<D::B, WHOLE>(b, n); COLUMNS];
        for (j, y) in ys.iter_mut().enumerate().skip(1) {
            *y = load::<D::B, WHOLE>(b.wrapping_byte_add(j * b_column), n);
        }
        for i in 0..ROWS {
            let x = load::<D::A, WHOLE>(a.wrapping_byte_add(i * a_row), n);
            for (y, sums) in ys.iter().zip(sums.iter_mut()) {
                sums[i] = D::Math::dot(x, *y, sums[i]);
            }
        }
    }
}

/// Loads a register of words, if `WHOLE`, or the words of `n` elements and zeros.
///
/// # Safety
///
/// The CPU must have the instructions. The elements must be valid for reads.
#[inline(always)]
unsafe fn load<O: Operand, const WHOLE: bool>(from: *const O::Element, n: usize) -> O::Words {
    // SAFETY: guaranteed by the caller.
    unsafe { if WHOLE { O::load(from) } else { O::load_first(from, n) } }
}

/// Computes the inner product of a row and a column with several accumulators: each step along K waits for
/// the one before.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
unsafe fn long_row<D: Dot>(
    all: &RowsAndColumns,
    (row, column): (usize, usize),
    scale: &Scale<D::Sum>,
) {
    const STEPS: usize = 4;
    let elements = const { Sums::<D>::LANES * D::A::DEPTH };
    let (mut a, mut b) = all.elements::<D>(row, column);
    let (vectors, rest) = (all.k / elements, all.k % elements);
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
        scale.store(sum, all.sum::<D>(row, column));
    }
}
