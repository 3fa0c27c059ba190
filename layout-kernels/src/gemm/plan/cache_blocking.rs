//! `CacheBlocking`: the block sizes of a product.

use core::ops::Range;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::plan::packing_policy::{BLOCK_WORDS, BlockPacking, is_single_block};
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
    /// Rows of a tile; lanes of a vector and of a row of a tile; elements of a word along K; extra
    /// rows at the end of a panel of B.
    pub(crate) rows: usize,
    lanes: usize,
    width: usize,
    depth: usize,
    extra_rows: usize,
    /// Columns of C; tile rows that are enough to hide the latency of the accumulators.
    n: usize,
    min_rows: usize,
    /// Bytes of A that stay in L1 while they are multiplied with B.
    pub(crate) l1_bytes: usize,
    pub(crate) packing: BlockPacking,
    /// Whether C has contiguous vectors.
    pub(crate) c_is_contiguous: bool,
    /// Elements of an operand per cache line.
    line: usize,
}

/// Number of accumulators of a tile that is enough to hide their latency.
const MIN_ACCUMULATORS: usize = 8;

/// Packing costs as much as computing this many columns.
const PACK_COLUMNS: usize = 32;

/// Bytes of a packed block of A, kept in the last-level cache.
const A_BYTES: usize = 4 << 20;

impl CacheBlocking {
    /// Blocking for operands whose B starts at `b`.
    pub(crate) fn new(operands: &Operands, shapes: &Shapes, caches: &Caches, b: *const u8) -> Self {
        let Operands { m: rows_of, n: columns_of, k: steps_of, .. } = operands;
        let cn = columns_of.without_table(1);
        let (m, n) = (rows_of.size(), cn.size);
        let width = shapes.lanes * shapes.vectors();
        let words = shapes.words_for(steps_of.size());
        // Balance the depths of the blocks.
        let k_block = if is_single_block(words) {
            words
        } else {
            words.div_ceil(words.div_ceil(BLOCK_WORDS))
        };
        let panel = k_block * shapes.word;
        let packing = BlockPacking::new(operands, shapes, caches, b, k_block * shapes.depth);
        // Tiles that are narrow because C has few columns get more rows, unless tiles pack B. (64 by
        // 64 by 4096 in f32: 96 GFLOP/s with tall tiles, 113 with tiles that pack.)
        let vectors = match packing.tiles_pack {
            true => shapes.vectors(),
            false => {
                let run = (run_of_c(&cn), 1);
                Cuts::of_runs(n, run, shapes.vectors(), shapes.lanes).largest()
            }
        };
        let rows = shapes.rows(vectors);
        let line = (64 / shapes.element).max(1);
        let units = |bytes: usize, unit: usize| (bytes / panel).max(1).next_multiple_of(unit);
        // If A fits in L1, the block of B is sized for L1, too. Otherwise it gets a quarter of L2,
        // since A and C pass through L2 as well. (4096 by 64 by 64 in f32: 153 against 140 GFLOP/s.)
        let a_fits_l1 = m.saturating_mul(panel) <= caches.l1;
        let nc = match (packing.transposes_b, a_fits_l1) {
            // A block has at least one tile per element of a cache line, if there is room.
            (true, _) => (line * width * panel).clamp(caches.l2 / 4, caches.l2 / 4 * 3),
            (false, true) => caches.l1 / 3 * 2,
            (false, false) => caches.l2 / 4,
        };
        Self {
            mc: units(A_BYTES.min(caches.llc), rows),
            nc: units(nc, width),
            kc: k_block * shapes.depth,
            rows,
            lanes: shapes.lanes,
            width,
            depth: shapes.depth,
            extra_rows: shapes.extra_rows,
            n,
            min_rows: MIN_ACCUMULATORS.div_ceil(vectors).min(rows),
            l1_bytes: caches.l1 / 2,
            packing,
            c_is_contiguous: cn.blocks_have_stride(shapes.lanes, 1),
            line,
        }
    }

