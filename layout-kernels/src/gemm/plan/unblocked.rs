//! `Unblocked`: the plan of a product that is made at once, over operands that are used where they
//! are or are packed on the stack. What blocks need before the first tile takes longer than a small
//! product.

use core::fmt;

use crate::gemm::kernel::table::{Kernels, MAX_WIDTH};
use crate::gemm::plan::packing_policy::{PackingPolicy, in_lines, whole};
use crate::gemm::plan::partition::Partition;
use crate::gemm::plan::{BLOCKS, STACK, grid, is_transposed, products};
use crate::gemm::problem::strided::Strided;
use crate::simd::cache::Caches;

/// A product of strided matrices that is made at once.
#[derive(Clone, Copy)]
pub struct Unblocked {
    /// The product as it is made; when `transposed`, that is `C^T = B^T * A^T`.
    pub(crate) strided: Strided,
    pub(crate) transposed: bool,
    pub(crate) way: Way,
    /// Lanes of a vector, and elements along K in each.
    lanes: usize,
    depth: usize,
}

/// How it is made.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// Inner products: both operands are consecutive along K.
    InnerProducts,
    /// One register tile after the other.
    Tiles(Tiles),
}

/// The tiles of a product whose C has vectors along n.
#[derive(Clone, Copy)]
pub(crate) struct Tiles {
    /// The rows of C, and the vectors in them, in pieces for tiles.
    pub(crate) rows: Partition,
    pub(crate) vectors: Partition,
    /// The distance of words along K, in elements, of operands that are used in place. The others
    /// are packed on the stack.
    pub(crate) steps: [Option<usize>; 2],
}

impl Tiles {
    /// Whether there is one tile, over operands in place.
    #[inline(always)]
    pub(crate) fn are_one(&self) -> bool {
        let in_place = self.steps[0].is_some() && self.steps[1].is_some();
        in_place && self.rows.count() == 1 && self.vectors.count() == 1
    }
}

impl Unblocked {
    /// The plan of a product that is not empty, of operands that start at `a` and `b`, on so many
    /// threads. Nothing when blocks are better.
    #[inline(always)]
    pub(crate) fn new<X: 'static, Y: 'static, T: 'static>(
        strided: &Strided,
        (a, b): (*const X, *const Y),
        kernels: impl Fn() -> &'static Kernels<X, Y, T>,
        transposed: impl Fn() -> &'static Kernels<Y, X, T>,
        threads: usize,
    ) -> Option<Self> {
        if !strided.has_runs() {
            return None;
        }
        // Inner products are those of the longer side with the shorter one.
        let inner = match strided.n <= strided.m {
            true => inner_products_pay(strided, kernels()),
            false => inner_products_pay(&strided.transposed(), transposed()),
        };
        let turns = if inner { strided.n > strided.m } else { strided.turns() };
        if turns {
            Self::along_n(&strided.transposed(), transposed(), a.cast(), true, inner, threads)
        } else {
            Self::along_n(strided, kernels(), b.cast(), false, inner, threads)
        }
    }

    /// The plan of inner products, or of a product whose C has vectors along n; its B starts at `b`.
    #[inline(always)]
    fn along_n<X, Y, T>(
        strided: &Strided,
        kernels: &Kernels<X, Y, T>,
        b: *const u8,
        transposed: bool,
        inner: bool,
        threads: usize,
    ) -> Option<Self> {
        let Kernels { lanes, depth, .. } = *kernels;
        let way = if inner {
            Way::InnerProducts
        } else {
            let steps = steps(strided, kernels, b, threads)?;
            let vectors = Partition::new(kernels.vectors_for(strided.n), kernels.vectors());
            let rows = Partition::new(strided.m, kernels.rows(vectors.largest()));
            Way::Tiles(Tiles { rows, vectors, steps })
        };
        Some(Self { strided: *strided, transposed, way, lanes, depth })
    }
}

/// Whether to make a product of at most as many columns as rows as inner products: tiles would fill few
/// lanes, or wait until an operand is transposed.
fn inner_products_pay<X, Y, T>(strided: &Strided, kernels: &Kernels<X, Y, T>) -> bool {
    let Strided { n, k, ak, bk, .. } = *strided;
    if ak != 1 || bk != 1 {
        return false;
    }
    let words = kernels.words_for(k);
    let there = kernels.a_words && kernels.b_words && k.is_multiple_of(kernels.depth);
    // In half cycles, for a row: two loads a cycle, and about six cycles until lanes are added up;
    // a tile adds two products a cycle.
    let cost = n.saturating_mul(2 * words.div_ceil(kernels.lanes) + 12);
    there && cost < kernels.vectors_for(n).saturating_mul(words)
}

/// The distance of words along K of operands that tiles read where they are, if it pays to make the
/// product without blocks.
#[inline(always)]
fn steps<X, Y, T>(
    strided: &Strided,
    kernels: &Kernels<X, Y, T>,
    b: *const u8,
    threads: usize,
) -> Option<[Option<usize>; 2]> {
    let Strided { m, n, k, bk, .. } = *strided;
    let steps = steps_in_place(strided, kernels);
    if BLOCKS {
        if !whole(kernels.words_for(k)) {
            return None;
        }
        let aligned = || in_lines(b, bk * size_of::<Y>());
        let policy = PackingPolicy::new([m, n, k], steps, kernels, aligned, Caches::detect);
        if policy.a_step.is_some() && policy.b_step.is_some() {
            return Some(steps);
        }
    } else if steps[0].is_some() && steps[1].is_some() {
        return Some(steps);
    }
    // Threads pack blocks, whose sums are the same.
    (fits(strided, kernels.word) && pieces(strided, threads) == 1).then_some(steps)
}

/// The distance of words along K, in elements, of operands that tiles can read where they are.
#[inline(always)]
fn steps_in_place<X, Y, T>(strided: &Strided, kernels: &Kernels<X, Y, T>) -> [Option<usize>; 2] {
    let Kernels { depth, .. } = *kernels;
    let step = |is_word: bool, distance: usize| match depth {
        1 => is_word.then_some(distance),
        _ => (is_word && distance == 1 && strided.k.is_multiple_of(depth)).then_some(depth),
    };
    let b_runs = strided.bn == depth || strided.n == 1;
    [step(kernels.a_words, strided.ak), step(kernels.b_words && b_runs, strided.bk)]
}

/// Whether packed operands fit the stack at every level, when their words have so many bytes.
fn fits(strided: &Strided, word: usize) -> bool {
    let longer = strided.m.max(strided.n);
    // No word has less than an element, and a panel may end with another row.
    let (width, rows) = (MAX_WIDTH, strided.k.saturating_add(1));
    longer.div_ceil(width).saturating_mul(width).saturating_mul(rows) <= STACK / word
}

/// In how many pieces threads make the product.
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
        let Way::Tiles(Tiles { rows, vectors, steps }) = way else {
            return write!(f, "inner products, with vectors of {lanes} along k");
        };
        f.write_str("tile after tile, with no blocks")?;
        is_transposed(*transposed, f)?;
        // A and B of the product that was asked for.
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
