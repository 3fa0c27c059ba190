//! `Nested`: a static product over shared tiles, block by block if its modes are nested. The plan is
//! a constant; no tile is compiled for it.

use core::fmt;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::tiles::fit_in_l1;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::Modes;
use crate::gemm::problem::strided::Strided;

/// A static product over shared tiles.
#[derive(Clone, Copy, Debug)]
pub struct Nested {
    /// Plan of each block.
    pub(crate) block: Unblocked,
    /// The blocks, for A and B in the order of the tiles: swapped if the block is transposed.
    pub(crate) nest: Nest,
}

/// The blocks of a product with nested modes. Within a block each mode has a constant stride.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    /// Number of blocks along M, N and K.
    pub(crate) blocks: [usize; 3],
    /// Strides between blocks, in elements: in A along M and K, in B along N and K, in C along M and
    /// N.
    pub(crate) a: [usize; 2],
    pub(crate) b: [usize; 2],
    pub(crate) c: [usize; 2],
}

/// A mode of two matrices, cut into blocks.
struct Split {
    size: usize,
    count: usize,
    /// Strides within a block, and strides between blocks, in each matrix.
    steps: [usize; 2],
    blocks: [usize; 2],
}

impl Split {
    const fn new(x: &Mode, y: &Mode) -> Option<Self> {
        let ((first, x_step), (second, y_step)) = (x.at(0), y.at(0));
        let size = if first < second { first } else { second };
        if x.size() == 0 {
            return None;
        }
        let (Some(x_block), Some(y_block)) = (block(x, size), block(y, size)) else {
            return None;
        };
        let (steps, blocks) = ([x_step, y_step], [x_block, y_block]);
        Some(Self { size, count: x.size() / size, steps, blocks })
    }
}

/// Stride between blocks of `size` coordinates, if it is constant.
const fn block(mode: &Mode, size: usize) -> Option<usize> {
    let (first, stride) = mode.at(0);
    match mode.len() {
        // If this overflows, there is no second block.
        1 => Some(stride.wrapping_mul(size)),
        2 if first == size => Some(mode.at(1).1),
        _ => None,
    }
}

impl Nest {
    /// A single block.
    const SINGLE: Self = Self { blocks: [1; 3], a: [0; 2], b: [0; 2], c: [0; 2] };

    /// The first block of a product, and the nest of all blocks. `None` if a mode has more than one
    /// level of nesting, if blocks of the operands do not match, or if there are no elements.
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
            b: [n.blocks[0], k.blocks[1]],
            c: [m.blocks[1], n.blocks[1]],
        };
        Some((block, nest))
    }

    #[inline(always)]
    pub(crate) const fn is_single(&self) -> bool {
        let [m, n, k] = self.blocks;
        m * n * k == 1
    }

    /// The blocks of the transposed product.
    const fn transposed(self) -> Self {
        let Self { blocks: [m, n, k], a, b, c: [c_m, c_n] } = self;
        Self { blocks: [n, m, k], a: b, b: a, c: [c_n, c_m] }
    }

    /// Joins the blocks along N if each of them is one vector: the vectors of a tile may have any
    /// stride. Also returns the strides between vectors in B and in C.
    const fn with_vectors(self, block: &Strided, lanes: usize) -> (Strided, Self, [usize; 2]) {
        let Self { blocks: [m, n, k], b: [b_n, _], c: [_, c_n], .. } = self;
        let is_vector = block.n == lanes && block.bn == 1 && block.cn == 1;
        if n == 1 || !is_vector {
            return (*block, self, [lanes; 2]);
        }
        let longer = Strided { n: n * lanes, ..*block };
        (longer, Self { blocks: [m, 1, k], ..self }, [b_n, c_n])
    }
}

impl Nested {
    /// Plans a small product. `strided` is the same product, if its modes are not nested. `None` if it
    /// has no blocks that can be computed in one pass.
    pub(crate) const fn new(
        modes: &Modes,
        strided: &Option<Strided>,
        shapes: &Shapes,
    ) -> Option<Self> {
        if !fit_in_l1(modes.m, modes.n, modes.k) {
            return None;
        }
        if let Some(strided) = strided {
            return match Unblocked::of_static(strided, shapes) {
                Some(block) => Some(Self { block, nest: Nest::SINGLE }),
                None => None,
            };
        }
        let Some((block, nest)) = Nest::new(modes) else { return None };
        let transposed = block.should_transpose();
        let (block, nest) =
            if transposed { (block.transposed(), nest.transposed()) } else { (block, nest) };
        let (block, nest, vector_steps) = nest.with_vectors(&block, shapes.lanes);
        // Blocks without a full vector are not worth tiles.
        if block.cn != 1 || block.n < shapes.lanes {
            return None;
        }
        match Unblocked::of_block(&block, shapes, transposed, vector_steps) {
            Some(block) => Some(Self { block, nest }),
            None => None,
        }
    }

    /// Cost estimate in half cycles, comparable with that of inlined tiles.
    pub(crate) const fn cost(&self) -> usize {
        let [m, n, k] = self.nest.blocks;
        m * n * k * self.block.cost()
    }
}

impl fmt::Display for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { block, nest: Nest { blocks: [m, n, k], .. } } = self;
        if m * n * k > 1 {
            write!(f, "{m} x {n} x {k} parts, each ")?;
        }
        block.fmt(f)
    }
}
