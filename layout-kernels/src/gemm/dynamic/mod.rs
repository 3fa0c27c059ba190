//! Products of layouts that are not all static, or that are large: which kernel makes them.

#[cfg_attr(not(feature = "std"), expect(dead_code, reason = "blocks ask more than packing"))]
pub(crate) mod along;
pub(crate) mod batches;
#[cfg(feature = "half")]
pub(crate) mod brain;
pub(crate) mod bytes;
pub(crate) mod cuts;
pub(crate) mod direct;
pub(crate) mod dot;
pub(crate) mod dots;
pub(crate) mod flat;
pub(crate) mod grid;
pub(crate) mod job;
pub(crate) mod kernels;
pub(crate) mod linear;
pub(crate) mod panels;
pub(crate) mod plain;
pub(crate) mod stays;
pub(crate) mod tiling;

use layout_core::engine::DynLayout;

#[cfg(feature = "std")]
use crate::gemm::blocked;
use crate::gemm::describe::Way;
use crate::gemm::dynamic::job::{Job, all};
use crate::gemm::dynamic::kernels::Kernels;
use crate::gemm::float::sealed::Sum;
use crate::gemm::mode::Mode;
use crate::gemm::modes::extent;
use crate::gemm::multiply::Multiply;
use crate::simd::Level;

/// Whether there are blocks, for which memory is needed, for what does not pay to be made
/// [at once](direct).
const BLOCKS: bool = cfg!(feature = "std");

/// The kernels of a level.
type Of<X, Y, T> = fn(Level) -> &'static Kernels<X, Y, T>;

/// `C = alpha * A * B + beta * C`, when it is not made [at once](direct); the kernels are those of a
/// level, for this product and for the transposed one.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts,
/// which make a product; nothing else accesses C meanwhile.
pub(crate) unsafe fn run<X: Multiply<Y>, Y>(
    level: Level,
    job: &Job<'_, X, Y, X::Sum>,
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
    unsafe { plain::run(job) };
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
    match direct::way(layouts, kernels, turned) {
        Some(direct) => Way::Direct(direct),
        #[cfg(feature = "std")]
        None => Way::Blocks(blocked::way(layouts, kernels, turned)),
        #[cfg(not(feature = "std"))]
        None => Way::Plain,
    }
}
