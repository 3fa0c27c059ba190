//! Rows that are dense in the destination, as [`Narrow`](super::narrow::Narrow) has them, but with
//! columns of more than a lane: pixels of three numbers of 8 bytes, say.
//!
//! A column is less than a register, so that the rows are transposed as a tile that lacks some.
//! Each column is stored as a whole register, and the next one goes over what was too much.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use super::block::{AHEAD, Block};
use super::lanes::{Lanes, Move};
use super::run::move_bytes;
use super::shuffle::stages;
use crate::simd::prefetch;

/// The most bytes of a step, of a lane of each row, and of a register.
const ROOM: usize = 16 * 64 + 64;

/// A block with dense columns in the destination, as a [`Move`].
pub(super) struct Wide<V, const W: usize> {
    pub(super) block: Block,
    pub(super) register: PhantomData<V>,
}

impl<V: Lanes, const W: usize> Wide<V, W> {
    /// Whether a column fills more than half of a register, and not all of it.
    #[inline(always)]
    pub(super) fn fits(block: &Block) -> bool {
        let bytes = block.rows * W;
        bytes > 8 * V::COUNT
            && bytes < 16 * V::COUNT
            && block.destination.step == bytes
            && block.columns >= 16 / W
    }
}

macro_rules! wide {
    ($w:tt: $($k:literal)*) => {
        impl<V: Lanes> Move for Wide<V, $w> {
            /// # Safety
            ///
            /// The instructions of `V` are there; the block [fits](Self::fits), each of its words
            /// can be read in the source and written in the destination, and the two do not
            /// overlap.
            #[inline(always)]
            unsafe fn run(self) {
                const LANE: usize = 16 / $w;
                let Block { source, destination, rows, columns, .. } = self.block;
                let bytes = rows * $w;
                // Where there is no such row the first one, whose words another column replaces.
                let row = |k: usize| if k < rows { k * source.step } else { 0 };
                let lanes = [$(
                    [row($k), row(LANE + $k), row(2 * LANE + $k), row(3 * LANE + $k)],
                )*];
                // The columns that a register reaches behind its own.
                let behind = (16 * V::COUNT - bytes).div_ceil(bytes);
                let mut room = MaybeUninit::<[u8; ROOM]>::uninit();
                let mut next = 0;
                while next < columns {
                    // The last columns are moved together with some before them, and by way of a
                    // memory that has room for what is behind.
                    let column = next.min(columns - LANE);
                    let ends = next + LANE + behind > columns;
                    let at = destination.at(column, 0);
                    let to = if ends { room.as_mut_ptr().cast::<u8>() } else { at };
                    let from = source.at(0, column * $w);
                    let r = [$(
                        // SAFETY: a lane of words of each of these rows.
                        unsafe { V::load_at(from, lanes[$k]) },
                    )*];
                    let r = stages!($w, r);
                    $(
                        // SAFETY: a register that starts in a column and ends in one, or in the
                        // room; what is behind its own column is written again later.
                        unsafe { r[$k].store(to.wrapping_add($k * bytes)) };
                        prefetch(at.wrapping_add($k * bytes + AHEAD));
                    )*
                    if ends {
                        // SAFETY: the bytes of this step, which were just written.
                        unsafe { ptr::copy_nonoverlapping(to, at, LANE * bytes) };
                    }
                    next += LANE;
                }
            }
        }
    };
}

wide!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
wide!(2: 0 1 2 3 4 5 6 7);
wide!(4: 0 1 2 3);
wide!(8: 0 1);

/// Words of a lane need no register that is put together: three of them are moved one by one. (As
/// registers of 64 bytes, most of which are in two lines: 0.9 of as fast.)
impl<V: Lanes> Move for Wide<V, 16> {
    /// # Safety
    ///
    /// As for smaller words.
    #[inline(always)]
    unsafe fn run(self) {
        let Block { source, destination, columns, .. } = self.block;
        for column in 0..columns {
            let (from, to) = (source.at(0, column * 16), destination.at(column, 0));
            prefetch(to.wrapping_add(AHEAD));
            for row in 0..3 {
                let (from, to) = (from.wrapping_add(row * source.step), to.wrapping_add(row * 16));
                // SAFETY: a word of the block: there are three in a column that is more than half
                // of a register of 64 bytes and not all of it, and none in one of 32 bytes.
                unsafe { move_bytes::<16>(from, to) };
            }
        }
    }
}
