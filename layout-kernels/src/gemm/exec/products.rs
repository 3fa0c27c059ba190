//! Runs a `ProductPlan`: product after product of a batch, or several with one call of a kernel.

use core::array;
use core::ops::Range;

use crate::gemm::exec::arguments::{Arguments, Finish, Finished};
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::exec::{ElementKernels, unblocked};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::product::{Method, ProductPlan};
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::Problem;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::AnyScale;
use crate::par::{Par, part_of};
use crate::simd::cache::Caches;
use crate::transpose::prefetch_bytes;

impl ProductPlan {
    /// Computes all products.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run). The problem is that of the arguments, and the plan that of the
    /// problem and the kernels.
    pub(crate) unsafe fn run(
        &self,
        arguments: &Arguments<'_>,
        problem: &Problem<'_>,
        elements: &ElementKernels,
    ) {
        let run = |first: AnyScale<'_>, later: AnyScale<'_>| {
            let Problem { products, threads: [threads, _], .. } = *problem;
            let ahead = Ahead::new(problem, elements.shapes()[0]);
            let [among, within] = arguments.sharing();
            let single_call = self.single_call().filter(|_| within == Par::Sequential);
            among.for_each(threads, |i| {
                let range = part_of(products, i, threads);
                if let Some(plan) = single_call {
                    // SAFETY: guaranteed by the caller, for these products.
                    return unsafe { run_single_calls(plan, range, ahead, arguments, elements) };
                }
                for index in range {
                    if let Some(ahead) = ahead {
                        ahead.prefetch(arguments, index);
                    }
                    let scales = [first, later];
                    // SAFETY: guaranteed by the caller, for one product.
                    unsafe { self.run_one(index, arguments, problem, elements, scales, within) };
                }
            });
        };
        // SAFETY: guaranteed by the caller.
        unsafe { (elements.kernels[0].with_scales)(arguments.scale, self.multiplicity(), &run) };
    }

    /// Computes the product of an index on the threads of `par`. The scales are those of its first block
    /// along K and of later ones.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    unsafe fn run_one(
        &self,
        index: usize,
        arguments: &Arguments<'_>,
        problem: &Problem<'_>,
        elements: &ElementKernels,
        scales: [AnyScale<'_>; 2],
        par: Par,
    ) {
        let Arguments { layouts, .. } = *arguments;
        let (a, b, c) = arguments.of_product(index);
        let report = |part: &Finished<'_>| {
            if let Some(finish) = arguments.finish {
                finish(index, part);
            }
        };
        let finish: Option<Finish<'_>> = arguments.finish.map(|_| &report as _);
        let parts = finish.filter(|_| self.reports_parts());
        let matrices = Matrices { level: elements.level, scale: scales[0], a, b, c, finish: parts };
        let kernels = elements.kernels;
        // SAFETY: guaranteed by the caller.
        let multiply = |matrices: &Matrices<'_>| unsafe {
            match &self.method {
                Method::Plain => (elements.plain)(layouts, matrices),
                Method::Unblocked(plan) => unblocked::run(plan, matrices, kernels, par),
                #[cfg(feature = "std")]
                Method::Blocked(plan) => plan.run(matrices, scales[1], kernels, par),
            }
        };
        match self.copies.is_needed() {
            false => multiply(&matrices),
            true => {
                // SAFETY: guaranteed by the caller.
                unsafe { self.copies.run(problem, elements.shapes()[0], &matrices, multiply) };
            }
        }
        if !self.reports_parts()
            && let Some(finish) = finish
        {
            Finished::with_all(layouts[2], c, finish);
        }
    }
}

/// Maximum bytes of C that are computed before their elements are finished: they are still in L1.
const FINISHED_BYTES: usize = 16 << 10;

