//! A block that is covered with tiles of one size: in bands, or in order.

use core::marker::PhantomData;

use super::block::{AHEAD, CACHE_LINE, NEAR_BYTES, ask};
use super::choice::Words;
use super::lanes::Lanes;
use super::pieces::STREAMED_BYTES;
use super::series::{Block, Kernel, Series};
use super::shuffle::{Tile, Whole};
use super::strip::Strip;
use crate::simd::prefetch;

/// Transposes a block that has room for a tile. Where tiles do not divide it, the last ones overlap
/// those before them: copying words twice does no harm, and needs no masks.
///
/// The columns of a cache line of the source, or of two where words are large, come one after the
/// other, and along all their rows: so few rows of the destination are written by turns, each in
/// order, and lines of the source are read once. (The other way round, with rows at a distance of a
/// large power of two, lines that are written take each other's place in the caches: 512 x 512 `f64`
/// took four times as long.)
///
/// The lines that the next tiles write are asked for meanwhile: stores wait for their lines one
/// after the other, all the more where each is in two of them. (1000 x 1000 `f32` in the last cache:
/// twice as fast.) So are those of the next columns of the source, where they come from memory.
///
/// # Safety
///
/// As for [`Transposes::blocks`](super::block::Transposes::blocks).
#[inline(always)]
pub(super) unsafe fn cover<V: Lanes, W: Words, K: Tile, const INLINE: bool, const STREAM: bool>(
    block: Block,
) {
    let Block { rows, columns, .. } = block;
    let (height, width) = (K::ROWS, K::COLUMNS);
    let lines = if W::BYTES >= 8 { 2 } else { 1 };
    let band = lines * CACHE_LINE / W::BYTES;
    let streams = STREAM && 16 * V::COUNT == CACHE_LINE;
    // From a cache what is read comes in time by itself, and of a row of small words a tile reads
    // too little to ask for.
    let asks_source = block.total_bytes >= STREAMED_BYTES && W::BYTES >= 4;
    let asks_destination = block.total_bytes > NEAR_BYTES && !streams;
    let mut left = 0;
    while left < columns {
        let right = if columns - left < band { columns } else { left + band };
        let mut top = 0;
        while top < rows {
            let row = top.min(rows - height);
            if asks_source && right < columns {
                let next = block.source.shifted(row, right * W::BYTES + CACHE_LINE - 1);
                let mut k = 0;
                while k < height {
                    prefetch(next.at(k, 0));
                    k += 1;
                }
            }
            if asks_destination {
                let (next, count) = if top + height < rows {
                    (block.destination.shifted(left, (row + height) * W::BYTES), right - left)
                } else {
                    (block.destination.shifted(right, 0), (columns - right).min(band))
                };
                let mut k = 0;
                while k < count {
                    prefetch(next.at(k, 16 * V::COUNT - 1));
                    k += 1;
                }
            }
            let mut next = left;
            while next < right {
                let column = next.min(columns - width);
                let source = block.source.shifted(row, column * W::BYTES);
                let destination = block.destination.shifted(column, row * W::BYTES);
                if streams && row == top {
                    // SAFETY: a tile inside the block, of which the caller says all that is
                    // needed; only in a streamed block are rows known to be aligned.
                    unsafe { tile::<V, K, INLINE, STREAM>(source, destination) };
                } else {
                    // SAFETY: as above.
                    unsafe { tile::<V, K, INLINE, false>(source, destination) };
                }
                next += width;
            }
            top += height;
        }
        left = right;
    }
}

/// Transposes a block that is as high as a tile, and whose columns follow each other in the
/// destination: channels in groups, say. What is written is asked for [`AHEAD`].
///
/// (64 planes of 56 x 56 `f32` in groups of 8: 1.25 times as fast as in bands.)
///
/// # Safety
///
/// As for [`Transposes::blocks`](super::block::Transposes::blocks), of a block that
/// [`is_in_order`].
#[inline(always)]
pub(super) unsafe fn in_order<
    V: Lanes,
    W: Words,
    K: Tile,
    const INLINE: bool,
    const STREAM: bool,
>(
    block: Block,
) {
    let Block { source, destination, columns, .. } = block;
    let bytes = K::COLUMNS * K::ROWS * W::BYTES;
    let streams = STREAM && 16 * V::COUNT == CACHE_LINE;
    let mut next = 0;
    while next < columns {
        let column = next.min(columns - K::COLUMNS);
        let source = source.shifted(0, column * W::BYTES);
        let destination = Strip {
            start: destination.start.wrapping_add(column * K::ROWS * W::BYTES),
            step: K::ROWS * W::BYTES,
        };
        if streams {
            // SAFETY: a tile inside the block, of which the caller says all that is needed; in a
            // streamed block each row of the destination is aligned.
            unsafe { tile::<V, K, INLINE, STREAM>(source, destination) };
        } else {
            ask(destination.start.wrapping_add(AHEAD), bytes);
            // SAFETY: as above.
            unsafe { tile::<V, K, INLINE, false>(source, destination) };
        }
        next += K::COLUMNS;
    }
}

/// Whether the block has room for a tile, and is one for [`in_order`].
#[inline(always)]
pub(super) fn is_in_order<W: Words, K: Tile>(block: &Block) -> bool {
    block.rows == K::ROWS
        && block.columns >= K::COLUMNS
        && block.destination.step == K::ROWS * W::BYTES
}

/// One tile, in the loops that it is in or as a function of its own.
///
/// # Safety
///
/// That of [`Tile::tile`].
#[inline(always)]
unsafe fn tile<V: Lanes, K: Tile, const INLINE: bool, const STREAM: bool>(
    source: Strip<*const u8>,
    destination: Strip<*mut u8>,
) {
    if INLINE {
        // SAFETY: the caller's promise.
        unsafe { K::tile::<STREAM>(source, destination) };
    } else {
        let tile = Whole::<K, STREAM> { source, destination, kernel: PhantomData };
        // SAFETY: the caller's promise.
        unsafe { V::apart(tile) };
    }
}

/// The most bytes of a tile that comes into the loops of a [`Kernel`]. Of a larger one the compiler
/// would keep a pointer for every row across the loops, and has not enough registers: then a call
/// for each tile is faster.
const INLINE_BYTES: usize = 256;

macro_rules! kernels {
    ($(#[$doc:meta])* $name:ident: $cover:ident) => {
        $(#[$doc])*
        pub(super) struct $name<V, W, K, const STREAM: bool>(PhantomData<(V, W, K)>);

        impl<V: Lanes, W: Words, K: Tile, const STREAM: bool> Kernel for $name<V, W, K, STREAM> {
            /// # Safety
            ///
            /// That of the function that it is made of.
            #[inline(always)]
            unsafe fn run(series: Series) {
                for k in 0..series.count {
                    let block = series.nth(k);
                    if const { K::ROWS * K::COLUMNS * W::BYTES <= INLINE_BYTES } {
                        // SAFETY: the caller's promise.
                        unsafe { $cover::<V, W, K, true, STREAM>(block) };
                    } else {
                        // SAFETY: as above.
                        unsafe { $cover::<V, W, K, false, STREAM>(block) };
                    }
                }
            }
        }
    };
}

kernels!(
    /// [`cover`] as a [`Kernel`].
    Covered: cover
);
kernels!(
    /// [`in_order`] as a [`Kernel`].
    InOrder: in_order
);
