//! `Blocking`: how large the blocks of a product are, and what is packed.

use crate::gemm::along::Along;
use crate::gemm::micro::Kernels;
use crate::gemm::operands::Operands;
use crate::simd::cache::Caches;

/// The sizes of blocks, and where operands are used in place.
#[derive(Clone, Copy)]
pub(crate) struct Blocking {
    pub(crate) mc: usize,
    pub(crate) nc: usize,
    pub(crate) kc: usize,
    lanes: usize,
    depth: usize,
    more: usize,
    /// The distance of words along K, in elements, of an operand that is used in place.
    pub(crate) a_step: Option<usize>,
    pub(crate) b_step: Option<usize>,
    /// Whether C has vectors of consecutive elements.
    pub(crate) c_runs: bool,
}

/// Words along K in a block.
///
/// A panel of B then is larger than the first cache, from which it would stream as well; a longer
/// block reads and writes C less often. (1024 cubed in f32: 8 % slower with 128.)
const DEEP: usize = 512;
/// Bytes of a packed block of B, which the last cache holds.
const B_BYTES: usize = 4 << 20;

impl Blocking {
    pub(crate) fn new<X, Y, T>(
        operands: &Operands<'_>,
        kernels: &Kernels<X, Y, T>,
        caches: &Caches,
    ) -> Self {
        let Operands { am, ak, bk, bn, cn, .. } = operands;
        let (m, n, k) = (am.size, bn.size, ak.size);
        let (rows, width) = (kernels.rows(), kernels.lanes * kernels.vectors());
        let words = k.div_ceil(kernels.depth);
        // Blocks of about the same depth.
        let deep = if words <= DEEP { words } else { words.div_ceil(words.div_ceil(DEEP)) };
        let panel = deep * kernels.word;
        // What is used once or twice is not worth packing, nor is what stays in the caches.
        let a_step = step(ak, kernels.a_words, kernels.depth)
            .filter(|_| n <= 2 * width || m * k * size_of::<X>() <= 2 * caches.second);
        let b_step = step(bk, kernels.b_words, kernels.depth).filter(|_| {
            bn.has_runs(kernels.lanes, kernels.depth)
                && (m <= 2 * rows || n * k * size_of::<Y>() <= caches.second / 16)
        });
        // A quarter, since two threads may share the second cache, and B and C pass through it.
        let mc = (caches.second / 4 / panel / rows).max(1) * rows;
        let nc = (B_BYTES.min(caches.last) / panel / width).max(1) * width;
        Self {
            mc: mc.min(m.next_multiple_of(rows)),
            nc: nc.min(n.next_multiple_of(kernels.lanes)),
            kc: deep * kernels.depth,
            lanes: kernels.lanes,
            depth: kernels.depth,
            more: kernels.more,
            a_step,
            b_step,
            c_runs: cn.has_runs(kernels.lanes, 1),
        }
    }

    /// Bytes of a packed block of A, whole lines.
    pub(crate) fn a_bytes(&self, word: usize) -> usize {
        (self.mc * self.kc.div_ceil(self.depth) * word).next_multiple_of(64)
    }

    /// Bytes of both packed blocks.
    pub(crate) fn scratch(&self, word: usize) -> usize {
        let rows = self.kc.div_ceil(self.depth) + self.more;
        let b = self.nc.next_multiple_of(self.lanes) * rows * word;
        self.a_bytes(word) + b
    }
}

/// The distance of words along K, when they lie in the operand so.
fn step(k: &Along<'_>, is_word: bool, depth: usize) -> Option<usize> {
    if !is_word {
        return None;
    }
    if k.head == k.size {
        let whole = k.stride == 1 && k.size.is_multiple_of(depth);
        return if depth == 1 { Some(k.stride) } else { whole.then_some(depth) };
    }
    k.runs.filter(|_| depth > 1 && k.head == depth && k.stride == 1)
}