    /// Cuts the rows of a block into pieces for tiles. The rows of a piece have a constant stride in
    /// C. They also have one in an A used in place, unless packing some of its rows costs less than
    /// the lower tiles would lose.
    pub(crate) fn cut_rows(&self, am: &Offsets<'_>, cm: &Offsets<'_>) -> Cuts {
        let idle_rows = (am.run_len.div_ceil(self.rows) * self.min_rows).saturating_sub(am.run_len);
        let in_place = self.packing.a_in_place
            && idle_rows.saturating_mul(self.n) <= PACK_COLUMNS.saturating_mul(am.run_len);
        let run = if in_place { cm.run_len.min(am.run_len) } else { cm.run_len };
        Cuts::of_runs(cm.size, (run, 1), self.rows, 1)
    }

    /// Cuts the columns of a block into pieces of at most `vectors` vectors for tiles, whose vectors
    /// are contiguous in C.
    pub(crate) fn cut_columns(&self, bn: &Offsets<'_>, cn: &Offsets<'_>, vectors: usize) -> Cuts {
        let run = cn.run_len.min(bn.run_len);
        // A part for a thread may have one element of the axis that is contiguous in C.
        if self.transposes_b(bn) && cn.stride == 1 && run >= self.lanes {
            // No panel crosses the end of a run of B or of C.
            let linear_runs =
                if cn.run_len > run { cn.run_len / run } else { cn.run_stride_and_count.1 };
            return Cuts::of_runs(bn.size, (run, linear_runs), vectors, self.lanes);
        }
        let (run, count, lanes) = (run_of_c(cn), cn.run_stride_and_count.1, self.lanes);
        if run == cn.size {
            return Cuts::linear(cn.size, vectors, lanes);
        }
        // Join the fewest runs of whole vectors that fill whole tiles. (f32 with AVX2, runs of 24
        // columns: two runs are three tiles of two vectors.)
        let fills = |runs: &usize| (runs * run / lanes).is_multiple_of(vectors);
        let joined = (1..=vectors)
            .find(fills)
            .filter(|&runs| run.is_multiple_of(lanes) && count.is_multiple_of(runs));
        let joined = joined.unwrap_or(1);
        let runs = (run * joined, count / joined);
        Cuts::of_runs(cn.size, runs, vectors, lanes)
    }

    /// Whether the panels of a block of B are packed together.
    pub(crate) fn transposes_b(&self, bn: &Offsets<'_>) -> bool {
        self.packing.transposes_b && bn.run_stride_and_count.0 == 1
    }

    /// Block extents along M.
    pub(crate) fn along_m(&self, part: &[Range<usize>]) -> Vec<usize> {
        extents(part, self.mc, [self.rows, 1], &[])
    }

    /// Block extents along N.
    pub(crate) fn along_n(&self, part: &[Range<usize>]) -> Vec<usize> {
        if !self.packing.transposes_b {
            return extents(part, self.nc, [self.width, 1], &[]);
        }
        // Cut runs of C into whole rows of a tile, and read B in whole cache lines.
        let wishes = [(0, self.width), (1, self.line), (1, usize::MAX)];
        extents(part, self.nc, [self.lanes, self.line], &wishes)
    }

    /// Block extents along K.
    pub(crate) fn along_k(&self, part: &[Range<usize>]) -> Vec<usize> {
        extents(part, self.kc, [self.depth, 1], &[])
    }

    /// Words along K of a block.
    fn words(&self) -> usize {
        self.kc.div_ceil(self.depth)
    }

    /// Bytes of a row of a packed block of A.
    pub(crate) fn row_bytes(&self, word: usize) -> usize {
        self.words() * word
    }

    /// Bytes of a packed block of A with `rows` rows.
    pub(crate) fn a_bytes(&self, rows: usize, word: usize) -> usize {
        rows * self.row_bytes(word)
    }

    /// Bytes of a packed block of B whose axes along N have at most these extents. Each run of C is
    /// padded to whole vectors.
    pub(crate) fn b_bytes(&self, extents: &[usize], word: usize) -> usize {
        let columns: usize = extents.iter().product();
        let padded = columns + columns / extents[0].max(1) * self.lanes;
        let padded = padded.next_multiple_of(self.lanes);
        padded * (self.words() + self.extra_rows) * word
    }
}

/// Length of a contiguous run of columns of C, or all columns if they are not contiguous.
fn run_of_c(cn: &Offsets<'_>) -> usize {
    if cn.stride == 1 { cn.run_len } else { cn.size }
}
