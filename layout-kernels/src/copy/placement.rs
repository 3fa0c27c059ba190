//! The copies of the patches of two places, each as the loops of a plan.

#[cfg(feature = "std")]
use layout_core::error::LayoutError;
use layout_core::placed::{Patch, Step};
#[cfg(feature = "std")]
use layout_core::placed::{Patches, Placement};

use super::exec::exec_of;
use super::memory::{From, To};
#[cfg(feature = "std")]
use super::padding::{Padding, ROW};
use super::plan::CopyPlan;
use super::refine::{Loop, MAX_LOOPS, Nest, mixed_radix, turns};
#[cfg(feature = "std")]
use crate::facts::writable_slots;
#[cfg(feature = "std")]
use crate::par::Par;
#[cfg(feature = "std")]
use crate::place::{Memory, MemoryMut};
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
        let mut all = Sorted::NONE;
        let steps = patch.steps();
        let mut k = 0;
        while k < steps.len() {
            let Step { extent, source, destination, .. } = steps[k];
            all.add(Loop { extent, source, destination });
            k += 1;
        }
        let buffers = [source_buffer, destination_buffer];
        Self::of_loops(&all, element_bytes, total, buffers, [patch.source, patch.destination])
    }

    /// The copy of these loops from offset to offset.
    pub(super) const fn of_loops(
        all: &Sorted,
        element_bytes: usize,
        total: usize,
        [source_buffer, destination_buffer]: [usize; 2],
        [source, destination]: [usize; 2],
    ) -> Self {
        let (mut outer, mut outer_len) = ([Loop::ONCE; MAX_OUTER], 0);
        let mut inner = Nest::NONE;
        let mut k = 0;
        while k < all.len {
            let (this, left) = (all.loops[k], all.len - k);
            if this.source >= source_buffer
                || this.destination >= destination_buffer
                || inner.len() + left > MAX_LOOPS
            {
                outer[outer_len] = this;
                outer_len += 1;
            } else {
                inner.push(this);
            }
            k += 1;
        }
        let plan = CopyPlan::of_loops(inner, element_bytes, total);
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
    /// the move was made for; or it is padding, and `from` a row. Nothing else reads or writes what
    /// it writes.
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
            // both placements, and the slots of this patch are among those (of padding, which reads
            // fewer elements than a row has, those of the destination); where there is a slice
            // for each core, a plan stays in one, because each of its steps is shorter than a
            // buffer, and offsets in a buffer never carry into the number of the core. A shared and
            // an exclusive slice do not overlap.
            unsafe { exec_of(level, &self.plan, from, to) };
        }
    }
}

/// Loops sorted by falling destination stride.
#[derive(Clone, Copy)]
pub(super) struct Sorted {
    loops: [Loop; MAX_OUTER],
    len: usize,
}

impl Sorted {
    pub(super) const NONE: Self = Self { loops: [Loop::ONCE; MAX_OUTER], len: 0 };

    pub(super) const fn add(&mut self, this: Loop) {
        let mut at = self.len;
        while at > 0 && self.loops[at - 1].destination < this.destination {
            self.loops[at] = self.loops[at - 1];
            at -= 1;
        }
        self.loops[at] = this;
        self.len += 1;
    }

