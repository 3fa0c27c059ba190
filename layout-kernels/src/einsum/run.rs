//! Runs a planned contraction, product by product.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};

use crate::einsum::axes::offsets_of_letter;
use crate::einsum::epilogue::ApplyToRun;
use crate::einsum::loops;
use crate::einsum::plan::Plan;
use crate::gemm::{
    Arguments, Finish, FinishOf, Finished, Matrices, Multiply, Scale, Sum, run_products,
};
use crate::par::Par;
use crate::simd::Level;

/// A contraction without its operands.
pub(super) struct Contraction<'a, T> {
    pub(super) subscripts: &'a Subscripts,
    pub(super) layouts: [&'a DynLayout; 3],
    pub(super) plan: &'a Plan,
    pub(super) alpha: T,
    pub(super) beta: T,
    pub(super) par: Par,
    /// The epilogue, if there is one.
    pub(super) then: Option<ApplyToRun<'a, T>>,
}

/// The elements of A, B and C, from the first ones of a product on.
pub(super) struct Elements<'a, X, Y, T> {
    pub(super) a: &'a [X],
    pub(super) b: &'a [Y],
    pub(super) c: &'a mut [T],
}

impl<X, Y, T> Elements<'_, X, Y, T> {
    /// The elements from these offsets on, which are those of a coordinate.
    #[inline(always)]
    pub(super) fn from(&mut self, [a, b, c]: [usize; 3]) -> Elements<'_, X, Y, T> {
        // If there is nothing to add, A and B may be empty.
        let (a, b) = (self.a.get(a..).unwrap_or_default(), self.b.get(b..).unwrap_or_default());
        Elements { a, b, c: &mut self.c[c..] }
    }
}

impl<T: Sum> Contraction<'_, T> {
    /// Computes the contraction. Each slice has an element for every offset of its layout.
    pub(super) fn run<X, Y>(&self, level: Level, mut elements: Elements<'_, X, Y, T>)
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
    {
        if !self.plan.is_empty && !self.try_unblocked(level, &mut elements) {
            self.run_letters(level, elements, 0, (self.beta, true), &mut [0; MAX_LEAVES]);
        }
    }

    /// Computes a single product of strided matrices without cache blocking, if that pays. Returns whether
    /// it did.
    fn try_unblocked<X, Y>(&self, level: Level, elements: &mut Elements<'_, X, Y, T>) -> bool
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
    {
        let Self { plan, then, .. } = self;
        let Some(strided) = plan.as_strided() else { return false };
        if strided.is_empty() || self.alpha == T::ZERO || loops::are_faster(plan) {
            return false;
        }
        let finish = then.map(|then| {
            // SAFETY: the part belongs to C, which the product accesses exclusively.
            move |part: &Finished<'_>| unsafe { plan.apply(then, &[0; MAX_LEAVES], 0, part) }
        });
        let finish = finish.as_ref().map(|finish| finish as Finish<'_>);
        let scale = Scale::new(self.alpha, self.beta);
        let Elements { a, b, c } = elements;
        let starts = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let matrices = Matrices::new(level, &scale, starts, finish);
        // SAFETY: as for the product in `run_batch`.
        unsafe { X::try_unblocked(&strided, &matrices, self.par) }
    }

    /// Iterates over the letters that are not loops, from index `next` on. `last` says that no
    /// products will be added to C afterwards.
    fn run_letters<X, Y>(
        &self,
        level: Level,
        mut elements: Elements<'_, X, Y, T>,
        next: usize,
        (beta, last): (T, bool),
        at: &mut [usize; MAX_LEAVES],
    ) where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
    {
        let Some(&(letter, extent)) = self.plan.incompatible().get(next) else {
            return self.run_batch(level, elements, (beta, last), at);
        };
        let mode = self.subscripts.find(2, letter, 0);
        let is_sum = mode == self.subscripts.len(2);
        for index in 0..extent {
            let offsets = offsets_of_letter(self.subscripts, self.layouts, letter, index);
            let scale = match is_sum {
                true => (if index == 0 { beta } else { T::ONE }, last && index + 1 == extent),
                false => (beta, last),
            };
            if !is_sum {
                at[mode] = index;
            }
            self.run_letters(level, elements.from(offsets), next + 1, scale, at);
        }
    }

    /// Computes one product for each coordinate of the letters that A, B and C have.
    fn run_batch<X, Y>(
        &self,
        level: Level,
        mut elements: Elements<'_, X, Y, T>,
        (beta, last): (T, bool),
        start: &[usize; MAX_LEAVES],
    ) where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
    {
        let Self { plan, then, .. } = self;
        if loops::are_faster(plan) {
            return loops::run(self, &mut elements, beta, last, start);
        }
        let batch = plan.batch();
        let finish = then.filter(|_| last).map(|then| {
            // SAFETY: the part belongs to C, which the product accesses exclusively.
            move |index: usize, part: &Finished<'_>| unsafe { plan.apply(then, start, index, part) }
        });
        let scale = Scale::new(self.alpha, beta);
        let Elements { a, b, c } = &mut elements;
        let starts = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let arguments = Arguments {
            batch: batch.as_slice(),
            par: self.par,
            finish: finish.as_ref().map(|finish| finish as FinishOf<'_>),
            ..Arguments::new(plan.layouts(), plan.extents(), &scale, starts)
        };
        // SAFETY: each loop of the operands' letters is in the layouts or in the batch, once. So every
        // offset is that of a coordinate of an operand, for which its slice has an element. C is
        // borrowed exclusively, and its coordinates have different offsets.
        unsafe { run_products(&arguments, &X::kernels(level)) };
    }
}
