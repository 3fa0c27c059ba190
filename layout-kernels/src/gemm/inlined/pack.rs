//! Packs a small operand of a static product into rows of vectors on the stack, in registers.
//!
//! Used if C has vectors along n and B does not, most often because B is contiguous along K.
//! Everything is constant, so that LLVM keeps in registers what fits.

use core::mem::MaybeUninit;

use crate::gemm::float::Float;
use crate::gemm::inlined::permute::{load, pick, span};
use crate::gemm::problem::strided::Strided;
use crate::simd::vector::{Isa, MAX_LANES, Vector};
use crate::transpose::registers::{Xmm, Ymm, Zmm};
use crate::transpose::{Block, StridedRows, small};

/// Maximum number of elements that are packed one by one.
const MOST_SINGLE: usize = 64;
/// Maximum number of elements of the packed rows.
pub(crate) const MOST: usize = 512;

/// Maximum number of rows that are packed by permutes.
const MAX_PICKED: usize = 2 * MAX_LANES;

/// For each row, the source lane of each lane.
pub(crate) type Picks = [[u8; MAX_LANES]; MAX_PICKED];
pub(crate) const NO_PICKS: Picks = [[0; MAX_LANES]; MAX_PICKED];

/// Stack memory for the packed rows.
#[repr(align(64))]
pub(crate) struct Rows<T>(pub(crate) [MaybeUninit<T>; MOST]);

/// How B is packed into `k` rows of `n` elements.
#[derive(Clone, Copy)]
pub(crate) struct Packing {
    k: usize,
    n: usize,
    /// Strides of B along K and along n, in elements.
    bk: usize,
    bn: usize,
    /// Row pitch of the packed B, in elements.
    pub(crate) width: usize,
    way: Way,
}

#[derive(Clone, Copy)]
enum Way {
    /// All of B is in two registers; the lanes of each row pick their elements by permutes.
    Picks,
    /// Blocks are transposed in registers of this many bytes.
    Transposes(usize),
    /// Elements are moved one by one.
    OneByOne,
}

impl Packing {
    /// The packing of the B of a product, if B is small. `lanes` are those of full, half and
    /// quarter registers. `picks` says whether the level has permutes, see [`Isa::PICKS`].
    pub(crate) const fn new<T>(flat: &Strided, lanes: [usize; 3], picks: bool) -> Option<Self> {
        let Strided { n, k, bk, bn, .. } = *flat;
        let [full, half, quarter] = lanes;
        if n == 0 || k == 0 || n > MOST || k > MOST {
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
        let fits = n <= full && k <= MAX_PICKED && span([k, n], [bk, bn]) <= 2 * full;
        let (width, way) = if picks && fits {
            (full, Way::Picks)
        } else if bk == 1 && n > 1 && k * size_of::<T>() >= 16 {
            (n.next_multiple_of(register), Way::Transposes(register * size_of::<T>()))
        } else if n * k <= MOST_SINGLE {
            (n, Way::OneByOne)
        } else {
            return None;
        };
        if k * width > MOST {
            return None;
        }
        Some(Self { k, n, bk, bn, width, way })
    }

    /// Cost in half cycles, like that of tiles: one shuffle or store per cycle, two loads per
    /// cycle.
    pub(crate) const fn cost<T>(&self) -> usize {
        let Self { k, n, .. } = *self;
        let rows = match self.way {
            Way::Picks => 4 * k,
            Way::Transposes(bytes) => {
                let side = 16 / size_of::<T>();
                let tiles = n.div_ceil(bytes / size_of::<T>()) * k.div_ceil(side);
                // Each 16-byte lane of a register is a separate load.
                let loads = side * bytes / 16;
                let shuffles = if side == 4 { 8 } else { 2 };
                tiles * (loads + 2 * shuffles + 2 * side)
            }
            Way::OneByOne => 2 * k * n,
        };
        20 + rows
    }

    /// For each row, the source lane of each lane.
    pub(crate) const fn places(&self) -> Picks {
        let (mut places, mut step) = (NO_PICKS, 0);
        while step < self.k && step < MAX_PICKED {
            let mut j = 0;
            while j < self.n && j < MAX_LANES {
                places[step][j] = (step * self.bk + j * self.bn) as u8;
                j += 1;
            }
            step += 1;
        }
        places
    }

    /// Packs B. `places` is the result of [`places`](Self::places).
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `I`. All elements of B must be valid for reads.
    #[inline(always)]
    pub(crate) unsafe fn pack<T: Float, I: Isa<T>>(
        &self,
        places: &Picks,
        b: *const T,
        rows: &mut Rows<T>,
    ) {
        let Self { k, n, bk, bn, width, way } = *self;
        let to = rows.0.as_mut_ptr().cast::<T>();
        // SAFETY: guaranteed by the caller. `rows` has room for `k` rows of `width` elements, which
        // is a multiple of the register if whole registers are stored.
        unsafe {
            match way {
                Way::Picks => {
                    let span = span([k, n], [bk, bn]);
                    let all = load::<T, I>(b, span);
                    for (step, places) in places.iter().enumerate().take(k) {
                        pick::<T, I>(all, span, places).store(to.wrapping_add(step * width));
                    }
                }
                Way::Transposes(bytes) => {
                    let size = size_of::<T>();
                    let block = Block {
                        source: StridedRows { start: b.cast(), step: bn * size },
                        destination: StridedRows { start: to.cast(), step: width * size },
                        rows: n,
                        columns: k,
                        word: size,
                        total_bytes: 0,
                    };
                    match (bytes, const { size_of::<T>() }) {
                        (64, 4) => small::<Zmm, 4>(block),
                        (64, _) => small::<Zmm, 8>(block),
                        (32, 4) => small::<Ymm, 4>(block),
                        (32, _) => small::<Ymm, 8>(block),
                        (_, 4) => small::<Xmm, 4>(block),
                        _ => small::<Xmm, 8>(block),
                    }
                }
                Way::OneByOne => {
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

    /// Each packed element is one that a row can pick, or one of the B of the product.
    #[test]
    fn packed_rows_fit_their_memory() {
        let mut picked = 0;
        for k in 1..=100 {
            for n in 1..=20 {
                for (bk, bn) in (0..6).flat_map(|bk| (0..6).map(move |bn| (bk, bn))) {
                    let strided = Strided { m: 4, n, k, am: k, ak: 1, bk, bn, cm: n, cn: 1 };
                    for lanes in [[16, 8, 4], [8, 4, 2]] {
                        let Some(packing) = Packing::new::<f32>(&strided, lanes, true) else {
                            continue;
                        };
                        assert!(k * packing.width <= MOST && n <= packing.width);
                        if matches!(packing.way, Way::Picks) {
                            picked += 1;
                            let places = packing.places();
                            assert!(k <= places.len() && n <= lanes[0] && lanes[0] <= MAX_LANES);
                            for (step, row) in places.iter().enumerate().take(k) {
                                for (j, &place) in row.iter().enumerate().take(n) {
                                    assert_eq!(place as usize, step * bk + j * bn);
                                    assert!((place as usize) < 2 * lanes[0]);
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(picked > 1000);
    }
}
