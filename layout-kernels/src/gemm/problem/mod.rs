//! `Problem`: what a plan depends on. The modes of the three layouts, and their offset functions.

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

/// A batch loop: its extent, and its strides in A, B and C in elements.
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
