//! `Unblocked`: the plan of a product without cache blocking, computed in one pass over operands that
//! are used in place or packed into one panel. It is for small products, which take less time than the
//! setup of cache blocking, and for few rows and columns over any K.
//!
//! Dynamic layouts are planned by the call, static ones at compile time.

use core::fmt;

use crate::gemm::kernel::batch::{CACHE_LINE, CacheLevel};
use crate::gemm::kernel::row_combination;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::short_rows::rows_together;
use crate::gemm::kernel::table::MAX_WIDTH;
use crate::gemm::plan::inner_products::shared_inner_products_cost;
use crate::gemm::plan::packing_policy::{AddressesOfB, PackingPolicy, is_single_block};
use crate::gemm::plan::partition::Partition;
use crate::gemm::plan::tiles::tile_cost;
use crate::gemm::plan::{HAS_CACHE_BLOCKING, PACKED_BYTES, fmt_depth, fmt_transposed, grid};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

/// A product of strided matrices, computed in one pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unblocked {
    /// The product as computed. If `transposed`, that is `C^T = B^T * A^T`.
    pub(crate) strided: Strided,
    pub(crate) transposed: bool,
    pub(crate) method: Method,
    /// Where C is expected. Only small products of static layouts expect it in L1.
    pub(crate) c_location: CacheLevel,
    /// Lanes of a vector, and elements along K per lane.
    pub(super) lanes: usize,
    pub(super) depth: usize,
}

/// How the product is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    /// Inner products: both operands are contiguous along K. So many columns are multiplied together.
    InnerProducts { columns: usize },
    /// Row combinations: few rows, and B is contiguous along N.
    RowCombinations,
    /// Several rows of A and C in a vector: A, B and C have few columns.
    ShortRows,
    /// One register tile after the other.
    Tiles(Tiles),
}

/// The tiles of a product whose C has vectors along n.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles {
    /// The rows of C, and the vectors per row, partitioned into tiles.
    pub(crate) rows: Partition,
    pub(crate) vectors: Partition,
    /// Strides of words along K in A and B, in elements, for operands used in place. `None`: packed.
    pub(crate) steps: [Option<usize>; 2],
    /// Strides between vectors, in elements: in B, if that is in place, and in C.
    pub(crate) vector_steps: [usize; 2],
}

/// Costs in half cycles: a call; the overhead of a shared tile over an inlined one; the start of
/// packing. Each packed element costs one more.
const CALL_COST: usize = 120;
const TILE_COST: usize = 60;
const PACK_COST: usize = 300;
/// Sixteenths of a cycle to add a vector of a row of B.
const ROW_COST: usize = 11;

impl Tiles {
    /// Tiles whose vectors have the strides `vector_steps` in B and C.
    #[inline(always)]
    const fn new(
        strided: &Strided,
        shapes: &Shapes,
        c_location: CacheLevel,
        steps: [Option<usize>; 2],
        vector_steps: [usize; 2],
    ) -> Self {
        let all = shapes.vectors_for(strided.n);
        // Static plans compare tile widths at compile time. At run time that does not pay off: the
        // divisions take as long as a small tile.
        let max_vectors = match c_location {
            CacheLevel::L1 => best_vectors(strided.m, all, strided.k, shapes),
            _ => shapes.vectors(),
        };
        let vectors = Partition::new(all, max_vectors);
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
    pub(crate) const fn is_single_tile(&self) -> bool {
        self.rows.count() == 1 && self.vectors.count() == 1
    }

    /// Cost estimate in half cycles.
    const fn cost(&self, strided: &Strided) -> usize {
        let (rows, vectors) = (self.rows.count(), self.vectors.largest());
        let packing = if self.are_in_place() { 0 } else { PACK_COST + strided.k * strided.n };
        packing + tiles_cost([strided.m, self.vectors.total(), strided.k], rows, vectors)
    }
}

impl Unblocked {
    /// Plans a non-empty product on `threads` threads. Its operands start at `a` and `b`. `None` if
    /// cache blocking is better, or if C has no contiguous vectors.
    pub(crate) fn new(
        strided: &Strided,
        starts: [usize; 2],
        shapes: [&Shapes; 2],
        threads: usize,
    ) -> Option<Self> {
        let inner_products = Self::inner_products(strided, shapes);
        inner_products
            .or_else(|| Self::row_combinations(strided, shapes))
            .or_else(|| Self::tiles(strided, starts, shapes, threads))
    }

