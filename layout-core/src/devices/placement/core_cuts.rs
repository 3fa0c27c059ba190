//! `CoreCuts`: where core boundaries cut a box of coordinates, and which cores hold elements of it.

use alloc::vec::Vec;

use crate::devices::placement::model::MAX_DIMENSIONS;
use crate::devices::{Placement, Region};

/// A leaf with a stride in cores, and the parts inside it.
#[derive(Clone, Copy)]
struct CoreLeaf {
    dimension: usize,
    // The weight of its piece in the index component, and the extent of the piece.
    weight: usize,
    piece: usize,
    // The product of the leaves inside it, and its own extent.
    block: usize,
    extent: usize,
    // In cores.
    stride: usize,
}

/// The digits `first` to `last`, each with a stride of `stride` cores.
#[derive(Clone, Copy)]
struct Digits {
    first: usize,
    last: usize,
    stride: usize,
}

/// The cores of a placement, prepared for queries about many boxes.
#[derive(Clone)]
pub(super) struct CoreCuts<'a> {
    placement: &'a Placement,
    rows: [[usize; MAX_DIMENSIONS]; MAX_DIMENSIONS],
    // By rising stride.
    leaves: Vec<CoreLeaf>,
    // The dimensions of `leaves`, each once, in order.
    dimensions: Vec<usize>,
    // Scratch buffer of `first_core`.
    digits: Vec<Digits>,
}

impl<'a> CoreCuts<'a> {
    #[inline]
    pub(super) fn of(placement: &'a Placement) -> Self {
        let (storage, mut leaves) = (placement.storage, Vec::new());
        let mut rows = [[0; MAX_DIMENSIONS]; MAX_DIMENSIONS];
        for (dimension, row) in rows.iter_mut().enumerate().take(placement.dimensions) {
            *row = placement.row(dimension);
            let (first, end) = placement.pieces_of(dimension);
            let mut weight = 1usize;
            for number in first..end {
                let piece = placement.pieces[number].extent;
                let (first, end) = placement.leaves_of(number);
                let mut block = 1usize;
                for leaf in first..end {
                    let extent = placement.leaves.extents()[leaf];
                    let stride = placement.leaves.strides()[leaf];
                    if stride >= storage {
                        let stride = stride / storage;
                        leaves.push(CoreLeaf { dimension, weight, piece, block, extent, stride });
                    }
                    block = block.saturating_mul(extent);
                }
                weight = weight.saturating_mul(piece);
            }
        }
        let mut dimensions: Vec<usize> = leaves.iter().map(|leaf| leaf.dimension).collect();
        dimensions.dedup();
        leaves.sort_by_key(|leaf| leaf.stride);
        Self { placement, rows, leaves, dimensions, digits: Vec::new() }
    }

    /// The core of the first element of a box. If [`cut`](Self::cut) has nothing left to cut, this
    /// is the core of all its elements.
    #[inline]
    pub(super) fn core(&self, region: &Region) -> usize {
        let placement = self.placement;
        let starts = region.start().iter().enumerate();
        let number = starts.map(|(d, at)| at * placement.linear.stride_at(d)).sum();
        placement.slot_of_index(number) / placement.storage
    }

    /// Two parts of a box that may be on different cores; `None` if no core boundary cuts the box.
    ///
    /// Chooses a boundary near the middle, so that one core among `n` is found in about `log n`
    /// cuts.
    #[inline]
    pub(super) fn cut(&self, region: &Region) -> Option<(Region, Region)> {
        self.dimensions.iter().find_map(|&dimension| {
            let row = &self.rows[dimension];
            let (least, most) = region.span(row);
            let boundary = self.boundary(dimension, least, most)?;
            Some(region.cut(row, boundary))
        })
    }

    /// A number in `least + 1..=most`, near the middle, at which the core may change.
    #[inline]
    fn boundary(&self, dimension: usize, least: usize, most: usize) -> Option<usize> {
        if least == most {
            return None;
        }
        let before = least + (most - least) / 2;
        let (mut above, mut below) = (usize::MAX, 0);
        for leaf in self.leaves.iter().filter(|leaf| leaf.dimension == dimension) {
            let digit = before / leaf.weight % leaf.piece;
            let period = before / leaf.weight - digit;
            let block = digit / leaf.block;
            let end = (block + 1).saturating_mul(leaf.block).min(leaf.piece);
            above = above.min((period + end).saturating_mul(leaf.weight));
            below = below.max((period + block * leaf.block) * leaf.weight);
        }
        [above, below].into_iter().find(|at| (least + 1..=most).contains(at))
    }

