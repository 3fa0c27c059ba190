//! From one placement to another: which elements go from which core to which.

use alloc::vec::Vec;
use core::fmt;

use crate::devices::{Placement, Region};
use crate::error::{LayoutError, PlacementError};

/// A box of elements that are all on one core before, and all on one core afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The number of the core where they are.
    pub source: usize,
    /// The number of the core where they are to be, which may be the same one.
    pub destination: usize,
    /// Their coordinates.
    pub region: Region,
}

/// All that goes from one core to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transfer<'a> {
    /// The number of the core where the elements are.
    pub source: usize,
    /// The number of the core where they are to be, which may be the same one.
    pub destination: usize,
    /// The boxes. No two have a coordinate in common.
    pub moves: &'a [Move],
}

impl Transfer<'_> {
    /// How many elements it has.
    pub fn elements(&self) -> usize {
        self.moves.iter().map(|one| one.region.size()).sum()
    }
}

/// The plan that brings a tensor from one placement to another: a list of boxes, each with the core that
/// has it and the core that needs it.
///
/// Every coordinate is in exactly one box. To execute it by messages, the source of each
/// [`Transfer`] packs its elements in the order of the boxes and of their
/// [coordinates](Region::for_each), found by its placement's [`slot`](Placement::slot), and the
/// destination unpacks them in the same order by the slots of the other placement. The elements of
/// a transfer from a core to itself stay there and may have other offsets.
///
/// ```
/// use static_layout::devices::tenstorrent::MetalLayout;
/// let on = |grid| {
///     let text = format!("tensor<4x6xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <{grid}>>>");
///     MetalLayout::parse(&text).unwrap().placement()
/// };
/// // From rows on two cores to columns on two cores.
/// let plan = on("2x1").reshard(&on("1x2"))?;
/// assert_eq!(plan.to_string(), "0 -> 0: [0..2, 0..3]\n0 -> 1: [0..2, 3..6]\n\
///                               1 -> 0: [2..4, 0..3]\n1 -> 1: [2..4, 3..6]\n");
/// assert_eq!((plan.moved(), plan.transfers().count()), (12, 4));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reshard {
    moves: Vec<Move>,
}

impl Placement {
    /// The plan that brings a tensor from this placement to another.
    ///
    /// # Errors
    ///
    /// [`PlacementError::ReshardShape`] when they are not of one shape.
    #[inline]
    pub fn reshard(&self, to: &Self) -> Result<Reshard, LayoutError> {
        let (from, shape) = (self.shape(), to.shape());
        if !from.same(&shape) || self.rank() != to.rank() {
            return Err(PlacementError::ReshardShape { from, to: shape }.widen());
        }
        let mut open = Vec::from([self.region()]);
        let mut moves = Vec::new();
        while let Some(region) = open.pop() {
            // A part that only one end needs cut is cut for the other one later, or not at all.
            if let Some((low, high)) = self.cut(&region).or_else(|| to.cut(&region)) {
                open.extend([high, low]);
                continue;
            }
            let source = self.slot(region.start())?.core;
            let destination = to.slot(region.start())?.core;
            moves.push(Move { source, destination, region });
        }
        moves.sort_by_key(|one| (one.source, one.destination));
        Ok(Reshard { moves })
    }
}

impl Reshard {
    /// All boxes, ordered by source and destination.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The boxes of each pair of cores that have elements to exchange, ordered by source and
    /// destination; with those from a core to itself.
    pub fn transfers(&self) -> impl Iterator<Item = Transfer<'_>> {
        let same = |a: &Move, b: &Move| (a.source, a.destination) == (b.source, b.destination);
        self.moves.chunk_by(same).filter_map(|moves| {
            let &Move { source, destination, .. } = moves.first()?;
            Some(Transfer { source, destination, moves })
        })
    }

    /// How many elements leave their core.
    pub fn moved(&self) -> usize {
        let leave = self.moves.iter().filter(|one| one.source != one.destination);
        leave.map(|one| one.region.size()).sum()
    }
}

/// A line for each box: `0 -> 1: [0..2, 3..6]`.
impl fmt::Display for Reshard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.iter().try_for_each(|Move { source, destination, region }| {
            writeln!(f, "{source} -> {destination}: {region:?}")
        })
    }
}

impl Placement {
    /// The next number of an index dimension behind `x` where the core may be another one, if there is
    /// such a number.
    #[inline]
    fn next_boundary(&self, dimension: usize, x: usize) -> Option<usize> {
        let mut next: Option<usize> = None;
        let (first, end) = self.pieces_of(dimension);
        let mut weight = 1usize;
        for piece in first..end {
            let extent = self.pieces[piece].extent;
            let digit = x / weight % extent;
            let (first, end) = self.leaves_of(piece);
            let mut block = 1usize;
            for leaf in first..end {
                if self.leaves.stride_at(leaf) >= self.storage {
                    let step = (digit / block + 1).saturating_mul(block).min(extent);
                    let at = (x / weight - digit + step).saturating_mul(weight);
                    next = Some(next.map_or(at, |next| next.min(at)));
                }
                block = block.saturating_mul(self.leaves.extent_at(leaf));
            }
            weight = weight.saturating_mul(extent);
        }
        next
    }

    /// Two parts of a region that may be on several cores; nothing when no boundary of a core cuts it.
    #[inline]
    fn cut(&self, region: &Region) -> Option<(Region, Region)> {
        (0..self.dimensions).find_map(|dimension| {
            let row = self.row(dimension);
            let (least, most) = region.span(&row);
            let boundary = self.next_boundary(dimension, least).filter(|&at| at <= most)?;
            Some(region.cut(&row, boundary))
        })
    }
}
