//! Packs a small operand of a static product into rows of vectors on the stack, in registers.
//!
//! Used if C has vectors along n and B does not, most often because B is contiguous along K.
//! Everything is constant, so that LLVM keeps in registers what fits.

use core::mem::MaybeUninit;

use crate::gemm::float::Float;
use crate::gemm::inlined::permute::{load, permute, span};
use crate::gemm::problem::strided::Strided;
use crate::simd::vector::{Isa, MAX_LANES, Vector};
use crate::transpose::{Block, StridedRows, transpose_small};

/// Maximum number of elements that are packed one by one.
const MAX_SCALAR_MOVES: usize = 64;
/// Maximum number of elements of the packed rows.
pub(crate) const MAX_PACKED_ELEMENTS: usize = 512;

/// Maximum number of rows that are packed by permutes.
const MAX_PERMUTED_ROWS: usize = 2 * MAX_LANES;

/// For each row, the source lane of each lane.
pub(crate) type LaneIndices = [[u8; MAX_LANES]; MAX_PERMUTED_ROWS];
pub(crate) const NO_LANE_INDICES: LaneIndices = [[0; MAX_LANES]; MAX_PERMUTED_ROWS];

/// Stack memory for the packed rows.
#[repr(align(64))]
pub(crate) struct PackedRows<T>(pub(crate) [MaybeUninit<T>; MAX_PACKED_ELEMENTS]);

/// How B is packed into `k` rows of `n` elements.
#[derive(Clone, Copy)]
pub(crate) struct PackPlan {
    k: usize,
    n: usize,
    /// Strides of B along K and along n, in elements.
    bk: usize,
    bn: usize,
    /// Row pitch of the packed B, in elements.
    pub(crate) width: usize,
    method: PackMethod,
}

#[derive(Clone, Copy)]
enum PackMethod {
    /// All of B is in two registers; permutes bring the elements of each row to its lanes.
    Permute,
    /// Blocks are transposed in registers of this many bytes.
    Transpose(usize),
    /// Elements are moved one by one.
    Scalar,
}

impl PackPlan {
    /// The packing of the B of a product, if B is small. `lanes` are those of full, half and
    /// quarter registers. `has_permute` says whether the level has permutes, see [`Isa::HAS_PERMUTE2`].
    pub(crate) const fn new<T>(
        flat: &Strided,
        lanes: [usize; 3],
        has_permute: bool,
    ) -> Option<Self> {
        let Strided { n, k, bk, bn, .. } = *flat;
        let [full, half, quarter] = lanes;
        if n == 0 || k == 0 || n > MAX_PACKED_ELEMENTS || k > MAX_PACKED_ELEMENTS {
            return None;
        }
        let register = if n <= quarter {
            quarter
        } else if n <= half {
            half
        } else {
            full
        };
        // A broadcast B has a small span, whatever its K.
        let fits = n <= full && k <= MAX_PERMUTED_ROWS && span([k, n], [bk, bn]) <= 2 * full;
        let (width, method) = if has_permute && fits {
            (full, PackMethod::Permute)
        } else if bk == 1 && n > 1 && k * size_of::<T>() >= 16 {
            (n.next_multiple_of(register), PackMethod::Transpose(register * size_of::<T>()))
        } else if n * k <= MAX_SCALAR_MOVES {
            (n, PackMethod::Scalar)
        } else {
            return None;
        };
        if k * width > MAX_PACKED_ELEMENTS {
            return None;
        }
        Some(Self { k, n, bk, bn, width, method })
    }

    /// Cost in half cycles, like that of tiles: one shuffle or store per cycle, two loads per
    /// cycle.
    pub(crate) const fn cost<T>(&self) -> usize {
        let Self { k, n, .. } = *self;
        let rows = match self.method {
            PackMethod::Permute => 4 * k,
            PackMethod::Transpose(bytes) => {
                let block_side = 16 / size_of::<T>();
                let tiles = n.div_ceil(bytes / size_of::<T>()) * k.div_ceil(block_side);
                // Each 16-byte lane of a register is a separate load.
                let loads = block_side * bytes / 16;
                let shuffles = if block_side == 4 { 8 } else { 2 };
                tiles * (loads + 2 * shuffles + 2 * block_side)
            }
            PackMethod::Scalar => 2 * k * n,
        };
        20 + rows
    }

