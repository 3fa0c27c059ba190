//! The copies of the patches of two static places, as constants.

use core::marker::PhantomData;

use layout_core::error::LayoutError;
use layout_core::placed::{Patches, Placement};

use super::exec::exec_of;
use super::padding::{Padding, ROW};
use super::placement::{Move, stays_below};
use super::plan::CopyPlan;
use crate::place::Place;
use crate::simd::Level;

/// The most patches that are constants.
const MOST: usize = 64;

/// The copy of a patch, from offset to offset.
#[derive(Clone, Copy)]
struct FixedMove {
    plan: CopyPlan,
    source: usize,
    destination: usize,
}

impl FixedMove {
    const NOTHING: Self = Self { plan: CopyPlan::NOTHING, source: 0, destination: 0 };
}

/// The copies of elements `T` from one static place to another, of which one is a placement.
pub(super) struct Fixed<T, S, D>(PhantomData<(T, S, D)>);

impl<T, S: Place, D: Place> Fixed<T, S, D> {
    const BOTH: Result<Option<(Placement, Placement)>, LayoutError> =
        match (S::IS_LAYOUT && D::IS_LAYOUT, S::PLACEMENT, D::PLACEMENT) {
            (false, Some(Ok(s)), Some(Ok(d))) => Ok(Some((s, d))),
            (false, Some(Err(error)), _) | (false, _, Some(Err(error))) => Err(error),
            _ => Ok(None),
        };

    /// How many patches there are: none if a place is not static, if there are more than [`MOST`],
    /// or too many loops in one.
    pub(super) const COUNT: Result<usize, LayoutError> = Self::list::<MOST>(0).1;

    const KNOWN: usize = match Self::COUNT {
        Ok(count) => count,
        // Silent about errors, which are reported elsewhere.
        Err(_) => 0,
    };

    // Each only if it is the one that is used: constants are in the program as large as they are.
    const UP_TO_4: [FixedMove; 4] = Self::list(Self::KNOWN).0;
    const UP_TO_16: [FixedMove; 16] = Self::list(Self::KNOWN).0;
    const UP_TO_MOST: [FixedMove; MOST] = Self::list(Self::KNOWN).0;

    /// The copies of all patches.
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

    /// The moves that fill padding; nothing if all is filled before, as it is for more than
    /// [`MOST`].
    const PADDING: Option<&'static [FixedMove]> = match Self::padding::<MOST>().1 {
        Some(0) => Some(&[]),
        Some(n @ 1..=4) => Some((&Self::FILL_4 as &[FixedMove]).split_at(n).0),
        Some(n @ 5..=16) => Some((&Self::FILL_16 as &[FixedMove]).split_at(n).0),
        Some(n) => Some((&Self::FILL_MOST as &[FixedMove]).split_at(n).0),
        None => None,
    };
    const FILL_4: [FixedMove; 4] = Self::padding().0;
    const FILL_16: [FixedMove; 16] = Self::padding().0;
    const FILL_MOST: [FixedMove; MOST] = Self::padding().0;

    /// The moves that fill padding and how many they are, if they are at most `N`.
    const fn padding<const N: usize>() -> ([FixedMove; N], Option<usize>) {
        let (mut list, mut len) = ([FixedMove::NOTHING; N], 0);
        let Ok(Some((_, d))) = &Self::BOTH else { return (list, Some(0)) };
        if d.padding() == 0 {
            return (list, Some(0));
        }
        let Some(mut moves) = Padding::of(d, size_of::<T>(), usize::MAX) else {
            return (list, None);
        };
        while let Some(Move { outer_len, plan, destination, .. }) = moves.step() {
            if len == N || outer_len > 0 {
                return (list, None);
            }
            list[len] = FixedMove { plan, source: 0, destination };
            len += 1;
        }
        (list, Some(len))
    }

    /// The copies of all patches and how many they are, unless it is known that they are more than
    /// `N`.
    const fn list<const N: usize>(known: usize) -> ([FixedMove; N], Result<usize, LayoutError>) {
        let (mut list, mut len) = ([FixedMove::NOTHING; N], 0);
        let (s, d) = match &Self::BOTH {
            Ok(Some((s, d))) if known <= N => (s, d),
            Ok(_) => return (list, Ok(0)),
            Err(error) => return (list, Err(*error)),
        };
        let mut patches = match Patches::new(s, d) {
            Ok(patches) => patches,
            Err(error) => return (list, Err(error)),
        };
        while let Some(patch) = patches.step() {
            let patch = match patch {
                Ok(patch) => patch,
                Err(error) => return (list, Err(error)),
            };
            let Move { outer_len, plan, source, destination, .. } =
                Move::new(&patch, size_of::<T>(), d.elements());
            if len == N || outer_len > 0 {
                return (list, Ok(0));
            }
            assert!(stays_below(&patch, s.slots(), d.slots()), "a patch is inside both placements");
            list[len] = FixedMove { plan, source, destination };
            len += 1;
        }
        (list, Ok(len))
    }
}

impl<T: Copy + 'static, S: Place, D: Place> Fixed<T, S, D> {
    /// Runs them, if there are any and both memories are large enough.
    #[inline(always)]
    pub(super) fn run(level: Level, from: &[T], to: &mut [T], padding: Option<T>) -> bool {
        let (source_slots, destination_slots) = const { Self::SLOTS };
        if const { Self::KNOWN } == 0 || from.len() < source_slots || to.len() < destination_slots {
            return false;
        }
        if let Some(padding) = padding {
            Self::fill(level, &mut to[..destination_slots], padding);
        }
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        for FixedMove { plan, source, destination } in const { Self::LIST } {
            let (from, to) = (from.wrapping_add(*source), to.wrapping_add(*destination));
            // SAFETY: `list` checked that each slot of a patch is below the numbers of slots, and
            // that many elements are there. A shared and an exclusive slice do not overlap.
            unsafe { exec_of(level, plan, from, to) };
        }
        true
    }
}

impl<T: Copy + 'static, S: Place, D: Place> Fixed<T, S, D> {
    /// Fills the padding of all slots of the destination.
    #[inline(always)]
    fn fill(level: Level, to: &mut [T], padding: T) {
        match const { Self::PADDING } {
            None => to.fill(padding),
            Some([]) => {}
            Some(moves) => {
                let (row, to) = (&[padding; ROW], to.as_mut_ptr());
                for FixedMove { plan, destination, .. } in moves {
                    // SAFETY: `Padding` checked that all that it fills are slots, and reads fewer
                    // elements than a row has.
                    unsafe { exec_of(level, plan, row.as_ptr(), to.wrapping_add(*destination)) };
                }
            }
        }
    }
}
