//! Inner products: each element of C is a dot product, with vectors along K.
//!
//! They pay if both operands are contiguous along K and C has few rows or few columns: activations times
//! the weights of a layer, or a matrix times a vector. Tiles would use few lanes, or need a transposed
//! operand. A register of B is multiplied with several rows of A, and one of A with several columns of B.
//! Elements that are not words in memory are converted on the fly.

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::words::{Dot, Operand, Sums};
use crate::gemm::scale::{AnyScale, Scale};
use crate::simd::prefetch_l2;
use crate::simd::vector::{self, Vector};

/// Maximum number of rows that are multiplied together.
pub(crate) const MAX_ROWS: usize = 8;
/// Bytes of a register of SSE2 or NEON.
const SMALL_REGISTER_BYTES: usize = 16;
/// Products that start before the first of them is finished: two per cycle.
const LATENCY: usize = 8;

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

/// Whether there is code for two and three rows, and for several sets of accumulators. Only for floats, to
/// compile less, and not with few or small registers: LLVM spills accumulators then.
const fn has_few_rows<D: Dot>() -> bool {
    let are_floats = D::A::IS_WORD && D::A::DEPTH == 1 && D::PLAIN_COST == 1;
    are_floats && has_many_rows::<D>() && Sums::<D>::REGISTERS >= 16
}

/// Whether eight rows are multiplied together; otherwise four are. Accumulators of two registers leave too
/// few registers for eight.
pub(crate) const fn has_eight_rows<D: Dot>() -> bool {
    size_of::<Sums<D>>() == size_of::<Words<D>>() && has_many_rows::<D>()
}

/// Maximum number of columns that are multiplied with 2, 3 or 4 rows together: 0 if rows are not. Of four rows, half
/// of the registers are accumulators.
pub(crate) const fn max_columns<D: Dot>(rows: usize) -> usize {
    let per_sum = registers_per_sum::<D>();
    match rows {
        4 if Sums::<D>::REGISTERS == 32 => 4 / per_sum,
        4 if has_many_rows::<D>() => 2 / per_sum,
        4 => 1,
        _ if has_few_rows::<D>() => 3,
        _ => 0,
    }
}

/// Registers of an accumulator.
const fn registers_per_sum<D: Dot>() -> usize {
    size_of::<Sums<D>>() / size_of::<Words<D>>()
}

