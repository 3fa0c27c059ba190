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
    /// Whether masks are registers, see
    /// [`Vector::HAS_MASK_REGISTERS`](crate::simd::vector::Vector::HAS_MASK_REGISTERS).
    pub(crate) has_mask_registers: bool,
    /// Maximum numbers of rows of tiles with 1, 2, ... vectors in a row.
    pub(crate) max_rows: &'static [usize],
}

/// Maximum number of vectors in a row of a tile, unless C is narrow.
const USUAL_VECTORS: usize = 3;

/// The same for tiles with these maximum numbers of rows, see [`Shapes::max_rows`].
const fn usual_vectors(max_rows: &[usize]) -> usize {
    if max_rows.len() < USUAL_VECTORS { max_rows.len() } else { USUAL_VECTORS }
}

/// Maximum number of rows of the tiles with [`Shapes::vectors`] vectors in a row.
pub(crate) const fn usual_rows(max_rows: &[usize]) -> usize {
    max_rows[usual_vectors(max_rows) - 1]
}

/// Fewer tiles stacked along M do not repay wide ones.
const MIN_WIDE_TILES: usize = 3;

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

    /// Maximum number of vectors in a row of a tile, except in those of a [narrow](Self::widest) C.
    #[inline(always)]
    pub(crate) const fn vectors(&self) -> usize {
        usual_vectors(self.max_rows)
    }

    /// Maximum number of vectors in a row of a tile for `m` rows of `all` vectors of C. A narrow C with many rows
    /// has wider tiles, if fewer of them then lie beside each other: they load fewer words for each product.
    #[inline(always)]
    pub(crate) const fn widest(&self, m: usize, all: usize) -> usize {
        let (usual, most) = (self.vectors(), self.max_rows.len());
        let is_narrow = usual < all && all <= 2 * most;
        // The divisions come last: they take as long as a small tile.
        let pays_off = most > usual
            && is_narrow
            && m >= MIN_WIDE_TILES * self.rows(most)
            && all.div_ceil(most) < all.div_ceil(usual);
        if pays_off { most } else { usual }
    }

    /// Maximum number of vectors in a row of tiles with `rows` rows.
    #[cfg(feature = "std")]
    pub(crate) fn vectors_of(&self, rows: usize) -> usize {
        (1..=self.max_rows.len()).rev().find(|&vectors| self.rows(vectors) >= rows).unwrap_or(1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::kernel::table::{PLAIN_ROWS, ROWS_OF_32_REGISTERS, floats};
    use crate::simd::Level;

    #[test]
    fn a_narrow_c_has_wide_tiles() {
        let of = |max_rows| Shapes { max_rows, ..floats::<f32>(Level::Portable).shapes };
        let (shapes, plain) = (of(&ROWS_OF_32_REGISTERS), of(&PLAIN_ROWS));
        for all in 1..20 {
            let is_wide = [4, 7, 8].contains(&all);
            assert_eq!(shapes.widest(18, all), if is_wide { 4 } else { 3 }, "{all} vectors");
            assert_eq!(shapes.widest(17, all), 3, "{all} vectors");
            assert_eq!(plain.widest(18, all), 2, "{all} vectors");
        }
    }
}
