//! Kernel selection by block shape.
//!
//! Each level and word size has a list of kernels. The first one that fits a block is used. If none
//! fits, words are moved one by one.

use super::blend::BlendTile;
use super::columns::{Overlapped, Pairs, WordCopy16};
use super::cover::{InBands, PartialTiles, SingleRow, one_lane};
use super::interleave::Interleave;
use super::permute::{PermuteThree, PermuteTile};
use super::registers::{List, list};
use super::shuffle::Shuffled;
use super::x86::{MaskedXmm, Xmm, Ymm, Zmm};
use super::{Block, BlocksFn};
use crate::simd::Level;

macro_rules! avx512 {
    ($w:literal, $tile:ty $(, $three:ty)? $(; $columns:ty)?) => {
        list! {
            SingleRow<Zmm, $tile>,
            InBands<Zmm, $tile>,
            $( $three, )?
            $( SingleRow<Zmm, $columns>, )?
            Interleave<$w>,
            Pairs<$w>,
            Overlapped<Zmm, $w>,
            Overlapped<Ymm, $w>,
            InBands<Zmm, Shuffled<Zmm, $w, 1>>,
            SingleRow<Ymm, Shuffled<Ymm, $w, 2>>,
            InBands<Ymm, Shuffled<Ymm, $w, 2>>,
            SingleRow<MaskedXmm, Shuffled<MaskedXmm, $w, 1>>,
            InBands<MaskedXmm, Shuffled<MaskedXmm, $w, 1>>,
            PartialTiles<MaskedXmm, Shuffled<MaskedXmm, $w, 1>>,
        }
    };
}

macro_rules! avx2 {
    ($w:literal $(, $partial:ty)?) => {
        list! {
            SingleRow<Ymm, Shuffled<Ymm, $w, 2>>,
            InBands<Ymm, Shuffled<Ymm, $w, 2>>,
            Interleave<$w>,
            Pairs<$w>,
            Overlapped<Ymm, $w>,
            InBands<Ymm, Shuffled<Ymm, $w, 1>>,
            SingleRow<Xmm, Shuffled<Xmm, $w, 1>>,
            InBands<Xmm, Shuffled<Xmm, $w, 1>>,
            $( $partial, )?
        }
    };
}

/// The kernel for blocks of plain data. `None` if the words have to be moved one by one.
pub(super) fn choose(level: Level, block: &Block) -> Option<BlocksFn> {
    type PartialBytes = PartialTiles<Xmm, Shuffled<Xmm, 1, 1>>;
    let first: List = match (level, block.word) {
        (Level::Avx512(_), 1) => avx512!(1, Shuffled<Zmm, 1, 2>; PermuteTile<1>),
        (Level::Avx512(_), 2) => avx512!(2, BlendTile<2>, PermuteThree<2>; PermuteTile<2>),
        (Level::Avx512(_), 4) => avx512!(4, BlendTile<4>, PermuteThree<4>; PermuteTile<4>),
        (Level::Avx512(_), 8) => avx512!(8, Shuffled<Zmm, 8, 2>, PermuteThree<8>),
        (Level::Avx512(_), 16) => list! {
            WordCopy16,
            SingleRow<Zmm, Shuffled<Zmm, 16, 1>>,
            InBands<Zmm, Shuffled<Zmm, 16, 1>>,
        },
        (Level::Avx2(_), 1) => avx2!(1, PartialBytes),
        (Level::Avx2(_), 2) => avx2!(2),
        (Level::Avx2(_), 4) => avx2!(4),
        (Level::Avx2(_), 8) => avx2!(8),
        (Level::Avx2(_), 16) => list!(WordCopy16, InBands<Ymm, Shuffled<Ymm, 16, 1>>,),
        (Level::Baseline(_), 16) => list!(WordCopy16, InBands<Xmm, Shuffled<Xmm, 16, 1>>,),
        (Level::Baseline(_), _) => one_lane::<Xmm>,
        _ => return None,
    };
    first(block)
}
