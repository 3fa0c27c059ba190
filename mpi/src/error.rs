//! `Error`: errors of calls on a communicator.

use std::fmt;

use mpi::topology::Rank;
use static_layout::LayoutError;

/// Why a call on a communicator had no effect. All ranks of a collective call return the same error,
/// unless the documentation of the call says otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A layout or placement is not valid for the call. Code and help text are those of
    /// `layout explain`.
    Layout(LayoutError),
    /// At least one rank had an error and another rank did not, or had a different one. If all ranks
    /// have the same error, they return that error.
    OnRank {
        /// The lowest rank with an error.
        rank: Rank,
        /// Its error.
        message: String,
    },
    /// The ranks called with different arguments.
    Disagreement {
        /// What differs: the call, the element type, a shape, a placement, the ranks of the cores.
        what: &'static str,
        /// Two ranks, the lower one first.
        ranks: [Rank; 2],
        /// The value on each of these ranks.
        said: [String; 2],
    },
    /// A communicator has fewer ranks than are needed.
    TooFewRanks {
        /// Number of cores that need a rank of their own.
        cores: usize,
        /// Number of ranks.
        ranks: usize,
    },
    /// A core was given to a rank that does not exist.
    NoSuchRank {
        /// Index of the core.
        core: usize,
        /// Its rank.
        rank: Rank,
        /// Number of ranks.
        ranks: usize,
    },
    /// A message to or from a rank that does not exist.
    UnknownRank {
        /// The rank.
        rank: Rank,
        /// Number of ranks.
        ranks: Rank,
    },
    /// The placement has more cores than `Cores`.
    TooFewCores {
        /// The cores of the placement.
        placement: usize,
        /// The cores that have a rank.
        cores: usize,
    },
    /// The blocks or grids of two operands of a product do not match.
    Blocks {
        /// What has to be equal.
        what: &'static str,
        /// Extents of the first operand.
        left: [usize; 2],
        /// Extents of the second operand.
        right: [usize; 2],
    },
    /// A contraction that is not a product of two matrices.
    Einsum {
        /// The subscripts.
        subscripts: String,
        /// The reason.
        reason: String,
    },
    /// The number of elements of a message differs from that of the view that receives it.
    MessageSize {
        /// Number of elements of the view.
        expected: usize,
        /// Number of bytes received.
        bytes: usize,
    },
    /// A function of MPI failed.
    Mpi {
        /// Its name.
        call: &'static str,
        /// Its return code.
        code: i32,
    },
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(error) => error.fmt(f),
            Self::OnRank { rank, message } => write!(f, "rank {rank}: {message}"),
            Self::Disagreement { what, ranks: [a, b], said: [left, right] } => {
                write!(f, "the {what} differs: rank {a} has `{left}`, rank {b} has `{right}`")
            }
            Self::TooFewRanks { cores, ranks } => {
                write!(f, "{cores} cores need a rank each, and the communicator has {ranks}")
            }
            Self::NoSuchRank { core, rank, ranks } => {
                write!(f, "core {core} is on rank {rank}, and the communicator has {ranks} ranks")
            }
            Self::UnknownRank { rank, ranks } => {
                write!(f, "there is no rank {rank}: the communicator has {ranks} ranks")
            }
            Self::TooFewCores { placement, cores } => {
                write!(f, "the placement has {placement} cores, and {cores} have a rank")
            }
            Self::Blocks { what, left: [a, b], right: [c, d] } => {
                write!(f, "{what}: {a} x {b} and {c} x {d}")
            }
            Self::Einsum { subscripts, reason } => {
                write!(f, "`{subscripts}` is not a product of two matrices: {reason}")
            }
            Self::MessageSize { expected, bytes } => {
                write!(f, "a message of {bytes} bytes for a view of {expected} elements")
            }
            Self::Mpi { call, code } => write!(f, "{call} failed with error {code}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Layout(error) => Some(error),
            _ => None,
        }
    }
}