    /// Plans a product with few rows or few columns as row combinations. `None` if tiles are faster.
    pub(crate) fn row_combinations(
        strided: &Strided,
        [shapes, transposed]: [&Shapes; 2],
    ) -> Option<Self> {
        const MAX: usize = row_combination::ROWS[0];
        let (strided, shapes, is_transposed) = if strided.has_few_rows(MAX) {
            (*strided, shapes, false)
        } else {
            (strided.transposed(), transposed, true)
        };
        let are_faster = strided.has_few_rows(MAX)
            && row_combinations_are_faster(&strided, shapes)
            && Self::single_tile(&strided, shapes, is_transposed).is_none();
        are_faster.then_some(Self {
            strided,
            transposed: is_transposed,
            method: Method::RowCombinations,
            c_location: CacheLevel::Any,
            lanes: shapes.lanes,
            depth: shapes.depth,
        })
    }

    /// [`new`](Self::new) for a product that is not computed as inner products.
    #[inline(always)]
    pub(crate) fn tiles(
        strided: &Strided,
        [a, b]: [usize; 2],
        [shapes, transposed]: [&Shapes; 2],
        threads: usize,
    ) -> Option<Self> {
        if !strided.has_contiguous_c() {
            return None;
        }
        if strided.should_transpose() {
            let (product, shapes) = (strided.transposed(), transposed);
            let steps = steps(&product, shapes, a, threads)?;
            Some(Self::with_steps(&product, shapes, true, steps, CacheLevel::Any))
        } else {
            let steps = steps(strided, shapes, b, threads)?;
            Some(Self::with_steps(strided, shapes, false, steps, CacheLevel::Any))
        }
    }

    /// Plans a product of a single tile over operands in place, as [`tiles`](Self::tiles) does, but with
    /// fewer decisions: they take as long as a small tile. `None` if it is not one. `strided` is already
    /// transposed, if `transposed`.
    #[inline(always)]
    pub(crate) fn single_tile(
        strided: &Strided,
        shapes: &Shapes,
        transposed: bool,
    ) -> Option<Self> {
        let Strided { m, n, k, .. } = *strided;
        let steps = steps_in_place(strided, shapes);
        if steps[0].is_none() || steps[1].is_none() || !strided.c_contiguous_along_n() {
            return None;
        }
        if !shapes.is_single_tile(m, n) || !is_single_block(shapes.words_for(k)) {
            return None;
        }
        Some(Self::with_steps(strided, shapes, transposed, steps, CacheLevel::Any))
    }

    /// Plans a small product of static layouts, on a single thread. `None` if it is empty, C has no
    /// contiguous vectors, or an operand does not fit in one packed panel.
    pub(crate) const fn of_static(strided: &Strided, shapes: &Shapes) -> Option<Self> {
        if strided.is_empty() || !strided.has_contiguous_c() {
            return None;
        }
        if let Some(plan) = Self::inner_products(strided, [shapes; 2]) {
            return Some(plan);
        }
        let transpose = strided.should_transpose();
        let strided = if transpose { strided.transposed() } else { *strided };
        let steps = steps_in_place(&strided, shapes);
        let in_place = steps[0].is_some() && steps[1].is_some();
        if !in_place && !fits_in_one_panel(&strided, shapes.word) {
            return None;
        }
        Some(Self::with_steps(&strided, shapes, transpose, steps, CacheLevel::L1))
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
        let method =
            Method::Tiles(Tiles::new(strided, shapes, CacheLevel::L1, steps, vector_steps));
        Some(Self {
            strided: *strided,
            transposed,
            method,
            c_location: CacheLevel::L1,
            lanes,
            depth,
        })
    }

