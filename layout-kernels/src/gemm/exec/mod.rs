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

use core::ptr;

use layout_core::engine::DynLayout;

use crate::gemm::exec::arguments::{Arguments, all};
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::plan::{BLOCKS, Way};
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::extent;
use crate::gemm::problem::strided::Strided;
use crate::simd::Level;

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
        // SAFETY: as required here.
        return unsafe { blocked::run(level, job, kernels, turned) };
    }
    #[cfg(not(feature = "std"))]
    let _ = (level, kernels, turned);
    // SAFETY: as required here.
    unsafe { elements::run(job) };
    if let Some(finish) = job.finish {
        all(&Mode::of(c, 0), &Mode::of(c, 1), job.c, finish);
    }
}

/// How a product of layouts that are values is made, whose operands start at cache lines.
pub(crate) fn way<X: 'static, Y: 'static, T>(
    level: Level,
    layouts: [&DynLayout; 3],
    kernels: Of<X, Y, T>,
    transposed: Of<Y, X, T>,
) -> Way {
    let (kernels, transposed) = (|| kernels(level), || transposed(level));
    let starts = (ptr::null::<X>(), ptr::null::<Y>());
    let plan = Strided::of(layouts.map(DynLayout::as_matrix))
        .and_then(|strided| Unblocked::new(&strided, starts, kernels, transposed, 1));
    match plan {
        Some(plan) => Way::Unblocked(plan),
        #[cfg(feature = "std")]
        None => Way::Blocks(blocked::first_plan(layouts, starts, kernels(), transposed)),
        #[cfg(not(feature = "std"))]
        None => Way::Plain,
    }
}
