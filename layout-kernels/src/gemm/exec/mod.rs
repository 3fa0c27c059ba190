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

use crate::gemm::exec::arguments::{Arguments, Finish, Finished, all};
#[cfg(feature = "std")]
use crate::gemm::exec::blocked::Blocked;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::Way;
use crate::gemm::plan::grid::pieces;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::extent;
use crate::gemm::problem::strided::Strided;
use crate::par::Par;
use crate::simd::Level;

/// Whether there are blocks, for which memory is needed, for what does not pay to be made
/// [at once](unblocked).
const BLOCKS: bool = cfg!(feature = "std");

/// The kernels of a level.
type Of<X, Y, T> = fn(Level) -> &'static Kernels<X, Y, T>;

/// `C = alpha * A * B + beta * C`, for each product of a batch; the kernels are those of a level, for
/// this product and for the transposed one.
///
/// # Safety
///
/// Elements of A and B can be read, and of C read and written, at every offset of the layouts, which
/// make a product, from the first elements of each product of the batch on. Those of C are different
/// ones in each, and nothing else accesses them meanwhile.
pub(crate) unsafe fn run<X: Multiply<Y>, Y>(
    level: Level,
    arguments: &Arguments<'_, X, Y, X::Sum>,
    kernels: Of<X, Y, X::Sum>,
    turned: Of<Y, X, X::Sum>,
) where
    Y: Copy + Send + Sync,
{
    let Arguments { layouts, scale, par, .. } = *arguments;
    let [a, b, c] = layouts;
    let [m, n, k] = [extent(a, 0), extent(b, 1), extent(a, 1)];
    // What is left has nothing to add, so that C is only scaled.
    let adds = scale.alpha != X::Sum::ZERO && m > 0 && n > 0 && k > 0;
    let flat = Strided::of(layouts.map(DynLayout::as_matrix)).filter(|_| adds);
    #[cfg(feature = "std")]
    let planned = std::sync::OnceLock::new();
    let one = |index: usize, par: Par| {
        let (first_a, first_b, first_c) = arguments.of_product(index);
        let told = |part: &Finished<'_, X::Sum>| {
            if let Some(finish) = arguments.finish {
                finish(index, part);
            }
        };
        let finish: Option<Finish<'_, X::Sum>> =
            if arguments.finish.is_some() { Some(&told) } else { None };
        let matrices = Matrices { level, scale, a: first_a, b: first_b, c: first_c, finish };
        // SAFETY: as required here, for one product.
        unsafe {
            if let Some(flat) = &flat
                && unblocked::run(flat, &matrices, || kernels(level), || turned(level), par)
            {
                return;
            }
            // Blocks are packed into memory of the heap.
            #[cfg(feature = "std")]
            if adds {
                let lanes = kernels(level).lanes;
                let planned = planned.get_or_init(|| Blocked::new(layouts, lanes));
                return planned.run(&matrices, kernels, turned, par);
            }
            elements::run(layouts, &matrices);
        }
        if let Some(finish) = finish {
            all(&Mode::of(c, 0), &Mode::of(c, 1), first_c, finish);
        }
    };
    let products = arguments.products();
    let work = m.saturating_mul(n).saturating_mul(k).saturating_mul(products);
    let threads = pieces(work, par.threads());
    if products < threads || threads == 1 {
        for index in 0..products {
            one(index, par);
        }
    } else {
        par.each(threads, |i| {
            for index in products * i / threads..products * (i + 1) / threads {
                one(index, Par::Sequential);
            }
        });
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
