//! How a static product is cut into register tiles.

use crate::gemm::kernel::batch::{Batch, Words};
use crate::gemm::kernel::table::MAX_ROWS;
use crate::gemm::plan::nested::Nested;
use crate::gemm::problem::strided::Strided;

/// What a plan needs to know of a SIMD level and an element type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// Lanes of a full, a half and a quarter register, in non-increasing order.
    pub(crate) lanes: [usize; 3],
    /// Number of registers that a tile may use.
    pub(crate) registers: usize,
}

/// Register tiles of a product whose operands are used in place.
///
/// Rows are those of A, which is broadcast. Vectors run along the n of B and C. If `transposed`, m
/// and n are swapped with respect to the requested product.
#[derive(Clone, Copy, Debug)]
pub struct StaticTiles {
    pub(crate) flat: Strided,
    pub(crate) transposed: bool,
    /// Register width of a row: 0 for full registers, 1 for halves, 2 for quarters.
    width: usize,
    pub(crate) lanes: usize,
    /// Rows of a tile, and vectors per row, including the one that ends a row.
    rows: usize,
    vectors: usize,
    /// Register width of the partial vector that ends a row, if any, and its used lanes.
    row_end: Option<usize>,
    last_lanes: usize,
    /// Cost estimate in half cycles.
    pub(crate) cost: usize,
}

/// How a small static product is computed.
#[derive(Clone, Copy, Debug)]
pub enum StaticStrategy {
    /// A few multiplications, fully unrolled into the caller.
    Unrolled,
    /// Loops over constant offsets.
    Loops,
    /// Inlined register tiles.
    Tiles(StaticTiles),
    /// Register tiles that all products share.
    Shared(Nested),
    /// Inner products.
    InnerProducts(InnerProducts),
    /// One lane per element of C.
    Permute,
}

/// A product computed as inner products.
#[derive(Clone, Copy, Debug)]
pub struct InnerProducts {
    pub(crate) flat: Strided,
    pub(crate) transposed: bool,
    pub(crate) lanes: usize,
    /// Cost estimate in half cycles, comparable with that of tiles.
    pub(crate) cost: usize,
}

impl InnerProducts {
    /// Plans inner products; the longer side of C becomes the rows. `None` if an operand is not
    /// contiguous along K, or if the product is empty or large: shared inner products read each element
    /// less often.
    pub(crate) const fn new(flat: &Strided, machine: &Machine) -> Option<Self> {
        let Strided { m, n, k, ak, bk, .. } = *flat;
        let contiguous = k == 1 || ak == 1 && bk == 1;
        if m == 0
            || n == 0
            || k == 0
            || !contiguous
            || m > MAX_EXTENT
            || n > MAX_EXTENT
            || k > MAX_ELEMENTS / (m + n)
        {
            return None;
        }
        let [full, half, quarter] = machine.lanes;
        let lanes = if k >= full {
            full
        } else if k >= half {
            half
        } else {
            quarter
        };
        let transposed = n > m;
        let (long, short) = if transposed { (n, m) } else { (m, n) };
        // Two loads per cycle, and four rows share those of the column. Adding up the lanes of four
        // accumulators takes ten cycles, and four in half registers.
        let adding = if lanes == full && full > half { 20 } else { 8 };
        let loads = long * k.div_ceil(lanes);
        let cost = short * (3 * loads / 2 + long.div_ceil(4) * adding);
        Some(Self {
            flat: if transposed { flat.transposed() } else { *flat },
            transposed,
            lanes,
            cost,
        })
    }
}

/// Equal tiles of a product: `tiles_m` stacked along M, `tiles_n` along N.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) width: usize,
    pub(crate) rows: usize,
    pub(crate) vectors: usize,
    pub(crate) row_end: Option<usize>,
    pub(crate) last_lanes: usize,
    pub(crate) tiles_m: usize,
    pub(crate) tiles_n: usize,
}

