//! Tiny static products with one lane for each element of C.
//!
//! Tiles of rows would leave most lanes of a register unused. Here a few registers hold all of C,
//! or a block of its columns. Other registers hold all of A and B. In each step along K, permutes
//! bring the right elements of A and B to every lane.

#![allow(clippy::needless_range_loop, reason = "several arrays of registers share an index")]

use core::marker::PhantomData;

use crate::gemm::float::Float;
use crate::gemm::inlined::StaticModes;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::vector::{Isa, MAX_LANES, Vector};

/// The product `P` of floats `T` with the registers of `I`.
pub(crate) struct Permute<T, I, P>(PhantomData<(T, I, P)>);

/// Maximum number of registers of C in a block.
const MAX_REGISTERS: usize = 4;
/// Maximum K.
const MAX_STEPS: usize = 16;

/// For each step and each register, the source lane of each lane.
type StepLaneIndices = [[[u8; MAX_LANES]; MAX_REGISTERS]; MAX_STEPS];

/// A product with a dense C: columns of `flat.m` elements, contiguous.
#[derive(Clone, Copy)]
pub(crate) struct ColumnBlocks {
    flat: Strided,
    pub(crate) transposed: bool,
    lanes: usize,
    /// Columns of C in a block. The last block may have fewer.
    columns: usize,
}

impl ColumnBlocks {
    /// The blocks. `None` unless C is dense, two registers hold A, and two hold a block of B.
    pub(crate) const fn new(flat: &Strided, lanes: usize) -> Option<Self> {
        // First, so that nothing below overflows.
        if flat.is_empty() || flat.m > MAX_LANES || flat.n > 1024 || flat.k > MAX_STEPS {
            return None;
        }
        let blocks = match (Self::is_dense(flat), Self::is_dense(&flat.transposed())) {
            (true, _) => Self { flat: *flat, transposed: false, lanes, columns: flat.n },
            (_, true) => Self { flat: flat.transposed(), transposed: true, lanes, columns: flat.m },
            _ => return None,
        };
        let Strided { m, n, k, .. } = blocks.flat;
        if m > lanes || k * m > 2 * lanes || blocks.a_span() > 2 * lanes {
            return None;
        }
        if blocks.fits() {
            return Some(blocks);
        }
        // The smallest number of columns that fills whole registers.
        let mut columns = 1;
        while !(columns * m).is_multiple_of(lanes) {
            columns += 1;
        }
        let blocks = Self { columns, ..blocks };
        if columns < n && blocks.fits() { Some(blocks) } else { None }
    }

    const fn is_dense(flat: &Strided) -> bool {
        (flat.cm == 1 || flat.m == 1) && (flat.cn == flat.m || flat.n == 1)
    }

    /// Whether a block fits in the registers.
    const fn fits(&self) -> bool {
        self.flat.m * self.columns <= MAX_REGISTERS * self.lanes
            && self.b_span(self.columns) <= 2 * self.lanes
    }

    /// Length of the memory range of A, in elements.
    const fn a_span(&self) -> usize {
        let Strided { m, k, am, ak, .. } = self.flat;
        span([m, k], [am, ak])
    }

    /// Length of the memory range of a block of B, in elements.
    const fn b_span(&self, columns: usize) -> usize {
        let Strided { k, bk, bn, .. } = self.flat;
        span([k, columns], [bk, bn])
    }

    /// Number of registers of C in a block.
    const fn registers(&self, columns: usize) -> usize {
        (self.flat.m * columns).div_ceil(self.lanes)
    }

    /// Cost in half cycles, like that of tiles: one permute per cycle, two FMAs per cycle, FMA
    /// latency of four cycles.
    pub(crate) const fn cost(&self) -> usize {
        let Strided { n, k, .. } = self.flat;
        let full = self.blocks_cost(self.columns, n / self.columns);
        let rest = n % self.columns;
        full + if rest > 0 { self.blocks_cost(rest, 1) } else { 0 } + 8 + k
    }

