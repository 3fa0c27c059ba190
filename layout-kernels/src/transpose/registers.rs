//! `Lanes`: a vector register as 16-byte lanes that are all shuffled alike.
//!
//! In-lane shuffles are the fastest ones, and code that uses only them is the same for registers of
//! one, two and four lanes. Registers are assembled by loads: the first lane comes from one row, the
//! others are inserted from memory, which needs no shuffle unit. CPUs with a single unit for 512-bit
//! shuffles (Intel) are limited by it. Storing lanes with `vextractf32x4` or merging them with masked
//! broadcasts was slower.

use super::shuffle::Tile;
use super::{Batch, Block, BlocksFn, StridedRows};

/// A register of [`COUNT`](Self::COUNT) lanes of 16 bytes.
///
/// # Safety
///
/// The CPU supports the instructions of the type. Pointers are valid for the bytes that a method
/// reads or writes. They need no alignment, except in [`stream`](Self::stream).
pub(crate) trait Lanes: Copy {
    /// Number of lanes.
    const COUNT: usize;
    /// Number of bytes.
    const BYTES: usize = 16 * Self::COUNT;

    /// Loads all lanes from contiguous memory at `p`.
    unsafe fn load_all(p: *const u8) -> Self;

    /// Loads lane `k` from `p + k * stride_bytes`. Offsets are in bytes.
    #[inline(always)]
    unsafe fn load(p: *const u8, stride_bytes: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_at(p, [0, stride_bytes, 2 * stride_bytes, 3 * stride_bytes]) }
    }

    /// Loads lane `k` from `p + offsets[k]`.
    unsafe fn load_at(p: *const u8, offsets: [usize; 4]) -> Self;

    /// `load(p, stride_bytes)` and `load(p + 16, stride_bytes)`.
    #[inline(always)]
    unsafe fn load_pair(p: *const u8, stride_bytes: usize) -> (Self, Self) {
        // SAFETY: guaranteed by the caller.
        unsafe { (Self::load(p, stride_bytes), Self::load(p.wrapping_add(16), stride_bytes)) }
    }

    /// Interleaves words of `W` bytes from the lower halves of both, within each lane.
    unsafe fn low<const W: usize>(self, other: Self) -> Self;

    /// Interleaves words of `W` bytes from the upper halves of both, within each lane.
    unsafe fn high<const W: usize>(self, other: Self) -> Self;

    /// Stores all lanes contiguously.
    unsafe fn store(self, p: *mut u8);

    /// Non-temporal [`store`](Self::store). `p` is aligned to the register size. Other threads are
    /// sure to see it only after `sfence`.
    unsafe fn stream(self, p: *mut u8);

    /// Runs a kernel in a separate function, compiled with the instructions of this register.
    unsafe fn call<K: Kernel>(batch: &Batch, stream: bool);

    /// Transposes `count` tiles, adjacent along the columns, in a separate function.
    unsafe fn call_tiles<K: Tile>(
        source: StridedRows<*const u8>,
        destination: StridedRows<*mut u8>,
        stream: bool,
        count: usize,
    );
}

/// A register of one lane without masks.
pub(crate) trait Unmasked: Lanes {}

/// A kernel that moves the blocks of a batch.
pub(crate) trait Kernel {
    /// The register whose instructions it is compiled with.
    type Register: Lanes;

    /// Whether the kernel supports blocks of this shape.
    fn fits(block: &Block) -> bool;

    /// Moves the blocks. With `stream`, whole cache lines use non-temporal stores. Always inlined.
    ///
    /// # Safety
    ///
    /// That of [`BlocksFn`], for blocks that fit. The CPU supports the instructions of the register.
    unsafe fn run(batch: &Batch, stream: bool);
}

/// Selects the first kernel that fits a block.
pub(super) type List = fn(&Block) -> Option<BlocksFn>;

/// The [`List`] of some kernels.
macro_rules! list {
    ($($kernel:ty,)*) => {
        |block: &$crate::transpose::Block| -> Option<$crate::transpose::BlocksFn> {
            use $crate::transpose::registers::{Kernel, Lanes};
            $(
                if <$kernel>::fits(block) {
                    return Some(<<$kernel as Kernel>::Register as Lanes>::call::<$kernel>);
                }
            )*
            None
        }
    };
}

/// Defines `low` or `high` with the intrinsics for words of 1, 2, 4 and 8 bytes.
macro_rules! unpack {
    ($name:ident: $one:ident, $two:ident, $four:ident, $eight:ident) => {
        #[inline(always)]
        unsafe fn $name<const W: usize>(self, other: Self) -> Self {
            let (a, b) = (self.0, other.0);
            // SAFETY: the caller guarantees the instructions.
            unsafe {
                Self(match W {
                    1 => $one(a, b),
                    2 => $two(a, b),
                    4 => $four(a, b),
                    _ => $eight(a, b),
                })
            }
        }
    };
}

/// Methods that are the same for all registers.
macro_rules! moves {
    ($features:literal, $load:ident, $store:ident, $stream:ident) => {
        #[inline(always)]
        unsafe fn load_all(p: *const u8) -> Self {
            // SAFETY: guaranteed by the caller, see `Lanes`.
            Self(unsafe { $load(p.cast()) })
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut u8) {
            // SAFETY: guaranteed by the caller, see `Lanes`.
            unsafe { $store(p.cast(), self.0) };
        }

        #[inline(always)]
        unsafe fn stream(self, p: *mut u8) {
            // SAFETY: guaranteed by the caller, see `Lanes`; `p` is aligned.
            unsafe { $stream(p.cast(), self.0) };
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn call<K: $crate::transpose::registers::Kernel>(
            batch: &$crate::transpose::Batch,
            stream: bool,
        ) {
            // SAFETY: guaranteed by the caller.
            unsafe { K::run(batch, stream) };
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn call_tiles<K: $crate::transpose::shuffle::Tile>(
            mut source: $crate::transpose::StridedRows<*const u8>,
            mut destination: $crate::transpose::StridedRows<*mut u8>,
            stream: bool,
            count: usize,
        ) {
            for _ in 0..count {
                // SAFETY: guaranteed by the caller.
                unsafe { K::tile(source, destination, stream) };
                source = source.shifted(0, K::COLUMNS * K::WORD);
                destination = destination.shifted(K::COLUMNS, 0);
                // Opaque copies. Otherwise LLVM keeps a pointer for each row across the loop and runs
                // out of registers.
                source.start = $crate::simd::opaque_pointer(source.start);
                destination.start =
                    $crate::simd::opaque_pointer(destination.start.cast_const()).cast_mut();
            }
        }
    };
}

pub(super) use {list, moves, unpack};
