//! Row combinations: each row of C is a sum of rows of B, multiplied by elements of A. Vectors are along
//! N.
//!
//! They pay if C has few rows, above all for a matrix times a vector: each element of B is used once or
//! a few times, so it should be read once, in the order of memory, and not packed. Tiles keep C in
//! registers, and read a short piece of each row of B, each on another page. From memory that is slow,
//! unless there is enough to multiply meanwhile: hardware prefetchers do not follow. Row combinations read a
//! few whole rows of B at a time, and C again for each group of rows. Elements that are not words in memory
//! are converted on the fly.

use core::mem::MaybeUninit;

use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::words::{Dot, Operand, Sums, Word};
use crate::gemm::pointer::{read, write};
use crate::gemm::scale::{Kind, Scale};
use crate::simd::opaque;
use crate::simd::vector::Vector;

/// Numbers of rows of C that are computed together. Fewer rows are padded. Levels without a function for a
/// number divide the rows.
pub(crate) const ROWS: [usize; 3] = [8, 4, 1];
/// Rows of B that are read together. More would be more streams than hardware prefetchers follow, fewer
/// would read and write C more often. (f32, 4096 by 4096, a vector: 26 GB/s with 4 rows, 32 with 8, 23
/// with 16.)
pub(crate) const STEPS: usize = 8;

/// A row of C for each row of A. Strides are in bytes. B and C are contiguous along N.
#[derive(Clone, Copy)]
pub(crate) struct Combination {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) k: usize,
    pub(crate) a: *const u8,
    pub(crate) a_row: usize,
    pub(crate) a_step: usize,
    pub(crate) b: *const u8,
    pub(crate) b_step: usize,
    pub(crate) c: *mut u8,
    pub(crate) c_row: usize,
}

/// Computes all rows of C, `N` together.
///
/// # Safety
///
/// The CPU must have the instructions. The elements of A and B must be valid for reads, and C for reads
/// and writes.
#[inline(always)]
pub(crate) unsafe fn combine<D: Dot, const N: usize>(all: &Combination, scale: &Scale<D::Sum>) {
    for row in (0..all.rows).step_by(N) {
        let (a, c) = (all.a.wrapping_add(row * all.a_row), all.c.wrapping_add(row * all.c_row));
        let together = Combination { rows: N.min(all.rows - row), a, c, ..*all };
        // SAFETY: guaranteed by the caller, for these rows.
        unsafe { few_rows::<D, N>(&together, scale) };
    }
}

/// Computes up to `N` rows of C.
///
/// # Safety
///
/// Same as [`combine`].
#[inline(always)]
unsafe fn few_rows<D: Dot, const N: usize>(all: &Combination, scale: &Scale<D::Sum>) {
    let (lanes, depth) = const {
        assert!(STEPS.is_multiple_of(<D::A as Operand>::DEPTH));
        (Sums::<D>::LANES, <D::A as Operand>::DEPTH)
    };
    // All-zero bits are zeros: the words of rows that do not exist.
    let mut words = Words::<D, N>::zeroed();
    for k in (0..all.k).step_by(STEPS) {
        let steps = STEPS.min(all.k - k);
        // SAFETY: guaranteed by the caller; there are words for these rows and steps.
        unsafe {
            for i in 0..all.rows {
                let mut from = all.a.wrapping_add(i * all.a_row + k * all.a_step);
                let mut to = words.as_mut_ptr().cast::<Word<D::A>>().wrapping_add(i * STEPS);
                // Opaque to LLVM, which would unroll and vectorise the loop.
                let mut left = steps;
                while left > 0 {
                    to.write(word::<D::A>(from, all.a_step, left));
                    from = from.wrapping_add(depth * all.a_step);
                    to = to.wrapping_add(1);
                    left = opaque(left.saturating_sub(depth));
                }
            }
            let mut whole = 0;
            // A loop of its own for the whole vectors of a single row: a fifth faster in L2.
            if const { N == 1 } {
                whole = all.columns - all.columns % lanes;
                for j in (0..whole).step_by(lanes) {
                    vector::<D, N, true>(all, (k, steps), (j, lanes), &words, scale);
                }
            }
            for j in (whole..all.columns).step_by(lanes) {
                let n = lanes.min(all.columns - j);
                vector::<D, N, false>(all, (k, steps), (j, n), &words, scale);
            }
        }
    }
}

