//! `Batch`: a grid of equal tiles, as passed to a register tile.

use core::ptr;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::scale::AnyScale;
use crate::simd::opaque;

/// Bytes of a cache line.
pub(crate) const CACHE_LINE: usize = 64;

/// Maximum number of vectors in a row of a tile, including the one at its end.
pub(crate) const MAX_VECTORS: usize = 5;

/// Byte offsets of contiguous vectors of `vector` bytes, or of vectors with this stride. Those of vectors
/// that a tile does not have may wrap around.
#[inline(always)]
pub(crate) const fn contiguous_vectors(vector: usize) -> [usize; MAX_VECTORS] {
    [0, vector, vector.wrapping_mul(2), vector.wrapping_mul(3), vector.wrapping_mul(4)]
}

/// Words of an operand: a start address and strides in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) start: *const u8,
    /// Stride to the next row of A, or vector of B.
    pub(crate) next: usize,
    /// Stride to the next step along K.
    pub(crate) step: usize,
}

impl Words {
    /// A copy, field by field. Without the opaque field, LLVM copies two fields with one load. Right after they
    /// were stored one by one, such a load waits until these stores, and all stores of C before them, are
    /// in L1. (f32 8x8x8 in a batch: 27 GFLOP/s without this, 29 with it.)
    #[inline(always)]
    pub(crate) fn by_fields(&self) -> Self {
        Self { start: self.start, next: opaque(self.next), step: self.step }
    }
}

/// A vector of C that crosses the end of a contiguous run: its first lanes are in one run, the others
/// at the start of another.
#[cfg(feature = "std")]
#[derive(Clone, Copy)]
pub(crate) struct SplitVector {
    /// Index in the row of a tile.
    pub(crate) index: usize,
    /// Number of lanes in the first run.
    pub(crate) lanes: usize,
    /// Offset in a row of C of the other lanes.
    pub(crate) rest: usize,
}

/// What a batch of tiles prefetches into L2: a few bytes in each step along K, see
/// [`Prefetching`](crate::gemm::kernel::shapes::Prefetching). Many prefetches at a time would delay the loads
/// of the tile itself.
#[derive(Clone, Copy)]
pub(crate) struct Prefetch {
    /// Address for the first step of the first tile. Any address is valid.
    pub(crate) start: *const u8,
    /// Strides to the next step, from the end of a run of steps to the next one, to the tile beside, and to the
    /// tile below.
    pub(crate) step: usize,
    pub(crate) skip: usize,
    pub(crate) tile_stride_n: usize,
    pub(crate) tile_stride_m: usize,
}

impl Prefetch {
    /// Always the same address. It should be in cache.
    #[inline(always)]
    pub(crate) const fn none(start: *const u8) -> Self {
        Self { start, step: 0, skip: 0, tile_stride_n: 0, tile_stride_m: 0 }
    }
}

/// A grid of equal tiles: `tiles_m` stacked along M times `tiles_n` beside each other along N.
///
/// All strides are in bytes. K consists of `runs` runs of `depth` words with a constant stride. A
/// convolution has one run per row of its filter.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) depth: usize,
    pub(crate) runs: usize,
    /// From the end of a run to the next one, in A and in B.
    pub(crate) a_skip: usize,
    pub(crate) b_skip: usize,
    pub(crate) a: Words,
    /// Stride from the A of a tile to that of the tile below, and of the tile beside it: 0, unless that is
    /// the tile of another product.
    pub(crate) a_tile_stride: usize,
    pub(crate) a_tile_stride_n: usize,
    pub(crate) b: Words,
    /// Stride from the B of a tile to that of the tile beside it.
    pub(crate) b_tile_stride: usize,
    pub(crate) c: *mut u8,
    pub(crate) c_row: usize,
    /// Offsets of the vectors in a row of C.
    pub(crate) c_vectors: [usize; MAX_VECTORS],
    pub(crate) c_tile_stride_m: usize,
    pub(crate) c_tile_stride_n: usize,
    pub(crate) tiles_m: usize,
    pub(crate) tiles_n: usize,
    /// Used lanes of the vector at the end of a row.
    pub(crate) last_lanes: usize,
    /// Offset in B of this vector, relative to where it would be after the others.
    pub(crate) b_end_shift: usize,
    /// If this vector is whole and crosses the end of a contiguous run of C, the number of its lanes
    /// in that run. The others are at the next offset of `c_vectors`. Otherwise 0. Only if C is not
    /// read.
    pub(crate) split_lanes: usize,
    /// What the tiles prefetch into L2.
    pub(crate) prefetch: Prefetch,
    pub(crate) c_location: CacheLevel,
    /// Whether accumulators start from the row after each panel of B.
    pub(crate) corrected: bool,
    /// Where a packing tile stores its vectors of B.
    pub(crate) packed_b: *mut u8,
}

