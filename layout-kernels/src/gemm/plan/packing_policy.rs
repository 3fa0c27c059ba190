//! `PackingPolicy`: which operands of a product are used in place. `BlockPacking`: the same for
//! blocks, whose modes may have several axes.

use crate::gemm::kernel::batch::CACHE_LINE;
use crate::gemm::kernel::shapes::Shapes;
#[cfg(feature = "std")]
use crate::gemm::problem::operands::Operands;
#[cfg(feature = "std")]
use crate::gemm::problem::pieces::extents;
#[cfg(feature = "std")]
use crate::gemm::problem::steps::Steps;
use crate::simd::cache::Caches;

/// Words along K in a block.
///
/// A panel of B is then larger than L1. This does not matter, since a panel that fits in L1 is
/// streamed as well. A longer block reads and writes C less often. (1024 cubed in f32: 8 % slower
/// with 128.)
pub(crate) const BLOCK_WORDS: usize = 512;

/// Whether this many words along K form one block. A second block costs more than one that is a
/// little too deep.
pub(crate) fn is_single_block(words: usize) -> bool {
    words <= BLOCK_WORDS + BLOCK_WORDS / 4
}

/// Bytes of a way of L1, and of a page: addresses this far apart are in the same set.
pub(crate) const PAGE: usize = 4 << 10;

/// Addresses of B: of its first element, and the bytes between its words along K.
#[derive(Clone, Copy)]
pub(crate) struct AddressesOfB {
    pub(crate) start: usize,
    pub(crate) step: usize,
}

impl AddressesOfB {
    /// Whether no vector crosses a cache line.
    fn are_within_lines(self) -> bool {
        (self.start | self.step).is_multiple_of(CACHE_LINE)
    }

    /// Whether the lines of a panel of `k` steps evict each other from L1, although it has room for the
    /// panel: steps a page apart, or a large part of one, share sets. (f32 1024 by 1024 by 64: 211 GFLOP/s
    /// in place, 250 packed.)
    fn share_sets(self, k: usize, panel: usize, l1: usize) -> bool {
        let distinct = PAGE >> self.step.trailing_zeros().min(PAGE.trailing_zeros());
        k > distinct.saturating_mul(l1 / PAGE) && k.saturating_mul(panel) <= l1 / 2
    }
}

/// Up to this many steps, rows of B fit in the L1 TLB, even if each row is in a page of its own.
const MAX_TLB_STEPS: usize = 64;

/// Which operands are used in place: the stride of their words along K, in elements. `None` for a
/// packed operand.
pub(crate) struct PackingPolicy {
    pub(crate) a_step: Option<usize>,
    pub(crate) b_step: Option<usize>,
}

impl PackingPolicy {
    /// Policy for a product of these extents. `a_step` and `b_step` are the strides of words along K,
    /// if the operand has words in memory (in B: vectors of words). `caches` is a function, because a
    /// small product does not need it.
    #[inline(always)]
    pub(crate) fn new(
        [m, n, k]: [usize; 3],
        [a_step, b_step]: [Option<usize>; 2],
        shapes: &Shapes,
        b: AddressesOfB,
        caches: impl Fn() -> Caches,
    ) -> Self {
        let a_step = match a_step {
            Some(step) if a_stays([m, n, k], step, shapes, &caches) => a_step,
            _ => None,
        };
        let b_step = match b_step {
            Some(_) if b_stays([m, n, k], shapes, b, &caches) => b_step,
            _ => None,
        };
        Self { a_step, b_step }
    }
}

/// Whether A stays in place. Data used once or twice is not worth packing. Nor are rows that are contiguous
/// along K, since each is one stream. Other rows stay in place if all of A fits in half of L1. Otherwise each step
/// reads another page. (f32 4000x800x500, A contiguous along M, on an Intel Xeon: 1.65 times as fast packed.)
#[inline(always)]
fn a_stays(
    [m, n, k]: [usize; 3],
    step: usize,
    shapes: &Shapes,
    caches: impl Fn() -> Caches,
) -> bool {
    let bytes = m.saturating_mul(k).saturating_mul(shapes.element);
    n <= 2 * shapes.lanes * shapes.vectors() || step == shapes.depth || bytes <= caches().l1 / 2
}

/// Up to this many tiles do not repay packing B, not even steps that share the sets of L1, if their rows are
/// several cache lines. (f32 with AVX-512: 24x1000x300 99 GFLOP/s packed, 114 in place; 64x1000x300 105 and
/// 108.)
const MAX_TILES_IN_PLACE: usize = 8;

