//! Static products over the tiles that all products share: the plan is a constant, and nothing is
//! compiled for it.

use crate::gemm::plan::STACK;
use crate::gemm::plan::tiles::{Compiled, Machine, Part, Tiles};
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::Modes;
use crate::gemm::problem::strided::Strided;

/// A static product over shared tiles.
#[derive(Clone, Copy, Debug)]
pub struct OverShared {
    pub(crate) tiles: Tiles,
    pub(crate) parts: [Part; 4],
    /// How many parts there are.
    pub(crate) count: usize,
    pub(crate) nest: Nest,
    /// From a vector to the next one in the operand that has vectors, and in C.
    pub(crate) vector_steps: [usize; 2],
    /// The distances along K and along the vectors of the operand that has vectors, where it is
    /// packed.
    pub(crate) packed: Option<[usize; 2]>,
}

/// Half cycles of a call, of what each tile takes longer than one in the caller, and of the start of
/// packing. An element that is packed takes another one.
const CALL: usize = 80;
const TILE: usize = 60;
const PACK: usize = 120;

/// The blocks of a product with nested modes, in the order of the tiles. Each block has one distance
/// along each mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest {
    /// How many blocks there are along M, N and K.
    pub(crate) blocks: [usize; 3],
    /// From a block to the next one: in A along M and K, in B along K and N, in C along M and N.
    pub(crate) a: [usize; 2],
    pub(crate) b: [usize; 2],
    pub(crate) c: [usize; 2],
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

impl Nest {
    /// The same product with fewer and longer blocks where each block is one vector along N: the
    /// vectors of a tile may be at any distance. The last are the distances in B and in C.
    const fn with_vectors(self, block: &Strided, lanes: usize) -> (Strided, Self, [usize; 2]) {
        let Self { blocks: [m, n, k], b: [_, b_n], c: [_, c_n], .. } = self;
        let is_vector = block.n == lanes && block.bn == 1 && block.cn == 1;
        if n == 1 || !is_vector {
            return (*block, self, [lanes; 2]);
        }
        let longer = Strided { n: n * lanes, ..*block };
        (longer, Self { blocks: [m, 1, k], ..self }, [b_n, c_n])
    }
}

impl OverShared {
    /// The plan, if C has vectors. If they are in no operand, one is packed.
    pub(crate) const fn new(modes: &Modes, machine: &Machine) -> Option<Self> {
        if !Tiles::are_near(modes.m, modes.n, modes.k) {
            return None;
        }
        match (
            Self::along_n(modes, machine, false),
            Self::along_n(&modes.transposed(), machine, true),
        ) {
            (Some(n), Some(m)) => Some(if m.cost() < n.cost() { m } else { n }),
            (Some(plan), None) | (None, Some(plan)) => Some(plan),
            (None, None) => None,
        }
    }

    /// The plan with vectors along n.
    const fn along_n(modes: &Modes, machine: &Machine, transposed: bool) -> Option<Self> {
        let Some((block, nest)) = Nest::new(modes) else { return None };
        let lanes = machine.lanes[0];
        let (block, nest, vector_steps) = nest.with_vectors(&block, lanes);
        let [m, n, k] = nest.blocks;
        let is_one = m * n * k == 1;
        let (tiles, packed) = match Tiles::along_n(&block, machine, Compiled::Shared, transposed) {
            // Blocks with hardly a lane are not worth their tiles.
            Some(tiles) if is_one || tiles.flat.n >= lanes => (tiles, None),
            None if is_one => {
                let Strided { n, k, bk, bn, .. } = block;
                let width = n.next_multiple_of(lanes);
                if k * width > STACK / size_of::<f64>() {
                    return None;
                }
                let packed = Strided { bk: width, bn: 1, ..block };
                match Tiles::near_along_n(&packed, machine, Compiled::Shared, transposed) {
                    Some(tiles) => (tiles, Some([bk, bn])),
                    None => return None,
                }
            }
            _ => return None,
        };
        let (all, mut parts, mut count, mut i) = (tiles.parts(), [Part::NONE; 4], 0, 0);
        while i < 4 {
            if let Some(part) = all[i] {
                parts[count] = part.shared(tiles.lanes);
                count += 1;
            }
            i += 1;
        }
        Some(Self { tiles, parts, count, nest, vector_steps, packed })
    }

    /// An estimate in half cycles, as that of tiles.
    pub(crate) const fn cost(&self) -> usize {
        let Self { tiles, nest: Nest { blocks: [m, n, k], .. }, packed, .. } = *self;
        let packing = if packed.is_some() { PACK + tiles.flat.k * tiles.flat.n } else { 0 };
        CALL + packing + m * n * k * (tiles.cost() + TILE * tiles.count())
    }
}
