//! Static products over shared tiles, as their constant plan says.

use core::mem::MaybeUninit;

use crate::gemm::exec::unblocked::Memory;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::shared::{Nest, OverShared};
use crate::gemm::plan::tiles::Tiles;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::simd::Level;
use crate::transpose::{Batch, Block, StridedRows, transpose};

impl OverShared {
    /// `C = alpha * A * B + beta * C`.
    ///
    /// # Safety
    ///
    /// The instructions of the level are there, the kernels are those of the level, and their lanes are
    /// those of the plan. Elements of A and B can be read, and of C read and written, at every offset
    /// of the layouts; nothing else accesses C meanwhile.
    pub(crate) unsafe fn run<T: Sum>(
        &self,
        level: Level,
        kernels: &Kernels<T, T, T>,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) {
        let Nest { blocks, a: [a_m, a_k], b: [b_k, b_n], c: [c_m, c_n] } = self.nest;
        let (a, b) = if self.tiles.transposed { (b, a) } else { (a, b) };
        if let Some(from) = self.packed {
            // SAFETY: as required here; there is one block.
            return unsafe { self.pack(level, kernels, scale, from, a, b, c) };
        }
        let [m, n, k] = blocks;
        let mut scale = *scale;
        for p in 0..k {
            for i in 0..m {
                for j in 0..n {
                    let a = a.wrapping_add(i * a_m + p * a_k);
                    let b = b.wrapping_add(p * b_k + j * b_n);
                    let c = c.wrapping_add(i * c_m + j * c_n);
                    // SAFETY: as required here, for one of the blocks.
                    unsafe { self.block(kernels, &scale, a, b, c) };
                }
            }
            if p + 1 < k {
                scale = scale.later();
            }
        }
    }

    /// [`run`](Self::run) when the operand with vectors is packed.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), for a product of one block, and operands in the order of the tiles.
    // Not in line: what packs nothing should not touch so much of the stack.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "what `run` takes, and where the operand is")]
    unsafe fn pack<T: Sum>(
        &self,
        level: Level,
        kernels: &Kernels<T, T, T>,
        scale: &Scale<T>,
        [bk, bn]: [usize; 2],
        a: *const T,
        b: *const T,
        c: *mut T,
    ) {
        let Strided { n, k, bk: width, .. } = self.tiles.flat;
        let mut memory = Memory(MaybeUninit::uninit());
        let to = memory.0.as_mut_ptr().cast::<T>();
        let word = const { size_of::<T>() };
        // SAFETY: `n` by `k` elements of B at these distances, and rows of `width` elements in memory,
        // for which there is room: see `STACK`.
        unsafe {
            if bk == 1 && n > 1 && k > 1 {
                let rows = Block {
                    source: StridedRows { start: b.cast(), step: bn * word },
                    destination: StridedRows { start: to.cast(), step: width * word },
                    rows: n,
                    columns: k,
                    word,
                    total_bytes: 0,
                };
                transpose(level, &Batch::one(rows));
            } else {
                for p in 0..k {
                    for j in 0..n {
                        to.wrapping_add(p * width + j).write(*b.wrapping_add(p * bk + j * bn));
                    }
                }
            }
            self.block(kernels, scale, a, to, c);
        }
    }

    /// The tiles of one block.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run), for operands in the order of the tiles.
    #[inline(always)]
    unsafe fn block<T: Sum>(
        &self,
        kernels: &Kernels<T, T, T>,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) {
        let Tiles { flat, lanes, .. } = &self.tiles;
        for part in self.parts.iter().take(self.count) {
            let batch = part.batch(flat, *lanes, self.vector_steps, a, b, c);
            let micro = kernels.tile(part.rows, part.vectors, part.end.is_some());
            // SAFETY: as required here; the tiles cover rows and columns of C once.
            unsafe { micro(&batch, scale) };
        }
    }
}