/// Words of each row of A, for the rows of B that are read together.
type Words<D, const N: usize> = MaybeUninit<[[Word<<D as Dot>::A>; STEPS]; N]>;

/// The word of the first `n` elements, `step` bytes apart, or of fewer if it has fewer.
///
/// # Safety
///
/// The elements must be valid for reads.
#[inline(always)]
unsafe fn word<O: Operand>(from: *const u8, step: usize, n: usize) -> Word<O> {
    let mut word = MaybeUninit::<Word<O>>::zeroed();
    for i in 0..O::DEPTH {
        if i < n {
            // SAFETY: guaranteed by the caller; a word has `DEPTH` parts.
            unsafe {
                let part = O::part(read(from.wrapping_add(i * step).cast(), 0));
                write(word.as_mut_ptr().cast(), i, part);
            }
        }
    }
    // SAFETY: all-zero bits are zeros.
    unsafe { word.assume_init() }
}

/// Adds some rows of B to a vector of each row of C: `steps` rows from `k` on, `n` columns from `j` on.
/// LLVM may unroll the loop over the steps if `UNROLLS`; otherwise that takes long to compile and gains
/// nothing.
///
/// # Safety
///
/// Same as [`combine`], for these steps and columns.
#[inline(always)]
unsafe fn vector<D: Dot, const N: usize, const UNROLLS: bool>(
    all: &Combination,
    (k, steps): (usize, usize),
    (j, n): (usize, usize),
    words: &Words<D, N>,
    scale: &Scale<D::Sum>,
) {
    let depth = const { <D::B as Operand>::DEPTH };
    let is_whole = n == Sums::<D>::LANES;
    // One loop for whole and partial vectors, where a mask costs little.
    let has_mask = N > 1 && Sums::<D>::HAS_MASK_REGISTERS;
    let lanes = if has_mask || !is_whole { Some(n) } else { None };
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut sums = [Sums::<D>::splat(D::Sum::ZERO); N];
        let b = all.b.cast::<<D::B as Operand>::Element>().wrapping_add(j);
        let mut b = b.wrapping_byte_add(k * all.b_step);
        let mut words = words.as_ptr().cast::<Word<D::A>>();
        macro_rules! add_rows {
            ($rows:expr) => {
                let y = D::B::load_rows(b, all.b_step, $rows, lanes);
                let mut i = 0;
                while i < N {
                    let x = <D::A as Operand>::Words::splat(read(words, i * STEPS));
                    sums[i] = D::Math::dot(x, y, sums[i]);
                    i += 1;
                }
            };
        }
        let mut left = steps / depth;
        while left > 0 {
            add_rows!(depth);
            b = b.wrapping_byte_add(depth * all.b_step);
            words = words.wrapping_add(1);
            left = if UNROLLS { left - 1 } else { opaque(left - 1) };
        }
        if const { <D::B as Operand>::DEPTH > 1 } && !steps.is_multiple_of(depth) {
            add_rows!(steps % depth);
        }
        let is_first = k == 0;
        for i in 0..if N == 1 { 1 } else { all.rows } {
            let c = all.c.wrapping_add(i * all.c_row).cast::<D::Sum>().wrapping_add(j);
            let mut sum = read(sums.as_ptr(), i);
            if matches!(scale.kind, Kind::Scale | Kind::ScaleAdd) {
                sum = Sums::<D>::splat(scale.alpha).mul(sum);
            }
            if !is_first || scale.reads() {
                let old = match lanes {
                    None => Sums::<D>::load(c),
                    Some(n) => Sums::<D>::load_first(c, n),
                };
                sum = match is_first && scale.kind == Kind::ScaleAdd {
                    true => Sums::<D>::splat(scale.beta).mul_add(old, sum),
                    false => old.add(sum),
                };
            }
            match is_whole {
                true => sum.store(c),
                false => sum.store_first(c, n),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::float::sealed::Sum;
    use crate::gemm::kernel::bytes::bytes;
    use crate::gemm::kernel::table::{Kernels, floats};
    use crate::simd::Level;

    const MAX: [usize; 3] = [8, 40, 19];

    /// Compares all numbers of rows, columns and steps with plain loops. Numbers are small integers, so
    /// all sums are exact.
    fn is_exact<X: Copy + Into<f64>, Y: Copy + Into<f64>, S: Sum + Into<f64> + TryFrom<i8>>(
        kernels: &Kernels,
        x: impl Fn(i8) -> X,
        y: impl Fn(i8) -> Y,
    ) {
        let [max_rows, max_columns, max_k] = MAX;
        let sum = |n: i8| S::try_from(n).unwrap_or_else(|_| unreachable!("a small number"));
        for (rows, k) in (1..=max_rows).flat_map(|rows| (1..=max_k).map(move |k| (rows, k))) {
            let columns = 1 + (7 * rows + 3 * k) % max_columns;
            // Gaps between rows; A contiguous along K or along M.
            let (b_step, c_row) = (columns + k % 3, columns + rows % 3);
            let (a_row, a_step) = if k % 2 == 0 { (k + 1, 1) } else { (1, rows) };
            let number = |i: usize| (i * 5 % 11) as i8 - 5;
            let a: Vec<X> =
                (0..(rows - 1) * a_row + (k - 1) * a_step + 1).map(|i| x(number(i))).collect();
            let b: Vec<Y> = (0..(k - 1) * b_step + columns).map(|i| y(number(i + 3))).collect();
            let old: Vec<S> =
                (0..(rows - 1) * c_row + columns).map(|i| sum(number(i + 1))).collect();
            for (alpha, beta) in [(1, 0), (1, 1), (3, 0), (2, -3)] {
                let scale = Scale::new(sum(alpha), sum(beta));
                let mut c = old.clone();
                let all = Combination {
                    rows,
                    columns,
                    k,
                    a: a.as_ptr().cast(),
                    a_row: a_row * size_of::<X>(),
                    a_step: a_step * size_of::<X>(),
                    b: b.as_ptr().cast(),
                    b_step: b_step * size_of::<Y>(),
                    c: c.as_mut_ptr().cast(),
                    c_row: c_row * size_of::<S>(),
                };
                for combine in kernels.row_combinations {
                    c.copy_from_slice(&old);
                    // SAFETY: the level is available, and these are the strides of the vectors.
                    unsafe { combine(&all, scale.any()) };
                    for (i, &c) in c.iter().enumerate() {
                        let (row, column) = (i / c_row, i % c_row);
                        let before: f64 = old[i].into();
                        let expected = match column < columns {
                            false => before,
                            true => {
                                let product = |k: usize| {
                                    let y: f64 = b[k * b_step + column].into();
                                    a[row * a_row + k * a_step].into() * y
                                };
                                let sum: f64 = (0..k).map(product).sum();
                                f64::from(alpha) * sum + f64::from(beta) * before
                            }
                        };
                        assert_eq!(
                            c.into(),
                            expected,
                            "{rows}x{columns}x{k}, {i}, {alpha}, {beta}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn rows_are_combined_exactly() {
        for level in Level::available() {
            is_exact::<f32, f32, f32>(floats::<f32>(level), f32::from, f32::from);
            is_exact::<f64, f64, f64>(floats::<f64>(level), f64::from, f64::from);
            let unsigned = |n: i8| (n + 5).cast_unsigned();
            is_exact::<u8, i8, i32>(bytes::<u8, i8>(level), unsigned, |n| n);
            is_exact::<i8, u8, i32>(bytes::<i8, u8>(level), |n| n, unsigned);
            is_exact::<i8, i8, i32>(bytes::<i8, i8>(level), |n| n, |n| n);
            #[cfg(feature = "half")]
            {
                use crate::gemm::kernel::bf16::{kernels_of_bf16, kernels_of_f16};
                use half::{bf16, f16};
                is_exact::<bf16, bf16, f32>(kernels_of_bf16(level), bf16::from, bf16::from);
                is_exact::<f16, f16, f32>(kernels_of_f16(level), f16::from, f16::from);
            }
        }
    }
}
