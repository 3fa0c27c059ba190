//! Rows that are dense in the destination, as [`Narrow`](super::narrow::Narrow) has them, but with
//! columns of more than a lane: pixels of three numbers of 8 bytes, say.
//!
//! A column is less than a register, so that the rows are transposed as a tile that lacks some.
//! Each column is stored as a whole register, and the next one goes over what was too much.

use core::marker::PhantomData;

use super::block::Block;
use super::lanes::{Lanes, Move};
use super::shuffle::stages;

/// A block with dense columns in the destination, as a [`Move`].
///
/// It stops before the end, and says in `done` how many columns it has moved.
pub(super) struct Wide<'a, V, const W: usize> {
    pub(super) block: Block,
    pub(super) done: &'a mut usize,
    pub(super) register: PhantomData<V>,
}

impl<V: Lanes, const W: usize> Wide<'_, V, W> {
    /// Whether a column fills more than half of a register, and not all of it.
    #[inline(always)]
    pub(super) fn fits(block: &Block) -> bool {
        let bytes = block.rows * W;
        bytes > 8 * V::COUNT && bytes < 16 * V::COUNT && block.destination.step == bytes
    }
}

macro_rules! wide {
    ($w:tt: $($k:literal)*) => {
        impl<V: Lanes> Move for Wide<'_, V, $w> {
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
                let mut column = 0;
                while column + LANE + behind <= columns {
                    let from = source.at(0, column * $w);
                    let r = [$(
                        // SAFETY: a lane of words of each of these rows.
                        unsafe { V::load_at(from, lanes[$k]) },
                    )*];
                    let r = stages!($w, r);
                    $(
                        // SAFETY: a register that starts in a column and ends in one; what is
                        // behind its own column is written again later.
                        unsafe { r[$k].store(destination.at(column + $k, 0)) };
                    )*
                    column += LANE;
                }
                *self.done = column;
            }
        }
    };
}

wide!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
wide!(2: 0 1 2 3 4 5 6 7);
wide!(4: 0 1 2 3);
wide!(8: 0 1);
wide!(16: 0);
