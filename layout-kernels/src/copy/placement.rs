//! Moves between two places: copies of patches and fills of padding, each as the loops of a plan.

#[cfg(feature = "std")]
use core::ops::Range;
use layout_core::devices::{PaddingBoxes, Patch, Patches, Placement};
use layout_core::error::LayoutError;

use super::exec::{Step, exec_of, exec_step, is_plain_data};
use super::memory::{
    DestinationMemory, Endpoints, FILL_ROW_LEN, MAX_FILL_ELEMENT_BYTES, SourceMemory, with_fill_row,
};
use super::plan::CopyPlan;
use super::refine::{Loop, MAX_LOOPS, Nest, iterations, mixed_radix};
use crate::checks::check_bytes;
#[cfg(feature = "std")]
use crate::par::part_of;
use crate::place::{Memory, MemoryMut};
use crate::simd::Level;

/// Maximum number of loops around a plan.
const MAX_OUTER: usize = layout_core::devices::MAX_STEPS;

/// A destination of up to this many bytes stays in L1. Filling all of it costs less than many moves.
const SMALL_DESTINATION_BYTES: usize = 16 << 10;

/// Copy of a patch, or of a row of fill values to padding: a plan, and the loops around it. There are
/// such loops if a plan would have too many loops, or if loops go from core to core.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) outer: Nest<MAX_OUTER>,
    pub(super) plan: CopyPlan,
    // `Some` if the plan is a single step.
    step: Option<Step>,
    pub(super) source: usize,
    pub(super) destination: usize,
    /// Whether the source is a row of fill values for padding.
    pub(super) is_padding: bool,
}

impl Move {
    /// Bytes written.
    #[cfg(feature = "std")]
    pub(super) fn bytes(&self) -> usize {
        iterations(self.outer.as_slice()) * self.plan.bytes()
    }

    /// Splits the move into about `count` parts and appends them to `parts`.
    #[cfg(feature = "std")]
    pub(super) fn cut(&self, count: usize, parts: &mut Vec<Self>) {
        let Some(&Loop { extent, source, destination }) = self.outer.as_slice().first() else {
            parts.extend(self.plan.parts(count).into_iter().map(|(plan, s, d)| {
                let (source, destination) = (self.source + s, self.destination + d);
                Self { plan, step: Step::all_of(&plan), source, destination, ..*self }
            }));
            return;
        };
        let count = count.min(extent);
        for k in 0..count {
            let Range { start, end } = part_of(extent, k, count);
            let mut part = *self;
            part.outer.at_mut(0).extent = end - start;
            part.source += start * source;
            part.destination += start * destination;
            parts.push(part);
        }
    }

    /// Runs the plan in each iteration of the loops around it. Does nothing if the move fills padding
    /// and `endpoints` has no row.
    ///
    /// # Safety
    ///
    /// The move must come from [`AllMoves`] for the places and buffers that `endpoints` was made for.
    /// Nothing else may read or write what the move writes.
    pub(super) unsafe fn run<T: Copy + 'static>(
        &self,
        level: Level,
        endpoints: &Endpoints<'_, '_, T>,
    ) {
        let outer = self.outer.as_slice();
        for iteration in 0..iterations(outer) {
            let (s, d) = mixed_radix(outer, iteration);
            let from = match endpoints.row {
                _ if !self.is_padding => endpoints.from.at(self.source + s),
                Some(row) => row.start(),
                None => return,
            };
            let to = endpoints.to.at(self.destination + d);
            // SAFETY: `Endpoints` has memory for every slot of both placements, and `AllMoves`
            // checked that the slots of this move are among those. Padding reads at most one row. If
            // each core has its own slice, a plan stays in one slice: each of its strides is smaller
            // than a buffer, and offsets in a buffer never carry into the core index. A shared and an
            // exclusive slice do not overlap.
            unsafe {
                match &self.step {
                    Some(step) => {
                        exec_step(level, step, is_plain_data::<T>(), from.cast(), to.cast());
                    }
                    None => exec_of(level, &self.plan, from, to),
                }
            }
        }
    }
}

