//! Blocks that are covered with tiles of one size: in bands, in order, or with partial tiles.

use core::marker::PhantomData;

use super::registers::{Kernel, Lanes, List, Unmasked, list};
use super::shuffle::{PartialTile, Shuffled, Tile, stages};
use super::{
    Batch, Block, BlocksFn, CACHE_LINE, L1_COPY_BYTES, MEMORY_COPY_BYTES, PREFETCH_DISTANCE,
    StridedRows, prefetch_bytes,
};
use crate::simd::prefetch;

/// Largest tile in bytes that is inlined into the loops over tiles. For larger ones, LLVM would keep
/// a pointer for every row across the loops and run out of registers. A call per tile is then faster.
const INLINE_BYTES: usize = 256;

/// Transposes `count` tiles, adjacent along the columns.
///
/// # Safety
///
/// That of [`Tile::tile`].
#[inline(always)]
unsafe fn tiles<V: Lanes, K: Tile>(
    source: StridedRows<*const u8>,
    destination: StridedRows<*mut u8>,
    stream: bool,
    count: usize,
) {
    if const { K::ROWS * K::COLUMNS * K::WORD > INLINE_BYTES } {
        // SAFETY: guaranteed by the caller.
        unsafe { V::call_tiles::<K>(source, destination, stream, count) };
    } else {
        for k in 0..count {
            let from = source.shifted(0, k * K::COLUMNS * K::WORD);
            // SAFETY: guaranteed by the caller.
            unsafe { K::tile(from, destination.shifted(k * K::COLUMNS, 0), stream) };
        }
    }
}

/// Blocks that have room for at least one tile, processed in bands of columns. If tiles do not divide
/// the block, the last ones overlap those before them. Writing words twice is harmless and needs no
/// masks.
///
/// A band is as wide as one cache line of the source, or two for large words, and runs along all
/// rows. So only a few rows of the destination are written at a time, each sequentially, and each
/// cache line of the source is read once. (In the other loop order, with a large power of two as the
/// row stride, the written lines evict each other: 512 x 512 `f64` took four times as long.)
///
/// The lines that the next tiles write are prefetched, because stores wait for their lines one after
/// the other. What is read next is prefetched, too, if it comes from memory: the same columns of the next
/// block, if blocks are small, or else the next columns.
pub(super) struct InBands<V, K>(PhantomData<(V, K)>);

impl<V: Lanes, K: Tile> InBands<V, K> {
    /// Transposes a block. `next_block` is the source of the next one.
    ///
    /// # Safety
    ///
    /// That of [`Kernel::run`].
    #[inline(always)]
    unsafe fn block(block: Block, next_block: Option<StridedRows<*const u8>>, stream: bool) {
        let Block { rows, columns, .. } = block;
        let (height, width) = (K::ROWS, K::COLUMNS);
        let band = const { CACHE_LINE * (1 + (K::WORD >= 8) as usize) / K::WORD };
        let streams = const { K::CAN_STREAM } && stream;
        // From caches, the hardware prefetcher is enough. With small words, a tile reads too little
        // of a row for a prefetch to pay.
        let reads_ahead = block.total_bytes >= MEMORY_COPY_BYTES && K::WORD >= 4;
        let writes_ahead = block.total_bytes > L1_COPY_BYTES && !streams;
        // Two such blocks fit in L1.
        let is_small = rows * columns * K::WORD <= L1_COPY_BYTES;
        let mut left = 0;
        while left < columns {
            let right = if columns - left < band { columns } else { left + band };
            let mut top = 0;
            while top < rows {
                let row = top.min(rows - height);
                let next = match next_block {
                    Some(next) if is_small => Some(next.shifted(0, left * K::WORD)),
                    _ if right < columns => Some(block.source.shifted(0, right * K::WORD)),
                    _ => next_block,
                };
                if reads_ahead && let Some(next) = next {
                    (row..row + height).for_each(|k| prefetch(next.at(k, CACHE_LINE - 1)));
                }
                if writes_ahead {
                    let (next, count) = if top + height < rows {
                        (block.destination.shifted(left, (row + height) * K::WORD), right - left)
                    } else {
                        (block.destination.shifted(right, 0), (columns - right).min(band))
                    };
                    let mut k = 0;
                    while k < count {
                        prefetch(next.at(k, V::BYTES - 1));
                        k += 1;
                    }
                }
                // Whole tiles, then one that overlaps the last of them or the previous band.
                let whole = (right - left) / width;
                let rest = (!(right - left).is_multiple_of(width)).then(|| right - width);
                for (column, count) in [(Some(left), whole), (rest, 1)] {
                    let Some(column) = column else { continue };
                    let source = block.source.shifted(row, column * K::WORD);
                    let destination = block.destination.shifted(column, row * K::WORD);
                    // SAFETY: tiles inside the block. Rows of a streamed block are aligned, and so is
                    // each tile that is not moved up (`row == top`).
                    unsafe { tiles::<V, K>(source, destination, streams && row == top, count) };
                }
                top += height;
            }
            left = right;
        }
    }
}

impl<V: Lanes, K: Tile> Kernel for InBands<V, K> {
    type Register = V;

    fn fits(block: &Block) -> bool {
        block.rows >= K::ROWS && block.columns >= K::COLUMNS
    }

    #[inline(always)]
    unsafe fn run(batch: &Batch, stream: bool) {
        for k in 0..batch.count {
            let next = (k + 1 < batch.count).then(|| batch.nth(k + 1).source);
            // SAFETY: guaranteed by the caller, for each block.
            unsafe { Self::block(batch.nth(k), next, stream) };
        }
    }
}