impl Part {
    /// The tiles as a kernel takes them, with vectors of `lanes` lanes. The pointers are to the first
    /// elements of the matrices.
    #[inline(always)]
    pub(crate) fn batch<T>(
        &self,
        flat: &Strided,
        lanes: usize,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) -> Batch {
        let bytes = size_of::<T>();
        let Self { row, column, rows, vectors, last_lanes, tiles_m, tiles_n, .. } = *self;
        let (a, b) = (a.wrapping_add(row * flat.am).cast(), b.wrapping_add(column).cast());
        let a = Words { start: a, next: flat.am * bytes, step: flat.ak * bytes };
        let b = Words { start: b, next: lanes * bytes, step: flat.bk * bytes };
        let c = (c.wrapping_add(row * flat.cm + column).cast(), flat.cm * bytes);
        Batch {
            a_tile_stride: rows * a.next,
            b_tile_stride: vectors * b.next,
            c_tile_stride_m: rows * c.1,
            c_tile_stride_n: vectors * lanes * bytes,
            tiles_m,
            tiles_n,
            last_lanes,
            ..Batch::single_tile(flat.k, [a, b], c, (lanes, bytes))
        }
    }
}

/// Maximum extent, and maximum total elements, of a product whose tiles are inlined: data that fits
/// in L1 needs no packing.
const MAX_EXTENT: usize = 256;
const MAX_ELEMENTS: usize = 16 * 1024;
/// Maximum number of vectors in a row of a tile.
const MAX_VECTORS: usize = 4;
/// Tiles of one height may cost `1 / ONE_HEIGHT` more than tiles of two heights: the compiler then has half
/// the work.
const ONE_HEIGHT: usize = 32;

/// Whether matrices of these extents fit in L1.
pub(crate) const fn fit_in_l1(m: usize, n: usize, k: usize) -> bool {
    m <= MAX_EXTENT && n <= MAX_EXTENT && k <= MAX_EXTENT && m * k + k * n + m * n <= MAX_ELEMENTS
}

/// Cost estimate, in half cycles, of a tile with `k` steps: two products or two loads per cycle, a
/// latency of about four cycles per accumulator, and a start and an end. The product is small, see
/// [`fit_in_l1`]. Without calls: in constant evaluation they take most of the time.
pub(crate) const fn tile_cost(rows: usize, vectors: usize, k: usize) -> usize {
    let (products, loads) = (rows * vectors, rows + vectors);
    let latency = if products < 8 { 5 } else { 10 };
    let work = if products > loads { products } else { loads };
    k * (if work > latency { work } else { latency }) + 16 + products
}

impl StaticTiles {
    /// Tiles of a small product. `None` unless C has contiguous vectors that one of the operands has,
    /// too.
    pub(crate) const fn in_place(flat: &Strided, machine: &Machine) -> Option<Self> {
        let Strided { m, n, k, .. } = *flat;
        if m == 0 || n == 0 || k == 0 || !fit_in_l1(m, n, k) {
            return None;
        }
        match (
            Self::along_n(flat, machine, false),
            Self::along_n(&flat.transposed(), machine, true),
        ) {
            (Some(n), Some(m)) => Some(if m.cost < n.cost { m } else { n }),
            (Some(tiles), None) | (None, Some(tiles)) => Some(tiles),
            (None, None) => None,
        }
    }

    /// Tiles of a small product, with vectors along n.
    pub(crate) const fn along_n_if_small(
        flat: &Strided,
        machine: &Machine,
        transposed: bool,
    ) -> Option<Self> {
        if flat.is_empty() || !fit_in_l1(flat.m, flat.n, flat.k) {
            return None;
        }
        Self::along_n(flat, machine, transposed)
    }

    /// Tiles with vectors along n. `None` if n is not contiguous in B and C.
    pub(crate) const fn along_n(
        flat: &Strided,
        machine: &Machine,
        transposed: bool,
    ) -> Option<Self> {
        let Strided { m, n, k, bn, cn, .. } = *flat;
        if n > 1 && (bn != 1 || cn != 1) {
            return None;
        }
        let [full, half, quarter] = machine.lanes;
        let width = if n <= quarter {
            2
        } else if n <= half {
            1
        } else {
            0
        };
        let lanes = [full, half, quarter][width];
        let last_lanes = n % lanes;
        let row_end = if last_lanes == 0 {
            None
        } else if width == 0 && last_lanes <= quarter && quarter < full {
            Some(2)
        } else if width == 0 && last_lanes <= half && half < full {
            Some(1)
        } else {
            Some(width)
        };
        let mut best = Self {
            flat: *flat,
            transposed,
            width,
            lanes,
            rows: 0,
            vectors: 0,
            row_end,
            last_lanes,
            cost: usize::MAX,
        };
        // One register holds the broadcast element of A; with 32 registers and a single vector it is a
        // memory operand. Without mask registers, the mask for the end of a row takes one as well.
        let few_registers = machine.registers < 32;
        let mask = few_registers && last_lanes != 0 && last_lanes != half && last_lanes != quarter;
        let (all, mut vectors) = (n.div_ceil(lanes), 1);
        while vectors <= MAX_VECTORS && vectors <= all {
            let free = machine.registers
                - vectors
                - (vectors > 1 || few_registers) as usize
                - mask as usize;
            // At least two: there are at least 15 registers.
            let mut rows = free / vectors;
            if rows > MAX_ROWS {
                rows = MAX_ROWS;
            }
            // As many tiles, of equal height.
            rows = m.div_ceil(m.div_ceil(rows));
            let mut cost = cost_of_parts([m, n, k], [rows, vectors], lanes);
            let even = largest_divisor(m, rows);
            if even < rows {
                let even_cost = cost_of_parts([m, n, k], [even, vectors], lanes);
                if even_cost <= cost + cost / ONE_HEIGHT {
                    (rows, cost) = (even, even_cost);
                }
            }
            if cost < best.cost {
                (best.rows, best.vectors, best.cost) = (rows, vectors, cost);
            }
            vectors += 1;
        }
        Some(best)
    }

