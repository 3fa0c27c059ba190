//! `Block`, and `Series`: blocks of one shape at regular distances, which one call moves.
//!
//! Small blocks are many. What is decided about one is decided about all of a series, and what
//! moves it is called once.

#[cfg(target_arch = "x86_64")]
use core::marker::PhantomData;

#[cfg(target_arch = "x86_64")]
use super::lanes::Move;
use super::strip::Strip;

/// Words of which `rows` lie one after the other in the destination and `columns` in the source.
///
/// The word at `source[row][column]` goes to `destination[column][row]`.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) source: Strip<*const u8>,
    pub(super) destination: Strip<*mut u8>,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// What is written by the whole copy of which this is a part.
    pub(super) total_bytes: usize,
}

/// So many blocks like the first one, each so many bytes behind the one before it.
#[derive(Clone, Copy)]
pub(super) struct Series {
    pub(super) first: Block,
    pub(super) count: usize,
    pub(super) source: usize,
    pub(super) destination: usize,
}

impl Series {
    /// A block; inside the memory if there are more than `k`.
    #[inline(always)]
    pub(super) fn nth(&self, k: usize) -> Block {
        let Block { source, destination, .. } = self.first;
        Block {
            source: source.shifted(0, k * self.source),
            destination: destination.shifted(0, k * self.destination),
            ..self.first
        }
    }
}

/// What moves the blocks of a series.
#[cfg(target_arch = "x86_64")]
pub(super) trait Kernel {
    /// Moves them. Always inlined.
    ///
    /// # Safety
    ///
    /// The instructions are there. Each word of the blocks can be read in the source and written in
    /// the destination, and the two do not overlap. Whatever else it says.
    unsafe fn run(series: Series);
}

/// What a kernel does, as a [`Move`].
#[cfg(target_arch = "x86_64")]
pub(super) struct Every<K> {
    series: Series,
    kernel: PhantomData<K>,
}

#[cfg(target_arch = "x86_64")]
impl<K> Every<K> {
    #[inline(always)]
    pub(super) fn of(series: Series) -> Self {
        Self { series, kernel: PhantomData }
    }
}

#[cfg(target_arch = "x86_64")]
impl<K: Kernel> Move for Every<K> {
    /// # Safety
    ///
    /// That of the kernel.
    #[inline(always)]
    unsafe fn run(self) {
        // SAFETY: the caller's promise.
        unsafe { K::run(self.series) };
    }
}
