//! How a product is computed: the decisions that [`exec`](super::exec) carries out.

#[cfg(feature = "std")]
pub(crate) mod blocks;
#[cfg(feature = "std")]
pub(crate) mod boxes;
#[cfg(feature = "std")]
pub(crate) mod cache_blocking;
#[cfg(feature = "std")]
pub(crate) mod columns;
#[cfg(feature = "std")]
mod copied;
#[cfg(feature = "std")]
pub(crate) mod cuts;
pub(crate) mod dense;
pub(crate) mod grid;
pub(crate) mod inner_products;
pub(crate) mod nested;
pub(crate) mod packing_policy;
pub(crate) mod partition;
pub(crate) mod product;
pub(crate) mod short_rows;
pub(crate) mod tiles;
pub(crate) mod unblocked;

use core::fmt;

use crate::gemm::kernel::shapes::Shapes;
#[cfg(feature = "std")]
use crate::gemm::plan::boxes::Boxes;
use crate::gemm::plan::product::ProductPlan;
use crate::gemm::problem::Problem;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::modes::extents;
use crate::gemm::problem::strided::Strided;

/// Whether cache blocking is available. It needs heap memory.
pub(crate) const HAS_CACHE_BLOCKING: bool = cfg!(feature = "std");

/// Maximum number of bytes of an operand that is packed into one panel. Without heap memory, it is
/// packed on the stack.
pub(crate) const PACKED_BYTES: usize = if HAS_CACHE_BLOCKING { 128 << 10 } else { 32 << 10 };

/// How a product, or a batch of products, is computed.
#[derive(Clone)]
pub(crate) enum Strategy {
    /// Each product by this plan.
    Each(ProductPlan),
    /// In boxes whose operands are copied.
    #[cfg(feature = "std")]
    Boxed(Boxes),
}

impl Strategy {
    /// One element of C after the other.
    pub(crate) const PLAIN: Self = Self::Each(ProductPlan::PLAIN);

    /// Chooses how to compute products that add something.
    pub(crate) fn new(problem: &Problem<'_>, shapes: [&Shapes; 2]) -> Self {
        if let Some(plan) = ProductPlan::small(problem, problem.products, shapes) {
            return Self::Each(plan);
        }
        #[cfg(feature = "std")]
        if let Some(boxes) = Boxes::new(problem, shapes[0]) {
            return Self::Boxed(boxes);
        }
        Self::Each(ProductPlan::new(problem, shapes))
    }

    /// Chooses how to compute one product on one thread whose operands start at cache lines, if C is not read.
    pub(crate) fn of_layouts(layouts: [MatrixLayout<'_>; 3], shapes: [&Shapes; 2]) -> Self {
        if Strided::of_layouts(&layouts).is_some_and(|strided| strided.is_tiny(shapes[0])) {
            return Self::PLAIN;
        }
        let problem = Problem {
            layouts,
            extents: extents(&layouts),
            batch: &[],
            products: 1,
            starts: [0; 2],
            threads: [1; 2],
            reads_c: false,
        };
        Self::new(&problem, shapes)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Each(plan) => plan.fmt(f),
            #[cfg(feature = "std")]
            Self::Boxed(boxes) => boxes.fmt(f),
        }
    }
}

/// If `transposed`, prints that the transposed product is computed.
pub(crate) fn fmt_transposed(transposed: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match transposed {
        true => f.write_str(", transposed for contiguous C"),
        false => Ok(()),
    }
}

/// Prints how many products each lane adds per step, if more than one.
pub(crate) fn fmt_depth(depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if depth > 1 { write!(f, ", {depth} products in each lane") } else { Ok(()) }
}
