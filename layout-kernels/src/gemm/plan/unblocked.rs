//! `Unblocked`: the plan of a product without cache blocking, computed in one pass over operands that
//! are used in place or packed on the stack. It is for small products, which take less time than the
//! setup of cache blocking.
//!
//! Dynamic layouts are planned by the call, static ones at compile time.

use core::fmt;

use crate::gemm::kernel::batch::Cache;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::MAX_WIDTH;
use crate::gemm::plan::packing_policy::{PackingPolicy, in_lines, whole};
use crate::gemm::plan::partition::Partition;
use crate::gemm::plan::tiles::tile_cost;
use crate::gemm::plan::{BLOCKS, STACK, grid, is_transposed, products};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

/// A product of strided matrices, computed in one pass.
#[derive(Clone, Copy, Debug)]
pub struct Unblocked {
    /// The product as computed. If `transposed`, that is `C^T = B^T * A^T`.
    pub(crate) strided: Strided,
    pub(crate) transposed: bool,
    pub(crate) way: Way,
    /// Where C is expected. Only small products of static layouts expect it in L1.
    pub(crate) c_in: Cache,
    /// Lanes of a vector, and elements along K per lane.
    lanes: usize,
    depth: usize,
}

/// How the product is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// Inner products: both operands are contiguous along K.
    InnerProducts,
    /// One register tile after the other.
    Tiles(Tiles),
}

/// The tiles of a product whose C has vectors along n.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles {
    /// The rows of C, and the vectors per row, partitioned into tiles.
    pub(crate) rows: Partition,
    pub(crate) vectors: Partition,
    /// Strides of words along K in A and B, in elements, for operands used in place. `None`: packed
    /// on the stack.
    pub(crate) steps: [Option<usize>; 2],
    /// Strides between vectors, in elements: in B, if that is in place, and in C.
    pub(crate) vector_steps: [usize; 2],
}

/// Costs in half cycles: a call; the overhead of a shared tile over an inlined one; the start of
/// packing. Each packed element costs one more.
const CALL: usize = 120;
const TILE: usize = 60;
const PACK: usize = 300;

impl Tiles {
    /// Tiles whose vectors have the strides `vector_steps` in B and C.
    #[inline(always)]
    const fn new(
        strided: &Strided,
        shapes: &Shapes,
        c_in: Cache,
        steps: [Option<usize>; 2],
        vector_steps: [usize; 2],
    ) -> Self {
        let all = shapes.vectors_for(strided.n);
        // Static plans compare tile widths at compile time. At run time that does not pay off: the
        // divisions take as long as a small tile.
        let most = match c_in {
            Cache::First => widest(strided.m, all, strided.k, shapes),
            _ => shapes.vectors(),
        };
        let vectors = Partition::new(all, most);
        let rows = Partition::new(strided.m, shapes.rows(vectors.largest()));
        Self { rows, vectors, steps, vector_steps }
    }

    /// Whether both operands are used in place.
    #[inline(always)]
    pub(crate) const fn are_in_place(&self) -> bool {
        self.steps[0].is_some() && self.steps[1].is_some()
    }

    /// Whether there is a single tile.
    #[inline(always)]
    pub(crate) const fn are_one(&self) -> bool {
        self.rows.count() == 1 && self.vectors.count() == 1
    }

    /// Cost estimate in half cycles.
    const fn cost(&self, strided: &Strided) -> usize {
        let (rows, vectors) = (self.rows.count(), self.vectors.largest());
        let packing = if self.are_in_place() { 0 } else { PACK + strided.k * strided.n };
        packing + tiles_cost([strided.m, self.vectors.total(), strided.k], rows, vectors)
    }
}

impl Unblocked {
    /// Plans a non-empty product on `threads` threads. Its operands start at `a` and `b`. `None` if
    /// cache blocking is better, or if C has no contiguous vectors.
    #[inline(always)]
    pub(crate) fn new(
        strided: &Strided,
        [a, b]: [*const u8; 2],
        [shapes, transposed]: [&Shapes; 2],
        threads: usize,
    ) -> Option<Self> {
        if !strided.has_runs() {
            return None;
        }
        // For inner products, the longer side of C becomes the rows.
        let inner = match strided.n <= strided.m {
            true => inner_products_pay(strided, shapes),
            false => inner_products_pay(&strided.transposed(), transposed),
        };
        if turns(strided, inner) {
            let (turned, shapes) = (strided.transposed(), transposed);
            let steps = steps(&turned, shapes, a, inner, threads)?;
            Some(Self::made(&turned, shapes, true, inner, steps, Cache::Any))
        } else {
            let steps = steps(strided, shapes, b, inner, threads)?;
            Some(Self::made(strided, shapes, false, inner, steps, Cache::Any))
        }
    }

