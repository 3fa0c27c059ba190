//! `Problem`: what a plan depends on. The modes of the three layouts, and their offset functions.

pub(crate) mod loops;
pub(crate) mod matrix;
pub(crate) mod mode;
pub(crate) mod modes;
#[cfg(feature = "std")]
pub(crate) mod offsets;
#[cfg(feature = "std")]
pub(crate) mod operands;
#[cfg(feature = "std")]
pub(crate) mod pieces;
#[cfg(feature = "std")]
pub(crate) mod steps;
pub(crate) mod strided;

use crate::gemm::problem::matrix::MatrixLayout;
use crate::list::List;

/// A loop over products or along K: its extent, and its strides in A, B and C in elements.
pub(crate) type Loop = (usize, [usize; 3]);

/// What a plan for a batch of products depends on.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) layouts: [MatrixLayout<'a>; 3],
    pub(crate) extents: [usize; 3],
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "used only with boxes"))]
    pub(crate) batch: &'a [Loop],
    /// Number of products in the batch.
    pub(crate) products: usize,
    /// Addresses of the first elements of A and B.
    pub(crate) starts: [usize; 2],
    /// Threads for the batch, and threads for each product.
    pub(crate) threads: [usize; 2],
    /// Whether C is read, that is, `beta` is not 0.
    pub(crate) reads_c: bool,
}

/// Calls `f` for each iteration of at most `MAX` nested loops, the fastest one first: with the offsets in
/// A, B and C, and the index of each loop.
#[inline(always)]
pub(crate) fn for_each_iteration<const MAX: usize>(
    loops: &[Loop],
    mut f: impl FnMut([usize; 3], &[usize]),
) {
    let [(inner, inner_strides), outer @ ..] = loops else { return f([0; 3], &[]) };
    if loops.iter().any(|&(extent, _)| extent == 0) {
        return;
    }
    let (mut at, mut start) = (List::<usize, MAX>::new(), [0usize; 3]);
    loops.iter().for_each(|_| at.push(0));
    let at = at.as_mut_slice();
    loop {
        let mut offsets = start;
        for i in 0..*inner {
            at[0] = i;
            f(offsets, at);
            for (offset, stride) in offsets.iter_mut().zip(inner_strides) {
                *offset += stride;
            }
        }
        let mut next = 0;
        loop {
            let Some(&(extent, strides)) = outer.get(next) else { return };
            next += 1;
            at[next] += 1;
            let back = if at[next] == extent { extent } else { 0 };
            for (start, stride) in start.iter_mut().zip(strides) {
                *start = *start + stride - back * stride;
            }
            if back == 0 {
                break;
            }
            at[next] = 0;
        }
    }
}
