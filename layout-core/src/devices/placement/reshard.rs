//! From one placement to another: which elements go from which core to which.

use alloc::vec::{self, Vec};
use core::fmt;

use crate::devices::placement::core_cuts::CoreCuts;
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// The number of the core where the elements are.
    pub source: usize,
    /// The number of the core where they are to be, which may be the same one.
    pub destination: usize,
    /// The boxes. No two have a coordinate in common.
    pub moves: Vec<Move>,
}

impl Transfer {
    /// How many elements it has.
    #[inline]
    pub fn elements(&self) -> usize {
        self.moves.iter().map(|one| one.region.size()).sum()
    }
}

/// The plan that brings a tensor from one placement to another: boxes, each with the core that has it
/// and the core that needs it.
///
/// Every coordinate is in exactly one box. The plan is not held in memory: a core asks for what goes
/// [out of](Self::out_of) it and what comes [into](Self::into_core) it, and the whole plan is the plans
/// of the cores, one after another. Boxes are found by halving the tensor and leaving out what has
/// no element of the core, so that the plan of a core takes time in proportion to its own boxes,
/// times the logarithm of the number of cores.
///
/// To execute it by messages, the source of each [`Transfer`] packs its elements in the order of the
/// boxes and of their [coordinates](Region::for_each), found by its placement's
/// [`slot`](Placement::slot), and the destination unpacks them in the same order by the slots of the
/// other placement: both find the same boxes in the same order. The elements of a transfer from a core
/// to itself stay there and may have other offsets.
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
    /// [`PlacementError::ReshardShape`] when they are not of one shape.
    #[inline]
    pub fn reshard(&self, to: &Self) -> Result<Reshard, LayoutError> {
        let (from, shape) = (self.shape(), to.shape());
        if !from.same(&shape) || self.rank() != to.rank() {
            return Err(PlacementError::ReshardShape { from, to: shape }.widen());
        }
        Ok(Reshard { from: *self, to: *to })
    }

    /// The coordinates of the elements on a core, as boxes: no two have one in common.
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
    /// [`PlacementError::NoSuchSlot`] when there is no such core.
    #[inline]
    pub fn regions_of(&self, core: usize) -> Result<Vec<Region>, LayoutError> {
        Ok(self.reshard(self)?.out_of(core)?.map(|one| one.region).collect())
    }
}

impl Reshard {
    /// Where the tensor is.
    pub fn from(&self) -> &Placement {
        &self.from
    }

    /// Where it is to be.
    pub fn to(&self) -> &Placement {
        &self.to
    }

    /// The boxes of elements that are on `core`, with those that stay, one after another in a fixed order.
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`] when the placement before has no such core.
    #[inline]
    pub fn out_of(&self, core: usize) -> Result<CoreMoves<'_>, LayoutError> {
        CoreMoves::new(self, End::Source, core)
    }

    /// The boxes of elements that are to be on `core`, with those that are there, one after another in
    /// a fixed order.
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`] when the placement afterwards has no such core.
    #[inline]
    pub fn into_core(&self, core: usize) -> Result<CoreMoves<'_>, LayoutError> {
        CoreMoves::new(self, End::Destination, core)
    }

    /// All boxes, ordered by source and destination.
    #[inline]
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.transfers().flat_map(|transfer| transfer.moves)
    }

    /// The boxes of each pair of cores that have elements to exchange, ordered by source and
    /// destination; with those from a core to itself. Those of one source are in memory at a time.
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

    /// How many elements leave their core.
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

/// Which core of a move is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Source,
    Destination,
}

/// The boxes of one core, found one after another: [`Reshard::out_of`] and [`Reshard::into_core`].
///
/// All cores cut the same tree of boxes: first where the core changes in the placement before, then
/// where it changes in the one afterwards. Each leaves out the branches without an element of its own.
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

    /// The boxes in groups, one for each core at the other end, in their order. All of them are in
    /// memory.
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
            // A part that only one end needs cut is cut for the other one later, or not at all.
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
