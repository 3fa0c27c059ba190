//! `CacheBlocking`: the block sizes of a product.

use core::ops::Range;

use crate::gemm::kernel::batch::CACHE_LINE;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::columns::Columns;
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::plan::packing_policy::{
    BLOCK_WORDS, BlockPacking, PAGE, is_single_block, transposed_columns,
};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Operands;
use crate::gemm::problem::pieces::extents;
use crate::simd::cache::Caches;

/// Block sizes, and how the operands are packed.
#[derive(Clone, Copy)]
pub(crate) struct CacheBlocking {
    pub(crate) mc: usize,
    pub(crate) nc: usize,
    pub(crate) kc: usize,
    /// Rows of a tile; lanes of a row of a tile; elements of a word along K; extra rows at the end of
    /// a panel of B.
    pub(crate) rows: usize,
    width: usize,
    depth: usize,
    extra_rows: usize,
    /// Columns of C; tile rows that are enough to hide the latency of the accumulators.
    n: usize,
    min_rows: usize,
    /// Bytes of A that stay in L1 while they are multiplied with B.
    pub(crate) l1_bytes: usize,
    pub(crate) packing: BlockPacking,
    /// Whether tiles read B from memory, in place.
    streams_b: bool,
    /// Whether C has contiguous vectors.
    pub(crate) c_is_contiguous: bool,
    /// How columns are cut into tiles.
    pub(crate) columns: Columns,
    /// Number of runs of C that are joined.
    pub(crate) joined: usize,
    /// Elements that a block reads of each run of a transposed B.
    run_of_b: usize,
}

/// Number of accumulators of a tile that is enough to hide their latency.
const MIN_ACCUMULATORS: usize = 8;

/// A with shorter runs of rows is packed, if C has longer ones.
const MIN_RUN: usize = 3;

/// Packing costs as much as computing this many columns.
const PACK_COLUMNS: usize = 32;

/// Bytes of a packed block of A, kept in the last-level cache.
const A_BYTES: usize = 4 << 20;

impl CacheBlocking {
    /// Blocking for operands whose B starts at `b`. `reads_c`: `beta` is not 0.
    pub(crate) fn new(
        operands: &Operands,
        shapes: &Shapes,
        caches: &Caches,
        b: usize,
        reads_c: bool,
    ) -> Self {
        let Operands { n: columns_of, k: steps_of, .. } = operands;
        let cn = columns_of.without_table(1);
        let n = cn.size;
        let width = shapes.lanes * shapes.vectors();
        let words = shapes.words_for(steps_of.size());
        let (run_of_b, k_block) = run_of_b_and_words(operands, shapes, caches);
        let panel = k_block * shapes.word;
        let packing = BlockPacking::new(operands, shapes, caches, b, k_block * shapes.depth);
        let columns = Columns {
            lanes: shapes.lanes,
            // Tiles that read C do not split vectors, and further blocks along K read it.
            may_split: shapes.has_mask_registers
                && !packing.b_in_place
                && !reads_c
                && k_block == words,
            transposes_b: packing.transposes_b,
        };
        let cuts = columns.cut(&columns_of.without_table(0), &cn, shapes.vectors());
        // Tiles that are narrow because C has few columns get more rows, unless tiles pack B. (64 by
        // 64 by 4096 in f32: 96 GFLOP/s with tall tiles, 113 with tiles that pack.)
        let vectors = match packing.tiles_pack {
            true => shapes.vectors(),
            false => cuts.largest(),
        };
        let rows = shapes.rows(vectors);
        let units = |bytes: usize, unit: usize| (bytes / panel).max(1).next_multiple_of(unit);
        let streams_b = packing.b_in_place
            && caches.do_not_hold(operands.b_size().saturating_mul(shapes.element));
        // A quarter of L2, since A and C pass through L2 as well.
        let nc = match packing.transposes_b {
            true => {
                let tile = width.min(cn.run_len * cuts.joined());
                (run_of_b * tile * panel).clamp(caches.l2 / 4, l2_room(caches))
            }
            false => caches.l2 / 4,
        };
        Self {
            mc: units(A_BYTES.min(caches.llc), rows),
            nc: units(nc, width),
            kc: k_block * shapes.depth,
            rows,
            width,
            depth: shapes.depth,
            extra_rows: shapes.extra_rows,
            n,
            min_rows: MIN_ACCUMULATORS.div_ceil(vectors).min(rows),
            l1_bytes: caches.l1 / 2,
            packing,
            streams_b,
            c_is_contiguous: cn.blocks_have_stride(shapes.lanes, 1),
            columns,
            joined: cuts.joined(),
            run_of_b,
        }
    }

