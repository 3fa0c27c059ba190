//! `Batch`: equal tiles beside and below each other, as a register tile takes them.

use core::ptr;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::scale::AnyScale;

/// The bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// The most vectors in a row of a tile, with the one at its end.
pub(crate) const MAX_VECTORS: usize = 5;

/// The places of vectors of so many bytes that follow each other.
#[inline(always)]
pub(crate) const fn consecutive(vector: usize) -> [usize; MAX_VECTORS] {
    [0, vector, 2 * vector, 3 * vector, 4 * vector]
}

/// Words of an operand: where the first one is, and how far it is to the next in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) start: *const u8,
    /// To the next row of A, or vector of B.
    pub(crate) next: usize,
    /// To the next step along K.
    pub(crate) step: usize,
}

/// A batch of equal tiles, `down` below each other times `across` beside each other.
///
/// All strides are in bytes. K has `runs` runs of `depth` words: an image that a filter slides over has one
/// for each of its rows.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) depth: usize,
    pub(crate) runs: usize,
    /// From the end of a run to the next one, in A and in B.
    pub(crate) a_skip: usize,
    pub(crate) b_skip: usize,
    pub(crate) a: Words,
    /// From the A of a tile to that of the tile below.
    pub(crate) a_down: usize,
    pub(crate) b: Words,
    /// From the B of a tile to that of the tile beside.
    pub(crate) b_across: usize,
    pub(crate) c: *mut u8,
    pub(crate) c_row: usize,
    /// The places of the vectors of a row of C.
    pub(crate) c_vectors: [usize; MAX_VECTORS],
    pub(crate) c_down: usize,
    pub(crate) c_across: usize,
    pub(crate) down: usize,
    pub(crate) across: usize,
    /// The lanes in use of the vector at the end of a row.
    pub(crate) last: usize,
    /// How many lanes that vector shares with the one before it, see [`overlap`](Self::overlap).
    pub(crate) shared: usize,
    /// What the second cache should have soon: its distance from the A of the first tile in a row of
    /// tiles, and how far it goes on with each step.
    pub(crate) soon: usize,
    pub(crate) soon_step: usize,
    pub(crate) c_in: Cache,
    /// Whether sums start from the row after each panel of B.
    pub(crate) corrected: bool,
    /// Where a packing tile puts its vectors of B.
    pub(crate) packed_b: *mut u8,
}

impl Batch {
    /// One tile of whole vectors, whose C is in the first cache. `depth` is the number of words along K,
    /// `c_row` the distance of rows of C, and `sum` the bytes of a lane.
    #[inline(always)]
    pub(crate) const fn one(
        depth: usize,
        [a, b]: [Words; 2],
        (c, c_row): (*mut u8, usize),
        (lanes, sum): (usize, usize),
    ) -> Self {
        Self {
            depth,
            runs: 1,
            a_skip: 0,
            b_skip: 0,
            a,
            a_down: 0,
            b,
            b_across: 0,
            c,
            c_row,
            c_vectors: consecutive(lanes * sum),
            c_down: 0,
            c_across: 0,
            down: 1,
            across: 1,
            last: lanes,
            shared: 0,
            soon: 0,
            soon_step: 0,
            c_in: Cache::First,
            corrected: false,
            packed_b: ptr::null_mut(),
        }
    }

    /// The words along K.
    #[inline(always)]
    pub(crate) const fn words(&self) -> usize {
        self.depth * self.runs
    }

    /// Moves the vector at the end of a row back until all its lanes are in use. It shares lanes with the
    /// vector before it, which have the same sums: they are written twice, which takes less time than a
    /// mask where masks are no registers. Does nothing where they are, or where these two vectors do not
    /// follow each other in B and C.
    #[inline(always)]
    pub(crate) fn overlap(&mut self, vectors: usize, shapes: &Shapes) {
        let &Shapes { lanes, word, sum, masks, .. } = shapes;
        if masks || vectors < 2 || self.last == lanes || self.b.next != lanes * word {
            return;
        }
        let before = self.c_vectors[vectors - 2];
        if self.c_vectors[vectors - 1] == before.wrapping_add(lanes * sum) {
            self.shared = lanes - self.last;
            self.c_vectors[vectors - 1] -= self.shared * sum;
            self.last = lanes;
        }
    }
}

/// Where C is expected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cache {
    /// In the first cache: nothing of C is prefetched.
    First,
    /// In some cache: C is prefetched where it is read.
    Any,
    /// In memory: C is prefetched where it is written, too.
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "only blocks write so much"))]
    Memory,
}

/// Makes a batch of tiles.
///
/// # Safety
///
/// The instructions are there. At the offsets of the batch, words of A and B can be read: each word
/// of A in a row, and each vector of B. The vector at the end of a row has `last` lanes. C can be
/// read and written at the offsets of the batch, and nothing else accesses it. `packed_b` has room
/// for all vectors of B, if the tile packs. The scale is one of the elements of C.
pub(crate) type Micro = unsafe fn(&Batch, AnyScale<'_>);
