//! Products whose operands are first copied into dense matrices.

use core::{array, mem};

use crate::copy::{Loop, copy_loops};
#[cfg(feature = "std")]
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::exec::unblocked::Matrices;
#[cfg(not(feature = "std"))]
use crate::gemm::exec::unblocked::StackBuffer;
use crate::gemm::kernel::batch::CACHE_LINE;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::dense::{DenseCopies, MAX_BYTES};
use crate::gemm::problem::Problem;
use crate::list::List;

impl DenseCopies {
    /// Copies the planned operands, and calls `multiply` with the matrices of the copies and of the other
    /// operands. If C is copied, `matrices` have no callback for finished parts: they are not in place yet.
    ///
    /// # Safety
    ///
    /// Same as [`exec::run`](super::run), for this product. `multiply` computes it.
    pub(crate) unsafe fn run(
        &self,
        problem: &Problem<'_>,
        shapes: &Shapes,
        matrices: &Matrices<'_>,
        multiply: impl FnOnce(&Matrices<'_>),
    ) {
        // At least enough for small operands, so that few calls allocate.
        const BYTES: usize = MAX_BYTES + 3 * CACHE_LINE;
        let bytes = self.bytes(problem.extents, shapes);
        // SAFETY: guaranteed by the caller. The memory has room for all copies.
        let run = |memory| unsafe {
            let copied = self.copy_operands(memory, bytes, problem, shapes, matrices);
            multiply(&copied);
            self.copy_back(problem, shapes, copied.c, matrices);
        };
        let all = bytes.into_iter().fold(0, usize::saturating_add);
        #[cfg(feature = "std")]
        with_scratch(3, all.max(BYTES), run);
        #[cfg(not(feature = "std"))]
        {
            assert!(all <= BYTES, "the plan has copies that fit the stack");
            run(StackBuffer::<BYTES>::uninit().start());
        }
    }

    /// Bytes of the copies of A, B and C, in whole cache lines.
    fn bytes(&self, extents: [usize; 3], shapes: &Shapes) -> [usize; 3] {
        let (matrices, sizes) = (self.matrices(extents), shapes.operand_bytes());
        array::from_fn(|operand| match self.is_copied[operand] {
            false => 0,
            true => {
                let ([rows, columns], _) = matrices[operand];
                let bytes = rows.saturating_mul(columns).saturating_mul(sizes[operand]);
                bytes.saturating_add(CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE
            }
        })
    }

    /// The matrices of the copies, which are in `memory`, and of the other operands.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run). The memory has room for copies of `bytes` bytes, one after the other.
    unsafe fn copy_operands<'a>(
        &self,
        memory: *mut u8,
        bytes: [usize; 3],
        problem: &Problem<'_>,
        shapes: &Shapes,
        matrices: &Matrices<'a>,
    ) -> Matrices<'a> {
        let (level, sizes) = (matrices.level, shapes.operand_bytes());
        let originals = [matrices.a.cast_mut(), matrices.b.cast_mut(), matrices.c];
        let (mut dense, mut next) = (originals, memory);
        for operand in (0..3).filter(|&operand| self.is_copied[operand]) {
            (dense[operand], next) = (next, next.wrapping_add(bytes[operand]));
            if operand < 2 || problem.reads_c {
                let mut loops = List::new();
                self.add_loops(operand, problem.layouts[operand], &mut loops);
                let (from, to) = (originals[operand], dense[operand]);
                // SAFETY: the loops are those of the operand, and the copy has room for all elements. They
                // are numbers.
                unsafe { copy_loops(level, loops.as_slice(), sizes[operand], from, to) };
            }
        }
        let [a, b, c] = dense;
        Matrices { a, b, c, ..*matrices }
    }

    /// Copies C back from its copy at `from`, if it was copied.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run). The product has written all elements of the copy.
    unsafe fn copy_back(
        &self,
        problem: &Problem<'_>,
        shapes: &Shapes,
        from: *mut u8,
        to: &Matrices<'_>,
    ) {
        if self.is_copied[2] {
            let mut loops = List::new();
            self.add_loops(2, problem.layouts[2], &mut loops);
            for Loop { source, destination, .. } in loops.as_mut_slice() {
                mem::swap(source, destination);
            }
            // SAFETY: guaranteed by the caller; the loops are those of C.
            unsafe { copy_loops(to.level, loops.as_slice(), shapes.sum, from, to.c) };
        }
    }
}
