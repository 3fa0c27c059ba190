//! `Blocking`: how large the blocks of a product are, and what is packed.

use crate::gemm::micro::Kernels;
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;
use crate::simd::cache::Caches;

/// The sizes of blocks, and where operands are used in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocking {
    pub(crate) mc: usize,
    pub(crate) nc: usize,
    pub(crate) kc: usize,
    lanes: usize,
    depth: usize,
    /// The distance of words along K, in elements, of an operand that is used in place.
    pub(crate) a_step: Option<usize>,
    pub(crate) b_step: Option<usize>,
    /// Whether C has vectors of consecutive elements.
    pub(crate) c_runs: bool,
}

fn env(n: &str, d: usize) -> usize {
    std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d)
}

impl Blocking {
    pub(crate) fn new<X, Y, T>(modes: &Modes, kernels: &Kernels<X, Y, T>, caches: &Caches) -> Self {
        static K: std::sync::OnceLock<[usize; 5]> = std::sync::OnceLock::new();
        let [kcm, mcb, ncb, ain, bin] = *K.get_or_init(|| {
            [env("KC", 512), env("MC", caches.second / 2), env("NC", 4 << 20), env("AIN", 1), env("BIN", 64 << 10)]
        });
        let Modes { m, n, k, .. } = *modes;
        let (rows, width) = (kernels.rows(), kernels.lanes * kernels.vectors());
        let word = kernels.word;
        let words = k.div_ceil(kernels.depth);
        let pieces = words.div_ceil(kcm);
        let kw = words.div_ceil(pieces);
        let kc = kw * kernels.depth;
        let mc = (mcb / (kw * word) / rows).max(1) * rows;
        let nc = (ncb / (kw * word) / width).max(1) * width;
        let a_step = if ain > 0 { step(&modes.ak, kernels.a_words, kernels.depth) } else { None };
        let a_step = a_step.filter(|_| modes.am.size() * modes.ak.size() * size_of::<X>() <= ain || n <= 2 * width);
        let b_step = step(&modes.bk, kernels.b_words, kernels.depth)
            .filter(|_| runs(&modes.bn, kernels.lanes, kernels.depth))
            .filter(|_| n * k * size_of::<Y>() <= bin || m <= 2 * rows);
        Self {
            mc: mc.min(m.next_multiple_of(rows)),
            nc: nc.min(n.next_multiple_of(kernels.lanes)),
            kc,
            lanes: kernels.lanes,
            depth: kernels.depth,
            a_step,
            b_step,
            c_runs: modes.cn.runs(kernels.lanes),
        }
    }

    /// Bytes of a packed block of A, whole lines.
    pub(crate) fn a_bytes(&self, word: usize) -> usize {
        if self.a_step.is_some() && false { return 0; }
        (self.mc * self.kc.div_ceil(self.depth) * word).next_multiple_of(64)
    }

    /// Bytes of both packed blocks.
    pub(crate) fn scratch(&self, word: usize) -> usize {
        let b = self.nc.next_multiple_of(self.lanes) * self.kc.div_ceil(self.depth) * word;
        self.a_bytes(word) + b
    }
}

/// The distance of words along K, when they lie in the operand so.
fn step(k: &Mode, is_word: bool, depth: usize) -> Option<usize> {
    if !is_word {
        return None;
    }
    let (extents, strides) = (k.extents(), k.strides());
    match (extents, strides) {
        ([], _) => Some(0),
        ([_], [stride]) if depth == 1 => Some(*stride),
        ([extent], [1]) if extent.is_multiple_of(depth) => Some(depth),
        ([extent, _], [1, stride]) if *extent == depth => Some(*stride),
        _ => None,
    }
}

/// Whether words of `lanes` coordinates are neighbours.
fn runs(n: &Mode, lanes: usize, depth: usize) -> bool {
    if depth == 1 {
        return n.runs(lanes);
    }
    let (extents, strides) = (n.extents(), n.strides());
    n.size() == 1 || strides[0] == depth && (extents.len() == 1 || extents[0].is_multiple_of(lanes))
}