    /// The plan of tiles over operands with these steps.
    #[inline(always)]
    const fn with_steps(
        strided: &Strided,
        shapes: &Shapes,
        transposed: bool,
        steps: [Option<usize>; 2],
        c_location: CacheLevel,
    ) -> Self {
        let Shapes { lanes, depth, .. } = *shapes;
        // Unused in B if it is packed, or has one vector.
        let vector_steps = [lanes.wrapping_mul(strided.bn), lanes];
        let tiles = Tiles::new(strided, shapes, c_location, steps, vector_steps);
        let method = Method::Tiles(tiles);
        Self { strided: *strided, transposed, method, c_location, lanes, depth }
    }

    /// Whether one thread computes the product with a single call of a kernel, once operands are packed. Then it
    /// also computes a batch of products with one.
    pub(crate) const fn is_single_call(&self) -> bool {
        match &self.method {
            Method::Tiles(tiles) => tiles.is_single_tile(),
            Method::InnerProducts { .. } => true,
            Method::RowCombinations | Method::ShortRows => false,
        }
    }

    /// Cost estimate in half cycles.
    pub(crate) const fn cost(&self) -> usize {
        let Self { strided, lanes, .. } = self;
        CALL_COST
            + match &self.method {
                Method::InnerProducts { columns } => {
                    shared_inner_products_cost(strided, *columns, *lanes)
                }
                Method::ShortRows => {
                    let together = rows_together(*lanes, strided.n, strided.k);
                    2 * strided.m * (strided.k + 1) / together
                }
                Method::RowCombinations => strided.k * strided.n.div_ceil(*lanes) * ROW_COST / 8,
                Method::Tiles(tiles) => tiles.cost(strided),
            }
    }

