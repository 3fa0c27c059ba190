//! `Cuts`: a number of rows or vectors in pieces for register tiles.

use core::ops::Range;

/// Pieces of at most some size. When the last one would be less than half of it, the last two are
/// made equal: a small tile waits for its sums.
#[derive(Clone, Copy)]
pub(crate) struct Cuts {
    total: usize,
    most: usize,
    /// The end of the pieces of size `most`.
    full: usize,
    /// The size of the pieces after it.
    rest: usize,
}

impl Cuts {
    pub(crate) const fn new(total: usize, most: usize) -> Self {
        let left = total % most;
        let (full, rest) = if left == 0 {
            (total, most)
        } else if 2 * left < most && total > most {
            (total - most - left, (most + left).div_ceil(2))
        } else {
            (total - left, left)
        };
        Self { total, most, full, rest }
    }

    /// How many pieces there are.
    pub(crate) fn count(&self) -> usize {
        self.full / self.most + (self.total - self.full).div_ceil(self.rest)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.some(0..self.count())
    }

    /// The pieces of these numbers.
    pub(crate) fn some(&self, pieces: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let Self { total, most, full, rest } = *self;
        pieces.map(move |i| match i * most {
            start if start < full => start..start + most,
            start => {
                let start = full + (start - full) / most * rest;
                start..(start + rest).min(total)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_in_order() {
        for most in 1..=8 {
            for total in 1..60 {
                let mut next = 0;
                let pieces: Vec<_> = Cuts::new(total, most).iter().collect();
                for piece in &pieces {
                    assert!(piece.start == next && !piece.is_empty() && piece.len() <= most);
                    next = piece.end;
                }
                assert_eq!(next, total);
                assert_eq!(pieces.len(), Cuts::new(total, most).count());
                let least = pieces.iter().map(|piece| piece.len()).min();
                assert!(total <= most || 2 * least.unwrap() >= most, "{total} by {most}");
            }
        }
    }
}
