//! Memory of the slots of a placement: one slice, or one buffer per core.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::devices::Placement;
use layout_core::error::LayoutError;

use crate::facts::room;
use crate::place::{Memory, MemoryMut};

/// Number of fill values in a row. A longer run of padding is filled from several rows.
pub(super) const ROW: usize = 64;

/// Maximum size in bytes of elements that have a row.
pub(super) const LARGEST: usize = 64;

/// A row of copies of the value that fills padding. Elements are aligned to at most their size.
#[repr(align(64))]
pub(super) struct Row([MaybeUninit<u8>; ROW * LARGEST]);

impl Row {
    pub(super) fn start<T>(&self) -> *const T {
        self.0.as_ptr().cast()
    }
}

/// Calls `f` with the row of a value. The row stays uninitialised if the value is too large. Not
/// inlined, because a row takes several KiB of stack.
#[inline(never)]
pub(super) fn with_row<T: Copy, R>(value: T, f: impl FnOnce(&Row) -> R) -> R {
    let mut row = Row([MaybeUninit::uninit(); ROW * LARGEST]);
    if size_of::<T>() <= LARGEST {
        for k in 0..ROW {
            // SAFETY: there is room for `ROW` elements of at most `LARGEST` bytes.
            unsafe { row.0.as_mut_ptr().cast::<T>().add(k).write(value) };
        }
    }
    f(&row)
}

/// Memories of a copy, and the row that fills padding.
pub(super) struct Ends<'a, 'b, T> {
    pub(super) from: From<'a, T>,
    pub(super) to: To<'b, T>,
    /// Source of padding moves.
    pub(super) row: Option<&'a Row>,
}

/// Memory to read slots from.
pub(super) struct From<'a, T> {
    memory: &'a Memory<'a, T>,
    // Slots per slice.
    buffer: usize,
}

impl<'a, T> From<'a, T> {
    pub(super) fn new(
        placement: &Placement,
        memory: &'a Memory<'a, T>,
    ) -> Result<Self, LayoutError> {
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

    /// Slots per slice; `usize::MAX` if there is one slice for all cores.
    pub(super) fn buffer(&self) -> usize {
        self.buffer
    }

    /// Address of a slot.
    pub(super) fn at(&self, slot: usize) -> *const T {
        match self.memory {
            Memory::All(slice) => slice.as_ptr().wrapping_add(slot),
            #[cfg(feature = "std")]
            Memory::Each(slices) => {
                slices[slot / self.buffer].as_ptr().wrapping_add(slot % self.buffer)
            }
        }
    }
}

/// Memory to write slots to.
///
/// Threads may share it: it only gives out pointers. Each write needs a proof that no other thread
/// writes there.
pub(super) struct To<'a, T> {
    starts: Starts<T>,
    memory: PhantomData<&'a mut [T]>,
}

enum Starts<T> {
    All(*mut T),
    /// Start of the slice of each core, and slots per slice.
    #[cfg(feature = "std")]
    Each(Vec<*mut T>, usize),
}

// SAFETY: the pointers come from exclusive slices of `T`, which may be sent to other threads.
unsafe impl<T: Send> Send for To<'_, T> {}
// SAFETY: as above; a shared `To` only gives out pointers.
unsafe impl<T: Send> Sync for To<'_, T> {}

impl<'a, T: Copy> To<'a, T> {
    /// Addresses of all slots. If `fill` is a value and there is padding, sets all slots to it first.
    pub(super) fn new(
        placement: &Placement,
        mut memory: MemoryMut<'a, T>,
        fill: Option<T>,
    ) -> Result<Self, LayoutError> {
        let fill = fill.filter(|_| placement.padding() > 0);
        let starts = match &mut memory {
            MemoryMut::All(slice) => {
                room(placement, slice.len())?;
                if let Some(fill) = fill {
                    slice[..placement.slots()].fill(fill);
                }
                Starts::All(slice.as_mut_ptr())
            }
            #[cfg(feature = "std")]
            MemoryMut::Each(cores) => {
                let lengths = (0..cores.count()).map(|core| cores.core(core).len());
                crate::facts::room_of_each(placement, lengths)?;
                let starts = (0..placement.cores()).map(|core| {
                    let slice = &mut cores.core(core)[..placement.storage()];
                    if let Some(fill) = fill {
                        slice.fill(fill);
                    }
                    slice.as_mut_ptr()
                });
                Starts::Each(starts.collect(), placement.storage())
            }
        };
        Ok(Self { starts, memory: PhantomData })
    }

    /// Address of a slot.
    pub(super) fn at(&self, slot: usize) -> *mut T {
        match &self.starts {
            Starts::All(start) => start.wrapping_add(slot),
            #[cfg(feature = "std")]
            Starts::Each(starts, storage) => starts[slot / storage].wrapping_add(slot % storage),
        }
    }
}
