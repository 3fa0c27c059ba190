//! From one placement to another: which elements go from which core to which.

use alloc::vec::{self, Vec};
use core::fmt;

use crate::devices::placement::core_cuts::CoreCuts;
use crate::devices::{Placement, Region};
use crate::error::{LayoutError, PlacementError};

/// A box of elements that have one source core and one destination core.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The index of the source core.
    pub source: usize,
    /// The index of the destination core, possibly the same.
    pub destination: usize,
    /// The coordinates of the elements.
    pub region: Region,
}

/// All elements that go from one core to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// The index of the source core.
    pub source: usize,
    /// The index of the destination core, possibly the same.
    pub destination: usize,
    /// The boxes. They are disjoint.
    pub moves: Vec<Move>,
}

impl Transfer {
    /// Number of elements.
    #[inline]
    pub fn elements(&self) -> usize {
        self.moves.iter().map(|one| one.region.size()).sum()
    }
}

/// The plan that brings a tensor from one placement to another: boxes, each with its source core and
/// its destination core.
///
/// Every coordinate is in exactly one box. The plan is not stored: a core queries the boxes that go
/// [out of](Self::out_of) it and [into](Self::into_core) it, and the whole plan is the concatenation
/// of the plans of the cores. Boxes are found by bisecting the tensor and skipping parts without
/// elements of the core. So the plan of a core takes time proportional to its own boxes times the
/// logarithm of the number of cores.
///
/// To execute the plan by messages, the source of each [`Transfer`] packs its elements in the order
/// of the boxes and of their [coordinates](Region::for_each). It finds them by its placement's
/// [`slot`](Placement::slot). The destination unpacks them in the same order by the slots of its own
/// placement. Both find the same boxes in the same order. Elements of a transfer from a core to
/// itself stay on the core but may change their offsets.
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
/// let into: Vec<_> = plan.into_core(1)?.map(|one| format!("{:?}", one.region)).collect();
/// assert_eq!(into, ["[0..2, 3..6]", "[2..4, 3..6]"]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reshard {
    from: Placement,
    to: Placement,
}

impl Placement {
    /// The plan that brings a tensor from this placement to another.
    ///
    /// # Errors
    ///
    /// [`PlacementError::ReshardShape`] if their shapes differ.
    #[inline]
    pub fn reshard(&self, to: &Self) -> Result<Reshard, LayoutError> {
        let (from, shape) = (self.shape(), to.shape());
        if !from.same(&shape) || self.rank() != to.rank() {
            return Err(PlacementError::ReshardShape { from, to: shape }.widen());
        }
        Ok(Reshard { from: *self, to: *to })
    }

    /// The coordinates of the elements on a core, as disjoint boxes.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// let text = "tensor<5x6xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>>>";
    /// let placement = MetalLayout::parse(text).unwrap().placement();
    /// assert_eq!(format!("{:?}", placement.regions_of(3)?), "[[3..5, 3..6]]");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`] if there is no such core.
    #[inline]
    pub fn regions_of(&self, core: usize) -> Result<Vec<Region>, LayoutError> {
        Ok(self.reshard(self)?.out_of(core)?.map(|one| one.region).collect())
    }
}

impl Reshard {
    /// The placement before.
    pub fn from(&self) -> &Placement {
        &self.from
    }

    /// The placement afterwards.
    pub fn to(&self) -> &Placement {
        &self.to
    }

