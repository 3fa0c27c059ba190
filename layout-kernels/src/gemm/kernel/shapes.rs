//! `Shapes`: what a plan has to know of register tiles.

/// The register tiles of one way to multiply: their sizes, and the words that they read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    /// Lanes of a vector of sums.
    pub(crate) lanes: usize,
    /// The bytes of an element of A and of B, and of C.
    pub(crate) element: usize,
    pub(crate) sum: usize,
    /// The bytes of a word, and the elements along K in it.
    pub(crate) word: usize,
    pub(crate) depth: usize,
    /// Rows at the end of a panel of B that are no steps.
    pub(crate) more: usize,
    /// Whether neighbours along K in A, and in B, are words.
    pub(crate) a_words: bool,
    pub(crate) b_words: bool,
    /// Whether masks are registers, see [`Vector::MASKS`](crate::simd::vector::Vector::MASKS).
    pub(crate) masks: bool,
    /// The most rows of tiles with 1, 2, ... vectors in a row.
    pub(crate) most_rows: &'static [usize],
}

impl Shapes {
    /// The most rows of a tile with so many vectors in a row.
    #[inline(always)]
    pub(crate) const fn rows(&self, vectors: usize) -> usize {
        self.most_rows[vectors - 1]
    }

    /// The most vectors in a row of a tile.
    #[inline(always)]
    pub(crate) const fn vectors(&self) -> usize {
        self.most_rows.len()
    }

    /// The most vectors in a row of tiles that have so many rows.
    #[cfg(feature = "std")]
    pub(crate) fn vectors_of(&self, rows: usize) -> usize {
        (1..=self.vectors()).rev().find(|&vectors| self.rows(vectors) >= rows).unwrap_or(1)
    }

    /// The vectors that hold `n` elements, the last one perhaps in part.
    #[inline(always)]
    pub(crate) const fn vectors_for(&self, n: usize) -> usize {
        // Lanes are a power of two, and a division takes long.
        (n + self.lanes - 1) >> self.lanes.trailing_zeros()
    }

    /// The words that hold `k` elements.
    #[inline(always)]
    pub(crate) const fn words_for(&self, k: usize) -> usize {
        (k + self.depth - 1) >> self.depth.trailing_zeros()
    }
}
