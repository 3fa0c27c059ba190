//! `CacheBlocking`: how large the blocks of a product are, and what is packed.

use core::ops::Range;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::packing_policy::{DEEP, PackingPolicy, in_lines, whole};
use crate::gemm::plan::partition::Partition;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Operands;
use crate::gemm::problem::pieces::extents;
use crate::simd::cache::Caches;

/// The sizes of blocks, and where operands are used in place.
#[derive(Clone, Copy)]
pub(crate) struct CacheBlocking {
    pub(crate) mc: usize,
    pub(crate) nc: usize,
    pub(crate) kc: usize,
    /// Rows of a tile, lanes of a vector and of a row of a tile, and what a word has along K.
    pub(crate) rows: usize,
    lanes: usize,
    width: usize,
    depth: usize,
    more: usize,
    /// The words of a row, if A is packed in rows: its elements are consecutive along K, and few columns
    /// do not repay a transposition.
    pub(crate) a_rows: Option<usize>,
    /// Bytes of A that stay in the first cache while they meet B.
    pub(crate) near: usize,
    /// Whether A, and B, are used in place, where their panels are regular.
    pub(crate) a_stays: bool,
    pub(crate) b_stays: bool,
    /// Whether both operands are packed, and have their consecutive axes along K: blocks have cache
    /// lines of both.
    crosses: bool,
    /// Whether rows of B are made before panels: its vectors are far apart, and so are its steps, but
    /// the next axis is consecutive.
    pub(crate) gathers: bool,
    /// Whether C has vectors of consecutive elements.
    pub(crate) c_runs: bool,
    /// Elements of an operand in a cache line.
    line: usize,
}

/// The least extents of the axes of blocks of B that are transposed.
const MIN_GATHERED: usize = 4;

/// Elements of B that are read at once, if there are as many.
const READ: usize = 128;

/// Bytes of a packed block of A, which the last cache holds.
const A_BYTES: usize = 4 << 20;

impl CacheBlocking {
    /// For operands whose B starts at `b`.
    pub(crate) fn new<X, Y>(
        operands: &Operands,
        shapes: &Shapes,
        caches: &Caches,
        b: *const u8,
    ) -> Self {
        let Operands { m: rows_of, n: columns_of, k: steps_of, .. } = operands;
        let (ak, bk) = (steps_of.known(0), steps_of.known(1));
        let (bn, cn) = (columns_of.known(0), columns_of.known(1));
        let (m, n, k) = (rows_of.size(), bn.size, ak.size);
        let width = shapes.lanes * shapes.vectors();
        let words = shapes.words_for(k);
        // Blocks of about the same depth.
        let deep = if whole(words) { words } else { words.div_ceil(words.div_ceil(DEEP)) };
        let panel = deep * shapes.word;
        let gathers = shapes.b_words
            && shapes.depth == 1
            && n > 2 * shapes.lanes
            && bn.stride > 1
            && bn.head >= MIN_GATHERED
            && bn.second.0 == 1
            && bn.second.1 >= MIN_GATHERED
            && bk.stride != 1;
        let steps =
            [step(&ak, shapes.a_words, shapes.depth), step(&bk, shapes.b_words, shapes.depth)];
        let b_step = steps[1].filter(|_| bn.has_runs(shapes.lanes, shapes.depth));
        let aligned = || in_lines(b, bk.stride * size_of::<Y>());
        let stays =
            PackingPolicy::new::<X, Y>([m, n, k], [steps[0], b_step], shapes, aligned, || *caches);
        let (a_stays, b_stays) = (stays.a_step.is_some(), stays.b_step.is_some());
        // Where few columns make narrow tiles, these have more rows, unless tiles pack B.
        // (64 by 64 by 4096 in f32: 96 GFLOP/s with tall tiles, 113 with tiles that pack.)
        let tiles_pack = b_step.is_some() && !b_stays;
        let vectors = match tiles_pack {
            true => shapes.vectors(),
            false => Partition::new(shapes.vectors_for(n), shapes.vectors()).largest(),
        };
        let rows = shapes.rows(vectors);
        let crosses = shapes.depth == 1
            && !(a_stays || b_stays)
            && matches!(steps_of.axes[..], [first, next, ..] if first.strides[1] == 1 && next.strides[0] == 1);
        let line = (64 / size_of::<Y>()).max(1);
        let units = |bytes: usize, unit: usize| (bytes / panel).max(1).next_multiple_of(unit);
        // Beside an A that stays in the first cache, B meets it there. Otherwise a quarter of the
        // second one, since A and C pass through it.
        // (4096 by 64 by 64 in f32: 153 and 140 GFLOP/s.)
        let near = m.saturating_mul(panel) <= caches.first;
        let am = rows_of.known(0);
        let in_rows = shapes.a_words
            && shapes.depth == 1
            && !a_stays
            && (ak.stride, am.stride == 1) == (1, false)
            && n <= 4 * width;
        // Rows are not at the same places of a cache.
        let apart = if (deep * shapes.word).is_multiple_of(8 * 64) { line } else { 0 };
        let nc = match (gathers, near) {
            // What is far apart is read in pieces of some cache lines.
            (true, _) => {
                (4 * line * width * panel).min(A_BYTES.min(caches.last)).max(caches.second)
            }
            (false, true) => caches.first / 3 * 2,
            (false, false) => caches.second / 4,
        };
        Self {
            mc: units(A_BYTES.min(caches.last), rows),
            nc: units(nc, width),
            kc: if crosses { deep.next_multiple_of(line) } else { deep * shapes.depth },
            rows,
            lanes: shapes.lanes,
            width,
            depth: shapes.depth,
            more: shapes.more,
            a_rows: in_rows.then_some(deep + apart),
            near: caches.first / 2,
            a_stays,
            b_stays,
            crosses,
            gathers,
            c_runs: cn.has_runs(shapes.lanes, 1),
            line,
        }
    }