    /// For each row, the source lane of each lane.
    pub(crate) const fn lane_indices(&self) -> LaneIndices {
        let (mut lane_indices, mut step) = (NO_LANE_INDICES, 0);
        while step < self.k && step < MAX_PERMUTED_ROWS {
            let mut j = 0;
            while j < self.n && j < MAX_LANES {
                lane_indices[step][j] = (step * self.bk + j * self.bn) as u8;
                j += 1;
            }
            step += 1;
        }
        lane_indices
    }

    /// Packs B. `lane_indices` is the result of [`lane_indices`](Self::lane_indices).
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `I`. All elements of B must be valid for reads.
    #[inline(always)]
    pub(crate) unsafe fn pack<T: Float, I: Isa<T>>(
        &self,
        lane_indices: &LaneIndices,
        b: *const T,
        rows: &mut PackedRows<T>,
    ) {
        let Self { k, n, bk, bn, width, method } = *self;
        let to = rows.0.as_mut_ptr().cast::<T>();
        // SAFETY: guaranteed by the caller. `rows` has room for `k` rows of `width` elements, which
        // is a multiple of the register if whole registers are stored.
        unsafe {
            match method {
                PackMethod::Permute => {
                    let span = span([k, n], [bk, bn]);
                    let all = load::<T, I>(b, span);
                    for (step, row) in lane_indices.iter().enumerate().take(k) {
                        permute::<T, I>(all, span, row).store(to.wrapping_add(step * width));
                    }
                }
                PackMethod::Transpose(bytes) => {
                    let size = size_of::<T>();
                    let block = Block {
                        source: StridedRows { start: b.cast(), stride_bytes: bn * size },
                        destination: StridedRows { start: to.cast(), stride_bytes: width * size },
                        rows: n,
                        columns: k,
                        word: size,
                        total_bytes: 0,
                    };
                    match const { size_of::<T>() } {
                        4 => transpose_small::<4>(bytes, block),
                        _ => transpose_small::<8>(bytes, block),
                    }
                }
                PackMethod::Scalar => {
                    for step in 0..k {
                        for j in 0..n {
                            let element = *b.wrapping_add(step * bk + j * bn);
                            to.wrapping_add(step * width + j).write(element);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each packed element is one that the permute of a row can read, or one of the B of the product.
    #[test]
    fn packed_rows_fit_their_memory() {
        let mut permuted = 0;
        for k in 1..=100 {
            for n in 1..=20 {
                for (bk, bn) in (0..6).flat_map(|bk| (0..6).map(move |bn| (bk, bn))) {
                    let strided = Strided { m: 4, n, k, am: k, ak: 1, bk, bn, cm: n, cn: 1 };
                    for lanes in [[16, 8, 4], [8, 4, 2]] {
                        let Some(packing) = PackPlan::new::<f32>(&strided, lanes, true) else {
                            continue;
                        };
                        assert!(k * packing.width <= MAX_PACKED_ELEMENTS && n <= packing.width);
                        if matches!(packing.method, PackMethod::Permute) {
                            permuted += 1;
                            let lane_indices = packing.lane_indices();
                            assert!(
                                k <= lane_indices.len() && n <= lanes[0] && lanes[0] <= MAX_LANES
                            );
                            for (step, row) in lane_indices.iter().enumerate().take(k) {
                                for (j, &lane) in row.iter().enumerate().take(n) {
                                    assert_eq!(lane as usize, step * bk + j * bn);
                                    assert!((lane as usize) < 2 * lanes[0]);
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(permuted > 1000);
    }
}
