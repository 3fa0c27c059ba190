//! Products that are not inlined, because of dynamic layouts or their size: selects and runs the
//! kernel.

pub(crate) mod arguments;
#[cfg(feature = "std")]
mod block;
#[cfg(feature = "std")]
pub(crate) mod blocked;
#[cfg(feature = "std")]
mod boxes;
mod dense;
pub(crate) mod few_rows;
#[cfg(feature = "std")]
mod macro_kernel;
pub(crate) mod naive;
#[cfg(feature = "std")]
mod prefetch_b;
mod products;
#[cfg(feature = "std")]
pub(crate) mod scratch;
pub(crate) mod tiling;
pub(crate) mod unblocked;

use crate::gemm::exec::arguments::{Arguments, Finish, Finished};
#[cfg(feature = "std")]
use crate::gemm::exec::boxes::{BoxProduct, BoxedProduct};
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::kernel::line::LineKernel;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::Strategy;
#[cfg(feature = "std")]
use crate::gemm::plan::boxes::Boxes;
use crate::gemm::plan::dense::DenseCopies;
#[cfg(feature = "std")]
use crate::gemm::plan::product::ProductPlan;
use crate::gemm::plan::short_rows::may_have_short_rows;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::matrix::MatrixLayout;
#[cfg(feature = "std")]
use crate::gemm::problem::modes::extents;
use crate::gemm::problem::strided::Strided;
#[cfg(feature = "std")]
use crate::gemm::scale::AnyScale;
use crate::par::Par;
use crate::simd::Level;

