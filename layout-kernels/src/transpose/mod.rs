//! Transposition of blocks of words in registers, for copies and for packing.
//!
//! A block has words of 1, 2, 4, 8 or 16 bytes in `rows` that are contiguous in the source, and
//! `columns` that are contiguous in the destination. [`kernel`] chooses, for a word size, a
//! [`Level`] and the shape of a block, one of the functions that are compiled once here:
//!
//! * [`shuffle`], [`halved`]: square tiles in registers, which [`cover`] lays over a block;
//! * [`interleave`], [`permute`], [`columns`]: few rows or few columns, which are dense in one
//!   memory, or have gaps between them;
//! * [`portable`]: word by word.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod columns;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod cover;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod halved;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod interleave;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod permute;
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod registers;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod shuffle;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod table;

pub(crate) use portable::{move_bytes, move_long, move_run, move_twice, words};

use crate::simd::{Level, own_register, prefetch};

/// The bytes that memory moves at once.
pub(crate) const CACHE_LINE: usize = 64;

/// How far ahead of what is written in order its lines are prefetched: stores wait for their lines
/// one after the other, and the processor's own prefetch ends with a page.
pub(crate) const PREFETCH_DISTANCE: usize = 1 << 10;

/// A copy of so many bytes fits the first cache, with what it reads.
pub(crate) const FIRST_CACHE_BYTES: usize = 16 << 10;

/// A copy of so many bytes comes from memory.
pub(crate) const FROM_MEMORY_BYTES: usize = 8 << 20;

/// Prefetches the lines of so many bytes.
#[inline(always)]
pub(crate) fn prefetch_bytes(p: *const u8, bytes: usize) {
    for byte in (0..bytes).step_by(CACHE_LINE) {
        prefetch(p.wrapping_add(byte));
    }
}

/// A pointer to rows, which are contiguous, and the distance between them in bytes.
#[derive(Clone, Copy)]
pub(crate) struct StridedRows<P> {
    pub(crate) start: P,
    pub(crate) step: usize,
}

/// Pointers to `N` groups of four rows. An address is that of a group and at most three steps, which
/// x86-64 adds for nothing; without the opaque copies the compiler adds up each row by itself.
/// (64 x 64 `f32`: 1.3 times as fast.)
#[derive(Clone, Copy)]
pub(crate) struct Fours<P, const N: usize> {
    groups: [P; N],
    step: usize,
}

macro_rules! strip {
    ($pointer:ty) => {
        impl StridedRows<$pointer> {
            /// The place of a row and a byte in it; inside the memory if the block has them.
            #[inline(always)]
            pub(crate) fn at(self, row: usize, byte: usize) -> $pointer {
                self.start.wrapping_add(row * self.step + byte)
            }

            #[inline(always)]
            pub(crate) fn shifted(self, row: usize, byte: usize) -> Self {
                Self { start: self.at(row, byte), step: self.step }
            }

            #[inline(always)]
            pub(crate) fn fours<const N: usize>(self) -> Fours<$pointer, N> {
                let mut groups = [self.start; N];
                let mut k = 1;
                while k < N {
                    let next = groups[k - 1].wrapping_add(4 * self.step);
                    groups[k] = own_register(next as *const u8) as $pointer;
                    k += 1;
                }
                Fours { groups, step: self.step }
            }
        }

        impl<const N: usize> Fours<$pointer, N> {
            /// The place of a row.
            #[inline(always)]
            pub(crate) fn at(&self, row: usize) -> $pointer {
                self.groups[row / 4].wrapping_add(row % 4 * self.step)
            }
        }
    };
}
strip!(*const u8);
strip!(*mut u8);

/// A block: the word at `source[row][column]` goes to `destination[column][row]`.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pub(crate) source: StridedRows<*const u8>,
    pub(crate) destination: StridedRows<*mut u8>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The size of a word.
    pub(crate) word: usize,
    /// What the whole copy writes. The block may be a part of it. Decides about prefetches.
    pub(crate) total_bytes: usize,
}

