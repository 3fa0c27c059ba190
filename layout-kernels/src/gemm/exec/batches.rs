//! Batches of tiles: tiles of one size at constant distances, which one call makes.

use core::ops::Range;

use crate::gemm::plan::partition::Partition;

/// How many tiles below each other, and beside each other, are made at once.
pub(crate) struct Batches<'a> {
    pub(crate) rows: &'a Partition,
    pub(crate) vectors: &'a Partition,
    /// Whether the last vector of all is not whole.
    pub(crate) part: bool,
    /// How many tiles below each other may be made at once, which are at constant distances.
    pub(crate) down: usize,
    /// Whether tiles beside each other are at constant distances.
    pub(crate) across: bool,
}

impl Batches<'_> {
    /// The rows of the first tile of each batch, and how many tiles are below each other in it,
    /// among these pieces of the rows.
    #[inline(always)]
    pub(crate) fn down(&self, rows: Range<usize>) -> impl Iterator<Item = (Range<usize>, usize)> {
        let end = rows.end;
        let below = move |i| match self.down {
            1 => 1,
            most => self.rows.alike(i, end).min(most),
        };
        steps(rows, below, self.rows)
    }

    /// The same of the vectors, and tiles beside each other.
    #[inline(always)]
    pub(crate) fn across(
        &self,
        vectors: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, usize)> {
        let end = vectors.end;
        steps(vectors, move |i| self.beside(i, end), self.vectors)
    }

    /// The tiles beside each other from this piece of the vectors on, before `end`.
    #[inline(always)]
    pub(crate) fn beside(&self, i: usize, end: usize) -> usize {
        // A last vector that is not whole needs a tile of its own.
        let end = end - usize::from(self.part && end == self.vectors.count());
        if self.across && i < end { self.vectors.alike(i, end) } else { 1 }
    }
}

/// The first piece, and how many there are, of each step through pieces.
#[inline(always)]
fn steps(
    pieces: Range<usize>,
    at: impl Fn(usize) -> usize,
    cuts: &Partition,
) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut next = pieces.start;
    core::iter::from_fn(move || {
        let first = next;
        (first < pieces.end).then(|| {
            let count = at(first);
            next += count;
            (cuts.piece(first), count)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_cover_all_tiles_once() {
        for (m, n) in [(1, 1), (8, 3), (17, 4), (37, 10), (40, 9), (64, 13)] {
            for bits in 0..12 {
                let [part, across] = [1, 2].map(|bit| bits & bit != 0);
                let down = [1, 2, usize::MAX][bits / 4];
                let (rows, vectors) = (&Partition::new(m, 8), &Partition::new(n, 3));
                let batches = Batches { rows, vectors, part, down, across };
                let mut seen = vec![0; m * n];
                for (height, below) in batches.down(0..rows.count()) {
                    for (width, beside) in batches.across(0..vectors.count()) {
                        assert!(below <= down && (across || beside == 1));
                        let last = width.start + beside * width.len();
                        assert!(!part || last < n || beside == 1 && width.end == n);
                        for i in height.start..height.start + below * height.len() {
                            for j in width.start..last {
                                seen[i * n + j] += 1;
                            }
                        }
                    }
                }
                assert!(seen.iter().all(|&seen| seen == 1), "{m} {n} {bits:b}");
            }
        }
    }
}
