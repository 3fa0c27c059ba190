//! Runs a planned contraction, product by product. Only kernels know the element types, so all of this is
//! compiled once.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};
use layout_core::error::LayoutError;

use crate::einsum::axes::offsets_of_letter;
use crate::einsum::epilogue::ApplyToRun;
use crate::einsum::loops;
use crate::einsum::plan::{Method, Plan};
use crate::gemm::{
    AnyScale, Arguments, ElementKernels, Finish, FinishOf, Finished, Matrices, Strided,
    run_products,
};

/// A contraction without its plan.
pub(super) struct Contraction<'a> {
    pub(super) subscripts: &'a Subscripts,
    pub(super) layouts: [&'a DynLayout; 3],
    pub(super) kernels: ElementKernels,
    /// Everything but the layouts and the batch, which are those of the plan.
    pub(super) arguments: Arguments<'a>,
    /// The scale of products that are added to others.
    pub(super) later: AnyScale<'a>,
    /// The epilogue, if there is one.
    pub(super) then: Option<ApplyToRun<'a>>,
}

/// A part of the products that are added to an element of C.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Whether no products were added to C before.
    pub(super) is_first: bool,
    /// Whether none will be added afterwards.
    pub(super) is_last: bool,
}

impl Contraction<'_> {
    /// Computes the contraction as planned; plans it first if there is no `plan`.
    ///
    /// # Errors
    ///
    /// Those of [`Plan::set`].
    ///
    /// # Safety
    ///
    /// The plan is one for the subscripts and layouts. Elements of A and B are valid for reads, and
    /// elements of C for reads and writes, at every offset of the layouts. Nothing else accesses C
    /// during the call. The kernels, scales and sizes are those of the elements.
    pub(super) unsafe fn run(&self, plan: Option<&Plan>) -> Result<(), LayoutError> {
        let mut own;
        let plan = match plan {
            Some(plan) => plan,
            None => {
                own = Plan::empty();
                own.set(self.subscripts, self.layouts)?;
                &own
            }
        };
        let all = Part { is_first: true, is_last: true };
        // SAFETY: guaranteed by the caller. If C has no elements, there may be none of an operand.
        unsafe {
            let is_done = match &plan.method {
                Method::Nothing => true,
                Method::Strided(strided) => self.try_unblocked(plan, strided),
                Method::Loops | Method::LoopsOrTiles | Method::Products => false,
            };
            if !is_done {
                self.run_letters(plan, [0; 3], 0, all, &mut [0; MAX_LEAVES]);
            }
        }
        Ok(())
    }

    /// Computes the product of a plan without cache blocking, if that pays. Returns whether it did.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    unsafe fn try_unblocked(&self, plan: &Plan, strided: &Strided) -> bool {
        let Self { then, kernels, arguments, .. } = self;
        if !arguments.multiplies {
            return false;
        }
        let size = arguments.sizes[2];
        let finish = then.map(|then| {
            // SAFETY: the part belongs to C, which the product accesses exclusively.
            move |part: &Finished<'_>| unsafe { plan.apply(size, then, &[0; MAX_LEAVES], 0, part) }
        });
        let finish = finish.as_ref().map(|finish| finish as Finish<'_>);
        let &Arguments { scale, a, b, c, par, .. } = arguments;
        let matrices = Matrices { level: kernels.level, scale, a, b, c, finish };
        // SAFETY: as for the product in `run_batch`.
        unsafe { kernels.try_unblocked(strided, &matrices, par) }
    }

    /// Iterates over the letters that are not loops, from index `next` on. The products start at these
    /// offsets.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run); the offsets are those of a coordinate of the letters before `next`.
    unsafe fn run_letters(
        &self,
        plan: &Plan,
        starts: [usize; 3],
        next: usize,
        part: Part,
        at: &mut [usize; MAX_LEAVES],
    ) {
        let Some(&(letter, extent)) = plan.incompatible().get(next) else {
            // SAFETY: guaranteed by the caller.
            return unsafe { self.run_batch(plan, starts, part, at) };
        };
        let mode = self.subscripts.find(2, letter, 0);
        let is_sum = mode == self.subscripts.len(2);
        for index in 0..extent {
            let offsets = offsets_of_letter(self.subscripts, self.layouts, letter, index);
            let [a, b, c] = starts;
            let starts = [a + offsets[0], b + offsets[1], c + offsets[2]];
            let part = match is_sum {
                true => Part {
                    is_first: part.is_first && index == 0,
                    is_last: part.is_last && index + 1 == extent,
                },
                false => part,
            };
            if !is_sum {
                at[mode] = index;
            }
            // SAFETY: guaranteed by the caller, for one more letter.
            unsafe { self.run_letters(plan, starts, next + 1, part, at) };
        }
    }

    /// Computes one product for each coordinate of the letters that A, B and C have.
    ///
    /// # Safety
    ///
    /// Same as [`run_letters`](Self::run_letters), for all letters.
    unsafe fn run_batch(
        &self,
        plan: &Plan,
        starts: [usize; 3],
        part: Part,
        start: &[usize; MAX_LEAVES],
    ) {
        let then = self.then.filter(|_| part.is_last);
        let scale = if part.is_first { self.arguments.scale } else { self.later };
        // Each loop of the operands' letters is in the layouts or in the batch, once. So every offset is
        // that of a coordinate of an operand. The coordinates of C have different offsets.
        let in_loops = match plan.method {
            Method::Loops => true,
            Method::LoopsOrTiles => then.is_some() || !self.kernels.read_words(),
            _ => false,
        };
        if in_loops {
            // SAFETY: guaranteed by the caller, see above.
            return unsafe { loops::run(plan, self, scale, then, (starts, start)) };
        }
        let size = self.arguments.sizes[2];
        let finish = then.map(|then| {
            // SAFETY: the part belongs to C, which the product accesses exclusively.
            move |index: usize, part: &Finished<'_>| unsafe {
                plan.apply(size, then, start, index, part);
            }
        });
        let (a, b, c) = self.arguments.at(starts);
        let arguments = Arguments {
            layouts: plan.layouts(),
            extents: plan.extents(),
            batch: plan.batch(),
            scale,
            reads_c: self.arguments.reads_c || !part.is_first,
            a,
            b,
            c,
            finish: finish.as_ref().map(|finish| finish as FinishOf<'_>),
            ..self.arguments
        };
        // SAFETY: guaranteed by the caller, see above.
        unsafe { run_products(&arguments, &self.kernels) };
    }
}