    /// The boxes of elements that are on `core` before, including those that stay, in a fixed order.
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`] if the placement before has no such core.
    #[inline]
    pub fn out_of(&self, core: usize) -> Result<CoreMoves<'_>, LayoutError> {
        CoreMoves::new(self, End::Source, core)
    }

    /// The boxes of elements that are on `core` afterwards, including those that are already there,
    /// in a fixed order.
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`] if the placement afterwards has no such core.
    #[inline]
    pub fn into_core(&self, core: usize) -> Result<CoreMoves<'_>, LayoutError> {
        CoreMoves::new(self, End::Destination, core)
    }

    /// All boxes, ordered by source and destination.
    #[inline]
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.transfers().flat_map(|transfer| transfer.moves)
    }

    /// The boxes of each pair of cores that exchange elements, ordered by source and destination,
    /// including pairs of a core with itself. The boxes of one source at a time are in memory.
    #[inline]
    pub fn transfers(&self) -> impl Iterator<Item = Transfer> {
        let mut cuts = CoreCuts::of(&self.from);
        let (all, mut next) = (self.from.region(), 0);
        let cores = core::iter::from_fn(move || {
            let core = cuts.first_core(&all, next)?;
            next = core + 1;
            Some(core)
        });
        cores.filter_map(|core| self.out_of(core).ok()).flat_map(CoreMoves::transfers)
    }

    /// Number of elements that change their core.
    #[inline]
    pub fn moved(&self) -> usize {
        let leave = self.transfers().filter(|one| one.source != one.destination);
        leave.map(|one| one.elements()).sum()
    }
}

/// A line for each box: `0 -> 1: [0..2, 3..6]`.
impl fmt::Display for Reshard {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves().try_for_each(|one| writeln!(f, "{one}"))
    }
}

/// `0 -> 1: [0..2, 3..6]`
impl fmt::Display for Move {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}: {:?}", self.source, self.destination, self.region)
    }
}

/// Selects the source or the destination core of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Source,
    Destination,
}

/// The boxes of one core, found lazily: [`Reshard::out_of`] and [`Reshard::into_core`].
///
/// All cores cut the same tree of boxes: first where the core changes in the placement before, then
/// where it changes in the placement afterwards. Each core skips the branches without its elements.
/// So the two ends of a transfer find the same boxes in the same order.
#[derive(Clone)]
pub struct CoreMoves<'a> {
    from: CoreCuts<'a>,
    to: CoreCuts<'a>,
    open: Vec<Region>,
    end: End,
    core: usize,
}

impl<'a> CoreMoves<'a> {
    #[inline]
    fn new(plan: &'a Reshard, end: End, core: usize) -> Result<Self, LayoutError> {
        let placement = if end == End::Source { &plan.from } else { &plan.to };
        let (cores, storage) = (placement.cores(), placement.storage());
        refuse!(core >= cores, PlacementError::NoSuchSlot { core, offset: 0, cores, storage });
        let (from, to) = (CoreCuts::of(&plan.from), CoreCuts::of(&plan.to));
        Ok(Self { from, to, open: Vec::from([plan.from.region()]), end, core })
    }

    /// The boxes grouped by the core at the other end, in order. All of them are in memory.
    #[inline]
    pub fn transfers(self) -> Transfers {
        let mut moves: Vec<Move> = self.collect();
        moves.sort_by_key(|one| (one.source, one.destination));
        Transfers { moves: moves.into_iter() }
    }
}

impl Iterator for CoreMoves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while let Some(region) = self.open.pop() {
            let own = if self.end == End::Source { &mut self.from } else { &mut self.to };
            if own.first_core(&region, self.core) != Some(self.core) {
                continue;
            }
            // A cut that only one end needs is made for the other one later, or not at all.
            if let Some((low, high)) = self.from.cut(&region).or_else(|| self.to.cut(&region)) {
                self.open.extend([high, low]);
                continue;
            }
            let (source, destination) = (self.from.core(&region), self.to.core(&region));
            if self.core == if self.end == End::Source { source } else { destination } {
                return Some(Move { source, destination, region });
            }
        }
        None
    }
}

impl fmt::Debug for CoreMoves<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoreMoves").field("core", &self.core).finish_non_exhaustive()
    }
}

/// The transfers of one core: [`CoreMoves::transfers`].
#[derive(Clone, Debug)]
pub struct Transfers {
    moves: vec::IntoIter<Move>,
}

impl Iterator for Transfers {
    type Item = Transfer;

    #[inline]
    fn next(&mut self) -> Option<Transfer> {
        let &Move { source, destination, .. } = self.moves.as_slice().first()?;
        let same = |one: &&Move| (one.source, one.destination) == (source, destination);
        let count = self.moves.as_slice().iter().take_while(same).count();
        Some(Transfer { source, destination, moves: self.moves.by_ref().take(count).collect() })
    }
}
