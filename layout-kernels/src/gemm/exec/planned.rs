//! `Planned`: the plan of a batch of products that are not computed in boxes.

#[cfg(feature = "std")]
use core::array;

use crate::gemm::exec::arguments::{Arguments, Finish, Finished};
#[cfg(feature = "std")]
use crate::gemm::exec::blocked::Blocked;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::exec::{naive, unblocked};
use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::dense::DenseCopies;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::Problem;
#[cfg(feature = "std")]
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::par::part_of;
use crate::simd::Level;

/// How each product of a batch is computed.
pub(crate) struct Planned {
    /// The operands that are copied first.
    pub(crate) copies: DenseCopies,
    /// The product of the copies and of the operands in place.
    pub(crate) product: Product,
}

/// How a product is computed.
pub(crate) enum Product {
    /// One element of C after the other: if there is nothing to add, and without heap memory.
    Plain,
    /// Without cache blocking.
    Unblocked(Unblocked),
    /// With cache blocking. Blocks are packed into heap memory.
    #[cfg(feature = "std")]
    Blocked(Blocked),
}

impl Planned {
    /// One element of C after the other.
    pub(crate) const PLAIN: Self = Self { copies: DenseCopies::NONE, product: Product::Plain };

    /// Plans products that add something. `kernels` are those of the product and of the transposed product.
    pub(crate) fn new(problem: &Problem<'_>, kernels: [&Kernels; 2]) -> Self {
        let shapes = kernels.map(|kernels| &kernels.shapes);
        let Problem { layouts, starts, threads: [_, threads], .. } = *problem;
        if let Some(strided) = Strided::of_layouts(&layouts)
            && let Some(plan) = Unblocked::new(&strided, starts, shapes, threads)
        {
            return Self { copies: DenseCopies::NONE, product: Product::Unblocked(plan) };
        }
        if let Some(small) = Self::small(problem, 1, shapes) {
            return small;
        }
        #[cfg(feature = "std")]
        return Self::blocked(problem, shapes);
        #[cfg(not(feature = "std"))]
        Self::PLAIN
    }

    /// Plans `products` small products over dense copies, see [`DenseCopies::of_small`].
    pub(crate) fn small(
        problem: &Problem<'_>,
        products: usize,
        shapes: [&Shapes; 2],
    ) -> Option<Self> {
        let (copies, product) = DenseCopies::of_small(problem, products, shapes)?;
        Some(Self { copies, product: Product::Unblocked(product) })
    }

    /// [`new`](Self::new) with cache blocking, over copies if that is not possible in place.
    #[cfg(feature = "std")]
    pub(crate) fn blocked(problem: &Problem<'_>, shapes: [&Shapes; 2]) -> Self {
        if let Some(plan) = Blocked::new(problem, shapes) {
            return Self { copies: DenseCopies::NONE, product: Product::Blocked(plan) };
        }
        let copies = DenseCopies::of_large(problem);
        let matrices = copies.matrices(problem.extents);
        let layouts = array::from_fn(|i| match copies.is_copied[i] {
            true => MatrixLayout::strided(&matrices[i]),
            false => problem.layouts[i],
        });
        let Some(plan) = Blocked::new(&Problem { layouts, starts: [0; 2], ..*problem }, shapes)
        else {
            unreachable!("a dense C has vectors, and common axes with any other matrix")
        };
        Self { copies, product: Product::Blocked(plan) }
    }

    /// How often each product `A(m,k) * B(k,n)` counts, because of broadcast axes along K.
    fn multiplicity(&self) -> usize {
        match &self.product {
            Product::Plain | Product::Unblocked(_) => 1,
            #[cfg(feature = "std")]
            Product::Blocked(blocked) => blocked.multiplicity(),
        }
    }

    /// Whether finished parts of C are reported while a product is computed. If not, all of C is reported
    /// at the end.
    const fn reports_parts(&self) -> bool {
        !matches!(self.product, Product::Plain) && !self.copies.is_copied[2]
    }

    /// Computes all products.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run). The problem is that of the arguments, and the plan that of the
    /// problem and the kernels.
    pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy>(
        &self,
        level: Level,
        arguments: &Arguments<'_, X, Y, X::Sum>,
        problem: &Problem<'_>,
        kernels: [&Kernels; 2],
    ) {
        let Arguments { layouts, scale, .. } = *arguments;
        let Problem { products, threads: [threads, _], .. } = *problem;
        let [of_batch, of_product] = arguments.sharing();
        let first = Scale::new(scale.alpha.scaled_by(self.multiplicity()), scale.beta);
        #[cfg(feature = "std")]
        let later = first.later();
        let run_one = |index: usize| {
            let (a, b, c) = arguments.of_product(index);
            let report = |part: &Finished<'_>| {
                if let Some(finish) = arguments.finish {
                    finish(index, part);
                }
            };
            let finish: Option<Finish<'_>> = arguments.finish.map(|_| &report as _);
            let parts = finish.filter(|_| self.reports_parts());
            let matrices = Matrices::new(level, &first, (a, b, c), parts);
            // SAFETY: guaranteed by the caller, for one product.
            let multiply = |matrices: &Matrices<'_>| unsafe {
                match &self.product {
                    Product::Plain => naive::run(layouts, scale, (a, b, c)),
                    Product::Unblocked(plan) => unblocked::run(plan, matrices, kernels, of_product),
                    #[cfg(feature = "std")]
                    Product::Blocked(plan) => plan.run(matrices, later.any(), kernels, of_product),
                }
            };
            match self.copies.is_needed() {
                false => multiply(&matrices),
                true => {
                    // SAFETY: guaranteed by the caller.
                    unsafe { self.copies.run(problem, &kernels[0].shapes, &matrices, multiply) };
                }
            }
            if !self.reports_parts()
                && let Some(finish) = finish
            {
                Finished::with_all(layouts[2], c.cast(), finish);
            }
        };
        of_batch.for_each(threads, |i| part_of(products, i, threads).for_each(run_one));
    }
}

#[cfg(all(test, feature = "std"))]
#[path = "planned_tests.rs"]
mod tests;