    /// Cuts the rows of a block into pieces for tiles. The rows of a piece have a constant stride in
    /// C. They also have one in an A used in place, unless packing some of its rows costs less than
    /// the lower tiles would lose.
    pub(crate) fn cut_rows(&self, am: &Offsets<'_>, cm: &Offsets<'_>) -> Cuts {
        let idle_rows = (am.run_len.div_ceil(self.rows) * self.min_rows).saturating_sub(am.run_len);
        let in_place = self.packing.a_in_place
            && am.run_len >= cm.run_len.min(MIN_RUN)
            && idle_rows.saturating_mul(self.n) <= PACK_COLUMNS.saturating_mul(am.run_len);
        let run = if in_place { cm.run_len.min(am.run_len) } else { cm.run_len };
        Cuts::of_runs(cm.size, (run, 1), self.rows, 1)
    }

    /// Maximum number of vectors of tiles, given the pieces of the rows that share each panel of B.
    pub(crate) fn vectors(&self, shapes: &Shapes, cuts: &Cuts, pieces: Range<usize>) -> usize {
        let vectors = shapes.vectors_of(cuts.largest());
        if !self.streams_b {
            return vectors;
        }
        // The panels should be narrow enough for the tiles to prefetch all of the next one. (f32 8 by 4096
        // by 2048: 28 GFLOP/s with 3 vectors, 74 with 2.)
        let bytes = cuts.prefetching(pieces, shapes) * shapes.prefetching().bytes;
        vectors.min(bytes / (shapes.lanes * shapes.word)).max(1)
    }

    /// Block extents along M.
    pub(crate) fn along_m(&self, part: &[Range<usize>]) -> Vec<usize> {
        extents(part, self.mc, &[self.rows], &[])
    }

    /// Block extents along N.
    pub(crate) fn along_n(&self, part: &[Range<usize>]) -> Vec<usize> {
        if !self.packing.transposes_b {
            return extents(part, self.nc, &[self.width, self.joined], &[]);
        }
        // Cut runs of C into whole rows of a tile, and read B in whole cache lines.
        // The contiguous axis of B comes after the joined runs.
        let last = if self.joined > 1 { 2 } else { 1 };
        let mut units = [self.columns.lanes, self.joined, 1];
        units[last] = self.run_of_b;
        let wishes = [(0, self.width), (1, units[1]), (last, self.run_of_b), (last, usize::MAX)];
        extents(part, self.nc, &units, &wishes)
    }

    /// Block extents along K.
    pub(crate) fn along_k(&self, part: &[Range<usize>]) -> Vec<usize> {
        extents(part, self.kc, &[self.depth], &[])
    }

    /// Words along K of a block.
    fn words(&self) -> usize {
        self.kc.div_ceil(self.depth)
    }

    /// Steps of a packed panel of B with `words` words along K, extra rows included. Panels that are
    /// transposed together are written side by side: their stride is no multiple of a page, so that
    /// they do not share the sets of L1. (f32 `abc-bda-dc` with 64 steps and 24 rows: 98 GFLOP/s
    /// without this, 122 with it.)
    pub(crate) fn panel_steps(&self, words: usize) -> usize {
        let steps = words + self.extra_rows;
        steps + usize::from(self.packing.transposes_b && steps.is_multiple_of(16))
    }

    /// Bytes of a row of a packed block of A.
    pub(crate) fn row_bytes(&self, word: usize) -> usize {
        self.words() * word
    }

    /// Bytes of a packed block of B whose axes along N have at most these extents. Each run of C is
    /// padded to whole vectors.
    pub(crate) fn b_bytes(&self, extents: &[usize], word: usize) -> usize {
        let columns: usize = extents.iter().product();
        let lanes = self.columns.lanes;
        let padded = columns + columns / extents[0].max(1) * lanes;
        let padded = padded.next_multiple_of(lanes);
        padded * self.panel_steps(self.words()) * word
    }
}