    /// A lower bound on the smallest core from `core` on that holds elements of a box. It is exact
    /// if each core number has only one set of digits and the box has all combinations of its
    /// digits.
    #[inline]
    pub(super) fn first_core(&mut self, region: &Region, core: usize) -> Option<usize> {
        self.digits.clear();
        for leaf in &self.leaves {
            let (least, most) = region.span(&self.rows[leaf.dimension]);
            let (first, last) = (least / leaf.weight, most / leaf.weight);
            let whole = (leaf.extent - 1).min((leaf.piece - 1) / leaf.block);
            let all = Digits { first: 0, last: whole, stride: leaf.stride };
            let (first, last) = match (first / leaf.piece, last / leaf.piece) {
                (a, b) if a != b => (0, whole),
                _ => {
                    let [a, b] = [first, last].map(|x| x % leaf.piece / leaf.block);
                    let carries = a / leaf.extent != b / leaf.extent;
                    if carries { (0, whole) } else { (a % leaf.extent, b % leaf.extent) }
                }
            };
            let next = Digits { first, last, ..all };
            // Merge leaves that leave no gap between them.
            if let Some(inner) = self.digits.last_mut()
                && next.stride.is_multiple_of(inner.stride)
                && inner.last - inner.first + 1 >= next.stride / inner.stride
            {
                let factor = next.stride / inner.stride;
                inner.first += next.first * factor;
                inner.last += next.last * factor;
            } else {
                self.digits.push(next);
            }
        }
        first_sum(&self.digits, core)
    }
}

/// The smallest sum of one number per range that is at least `least`, or a lower bound of it.
///
/// If each stride exceeds the sum of all smaller ones, as in a grid, at most two digits of each
/// range are candidates. Otherwise only a few are tried.
#[inline]
fn first_sum(ranges: &[Digits], least: usize) -> Option<usize> {
    const TRIED: usize = 4;
    let Some((&Digits { first, last, stride }, inner)) = ranges.split_last() else {
        return (least == 0).then_some(0);
    };
    let reach: usize = inner.iter().map(|range| range.last * range.stride).sum();
    let start = first.max(least.saturating_sub(reach).div_ceil(stride));
    let mut best: Option<usize> = None;
    for digit in start..=last {
        if digit - start == TRIED {
            return Some(least);
        }
        let here = digit * stride;
        let found = first_sum(inner, least.saturating_sub(here)).map(|sum| here + sum);
        best = best.into_iter().chain(found).min();
        // Larger digits give larger sums.
        if here >= least || best == Some(least) {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with all sums, for ranges with and without gaps.
    #[test]
    fn the_first_sum_is_a_lower_bound_and_exact_in_a_grid() {
        let range = |first, last, stride| Digits { first, last, stride };
        for (ranges, exact) in [
            (vec![range(0, 3, 1), range(1, 2, 4)], true),
            (vec![range(2, 3, 1), range(0, 3, 8), range(1, 1, 64)], true),
            (vec![range(0, 5, 2), range(0, 3, 3)], false),
            (vec![range(0, 9, 1), range(0, 9, 7)], false),
            (vec![range(1, 2, 5)], true),
            (vec![], true),
        ] {
            let sums = ranges.iter().fold(vec![0], |sums, range: &Digits| {
                let digits = range.first..=range.last;
                sums.iter()
                    .flat_map(|s| digits.clone().map(move |d| s + d * range.stride))
                    .collect()
            });
            for least in 0..100 {
                let wanted = sums.iter().copied().filter(|&sum| sum >= least).min();
                let found = first_sum(&ranges, least);
                if exact {
                    assert_eq!(found, wanted, "{least}");
                } else {
                    assert!(found.is_some() || wanted.is_none(), "{least}");
                    assert!(
                        found.unwrap_or(least) >= least && found <= wanted.or(found),
                        "{least}"
                    );
                }
            }
        }
    }
}