/// `count` blocks like the first one, each so many bytes behind the one before it. What is decided
/// about one is decided about all, and a kernel is called once for all.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) first: Block,
    pub(crate) count: usize,
    pub(crate) source: usize,
    pub(crate) destination: usize,
}

impl Batch {
    /// One block.
    pub(crate) const fn one(first: Block) -> Self {
        Self { first, count: 1, source: 0, destination: 0 }
    }

    /// A block; inside the memory if there are more than `k`.
    #[inline(always)]
    pub(crate) fn nth(&self, k: usize) -> Block {
        let Block { source, destination, .. } = self.first;
        Block {
            source: source.shifted(0, k * self.source),
            destination: destination.shifted(0, k * self.destination),
            ..self.first
        }
    }
}

/// A function that transposes the blocks of a batch. With `stream` whole tiles are written past the
/// caches, if the level has registers of a cache line.
///
/// # Safety
///
/// The instructions of the level that it was chosen for are there. The blocks have the shape, the
/// distances and the word size that it was chosen for. Each word is readable in the source and
/// writable in the destination, which do not overlap. Where it was chosen for numbers, each byte of
/// the source has a value. With `stream`, each row of the destination starts a cache line, and
/// [`fence`] follows.
pub(crate) type BlocksFn = unsafe fn(&Batch, stream: bool);

/// The function for blocks like `block`, whose pointers do not matter.
///
/// Only words that are `numbers` go through registers; others may have bytes without a value, or be
/// pointers, and are moved as they are.
pub(crate) fn kernel(level: Level, numbers: bool, block: &Block) -> BlocksFn {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if numbers && let Some(kernel) = table::choose(level, block) {
        return kernel;
    }
    let _ = (level, numbers);
    portable::kernel(block.word)
}

/// Makes what was streamed visible before what is stored later.
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: x86-64 has the instruction.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Transposes the blocks of a batch of numbers.
///
/// # Safety
///
/// As [`BlocksFn`] of the batch, for blocks whose bytes have values.
pub(crate) unsafe fn transpose(level: Level, batch: &Batch) {
    // SAFETY: as required here; the level proves the instructions.
    unsafe { kernel(level, true, &batch.first)(batch, false) };
}

/// Transposes a small block of numbers of 4 or 8 bytes where this is called, in registers `V`. Its size
/// is constant, and it has at least as many columns as 16 bytes have words. Rows of the destination are
/// written in whole registers: behind the words of the block comes anything.
///
/// # Safety
///
/// The instructions of `V` are there. The rest is that of [`BlocksFn`], with room for whole registers.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) unsafe fn small<V: registers::Lanes, const WORD: usize>(block: Block) {
    let Block { source, destination, rows, columns, .. } = block;
    let (height, width) = const { (V::BYTES / WORD, 16 / WORD) };
    let mut top = 0;
    while top < rows {
        let mut next = 0;
        while next < columns {
            // The last tile overlaps the one before it.
            let left = next.min(columns - width);
            let to = destination.shifted(left, top * WORD);
            // Where there is no row the last one is read again.
            let row = |row: usize| (top + row).min(rows - 1) * source.step + left * WORD;
            let rows_of =
                |k: usize| [row(k), row(k + width), row(k + 2 * width), row(k + 3 * width)];
            // SAFETY: as required here: 16 bytes of each row.
            unsafe {
                let load = |k: usize| V::load_at(source.start, rows_of(k));
                if WORD == 4 {
                    let r = [load(0), load(1), load(2), load(3)];
                    let [a, b, c, d] = shuffle::stages!(4, r);
                    a.store(to.at(0, 0));
                    b.store(to.at(1, 0));
                    c.store(to.at(2, 0));
                    d.store(to.at(3, 0));
                } else {
                    const { assert!(matches!(WORD, 4 | 8)) };
                    let r = [load(0), load(1)];
                    let [a, b] = shuffle::stages!(8, r);
                    a.store(to.at(0, 0));
                    b.store(to.at(1, 0));
                }
            }
            next += width;
        }
        top += height;
    }
}

#[cfg(test)]
mod tests;