    /// Plans a small product of static layouts, on a single thread. `None` if it is empty, C has no
    /// contiguous vectors, or packed operands do not fit on the stack.
    pub(crate) const fn of_static(strided: &Strided, shapes: &Shapes) -> Option<Self> {
        if strided.is_empty() || !strided.has_runs() {
            return None;
        }
        let transposed = strided.transposed();
        let longer = if strided.n <= strided.m { strided } else { &transposed };
        let inner = inner_products_pay(longer, shapes);
        let turns = turns(strided, inner);
        let strided = if turns { &transposed } else { strided };
        let steps = steps_in_place(strided, shapes);
        let in_place = steps[0].is_some() && steps[1].is_some();
        if !inner && !in_place && !fits(strided, shapes.word) {
            return None;
        }
        Some(Self::made(strided, shapes, turns, inner, steps, Cache::First))
    }

    /// Plans one block of a static product, which is already transposed: tiles over operands in
    /// place, with vectors of strides `vector_steps`. `None` if an operand has to be packed.
    pub(crate) const fn of_block(
        strided: &Strided,
        shapes: &Shapes,
        transposed: bool,
        vector_steps: [usize; 2],
    ) -> Option<Self> {
        let steps = steps_in_place(strided, shapes);
        if steps[0].is_none() || steps[1].is_none() {
            return None;
        }
        let Shapes { lanes, depth, .. } = *shapes;
        let way = Way::Tiles(Tiles::new(strided, shapes, Cache::First, steps, vector_steps));
        Some(Self { strided: *strided, transposed, way, c_in: Cache::First, lanes, depth })
    }

    #[inline(always)]
    const fn made(
        strided: &Strided,
        shapes: &Shapes,
        transposed: bool,
        inner: bool,
        steps: [Option<usize>; 2],
        c_in: Cache,
    ) -> Self {
        let Shapes { lanes, depth, .. } = *shapes;
        let way = if inner {
            Way::InnerProducts
        } else {
            Way::Tiles(Tiles::new(strided, shapes, c_in, steps, [lanes * strided.bn, lanes]))
        };
        Self { strided: *strided, transposed, way, c_in, lanes, depth }
    }

    /// Cost estimate in half cycles.
    pub(crate) const fn cost(&self) -> usize {
        let Self { strided, lanes, .. } = self;
        CALL + match &self.way {
            Way::InnerProducts => {
                strided.m * inner_products_cost(strided.n, strided.k, *lanes, LOAD)
            }
            Way::Tiles(tiles) => tiles.cost(strided),
        }
    }

    /// Registers of products per step along K, counted in halves.
    pub(crate) const fn halves(&self) -> usize {
        2 * self.strided.m * self.strided.n.div_ceil(self.lanes)
    }
}

/// Maximum number of vectors per row of a tile that minimizes the time for `m` rows of `all` vectors.
#[inline(always)]
const fn widest(m: usize, all: usize, k: usize, shapes: &Shapes) -> usize {
    let most = if all < shapes.vectors() { all } else { shapes.vectors() };
    // One tile, or no choice. The search below takes as long as a small tile.
    if most <= 1 || most == all && m <= shapes.rows(most) {
        return shapes.vectors();
    }
    let (mut best, mut least, mut vectors) = (most, usize::MAX, most);
    while vectors > 0 {
        let cost = tiles_cost([m, all, k], m.div_ceil(shapes.rows(vectors)), vectors);
        // Wide tiles load less. A narrow one has to gain more than the error of the estimate.
        if cost.saturating_add(cost / 16) < least {
            (best, least) = (vectors, cost);
        }
        vectors -= 1;
    }
    best
}

/// Cost estimate in half cycles for `m` rows of `all` vectors: `down` tiles stacked along M, each
/// `vectors` vectors wide.
const fn tiles_cost([m, all, k]: [usize; 3], down: usize, vectors: usize) -> usize {
    let (rows, whole, rest) = (m.div_ceil(down), all / vectors, all % vectors);
    let column = whole.saturating_mul(TILE + tile_cost(rows, vectors, k));
    let last = if rest > 0 { TILE + tile_cost(rows, rest, k) } else { 0 };
    down.saturating_mul(column.saturating_add(last))
}

/// Whether to compute the transposed product, possibly as inner products.
#[inline(always)]
const fn turns(strided: &Strided, inner: bool) -> bool {
    if inner { strided.n > strided.m } else { strided.turns() }
}

/// Whether inner products pay off for a product with n <= m: tiles would use few lanes, or would have
/// to wait until an operand is transposed.
const fn inner_products_pay(strided: &Strided, shapes: &Shapes) -> bool {
    let Strided { n, k, ak, bk, .. } = *strided;
    if ak != 1 || bk != 1 {
        return false;
    }
    let load = if shapes.a_words && shapes.b_words { LOAD } else { MADE };
    let words = shapes.words_for(k);
    // A tile computes two vector products per cycle.
    inner_products_cost(n, words, shapes.lanes, load) < shapes.vectors_for(n).saturating_mul(words)
}

