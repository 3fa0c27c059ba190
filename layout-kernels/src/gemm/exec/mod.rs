//! Products of layouts that are not all static, or that are large: which kernel makes them.

pub(crate) mod arguments;
#[cfg(feature = "std")]
pub(crate) mod blocked;
pub(crate) mod elements;
pub(crate) mod inner_products;
#[cfg(feature = "std")]
mod macro_kernel;
#[cfg(feature = "std")]
mod scatter;
#[cfg(feature = "std")]
pub(crate) mod scratch;
pub(crate) mod tiling;
pub(crate) mod unblocked;

use core::ptr;

use layout_core::engine::DynLayout;

use crate::gemm::exec::arguments::{Arguments, Finish, Finished};
#[cfg(feature = "std")]
use crate::gemm::exec::blocked::Blocked;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::plan::{Way, grid};
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::extent;
use crate::gemm::problem::strided::Strided;
use crate::par::Par;
use crate::simd::Level;

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
pub(crate) unsafe fn run<X, Y, T: Sum>(
    level: Level,
    arguments: &Arguments<'_, X, Y, T>,
    kernels: Of<X, Y, T>,
    transposed: Of<Y, X, T>,
) where
    X: Copy + Send + Sync + 'static,
    Y: Copy + Send + Sync + 'static,
{
    let Arguments { layouts, scale, par, .. } = *arguments;
    let [a, b, c] = layouts;
    let [m, n, k] = [extent(a, 0), extent(b, 1), extent(a, 1)];
    let products = arguments.products();
    let work = m.saturating_mul(n).saturating_mul(k).saturating_mul(products);
    let threads = grid::pieces(work, par.threads());
    // Threads share a product only if there are too few for each.
    let (outer, inner) = match products >= threads {
        true => (par, Par::Sequential),
        false => (Par::Sequential, par),
    };
    let (kernels, transposed) = (|| kernels(level), || transposed(level));
    // Otherwise C is only scaled.
    let adds = scale.alpha != T::ZERO && m > 0 && n > 0 && k > 0;
    let starts = (arguments.a, arguments.b);
    let unblocked = Strided::of(layouts.map(DynLayout::as_matrix))
        .filter(|_| adds)
        .and_then(|strided| Unblocked::new(&strided, starts, kernels, transposed, inner.threads()));
    // Blocks are packed into memory of the heap.
    #[cfg(feature = "std")]
    let blocked =
        (adds && unblocked.is_none()).then(|| Blocked::new(layouts, starts, kernels(), transposed));
    let one = |index: usize| {
        let (a, b, first) = arguments.of_product(index);
        let told = |part: &Finished<'_, T>| {
            if let Some(finish) = arguments.finish {
                finish(index, part);
            }
        };
        let finish: Option<Finish<'_, T>> =
            if arguments.finish.is_some() { Some(&told) } else { None };
        let matrices = Matrices { level, scale, a, b, c: first, finish };
        // SAFETY: as required here, for one product.
        unsafe {
            if let Some(plan) = &unblocked {
                return unblocked::run(plan, &matrices, kernels, transposed, inner);
            }
            #[cfg(feature = "std")]
            if let Some(blocked) = &blocked {
                return blocked.run(&matrices, kernels, transposed, inner);
            }
            elements::run(layouts, &matrices, kernels().times);
        }
        if let Some(finish) = finish {
            let (m, n) = (Mode::of(c, 0), Mode::of(c, 1));
            finish(&Finished::all([&m, &n], first, &|i| m.offset(i), &|i| n.offset(i)));
        }
    };
    if outer.threads() == 1 {
        (0..products).for_each(one);
    } else {
        outer.each(threads, |i| {
            (products * i / threads..products * (i + 1) / threads).for_each(one);
        });
    }
}

/// Makes a product of strided matrices that is not empty without blocks, if that pays; says whether it
/// did.
///
/// # Safety
///
/// As [`run`], for one product.
#[inline(always)]
pub(crate) unsafe fn at_once<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    level: Level,
    strided: &Strided,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: Of<X, Y, T>,
    transposed: Of<Y, X, T>,
    par: Par,
) -> bool {
    let (kernels, transposed) = (|| kernels(level), || transposed(level));
    let starts = (matrices.a, matrices.b);
    let plan = Unblocked::new(strided, starts, kernels, transposed, par.threads());
    if let Some(plan) = &plan {
        // SAFETY: as required here.
        unsafe { unblocked::run(plan, matrices, kernels, transposed, par) };
    }
    plan.is_some()
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
        None => Way::Blocks(Blocked::new(layouts, starts, kernels(), transposed).plan),
        #[cfg(not(feature = "std"))]
        None => Way::Plain,
    }
}
