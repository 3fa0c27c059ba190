//! `Planned`: the plan of a batch of products that are not computed in boxes.

use crate::gemm::exec::arguments::{Arguments, Finish, Finished};
#[cfg(feature = "std")]
use crate::gemm::exec::blocked::Blocked;
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::exec::{naive, unblocked};
use crate::gemm::float::sealed::Sum as _;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::dense::Dense;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::par::part_of;
use crate::simd::Level;

/// How each product of a batch is computed.
pub(crate) enum Planned {
    /// One element of C after the other: if there is nothing to add, and without heap memory.
    Plain,
    /// Without cache blocking.
    Unblocked(Unblocked),
    /// Over dense copies of small operands.
    Dense(Dense),
    /// With cache blocking. Blocks are packed into heap memory.
    #[cfg(feature = "std")]
    Blocked(Blocked),
}

impl Planned {
    /// Plans products that add something. The operands of the first one start at `starts`. `kernels` are
    /// those of the product and of the transposed product; `reads_c` is whether `beta` is not 0.
    pub(crate) fn new(
        layouts: [MatrixLayout<'_>; 3],
        extents: [usize; 3],
        starts: [*const u8; 2],
        kernels: [&Kernels; 2],
        threads: usize,
        #[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "for cache blocking"))]
        reads_c: bool,
    ) -> Self {
        let shapes = kernels.map(|kernels| &kernels.shapes);
        let strided = Strided::of_layouts(&layouts);
        if let Some(strided) = strided
            && let Some(plan) = Unblocked::new(&strided, starts, shapes, threads)
        {
            return Self::Unblocked(plan);
        }
        if let Some(dense) = Dense::new(layouts, extents, shapes, [1, threads]) {
            return Self::Dense(dense);
        }
        #[cfg(feature = "std")]
        return Self::Blocked(Blocked::new(layouts, starts, shapes, reads_c));
        #[cfg(not(feature = "std"))]
        Self::Plain
    }

    /// How often each product `A(m,k) * B(k,n)` counts, because of broadcast axes along K.
    fn multiplicity(&self) -> usize {
        match self {
            Self::Plain | Self::Unblocked(_) | Self::Dense(_) => 1,
            #[cfg(feature = "std")]
            Self::Blocked(blocked) => blocked.multiplicity(),
        }
    }

    /// Whether finished parts of C are reported while a product is computed. If not, all of C is reported
    /// at the end.
    const fn reports_parts(&self) -> bool {
        match self {
            Self::Plain => false,
            Self::Dense(dense) => !dense.is_copied[2],
            _ => true,
        }
    }

    /// Computes all products.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run). The plan is that of the arguments and the kernels.
    pub(crate) unsafe fn run<X: Multiply<Y>, Y: Copy>(
        &self,
        level: Level,
        arguments: &Arguments<'_, X, Y, X::Sum>,
        kernels: [&Kernels; 2],
    ) {
        let Arguments { layouts, scale, .. } = *arguments;
        let (products, threads) = (arguments.products(), arguments.threads());
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
            unsafe {
                match self {
                    Self::Plain => naive::run(layouts, scale, (a, b, c)),
                    Self::Unblocked(plan) => unblocked::run(plan, &matrices, kernels, of_product),
                    Self::Dense(plan) => {
                        plan.run(layouts, &matrices, first.reads(), kernels, of_product);
                    }
                    #[cfg(feature = "std")]
                    Self::Blocked(plan) => plan.run(&matrices, later.any(), kernels, of_product),
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
