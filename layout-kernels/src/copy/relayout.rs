//! Copies from and to placements: patch by patch, each as the loops of a plan.

use layout_core::error::LayoutError;
use layout_core::placed::{Patch, Patches, Placement};

use super::loops::{mixed_radix, turns};
use super::plan::{CopyPlan, Loop, MAX_LOOPS};
use super::run::far;
use crate::facts::room;
use crate::place::{Memory, MemoryMut, Place};
use crate::simd::Level;

/// The most loops around a plan.
const MAX_OUTER: usize = layout_core::placed::MAX_STEPS;

/// The copy of a patch: a plan, and where it has too many loops, or loops from core to core, others
/// around it.
pub(super) struct Move {
    outer: [Loop; MAX_OUTER],
    outer_len: usize,
    pub(super) plan: CopyPlan,
    source: usize,
    destination: usize,
}

impl Move {
    /// The copy of a patch of elements of so many bytes, with an offset in its memory for each slot.
    const fn new(patch: &Patch, element_bytes: usize) -> Self {
        Self::of_buffers(patch, element_bytes, usize::MAX, usize::MAX)
    }

    /// The same where a memory is cut into buffers of so many slots: no plan leads from one to
    /// another.
    const fn of_buffers(
        patch: &Patch,
        element_bytes: usize,
        source_buffer: usize,
        destination_buffer: usize,
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
        let plan = CopyPlan::of_loops(inner, inner_len, element_bytes);
        let (source, destination) = (patch.source, patch.destination);
        Self { outer, outer_len, plan, source, destination }
    }
}

/// Whether each slot of a patch is below these numbers.
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

/// Copies between two places of which one at least is a placement, and fills padding.
#[inline(never)]
pub(super) fn relayout<T: Copy + 'static>(
    level: Level,
    s: &Placement,
    d: &Placement,
    from: Memory<'_, T>,
    to: MemoryMut<'_, T>,
    padding: Option<T>,
) -> Result<(), LayoutError> {
    let mut patches = Patches::new(s, d)?;
    let from = From::new(s, &from)?;
    let mut to = To::new(d, to)?;
    if let Some(padding) = padding
        && d.padding() > 0
    {
        to.fill(padding);
    }
    while let Some(patch) = patches.step() {
        let patch = patch?;
        assert!(stays_below(&patch, s.slots(), d.slots()), "a patch is inside both placements");
        let copy = Move::of_buffers(&patch, size_of::<T>(), from.buffer, to.buffer);
        let outer = copy.outer.split_at(copy.outer_len).0;
        for turn in 0..turns(outer) {
            let (s, d) = mixed_radix(outer, turn);
            let (from, to) = (from.at(copy.source + s), to.at(copy.destination + d));
            // SAFETY: `From::new` and `To::new` checked that there is memory for every slot of
            // both placements, and the slots of this patch are among those; where there is a slice
            // for each core, a plan stays in one, because each of its steps is shorter than a
            // buffer, and offsets in a buffer never carry into the number of the core. A shared and
            // an exclusive slice do not overlap.
            unsafe { far(level, &copy.plan, from, to) };
        }
    }
    Ok(())
}

/// Where slots are read.
struct From<'a, T> {
    memory: &'a Memory<'a, T>,
    // How many slots a slice has.
    buffer: usize,
}

impl<'a, T> From<'a, T> {
    fn new(placement: &Placement, memory: &'a Memory<'a, T>) -> Result<Self, LayoutError> {
        let buffer = match memory {
            Memory::All(slice) => {
                room(placement, slice.len())?;
                usize::MAX
            }
            #[cfg(feature = "std")]
            Memory::Each(slices) => {
                crate::facts::room_of_each(placement, slices.iter().map(|slice| slice.len()))?;
                placement.storage()
            }
        };
        Ok(Self { memory, buffer })
    }

    /// The place of a slot.
    fn at(&self, slot: usize) -> *const T {
        match self.memory {
            Memory::All(slice) => slice.as_ptr().wrapping_add(slot),
            #[cfg(feature = "std")]
            Memory::Each(slices) => {
                slices[slot / self.buffer].as_ptr().wrapping_add(slot % self.buffer)
            }
        }
    }
}

/// Where slots are written.
struct To<'a, T> {
    memory: MemoryMut<'a, T>,
    slots: usize,
    buffer: usize,
}

