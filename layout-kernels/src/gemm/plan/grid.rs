//! `Grid`: a part of a product, cut into pieces for several threads.

use core::ops::Range;

/// Minimum number of multiplications per piece: with fewer, starting another piece does not pay off.
const MIN_WORK: usize = 64 * 64 * 64;

/// Maximum number of pieces of `work` multiplications on `threads` threads.
pub(crate) const fn pieces(work: usize, threads: usize) -> usize {
    // One piece per thread: what a thread has packed is in its own cache. (512 cubed in f64 on two
    // threads: 4 % slower with two pieces per thread.)
    let most = if threads == 1 { 1 } else { work / MIN_WORK };
    if most == 0 {
        1
    } else if most < threads {
        most
    } else {
        threads
    }
}

/// Steps that a row of tiles loses where it is cut: two threads then write to the same rows of C, and the
/// prefetcher of each one takes cache lines that the other one writes. (f32 530x1750x3 on two
/// threads: 47 GFLOP/s with all rows cut, 114 without; on one thread 74.)
const CUT_STEPS: usize = 150;

/// Rows of tiles and columns, cut into pieces. Columns are cut at multiples of a vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    extents: [usize; 2],
    /// Size of a piece along each mode.
    sizes: [usize; 2],
    pieces: [usize; 2],
}

impl Grid {
    /// At most `max_pieces` pieces. A tile takes `steps` steps for each vector of its columns. Panels of A
    /// for `l2_rows` rows of tiles fill the L2 cache of a thread.
    pub(crate) fn new(
        extents: [usize; 2],
        lanes: usize,
        max_pieces: usize,
        steps: usize,
        l2_rows: usize,
    ) -> Self {
        let [tiles, n] = extents;
        let columns = n.div_ceil(lanes);
        let mut best = ([tiles, columns], usize::MAX);
        let shapes = (1..=max_pieces.min(tiles)).flat_map(|pieces_m| {
            (1..=columns.min(max_pieces / pieces_m)).map(move |pieces_n| (pieces_m, pieces_n))
        });
        for (pieces_m, pieces_n) in shapes {
            let (height, width) = (tiles.div_ceil(pieces_m), columns.div_ceil(pieces_n));
            // Each piece packs its columns of B, which costs about as much as a row of tiles, and
            // reads its rows of A, which costs about as much as a vector of columns.
            let cut = if pieces_n > 1 { CUT_STEPS / steps } else { 0 };
            let cost = (height + 1).saturating_mul(width + 1 + cut);
            // Panels that do not fit in L2 come from a cache further away.
            // (1024 cubed in f64 on two threads: 3 % of the time.)
            let cost = if height > l2_rows { cost + cost / 32 } else { cost };
            if cost < best.1 {
                best = ([height, width], cost);
            }
        }
        let sizes = [best.0[0], best.0[1] * lanes];
        Self { extents, sizes, pieces: [tiles.div_ceil(sizes[0]), n.div_ceil(sizes[1])] }
    }

    pub(crate) fn pieces(&self) -> usize {
        self.pieces[0] * self.pieces[1]
    }

    /// Rows of tiles of piece `i`, and its part of the columns: index and number of parts.
    pub(crate) fn piece(&self, i: usize) -> (Range<usize>, (usize, usize)) {
        let start = i % self.pieces[0] * self.sizes[0];
        let rows = start..(start + self.sizes[0]).min(self.extents[0]);
        (rows, (i / self.pieces[0], self.pieces[1]))
    }

    /// Columns of a part.
    pub(crate) fn columns(&self, part: usize) -> Range<usize> {
        let start = part * self.sizes[1];
        start..(start + self.sizes[1]).min(self.extents[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_c_once() {
        for [tiles, n] in [[1, 1], [125, 37], [512, 64], [1, 9000], [38, 300]] {
            for threads in 1..=9 {
                let grid = Grid::new([tiles, n], 16, threads, 1000, 100);
                assert!((1..=threads).contains(&grid.pieces()), "{grid:?}");
                assert!(threads > 1 || grid.pieces() == 1, "{grid:?}");
                let mut seen = vec![false; tiles * n];
                for i in 0..grid.pieces() {
                    let (rows, (part, _)) = grid.piece(i);
                    let columns = grid.columns(part);
                    assert!(columns.start.is_multiple_of(16), "{grid:?}");
                    for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i, j))) {
                        assert!(!std::mem::replace(&mut seen[i * n + j], true), "{grid:?}");
                    }
                }
                assert!(seen.iter().all(|&seen| seen), "{grid:?}");
            }
        }
    }

    #[test]
    fn rows_are_not_cut_for_a_few_steps() {
        let grid = |steps| Grid::new([67, 1750], 16, 2, steps, 100);
        assert_eq!(grid(512).pieces, [1, 2]);
        assert_eq!(grid(3).pieces, [2, 1]);
    }

    #[test]
    fn rows_that_do_not_stay_in_a_cache_are_divided() {
        let heights = |l2_rows| {
            let grid = Grid::new([128, 1024], 8, 2, 1000, l2_rows);
            (0..grid.pieces()).map(|i| grid.piece(i).0.len()).collect::<Vec<_>>()
        };
        assert_eq!(heights(64), [64, 64]);
        assert_eq!(heights(128), [128, 128]);
    }
}