/// The elements that a block reads of each run of a transposed B, and the words of a block along K.
fn run_of_b_and_words(operands: &Operands, shapes: &Shapes, caches: &Caches) -> (usize, usize) {
    let words = shapes.words_for(operands.k.size());
    let line = (CACHE_LINE / shapes.element).max(1);
    let few_rows = blocks_for_few_rows(operands, shapes, caches);
    // A block of a transposed B has at least one tile per element of a cache line.
    let (run_of_b, max_words) =
        few_rows.unwrap_or_else(|| (line, block_words(operands, shapes, caches)));
    if words <= max_words || few_rows.is_none() && is_single_block(words) {
        return (run_of_b, words);
    }
    // Balance the depths of the blocks.
    (run_of_b, words.div_ceil(words.div_ceil(max_words)))
}

/// Pages that the L2 TLB holds. Each tile of a single row of tiles reads a part of all rows of a block of B.
const TLB_PAGES: usize = 1536;

/// Maximum number of words along K in a block. A single row of tiles uses each element of B once. If B
/// stays in place, only A has to fit a cache, and the TLB has to hold the pages of B. (f32 8x1900x1500: 99
/// GFLOP/s in three blocks, 105 in one. But 3x1000x3000: 33 in one block, 55 in six.)
fn block_words(operands: &Operands, shapes: &Shapes, caches: &Caches) -> usize {
    let (m, bn, bk) = (operands.m.size(), operands.n.without_table(0), operands.k.without_table(1));
    let is_in_place = shapes.b_words && bn.blocks_have_stride(shapes.lanes, shapes.depth);
    if !is_in_place || m > shapes.rows(shapes.vectors()) {
        return BLOCK_WORDS;
    }
    let step = bk.stride.saturating_mul(shapes.element).max(1);
    // Page numbers that are multiples of a power of two share sets of the TLB.
    let shared = (step.trailing_zeros()).saturating_sub(PAGE.trailing_zeros());
    let rows_in_tlb = (TLB_PAGES >> shared.min(TLB_PAGES.ilog2())) * PAGE / step.min(PAGE);
    (caches.l2 / 2 / (m * shapes.word)).min(rows_in_tlb / shapes.depth).max(BLOCK_WORDS)
}

/// Whether blocks have all of K.
pub(crate) fn is_one_block_along_k(operands: &Operands, shapes: &Shapes) -> bool {
    let (_, words) = run_of_b_and_words(operands, shapes, &Caches::detect());
    words == shapes.words_for(operands.k.size())
}

/// Bytes of a block of B in L2, next to A and C.
const fn l2_room(caches: &Caches) -> usize {
    caches.l2 / 4 * 3
}

/// Up to this many rows, a transposed B is read in runs of [`RUN_LINES`] cache lines: packing then
/// takes most of the time. (f32 `abc-bda-dc` with 24 rows and AVX-512: 68 GFLOP/s with runs of one
/// line, 82 with four.)
const MAX_FEW_ROWS: usize = 64;
const RUN_LINES: usize = 4;

/// For a product with few rows that transposes B: the elements that a block reads of each contiguous
/// run of B, and the maximum number of words along K for which a block fits L2. Shorter blocks along K
/// read C again, so it must fit half of the last-level cache.
fn blocks_for_few_rows(
    operands: &Operands,
    shapes: &Shapes,
    caches: &Caches,
) -> Option<(usize, usize)> {
    let (m, n) = (operands.m.size(), operands.n.size());
    let columns = transposed_columns(operands, shapes).filter(|_| m <= MAX_FEW_ROWS)?;
    let run = (RUN_LINES * CACHE_LINE / shapes.element).clamp(1, columns);
    let width = shapes.lanes * shapes.vectors();
    let max_words = (l2_room(caches) / (run * width * shapes.word)).max(1);
    let words = shapes.words_for(operands.k.size());
    (words <= max_words || m.saturating_mul(n).saturating_mul(shapes.sum) <= caches.llc / 2)
        .then_some((run, max_words))
}