impl<'a, T: Copy> To<'a, T> {
    fn new(placement: &Placement, mut memory: MemoryMut<'a, T>) -> Result<Self, LayoutError> {
        let buffer = match &mut memory {
            MemoryMut::All(slice) => {
                room(placement, slice.len())?;
                usize::MAX
            }
            #[cfg(feature = "std")]
            MemoryMut::Each(cores) => {
                let lengths = (0..cores.count()).map(|core| cores.core(core).len());
                crate::facts::room_of_each(placement, lengths)?;
                placement.storage()
            }
        };
        Ok(Self { memory, slots: placement.slots(), buffer })
    }

    fn at(&mut self, slot: usize) -> *mut T {
        match &mut self.memory {
            MemoryMut::All(slice) => slice.as_mut_ptr().wrapping_add(slot),
            #[cfg(feature = "std")]
            MemoryMut::Each(cores) => {
                let start = cores.core(slot / self.buffer).as_mut_ptr();
                start.wrapping_add(slot % self.buffer)
            }
        }
    }

    /// Sets all slots.
    fn fill(&mut self, value: T) {
        match &mut self.memory {
            MemoryMut::All(slice) => slice[..self.slots].fill(value),
            #[cfg(feature = "std")]
            MemoryMut::Each(cores) => {
                for core in 0..self.slots / self.buffer {
                    cores.core(core)[..self.buffer].fill(value);
                }
            }
        }
    }
}

/// The most patches of a constant.
const MAX_MOVES: usize = 16;

/// The copies of all patches of two static placements.
pub(super) struct Moves {
    list: [(CopyPlan, usize, usize); MAX_MOVES],
    len: usize,
    source_slots: usize,
    destination_slots: usize,
    padded: bool,
}

impl Moves {
    /// Nothing if there are too many, or too many loops in one.
    const fn new<T>(s: &Placement, d: &Placement) -> Result<Option<Self>, LayoutError> {
        let mut patches = match Patches::new(s, d) {
            Ok(patches) => patches,
            Err(error) => return Err(error),
        };
        let mut moves = Self {
            list: [(CopyPlan::NOTHING, 0, 0); MAX_MOVES],
            len: 0,
            source_slots: s.slots(),
            destination_slots: d.slots(),
            padded: d.padding() > 0,
        };
        while let Some(patch) = patches.step() {
            let patch = match patch {
                Ok(patch) => patch,
                Err(error) => return Err(error),
            };
            let copy = Move::new(&patch, size_of::<T>());
            if moves.len == MAX_MOVES || copy.outer_len > 0 {
                return Ok(None);
            }
            assert!(stays_below(&patch, s.slots(), d.slots()), "a patch is inside both placements");
            moves.list[moves.len] = (copy.plan, copy.source, copy.destination);
            moves.len += 1;
        }
        Ok(Some(moves))
    }

    /// The copies between static places, if one of them is a placement.
    pub(super) const fn between<T, S: Place, D: Place>() -> Result<Option<Self>, LayoutError> {
        if S::IS_LAYOUT && D::IS_LAYOUT {
            return Ok(None);
        }
        match (S::PLACEMENT, D::PLACEMENT) {
            (Some(Ok(s)), Some(Ok(d))) => Self::new::<T>(&s, &d),
            (Some(Err(error)), _) | (_, Some(Err(error))) => Err(error),
            _ => Ok(None),
        }
    }

    /// Runs them, if both memories are large enough.
    #[inline(always)]
    pub(super) fn run<T: Copy + 'static>(
        &self,
        level: Level,
        from: &[T],
        to: &mut [T],
        padding: Option<T>,
    ) -> bool {
        if from.len() < self.source_slots || to.len() < self.destination_slots {
            return false;
        }
        if let Some(padding) = padding
            && self.padded
        {
            to[..self.destination_slots].fill(padding);
        }
        let (from, to) = (from.as_ptr(), to.as_mut_ptr());
        for (plan, s, d) in self.list.split_at(self.len).0 {
            let (from, to) = (from.wrapping_add(*s), to.wrapping_add(*d));
            // SAFETY: `new` checked that each slot of a patch is below the numbers of slots, and
            // that many elements are there. A shared and an exclusive slice do not overlap.
            unsafe { far(level, plan, from, to) };
        }
        true
    }
}
