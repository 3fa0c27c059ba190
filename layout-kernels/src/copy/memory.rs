//! Memory of the slots of a placement: one slice, or one buffer per core.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::devices::Placement;
use layout_core::error::LayoutError;

use crate::checks::check_buffers;
use crate::place::{Memory, MemoryMut};

/// Number of fill values in a row. A longer run of padding is filled from several rows.
pub(super) const FILL_ROW_LEN: usize = 64;

/// Maximum size in bytes of elements that have a row.
pub(super) const MAX_FILL_ELEMENT_BYTES: usize = 64;

/// A row of copies of the value that fills padding.
#[repr(align(64))]
pub(super) struct FillRow([MaybeUninit<u8>; FILL_ROW_LEN * MAX_FILL_ELEMENT_BYTES]);

impl FillRow {
    pub(super) fn start<T>(&self) -> *const T {
        self.0.as_ptr().cast()
    }
}

/// Calls `f` with the row of a value. The row stays uninitialised if the value is too large, or has no
/// size and a large alignment: such a row is not read. Not inlined, because a row takes several KiB of stack.
#[inline(never)]
pub(super) fn with_fill_row<T: Copy, R>(value: T, f: impl FnOnce(&FillRow) -> R) -> R {
    let mut row = FillRow([MaybeUninit::uninit(); FILL_ROW_LEN * MAX_FILL_ELEMENT_BYTES]);
    if size_of::<T>() <= MAX_FILL_ELEMENT_BYTES && align_of::<T>() <= align_of::<FillRow>() {
        for k in 0..FILL_ROW_LEN {
            // SAFETY: there is room for `FILL_ROW_LEN` elements of at most `MAX_FILL_ELEMENT_BYTES`
            // bytes.
            unsafe { row.0.as_mut_ptr().cast::<T>().add(k).write(value) };
        }
    }
    f(&row)
}

/// Memories of a copy, and the row that fills padding.
pub(super) struct Endpoints<'a, 'b, T> {
    pub(super) from: SourceMemory<'a, T>,
    pub(super) to: DestinationMemory<'b, T>,
    /// Source of padding moves.
    pub(super) row: Option<&'a FillRow>,
}

/// Memory to read slots from.
pub(super) struct SourceMemory<'a, T> {
    memory: &'a Memory<'a, T>,
    // Slots per slice.
    buffer: usize,
}

impl<'a, T> SourceMemory<'a, T> {
    pub(super) fn new(
        placement: &Placement,
        memory: &'a Memory<'a, T>,
    ) -> Result<Self, LayoutError> {
        let buffer = match memory {
            Memory::Contiguous(slice) => {
                check_buffers(placement, slice.len())?;
                usize::MAX
            }
            #[cfg(feature = "std")]
            Memory::PerCore(slices) => {
                crate::checks::check_core_buffers(
                    placement,
                    slices.iter().map(|slice| slice.len()),
                )?;
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
            Memory::Contiguous(slice) => slice.as_ptr().wrapping_add(slot),
            #[cfg(feature = "std")]
            Memory::PerCore(slices) => {
                slices[slot / self.buffer].as_ptr().wrapping_add(slot % self.buffer)
            }
        }
    }
}

/// Memory to write slots to.
///
/// Threads may share it: it only gives out pointers. Each write needs a proof that no other thread
/// writes there.
pub(super) struct DestinationMemory<'a, T> {
    starts: Starts<T>,
    memory: PhantomData<&'a mut [T]>,
}

enum Starts<T> {
    Contiguous(*mut T),
    /// Start of the slice of each core, and slots per slice.
    #[cfg(feature = "std")]
    PerCore(Vec<*mut T>, usize),
}

// SAFETY: the pointers come from exclusive slices of `T`, which may be sent to other threads.
unsafe impl<T: Send> Send for DestinationMemory<'_, T> {}
// SAFETY: as above; a shared `DestinationMemory` only gives out pointers.
unsafe impl<T: Send> Sync for DestinationMemory<'_, T> {}

impl<'a, T: Copy> DestinationMemory<'a, T> {
    /// Addresses of all slots. If `fill` is a value and there is padding, sets all slots to it first.
    pub(super) fn new(
        placement: &Placement,
        mut memory: MemoryMut<'a, T>,
        fill: Option<T>,
    ) -> Result<Self, LayoutError> {
        let fill = fill.filter(|_| placement.padding() > 0);
        let starts = match &mut memory {
            MemoryMut::Contiguous(slice) => {
                check_buffers(placement, slice.len())?;
                if let Some(fill) = fill {
                    slice[..placement.slots()].fill(fill);
                }
                Starts::Contiguous(slice.as_mut_ptr())
            }
            #[cfg(feature = "std")]
            MemoryMut::PerCore(cores) => {
                crate::checks::check_core_buffers(placement, cores.iter().map(|core| core.len()))?;
                let starts = cores.iter_mut().take(placement.cores()).map(|core| {
                    let slice = &mut core[..placement.storage()];
                    if let Some(fill) = fill {
                        slice.fill(fill);
                    }
                    slice.as_mut_ptr()
                });
                Starts::PerCore(starts.collect(), placement.storage())
            }
        };
        Ok(Self { starts, memory: PhantomData })
    }

    /// Address of a slot.
    pub(super) fn at(&self, slot: usize) -> *mut T {
        match &self.starts {
            Starts::Contiguous(start) => start.wrapping_add(slot),
            #[cfg(feature = "std")]
            Starts::PerCore(starts, storage) => starts[slot / storage].wrapping_add(slot % storage),
        }
    }
}
