//! Rows that are dense in the destination, as [`Narrow`](super::narrow::Narrow) has them, but with
//! columns of more than a lane: pixels of three numbers of 8 bytes, say.
//!
//! A column is less than a register, so that the rows are transposed as a tile that lacks some.
//! Each column is stored as a whole register, and the next one goes over what was too much.

use core::marker::PhantomData;

use super::block::AHEAD;
use super::choice::Of;
use super::cover::cover;
use super::lanes::Lanes;
use super::registers::Xmm;
use super::series::{Block, Kernel, Series};
use super::shuffle::{Shuffled, stages};
use crate::simd::prefetch;

/// Blocks with dense columns in the destination, as a [`Kernel`].
pub(super) struct Wide<V, const W: usize>(PhantomData<V>);

impl<V: Lanes, const W: usize> Wide<V, W> {
    /// Whether a column fills more than half of a register, and not all of it, and there are
    /// enough for the last ones, which go another way, not to matter.
    #[inline(always)]
    pub(super) fn fits(block: &Block) -> bool {
        let bytes = block.rows * W;
        bytes > 8 * V::COUNT
            && bytes < 16 * V::COUNT
            && block.destination.step == bytes
            && block.columns >= 4 * 16 / W
    }
}

macro_rules! wide {
    ($w:tt: $($k:literal)*) => {
        impl<V: Lanes> Kernel for Wide<V, $w> {
            /// # Safety
            ///
            /// The instructions of `V` are there; the blocks [fit](Self::fits).
            #[inline(always)]
            unsafe fn run(series: Series) {
                const LANE: usize = 16 / $w;
                for k in 0..series.count {
                    let block = series.nth(k);
                    let Block { source, destination, rows, columns, .. } = block;
                    let bytes = rows * $w;
                    // Where there is no such row the first one, whose words another column replaces.
                    let row = |k: usize| if k < rows { k * source.step } else { 0 };
                    let lanes = [$(
                        [row($k), row(LANE + $k), row(2 * LANE + $k), row(3 * LANE + $k)],
                    )*];
                    // The columns that a register reaches behind its own.
                    let behind = (16 * V::COUNT - bytes).div_ceil(bytes);
                    let mut next = 0;
                    while next + LANE + behind <= columns {
                        let (from, to) = (source.at(0, next * $w), destination.at(next, 0));
                        let r = [$(
                            // SAFETY: a lane of words of each of these rows.
                            unsafe { V::load_at(from, lanes[$k]) },
                        )*];
                        let r = stages!($w, r);
                        $(
                            // SAFETY: a register that starts in a column and ends in one; what is
                            // behind its own column is written again later.
                            unsafe { r[$k].store(to.wrapping_add($k * bytes)) };
                            prefetch(to.wrapping_add($k * bytes + AHEAD));
                        )*
                        next += LANE;
                    }
                    // Where there is no room behind them the last columns go by tiles of a lane,
                    // together with some before them if they are fewer.
                    let first = next.min(columns - LANE);
                    let rest = Block {
                        source: source.shifted(0, first * $w),
                        destination: destination.shifted(first, 0),
                        columns: columns - first,
                        ..block
                    };
                    // SAFETY: a part of the block that has room for a tile, because a column is longer
                    // than a lane.
                    unsafe { cover::<Xmm, Of<$w>, Shuffled<Xmm, $w, 1>, true, false>(rest) };
                }
            }
        }
    };
}

wide!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
wide!(2: 0 1 2 3 4 5 6 7);
wide!(4: 0 1 2 3);
wide!(8: 0 1);
