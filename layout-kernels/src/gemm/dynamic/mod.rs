//! Products of layouts that are not all static, or that are large: which kernel makes them.

#[cfg(feature = "std")]
pub(crate) mod along;
#[cfg(feature = "std")]
pub(crate) mod batches;
#[cfg(feature = "std")]
pub(crate) mod blocked;
#[cfg(feature = "std")]
pub(crate) mod blocking;
#[cfg(all(feature = "std", feature = "half"))]
pub(crate) mod brain;
#[cfg(feature = "std")]
pub(crate) mod bytes;
#[cfg(feature = "std")]
pub(crate) mod cuts;
#[cfg(feature = "std")]
pub(crate) mod direct;
pub(crate) mod dot;
#[cfg(feature = "std")]
pub(crate) mod dots;
#[cfg(feature = "std")]
pub(crate) mod flat;
#[cfg(feature = "std")]
pub(crate) mod grid;
pub(crate) mod job;
#[cfg(feature = "std")]
pub(crate) mod kernels;
#[cfg(feature = "std")]
pub(crate) mod linear;
#[cfg(feature = "std")]
pub(crate) mod micro;
#[cfg(feature = "std")]
pub(crate) mod operands;
#[cfg(feature = "std")]
pub(crate) mod panels;
pub(crate) mod plain;
#[cfg(feature = "std")]
pub(crate) mod scratch;
#[cfg(feature = "std")]
pub(crate) mod slab;
#[cfg(feature = "std")]
pub(crate) mod tiling;

use crate::gemm::dynamic::job::{Job, all};
#[cfg(feature = "std")]
use crate::gemm::dynamic::kernels::Kernels;
#[cfg(feature = "std")]
use crate::gemm::float::sealed::Sum;
use crate::gemm::mode::Mode;
use crate::gemm::modes::extent;
use crate::gemm::multiply::Multiply;
use crate::simd::Level;

/// `C = alpha * A * B + beta * C`; the kernels are those of a level, for this product and for the
/// transposed one.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts,
/// which make a product; nothing else accesses C meanwhile.
pub(crate) unsafe fn run<X: Multiply<Y>, Y>(
    level: Level,
    job: &Job<'_, X, Y, X::Sum>,
    #[cfg(feature = "std")] kernels: fn(Level) -> &'static Kernels<X, Y, X::Sum>,
    #[cfg(feature = "std")] turned: fn(Level) -> &'static Kernels<Y, X, X::Sum>,
) where
    Y: Copy + Send + Sync,
{
    let [a, b, c] = job.layouts;
    let empty = extent(a, 0) == 0 || extent(a, 1) == 0 || extent(b, 1) == 0;
    // Packing needs memory. What is left has nothing to add, so that C is only scaled.
    #[cfg(feature = "std")]
    if job.scale.alpha != X::Sum::ZERO && !empty {
        // SAFETY: the caller's promise.
        unsafe { blocked::run(level, job, kernels, turned) };
        return;
    }
    let _ = (level, empty);
    // SAFETY: the caller's promise.
    unsafe { plain::run(job) };
    if let Some(finish) = job.finish {
        all(&Mode::of(c, 0), &Mode::of(c, 1), job.c, finish);
    }
}
