//! In-register transposition of blocks of words, for copies and for packing.
//!
//! A block has `rows` rows and `columns` columns of words of 1, 2, 4, 8 or 16 bytes. Rows are
//! contiguous in the source, columns are contiguous in the destination. [`kernel`] selects one of the
//! functions below by word size, [`Level`] and block shape. Each of them is compiled once, here, for the
//! registers of `x86` or `neon`:
//!
//! * [`shuffle`], [`blend`]: square register tiles, which [`cover`] lays over a block;
//! * [`interleave`], [`permute`], [`columns`]: few rows or few columns, dense in one memory or with
//!   gaps between them;
//! * [`portable`]: word by word.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod blend;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod columns;
mod cover;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod interleave;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod permute;
mod portable;
pub(crate) mod registers;
mod shuffle;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod table;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub(crate) use neon::transpose_small;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
pub(crate) use portable::transpose_small;
pub(crate) use portable::{move_bytes, move_long, move_overlapping, move_run, words};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86::transpose_small;

use core::mem::MaybeUninit;

use crate::simd::{Level, opaque_pointer, prefetch};

/// Whether each CPU of the target has registers to transpose blocks in.
pub(crate) const HAS_REGISTERS: bool = cfg!(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
));

/// Bytes of a cache line.
pub(crate) const CACHE_LINE: usize = 64;

/// A cache line of a buffer, initialised by copies.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Line(#[allow(dead_code, reason = "it is memory")] [MaybeUninit<u8>; CACHE_LINE]);

/// Prefetch distance in bytes for memory that is written sequentially. Stores wait for their cache
/// lines one after the other, and the hardware prefetcher stops at page boundaries.
pub(crate) const PREFETCH_DISTANCE: usize = 1 << 10;

/// A copy of at most this many bytes fits in L1 together with its source.
pub(crate) const L1_COPY_BYTES: usize = 16 << 10;

/// A copy of at least this many bytes reads from memory, not from cache.
pub(crate) const MEMORY_COPY_BYTES: usize = 8 << 20;

/// Prefetches the cache lines of `bytes` bytes from `p`.
#[inline(always)]
pub(crate) fn prefetch_bytes(p: *const u8, bytes: usize) {
    for byte in (0..bytes).step_by(CACHE_LINE) {
        prefetch(p.wrapping_add(byte));
    }
}

/// Rows that are each contiguous: a pointer to the first one, and the row stride in bytes.
#[derive(Clone, Copy)]
pub(crate) struct StridedRows<P> {
    pub(crate) start: P,
    pub(crate) stride_bytes: usize,
}

/// Pointers to `N` groups of four rows. A row address is a group pointer plus at most three steps,
/// which x86-64 addressing modes compute for free. Without the opaque copies, LLVM computes each row
/// address separately. (64 x 64 `f32`: 1.3 times as fast.)
#[derive(Clone, Copy)]
pub(crate) struct Fours<P, const N: usize> {
    groups: [P; N],
    stride_bytes: usize,
}

macro_rules! impl_strided_rows {
    ($pointer:ty) => {
        impl StridedRows<$pointer> {
            /// Address of a byte of a row. Inside the memory if the block has this row and byte.
            #[inline(always)]
            pub(crate) fn at(self, row: usize, byte: usize) -> $pointer {
                self.start.wrapping_add(row * self.stride_bytes + byte)
            }

            #[inline(always)]
            pub(crate) fn shifted(self, row: usize, byte: usize) -> Self {
                Self { start: self.at(row, byte), stride_bytes: self.stride_bytes }
            }

            #[inline(always)]
            pub(crate) fn fours<const N: usize>(self) -> Fours<$pointer, N> {
                let mut groups = [self.start; N];
                let mut k = 1;
                while k < N {
                    let next = groups[k - 1].wrapping_add(4 * self.stride_bytes);
                    groups[k] = opaque_pointer(next as *const u8) as $pointer;
                    k += 1;
                }
                Fours { groups, stride_bytes: self.stride_bytes }
            }
        }

        impl<const N: usize> Fours<$pointer, N> {
            /// Address of a row.
            #[inline(always)]
            pub(crate) fn at(&self, row: usize) -> $pointer {
                self.groups[row / 4].wrapping_add(row % 4 * self.stride_bytes)
            }
        }
    };
}
impl_strided_rows!(*const u8);
impl_strided_rows!(*mut u8);

/// A block: the word at `source[row][column]` goes to `destination[column][row]`.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pub(crate) source: StridedRows<*const u8>,
    pub(crate) destination: StridedRows<*mut u8>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Size of a word in bytes.
    pub(crate) word: usize,
    /// Bytes that the whole copy writes; the block may be a part of it. Controls prefetching.
    pub(crate) total_bytes: usize,
}

/// `count` blocks of the same shape. Consecutive blocks are `source_stride` and `destination_stride`
/// bytes apart. The kernel is chosen once and called once for all of them.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) first: Block,
    pub(crate) count: usize,
    pub(crate) source_stride: usize,
    pub(crate) destination_stride: usize,
}

impl Batch {
    /// A batch of one block.
    pub(crate) const fn one(first: Block) -> Self {
        Self { first, count: 1, source_stride: 0, destination_stride: 0 }
    }

    /// Block `k`. Inside the memory if `k < count`.
    #[inline(always)]
    pub(crate) fn nth(&self, k: usize) -> Block {
        let Block { source, destination, .. } = self.first;
        Block {
            source: source.shifted(0, k * self.source_stride),
            destination: destination.shifted(0, k * self.destination_stride),
            ..self.first
        }
    }
}

/// A function that transposes the blocks of a batch. With `stream`, whole tiles are written with
/// non-temporal stores, if registers of the level are as large as a cache line.
///
/// # Safety
///
/// * The CPU supports the instructions of the level that the function was chosen for.
/// * The blocks have the shape, strides and word size that it was chosen for.
/// * Each word is readable in the source and writable in the destination, and the two do not overlap.
/// * If it was chosen with `is_plain_data`, every byte of the source is initialised.
/// * With `stream`, each row of the destination starts at a cache line, and [`fence`] is called
///   afterwards.
pub(crate) type BlocksFn = unsafe fn(&Batch, stream: bool);

/// Selects the function for blocks like `block`. The pointers of `block` are ignored.
///
/// Vector registers are used only if `is_plain_data`: the words are plain data. Other words may have
/// uninitialised bytes or contain pointers, and are moved as they are.
pub(crate) fn kernel(level: Level, is_plain_data: bool, block: &Block) -> BlocksFn {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if is_plain_data && let Some(kernel) = table::choose(level, block) {
        return kernel;
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if is_plain_data
        && matches!(level, Level::Neon(_))
        && let Some(kernel) = cover::one_lane::<neon::Quad>(block)
    {
        return kernel;
    }
    let _ = (level, is_plain_data);
    portable::kernel(block.word)
}

/// Orders non-temporal stores before all later stores.
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: x86-64 has the instruction.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Transposes the blocks of a batch of plain data.
///
/// # Safety
///
/// That of [`BlocksFn`] for this batch. All bytes of the source are initialised.
pub(crate) unsafe fn transpose(level: Level, batch: &Batch) {
    // SAFETY: guaranteed by the caller; the level proves the instructions.
    unsafe { kernel(level, true, &batch.first)(batch, false) };
}

#[cfg(test)]
mod tests;
