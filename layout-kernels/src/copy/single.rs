//! Words of a lane, moved one by one: nothing is shuffled, and a register that is put together of
//! four of them wins only where lines of the destination come from farther than the first cache.

use super::block::{AHEAD, NEAR_BYTES};
use super::bytes::move_bytes;
use super::series::{Block, Kernel, Series};
use crate::simd::prefetch;

/// Blocks of words of 16 bytes, as a [`Kernel`].
pub(super) struct Single;

impl Single {
    /// Whether it is all near, or has fewer rows than a register has lanes.
    #[inline(always)]
    pub(super) fn fits(block: &Block) -> bool {
        block.rows < 4 || block.total_bytes <= NEAR_BYTES
    }

    /// Moves `ROWS` rows from `row` on.
    ///
    /// # Safety
    ///
    /// The block has these rows, and the rest as for [`Kernel::run`].
    #[inline(always)]
    unsafe fn rows<const ROWS: usize>(block: &Block, row: usize) {
        let (mut from, mut to) = (block.source.at(row, 0), block.destination.at(0, row * 16));
        let ahead = AHEAD.max(8 * block.destination.step);
        for _ in 0..block.columns {
            if block.total_bytes > NEAR_BYTES {
                prefetch(to.wrapping_add(ahead));
            }
            for row in 0..ROWS {
                let from = from.wrapping_add(row * block.source.step);
                // SAFETY: a word of the block.
                unsafe { move_bytes::<16>(from, to.wrapping_add(row * 16)) };
            }
            from = from.wrapping_add(16);
            to = to.wrapping_add(block.destination.step);
        }
    }
}

impl Kernel for Single {
    #[inline(always)]
    unsafe fn run(series: Series) {
        macro_rules! every {
            ($rows:literal) => {
                for k in 0..series.count {
                    // SAFETY: all rows of the block; the rest is the caller's promise.
                    unsafe { Self::rows::<$rows>(&series.nth(k), 0) };
                }
            };
        }
        match series.first.rows {
            0 => {}
            1 => every!(1),
            2 => every!(2),
            3 => every!(3),
            4 => every!(4),
            5 => every!(5),
            6 => every!(6),
            7 => every!(7),
            rows => {
                for k in 0..series.count {
                    let block = series.nth(k);
                    for next in (0..rows).step_by(8) {
                        // The last ones together with some before them.
                        // SAFETY: eight rows of the block; the rest is the caller's promise.
                        unsafe { Self::rows::<8>(&block, next.min(rows - 8)) };
                    }
                }
            }
        }
    }
}