impl Batch {
    /// One tile of whole vectors whose C is in L1. `depth` is the number of words along K, `c_row`
    /// the row pitch of C in bytes, and `sum` the bytes of a lane.
    #[inline(always)]
    pub(crate) const fn single_tile(
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
            a_tile_stride: 0,
            a_tile_stride_n: 0,
            b,
            b_tile_stride: 0,
            c,
            c_row,
            c_vectors: contiguous_vectors(lanes * sum),
            c_tile_stride_m: 0,
            c_tile_stride_n: 0,
            tiles_m: 1,
            tiles_n: 1,
            last_lanes: lanes,
            b_end_shift: 0,
            split_lanes: 0,
            prefetch: Prefetch::none(a.start),
            c_location: CacheLevel::L1,
            corrected: false,
            packed_b: ptr::null_mut(),
        }
    }

    /// Makes a split vector the one at the end of a row. There are at most two others, so their stride
    /// in B stays constant.
    #[cfg(feature = "std")]
    pub(crate) fn split(&mut self, vectors: usize, split: SplitVector) {
        let (SplitVector { index, lanes, rest }, next, last) = (split, self.b.next, vectors - 1);
        self.c_vectors[index..vectors].rotate_left(1);
        self.c_vectors[vectors] = rest;
        self.split_lanes = lanes;
        let (start, step) = match (index, last) {
            (0, _) => (next, next),
            (1, 2) => (0, 2 * next),
            _ => (0, next),
        };
        // Wrapping: the vector at the end may come before the others.
        self.b_end_shift = (index * next).wrapping_sub(start + last * step);
        self.b.start = self.b.start.wrapping_add(start);
        self.b.next = step;
    }

    /// Number of words along K.
    #[inline(always)]
    pub(crate) const fn words(&self) -> usize {
        self.depth * self.runs
    }

    /// Moves the vector at the end of a row back until all its lanes are used. The lanes that it
    /// shares with the vector before it are computed and written twice, with the same results.
    /// Where masks are not registers, that is faster than a mask. Does nothing if masks are
    /// registers, or if the two vectors are not contiguous in B and C.
    #[inline(always)]
    pub(crate) fn overlap(&mut self, vectors: usize, shapes: &Shapes) {
        let &Shapes { lanes, word, sum, has_mask_registers, .. } = shapes;
        if has_mask_registers
            || vectors < 2
            || self.last_lanes == lanes
            || self.b.next != lanes * word
        {
            return;
        }
        let before = self.c_vectors[vectors - 2];
        if self.c_vectors[vectors - 1] == before.wrapping_add(lanes * sum) {
            let overlap = lanes - self.last_lanes;
            self.b_end_shift = (overlap * word).wrapping_neg();
            self.c_vectors[vectors - 1] -= overlap * sum;
            self.last_lanes = lanes;
        }
    }
}

/// Where C is expected to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CacheLevel {
    /// In L1: C is not prefetched.
    L1,
    /// In some cache: C is prefetched if it is read.
    Any,
    /// In memory: C is also prefetched if it is only written.
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "used only with cache blocking"))]
    Memory,
}

/// Computes a batch of tiles.
///
/// # Safety
///
/// The CPU must have the instructions. At the offsets of the batch, each word of A in a row and each
/// vector of B must be valid for reads, and C for reads and writes. The vector at the end of a row has
/// `last_lanes` lanes. In C it has two parts, if `split_lanes` is not 0. Nothing else accesses C. If
/// the tile packs, `packed_b` must have room for all vectors of B. The scale must be one of the
/// elements of C.
pub(crate) type MicroKernel = unsafe fn(&Batch, AnyScale<'_>);
