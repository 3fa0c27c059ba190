//! `Partition`: a number of rows or vectors, cut into pieces for register tiles.

use core::iter;
use core::ops::Range;

/// Pieces of at most a given size. The last two pieces are made equal in two cases: if the last one
/// would be less than half of that size, since a small tile does not hide the latency of its
/// accumulators; and if they can be exactly equal, since equal pieces form one batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partition {
    total: usize,
    max_size: usize,
    /// Number of pieces of size `max_size`.
    full: usize,
    /// Size of the pieces `full..equal`, and number of all pieces. The last one may be smaller.
    rest: usize,
    equal: usize,
    count: usize,
}

/// Adjacent pieces of equal size: the start of the first one, their size, and their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceBatch {
    pub(crate) start: usize,
    pub(crate) size: usize,
    pub(crate) count: usize,
}

impl Partition {
    #[inline(always)]
    pub(crate) const fn new(total: usize, max_size: usize) -> Self {
        // Skip the divisions: they take as long as a row of a small tile.
        if total <= max_size {
            let count = if total > 0 { 1 } else { 0 };
            return Self { total, max_size, full: 0, rest: total, equal: count, count };
        }
        let (whole, left) = (total / max_size, total % max_size);
        let (full, rest, count) = if left == 0 {
            (whole, max_size, whole)
        } else if 2 * left < max_size || (max_size + left).is_multiple_of(2) {
            (whole - 1, (max_size + left).div_ceil(2), whole + 1)
        } else {
            (whole, left, whole + 1)
        };
        let equal =
            if full * max_size + (count - full) * rest == total { count } else { count - 1 };
        Self { total, max_size, full, rest, equal, count }
    }

    /// Size of the largest piece; 0 if there are none.
    #[inline(always)]
    pub(crate) const fn largest(&self) -> usize {
        if self.full > 0 { self.max_size } else { self.rest }
    }

    /// Total number of rows or vectors.
    pub(crate) const fn total(&self) -> usize {
        self.total
    }

    /// Number of pieces.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    #[cfg(test)]
    fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count).map(|i| {
            let PieceBatch { start, size, .. } = self.batch(i, i + 1);
            start..start + size
        })
    }

    /// The pieces from `i` on, before `end`, that have the size of piece `i`.
    #[inline(always)]
    pub(crate) const fn batch(&self, i: usize, end: usize) -> PieceBatch {
        let Self { total, max_size, full, rest, equal, count } = *self;
        let (start, size, same) = if i < full {
            (i * max_size, max_size, full)
        } else {
            let start = full * max_size + (i - full) * rest;
            if i < equal { (start, rest, equal) } else { (start, total - start, count) }
        };
        PieceBatch { start, size, count: (if same < end { same } else { end }) - i }
    }

    /// The pieces of an index range, in batches of at most `max_count`.
    #[inline(always)]
    pub(crate) fn batches(&self, pieces: Range<usize>, max_count: usize) -> Batches<'_> {
        Batches {
            partition: self,
            next: pieces.start,
            end: pieces.end,
            max_count,
            last_alone: usize::MAX,
        }
    }
}

/// Iterator over batches of pieces.
pub(crate) struct Batches<'a> {
    partition: &'a Partition,
    next: usize,
    end: usize,
    max_count: usize,
    last_alone: usize,
}

impl Batches<'_> {
    /// If `is_partial`, the last piece of the partition is not batched with others: it ends with a
    /// partial vector and needs a tile of its own.
    #[inline(always)]
    pub(crate) fn with_partial(self, is_partial: bool) -> Self {
        let last_alone = if is_partial { self.partition.count - 1 } else { usize::MAX };
        Self { last_alone, ..self }
    }
}

impl Iterator for Batches<'_> {
    type Item = PieceBatch;

    #[inline(always)]
    fn next(&mut self) -> Option<PieceBatch> {
        let Self { partition, next, end, max_count, last_alone } = *self;
        if next >= end {
            return None;
        }
        let end = if next < last_alone && last_alone < end { last_alone } else { end };
        let mut batch = partition.batch(next, end);
        batch.count = batch.count.min(max_count);
        self.next += batch.count;
        Some(batch)
    }
}

/// Splits a range into blocks of `size`; the last one may be smaller.
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
        for max_size in 1..=8 {
            for total in 1..60 {
                let mut next = 0;
                let pieces: Vec<_> = Partition::new(total, max_size).iter().collect();
                for piece in &pieces {
                    assert!(piece.start == next && !piece.is_empty() && piece.len() <= max_size);
                    next = piece.end;
                }
                assert_eq!(next, total);
                assert_eq!(pieces.len(), Partition::new(total, max_size).count());
                for i in 0..pieces.len() {
                    for end in i + 1..=pieces.len() {
                        let same = pieces[i..end].iter().take_while(|p| p.len() == pieces[i].len());
                        let batch = Partition::new(total, max_size).batch(i, end);
                        let expected = (pieces[i].start, pieces[i].len(), same.count());
                        assert_eq!((batch.start, batch.size, batch.count), expected);
                    }
                }
                let least = pieces.iter().map(|piece| piece.len()).min();
                assert!(
                    total <= max_size || 2 * least.unwrap() >= max_size,
                    "{total} by {max_size}"
                );
            }
        }
    }

    #[test]
    fn batches_cover_all_pieces_once() {
        for total in [1, 3, 4, 8, 9, 13, 17, 37, 40, 64] {
            for (max_count, is_partial) in
                [(1, false), (2, true), (usize::MAX, true), (usize::MAX, false)]
            {
                let partition = Partition::new(total, 3);
                let mut next = 0;
                for batch in
                    partition.batches(0..partition.count(), max_count).with_partial(is_partial)
                {
                    assert!(batch.start == next && (1..=max_count).contains(&batch.count));
                    next += batch.size * batch.count;
                    assert!(!is_partial || next < total || batch.count == 1, "{total} {batch:?}");
                }
                assert_eq!(next, total);
            }
        }
    }
}
