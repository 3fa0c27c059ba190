//! Rows of an operand whose vectors are far apart, but whose next axis is consecutive: they are
//! transposed before tiles read them.

use core::mem::MaybeUninit;
use core::ptr;

use crate::gemm::kernel::batch::LINE;
use crate::gemm::plan::partition::blocks;
use crate::gemm::problem::offsets::Offsets;
use crate::simd::{Level, prefetch_second};
use crate::transpose::{Batch, Block, StridedRows, transpose};

/// The bytes of the memory where rows are read to be transposed, and the rows that are read together.
const STAGE: usize = 24 << 10;
const GATHERED: usize = 48;

/// Rows of words, one for each step along K.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) start: *mut u8,
    /// The bytes from a row to the next one.
    pub(crate) step: usize,
}

impl Rows {
    /// Rows of so many words, with whole vectors; where they are is not known yet.
    pub(crate) fn new(words: usize, lanes: usize, word: usize) -> Self {
        // An odd number of cache lines: rows are not at the same places of a cache.
        let lines = (words.next_multiple_of(lanes) * word).div_ceil(LINE) | 1;
        Self { start: ptr::null_mut(), step: lines * LINE }
    }
}

/// Makes rows of a block of B whose vectors are far apart, and whose next axis is consecutive:
/// each step along K is a few blocks to transpose. Packing panel by panel would read a cache
/// line for each element.
///
/// # Safety
///
/// The element at the sum of each pair of offsets can be read, and is a word of so many bytes, and the rows have room
/// for the block.
pub(crate) unsafe fn gather(
    level: Level,
    (b, word): (*const u8, usize),
    (bn, bk): (&Offsets<'_>, &Offsets<'_>),
    rows: &Rows,
) {
    let (height, (_, width)) = (bn.head, bn.second);
    let (count, stride) = (bn.size / (height * width), bn.stride * word);
    let at = |i: usize| bn.at(i * height * width);
    // Rows are far apart, and the lines of some may have the same places in the first cache. So
    // pieces of them are read one after the other, and transposed from another place.
    let mut stage = MaybeUninit::<[u8; STAGE + 2 * GATHERED * LINE]>::uninit();
    let most = STAGE / (GATHERED * word);
    for k in 0..bk.size {
        let from = b.wrapping_add(bk.at(k).wrapping_mul(word));
        // The same piece of the next step arrives meanwhile.
        let next_step = bk.at((k + 1).min(bk.size - 1)).wrapping_sub(bk.at(k)).wrapping_mul(word);
        let row_start = rows.start.wrapping_add(k * rows.step);
        let mut i = 0;
        while i < count {
            // Blocks that follow each other have rows that go on.
            let few = (most / width).min(count - i);
            let next = (1..few).take_while(|&j| at(i + j) == at(i) + j * width).count() + 1;
            let from = from.wrapping_add(at(i).wrapping_mul(word));
            for part in blocks(0..height, GATHERED) {
                for columns in blocks(0..next * width, most) {
                    let bytes = columns.len() * word;
                    let line = bytes.next_multiple_of(LINE) + LINE;
                    let start = stage.as_mut_ptr().cast::<u8>();
                    let from = from.wrapping_add(columns.start * word);
                    for row in part.clone() {
                        let from = from.wrapping_add(row * stride);
                        for line in (0..bytes).step_by(LINE) {
                            prefetch_second(from.wrapping_add(next_step).wrapping_add(line));
                        }
                        let to = start.wrapping_add((row - part.start) * line);
                        // SAFETY: so many words of B; each row of the stage has room for them.
                        unsafe { to.copy_from_nonoverlapping(from, bytes) };
                    }
                    let mut column = columns.start;
                    while column < columns.end {
                        let end = (column - column % width + width).min(columns.end);
                        let from = start.wrapping_add((column - columns.start) * word);
                        // Those of a block follow each other, as the columns of a matrix.
                        let to = (i * width + column) * height + part.start;
                        let to = row_start.wrapping_add(to * word);
                        let block = Block {
                            source: StridedRows { start: from, step: line },
                            destination: StridedRows { start: to, step: height * word },
                            rows: part.len(),
                            columns: end - column,
                            word,
                            total_bytes: 0,
                        };
                        // SAFETY: words of the stage, which the rows have room for.
                        unsafe { transpose(level, &Batch::one(block)) };
                        column = end;
                    }
                }
            }
            i += next;
        }
    }
}