    /// Takes the innermost loop away if its destination moves by `step`; how often it runs.
    pub(super) const fn take(&mut self, step: usize) -> Option<usize> {
        if self.len == 0 || self.loops[self.len - 1].destination != step {
            return None;
        }
        self.len -= 1;
        Some(self.loops[self.len].extent)
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

/// The copies of all patches of two places, and of padding.
#[cfg(feature = "std")]
pub(super) struct Moves {
    pub(super) elements: Vec<Move>,
    // Nothing if the whole destination is to be filled.
    padding: Option<Vec<Move>>,
}

#[cfg(feature = "std")]
impl Moves {
    /// The moves for buffers of so many slots; nothing when they are more than [`KEPT`].
    pub(super) fn between(
        s: &Placement,
        d: &Placement,
        element_bytes: usize,
        buffers: [usize; 2],
    ) -> Result<Option<Self>, LayoutError> {
        let mut elements = Vec::new();
        let mut all = patches(s, d, element_bytes, buffers)?;
        for each in all.by_ref().take(KEPT) {
            elements.push(each?);
        }
        if all.next().is_some() {
            return Ok(None);
        }
        let padding = Padding::of(d, element_bytes, buffers[1]);
        let padding: Option<Vec<_>> = padding.map(|all| all.take(KEPT + 1).collect());
        let too_many = padding.as_ref().is_some_and(|all| all.len() > KEPT);
        Ok((!too_many).then_some(Self { elements, padding }))
    }

    /// What the whole destination is to be filled with before these moves, if padding is to be
    /// filled with this.
    pub(super) fn fill<T>(&self, padding: Option<T>) -> Option<T> {
        padding.filter(|_| self.padding.is_none())
    }

    /// Runs all on the threads of `par`.
    ///
    /// # Safety
    ///
    /// As for [`Move::run`], for each of them, and no two write one place.
    pub(super) unsafe fn run<T: Copy + Send + Sync + 'static>(
        &self,
        par: Par,
        from: &From<'_, T>,
        to: &To<'_, T>,
        padding: Option<T>,
    ) {
        if let (Some(moves), Some(value)) = (&self.padding, padding) {
            let row = Memory::All(&[value; ROW]);
            // SAFETY: the caller's promise; a move of padding reads from a row.
            unsafe { run_all(par, moves, &From::row(&row), to) };
        }
        // SAFETY: the caller's promise.
        unsafe { run_all(par, &self.elements, from, to) };
    }
}

/// The most moves in memory at once: about 10 MB.
#[cfg(feature = "std")]
pub(super) const KEPT: usize = 4096;

/// The copies of the patches of two places, for buffers of so many slots.
#[cfg(feature = "std")]
fn patches(
    s: &Placement,
    d: &Placement,
    element_bytes: usize,
    buffers: [usize; 2],
) -> Result<impl Iterator<Item = Result<Move, LayoutError>>, LayoutError> {
    let (source, destination, elements) = (s.slots(), d.slots(), d.elements());
    Ok(Patches::new(s, d)?.map(move |patch| {
        let patch = patch?;
        assert!(stays_below(&patch, source, destination), "a patch is inside both placements");
        Ok(Move::of_buffers(&patch, element_bytes, elements, buffers))
    }))
}

/// Copies the patches of two places and fills padding, on the threads of `par`. At most [`KEPT`]
/// moves are in memory at once.
#[cfg(feature = "std")]
pub(super) fn run_in_batches<T: Copy + Send + Sync + 'static>(
    par: Par,
    (s, from): (&Placement, Memory<'_, T>),
    (d, to): (&Placement, MemoryMut<'_, T>),
    padding: Option<T>,
) -> Result<(), LayoutError> {
    // Two threads must not write one place.
    writable_slots(d)?;
    let (from, buffer) = (From::new(s, &from)?, to.buffer(d.storage()));
    let elements = patches(s, d, size_of::<T>(), [from.buffer(), buffer])?;
    let fills = padding.and_then(|_| Padding::of(d, size_of::<T>(), buffer));
    let to = To::new(d, to, padding.filter(|_| fills.is_none()))?;
    let batches = |mut moves: &mut dyn Iterator<Item = Result<Move, LayoutError>>,
                   from: &From<'_, T>| {
        let mut batch = Vec::new();
        loop {
            for each in (&mut moves).take(KEPT) {
                batch.push(each?);
            }
            if batch.is_empty() {
                return Ok(());
            }
            // SAFETY: moves of both places for these buffers, or of padding, which reads from a
            // row; `to` is exclusive, and no two elements share a slot of it.
            unsafe { run_all(par, &batch, from, &to) };
            batch.clear();
        }
    };
    if let (Some(fills), Some(value)) = (fills, padding) {
        let row = Memory::All(&[value; ROW]);
        batches(&mut fills.map(Ok), &From::row(&row))?;
    }
    batches(&mut { elements }, &from)
}

/// Runs moves on the threads of `par`.
///
/// # Safety
///
/// As for [`Move::run`], for each of them, and no two write one place.
#[cfg(feature = "std")]
unsafe fn run_all<T: Copy + Send + Sync + 'static>(
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
