//! `Grid`: a product in pieces for several threads.

use core::ops::Range;

/// Products for which another thread is worth its start.
const LEAST: usize = 64 * 64 * 64;

/// C cut along both modes, at multiples of a tile's rows and of a vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    extents: [usize; 2],
    /// The size of a piece along each mode.
    steps: [usize; 2],
    pieces: [usize; 2],
}

impl Grid {
    /// At most `threads` pieces of a product of `m`, `n` and `k`.
    pub(crate) fn new([m, n, k]: [usize; 3], units: [usize; 2], threads: usize) -> Self {
        let work = m.saturating_mul(n).saturating_mul(k);
        let threads = threads.min(work / LEAST).max(1);
        let units_of = |i: usize, extent: usize| extent.div_ceil(units[i]);
        let (rows, columns) = (units_of(0, m), units_of(1, n));
        let mut best = ([rows, columns], usize::MAX);
        for down in 1..=threads.min(rows) {
            let across = (threads / down).min(columns);
            let (height, width) = (rows.div_ceil(down), columns.div_ceil(across));
            // The largest piece, and what it packs, which weighs little.
            let (y, x) = (height * units[0], width * units[1]);
            let cost = (y * x).saturating_mul(64).saturating_add(64 * (y + x));
            if cost < best.1 {
                best = ([height, width], cost);
            }
        }
        let steps = [best.0[0] * units[0], best.0[1] * units[1]];
        Self { extents: [m, n], steps, pieces: [m.div_ceil(steps[0]), n.div_ceil(steps[1])] }
    }

    pub(crate) fn pieces(&self) -> usize {
        self.pieces[0] * self.pieces[1]
    }

    /// The rows and columns of a piece.
    pub(crate) fn piece(&self, i: usize) -> (Range<usize>, Range<usize>) {
        let part = |mode: usize, i: usize| {
            let start = i * self.steps[mode];
            start..(start + self.steps[mode]).min(self.extents[mode])
        };
        (part(0, i % self.pieces[0]), part(1, i / self.pieces[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_c_once() {
        for [m, n, k] in
            [[1, 1, 1], [1000, 37, 513], [4096, 64, 64], [300, 300, 300], [5, 9000, 99]]
        {
            for threads in 1..=9 {
                let grid = Grid::new([m, n, k], [8, 16], threads);
                assert!((1..=threads).contains(&grid.pieces()), "{grid:?}");
                let mut seen = vec![false; m * n];
                for i in 0..grid.pieces() {
                    let (rows, columns) = grid.piece(i);
                    assert!(rows.start % 8 == 0 && columns.start % 16 == 0, "{grid:?}");
                    for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i, j))) {
                        assert!(!std::mem::replace(&mut seen[i * n + j], true), "{grid:?}");
                    }
                }
                assert!(seen.iter().all(|&seen| seen), "{grid:?}");
            }
        }
    }
}
