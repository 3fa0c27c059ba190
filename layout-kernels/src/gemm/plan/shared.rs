//! Static products over the tiles that all products share: the plan is a constant, and nothing is
//! compiled for it.

use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::tiles::{Compiled, Machine, Part, Tiles};
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::Modes;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;

/// A static product over shared tiles.
#[derive(Clone, Copy, Debug)]
pub struct OverShared {
    pub(crate) tiles: Tiles,
    parts: [Option<Part>; 4],
    pub(crate) nest: Nest,
}

/// The blocks of a product with nested modes. Each block has one distance along each mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    /// How many blocks there are along M, N and K.
    pub(crate) blocks: [usize; 3],
    /// From a block to the next one: in A along M and K, in B along K and N, in C along M and N.
    a: [usize; 2],
    b: [usize; 2],
    c: [usize; 2],
}

/// A mode of two matrices in blocks.
struct Split {
    size: usize,
    count: usize,
    /// The distance of elements in a block of each matrix, and that of its blocks.
    steps: [usize; 2],
    blocks: [usize; 2],
}

impl Split {
    const fn new(x: &Mode, y: &Mode) -> Option<Self> {
        let (first, second) = (x.extents()[0], y.extents()[0]);
        let size = if first < second { first } else { second };
        if x.size() == 0 {
            return None;
        }
        let (Some(x_block), Some(y_block)) = (block(x, size), block(y, size)) else {
            return None;
        };
        let steps = [x.strides()[0], y.strides()[0]];
        Some(Self { size, count: x.size() / size, steps, blocks: [x_block, y_block] })
    }
}

/// The distance of blocks of `size` coordinates, if all are at that distance.
const fn block(mode: &Mode, size: usize) -> Option<usize> {
    match (mode.extents(), mode.strides()) {
        // There is no second block where that would be beyond all numbers.
        ([_], [stride]) => Some(stride.wrapping_mul(size)),
        ([first, _], [_, second]) if *first == size => Some(*second),
        _ => None,
    }
}

impl Nest {
    /// The block of a product, and the others, if modes have one level of nesting or none.
    const fn new(modes: &Modes) -> Option<(Strided, Self)> {
        let (Some(m), Some(n), Some(k)) = (
            Split::new(&modes.am, &modes.cm),
            Split::new(&modes.bn, &modes.cn),
            Split::new(&modes.ak, &modes.bk),
        ) else {
            return None;
        };
        let ([am, cm], [bn, cn], [ak, bk]) = (m.steps, n.steps, k.steps);
        let block = Strided { m: m.size, n: n.size, k: k.size, am, ak, bk, bn, cm, cn };
        let nest = Self {
            blocks: [m.count, n.count, k.count],
            a: [m.blocks[0], k.blocks[0]],
            b: [k.blocks[1], n.blocks[0]],
            c: [m.blocks[1], n.blocks[1]],
        };
        Some((block, nest))
    }
}

impl OverShared {
    /// The plan, if C has vectors that are in one operand as well, in one block or in each.
    pub(crate) const fn new(modes: &Modes, machine: &Machine) -> Option<Self> {
        let Some((block, nest)) = Nest::new(modes) else { return None };
        if !Tiles::are_near(modes.m, modes.n, modes.k) {
            return None;
        }
        let Some(tiles) = Tiles::in_place(&block, machine, Compiled::Shared) else { return None };
        // Blocks with hardly a lane are not worth their tiles.
        let [m, n, k] = nest.blocks;
        if m * n * k > 1 && tiles.flat.n < tiles.lanes {
            return None;
        }
        Some(Self { parts: tiles.parts(), tiles, nest })
    }

    /// `C = alpha * A * B + beta * C`.
    ///
    /// # Safety
    ///
    /// The instructions of the kernels are there, and their lanes are those of the plan. Elements of
    /// A and B can be read, and of C read and written, at every offset of the layouts; nothing else
    /// accesses C meanwhile.
    pub(crate) unsafe fn run<T: Sum>(
        &self,
        kernels: &Kernels<T, T, T>,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) {
        let Nest { blocks: [m, n, k], a: [a_m, a_k], b: [b_k, b_n], c: [c_m, c_n] } = self.nest;
        for p in 0..k {
            let scale = if p == 0 { *scale } else { scale.later() };
            for i in 0..m {
                for j in 0..n {
                    let a = a.wrapping_add(i * a_m + p * a_k);
                    let b = b.wrapping_add(p * b_k + j * b_n);
                    let c = c.wrapping_add(i * c_m + j * c_n);
                    // SAFETY: as required here, for one of the blocks.
                    unsafe { self.block(kernels, &scale, a, b, c) };
                }
            }
        }
    }

    /// [`run`](Self::run) for one block.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn block<T: Sum>(
        &self,
        kernels: &Kernels<T, T, T>,
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) {
        let Tiles { flat, transposed, lanes, .. } = &self.tiles;
        let (a, b) = if *transposed { (b, a) } else { (a, b) };
        for part in self.parts.iter().flatten() {
            let ends = part.end.is_some();
            let vectors = part.vectors + ends as usize;
            let mut batch = Part { vectors, ..*part }.batch(flat, *lanes, a, b, c);
            if !ends {
                batch.last = *lanes;
            }
            let micro = kernels.tile(part.rows, vectors, false, ends);
            // SAFETY: as required of the caller; the tiles cover rows and columns of C once.
            unsafe { micro(&batch, scale) };
        }
    }
}
