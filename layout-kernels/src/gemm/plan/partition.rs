//! `Partition`: a number of rows or vectors in pieces for register tiles.

use core::iter;
use core::ops::Range;

/// Pieces of at most some size. When the last one would be less than half of it, the last two are
/// made equal, for a small tile waits for its sums; and where they can be equal, for these are one
/// batch.
#[derive(Clone, Copy)]
pub(crate) struct Partition {
    total: usize,
    most: usize,
    /// How many pieces have the size `most`.
    full: usize,
    /// The size of the pieces after them, and how many pieces there are.
    rest: usize,
    count: usize,
}

impl Partition {
    #[inline(always)]
    pub(crate) const fn new(total: usize, most: usize) -> Self {
        // A division takes as long as a row of a small tile.
        if total <= most {
            return Self {
                total,
                most,
                full: 0,
                rest: total,
                count: if total > 0 { 1 } else { 0 },
            };
        }
        let (whole, left) = (total / most, total % most);
        let (full, rest, count) = if left == 0 {
            (whole, most, whole)
        } else if 2 * left < most || (most + left).is_multiple_of(2) {
            (whole - 1, (most + left).div_ceil(2), whole + 1)
        } else {
            (whole, left, whole + 1)
        };
        Self { total, most, full, rest, count }
    }

    /// The size of the largest piece; 0 without pieces.
    #[inline(always)]
    pub(crate) const fn largest(&self) -> usize {
        if self.full > 0 { self.most } else { self.rest }
    }

    /// How many pieces there are.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.some(0..self.count())
    }

    /// The pieces of these numbers.
    pub(crate) fn some(&self, pieces: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let cuts = *self;
        pieces.map(move |i| cuts.piece(i))
    }

    /// The piece of this number.
    #[inline(always)]
    pub(crate) const fn piece(&self, i: usize) -> Range<usize> {
        let Self { total, most, full, rest, .. } = *self;
        match i.checked_sub(full) {
            None => i * most..(i + 1) * most,
            Some(after) => {
                let (start, end) = (full * most + after * rest, full * most + (after + 1) * rest);
                start..if end < total { end } else { total }
            }
        }
    }

    /// How many pieces from this one on, before `end`, have its size.
    #[inline(always)]
    pub(crate) const fn alike(&self, i: usize, end: usize) -> usize {
        let Self { full, count, .. } = *self;
        let last = self.piece(count - 1);
        let same = if i < full {
            full
        } else if i + 1 == count || last.end - last.start == self.rest {
            count
        } else {
            count - 1
        };
        (if same < end { same } else { end }) - i
    }
}

/// A range in blocks of a size, the last one smaller.
pub(crate) fn blocks(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    let mut start = range.start;
    // Not `step_by`, which divides.
    iter::from_fn(move || {
        let block = start..(start + size).min(end);
        start = block.end;
        (!block.is_empty()).then_some(block)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_in_order() {
        for most in 1..=8 {
            for total in 1..60 {
                let mut next = 0;
                let pieces: Vec<_> = Partition::new(total, most).iter().collect();
                for piece in &pieces {
                    assert!(piece.start == next && !piece.is_empty() && piece.len() <= most);
                    next = piece.end;
                }
                assert_eq!(next, total);
                assert_eq!(pieces.len(), Partition::new(total, most).count());
                for i in 0..pieces.len() {
                    for end in i + 1..=pieces.len() {
                        let same = pieces[i..end].iter().take_while(|p| p.len() == pieces[i].len());
                        assert_eq!(Partition::new(total, most).alike(i, end), same.count());
                    }
                }
                let least = pieces.iter().map(|piece| piece.len()).min();
                assert!(total <= most || 2 * least.unwrap() >= most, "{total} by {most}");
            }
        }
    }
}
