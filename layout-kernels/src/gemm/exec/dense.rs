//! Small products whose operands are copied into dense matrices.

use crate::copy::copy_loops;
#[cfg(feature = "std")]
use crate::gemm::exec::scratch::with_scratch;
#[cfg(not(feature = "std"))]
use crate::gemm::exec::unblocked::StackBuffer;
use crate::gemm::exec::unblocked::{self, Matrices};
use crate::gemm::kernel::batch::CACHE_LINE;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::dense::{Dense, MAX_BYTES};
use crate::gemm::problem::matrix::MatrixLayout;
use crate::par::Par;

impl Dense {
    /// Computes the product of operands with the planned layouts. `reads` says whether `beta` is not 0. If
    /// C is copied, the matrices have no callback for finished parts: they are not in place yet.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run), for one product.
    pub(crate) unsafe fn run(
        &self,
        layouts: [MatrixLayout<'_>; 3],
        matrices: &Matrices<'_>,
        reads: bool,
        kernels: [&Kernels; 2],
        par: Par,
    ) {
        const BYTES: usize = MAX_BYTES + 2 * CACHE_LINE;
        // SAFETY: guaranteed by the caller. The product is small, so all copies fit the memory.
        let run = |memory| unsafe { self.run_in(memory, layouts, matrices, reads, kernels, par) };
        #[cfg(feature = "std")]
        with_scratch(3, BYTES, run);
        #[cfg(not(feature = "std"))]
        run(StackBuffer::<BYTES>::uninit().start());
    }

    /// [`run`](Self::run) with `memory` for the copies, which starts at a cache line.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run). The memory has room for all copies, each in whole cache lines.
    unsafe fn run_in(
        &self,
        memory: *mut u8,
        layouts: [MatrixLayout<'_>; 3],
        matrices: &Matrices<'_>,
        reads: bool,
        kernels: [&Kernels; 2],
        par: Par,
    ) {
        let Shapes { element, sum, .. } = kernels[0].shapes;
        let sizes = [element, element, sum];
        let level = matrices.level;
        let originals = [matrices.a.cast_mut(), matrices.b.cast_mut(), matrices.c];
        let (mut dense, mut next) = (originals, memory);
        for operand in (0..3).filter(|&operand| self.is_copied[operand]) {
            let (loops, size) = (self.loops(layouts[operand]), sizes[operand]);
            dense[operand] = next;
            if operand < 2 || reads {
                // SAFETY: the loops are those of the operand, and the copy has room for all elements. They
                // are numbers.
                unsafe { copy_loops(level, loops.as_slice(), size, originals[operand], next) };
            }
            next = next.wrapping_add((loops.size() * size).next_multiple_of(CACHE_LINE));
        }
        let [a, b, c] = dense;
        // SAFETY: guaranteed by the caller. Copies have all elements that the product reads.
        unsafe {
            let matrices = Matrices { a, b, c, ..*matrices };
            unblocked::run(&self.product, &matrices, kernels, par);
        }
        if self.is_copied[2] {
            let mut loops = self.loops(layouts[2]);
            loops.reverse();
            // SAFETY: as above; the product has written all elements of the copy.
            unsafe { copy_loops(level, loops.as_slice(), sum, c, originals[2]) };
        }
    }
}
