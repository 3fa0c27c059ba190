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

    /// All moves, with those of padding if all of them fit. Planned once; the other constants are parts
    /// of it.
    const ALL: Result<FixedMoves, LayoutError> = match &Self::PLACEMENTS {
        Ok(Some(places)) => match FixedMoves::between::<T>(places, true) {
            Ok(FixedMoves { count: 0, .. }) => FixedMoves::between::<T>(places, false),
            result => result,
        },
        Ok(None) => Ok(FixedMoves::NONE),
        Err(error) => Err(*error),
    };

    /// Number of moves. 0 if a place is not static, if there are more than [`MAX_MOVES`] moves, or if
    /// one has too many loops.
    const COUNT: usize = match &Self::ALL {
        Ok(all) => all.count,
        // Ignores errors, which `Constant::CHECK_SHAPES` reports.
        Err(_) => 0,
    };

    /// Whether the moves can be planned. A function: for the layouts of other copies, the compiler would
    /// evaluate a constant that another one names, even in a branch that is not taken.
    pub(super) const fn result() -> Result<(), LayoutError> {
        match &Self::ALL {
            Ok(_) => Ok(()),
            Err(error) => Err(*error),
        }
    }

    /// Whether the whole destination is filled first, instead of its padding by moves.
    const PREFILL: bool = matches!(&Self::ALL, Ok(FixedMoves { prefill: true, .. }) | Err(_));

    // Constants take their full size in the binary, so the shortest list is used.
    const UP_TO_4: [FixedMove; 4] = Self::first();
    const UP_TO_16: [FixedMove; 16] = Self::first();
    const UP_TO_MAX: [FixedMove; MAX_MOVES] = Self::first();

    /// All moves.
    const LIST: &'static [FixedMove] = match Self::COUNT {
        0 => &[],
        1..=4 => (&Self::UP_TO_4 as &[FixedMove]).split_at(Self::COUNT).0,
        5..=16 => (&Self::UP_TO_16 as &[FixedMove]).split_at(Self::COUNT).0,
        _ => (&Self::UP_TO_MAX as &[FixedMove]).split_at(Self::COUNT).0,
    };

    /// The first `N` moves.
    const fn first<const N: usize>() -> [FixedMove; N] {
        let (mut first, mut k) = ([FixedMove::NOTHING; N], 0);
        if let Ok(all) = &Self::ALL {
            while k < N && k < all.count {
                first[k] = all.moves[k];
                k += 1;
            }
        }
        first
    }

    /// Slots of both places.
    const SLOTS: (usize, usize) = match &Self::PLACEMENTS {
        Ok(Some((s, d))) => (s.slots(), d.slots()),
        _ => (0, 0),
    };
}

/// All moves between two places.
struct FixedMoves {
    moves: [FixedMove; MAX_MOVES],
    /// 0 if there are more than [`MAX_MOVES`], or if one has loops around its plan.
    count: usize,
    /// Whether the whole destination is filled first, instead of its padding by moves.
    prefill: bool,
}

impl FixedMoves {
    const NONE: Self = Self { moves: [FixedMove::NOTHING; MAX_MOVES], count: 0, prefill: true };

    /// The moves of elements `T`. Those that fill padding are left out without `with_padding`, or if
    /// filling the whole destination first is faster.
    const fn between<T>(
        (s, d): &(Placement, Placement),
        with_padding: bool,
    ) -> Result<Self, LayoutError> {
        let mut moves = attempt!(AllMoves::between(s, d, size_of::<T>(), BUFFERS, with_padding));
        let mut all = Self { prefill: moves.prefill || !with_padding, ..Self::NONE };
        while let Some(next) = attempt!(moves.step()) {
            let Move { outer, plan, source, destination, is_padding, .. } = next;
            if all.count == MAX_MOVES || outer.len() > 0 {
                return Ok(Self { count: 0, ..all });
            }
            all.moves[all.count] = FixedMove { plan, source, destination, is_padding };
            all.count += 1;
        }
        Ok(all)
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
