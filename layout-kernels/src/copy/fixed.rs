//! Constant moves between two static places.

use core::marker::PhantomData;

use layout_core::devices::Placement;
use layout_core::error::LayoutError;

use super::exec::exec_of;
use super::memory::with_fill_row;
use super::placement::{AllMoves, Move};
use super::plan::CopyPlan;
use crate::place::Place;
use crate::simd::Level;

/// Maximum number of constant moves.
const MAX_MOVES: usize = 64;

/// A move between constant offsets.
#[derive(Clone, Copy)]
struct FixedMove {
    plan: CopyPlan,
    source: usize,
    destination: usize,
    is_padding: bool,
}

impl FixedMove {
    const NOTHING: Self =
        Self { plan: CopyPlan::nothing(), source: 0, destination: 0, is_padding: false };
}

/// Moves of elements `T` from one static place to another. At least one is a placement.
pub(super) struct Fixed<T, S, D>(PhantomData<(T, S, D)>);

impl<T, S: Place, D: Place> Fixed<T, S, D> {
    const PLACEMENTS: Result<Option<(Placement, Placement)>, LayoutError> =
        match (S::IS_LAYOUT && D::IS_LAYOUT, S::PLACEMENT, D::PLACEMENT) {
            (false, Some(Ok(s)), Some(Ok(d))) => Ok(Some((s, d))),
            (false, Some(Err(error)), _) | (false, _, Some(Err(error))) => Err(error),
            _ => Ok(None),
        };

    /// Number of moves, including those of padding if all of them fit. 0 if a place is not static, if
    /// there are more than [`MAX_MOVES`] moves, or if one has too many loops.
    pub(super) const COUNT_RESULT: Result<usize, LayoutError> =
        match Self::list::<MAX_MOVES>(0, true) {
            (_, Ok(0)) => Self::list::<MAX_MOVES>(0, false).1,
            (_, count) => count,
        };

    const COUNT: usize = match Self::COUNT_RESULT {
        Ok(count) => count,
        // Ignores errors, which `Constant::CHECK_SHAPES` reports.
        Err(_) => 0,
    };

    /// Whether the whole destination is filled first, instead of its padding by moves.
    const PREFILL: bool = match &Self::PLACEMENTS {
        Ok(Some((s, d))) => match AllMoves::between(s, d, size_of::<T>(), BUFFERS, true) {
            Ok(moves) => {
                moves.prefill || matches!(Self::list::<MAX_MOVES>(0, true), (_, Ok(0) | Err(_)))
            }
            Err(_) => true,
        },
        _ => true,
    };

    // Only the list in use is evaluated: constants take their full size in the binary.
    const UP_TO_4: [FixedMove; 4] = Self::list(Self::COUNT, !Self::PREFILL).0;
    const UP_TO_16: [FixedMove; 16] = Self::list(Self::COUNT, !Self::PREFILL).0;
    const UP_TO_MAX: [FixedMove; MAX_MOVES] = Self::list(Self::COUNT, !Self::PREFILL).0;

    /// All moves.
    const LIST: &'static [FixedMove] = match Self::COUNT {
        0 => &[],
        1..=4 => (&Self::UP_TO_4 as &[FixedMove]).split_at(Self::COUNT).0,
        5..=16 => (&Self::UP_TO_16 as &[FixedMove]).split_at(Self::COUNT).0,
        _ => (&Self::UP_TO_MAX as &[FixedMove]).split_at(Self::COUNT).0,
    };

    /// Slots of both places.
    const SLOTS: (usize, usize) = match &Self::PLACEMENTS {
        Ok(Some((s, d))) => (s.slots(), d.slots()),
        _ => (0, 0),
    };

    /// The moves and their number. The number is 0 if there are more than `N` moves. `known` is the
    /// number if it is known already.
    const fn list<const N: usize>(
        known: usize,
        with_padding: bool,
    ) -> ([FixedMove; N], Result<usize, LayoutError>) {
        let (mut list, mut len) = ([FixedMove::NOTHING; N], 0);
        let (s, d) = match &Self::PLACEMENTS {
            Ok(Some((s, d))) if known <= N => (s, d),
            Ok(_) => return (list, Ok(0)),
            Err(error) => return (list, Err(*error)),
        };
        let mut moves = match AllMoves::between(s, d, size_of::<T>(), BUFFERS, with_padding) {
            Ok(moves) => moves,
            Err(error) => return (list, Err(error)),
        };
        loop {
            let next = match moves.step() {
                Ok(Some(next)) => next,
                Ok(None) => return (list, Ok(len)),
                Err(error) => return (list, Err(error)),
            };
            let Move { outer, plan, source, destination, is_padding, .. } = next;
            if len == N || outer.len() > 0 {
                return (list, Ok(0));
            }
            list[len] = FixedMove { plan, source, destination, is_padding };
            len += 1;
        }
    }
}

/// One memory for all cores.
const BUFFERS: [usize; 2] = [usize::MAX; 2];

impl<T: Copy + 'static, S: Place, D: Place> Fixed<T, S, D> {
    /// Runs the moves. Returns `false` if there are none, or if a memory is too small.
    #[inline(always)]
    pub(super) fn run(level: Level, from: &[T], to: &mut [T], padding: Option<T>) -> bool {
        let (source_slots, destination_slots) = const { Self::SLOTS };
        if const { Self::COUNT } == 0 || from.len() < source_slots || to.len() < destination_slots {
            return false;
        }
        if let Some(value) = padding
            && const { Self::PREFILL }
        {
            to[..destination_slots].fill(value);
        }
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        // SAFETY: `AllMoves` checked that each slot of a move is below the number of slots, and both
        // slices have at least that many elements. A shared and an exclusive slice do not overlap.
        // Padding moves read at most one row.
        unsafe {
            match padding {
                None => run_all(level, const { Self::LIST }, from, to, None),
                Some(value) => with_fill_row(value, |row| {
                    run_all(level, const { Self::LIST }, from, to, Some(row.start()));
                }),
            }
        }
        true
    }
}

/// Runs all moves. Padding moves run only if there is a row to fill with.
///
/// # Safety
///
/// Both memories must hold every slot of the moves, and must not overlap.
unsafe fn run_all<T: Copy + 'static>(
    level: Level,
    moves: &[FixedMove],
    from: *const T,
    to: *mut T,
    row: Option<*const T>,
) {
    for FixedMove { plan, source, destination, is_padding } in moves {
        let from = match (is_padding, row) {
            (true, None) => continue,
            (true, Some(row)) => row,
            (false, _) => from.wrapping_add(*source),
        };
        // SAFETY: guaranteed by the caller, see `# Safety`.
        unsafe { exec_of(level, plan, from, to.wrapping_add(*destination)) };
    }
}
