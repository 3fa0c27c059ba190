//! Products of layouts that are not all static, or that are large: which kernel makes them.

#[cfg(feature = "std")]
use crate::gemm::float::sealed::Sum;
use crate::gemm::job::{Job, all};
#[cfg(feature = "std")]
use crate::gemm::micro::Kernels;
use crate::gemm::mode::Mode;
use crate::gemm::modes::extent;
use crate::gemm::multiply::Multiply;
use crate::gemm::plain;
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
        unsafe { crate::gemm::blocked::run(level, job, kernels, turned) };
        return;
    }
    let _ = (level, empty);
    // SAFETY: the caller's promise.
    unsafe { plain::run(job) };
    if let Some(finish) = job.finish {
        all(&Mode::of(c, 0), &Mode::of(c, 1), job.c, finish);
    }
}