    /// The parts: full tiles, and what is left along M, along N, and at the corner.
    pub(crate) const fn parts(&self) -> [Option<Part>; 4] {
        let Self {
            flat: Strided { m, n, .. },
            width,
            lanes,
            rows,
            vectors,
            row_end,
            last_lanes,
            ..
        } = *self;
        let all = n.div_ceil(lanes);
        let whole = whole_tiles(all, vectors, last_lanes > 0);
        let rest = all - whole * vectors;
        let (mut parts, mut i) = ([None; 4], 0);
        while i < 4 {
            let (rest_of_n, rest_of_m) = (i / 2 == 1, i % 2 == 1);
            let (height, tiles_m) = if rest_of_m { (m % rows, 1) } else { (rows, m / rows) };
            let (tile_vectors, tiles_n) = if rest_of_n { (rest, 1) } else { (vectors, whole) };
            if height > 0 && tile_vectors > 0 && tiles_m > 0 && tiles_n > 0 {
                let has_row_end = rest_of_n && last_lanes > 0;
                parts[i] = Some(Part {
                    row: if rest_of_m { m / rows * rows } else { 0 },
                    column: if rest_of_n { whole * vectors * lanes } else { 0 },
                    width,
                    rows: height,
                    vectors: tile_vectors - has_row_end as usize,
                    row_end: if has_row_end { row_end } else { None },
                    last_lanes: if has_row_end { last_lanes } else { 0 },
                    tiles_m,
                    tiles_n,
                });
            }
            i += 1;
        }
        parts
    }

    /// Registers of products per step along K, counted in halves: the one that ends a row may be
    /// narrower than a full one.
    pub(crate) const fn halves(&self) -> usize {
        let Self { flat: Strided { m, n, .. }, lanes, row_end, width, .. } = *self;
        let narrow = match row_end {
            Some(end) => end > width,
            None => false,
        };
        m * (2 * n.div_ceil(lanes) - narrow as usize)
    }
}

/// The largest divisor of `m` that is at most `max`.
const fn largest_divisor(m: usize, max: usize) -> usize {
    let mut divisor = max;
    while !m.is_multiple_of(divisor) {
        divisor -= 1;
    }
    divisor
}

/// Tiles of `vectors` whole vectors for `all` vectors. The tile after them has the rest, and the
/// partial vector if there is one.
const fn whole_tiles(all: usize, vectors: usize, has_partial: bool) -> usize {
    (all - has_partial as usize) / vectors
}

/// Cost estimate in half cycles of the [parts](StaticTiles::parts) of a product, for tiles of `rows`
/// rows and `vectors` vectors of `lanes` lanes.
const fn cost_of_parts([m, n, k]: [usize; 3], [rows, vectors]: [usize; 2], lanes: usize) -> usize {
    let all = n.div_ceil(lanes);
    let whole = whole_tiles(all, vectors, !n.is_multiple_of(lanes));
    let (rest, tiles_m, rest_m) = (all - whole * vectors, m / rows, m % rows);
    let mut cost = tiles_m * whole * tile_cost(rows, vectors, k);
    if rest > 0 {
        cost += tiles_m * tile_cost(rows, rest, k);
    }
    if rest_m > 0 {
        cost += whole * tile_cost(rest_m, vectors, k);
    }
    if rest_m > 0 && rest > 0 {
        cost += tile_cost(rest_m, rest, k);
    }
    cost
}
