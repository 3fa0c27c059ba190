//! Products of a matrix with a few vectors, both consecutive along K: inner products, with lanes
//! along K. Tiles would fill few lanes, or wait until one of them is transposed.

use crate::gemm::direct::Matrices;
use crate::gemm::dot::Dot;
use crate::gemm::flat::Flat;
use crate::gemm::float::sealed::Sum;
use crate::gemm::job::Finished;
use crate::gemm::micro::Kernels;
use crate::gemm::tile::{Scale, unroll};
use crate::simd::vector::Vector;

/// How many rows of A meet a column of B at a time.
pub(crate) const TOGETHER: usize = 8;

/// Some rows of A and a column of B; distances of A are in bytes, and of C in elements.
pub(crate) struct Rows<'a, T> {
    /// Words along K.
    words: usize,
    a: *const u8,
    a_row: usize,
    b: *const u8,
    scale: &'a Scale<T>,
    c: *mut T,
    c_row: usize,
}

/// Makes inner products.
///
/// # Safety
///
/// The instructions are there. The words of the rows and of the column can be read, and C can be
/// read and written for each row.
pub(crate) type Dots<T> = unsafe fn(&Rows<'_, T>);

/// The inner products of `ROWS` rows.
///
/// # Safety
///
/// As [`Dots`].
#[inline(always)]
pub(crate) unsafe fn dots<D: Dot, const ROWS: usize>(rows: &Rows<'_, D::Sum>) {
    let (lanes, word) = (D::Sums::LANES, const { size_of::<D::Word>() });
    // SAFETY: the caller's promise.
    let mut sums = [unsafe { D::Sums::splat(D::Sum::ZERO) }; ROWS];
    let (mut a, mut b) = (rows.a, rows.b);
    for _ in 0..rows.words / lanes {
        // SAFETY: a vector of the column.
        let y = unsafe { D::load(b.cast()) };
        unroll!(i < ROWS, 8, {
            // SAFETY: a vector of the row.
            let x = unsafe { D::load(a.wrapping_add(i * rows.a_row).cast()) };
            // SAFETY: the caller's promise.
            sums[i] = unsafe { D::dot(x, y, sums[i]) };
        });
        (a, b) = (a.wrapping_add(lanes * word), b.wrapping_add(lanes * word));
    }
    let rest = rows.words % lanes;
    if rest > 0 {
        // SAFETY: what is left of the column.
        let y = unsafe { D::load_first(b.cast(), rest) };
        unroll!(i < ROWS, 8, {
            // SAFETY: what is left of the row.
            let x = unsafe { D::load_first(a.wrapping_add(i * rows.a_row).cast(), rest) };
            // SAFETY: the caller's promise.
            sums[i] = unsafe { D::dot(x, y, sums[i]) };
        });
    }
    unroll!(i < ROWS, 8, {
        // SAFETY: the caller's promise.
        let sum = unsafe { sums[i].sum() };
        // SAFETY: the element of C of this row.
        unsafe { rows.scale.store(sum, rows.c.wrapping_add(i * rows.c_row)) };
    });
}

/// Makes a product so, if that pays; says whether it has.
///
/// # Safety
///
/// As [`any::run`](super::any::run), for a product that is not empty.
pub(crate) unsafe fn run<X, Y, T: Sum>(
    flat: &Flat,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    turned: bool,
) -> bool {
    let Flat { m, n, k, am, ak, bk, bn, cm, cn } = *flat;
    let words = kernels.words_for(k);
    let there = kernels.a_words && kernels.b_words && k.is_multiple_of(kernels.depth);
    // In half cycles, for a row: two loads a cycle, and about six cycles until lanes are added up;
    // a tile adds two products a cycle.
    let cost = n.saturating_mul(2 * words.div_ceil(kernels.lanes) + 12);
    if ak != 1 || bk != 1 || !there || cost >= n.div_ceil(kernels.lanes).saturating_mul(words) {
        return false;
    }
    let Matrices { scale, a, b, c, finish } = *matrices;
    // The last ones one by one.
    let groups = m / TOGETHER;
    let pieces = (0..groups).map(|i| i * TOGETHER).chain(groups * TOGETHER..m).enumerate();
    for (i, row) in pieces {
        let dots = kernels.dots[usize::from(i >= groups)];
        for column in 0..n {
            let rows = Rows {
                words,
                a: a.wrapping_add(row * am).cast(),
                a_row: am * size_of::<X>(),
                b: b.wrapping_add(column * bn).cast(),
                scale,
                c: c.wrapping_add(row * cm + column * cn),
                c_row: cm,
            };
            // SAFETY: the rows and the column, and their places in C; words are neighbours.
            unsafe { dots(&rows) };
        }
    }
    if let Some(finish) = finish {
        let ([m, n], [cm, cn]) = if turned { ([n, m], [cn, cm]) } else { ([m, n], [cm, cn]) };
        finish(&Finished {
            c,
            rows: 0..m,
            columns: 0..n,
            row: &|i| i * cm,
            column: &|i| i * cn,
            columns_run: cn == 1 || n == 1,
            rows_run: cm == 1,
        });
    }
    true
}
