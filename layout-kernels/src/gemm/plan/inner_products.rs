//! Inner products: which products they pay for, and what they cost.

use crate::gemm::kernel::batch::CacheLevel;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::unblocked::{Method, Unblocked};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

impl Unblocked {
    /// Plans a product as inner products. `None` if tiles are faster, or if C has no contiguous vectors.
    pub(super) const fn inner_products(strided: &Strided, shapes: [&Shapes; 2]) -> Option<Self> {
        let (strided, shapes, transposed) = Self::longer_rows(strided, shapes);
        match inner_products_are_faster(&strided, shapes) {
            true => Some(Self::of_inner_products(&strided, shapes, transposed)),
            false => None,
        }
    }

    /// Plans a product as inner products over copies, contiguous along K, of the operands that are not. Returns the
    /// plan, and whether A and B are copied. `None` if both are contiguous along K, or if that is not faster.
    pub(crate) fn inner_products_of_copies(
        strided: &Strided,
        shapes: [&Shapes; 2],
    ) -> Option<(Self, [bool; 2])> {
        let Strided { m, n, k, ak, bk, .. } = *strided;
        // First what takes no time for small products.
        let copied = [ak != 1, bk != 1];
        // Both copies take longer than a tile of many rows or columns, which does not wait for latency.
        let copies_too_much = copied == [true; 2] && m.saturating_add(n) >= LATENCY / COPY;
        let is_small = m.saturating_mul(n).saturating_mul(k) < MIN_COPIED_WORK;
        if copied == [false; 2] || copies_too_much || is_small {
            return None;
        }
        let (strided, shapes, transposed) = Self::longer_rows(strided, shapes);
        let of_rows = if transposed { [copied[1], copied[0]] } else { copied };
        if !strided.has_contiguous_c() || !inner_products_cost_less(&strided, shapes, of_rows) {
            return None;
        }
        let mut product = strided;
        if of_rows[0] {
            (product.am, product.ak) = (product.k, 1);
        }
        if of_rows[1] {
            (product.bn, product.bk) = (product.k, 1);
        }
        Some((Self::of_inner_products(&product, shapes, transposed), copied))
    }

    /// The product or the transposed one: the longer side of C becomes the rows.
    const fn longer_rows<'a>(
        strided: &Strided,
        [shapes, transposed]: [&'a Shapes; 2],
    ) -> (Strided, &'a Shapes, bool) {
        match strided.n > strided.m {
            false => (*strided, shapes, false),
            true => (strided.transposed(), transposed, true),
        }
    }

    /// The plan of inner products, which are already transposed, if `transposed`.
    const fn of_inner_products(strided: &Strided, shapes: &Shapes, transposed: bool) -> Self {
        Self {
            strided: *strided,
            transposed,
            method: Method::InnerProducts { columns: inner_columns(strided, shapes) },
            c_location: CacheLevel::Any,
            lanes: shapes.lanes,
            depth: shapes.depth,
        }
    }
}

/// Whether inner products pay off for a product with n <= m: tiles would use few lanes, or would have
/// to wait until an operand is transposed.
#[inline(always)]
pub(crate) const fn inner_products_are_faster(strided: &Strided, shapes: &Shapes) -> bool {
    let can_be = strided.ak == 1 && strided.bk == 1 && strided.has_contiguous_c();
    can_be && inner_products_cost_less(strided, shapes, [false; 2])
}

