//! `Grid`: a part of a product in pieces for several threads.

use core::ops::Range;

/// Products for which another piece is worth its start.
const LEAST: usize = 64 * 64 * 64;

/// In how many pieces some threads make a product of `work` multiplications, at most.
pub(crate) fn pieces(work: usize, threads: usize) -> usize {
    match threads {
        1 => 1,
        // One for each: what a thread has packed is near to it. (512 cubed in f64 on two threads:
        // 4 % slower with two for each.)
        _ => threads.min(work / LEAST).max(1),
    }
}

/// Rows of tiles and columns in pieces; columns are cut at multiples of a vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    extents: [usize; 2],
    /// The size of a piece along each mode.
    steps: [usize; 2],
    pieces: [usize; 2],
}

impl Grid {
    /// At most so many [`pieces`], for threads of whose second cache the panels of `near` rows of
    /// tiles fill all.
    pub(crate) fn new(extents: [usize; 2], lanes: usize, most: usize, near: usize) -> Self {
        let [tiles, n] = extents;
        let columns = n.div_ceil(lanes);
        let mut best = ([tiles, columns], usize::MAX);
        let shapes = (1..=most.min(tiles))
            .flat_map(|down| (1..=columns.min(most / down)).map(move |across| (down, across)));
        for (down, across) in shapes {
            let (height, width) = (tiles.div_ceil(down), columns.div_ceil(across));
            // Each piece packs its columns of B, which takes about as long as a row of tiles, and
            // reads its rows of A, which takes about as long as a vector of columns.
            let cost = (height + 1).saturating_mul(width + 1);
            // Panels that do not stay there come from another thread's, or further. (1024 cubed in
            // f64 on two threads: 3 % of the time.)
            let cost = if height > near { cost + cost / 32 } else { cost };
            if cost < best.1 {
                best = ([height, width], cost);
            }
        }
        let steps = [best.0[0], best.0[1] * lanes];
        Self { extents, steps, pieces: [tiles.div_ceil(steps[0]), n.div_ceil(steps[1])] }
    }

    pub(crate) fn pieces(&self) -> usize {
        self.pieces[0] * self.pieces[1]
    }

    /// The rows of tiles of a piece, and which part of the columns, of how many.
    pub(crate) fn piece(&self, i: usize) -> (Range<usize>, (usize, usize)) {
        let start = i % self.pieces[0] * self.steps[0];
        let rows = start..(start + self.steps[0]).min(self.extents[0]);
        (rows, (i / self.pieces[0], self.pieces[1]))
    }

    /// The columns of a part.
    pub(crate) fn columns(&self, part: usize) -> Range<usize> {
        let start = part * self.steps[1];
        start..(start + self.steps[1]).min(self.extents[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_c_once() {
        for [tiles, n] in [[1, 1], [125, 37], [512, 64], [1, 9000], [38, 300]] {
            for threads in 1..=9 {
                let grid = Grid::new([tiles, n], 16, threads, 100);
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
    fn rows_that_do_not_stay_in_a_cache_are_divided() {
        let heights = |near| {
            let grid = Grid::new([128, 1024], 8, 2, near);
            (0..grid.pieces()).map(|i| grid.piece(i).0.len()).collect::<Vec<_>>()
        };
        assert_eq!(heights(64), [64, 64]);
        assert_eq!(heights(128), [128, 128]);
    }
}
