//! The copies of the patches of two places, each as the loops of a plan.

#[cfg(feature = "std")]
use layout_core::error::LayoutError;
use layout_core::placed::Patch;
#[cfg(feature = "std")]
use layout_core::placed::{Patches, Placement};

use super::loops::{mixed_radix, turns};
use super::memory::{From, To};
use super::plan::{CopyPlan, Loop, MAX_LOOPS};
use super::run::far;
#[cfg(feature = "std")]
use crate::par::Par;
use crate::simd::Level;

/// The most loops around a plan.
const MAX_OUTER: usize = layout_core::placed::MAX_STEPS;

/// Copies of fewer bytes are done by one thread.
#[cfg(feature = "std")]
const WORTH_THREADS: usize = 256 << 10;

/// The copy of a patch: a plan, and where it has too many loops, or loops from core to core, others
/// around it.
#[derive(Clone, Copy)]
pub(super) struct Move {
    outer: [Loop; MAX_OUTER],
    pub(super) outer_len: usize,
    pub(super) plan: CopyPlan,
    pub(super) source: usize,
    pub(super) destination: usize,
}

impl Move {
    /// The copy of a patch of elements of so many bytes, one of those that copy `total` elements,
    /// with an offset in its memory for each slot.
    pub(super) const fn new(patch: &Patch, element_bytes: usize, total: usize) -> Self {
        Self::of_buffers(patch, element_bytes, total, [usize::MAX; 2])
    }

    /// The same where a memory is cut into buffers of so many slots: no plan leads from one to
    /// another.
    pub(super) const fn of_buffers(
        patch: &Patch,
        element_bytes: usize,
        total: usize,
        [source_buffer, destination_buffer]: [usize; 2],
    ) -> Self {
        let mut all = [Loop::ONCE; MAX_OUTER];
        let steps = patch.steps();
        let mut k = 0;
        while k < steps.len() {
            // Sorted by falling destination stride.
            let (source, destination) = (steps[k].source, steps[k].destination);
            let mut at = k;
            while at > 0 && all[at - 1].destination < destination {
                all[at] = all[at - 1];
                at -= 1;
            }
            all[at] = Loop { extent: steps[k].extent, source, destination };
            k += 1;
        }
        let (mut outer, mut outer_len) = ([Loop::ONCE; MAX_OUTER], 0);
        let (mut inner, mut inner_len) = ([Loop::ONCE; MAX_LOOPS], 0);
        k = 0;
        while k < steps.len() {
            let left = steps.len() - k;
            if all[k].source >= source_buffer
                || all[k].destination >= destination_buffer
                || inner_len + left > MAX_LOOPS
            {
                outer[outer_len] = all[k];
                outer_len += 1;
            } else {
                inner[inner_len] = all[k];
                inner_len += 1;
            }
            k += 1;
        }
        let plan = CopyPlan::of_loops(inner, inner_len, element_bytes, total);
        let (source, destination) = (patch.source, patch.destination);
        Self { outer, outer_len, plan, source, destination }
    }

    /// The loops around the plan, outermost first.
    pub(super) fn outer(&self) -> &[Loop] {
        self.outer.split_at(self.outer_len).0
    }

    /// The bytes that are written.
    #[cfg(feature = "std")]
    fn bytes(&self) -> usize {
        turns(self.outer()) * self.plan.bytes()
    }

    /// Adds at most so many parts to `parts`, or a few more.
    #[cfg(feature = "std")]
    fn cut(&self, count: usize, parts: &mut Vec<Self>) {
        let Some(&Loop { extent, source, destination }) = self.outer().first() else {
            parts.extend(self.plan.parts(count).into_iter().map(|(plan, s, d)| {
                let (source, destination) = (self.source + s, self.destination + d);
                Self { plan, source, destination, ..*self }
            }));
            return;
        };
        let count = count.min(extent);
        for k in 0..count {
            let (start, end) = (extent * k / count, extent * (k + 1) / count);
            let mut part = *self;
            part.outer[0].extent = end - start;
            part.source += start * source;
            part.destination += start * destination;
            parts.push(part);
        }
    }

    /// Runs the plan so often as the loops around it say.
    ///
    /// # Safety
    ///
    /// The patch is one of the places that `from` and `to` were made for, with buffers as large as
    /// the move was made for. Nothing else reads or writes what it writes.
    pub(super) unsafe fn run<T: Copy + 'static>(
        &self,
        level: Level,
        from: &From<'_, T>,
        to: &To<'_, T>,
    ) {
        let outer = self.outer();
        for turn in 0..turns(outer) {
            let (s, d) = mixed_radix(outer, turn);
            let (from, to) = (from.at(self.source + s), to.at(self.destination + d));
            // SAFETY: `From::new` and `To::new` checked that there is memory for every slot of
            // both placements, and the slots of this patch are among those; where there is a slice
            // for each core, a plan stays in one, because each of its steps is shorter than a
            // buffer, and offsets in a buffer never carry into the number of the core. A shared and
            // an exclusive slice do not overlap.
            unsafe { far(level, &self.plan, from, to) };
        }
    }
}

/// Whether each slot of a patch is below these numbers.
pub(super) const fn stays_below(patch: &Patch, source: usize, destination: usize) -> bool {
    let (mut s, mut d, mut k) = (patch.source, patch.destination, 0);
    while k < patch.steps().len() {
        let step = &patch.steps()[k];
        s = s.saturating_add(step.source.saturating_mul(step.extent - 1));
        d = d.saturating_add(step.destination.saturating_mul(step.extent - 1));
        k += 1;
    }
    s < source && d < destination
}

/// The copies of all patches of two places, for buffers of so many slots.
#[cfg(feature = "std")]
pub(super) fn moves(
    s: &Placement,
    d: &Placement,
    element_bytes: usize,
    buffers: [usize; 2],
) -> Result<Vec<Move>, LayoutError> {
    Patches::new(s, d)?
        .map(|patch| {
            let patch = patch?;
            assert!(stays_below(&patch, s.slots(), d.slots()), "a patch is inside both placements");
            Ok(Move::of_buffers(&patch, element_bytes, d.elements(), buffers))
        })
        .collect()
}

/// Runs moves on the threads of `par`.
///
/// # Safety
///
/// As for [`Move::run`], for each of them, and no two write one place.
#[cfg(feature = "std")]
pub(super) unsafe fn run_all<T: Copy + Send + Sync + 'static>(
    par: Par,
    moves: &[Move],
    from: &From<'_, T>,
    to: &To<'_, T>,
) {
    let level = Level::detect();
    if par.threads() == 1 || moves.iter().map(Move::bytes).sum::<usize>() <= WORTH_THREADS {
        for each in moves {
            // SAFETY: the caller's promise.
            unsafe { each.run(level, from, to) };
        }
        return;
    }
    let mut parts = Vec::new();
    for each in moves {
        // More parts than threads, since some threads may be slower.
        each.cut(4 * par.threads(), &mut parts);
    }
    par.each(parts.len(), |i| {
        // SAFETY: the caller's promise, for a part of a move that no other part overlaps.
        unsafe { parts[i].run(level, from, to) };
    });
}
