//! The copies of the patches of two static places, as constants.

use core::marker::PhantomData;

use layout_core::devices::Placement;
use layout_core::error::LayoutError;

use super::exec::exec_of;
use super::memory::with_row;
use super::placement::{AllMoves, Move};
use super::plan::CopyPlan;
use crate::place::Place;
use crate::simd::Level;

/// The most moves that are constants.
const MOST: usize = 64;

/// A move from offset to offset.
#[derive(Clone, Copy)]
struct FixedMove {
    plan: CopyPlan,
    source: usize,
    destination: usize,
    fills: bool,
}

impl FixedMove {
    const NOTHING: Self = Self { plan: CopyPlan::NOTHING, source: 0, destination: 0, fills: false };
}

/// The copies of elements `T` from one static place to another. At least one is a placement.
pub(super) struct Fixed<T, S, D>(PhantomData<(T, S, D)>);

impl<T, S: Place, D: Place> Fixed<T, S, D> {
    const BOTH: Result<Option<(Placement, Placement)>, LayoutError> =
        match (S::IS_LAYOUT && D::IS_LAYOUT, S::PLACEMENT, D::PLACEMENT) {
            (false, Some(Ok(s)), Some(Ok(d))) => Ok(Some((s, d))),
            (false, Some(Err(error)), _) | (false, _, Some(Err(error))) => Err(error),
            _ => Ok(None),
        };

    /// How many moves there are with those of padding, and without: none if a place is not static, if
    /// there are more than [`MOST`], or too many loops in one.
    pub(super) const COUNT: Result<usize, LayoutError> = match Self::list::<MOST>(0, true) {
        (_, Ok(0)) => Self::list::<MOST>(0, false).1,
        (_, count) => count,
    };

    const KNOWN: usize = match Self::COUNT {
        Ok(count) => count,
        // Silent about errors, which are reported elsewhere.
        Err(_) => 0,
    };

    /// Whether padding is filled by moves, or all of the destination before.
    const FILLS_FIRST: bool = match &Self::BOTH {
        Ok(Some((s, d))) => match AllMoves::between(s, d, size_of::<T>(), BUFFERS, true) {
            Ok(moves) => {
                moves.fills_first || matches!(Self::list::<MOST>(0, true), (_, Ok(0) | Err(_)))
            }
            Err(_) => true,
        },
        _ => true,
    };

    // Each only if it is the one that is used: constants are in the program as large as they are.
    const UP_TO_4: [FixedMove; 4] = Self::list(Self::KNOWN, !Self::FILLS_FIRST).0;
    const UP_TO_16: [FixedMove; 16] = Self::list(Self::KNOWN, !Self::FILLS_FIRST).0;
    const UP_TO_MOST: [FixedMove; MOST] = Self::list(Self::KNOWN, !Self::FILLS_FIRST).0;

    /// All moves.
    const LIST: &'static [FixedMove] = match Self::KNOWN {
        0 => &[],
        1..=4 => (&Self::UP_TO_4 as &[FixedMove]).split_at(Self::KNOWN).0,
        5..=16 => (&Self::UP_TO_16 as &[FixedMove]).split_at(Self::KNOWN).0,
        _ => (&Self::UP_TO_MOST as &[FixedMove]).split_at(Self::KNOWN).0,
    };

    /// The slots of both.
    const SLOTS: (usize, usize) = match &Self::BOTH {
        Ok(Some((s, d))) => (s.slots(), d.slots()),
        _ => (0, 0),
    };

    /// The moves and how many they are, unless it is known that they are more than `N`.
    const fn list<const N: usize>(
        known: usize,
        fills: bool,
    ) -> ([FixedMove; N], Result<usize, LayoutError>) {
        let (mut list, mut len) = ([FixedMove::NOTHING; N], 0);
        let (s, d) = match &Self::BOTH {
            Ok(Some((s, d))) if known <= N => (s, d),
            Ok(_) => return (list, Ok(0)),
            Err(error) => return (list, Err(*error)),
        };
        let mut moves = match AllMoves::between(s, d, size_of::<T>(), BUFFERS, fills) {
            Ok(moves) => moves,
            Err(error) => return (list, Err(error)),
        };
        loop {
            let next = match moves.step() {
                Ok(Some(next)) => next,
                Ok(None) => return (list, Ok(len)),
                Err(error) => return (list, Err(error)),
            };
            let Move { outer_len, plan, source, destination, fills, .. } = next;
            if len == N || outer_len > 0 {
                return (list, Ok(0));
            }
            list[len] = FixedMove { plan, source, destination, fills };
            len += 1;
        }
    }
}

/// One memory for all cores.
const BUFFERS: [usize; 2] = [usize::MAX; 2];

impl<T: Copy + 'static, S: Place, D: Place> Fixed<T, S, D> {
    /// Runs them, if there are any and both memories are large enough.
    #[inline(always)]
    pub(super) fn run(level: Level, from: &[T], to: &mut [T], padding: Option<T>) -> bool {
        let (source_slots, destination_slots) = const { Self::SLOTS };
        if const { Self::KNOWN } == 0 || from.len() < source_slots || to.len() < destination_slots {
            return false;
        }
        if let Some(value) = padding
            && const { Self::FILLS_FIRST }
        {
            to[..destination_slots].fill(value);
        }
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        // SAFETY: `AllMoves` checked that each slot of a move is below the numbers of slots, and that
        // many elements are there. A shared and an exclusive slice do not overlap. Moves of padding
        // read fewer elements than a row has.
        unsafe {
            match padding {
                None => run_all(level, const { Self::LIST }, from, to, None),
                Some(value) => with_row(value, |row| {
                    run_all(level, const { Self::LIST }, from, to, Some(row.start()));
                }),
            }
        }
        true
    }
}

/// Runs all moves, those of padding if there is a row to fill it with.
///
/// # Safety
///
/// There is memory for each slot of the moves, and the two memories do not overlap.
unsafe fn run_all<T: Copy + 'static>(
    level: Level,
    moves: &[FixedMove],
    from: *const T,
    to: *mut T,
    row: Option<*const T>,
) {
    for FixedMove { plan, source, destination, fills } in moves {
        let from = match (fills, row) {
            (true, None) => continue,
            (true, Some(row)) => row,
            (false, _) => from.wrapping_add(*source),
        };
        // SAFETY: as required of the caller.
        unsafe { exec_of(level, plan, from, to.wrapping_add(*destination)) };
    }
}