    const fn blocks_cost(&self, columns: usize, count: usize) -> usize {
        let (registers, k) = (self.registers(columns), self.flat.k);
        // A is permuted once for all blocks.
        let permutes = registers * k * (1 + count);
        let products = registers * k * count;
        let throughput = if permutes > products { 2 * permutes } else { permutes + products };
        let latency = 4 * k;
        (if throughput > latency { throughput } else { latency }) + 2 * registers * count
    }

    /// Source lanes for a block of `columns` columns: of A, or of B if `of_b`.
    const fn lane_indices(&self, columns: usize, of_b: bool) -> StepLaneIndices {
        let Strided { m, k, am, ak, bk, bn, .. } = self.flat;
        let mut lanes = [[[0; MAX_LANES]; MAX_REGISTERS]; MAX_STEPS];
        let mut step = 0;
        while step < k {
            let mut element = 0;
            while element < m * columns {
                let (i, j) = (element % m, element / m);
                let lane = if of_b { step * bk + j * bn } else { i * am + step * ak };
                lanes[step][element / self.lanes][element % self.lanes] = lane as u8;
                element += 1;
            }
            step += 1;
        }
        lanes
    }
}

/// Length of a strided memory range, in elements.
pub(crate) const fn span(extents: [usize; 2], strides: [usize; 2]) -> usize {
    (extents[0] - 1) * strides[0] + (extents[1] - 1) * strides[1] + 1
}

impl<T: Float, I: Isa<T>, P: StaticModes> Permute<T, I, P> {
    const BLOCKS: ColumnBlocks = match P::STRIDED {
        Some(flat) => match ColumnBlocks::new(&flat, I::Full::LANES) {
            Some(blocks) => blocks,
            None => panic!("blocks that do not fit"),
        },
        None => panic!("a mode without a constant stride"),
    };
    const REST: usize = Self::BLOCKS.flat.n % Self::BLOCKS.columns;

    /// Computes `C = alpha * A * B + beta * C`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `I`, and the product must have been planned in blocks. At
    /// every offset of the layouts of `P`, elements of A and B must be valid for reads, and
    /// elements of C for reads and writes. Nothing else accesses C during the call.
    #[inline(always)]
    pub(crate) unsafe fn run(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T) {
        let ColumnBlocks { flat, transposed, columns, .. } = const { Self::BLOCKS };
        let (a, b) = if transposed { (b, a) } else { (a, b) };
        let whole = const { Self::BLOCKS.flat.n / Self::BLOCKS.columns };
        // SAFETY: guaranteed by the caller. `a_span` ends with the last element of A; gaps between
        // elements are read too.
        unsafe {
            let a = load::<T, I>(a, const { Self::BLOCKS.a_span() });
            let block = const { Self::block_kernel::<false>() };
            for i in 0..whole {
                let b = b.wrapping_add(i * columns * flat.bn);
                block(scale, a, b, c.wrapping_add(i * columns * flat.m));
            }
            if let Some(block) =
                const { if Self::REST > 0 { Some(Self::block_kernel::<true>()) } else { None } }
            {
                let b = b.wrapping_add(whole * columns * flat.bn);
                block(scale, a, b, c.wrapping_add(whole * columns * flat.m));
            }
        }
    }

    const fn block_kernel<const IS_LAST: bool>()
    -> unsafe fn(&Scale<T>, [I::Full; 2], *const T, *mut T) {
        match Self::BLOCKS.registers(Self::columns::<IS_LAST>()) {
            1 => Self::block::<1, IS_LAST>,
            2 => Self::block::<2, IS_LAST>,
            3 => Self::block::<3, IS_LAST>,
            _ => Self::block::<4, IS_LAST>,
        }
    }

    const fn columns<const IS_LAST: bool>() -> usize {
        if IS_LAST { Self::REST } else { Self::BLOCKS.columns }
    }

