//! Short rows: many rows of a few elements times a small B, such as points times a matrix.
//!
//! Tiles would leave most lanes of a vector unused. Here a vector holds several rows of A, and another one the
//! same rows of C. In each step along K, a permute brings an element of A to each lane, and a vector of B has
//! its elements once for each row.

use core::mem::MaybeUninit;

use crate::gemm::float::Float;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::vector::{MAX_LANES, Vector};

/// Rows of A and C that are contiguous, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct ShortRows {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) k: usize,
    pub(crate) a: *const u8,
    pub(crate) b: *const u8,
    /// Strides of B along K and N, in elements.
    pub(crate) b_steps: [usize; 2],
    pub(crate) c: *mut u8,
}

/// Number of rows in a vector. A kernel needs at least [`MIN_ROWS_TOGETHER`].
pub(crate) const fn rows_together(lanes: usize, columns: usize, k: usize) -> usize {
    lanes / if columns > k { columns } else { k }
}

/// With fewer rows in a vector, tiles are as fast.
pub(crate) const MIN_ROWS_TOGETHER: usize = 2;
const MAX_STEPS: usize = MAX_LANES / MIN_ROWS_TOGETHER;

/// Vectors of C that are computed together, to hide the latency of a step.
const VECTORS: usize = 4;

/// Lane indices into A, and elements of B, for each step along K.
type Steps<V> = MaybeUninit<[[V; 2]; MAX_STEPS]>;

/// Computes all rows of C.
///
/// # Safety
///
/// The CPU must have the instructions, permutes among them. The elements of A and B must be valid for reads,
/// and C for reads and writes. At least [`MIN_ROWS_TOGETHER`] rows fit in a vector.
#[inline(always)]
pub(crate) unsafe fn all<T: Float, V: Vector<Element = T>>(all: &ShortRows, scale: &Scale<T>) {
    let &ShortRows { rows, columns, k, a, c, .. } = all;
    let together = rows_together(V::LANES, columns, k);
    assert!(together >= MIN_ROWS_TOGETHER && k <= MAX_STEPS, "rows are short");
    let (mut a, mut c, mut left) = (a.cast::<T>(), c.cast::<T>(), rows);
    // SAFETY: guaranteed by the caller. Vectors start at a row that is left, and have whole rows.
    unsafe {
        let steps = steps::<T, V>(all, together);
        let steps = steps.as_ptr().cast::<[V; 2]>();
        while left >= VECTORS * together {
            vectors::<T, V, VECTORS>([columns, k, together], a, steps, c, scale);
            a = a.wrapping_add(VECTORS * together * k);
            c = c.wrapping_add(VECTORS * together * columns);
            left -= VECTORS * together;
        }
        while left > 0 {
            let rows = together.min(left);
            vectors::<T, V, 1>([columns, k, rows], a, steps, c, scale);
            a = a.wrapping_add(rows * k);
            c = c.wrapping_add(rows * columns);
            left -= rows;
        }
    }
}

/// The steps along K for so many rows in a vector.
///
/// # Safety
///
/// Same as [`all`].
#[inline(always)]
unsafe fn steps<T: Float, V: Vector<Element = T>>(all: &ShortRows, together: usize) -> Steps<V> {
    let &ShortRows { columns, k, b, b_steps: [bk, bn], .. } = all;
    let mut steps = Steps::<V>::uninit();
    for step in 0..k {
        let (mut indices, mut elements, mut lane) = ([0; MAX_LANES], [T::ZERO; MAX_LANES], 0);
        for row in 0..together {
            for column in 0..columns {
                indices[lane] = (row * k + step) as u8;
                // SAFETY: guaranteed by the caller, for an element of B.
                elements[lane] = unsafe { *b.cast::<T>().wrapping_add(step * bk + column * bn) };
                lane += 1;
            }
        }
        // SAFETY: the caller guarantees the instructions; all indices are below the number of lanes, and there
        // is room for a step.
        unsafe {
            let both = [V::lane_indices(&indices), V::load(elements.as_ptr())];
            steps.as_mut_ptr().cast::<[V; 2]>().wrapping_add(step).write(both);
        }
    }
    steps
}

/// Computes `N` vectors of C with `rows` rows each.
///
/// # Safety
///
/// Same as [`all`], for these rows of A and C. There are `k` steps.
#[inline(always)]
unsafe fn vectors<T: Float, V: Vector<Element = T>, const N: usize>(
    [columns, k, rows]: [usize; 3],
    a: *const T,
    steps: *const [V; 2],
    c: *mut T,
    scale: &Scale<T>,
) {
    let (of_a, of_c) = (rows * k, rows * columns);
    // SAFETY: guaranteed by the caller.
    unsafe {
        let mut sums = [V::splat(T::ZERO); N];
        let (mut from, mut old) = (sums, sums);
        for (i, from) in from.iter_mut().enumerate() {
            *from = V::load_first(a.wrapping_add(i * of_a), of_a);
        }
        // All of C is read before any is written: a load waits for a masked store before it, if that would
        // overlap without the mask.
        if scale.reads() {
            for (i, old) in old.iter_mut().enumerate() {
                *old = V::load_first(c.wrapping_add(i * of_c), of_c);
            }
        }
        for step in 0..k {
            let [indices, elements] = *steps.wrapping_add(step);
            for (sum, from) in sums.iter_mut().zip(from) {
                *sum = from.permute(indices).mul_add(elements, *sum);
            }
        }
        for (i, (mut sum, old)) in sums.into_iter().zip(old).enumerate() {
            if matches!(scale.kind, Kind::Scale | Kind::ScaleAdd) {
                sum = V::splat(scale.alpha).mul(sum);
            }
            if scale.reads() {
                sum = V::splat(scale.beta).mul_add(old, sum);
            }
            sum.store_first(c.wrapping_add(i * of_c), of_c);
        }
    }
}
