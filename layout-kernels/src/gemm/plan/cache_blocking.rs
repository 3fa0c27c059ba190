//! `CacheBlocking`: how large the blocks of a product are, and what is packed.

use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::packing_policy::{DEEP, PackingPolicy, in_lines, whole};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Operands;
use crate::simd::cache::Caches;

/// The sizes of blocks, and where operands are used in place.
#[derive(Clone, Copy)]
pub(crate) struct CacheBlocking {
    pub(crate) mc: usize,
    pub(crate) nc: usize,
    pub(crate) kc: usize,
    lanes: usize,
    depth: usize,
    more: usize,
    /// The distance of words along K, in elements, when A is used in place.
    pub(crate) a_step: Option<usize>,
    /// The same of B when it has vectors, and whether they are used in place.
    pub(crate) b_step: Option<usize>,
    pub(crate) b_stays: bool,
    /// Whether rows of B are made before panels: its vectors are far apart, and so are its steps, but
    /// the next axis is consecutive.
    pub(crate) gathers: bool,
    /// Whether C has vectors of consecutive elements.
    pub(crate) c_runs: bool,
}

/// The least extents of the axes of blocks of B that are transposed.
const MIN_GATHERED: usize = 4;

/// Bytes of a packed block of A, which the last cache holds.
const A_BYTES: usize = 4 << 20;

impl CacheBlocking {
    /// For operands of which B starts at `b`.
    pub(crate) fn new<X, Y, T>(
        operands: &Operands<'_>,
        kernels: &Kernels<X, Y, T>,
        caches: &Caches,
        b: *const u8,
    ) -> Self {
        let Operands { am, ak, bk, bn, cn, .. } = operands;
        let (m, n, k) = (am.size, bn.size, ak.size);
        let (rows, width) = (kernels.rows(kernels.vectors()), kernels.lanes * kernels.vectors());
        let words = kernels.words_for(k);
        // Blocks of about the same depth.
        let deep = if whole(words) { words } else { words.div_ceil(words.div_ceil(DEEP)) };
        let panel = deep * kernels.word;
        let gathers = kernels.b_words
            && kernels.depth == 1
            && n > 2 * kernels.lanes
            && bn.stride > 1
            && bn.head >= MIN_GATHERED
            && bn.second.0 == 1
            && bn.second.1 >= MIN_GATHERED
            && bk.stride != 1;
        let steps =
            [step(ak, kernels.a_words, kernels.depth), step(bk, kernels.b_words, kernels.depth)];
        let b_step = steps[1].filter(|_| bn.has_runs(kernels.lanes, kernels.depth));
        let aligned = || in_lines(b, bk.stride * size_of::<Y>());
        let stays = PackingPolicy::new([m, n, k], [steps[0], b_step], kernels, aligned, || *caches);
        // The largest of blocks of about the same size, in whole units.
        let even = |extent: usize, bytes: usize, unit: usize| {
            let (units, most) = (extent.div_ceil(unit), (bytes / panel).max(1).div_ceil(unit));
            units.div_ceil(units.div_ceil(most)) * unit
        };
        // Beside an A that stays in the first cache, B meets it there. Otherwise a quarter of the
        // second one, since A and C pass through it.
        // (4096 by 64 by 64 in f32: 153 and 140 GFLOP/s.)
        let near = m.saturating_mul(panel) <= caches.first;
        let nc = if gathers {
            // Blocks that have a cache line of the next axis, if the last cache holds them.
            let line = 64 / kernels.word * bn.head * panel;
            even(n, line.clamp(caches.second / 2, A_BYTES.min(caches.last)), width)
        } else {
            even(n, if near { caches.first / 3 * 2 } else { caches.second / 4 }, width)
        };
        let mc = even(m, A_BYTES.min(caches.last), rows);
        Self {
            mc,
            nc: nc.min(n.next_multiple_of(kernels.lanes)),
            kc: deep * kernels.depth,
            lanes: kernels.lanes,
            depth: kernels.depth,
            more: kernels.more,
            a_step: stays.a_step,
            b_step,
            b_stays: stays.b_step.is_some(),
            gathers,
            c_runs: cn.has_runs(kernels.lanes, 1),
        }
    }

    /// Bytes of a row in a packed block of A.
    pub(crate) fn row_bytes(&self, word: usize) -> usize {
        self.kc.div_ceil(self.depth) * word
    }

    /// Bytes of a packed block of A.
    pub(crate) fn a_bytes(&self, word: usize) -> usize {
        self.mc * self.row_bytes(word)
    }

    /// Bytes of a packed block of B.
    pub(crate) fn b_bytes(&self, word: usize) -> usize {
        self.nc.next_multiple_of(self.lanes) * (self.kc.div_ceil(self.depth) + self.more) * word
    }
}

/// The distance of words along K, when they lie in the operand so.
fn step(k: &Offsets<'_>, is_word: bool, depth: usize) -> Option<usize> {
    if !is_word {
        return None;
    }
    if k.head == k.size {
        let whole = k.stride == 1 && k.size.is_multiple_of(depth);
        return if depth == 1 { Some(k.stride) } else { whole.then_some(depth) };
    }
    k.runs.filter(|_| depth > 1 && k.head == depth && k.stride == 1)
}