/// Computes the products of a range of indices, each with a single call: one call for as many as have constant
/// strides. (f32 4x4x4 in L1: 37 ns each with a call for each, 9 with this.)
///
/// # Safety
///
/// Same as [`ProductPlan::run`], for these products.
unsafe fn run_single_calls(
    plan: &Unblocked,
    range: Range<usize>,
    ahead: Option<Ahead>,
    arguments: &Arguments<'_>,
    elements: &ElementKernels,
) {
    let (extent, strides) = arguments.batch.first().copied().unwrap_or((1, [0; 3]));
    let strides = array::from_fn(|i| strides[i].wrapping_mul(arguments.sizes[i]));
    // Few prefetches at a time: a quarter of what is on its way. (8x8x8 from memory: 60 ns with a call for each
    // product, 37 with this, 46 if all is prefetched at a time.)
    let most = ahead.map_or(usize::MAX, |ahead| (ahead.products / 4).max(1));
    let Strided { m, n, cm, cn, .. } = plan.strided;
    let most = match arguments.finish {
        Some(_) => most.min(FINISHED_BYTES / (m * n * arguments.sizes[2])).max(1),
        None => most,
    };
    let mut index = range.start;
    while index < range.end {
        let count = (extent - index % extent).min(range.end - index).min(most);
        if let Some(ahead) = ahead {
            (index..index + count).for_each(|index| ahead.prefetch(arguments, index));
        }
        let (a, b, c) = arguments.of_product(index);
        // Without cache blocking, each product counts once: the scale is that of the arguments.
        let (level, scale) = (elements.level, arguments.scale);
        let matrices = Matrices { level, scale, a, b, c, finish: None };
        // SAFETY: guaranteed by the caller.
        unsafe { unblocked::run_batch(plan, &matrices, elements.kernels, (count, strides)) };
        if let Some(finish) = arguments.finish {
            for i in 0..count {
                let report = |part: &Finished<'_>| finish(index + i, part);
                let c = c.wrapping_add(i * strides[2]);
                Finished::report(c, &report, [cm, cn], (0..m, 0..n), plan.transposed);
            }
        }
        index += count;
    }
}

/// What each product of a batch prefetches: the operands of a later product.
///
/// Stores of C wait for their cache lines, one after the other, and fill the store buffer. Then nothing else
/// goes on. And products of a few lines end before the hardware prefetcher has started. (f32 from memory: 8x8x8
/// 12 GFLOP/s without, 29 with it; 12x12x12 19 and 62; 16x16x16 56 and 64; 24x24x24 56 and 90.)
#[derive(Clone, Copy)]
struct Ahead {
    /// How many products later.
    products: usize,
    /// Bytes of A, B and C from their first elements on.
    bytes: [usize; 3],
}

impl Ahead {
    /// Only C is prefetched of products with more bytes than this: many lines at a time delay the loads of the
    /// product itself. (f32 32x32x32: 92 GFLOP/s without, 105 with C, 53 with all operands.)
    const SMALL_BYTES: usize = 2 << 10;

    /// Nothing is prefetched of products with more bytes than this: their tiles do so.
    const MAX_BYTES: usize = 16 << 10;

    /// Bytes from a product to the one that it prefetches.
    const DISTANCE: usize = 8 << 10;

    /// `None` for a batch that fits in cache, and for operands that are far from dense.
    fn new(problem: &Problem<'_>, shapes: &Shapes) -> Option<Self> {
        let Problem { layouts, extents: [m, n, k], products, .. } = *problem;
        let sizes = shapes.operand_bytes();
        let bytes_of = |elements: [usize; 3]| {
            array::from_fn::<usize, 3, _>(|i| elements[i].saturating_mul(sizes[i]))
        };
        let sum = |bytes: [usize; 3]| bytes.into_iter().fold(0, usize::saturating_add);
        let elements = [(m, k), (k, n), (m, n)].map(|(x, y)| x.saturating_mul(y));
        if products == 1 || sum(bytes_of(elements)).saturating_mul(products) <= Caches::DEFAULT.l2 {
            return None;
        }
        let bytes = bytes_of(layouts.map(|layout| layout.reach()));
        let all = sum(bytes);
        if all > Self::MAX_BYTES {
            return None;
        }
        let bytes = if all <= Self::SMALL_BYTES { bytes } else { [0, 0, bytes[2]] };
        Some(Self { products: (Self::DISTANCE / all.max(1)).max(1), bytes })
    }

    /// Prefetches for the product of an index.
    #[inline(always)]
    fn prefetch(self, arguments: &Arguments<'_>, index: usize) {
        let [of_a, of_b, of_c] = self.bytes;
        // Past the last product, these are other addresses, which may be prefetched, too.
        let (a, b, c) = arguments.of_product(index + self.products);
        prefetch_bytes(a, of_a);
        prefetch_bytes(b, of_b);
        prefetch_bytes(c, of_c);
    }
}

#[cfg(all(test, feature = "std"))]
#[path = "products_tests.rs"]
mod tests;