/// Blocks that are exactly one tile high and whose columns are dense in the destination, such as
/// channels in groups. The destination is prefetched. (64 planes of 56 x 56 `f32` in groups of 8:
/// 1.25 times as fast as in bands.)
pub(super) struct SingleRow<V, K>(PhantomData<(V, K)>);

impl<V: Lanes, K: Tile> Kernel for SingleRow<V, K> {
    type Register = V;

    fn fits(block: &Block) -> bool {
        block.rows == K::ROWS
            && block.columns >= K::COLUMNS
            && block.destination.stride_bytes == K::ROWS * K::WORD
    }

    #[inline(always)]
    unsafe fn run(batch: &Batch, stream: bool) {
        let stride_bytes = const { K::ROWS * K::WORD };
        let streams = const { K::CAN_STREAM } && stream;
        for k in 0..batch.count {
            let Block { source, destination, columns, .. } = batch.nth(k);
            let mut next = 0;
            while next < columns {
                let column = next.min(columns - K::COLUMNS);
                let source = source.shifted(0, column * K::WORD);
                let start = destination.start.wrapping_add(column * stride_bytes);
                if !streams {
                    prefetch_bytes(
                        start.wrapping_add(PREFETCH_DISTANCE),
                        K::COLUMNS * stride_bytes,
                    );
                }
                // SAFETY: a tile inside the block; each row of a streamed block is aligned.
                unsafe { tiles::<V, K>(source, StridedRows { start, stride_bytes }, streams, 1) };
                next += K::COLUMNS;
            }
        }
    }
}

/// Blocks with fewer rows or columns than the smallest tile.
pub(super) struct PartialTiles<V, K>(PhantomData<(V, K)>);

impl<V: Lanes, K: PartialTile> Kernel for PartialTiles<V, K> {
    type Register = V;

    fn fits(block: &Block) -> bool {
        block.rows.saturating_mul(block.columns) >= K::MIN_WORDS
    }

    #[inline(always)]
    unsafe fn run(batch: &Batch, _stream: bool) {
        for k in 0..batch.count {
            let Block { source, destination, rows, columns, .. } = batch.nth(k);
            for left in (0..columns).step_by(K::COLUMNS) {
                for top in (0..rows).step_by(K::ROWS) {
                    let from = source.shifted(top, left * K::WORD);
                    let to = destination.shifted(left, top * K::WORD);
                    let (rows, columns) = (K::ROWS.min(rows - top), K::COLUMNS.min(columns - left));
                    // SAFETY: part of the block.
                    unsafe { K::partial_tile(from, to, rows, columns) };
                }
            }
        }
    }
}

/// The kernel for blocks of plain data in registers of one lane. `None` if the words have to be moved one by
/// one.
pub(super) fn one_lane<V: Unmasked>(block: &Block) -> Option<BlocksFn> {
    macro_rules! tiles {
        ($w:literal $(, $partial:ty)?) => {
            list! {
                SingleRow<V, Shuffled<V, $w, 1>>,
                InBands<V, Shuffled<V, $w, 1>>,
                $( $partial, )?
            }
        };
    }
    let first: List = match block.word {
        1 => tiles!(1, PartialTiles<V, Shuffled<V, 1, 1>>),
        2 => tiles!(2),
        4 => tiles!(4),
        8 => tiles!(8),
        16 => list!(InBands<V, Shuffled<V, 16, 1>>,),
        _ => return None,
    };
    first(block)
}

/// Transposes a small block of plain data of 4 or 8 bytes in registers `V`, inlined into the caller.
/// The block size is a constant. A row of the block has at least 16 bytes. Rows of the destination
/// are written in whole registers, so the bytes after a row of the block are overwritten with
/// arbitrary values.
///
/// # Safety
///
/// The CPU supports the instructions of `V`. Otherwise that of [`BlocksFn`], with room in the
/// destination for whole registers.
#[inline(always)]
pub(super) unsafe fn small_block<V: Lanes, const WORD: usize>(block: Block) {
    let Block { source, destination, rows, columns, .. } = block;
    let (height, width) = const { (V::BYTES / WORD, 16 / WORD) };
    let mut top = 0;
    while top < rows {
        let mut next = 0;
        while next < columns {
            // The last tile overlaps the one before it.
            let left = next.min(columns - width);
            let to = destination.shifted(left, top * WORD);
            // Missing rows repeat the last one.
            let row = |row: usize| (top + row).min(rows - 1) * source.stride_bytes + left * WORD;
            let rows_of =
                |k: usize| [row(k), row(k + width), row(k + 2 * width), row(k + 3 * width)];
            // SAFETY: guaranteed by the caller: each row has 16 bytes.
            unsafe {
                let load = |k: usize| V::load_at(source.start, rows_of(k));
                if WORD == 4 {
                    let r = [load(0), load(1), load(2), load(3)];
                    let [a, b, c, d] = stages!(4, r);
                    a.store(to.at(0, 0));
                    b.store(to.at(1, 0));
                    c.store(to.at(2, 0));
                    d.store(to.at(3, 0));
                } else {
                    const { assert!(matches!(WORD, 4 | 8)) };
                    let r = [load(0), load(1)];
                    let [a, b] = stages!(8, r);
                    a.store(to.at(0, 0));
                    b.store(to.at(1, 0));
                }
            }
            next += width;
        }
        top += height;
    }
}