/// [`inner_products_are_faster`] for operands that are contiguous along K, or are copied first.
// Not inlined: tiles should not save registers for it.
#[inline(never)]
const fn inner_products_cost_less(strided: &Strided, shapes: &Shapes, copied: [bool; 2]) -> bool {
    let Shapes { lanes, element, depth, a_words, b_words, has_double_sums, .. } = *shapes;
    // Larger extents do not change the decision, and these do not overflow.
    const MAX: usize = 1 << (usize::BITS / 4);
    let [m, n, k] = [min(strided.m, MAX), min(strided.n, MAX), min(strided.k, MAX)];
    let words = shapes.words_for(k);
    let has_partial_word = k & (depth - 1) != 0;
    let (rows, columns, next) = match strided.should_transpose() {
        true => (n, m, strided.am),
        false => (m, n, strided.bn),
    };
    let is_far = (m + n) * k * element > Caches::DEFAULT.l2;
    let converts = !a_words || !b_words;
    let packing = if converts || has_partial_word {
        START_OF_PACKING + CONVERT_VECTOR * (m + n) * shapes.vectors_for(words)
    } else if columns > 1 && next != depth {
        START_OF_PACKING + k * columns * element * if is_far { FAR_PACKING } else { 1 }
    } else {
        0
    };
    let steps = if has_double_sums { 2 * words } else { words };
    let vectors = rows * shapes.vectors_for(columns);
    let latency = if shapes.inner_columns > 1 { LATENCY } else { 0 };
    let step = max(vectors * TILE_PRODUCT, latency);
    let tiles = vectors * END_OF_TILE + steps * step + packing;
    let (product, load) = match (converts, depth) {
        (true, 1) => CONVERTED,
        (true, 2) => CONVERTED_PAIRS,
        (true, _) => CONVERTED_FOURS,
        _ if has_double_sums => (2 * TILE_PRODUCT, FAR_LOAD),
        (false, depth) if depth > 1 || is_far => (TILE_PRODUCT, FAR_LOAD),
        _ => (TILE_PRODUCT, LOAD),
    };
    let has_slow_end = !shapes.has_mask_registers
        && (has_partial_word || converts && k & (lanes * depth - 1) != 0);
    let end = if has_slow_end { SLOW_END } else { 0 };
    let adding = if has_double_sums { ADD_DOUBLE_LANES } else { ADD_LANES };
    let pair = pair_cost(inner_columns(strided, shapes), (product, load));
    let copy = COPY + element * if is_far { FAR_COPIED_BYTE } else { 1 };
    let of_a = if copied[0] { START_OF_COPY + copy * m * k } else { 0 };
    let of_b = if copied[1] { START_OF_COPY + copy * n * k } else { 0 };
    of_a + of_b + m * n * (pair * shapes.vectors_for(words) + end + adding) < tiles
}

/// Number of columns that inner products multiply together.
const fn inner_columns(strided: &Strided, shapes: &Shapes) -> usize {
    min(strided.n, shapes.inner_columns)
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Costs below are in sixteenths of a cycle. A tile computes two vector products per cycle, each of two
/// instructions for complex numbers, and takes three cycles for each vector of C.
const TILE_PRODUCT: usize = 8;
const END_OF_TILE: usize = 48;
/// A step along K waits for the one before, if there are few accumulators.
const LATENCY: usize = 64;
/// Until packing starts. A packed byte costs one more, or [`FAR_PACKING`] if it is in no cache near the core,
/// and a vector of words that are converted costs [`CONVERT_VECTOR`].
const START_OF_PACKING: usize = 2240;
const FAR_PACKING: usize = 2;
const CONVERT_VECTOR: usize = 128;
/// No operand is copied for fewer multiplications.
const MIN_COPIED_WORK: usize = 1 << 14;
/// Until an operand is copied, and to copy an element. A copied byte costs one more, or [`FAR_COPIED_BYTE`] if it is
/// in no cache near the core.
const START_OF_COPY: usize = 8000;
const COPY: usize = 5;
const FAR_COPIED_BYTE: usize = 5;
/// To load a register for inner products: from a cache near the core, and from one beyond, or words of several
/// elements.
const LOAD: usize = 11;
const FAR_LOAD: usize = 18;
/// To multiply and to load registers of elements that are converted to words of one, two or four.
const CONVERTED: (usize, usize) = (10, 16);
const CONVERTED_PAIRS: (usize, usize) = (12, 14);
const CONVERTED_FOURS: (usize, usize) = (18, 28);
/// For a last word of fewer elements, or for less than a vector of converted elements, without a mask.
const SLOW_END: usize = 48;
/// To add up the lanes of an accumulator in one register, and in two.
const ADD_LANES: usize = 40;
const ADD_DOUBLE_LANES: usize = 160;

/// Cost of a pair of registers in inner products, given those of multiplying and of loading a register.
/// Eight rows and a column, or four rows and several columns are multiplied together.
const fn pair_cost(columns: usize, (product, load): (usize, usize)) -> usize {
    let loads = match columns {
        1 => load * (8 + 1) / 8,
        2 => load * (4 + 2) / (4 * 2),
        3 => load * (4 + 3) / (4 * 3),
        _ => load * (4 + 4) / (4 * 4),
    };
    max(product, loads)
}

/// Sixteenths of a cycle that shared inner products take more than inlined ones, for each element of C.
const SHARED_ELEMENT: usize = 16;

/// Cost in half cycles of shared inner products of a static product, `columns` columns together.
pub(super) const fn shared_inner_products_cost(
    strided: &Strided,
    columns: usize,
    lanes: usize,
) -> usize {
    let pair = pair_cost(columns, (TILE_PRODUCT, LOAD));
    let element = pair * strided.k.div_ceil(lanes) + ADD_LANES + SHARED_ELEMENT;
    strided.m * strided.n * element / 8
}