/// The functions that know the types of elements, at a level.
#[derive(Clone, Copy)]
pub struct ElementKernels {
    pub(crate) level: Level,
    /// Kernels of the product, and of the transposed product.
    pub(crate) kernels: [&'static Kernels; 2],
    /// Computes a product of any layouts with plain loops: [`naive::run`].
    pub(crate) plain: unsafe fn([MatrixLayout<'_>; 3], &Matrices<'_>),
    /// The same for strided matrices: [`naive::run_strided`].
    pub(crate) tiny: Tiny,
    /// Computes a line of C with plain loops: [`line::run`](crate::gemm::kernel::line::run).
    pub(crate) line: LineKernel,
}

/// Computes a tiny product of strided matrices.
pub(crate) type Tiny = unsafe fn(&Strided, &Matrices<'_>);

impl ElementKernels {
    /// What planning needs to know about the kernels.
    pub(crate) fn shapes(&self) -> [&'static Shapes; 2] {
        self.kernels.map(|kernels| &kernels.shapes)
    }

    /// Whether tiles read elements in place, one at a time.
    pub(crate) const fn read_words(&self) -> bool {
        self.kernels[0].shapes.read_words()
    }

    /// See [`try_unblocked`].
    ///
    /// # Safety
    ///
    /// Same as [`try_unblocked`]; the matrices have these elements.
    pub(crate) unsafe fn try_unblocked(
        &self,
        strided: &Strided,
        matrices: &Matrices<'_>,
        par: Par,
    ) -> bool {
        // SAFETY: guaranteed by the caller.
        unsafe { try_unblocked(strided, matrices, self.kernels, self.tiny, par) }
    }
}

/// Computes `C = alpha * A * B + beta * C` for each product of a batch.
///
/// # Safety
///
/// The shapes of the layouts match. In each product of the batch, elements of A and B are valid for
/// reads, and elements of C for reads and writes, at every offset of the layouts from the first
/// elements on. The products write disjoint elements of C, and nothing else accesses them during the
/// call. The functions are for these element types.
pub(crate) unsafe fn run(arguments: &Arguments<'_>, elements: &ElementKernels) {
    let problem = arguments.problem();
    let strategy = match arguments.adds() {
        true => Strategy::new(&problem, elements.shapes()),
        // C is only scaled.
        false => Strategy::PLAIN,
    };
    // SAFETY: guaranteed by the caller.
    unsafe {
        match &strategy {
            Strategy::Each(plan) => plan.run(arguments, &problem, elements),
            #[cfg(feature = "std")]
            Strategy::Boxed(boxes) => run_in_boxes(arguments, elements, boxes),
        }
    }
}

/// [`run`] for a product that adds something, in boxes whose operands are copied.
///
/// # Safety
///
/// Same as [`run`], and the boxes are those of the arguments.
#[cfg(feature = "std")]
unsafe fn run_in_boxes(arguments: &Arguments<'_>, elements: &ElementKernels, boxes: &Boxes) {
    let Arguments { layouts: [.., layout_of_c], scale, reads_c, a, b, c, par, finish, .. } =
        *arguments;
    let product = |of_box: &BoxProduct<'_>, scale: AnyScale<'_>| {
        let [a, b, c] = of_box.starts;
        let arguments = Arguments {
            layouts: of_box.layouts,
            extents: extents(&of_box.layouts),
            batch: of_box.batch,
            scale,
            reads_c: reads_c || !of_box.is_first,
            a: a.cast_const(),
            b: b.cast_const(),
            c,
            par: of_box.par,
            finish: None,
            ..*arguments
        };
        let problem = arguments.problem();
        let plan = ProductPlan::new(&problem, elements.shapes());
        // SAFETY: guaranteed by the caller, for a box.
        unsafe { plan.run(&arguments, &problem, elements) };
    };
    let run = |first: AnyScale<'_>, later: AnyScale<'_>| {
        let starts = [a.cast_mut(), b.cast_mut(), c];
        let product = |of_box: &BoxProduct<'_>| {
            product(of_box, if of_box.is_first { first } else { later });
        };
        let (level, shapes) = (elements.level, elements.shapes()[0]);
        let boxed =
            BoxedProduct { boxes, level, shapes, starts, reads: reads_c, product: &product };
        // SAFETY: guaranteed by the caller.
        unsafe { boxed.run(par) };
    };
    // SAFETY: guaranteed by the caller.
    unsafe { (elements.kernels[0].with_scales)(scale, boxes.multiplicity, &run) };
    // Boxes do not follow the order of C, so all of C is reported at the end.
    for index in 0..finish.map_or(0, |_| arguments.products()) {
        let (.., c) = arguments.of_product(index);
        Finished::with_all(layout_of_c, c, |part| {
            if let Some(finish) = finish {
                finish(index, part);
            }
        });
    }
}

/// Computes one product whose C is not empty: without cache blocking where that pays.
///
/// # Safety
///
/// Same as [`run`].
pub(crate) unsafe fn run_one(arguments: &Arguments<'_>, elements: &ElementKernels) {
    let Arguments { layouts, scale, a, b, c, par, finish, .. } = *arguments;
    if let Some(strided) = Strided::of_layouts(&layouts)
        && arguments.adds()
    {
        let report = |part: &Finished<'_>| {
            if let Some(finish) = finish {
                finish(0, part);
            }
        };
        let finish: Option<Finish<'_>> = if finish.is_some() { Some(&report) } else { None };
        let matrices = Matrices { level: elements.level, scale, a, b, c, finish };
        // SAFETY: guaranteed by the caller.
        if unsafe { elements.try_unblocked(&strided, &matrices, par) } {
            return;
        }
    }
    // SAFETY: guaranteed by the caller.
    unsafe { run(arguments, elements) };
}

/// Computes a non-empty product of strided matrices without cache blocking, if that pays. Returns
/// whether it did.
///
/// # Safety
///
/// Same as [`run`], for one product.
pub(crate) unsafe fn try_unblocked(
    strided: &Strided,
    matrices: &Matrices<'_>,
    kernels: [&Kernels; 2],
    tiny: Tiny,
    par: Par,
) -> bool {
    if strided.is_tiny(&kernels[0].shapes) {
        // SAFETY: guaranteed by the caller.
        unsafe { tiny(strided, matrices) };
        return true;
    }
    // SAFETY: guaranteed by the caller.
    unsafe {
        if may_have_short_rows(strided, &kernels[0].shapes)
            && unblocked::try_short_rows(strided, matrices, kernels, par)
        {
            return true;
        }
        let is_contiguous_along_k = strided.ak == 1 && strided.bk == 1;
        if is_contiguous_along_k && unblocked::try_inner_products(strided, matrices, kernels, par) {
            return true;
        }
        let is_done = match strided.should_transpose() {
            false => unblocked::try_single_tile(strided, matrices, kernels[0], false),
            true => {
                let (strided, matrices) = (strided.transposed(), matrices.transposed());
                unblocked::try_single_tile(&strided, &matrices, kernels[1], true)
            }
        };
        is_done || try_tiles(strided, matrices, kernels, par)
    }
}

/// [`try_unblocked`] for tiles. A single tile over operands in place is computed before, in less time.
///
/// # Safety
///
/// Same as [`try_unblocked`].
// Not inlined: others should not save registers for it.
#[inline(never)]
unsafe fn try_tiles(
    strided: &Strided,
    matrices: &Matrices<'_>,
    kernels: [&Kernels; 2],
    par: Par,
) -> bool {
    let (starts, shapes) =
        ([matrices.a.addr(), matrices.b.addr()], kernels.map(|kernels| &kernels.shapes));
    if DenseCopies::of_inner_products(strided, shapes).is_some()
        || DenseCopies::of_short_c(strided, shapes[0]).is_some()
    {
        return false;
    }
    let plan = Unblocked::row_combinations(strided, shapes)
        .or_else(|| Unblocked::tiles(strided, starts, shapes, par.threads()));
    if let Some(plan) = &plan {
        // SAFETY: guaranteed by the caller.
        unsafe { unblocked::run(plan, matrices, kernels, par) };
    }
    plan.is_some()
}
