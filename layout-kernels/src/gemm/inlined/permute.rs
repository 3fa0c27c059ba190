//! Tiny static products with one lane for each element of C.
//!
//! Tiles of rows would leave most lanes of a register unused. Here a few registers hold all of C,
//! or a block of its columns. Other registers hold all of A and B. In each step along K, permutes
//! bring the right elements of A and B to every lane.

#![allow(clippy::needless_range_loop, reason = "several arrays of registers share an index")]

use core::marker::PhantomData;

use crate::gemm::float::Float;
use crate::gemm::inlined::Product;
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
type Picks = [[[u8; MAX_LANES]; MAX_REGISTERS]; MAX_STEPS];

/// A product with a dense C: columns of `flat.m` elements, contiguous.
#[derive(Clone, Copy)]
pub(crate) struct Blocks {
    flat: Strided,
    pub(crate) transposed: bool,
    lanes: usize,
    /// Columns of C in a block. The last block may have fewer.
    columns: usize,
}

impl Blocks {
    /// The blocks. `None` unless C is dense, two registers hold A, and two hold a block of B.
    pub(crate) const fn new(flat: &Strided, lanes: usize) -> Option<Self> {
        let blocks = match (Self::dense(flat), Self::dense(&flat.transposed())) {
            (true, _) => Self { flat: *flat, transposed: false, lanes, columns: flat.n },
            (_, true) => Self { flat: flat.transposed(), transposed: true, lanes, columns: flat.m },
            _ => return None,
        };
        let Strided { m, n, k, .. } = blocks.flat;
        if k > MAX_STEPS || m > lanes || k * m > 2 * lanes || blocks.a_span() > 2 * lanes {
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

    const fn dense(flat: &Strided) -> bool {
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
        let full = self.takes(self.columns, n / self.columns);
        let rest = n % self.columns;
        full + if rest > 0 { self.takes(rest, 1) } else { 0 } + 8 + k
    }

    const fn takes(&self, columns: usize, count: usize) -> usize {
        let (registers, k) = (self.registers(columns), self.flat.k);
        // A is permuted once for all blocks.
        let picks = registers * k * (1 + count);
        let products = registers * k * count;
        let busy = if picks > products { 2 * picks } else { picks + products };
        let wait = 4 * k;
        (if busy > wait { busy } else { wait }) + 2 * registers * count
    }

    /// Source lanes for a block of `columns` columns: of A, or of B if `of_b`.
    const fn picks(&self, columns: usize, of_b: bool) -> Picks {
        let Strided { m, k, am, ak, bk, bn, .. } = self.flat;
        let mut picks = [[[0; MAX_LANES]; MAX_REGISTERS]; MAX_STEPS];
        let mut step = 0;
        while step < k {
            let mut element = 0;
            while element < m * columns {
                let (i, j) = (element % m, element / m);
                let place = if of_b { step * bk + j * bn } else { i * am + step * ak };
                picks[step][element / self.lanes][element % self.lanes] = place as u8;
                element += 1;
            }
            step += 1;
        }
        picks
    }
}

/// Length of a strided memory range, in elements.
pub(crate) const fn span(extents: [usize; 2], strides: [usize; 2]) -> usize {
    (extents[0] - 1) * strides[0] + (extents[1] - 1) * strides[1] + 1
}

impl<T: Float, I: Isa<T>, P: Product> Permute<T, I, P> {
    /// The blocks; `None` if they do not fit or the level has no permutes.
    pub(crate) const BLOCKS: Option<Blocks> = match &P::STRIDED {
        Some(flat)
            if I::PICKS
                && !flat.is_empty()
                && flat.m <= MAX_LANES
                && flat.n <= 1024
                && flat.k <= MAX_STEPS =>
        {
            Blocks::new(flat, I::Full::LANES)
        }
        _ => None,
    };
    const EXPECTED: Blocks = match Self::BLOCKS {
        Some(blocks) => blocks,
        None => panic!("a product without lanes"),
    };
    const REST: usize = Self::EXPECTED.flat.n % Self::EXPECTED.columns;

    /// Computes `C = alpha * A * B + beta * C`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `I`, and [`BLOCKS`](Self::BLOCKS) must be `Some`. At
    /// every offset of the layouts of `P`, elements of A and B must be valid for reads, and
    /// elements of C for reads and writes. Nothing else accesses C during the call.
    #[inline(always)]
    pub(crate) unsafe fn run(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T) {
        let Blocks { flat, transposed, columns, .. } = const { Self::EXPECTED };
        let (a, b) = if transposed { (b, a) } else { (a, b) };
        let whole = const { Self::EXPECTED.flat.n / Self::EXPECTED.columns };
        // SAFETY: guaranteed by the caller. `a_span` ends with the last element of A; gaps between
        // elements are read too.
        unsafe {
            let a = load::<T, I>(a, const { Self::EXPECTED.a_span() });
            let block = const { Self::by_registers::<false>() };
            for i in 0..whole {
                let b = b.wrapping_add(i * columns * flat.bn);
                block(scale, a, b, c.wrapping_add(i * columns * flat.m));
            }
            if let Some(block) =
                const { if Self::REST > 0 { Some(Self::by_registers::<true>()) } else { None } }
            {
                let b = b.wrapping_add(whole * columns * flat.bn);
                block(scale, a, b, c.wrapping_add(whole * columns * flat.m));
            }
        }
    }

    const fn by_registers<const END: bool>() -> unsafe fn(&Scale<T>, [I::Full; 2], *const T, *mut T)
    {
        match Self::EXPECTED.registers(Self::columns::<END>()) {
            1 => Self::block::<1, END>,
            2 => Self::block::<2, END>,
            3 => Self::block::<3, END>,
            _ => Self::block::<4, END>,
        }
    }

    const fn columns<const END: bool>() -> usize {
        if END { Self::REST } else { Self::EXPECTED.columns }
    }

    /// Computes one block, with `R` registers of C.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    unsafe fn block<const R: usize, const END: bool>(
        scale: &Scale<T>,
        a: [I::Full; 2],
        b: *const T,
        c: *mut T,
    ) {
        let Blocks { flat: Strided { m, k, .. }, lanes, .. } = const { Self::EXPECTED };
        let columns = const { Self::columns::<END>() };
        let (a_places, b_places) = const {
            let columns = Self::columns::<END>();
            (&Self::EXPECTED.picks(columns, false), &Self::EXPECTED.picks(columns, true))
        };
        let last = m * columns - (R - 1) * lanes;
        // SAFETY: guaranteed by the caller. `b_span` ends with the last element of the block of B;
        // gaps are read too. The elements of C are contiguous.
        unsafe {
            let (a_span, b_span) =
                const { (Self::EXPECTED.a_span(), Self::EXPECTED.b_span(Self::columns::<END>())) };
            let b = load::<T, I>(b, b_span);
            let zero = I::Full::splat(T::ZERO);
            let mut sums = [[zero; R]; 2];
            for step in 0..k {
                for r in 0..R {
                    let x = pick::<T, I>(a, a_span, &a_places[step][r]);
                    let y = pick::<T, I>(b, b_span, &b_places[step][r]);
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
                    Kind::Add => sum = sum.add(read::<T, I>(p, n)),
                    Kind::Scale => sum = I::Full::splat(scale.alpha).mul(sum),
                    Kind::ScaleAdd => {
                        let sum_ = I::Full::splat(scale.alpha).mul(sum);
                        sum = I::Full::splat(scale.beta).mul_add(read::<T, I>(p, n), sum_);
                    }
                }
                if n < lanes { sum.store_parts(p, n) } else { sum.store(p) }
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
/// The CPU must have the instructions of `I`, and all `places` must be less than `span`.
#[inline(always)]
pub(crate) unsafe fn pick<T: Float, I: Isa<T>>(
    from: [I::Full; 2],
    span: usize,
    places: &[u8; MAX_LANES],
) -> I::Full {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if span > I::Full::LANES { I::pick_of_two(from, places) } else { I::pick(from[0], places) }
    }
}

/// Loads the first `n` elements from `p`.
///
/// # Safety
///
/// The CPU must have the instructions of `I`, and the elements must be valid for reads.
#[inline(always)]
unsafe fn read<T: Float, I: Isa<T>>(p: *const T, n: usize) -> I::Full {
    // SAFETY: guaranteed by the caller.
    unsafe { if n < I::Full::LANES { I::Full::load_parts(p, n) } else { I::Full::load(p) } }
}