/// Half cycles to load a pair of words: plain loads, and loads that have to be converted into words.
const LOAD: usize = 2;
const MADE: usize = 6;

/// Cost estimate in half cycles for a row of C. Adding up the lanes takes about six cycles per
/// element.
const fn inner_products_cost(n: usize, words: usize, lanes: usize, load: usize) -> usize {
    // A shift, since `lanes` is a power of two: a division takes as long as a small product.
    n.saturating_mul(load * ((words + lanes - 1) >> lanes.trailing_zeros()) + 12)
}

/// Strides of words along K of operands that tiles read in place. `None` if cache blocking is better.
#[inline(always)]
fn steps(
    strided: &Strided,
    shapes: &Shapes,
    b: *const u8,
    inner: bool,
    threads: usize,
) -> Option<[Option<usize>; 2]> {
    let Strided { m, n, k, bk, .. } = *strided;
    let steps = steps_in_place(strided, shapes);
    if inner {
        return Some(steps);
    }
    if BLOCKS {
        if !whole(shapes.words_for(k)) {
            return None;
        }
        let aligned = || in_lines(b, bk * shapes.element);
        let policy = PackingPolicy::new([m, n, k], steps, shapes, aligned, Caches::detect);
        if policy.a_step.is_some() && policy.b_step.is_some() && is_near(strided, shapes) {
            return Some(steps);
        }
    } else if steps[0].is_some() && steps[1].is_some() {
        return Some(steps);
    }
    // Several threads pack with cache blocking, which gives the same results.
    (fits(strided, shapes.word) && pieces(strided, threads) == 1).then_some(steps)
}

/// Whether A and C fit in L2. If not, cache blocking is better: it prefetches, and writes whole rows
/// of C. (f32 2000 by 2000 by 60: 118 GFLOP/s in one pass, 150 with cache blocking; 50,000 by 16 by
/// 300: 49 and 90.)
#[inline(always)]
fn is_near(strided: &Strided, shapes: &Shapes) -> bool {
    let Strided { m, n, k, .. } = *strided;
    let bytes = |columns: usize, size: usize| m.saturating_mul(columns).saturating_mul(size);
    let bytes = bytes(k, shapes.element).saturating_add(bytes(n, shapes.sum));
    // Query the CPU only for data that exceeds the usual L2.
    bytes <= Caches::USUAL.second || bytes <= Caches::detect().second
}

/// Strides of words along K, in elements, of operands that tiles can read in place.
#[inline(always)]
const fn steps_in_place(strided: &Strided, shapes: &Shapes) -> [Option<usize>; 2] {
    let Strided { n, k, ak, bk, bn, .. } = *strided;
    let Shapes { depth, a_words, b_words, .. } = *shapes;
    let b_runs = bn == depth || n == 1;
    [step(a_words, ak, k, depth), step(b_words && b_runs, bk, k, depth)]
}

/// Stride of words along K, for `k` elements with stride `distance`. `None` if they do not form
/// words.
#[inline(always)]
const fn step(is_word: bool, distance: usize, k: usize, depth: usize) -> Option<usize> {
    if is_word && depth == 1 {
        Some(distance)
    } else if is_word && distance == 1 && k.is_multiple_of(depth) {
        Some(depth)
    } else {
        None
    }
}

/// Whether packed operands fit on the stack at every SIMD level, with words of `word` bytes.
const fn fits(strided: &Strided, word: usize) -> bool {
    let longer = if strided.m > strided.n { strided.m } else { strided.n };
    // Each word has at least one element, and a panel may end with an extra row.
    let (width, rows) = (MAX_WIDTH, strided.k.saturating_add(1));
    longer.div_ceil(width).saturating_mul(width).saturating_mul(rows) <= STACK / word
}

/// Number of pieces into which threads divide the product.
#[inline(always)]
pub(crate) fn pieces(strided: &Strided, threads: usize) -> usize {
    match threads {
        1 => 1,
        _ => grid::pieces(strided.m.saturating_mul(strided.n).saturating_mul(strided.k), threads),
    }
}

impl fmt::Display for Unblocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transposed, way, lanes, depth, .. } = self;
        let Way::Tiles(Tiles { rows, vectors, steps, .. }) = way else {
            return write!(f, "inner products, with vectors of {lanes} along k");
        };
        f.write_str("tile after tile, with no blocks")?;
        is_transposed(*transposed, f)?;
        // A and B of the requested product.
        let [a, b] = if *transposed { [steps[1], steps[0]] } else { *steps };
        for (name, step) in [("A", a), ("B", b)] {
            let place = if step.is_some() { "in place" } else { "packed on the stack" };
            write!(f, "\n{name} {place}")?;
        }
        let (rows, vectors) = (rows.largest(), vectors.largest());
        write!(f, "\ntiles of {rows} rows by {vectors} vectors of {lanes}")?;
        products(*depth, f)
    }
}
