//! Where the slots of a placement are: in one memory, or in the buffer of each core.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::devices::Placement;
use layout_core::error::LayoutError;

use crate::facts::room;
use crate::place::{Memory, MemoryMut};

/// How many times a row has the value that padding is filled with. A longer run of padding is
/// filled by as many rows as it needs.
pub(super) const ROW: usize = 64;

/// The largest elements that have a row.
pub(super) const LARGEST: usize = 64;

/// A row of a value, with which padding is filled; elements are aligned to at most their size.
#[repr(align(64))]
pub(super) struct Row([MaybeUninit<u8>; ROW * LARGEST]);

impl Row {
    pub(super) fn start<T>(&self) -> *const T {
        self.0.as_ptr().cast()
    }
}

/// Calls `f` with the row of a value, if it is not too large. Apart, because a row takes some KiB of
/// the stack.
#[inline(never)]
pub(super) fn with_row<T: Copy, R>(value: T, f: impl FnOnce(&Row) -> R) -> R {
    let mut row = Row([MaybeUninit::uninit(); ROW * LARGEST]);
    if size_of::<T>() <= LARGEST {
        for k in 0..ROW {
            // SAFETY: there is room for so many elements of at most this size.
            unsafe { row.0.as_mut_ptr().cast::<T>().add(k).write(value) };
        }
    }
    f(&row)
}

/// Where slots are read and written, and what padding is filled with.
pub(super) struct Ends<'a, 'b, T> {
    pub(super) from: From<'a, T>,
    pub(super) to: To<'b, T>,
    /// For moves of padding.
    pub(super) row: Option<&'a Row>,
}

/// Where slots are read.
pub(super) struct From<'a, T> {
    memory: &'a Memory<'a, T>,
    // How many slots a slice has.
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

    /// How many slots a slice has.
    pub(super) fn buffer(&self) -> usize {
        self.buffer
    }

    /// The place of a slot.
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

/// Where slots are written.
///
/// Threads may share it: it gives out pointers, and each write proves that no other thread writes there.
pub(super) struct To<'a, T> {
    starts: Starts<T>,
    memory: PhantomData<&'a mut [T]>,
}

enum Starts<T> {
    All(*mut T),
    /// For each core, and how many slots it has.
    #[cfg(feature = "std")]
    Each(Vec<*mut T>, usize),
}

// SAFETY: the pointers are those of exclusive slices of `T`, which may go to other threads.
unsafe impl<T: Send> Send for To<'_, T> {}
// SAFETY: as above; a shared `To` only gives out pointers.
unsafe impl<T: Send> Sync for To<'_, T> {}

impl<'a, T: Copy> To<'a, T> {
    /// The places of all slots, which are set to `fill` if it is a value and some are padding.
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

    /// The place of a slot.
    pub(super) fn at(&self, slot: usize) -> *mut T {
        match &self.starts {
            Starts::All(start) => start.wrapping_add(slot),
            #[cfg(feature = "std")]
            Starts::Each(starts, storage) => starts[slot / storage].wrapping_add(slot % storage),
        }
    }
}