    /// The extents of blocks along M.
    pub(crate) fn along_m(&self, part: &[Range<usize>]) -> Vec<usize> {
        extents(part, self.mc, [self.rows, 1], &[])
    }

    /// The extents of blocks along N.
    pub(crate) fn along_n(&self, part: &[Range<usize>]) -> Vec<usize> {
        if !self.gathers {
            return extents(part, self.nc, [self.width, 1], &[]);
        }
        // Whole rows of a tile, and then the axis that is consecutive in B, and some of what goes on there.
        let more = (READ / part.get(1).map_or(1, |range| range.len().max(1))).max(1);
        let wishes = [(0, self.width), (1, self.line), (1, usize::MAX), (2, more)];
        extents(part, self.nc, [self.width, self.line], &wishes)
    }

    /// The extents of blocks along K.
    pub(crate) fn along_k(&self, part: &[Range<usize>]) -> Vec<usize> {
        if !self.crosses {
            return extents(part, self.kc, [self.depth, 1], &[]);
        }
        let wishes = [(0, self.line), (1, self.line)];
        extents(part, self.kc, [self.line; 2], &wishes)
    }

    /// Bytes of a row in a packed block of A.
    pub(crate) fn row_bytes(&self, word: usize) -> usize {
        self.a_rows.unwrap_or(self.kc.div_ceil(self.depth)) * word
    }

    /// Bytes of a packed block of A with so many rows.
    pub(crate) fn a_bytes(&self, rows: usize, word: usize) -> usize {
        rows * self.row_bytes(word)
    }

    /// Bytes of a packed block of B with so many columns.
    pub(crate) fn b_bytes(&self, columns: usize, word: usize) -> usize {
        columns.next_multiple_of(self.lanes) * (self.kc.div_ceil(self.depth) + self.more) * word
    }
}

/// The distance of words along K, when they lie in the operand so.
pub(crate) fn step(k: &Offsets<'_>, is_word: bool, depth: usize) -> Option<usize> {
    if !is_word {
        return None;
    }
    if k.head == k.size {
        let whole = k.stride == 1 && k.size.is_multiple_of(depth);
        return if depth == 1 { Some(k.stride) } else { whole.then_some(depth) };
    }
    k.runs.filter(|_| depth > 1 && k.head == depth && k.stride == 1)
}