    /// Registers of products per step along K, counted in halves.
    pub(crate) const fn halves(&self) -> usize {
        2 * self.strided.m * self.strided.n.div_ceil(self.lanes)
    }
}

/// Maximum number of vectors per row of a tile that minimizes the time for `m` rows of `all` vectors.
#[inline(always)]
const fn best_vectors(m: usize, all: usize, k: usize, shapes: &Shapes) -> usize {
    let max = if all < shapes.vectors() { all } else { shapes.vectors() };
    // One tile, or no choice. The search below takes as long as a small tile.
    if max <= 1 || max == all && m <= shapes.rows(max) {
        return shapes.vectors();
    }
    let (mut best, mut best_cost, mut vectors) = (max, usize::MAX, max);
    while vectors > 0 {
        let cost = tiles_cost([m, all, k], m.div_ceil(shapes.rows(vectors)), vectors);
        // Wide tiles load less. A narrow one has to gain more than the error of the estimate.
        if cost + cost / 16 < best_cost {
            (best, best_cost) = (vectors, cost);
        }
        vectors -= 1;
    }
    best
}

/// Cost estimate in half cycles for `m` rows of `all` vectors: `tiles_m` tiles stacked along M, each
/// `vectors` vectors wide.
const fn tiles_cost([m, all, k]: [usize; 3], tiles_m: usize, vectors: usize) -> usize {
    let (rows, whole, rest) = (m.div_ceil(tiles_m), all / vectors, all % vectors);
    let column = whole * (TILE_COST + tile_cost(rows, vectors, k));
    let last = if rest > 0 { TILE_COST + tile_cost(rows, rest, k) } else { 0 };
    tiles_m * (column + last)
}

/// Up to this many rows, row combinations are faster than tiles that have to pack B, if there are at least
/// so many vectors of C in a row: each group of steps converts its elements of A.
const MAX_PACKED_ROWS: usize = 4;
const MIN_PACKED_VECTORS: usize = 4;
/// With more elements in a word, tiles repay packing for two rows.
const MAX_PACKED_DEPTH: usize = 2;
/// If B comes from memory, whole rows of at least this many bytes are faster than the pieces that tiles
/// read: each piece is on another page.
const MIN_ROW_BYTES: usize = 2 << 10;
/// From memory, tiles whose vectors are whole cache lines, with B in place, are faster if each byte of B is
/// multiplied more often than this: then reading does not take all of the time. (f32 8 by 10,000 by 1024: 75
/// GFLOP/s as combinations, 87 in tiles; 4 by 4096 by 2048: 54 and 33.)
const MAX_PRODUCTS_OF_BYTE: usize = 1;

/// Whether row combinations are faster than tiles, for few rows.
fn row_combinations_are_faster(strided: &Strided, shapes: &Shapes) -> bool {
    let Strided { m, n, k, .. } = *strided;
    let &Shapes { lanes, element, depth, b_words, .. } = shapes;
    let packs = !b_words || depth > 1;
    let has_few_rows = packs && depth <= MAX_PACKED_DEPTH && m <= MAX_PACKED_ROWS;
    if m == 1 || has_few_rows && n >= MIN_PACKED_VECTORS * lanes {
        return true;
    }
    let row = n.saturating_mul(element);
    row >= MIN_ROW_BYTES
        && (packs || lanes * element < CACHE_LINE || m <= MAX_PRODUCTS_OF_BYTE * element)
        && Caches::detect().do_not_hold(row.saturating_mul(k))
}

/// Strides of words along K of operands that tiles read in place. `None` if cache blocking is better.
#[inline(always)]
fn steps(
    strided: &Strided,
    shapes: &Shapes,
    b: usize,
    threads: usize,
) -> Option<[Option<usize>; 2]> {
    let Strided { m, n, k, bk, .. } = *strided;
    let steps = steps_in_place(strided, shapes);
    let in_place = if HAS_CACHE_BLOCKING {
        let is_single_block = is_single_block(shapes.words_for(k));
        if !is_single_block && !needs_no_blocks(strided, shapes) {
            return None;
        }
        let of_b = AddressesOfB { start: b, step: bk.wrapping_mul(shapes.element) };
        let policy = PackingPolicy::new([m, n, k], steps, shapes, of_b, Caches::detect);
        let in_place = policy.a_step.is_some() && policy.b_step.is_some();
        if !is_single_block {
            return in_place.then_some(steps);
        }
        in_place && fits_in_caches(strided, shapes)
    } else {
        steps[0].is_some() && steps[1].is_some()
    };
    (in_place || may_pack(strided, shapes, threads)).then_some(steps)
}

/// Whether operands may be packed into one panel each. Several threads pack with cache blocking, which
/// gives the same results.
// Not inlined: a product in place should not save registers for it.
#[inline(never)]
fn may_pack(strided: &Strided, shapes: &Shapes, threads: usize) -> bool {
    fits_in_one_panel(strided, shapes.word) && pieces(strided, threads) == 1
}

/// Whether blocks along K gain nothing: A and B fit in L2 together, or a single tile reads each element once.
/// (f32 20x20x1500: 80 GFLOP/s in blocks, 106 without; 64x64x2000: 163 and 177.)
// Not inlined: short products should not save registers for it.
#[inline(never)]
fn needs_no_blocks(strided: &Strided, shapes: &Shapes) -> bool {
    let Strided { m, n, k, .. } = *strided;
    let bytes = m.saturating_add(n).saturating_mul(k).saturating_mul(shapes.element);
    shapes.is_single_tile(m, n) || bytes <= Caches::detect().l2
}

/// Whether A and C fit in L2, and B in a cache from which each row of tiles reads it. If not, cache blocking
/// is better: it prefetches, and writes whole rows of C. (f32 2000 by 2000 by 60: 118 GFLOP/s in one pass, 150
/// with cache blocking; 50,000 by 16 by 300: 49 and 90; 24 by 8000 by 300: 40 and 108.)
#[inline(always)]
fn fits_in_caches(strided: &Strided, shapes: &Shapes) -> bool {
    let Strided { m, n, k, .. } = *strided;
    let bytes = |x: usize, y: usize, size: usize| x.saturating_mul(y).saturating_mul(size);
    let of_b = bytes(k, n, shapes.element);
    let others = bytes(m, k, shapes.element).saturating_add(bytes(m, n, shapes.sum));
    // Query the CPU only for data that exceeds the usual L2.
    if others.saturating_add(of_b) <= Caches::DEFAULT.l2 {
        return true;
    }
    let (caches, tiles) = (Caches::detect(), m.div_ceil(shapes.rows(shapes.vectors())));
    others <= caches.l2 && !caches.do_not_hold(of_b.saturating_mul(tiles))
}

/// Strides of words along K, in elements, of operands that tiles can read in place.
#[inline(always)]
const fn steps_in_place(strided: &Strided, shapes: &Shapes) -> [Option<usize>; 2] {
    let Strided { n, k, ak, bk, bn, .. } = *strided;
    let Shapes { depth, a_words, b_words, .. } = *shapes;
    let b_is_contiguous = bn == depth || n == 1;
    [step(a_words, ak, k, depth), step(b_words && b_is_contiguous, bk, k, depth)]
}

/// Stride of words along K, for `k` elements with this stride. `None` if they do not form
/// words.
#[inline(always)]
const fn step(is_word: bool, stride: usize, k: usize, depth: usize) -> Option<usize> {
    if is_word && depth == 1 {
        Some(stride)
    } else if is_word && stride == 1 && k.is_multiple_of(depth) {
        Some(depth)
    } else {
        None
    }
}

/// Whether operands can be packed into one panel each, at every SIMD level, with words of `word` bytes.
const fn fits_in_one_panel(strided: &Strided, word: usize) -> bool {
    let longer = if strided.m > strided.n { strided.m } else { strided.n };
    // Each word has at least one element, and a panel may end with an extra row.
    let (width, rows) = (MAX_WIDTH, strided.k.saturating_add(1));
    longer.div_ceil(width).saturating_mul(width).saturating_mul(rows) <= PACKED_BYTES / word
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
        let Self { strided, transposed, method, lanes, depth, .. } = self;
        let Tiles { rows, vectors, steps, .. } = match method {
            Method::InnerProducts { .. } => {
                return write!(f, "inner products, with vectors of {lanes} along k");
            }
            Method::RowCombinations => {
                write!(f, "combinations of rows of B, with vectors of {lanes}")?;
                return fmt_transposed(*transposed, f);
            }
            Method::ShortRows => {
                let together = rows_together(*lanes, strided.n, strided.k);
                write!(f, "{together} rows of A and C in a vector of {lanes}")?;
                return fmt_transposed(*transposed, f);
            }
            Method::Tiles(tiles) => tiles,
        };
        f.write_str("register tiles, without cache blocking")?;
        fmt_transposed(*transposed, f)?;
        // A and B of the requested product.
        let [a, b] = if *transposed { [steps[1], steps[0]] } else { *steps };
        for (name, step) in [("A", a), ("B", b)] {
            let place = if step.is_some() { "in place" } else { "packed" };
            write!(f, "\n{name} {place}")?;
        }
        let (rows, vectors) = (rows.largest(), vectors.largest());
        write!(f, "\ntiles of {rows} rows by {vectors} vectors of {lanes}")?;
        fmt_depth(*depth, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::kernel::table::floats;
    use crate::simd::Level;

    /// The plan of a single tile is the one that the planner of all tiles would choose.
    #[test]
    fn a_single_tile_is_planned_as_any_tiles() {
        let mut count = 0;
        for level in Level::available() {
            let shapes = &floats::<f32>(level).shapes;
            for (m, n, k) in (0..3000).map(|i| (1 + i % 19, 1 + i % 53, 1 + i % 700)) {
                // A along M or along K, B and C along N, and all three with gaps.
                for gap in 0..3 {
                    let (am, ak) = if gap == 0 { (1, m) } else { (k + gap, 1) };
                    let (bk, bn) = (n + gap, 1);
                    let strided = Strided { m, n, k, am, ak, bk, bn, cm: n + gap, cn: 1 };
                    if strided.should_transpose() {
                        continue;
                    }
                    let Some(plan) = Unblocked::single_tile(&strided, shapes, false) else {
                        continue;
                    };
                    let starts = [0; 2];
                    let other = Unblocked::tiles(&strided, starts, [shapes; 2], 1);
                    assert_eq!(format!("{other:?}"), format!("{:?}", Some(plan)), "{level}");
                    count += 1;
                }
            }
        }
        // The small tiles of targets with few levels are rarely a whole product.
        assert!(count > if cfg!(target_arch = "x86_64") { 1000 } else { 200 }, "{count}");
    }
}
