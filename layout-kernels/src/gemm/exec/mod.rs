//! Products of layouts that are not all static, or that are large: which kernel makes them.

pub(crate) mod arguments;
pub(crate) mod batches;
#[cfg(feature = "std")]
pub(crate) mod blocked;
pub(crate) mod elements;
pub(crate) mod inner_products;
#[cfg(feature = "std")]
mod macro_kernel;
#[cfg(feature = "std")]
mod scratch;
pub(crate) mod tiling;
pub(crate) mod unblocked;

use layout_core::engine::DynLayout;

use crate::gemm::exec::arguments::{Arguments, all};
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::Way;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::extent;
use crate::simd::Level;

/// Whether there are blocks, for which memory is needed, for what does not pay to be made
/// [at once](unblocked).
const BLOCKS: bool = cfg!(feature = "std");

/// The kernels of a level.
type Of<X, Y, T> = fn(Level) -> &'static Kernels<X, Y, T>;

/// `C = alpha * A * B + beta * C`, when it is not made [at once](unblocked); the kernels are those of a
/// level, for this product and for the transposed one.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts,
/// which make a product; nothing else accesses C meanwhile.
pub(crate) unsafe fn run<X: Multiply<Y>, Y>(
    level: Level,
    job: &Arguments<'_, X, Y, X::Sum>,
    kernels: Of<X, Y, X::Sum>,
    turned: Of<Y, X, X::Sum>,
) where
    Y: Copy + Send + Sync,
{
    let [a, b, c] = job.layouts;
    let empty = extent(a, 0) == 0 || extent(a, 1) == 0 || extent(b, 1) == 0;
    // Blocks are packed into memory of the heap. What is left has nothing to add, so that C is only
    // scaled.
    if BLOCKS && job.scale.alpha != X::Sum::ZERO && !empty {
        #[cfg(feature = "std")]
        // SAFETY: the caller's promise.
        return unsafe { blocked::run(level, job, kernels, turned) };
    }
    #[cfg(not(feature = "std"))]
    let _ = (level, kernels, turned);
    // SAFETY: the caller's promise.
    unsafe { elements::run(job) };
    if let Some(finish) = job.finish {
        all(&Mode::of(c, 0), &Mode::of(c, 1), job.c, finish);
    }
}

/// How a product of layouts that are values is made.
pub(crate) fn way<X: 'static, Y: 'static, T>(
    level: Level,
    layouts: [&DynLayout; 3],
    kernels: Of<X, Y, T>,
    turned: Of<Y, X, T>,
) -> Way {
    let (kernels, turned) = (kernels(level), turned(level));
    match unblocked::way(layouts, kernels, turned) {
        Some(direct) => Way::Direct(direct),
        #[cfg(feature = "std")]
        None => Way::Blocks(blocked::way(layouts, kernels, turned)),
        #[cfg(not(feature = "std"))]
        None => Way::Plain,
    }
}