/// Computes a tile of inner products: of some rows and columns, from a row and a column on.
///
/// # Safety
///
/// The CPU must have the instructions. The words of the rows and of the columns must be valid for reads, and C for
/// reads and writes for each row and column. The scale must be one of the elements of C.
pub(crate) type InnerTile = unsafe fn(&RowsAndColumns, (usize, usize), AnyScale<'_>);

/// The tiles of one kind of multiplication.
pub(crate) struct InnerTiles {
    /// For 2, 3 and 4 rows: tiles with 1, 2, ... columns, or none.
    pub(crate) tiles: [&'static [InnerTile]; 3],
    /// Computes all rows from a row on, one by one.
    pub(crate) single_rows: InnerTile,
    /// The tile of [`MAX_ROWS`] rows and a column.
    pub(crate) eight_rows: Option<InnerTile>,
}

impl InnerTiles {
    /// Computes all inner products of each product, or adds those of a block along K.
    ///
    /// # Safety
    ///
    /// Same as [`InnerTile`], for all rows and columns of each product.
    // The products are not copied: a copy reads several fields at a time, and waits until they are stored.
    #[inline(always)]
    pub(crate) unsafe fn all(&self, all: &mut RowsAndColumns, scale: AnyScale<'_>) {
        let [a, b, c] = all.next;
        for _ in 0..all.products {
            // SAFETY: guaranteed by the caller.
            unsafe { self.one(all, scale) };
            all.a = all.a.wrapping_add(a);
            all.b = all.b.wrapping_add(b);
            all.c = all.c.wrapping_add(c);
        }
    }

    /// Computes all inner products of one product.
    ///
    /// # Safety
    ///
    /// Same as [`all`](Self::all).
    #[inline(always)]
    unsafe fn one(&self, all: &RowsAndColumns, scale: AnyScale<'_>) {
        let mut row = 0;
        if let Some(eight_rows) = self.eight_rows.filter(|_| all.columns == 1) {
            while all.rows - row >= MAX_ROWS {
                // SAFETY: guaranteed by the caller.
                unsafe { eight_rows(all, (row, 0), scale) };
                row += MAX_ROWS;
            }
        }
        let [two, three, four] = self.tiles;
        while row < all.rows {
            // Each group of `MAX_ROWS` rows is cut in the same way, so that sums do not depend on where threads
            // divide the rows.
            let (rows, tiles) = match (all.rows - row).min(MAX_ROWS - row % MAX_ROWS) {
                // Equal parts: a single row takes as long as three.
                3 | 5 | 6 if !three.is_empty() => (3, three),
                2 if !two.is_empty() => (2, two),
                left if left >= 4 => (4, four),
                // SAFETY: guaranteed by the caller.
                _ => return unsafe { (self.single_rows)(all, (row, 0), scale) },
            };
            let mut column = 0;
            while column < all.columns {
                let columns = match (tiles.len(), all.columns - column) {
                    // Equal parts: a few columns alone would take longer.
                    (4, 3 | 5 | 6 | 9) => 3,
                    (3, 4) => 2,
                    (most, left) => left.min(most),
                };
                // SAFETY: guaranteed by the caller.
                unsafe { tiles[columns - 1](all, (row, column), scale) };
                column += columns;
            }
            row += rows;
        }
    }
}

/// Computes all rows from a row on, one by one.
///
/// # Safety
///
/// Same as [`InnerTile`].
#[inline(always)]
pub(crate) unsafe fn single_rows<D: Dot>(
    all: &RowsAndColumns,
    first: usize,
    scale: &Scale<D::Sum>,
) {
    for row in first..all.rows {
        for column in 0..all.columns {
            // SAFETY: guaranteed by the caller.
            unsafe { tile::<D, 1, 1>(all, (row, column), scale) };
        }
    }
}

/// Computes the inner products of `ROWS` rows and `COLUMNS` columns, from a row and a column on.
///
/// # Safety
///
/// Same as [`InnerTile`].
#[inline(always)]
pub(crate) unsafe fn tile<D: Dot, const ROWS: usize, const COLUMNS: usize>(
    all: &RowsAndColumns,
    at: (usize, usize),
    scale: &Scale<D::Sum>,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match const { sets::<D>(ROWS * COLUMNS) } {
            1 => tile_of_sets::<D, ROWS, COLUMNS, 1>(all, at, scale),
            2 => tile_of_sets::<D, ROWS, COLUMNS, 2>(all, at, scale),
            _ => tile_of_sets::<D, ROWS, COLUMNS, 4>(all, at, scale),
        }
    }
}

/// The number of sets of accumulators of a tile: 1, 2 or 4. Each step along K adds to another set. With one set of
/// a few accumulators, it would wait for the step before.
const fn sets<D: Dot>(accumulators: usize) -> usize {
    match LATENCY / (accumulators * registers_per_sum::<D>()) {
        _ if accumulators > 1 && !has_few_rows::<D>() => 1,
        0 | 1 => 1,
        2 | 3 => 2,
        _ => 4,
    }
}

/// [`tile`] with `SETS` sets of accumulators.
///
/// # Safety
///
/// Same as [`InnerTile`].
#[inline(always)]
pub(crate) unsafe fn tile_of_sets<
    D: Dot,
    const ROWS: usize,
    const COLUMNS: usize,
    const SETS: usize,
>(
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
    let (vectors, rest) = (all.k / elements, all.k % elements);
    // A copy, which stores to C do not change.
    let scale = *scale;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut all_sums = [[[Sums::<D>::splat(D::Sum::ZERO); ROWS]; COLUMNS]; SETS];
        for _ in 0..vectors / SETS {
            for sums in &mut all_sums {
                if prefetches {
                    for i in 0..PREFETCHED_ROWS {
                        prefetch_l2(a.wrapping_byte_add(ahead + i * all.a_row));
                    }
                }
                add::<D, ROWS, COLUMNS, true>(sums, (a, b), strides, elements);
                (a, b) = (a.wrapping_add(elements), b.wrapping_add(elements));
            }
        }
        let mut sums = all_sums[0];
        for of_set in all_sums.iter().skip(1) {
            for (j, sums) in sums.iter_mut().enumerate() {
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.add(of_set[j][i]);
                }
            }
        }
        for _ in 0..vectors % SETS {
            add::<D, ROWS, COLUMNS, true>(&mut sums, (a, b), strides, elements);
            (a, b) = (a.wrapping_add(elements), b.wrapping_add(elements));
        }
        if rest > 0 {
            add::<D, ROWS, COLUMNS, false>(&mut sums, (a, b), strides, rest);
        }
        for (j, sums) in sums.iter().enumerate() {
            let c = all.sum::<D>(row, column + j);
            scale.store_all(vector::sums(*sums), c, all.c_row);
        }
    }
}

/// Adds the products of the next `n` elements along K: those of a register, if `WHOLE`.
///
/// # Safety
///
/// Same as [`InnerTile`].
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