/// Whether all slots of a patch are below these bounds.
const fn stays_below(patch: &Patch, source: usize, destination: usize) -> bool {
    let (mut s, mut d, mut k) = (patch.source, patch.destination, 0);
    while k < patch.steps().len() {
        let step = &patch.steps()[k];
        s = s.saturating_add(step.source.saturating_mul(step.extent - 1));
        d = d.saturating_add(step.destination.saturating_mul(step.extent - 1));
        k += 1;
    }
    s < source && d < destination
}

/// All moves from one place to another: first those that fill padding, if requested, then those of
/// elements. Each slot of the destination is written once.
pub(super) struct AllMoves {
    patches: Patches,
    padding: Option<PaddingBoxes>,
    // Fills the ends of the runs of the last padding box, which are shorter than a row.
    rest: Option<Move>,
    /// Whether the whole destination must be filled first, because padding moves do not pay off.
    pub(super) prefill: bool,
    element_bytes: usize,
    elements: usize,
    slots: [usize; 2],
    buffers: [usize; 2],
}

impl AllMoves {
    /// The moves of elements of `element_bytes` bytes. `buffers` are the slots per buffer of both
    /// memories: no plan crosses from one buffer into another.
    pub(super) const fn between(
        s: &Placement,
        d: &Placement,
        element_bytes: usize,
        buffers: [usize; 2],
        with_padding: bool,
    ) -> Result<Self, LayoutError> {
        let patches = attempt!(Patches::new(s, d));
        // Plans count bytes.
        attempt!(check_bytes(s, element_bytes));
        attempt!(check_bytes(d, element_bytes));
        let small = d.slots() * element_bytes <= SMALL_DESTINATION_BYTES;
        let with_padding = with_padding && d.padding() > 0;
        let padding = if with_padding
            && !small
            && element_bytes <= MAX_FILL_ELEMENT_BYTES
            && d.padding() <= d.elements()
        {
            PaddingBoxes::new(d)
        } else {
            None
        };
        let prefill = with_padding && padding.is_none();
        let slots = [s.slots(), d.slots()];
        let elements = d.elements();
        Ok(Self { patches, padding, rest: None, prefill, element_bytes, elements, slots, buffers })
    }

    /// The next move, or `None` after the last one.
    pub(super) const fn step(&mut self) -> Result<Option<Move>, LayoutError> {
        if let Some(padding) = self.next_padding() {
            return Ok(Some(padding));
        }
        let patch = match self.patches.step() {
            Some(Ok(patch)) => patch,
            Some(Err(error)) => return Err(error),
            None => return Ok(None),
        };
        let [source, destination] = self.slots;
        assert!(stays_below(&patch, source, destination), "a patch is inside both placements");
        let (mut all, mut k) = (Nest::new(), 0);
        while k < patch.steps().len() {
            let step = &patch.steps()[k];
            let (source, destination) = (step.source, step.destination);
            all.push(Loop { extent: step.extent, source, destination });
            k += 1;
        }
        all.sort(false);
        Ok(Some(self.of_loops(&all, patch.source, patch.destination, false)))
    }

    /// The move with these loops, from slot `source` to slot `destination`.
    const fn of_loops(
        &self,
        all: &Nest<MAX_OUTER>,
        source: usize,
        destination: usize,
        is_padding: bool,
    ) -> Move {
        let [source_buffer, destination_buffer] = self.buffers;
        let (mut outer, mut inner) = (Nest::new(), Nest::<MAX_LOOPS>::new());
        let mut k = 0;
        while k < all.len() {
            let (this, left) = (*all.at(k), all.len() - k);
            if !is_padding && this.source >= source_buffer
                || this.destination >= destination_buffer
                || inner.len() + left > MAX_LOOPS
            {
                outer.push(this);
            } else {
                inner.push(this);
            }
            k += 1;
        }
        let plan = CopyPlan::of_loops(inner.as_slice(), self.element_bytes, self.elements);
        let step = Step::all_of(&plan);
        Move { outer, plan, step, source, destination, is_padding }
    }