/// Whether B stays in place. Tiles pack while they read, so that a few of them make packing pay off. With 16
/// registers, a row of a tile is one cache line, and each step reads another page: the TLB holds the pages
/// of few steps. (f32 24x1000x300: 75 GFLOP/s packed, 66 in place.)
#[inline(always)]
fn b_stays(
    [m, n, k]: [usize; 3],
    shapes: &Shapes,
    b: AddressesOfB,
    caches: impl Fn() -> Caches,
) -> bool {
    let vectors = shapes.vectors();
    let max_tiles = match shapes.has_mask_registers {
        true => MAX_TILES_IN_PLACE,
        false if k <= MAX_TLB_STEPS => 4,
        false => 2,
    };
    let tiles = m.div_ceil(shapes.rows(vectors));
    if tiles <= max_tiles {
        return true;
    }
    let Caches { l1, l2, .. } = caches();
    if tiles > MAX_TILES_IN_PLACE && b.share_sets(k, shapes.lanes * vectors * shapes.word, l1) {
        return false;
    }
    // (256 cubed in f32: 277 GFLOP/s in place, 261 packed. 1000 by 100 by 300, whose rows do not start
    // at cache lines: 122 in place, 130 packed; 100 cubed: 142 and 119.)
    let limit = if b.are_within_lines() { l2 / 4 } else { 2 * l1 };
    n.saturating_mul(k).saturating_mul(shapes.element) <= limit
}

/// Minimum extents of the axes of a block of B that is transposed.
#[cfg(feature = "std")]
const MIN_TRANSPOSED: usize = 4;

/// Up to this many vectors of C do not repay transposing A. (f32 convolution of 3 channels to 32.)
#[cfg(feature = "std")]
const MAX_VECTORS_IN_PLACE: usize = 8;

/// How the operands of a product with cache blocking are packed.
#[cfg(feature = "std")]
#[derive(Clone, Copy)]
pub(crate) struct BlockPacking {
    /// Whether A, and B, are used in place if their panels are regular.
    pub(crate) a_in_place: bool,
    pub(crate) b_in_place: bool,
    /// Whether tiles with the maximum number of rows pack B, which has vectors.
    pub(crate) tiles_pack: bool,
    /// Whether many panels of B are transposed together: neither its first axis along N nor K is
    /// contiguous, but the next axis along N is.
    pub(crate) transposes_b: bool,
}

#[cfg(feature = "std")]
impl BlockPacking {
    /// Packing for operands whose B starts at `b`, in blocks of `k_block` elements along K.
    pub(crate) fn new(
        operands: &Operands,
        shapes: &Shapes,
        caches: &Caches,
        b: usize,
        k_block: usize,
    ) -> Self {
        let Operands { m: rows_of, n: columns_of, k: steps_of, .. } = operands;
        let (am, ak) = (rows_of.without_table(0), steps_of.without_table(0));
        let (bn, bk) = (columns_of.without_table(0), steps_of.without_table(1));
        let (m, n, k) = (am.size, bn.size, ak.size);
        let &Shapes { lanes, depth, .. } = shapes;
        // Extents of a block along K, as in `CacheBlocking::along_k`.
        let block = extents(&steps_of.all(), k_block, &[depth], &[]);
        let [a_steps, b_steps] = [(0, shapes.a_words), (1, shapes.b_words)]
            .map(|(which, is_word)| Steps::new(&steps_of.of_block(which, &block), is_word, depth));
        let b_steps = b_steps.filter(|_| bn.blocks_have_stride(lanes, depth));
        // An A with several runs along K touches more cache lines and pages than its size suggests.
        // (f32 contraction `abc-adec-ebd` with AVX-512, 52 columns: 63 GFLOP/s in place and 87
        // packed.)
        let of_a = a_steps.filter(|steps| steps.runs == 1);
        let steps = [of_a, b_steps].map(|steps| steps.map(|steps| steps.step));
        let of_b = AddressesOfB { start: b, step: bk.stride.wrapping_mul(shapes.element) };
        let policy = PackingPolicy::new([m, n, k], steps, shapes, of_b, || *caches);
        // Few columns do not repay transposing A. Overlapping rows, as those of an image under a
        // sliding filter, are fewer bytes in place.
        let is_read_well = a_steps.is_some_and(|steps| {
            steps.is_contiguous(depth)
                && (steps.overlap(&am, depth) || n <= MAX_VECTORS_IN_PLACE * lanes)
        });
        let b_in_place = policy.b_step.is_some();
        let tiles_pack = b_steps.is_some() && !b_in_place;
        // Short runs of rows make lower tiles, which do not pack B. If B is the larger operand, they
        // wait for memory. (f32 convolution of 7x7x512 to 512 with AVX-512: 116 GFLOP/s with tiles of
        // 7 rows, 127 with 8.)
        let has_low_tiles = tiles_pack && n >= m && !am.is_linear();
        let a_in_place = (is_read_well || policy.a_step.is_some()) && !has_low_tiles;
        let transposes_b = transposed_columns(operands, shapes).is_some();
        Self { a_in_place, b_in_place, tiles_pack, transposes_b }
    }
}

/// If packing transposes B, the number of contiguous columns of B.
#[cfg(feature = "std")]
pub(crate) fn transposed_columns(operands: &Operands, shapes: &Shapes) -> Option<usize> {
    let &Shapes { lanes, depth, b_words, .. } = shapes;
    let (bn, bk) = (operands.n.without_table(0), operands.k.without_table(1));
    let is_strided = bn.stride > 1 && bn.run_len >= MIN_TRANSPOSED && bk.stride != 1;
    let (_, count) = bn.contiguous_axis()?;
    let transposes =
        b_words && depth == 1 && bn.size > 2 * lanes && is_strided && count >= MIN_TRANSPOSED;
    transposes.then_some(count)
}
