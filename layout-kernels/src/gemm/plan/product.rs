//! `ProductPlan`: the plan of a product that is not computed in boxes.

#[cfg(feature = "std")]
use core::array;
use core::fmt;

use crate::gemm::kernel::shapes::Shapes;
#[cfg(feature = "std")]
use crate::gemm::plan::blocks::BlockedPlan;
use crate::gemm::plan::dense::DenseCopies;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::Problem;
#[cfg(feature = "std")]
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::strided::Strided;

/// How a product, or each product of a batch, is computed.
#[derive(Clone)]
pub(crate) struct ProductPlan {
    /// The operands that are copied first.
    pub(crate) copies: DenseCopies,
    /// The product of the copies and of the operands in place.
    pub(crate) method: Method,
}

/// How the product of the copies and of the operands in place is computed.
#[derive(Clone)]
pub(crate) enum Method {
    /// One element of C after the other: if there is nothing to add, and without heap memory.
    Plain,
    /// Without cache blocking.
    Unblocked(Unblocked),
    /// With cache blocking. Blocks are packed into heap memory.
    #[cfg(feature = "std")]
    Blocked(BlockedPlan),
}

impl ProductPlan {
    /// One element of C after the other.
    pub(crate) const PLAIN: Self = Self { copies: DenseCopies::NONE, method: Method::Plain };

    /// Plans products that add something. The shapes are those of the tiles of the product and of the
    /// transposed product.
    pub(crate) fn new(problem: &Problem<'_>, shapes: [&Shapes; 2]) -> Self {
        let Problem { layouts, starts, threads: [_, threads], .. } = *problem;
        if let Some(strided) = Strided::of_layouts(&layouts) {
            if let Some(plan) = Unblocked::short_rows(&strided, shapes) {
                return Self { copies: DenseCopies::NONE, method: Method::Unblocked(plan) };
            }
            if let Some((copies, plan)) = DenseCopies::of_inner_products(&strided, shapes) {
                return Self { copies, method: Method::Unblocked(plan) };
            }
            if let Some((copies, strided)) = DenseCopies::of_short_c(&strided, shapes[0]) {
                if let Some(plan) = Unblocked::new(&strided, starts, shapes, threads) {
                    return Self { copies, method: Method::Unblocked(plan) };
                }
                #[cfg(feature = "std")]
                return Self::over_copies(copies, problem, shapes);
            }
            if let Some(plan) = Unblocked::new(&strided, starts, shapes, threads) {
                return Self { copies: DenseCopies::NONE, method: Method::Unblocked(plan) };
            }
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
    #[inline(always)]
    pub(crate) fn small(
        problem: &Problem<'_>,
        products: usize,
        shapes: [&Shapes; 2],
    ) -> Option<Self> {
        DenseCopies::of_small(problem, products, shapes)
            .map(|(copies, plan)| Self { copies, method: Method::Unblocked(plan) })
    }

    /// [`new`](Self::new) with cache blocking, over copies if that is not possible in place.
    #[cfg(feature = "std")]
    pub(crate) fn blocked(problem: &Problem<'_>, shapes: [&Shapes; 2]) -> Self {
        if let Some(plan) = BlockedPlan::new(problem, shapes) {
            return Self { copies: DenseCopies::NONE, method: Method::Blocked(plan) };
        }
        Self::over_copies(DenseCopies::of_large(problem), problem, shapes)
    }

    /// The product with cache blocking over copies, C among them.
    #[cfg(feature = "std")]
    fn over_copies(copies: DenseCopies, problem: &Problem<'_>, shapes: [&Shapes; 2]) -> Self {
        let matrices = copies.matrices(problem.extents);
        let layouts = array::from_fn(|i| match copies.is_copied[i] {
            true => MatrixLayout::strided(&matrices[i]),
            false => problem.layouts[i],
        });
        let starts = array::from_fn(|i| if copies.is_copied[i] { 0 } else { problem.starts[i] });
        let Some(plan) = BlockedPlan::new(&Problem { layouts, starts, ..*problem }, shapes) else {
            unreachable!("a dense C has vectors, and common axes with any other matrix")
        };
        Self { copies, method: Method::Blocked(plan) }
    }

    /// How often each product `A(m,k) * B(k,n)` counts, because of broadcast axes along K.
    pub(crate) fn multiplicity(&self) -> usize {
        match &self.method {
            Method::Plain | Method::Unblocked(_) => 1,
            #[cfg(feature = "std")]
            Method::Blocked(plan) => plan.operands.multiplicity,
        }
    }

    /// Whether finished parts of C are reported while a product is computed. If not, all of C is reported
    /// at the end.
    pub(crate) const fn reports_parts(&self) -> bool {
        !matches!(self.method, Method::Plain) && !self.copies.is_copied[2]
    }

    /// The plan, if it is a single call of a kernel, see [`Unblocked::is_single_call`].
    pub(crate) fn single_call(&self) -> Option<&Unblocked> {
        match &self.method {
            Method::Unblocked(plan) if !self.copies.is_needed() && plan.is_single_call() => {
                Some(plan)
            }
            _ => None,
        }
    }
}

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            Method::Plain => return f.write_str("one element of C after the other"),
            Method::Unblocked(plan) => plan.fmt(f)?,
            #[cfg(feature = "std")]
            Method::Blocked(plan) => plan.fmt(f)?,
        }
        self.copies.fmt(f)
    }
}