    /// The next padding move.
    const fn next_padding(&mut self) -> Option<Move> {
        if let Some(rest) = self.rest.take() {
            return Some(rest);
        }
        let next = match &mut self.padding {
            Some(boxes) => match boxes.step() {
                Some(next) => next,
                None => return None,
            },
            None => return None,
        };
        let (mut loops, mut last, mut k) = (Nest::new(), next.first, 0);
        while k < next.steps().len() {
            let (extent, destination) = next.steps()[k];
            loops.push(Loop { extent, source: 0, destination });
            last = last.saturating_add(destination.saturating_mul(extent - 1));
            k += 1;
        }
        assert!(last < self.slots[1], "padding is inside the placement");
        loops.sort(false);
        // Merges neighbouring slots of one buffer into runs.
        let mut run = 1;
        while run < self.buffers[1] && loops.innermost().destination == run {
            run *= loops.remove(loops.len() - 1).extent;
        }
        let (rows, rest) = (run / FILL_ROW_LEN, run % FILL_ROW_LEN);
        if rows == 0 {
            return Some(self.fill_runs(loops, run, next.first));
        }
        if rest > 0 {
            self.rest = Some(self.fill_runs(loops, rest, next.first + rows * FILL_ROW_LEN));
        }
        if rows > 1 {
            loops.push(Loop { extent: rows, source: 0, destination: FILL_ROW_LEN });
            loops.sort(false);
        }
        Some(self.fill_runs(loops, FILL_ROW_LEN, next.first))
    }

    /// The move that fills runs of `run` slots, at most a row.
    const fn fill_runs(&self, mut loops: Nest<MAX_OUTER>, run: usize, first: usize) -> Move {
        if run > 1 {
            loops.push(Loop { extent: run, source: 1, destination: 1 });
        }
        self.of_loops(&loops, 0, first, true)
    }
}

/// Copies between two places (layouts or placements), move by move, and fills padding. At least one
/// place is a placement.
#[inline(never)]
pub(super) fn relayout<T: Copy + 'static>(
    level: Level,
    (s, from): (&Placement, Memory<'_, T>),
    (d, to): (&Placement, MemoryMut<'_, T>),
    padding: Option<T>,
) -> Result<(), LayoutError> {
    with_moves((s, &from), (d, to), padding, |moves, endpoints| {
        while let Some(next) = moves.step()? {
            // SAFETY: the move was made for these endpoints; `to` is exclusive.
            unsafe { next.run(level, endpoints) };
        }
        Ok(())
    })
}

/// Calls `run` with all moves of a copy and with both memories.
pub(super) fn with_moves<'a, 'b, T: Copy + 'static>(
    (s, from): (&Placement, &'a Memory<'a, T>),
    (d, to): (&Placement, MemoryMut<'b, T>),
    padding: Option<T>,
    run: impl FnOnce(&mut AllMoves, &Endpoints<'_, 'b, T>) -> Result<(), LayoutError>,
) -> Result<(), LayoutError> {
    let (from, buffer) = (SourceMemory::new(s, from)?, to.buffer(d.storage()));
    let buffers = [from.buffer(), buffer];
    // A copy that fills no padding needs no padding moves.
    let mut moves = AllMoves::between(s, d, size_of::<T>(), buffers, padding.is_some())?;
    let to = DestinationMemory::new(d, to, padding.filter(|_| moves.prefill))?;
    match padding {
        None => run(&mut moves, &Endpoints { from, to, row: None }),
        Some(value) => {
            with_fill_row(value, |row| run(&mut moves, &Endpoints { from, to, row: Some(row) }))
        }
    }
}
