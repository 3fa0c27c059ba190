//! `PackingPolicy`: which operands of a product are used where they are.

use crate::gemm::kernel::batch::LINE;
use crate::gemm::kernel::shapes::Shapes;
use crate::simd::cache::Caches;

/// Words along K in a block.
///
/// A panel of B then is larger than the first cache, from which it would stream as well; a longer
/// block reads and writes C less often. (1024 cubed in f32: 8 % slower with 128.)
pub(crate) const DEEP: usize = 512;

/// Whether so many words along K are one block: a second one costs more than a block that is a
/// little too deep.
pub(crate) fn whole(words: usize) -> bool {
    words <= DEEP + DEEP / 4
}

/// Whether no vector is in two cache lines when they start at `start`, and some bytes further at each
/// step.
pub(crate) fn in_lines(start: *const u8, step: usize) -> bool {
    (start.addr() | step).is_multiple_of(LINE)
}

/// Which operands are used in place: the distance of their words along K, in elements.
pub(crate) struct PackingPolicy {
    pub(crate) a_step: Option<usize>,
    pub(crate) b_step: Option<usize>,
}

impl PackingPolicy {
    /// For a product of these extents. The steps are the distances of words along K, where these are
    /// words of the operand (in B: vectors of words). `b_in_lines` says whether each vector of B is in
    /// one cache line. It and `caches` are functions, because a small product asks neither.
    #[inline(always)]
    pub(crate) fn new(
        [m, n, k]: [usize; 3],
        [a_step, b_step]: [Option<usize>; 2],
        shapes: &Shapes,
        b_in_lines: impl FnOnce() -> bool,
        caches: impl Fn() -> Caches,
    ) -> Self {
        let (rows, width) = (shapes.rows(shapes.vectors()), shapes.lanes * shapes.vectors());
        // What is used once or twice is not worth packing, nor is what lies so that a panel stays in
        // the first cache: in few lines, or all of it.
        let a_step = a_step.filter(|&step| {
            if n <= 2 * width {
                return true;
            }
            let Caches { first, second, .. } = caches();
            let near = if step == shapes.depth { 2 * second } else { first / 2 };
            m.saturating_mul(k).saturating_mul(shapes.element) <= near
        });
        // Tiles pack as they read, so that few of them are enough to make it worth it.
        let b_step = b_step.filter(|_| {
            // (256 cubed in f32: 277 GFLOP/s in place, 261 packed; 200 cubed, whose rows do not
            // start at lines: 212 and 245.)
            let near = || caches().second / if b_in_lines() { 4 } else { 16 };
            m <= 2 * rows || n.saturating_mul(k).saturating_mul(shapes.element) <= near()
        });
        Self { a_step, b_step }
    }
}
