//! `Cores`: the rank of each core.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mpi::topology::{Color, Rank, SimpleCommunicator};
use mpi::traits::Communicator;
use static_layout::devices::Placement;

use crate::agree::agree;
use crate::error::Error;

/// The cores that tensors are spread over, and the rank that holds each.
///
/// Cores are numbered row-major in their grid, as placements number them, and as a Cartesian communicator
/// numbers its ranks. Several cores may be on one rank, and a rank may have none.
///
/// It has a communicator of its own, so that its messages never meet others. All functions that make
/// one are collective: all ranks of the communicator call them, with the same arguments.
pub struct Cores {
    comm: SimpleCommunicator,
    // By core.
    ranks: Vec<Rank>,
    own: Vec<usize>,
    // Also of ranks without a core of the grid: splitting is collective, so all ranks remember it.
    grids: RefCell<BTreeMap<[usize; 2], Option<Rc<Grid>>>>,
}

/// The communicators of a grid: this rank's row and column.
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
    /// [`Error::TooFewRanks`]; on all ranks, as everywhere here, also when they disagree.
    pub fn row_major(comm: &impl Communicator, cores: usize) -> Result<Self, Error> {
        let ranks = count(comm);
        let map = match cores <= ranks {
            true => Ok((0..cores).map(rank).collect()),
            false => Err(Error::TooFewRanks { cores, ranks }),
        };
        Self::checked(comm, map)
    }

    /// So many cores in equal parts: the first ones on rank 0, the next ones on rank 1.
    ///
    /// # Errors
    ///
    /// When ranks disagree about the number.
    pub fn shared(comm: &impl Communicator, cores: usize) -> Result<Self, Error> {
        let each = cores.div_ceil(count(comm)).max(1);
        Self::checked(comm, Ok((0..cores).map(|core| rank(core / each)).collect()))
    }

    /// The rank of each core, one for each core.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchRank`]; when ranks disagree.
    pub fn on(comm: &impl Communicator, map: &[Rank]) -> Result<Self, Error> {
        let ranks = count(comm);
        let outside = |&(_, &rank): &(usize, &Rank)| usize::try_from(rank).is_ok_and(|r| r < ranks);
        let map = match map.iter().enumerate().find(|pair| !outside(pair)) {
            Some((core, &rank)) => Err(Error::NoSuchRank { core, rank, ranks }),
            None => Ok(map.to_vec()),
        };
        Self::checked(comm, map)
    }

    fn checked(comm: &impl Communicator, map: Result<Vec<Rank>, Error>) -> Result<Self, Error> {
        let comm = comm.duplicate();
        let facts = map.as_ref().map(|map| vec![("ranks of the cores", format!("{map:?}"))]);
        agree(&comm, "cores", facts.map_err(Clone::clone))?;
        let ranks = map?;
        let me = comm.rank();
        let own = (0..ranks.len()).filter(|&core| ranks[core] == me).collect();
        Ok(Self { comm, ranks, own, grids: RefCell::default() })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The numbers of the cores on this rank, in order.
    pub fn own(&self) -> &[usize] {
        &self.own
    }

    /// The rank of each core.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// This rank.
    pub fn rank(&self) -> Rank {
        self.comm.rank()
    }

    /// The communicator of these cores. It has the ranks of the one they were made of, in the same order.
    pub fn communicator(&self) -> &SimpleCommunicator {
        &self.comm
    }

    /// Whether the cores of a placement have ranks.
    pub(crate) fn hold(&self, placement: &Placement) -> Result<(), Error> {
        let (placement, cores) = (placement.cores(), self.len());
        if placement > cores { Err(Error::TooFewCores { placement, cores }) } else { Ok(()) }
    }

    /// The communicators of a grid of these cores, one a rank; nothing on a rank without a core of it.
    /// Collective the first time.
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

fn count(comm: &impl Communicator) -> usize {
    usize::try_from(comm.size()).unwrap_or_default()
}

fn rank(number: usize) -> Rank {
    Rank::try_from(number).unwrap_or(Rank::MAX)
}
