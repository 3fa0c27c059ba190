//! `Cores`: the map from cores to MPI ranks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mpi::topology::{Color, Rank, SimpleCommunicator};
use mpi::traits::Communicator;
use static_layout::devices::Placement;

use crate::agree::agree;
use crate::error::Error;

/// The cores that tensors are distributed over, and the rank that holds each core.
///
/// Cores are numbered row-major in their grid, like the cores of a placement and the ranks of a
/// Cartesian communicator. A rank may hold several cores, or none.
///
/// `Cores` has its own communicator, so its messages cannot be confused with others. All constructors
/// are collective: all ranks of the communicator must call them with the same arguments.
pub struct Cores {
    comm: SimpleCommunicator,
    // Rank of each core.
    ranks: Vec<Rank>,
    own: Vec<usize>,
    // Ranks without a core in the grid also have an entry (`None`): splitting is collective, so all
    // ranks must agree on whether it has been done.
    grids: RefCell<BTreeMap<[usize; 2], Option<Rc<Grid>>>>,
}

/// The communicators of this rank's row and column of a grid.
pub(crate) struct Grid {
    pub(crate) row: SimpleCommunicator,
    pub(crate) column: SimpleCommunicator,
    pub(crate) at: [usize; 2],
}

impl Cores {
    /// Core `c` on rank `c`.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewRanks`], or the ranks disagree. As everywhere in this crate, all ranks return
    /// the error.
    pub fn row_major(comm: &impl Communicator, cores: usize) -> Result<Self, Error> {
        let ranks = rank_count(comm);
        let map = match cores <= ranks {
            true => Ok((0..cores).map(rank).collect()),
            false => Err(Error::TooFewRanks { cores, ranks }),
        };
        Self::new_if_agreed(comm, map)
    }

    /// Distributes `cores` cores in equal parts: the first ones to rank 0, the next ones to rank 1,
    /// and so on.
    ///
    /// # Errors
    ///
    /// If the ranks disagree on `cores`.
    pub fn shared(comm: &impl Communicator, cores: usize) -> Result<Self, Error> {
        let per_rank = cores.div_ceil(rank_count(comm)).max(1);
        Self::new_if_agreed(comm, Ok((0..cores).map(|core| rank(core / per_rank)).collect()))
    }

    /// Core `c` on rank `map[c]`.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchRank`], or the ranks disagree.
    pub fn on(comm: &impl Communicator, map: &[Rank]) -> Result<Self, Error> {
        let ranks = rank_count(comm);
        let is_valid =
            |&(_, &rank): &(usize, &Rank)| usize::try_from(rank).is_ok_and(|r| r < ranks);
        let map = match map.iter().enumerate().find(|pair| !is_valid(pair)) {
            Some((core, &rank)) => Err(Error::NoSuchRank { core, rank, ranks }),
            None => Ok(map.to_vec()),
        };
        Self::new_if_agreed(comm, map)
    }

    fn new_if_agreed(
        comm: &impl Communicator,
        map: Result<Vec<Rank>, Error>,
    ) -> Result<Self, Error> {
        let comm = comm.duplicate();
        let facts = map.as_ref().map(|map| vec![("ranks of the cores", format!("{map:?}"))]);
        agree(&comm, "cores", facts.map_err(Clone::clone))?;
        let ranks = map?;
        let me = comm.rank();
        let own = (0..ranks.len()).filter(|&core| ranks[core] == me).collect();
        Ok(Self { comm, ranks, own, grids: RefCell::default() })
    }

    /// Number of cores.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether there are no cores.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Indices of the cores on this rank, in ascending order.
    pub fn own(&self) -> &[usize] {
        &self.own
    }

    /// Rank of each core.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// This rank.
    pub fn rank(&self) -> Rank {
        self.comm.rank()
    }

    /// The communicator of these cores. It has the same ranks in the same order as the communicator
    /// passed to the constructor.
    pub fn communicator(&self) -> &SimpleCommunicator {
        &self.comm
    }

    /// Checks that every core of a placement has a rank.
    pub(crate) fn check_fits(&self, placement: &Placement) -> Result<(), Error> {
        let (placement, cores) = (placement.cores(), self.len());
        if placement > cores { Err(Error::TooFewCores { placement, cores }) } else { Ok(()) }
    }

    /// Row and column communicators of a grid of these cores, one core per rank. `None` on a rank
    /// without a core in the grid. The first call for a grid is collective.
    pub(crate) fn grid(&self, [rows, columns]: [usize; 2]) -> Option<Rc<Grid>> {
        if let Some(grid) = self.grids.borrow().get(&[rows, columns]) {
            return grid.clone();
        }
        let core = self.own.first().copied().filter(|&core| core < rows * columns);
        let at = core.map(|core| [core / columns, core % columns]);
        let split = |color: Option<usize>, key: usize| {
            let color = color.map_or(Color::undefined(), |color| Color::with_value(rank(color)));
            self.comm.split_by_color_with_key(color, rank(key))
        };
        let row = split(at.map(|[i, _]| i), at.map_or(0, |[_, j]| j));
        let column = split(at.map(|[_, j]| j), at.map_or(0, |[i, _]| i));
        let grid = match (row, column, at) {
            (Some(row), Some(column), Some(at)) => Some(Rc::new(Grid { row, column, at })),
            _ => None,
        };
        self.grids.borrow_mut().insert([rows, columns], grid.clone());
        grid
    }
}

impl std::fmt::Debug for Cores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cores").field("ranks", &self.ranks).finish_non_exhaustive()
    }
}

fn rank_count(comm: &impl Communicator) -> usize {
    usize::try_from(comm.size()).unwrap_or_default()
}

fn rank(number: usize) -> Rank {
    Rank::try_from(number).unwrap_or(Rank::MAX)
}
