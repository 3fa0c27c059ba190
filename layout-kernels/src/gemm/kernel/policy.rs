//! How an instance of the register tile is compiled: its [`Policy`], and the decisions that follow from
//! it at compile time.

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::shapes::Prefetching;
use crate::gemm::kernel::tile::Tile;
use crate::simd::vector::Vector;

/// How an instance of the tile is compiled.
pub(crate) trait Policy {
    /// Further compile-time constants of an inlined tile. `None` for shared tiles.
    const KNOWN: Option<Known>;
    /// Whether the tile is inlined into the caller.
    const INLINED: bool = Self::KNOWN.is_some();
    /// Whether the tile also packs its vectors of B for the tiles stacked below it. That takes
    /// hardly any extra time.
    const PACKS: bool;
}

/// Fields of its [`Batch`](crate::gemm::kernel::batch::Batch) that an inlined tile knows at compile
/// time. LLVM would propagate the same constants, but only after cloning the code paths of all other
/// cases.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) depth: usize,
    pub(crate) tiles_m: usize,
    pub(crate) last_lanes: usize,
}

/// Tiles in a table, with strides as arguments.
pub(crate) struct SharedTile;
/// Like [`SharedTile`], and also packs B.
pub(crate) struct PackingTile;

impl Policy for SharedTile {
    const KNOWN: Option<Known> = None;
    const PACKS: bool = false;
}

impl Policy for PackingTile {
    const KNOWN: Option<Known> = None;
    const PACKS: bool = true;
}

/// Maximum number of vector products in the unrolled loop along K of an inlined tile.
const MAX_UNROLLED_PRODUCTS: usize = 32;

/// Up to this many steps along K, C is added to the accumulators after the products.
const MAX_LATE_STEPS: usize = 16;

/// From this many accumulators on, the latency of loading C into them is hidden. Up to
/// [`MAX_SHORT_STEPS`] steps this is faster than adding C later. (f32 16x12x10: 36 ns, not 45.
/// But 16x16x16: 83, not 71.)
const MIN_HIDING_SUMS: usize = 12;
const MAX_SHORT_STEPS: usize = 12;

/// This many products hide the time until data of a masked store can be read. Also the threshold of
/// `HIDES_K`.
const MIN_HIDING_PRODUCTS: usize = 64;

/// Maximum number of accumulator sets of a tile.
pub(super) const MAX_SETS: usize = 4;

/// Compile-time decisions of a tile.
impl<D, E, P, const ROWS: usize, const N: usize, const HAS_ROW_END: bool>
    Tile<D, E, P, ROWS, N, HAS_ROW_END>