    /// Computes one block, with `R` registers of C.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    unsafe fn block<const R: usize, const IS_LAST: bool>(
        scale: &Scale<T>,
        a: [I::Full; 2],
        b: *const T,
        c: *mut T,
    ) {
        let ColumnBlocks { flat: Strided { m, k, .. }, lanes, .. } = const { Self::BLOCKS };
        let columns = const { Self::columns::<IS_LAST>() };
        let (a_indices, b_indices) = const {
            let columns = Self::columns::<IS_LAST>();
            (&Self::BLOCKS.lane_indices(columns, false), &Self::BLOCKS.lane_indices(columns, true))
        };
        let last = m * columns - (R - 1) * lanes;
        // SAFETY: guaranteed by the caller. `b_span` ends with the last element of the block of B;
        // gaps are read too. The elements of C are contiguous.
        unsafe {
            let (a_span, b_span) =
                const { (Self::BLOCKS.a_span(), Self::BLOCKS.b_span(Self::columns::<IS_LAST>())) };
            let b = load::<T, I>(b, b_span);
            let zero = I::Full::splat(T::ZERO);
            let mut sums = [[zero; R]; 2];
            for step in 0..k {
                for r in 0..R {
                    let x = permute::<T, I>(a, a_span, &a_indices[step][r]);
                    let y = permute::<T, I>(b, b_span, &b_indices[step][r]);
                    // With few accumulators, FMA latency dominates: two sets alternate.
                    let set = if R <= 2 { step % 2 } else { 0 };
                    sums[set][r] = x.mul_add(y, sums[set][r]);
                }
            }
            for r in 0..R {
                let n = if r + 1 < R { lanes } else { last };
                let p = c.wrapping_add(r * lanes);
                let mut sum = if R <= 2 { sums[0][r].add(sums[1][r]) } else { sums[0][r] };
                match scale.kind {
                    Kind::Assign => {}
                    Kind::Add => sum = sum.add(load_up_to::<T, I>(p, n)),
                    Kind::Scale => sum = I::Full::splat(scale.alpha).mul(sum),
                    Kind::ScaleAdd => {
                        let sum_ = I::Full::splat(scale.alpha).mul(sum);
                        sum = I::Full::splat(scale.beta).mul_add(load_up_to::<T, I>(p, n), sum_);
                    }
                }
                if n < lanes { sum.store_first_split(p, n) } else { sum.store(p) }
            }
        }
    }
}

/// Loads the `span` elements from `p` into two registers.
///
/// # Safety
///
/// The CPU must have the instructions of `I`, and the elements must be valid for reads.
#[inline(always)]
pub(crate) unsafe fn load<T: Float, I: Isa<T>>(p: *const T, span: usize) -> [I::Full; 2] {
    let lanes = I::Full::LANES;
    // SAFETY: guaranteed by the caller.
    unsafe {
        if span <= lanes {
            let first = if span < lanes { I::Full::load_first(p, span) } else { I::Full::load(p) };
            return [first, first];
        }
        let (rest, second) = (span - lanes, p.wrapping_add(lanes));
        let second =
            if rest < lanes { I::Full::load_first(second, rest) } else { I::Full::load(second) };
        [I::Full::load(p), second]
    }
}

/// Permutes lanes of the first register, or of both if the `span` elements take two.
///
/// # Safety
///
/// The CPU must have the instructions of `I`, and all `lane_indices` must be less than `span`.
#[inline(always)]
pub(crate) unsafe fn permute<T: Float, I: Isa<T>>(
    from: [I::Full; 2],
    span: usize,
    lane_indices: &[u8; MAX_LANES],
) -> I::Full {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if span > I::Full::LANES {
            I::permute2(from, lane_indices)
        } else {
            from[0].permute_const(lane_indices)
        }
    }
}

/// Loads the first `n` elements from `p`.
///
/// # Safety
///
/// The CPU must have the instructions of `I`, and the elements must be valid for reads.
#[inline(always)]
unsafe fn load_up_to<T: Float, I: Isa<T>>(p: *const T, n: usize) -> I::Full {
    // SAFETY: guaranteed by the caller.
    unsafe { if n < I::Full::LANES { I::Full::load_first_split(p, n) } else { I::Full::load(p) } }
}
