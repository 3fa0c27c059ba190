//! `Shapes`: what planning needs to know about register tiles.

use crate::gemm::kernel::batch::CACHE_LINE;

/// The register tiles of one kind of multiplication: their sizes, and the words that they read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    /// Lanes of a vector of accumulators.
    pub(crate) lanes: usize,
    /// Size in bytes of an element of A and of B.
    pub(crate) element: usize,
    /// Size in bytes of an element of C.
    pub(crate) sum: usize,
    /// Size in bytes of a word.
    pub(crate) word: usize,
    /// Elements along K in a word.
    pub(crate) depth: usize,
    /// Extra rows at the end of a panel of B, after its steps.
    pub(crate) extra_rows: usize,
    /// Whether `depth` neighbours along K in A are a word as they are in memory.
    pub(crate) a_words: bool,
    /// The same for B.
    pub(crate) b_words: bool,
    /// Whether an accumulator takes two registers.
    pub(crate) has_double_sums: bool,
    /// Maximum number of columns that inner products multiply with four rows together.
    pub(crate) inner_columns: usize,
    /// What a multiplication costs in plain loops, in multiplications of real numbers.
    pub(crate) plain_cost: usize,
    /// Whether several short rows can share a vector, see [`short_rows`](crate::gemm::kernel::short_rows).
    pub(crate) has_short_rows: bool,
    /// Whether masks are registers, see
    /// [`Vector::HAS_MASK_REGISTERS`](crate::simd::vector::Vector::HAS_MASK_REGISTERS).
    pub(crate) has_mask_registers: bool,
    /// Maximum numbers of rows of tiles with 1, 2, ... vectors in a row.
    pub(crate) max_rows: &'static [usize],
}

/// What tiles prefetch.
pub(crate) struct Prefetching {
    /// Minimum number of rows of tiles that prefetch. Tiles of fewer rows are mostly alone, and read B about
    /// as fast as they multiply it: there is no time to wait for memory.
    pub(crate) min_rows: usize,
    /// Bytes that a tile prefetches in each step along K: whole cache lines.
    pub(crate) bytes: usize,
}

impl Prefetching {
    /// What tiles prefetch with such masks. With 16 registers, a step has few products, and rows of a tile
    /// are one cache line.
    pub(crate) const fn new(has_mask_registers: bool) -> Self {
        match has_mask_registers {
            true => Self { min_rows: 5, bytes: 2 * CACHE_LINE },
            false => Self { min_rows: 4, bytes: CACHE_LINE },
        }
    }
}

impl Shapes {
    /// Size in bytes of an element of A, B and C.
    pub(crate) const fn operand_bytes(&self) -> [usize; 3] {
        [self.element, self.element, self.sum]
    }

    /// Whether tiles read single elements of A and of B in place.
    pub(crate) const fn read_words(&self) -> bool {
        self.depth == 1 && self.a_words && self.b_words
    }

    /// Maximum number of rows of a tile with `vectors` vectors in a row.
    #[inline(always)]
    pub(crate) const fn rows(&self, vectors: usize) -> usize {
        self.max_rows[vectors - 1]
    }

    /// Maximum number of vectors in a row of a tile.
    #[inline(always)]
    pub(crate) const fn vectors(&self) -> usize {
        self.max_rows.len()
    }

    /// Whether `m` rows of `n` elements are a single tile. Neither is 0.
    #[inline(always)]
    pub(crate) const fn is_single_tile(&self, m: usize, n: usize) -> bool {
        let vectors = self.vectors_for(n);
        vectors <= self.vectors() && m <= self.rows(vectors)
    }

    /// Maximum number of vectors in a row of tiles with `rows` rows.
    #[cfg(feature = "std")]
    pub(crate) fn vectors_of(&self, rows: usize) -> usize {
        (1..=self.vectors()).rev().find(|&vectors| self.rows(vectors) >= rows).unwrap_or(1)
    }

    /// What these tiles prefetch.
    #[cfg(feature = "std")]
    pub(crate) const fn prefetching(&self) -> Prefetching {
        Prefetching::new(self.has_mask_registers)
    }

    /// Number of vectors for `n` elements; the last one is possibly partial.
    #[inline(always)]
    pub(crate) const fn vectors_for(&self, n: usize) -> usize {
        // `lanes` is a power of two, and a division is slow.
        (n + self.lanes - 1) >> self.lanes.trailing_zeros()
    }

    /// Number of words for `k` elements.
    #[inline(always)]
    pub(crate) const fn words_for(&self, k: usize) -> usize {
        (k + self.depth - 1) >> self.depth.trailing_zeros()
    }
}