where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    const VECTORS: usize = {
        assert!(ROWS <= 16 && N <= 4);
        ROWS * (N + HAS_ROW_END as usize)
    };
    pub(super) const HAS_VECTORS: bool = N > 0;
    pub(super) const IS_SHARED: bool = !P::INLINED;
    /// Bytes that the tile prefetches in each step along K.
    pub(super) const PREFETCHED_BYTES: usize = {
        let Prefetching { min_rows, bytes } = Prefetching::new(D::Sums::HAS_MASK_REGISTERS);
        if Self::IS_SHARED && ROWS >= min_rows { bytes } else { 0 }
    };
    /// The known constants; only inlined tiles use them.
    const KNOWN: Known = match P::KNOWN {
        Some(known) => known,
        None => Known { depth: usize::MAX, tiles_m: usize::MAX, last_lanes: 0 },
    };

    /// Number of accumulator sets. Step `k` adds to set `k % SETS`: the FMA latency is four cycles,
    /// in which eight FMAs can start. Shared tiles of all sizes add in the same order, so that
    /// results do not depend on the tile size.
    pub(super) const SETS: usize = match Self::VECTORS {
        _ if Self::IS_SHARED => 1,
        0..=2 if D::Sums::HAS_MASK_REGISTERS => 4,
        0..=5 => 2,
        _ => 1,
    };

    /// Number of unrolled steps along K.
    pub(super) const STEPS: usize = match P::INLINED {
        true => Self::INLINED_STEPS,
        false if Self::HAS_FOUR_STEPS => 4,
        false => 1,
    };
    /// The same for inlined tiles: a multiple of `SETS`. A divisor of the number of steps needs no
    /// remainder loop. It is chosen if it is more than half of the maximum. With 16 registers LLVM
    /// would load B ahead and spill accumulators, so only `SETS` steps are unrolled.
    const INLINED_STEPS: usize = {
        let mut max = 1;
        while D::Sums::HAS_MASK_REGISTERS
            && max < 8
            && (max + 1) * Self::VECTORS <= MAX_UNROLLED_PRODUCTS
        {
            max += 1;
        }
        max = if max < Self::KNOWN.depth { max } else { Self::KNOWN.depth };
        max = if max < Self::SETS { Self::SETS } else { max - max % Self::SETS };
        let mut steps = max;
        while Self::KNOWN.depth % steps > 0 && steps > Self::SETS && 2 * steps > max {
            steps -= Self::SETS;
        }
        if Self::KNOWN.depth % steps > 0 { max } else { steps }
    };
    /// Whether there is an unrolled loop, and one for the remaining steps.
    pub(super) const IS_UNROLLED: bool = match P::INLINED {
        true => Self::KNOWN.depth >= Self::STEPS,
        false => Self::HAS_FOUR_STEPS,
    };
    pub(super) const HAS_MORE_STEPS: bool = Self::IS_SHARED || Self::KNOWN.depth % Self::STEPS > 0;

    /// Whether a shared tile unrolls four steps. Tiles of whole vectors are few, and do most of the
    /// work of a large product. (f64 256x256x256: 81 GFLOP/s without, 86 with. Unrolling all tiles
    /// gains no more, and takes a quarter longer to compile.) With 16 registers, or two registers
    /// per accumulator, some accumulators would spill.
    const HAS_FOUR_STEPS: bool = Self::IS_SHARED
        && !HAS_ROW_END
        && !P::PACKS
        && D::Sums::HAS_MASK_REGISTERS
        && size_of::<D::Sums>() == size_of::<D::Words>();
    /// Whether the number of steps is hidden from LLVM. It would fully unroll a short loop, load B
    /// ahead and spill accumulators.
    pub(super) const HIDES_K: bool = P::INLINED
        && !D::Sums::HAS_MASK_REGISTERS
        && Self::KNOWN.depth * Self::VECTORS > MIN_HIDING_PRODUCTS;

    /// Whether the vectors at the ends of rows are known to be whole. A shared tile uses a mask, which
    /// serves whole and partial vectors in one loop along K.
    pub(super) const IS_ROW_END_WHOLE: bool =
        P::INLINED && Self::KNOWN.last_lanes == <E::Sums as Vector>::LANES;
    /// Whether the row-end vector of C is added after the products. A masked store is not forwarded
    /// to loads: its data can be read only once it is in L1. So rows that end in a mask read C
    /// late.
    pub(super) const READS_C_LATE: bool = Self::IS_SHARED
        || !Self::IS_ROW_END_WHOLE
            && Self::KNOWN.last_lanes > <E::Sums as Vector>::MAX_UNMASKED_LANES;
    /// Whether row ends are loaded and stored in parts instead of with a mask: few products do not
    /// hide the latency of masked stores.
    pub(super) const SPLITS_ROW_END: bool = P::INLINED
        && Self::KNOWN.tiles_m * ROWS * (N + 1) * Self::KNOWN.depth <= MIN_HIDING_PRODUCTS;
    /// Whether accumulators are scaled row by row, on the stack. Without FMA, the products of `alpha`
    /// and `beta` with all of them take so many registers that LLVM keeps accumulators in memory. (u8
    /// by i8 with at most 12 steps: 1.3 times as fast with VNNI.)
    pub(super) const SCALES_IN_LOOP: bool =
        Self::IS_SHARED && !D::FUSES && D::Sums::HAS_MASK_REGISTERS;
    /// Whether the vectors at the ends of rows may cross the end of a run of C. Without mask registers,
    /// that takes longer than to leave lanes unused.
    pub(super) const MAY_SPLIT: bool =
        Self::IS_SHARED && HAS_ROW_END && D::Sums::HAS_MASK_REGISTERS;
    /// Whether accumulators start from C, if the product is added to C. With few accumulators and
    /// few steps, the products would wait for C. Shared tiles prefetch C during the loop along K,
    /// and add it later.
    pub(super) const STARTS_FROM_C: bool = P::INLINED
        && (Self::KNOWN.depth > MAX_LATE_STEPS
            || Self::VECTORS >= MIN_HIDING_SUMS && Self::KNOWN.depth <= MAX_SHORT_STEPS);
}
