//! Kernel selection by block shape.
//!
//! Each level and word size has a table of kernels with conditions. The first kernel whose condition
//! holds is used. If none holds, words are moved one by one.

use super::blend::BlendTile;
use super::columns::{Overlapped, Pairs, WordCopy16};
use super::cover::{InBands, PartialTiles, SingleRow, has_room, is_single_row};
use super::interleave::Interleave;
use super::permute::{PermuteThree, PermuteTile};
use super::registers::{Lanes, MaskedXmm, Xmm, Ymm, Zmm};
use super::shuffle::Shuffled;
use super::{Block, BlocksFn};
use crate::simd::Level;

/// Defines the selection function of one level and word size.
macro_rules! table {
    (
        $name:ident($block:ident):
        $($register:ident $kernel:ty, if $fits:expr;)*
    ) => {
        fn $name($block: &Block) -> Option<BlocksFn> {
            $(
                if $fits {
                    return Some($register::call::<$kernel>);
                }
            )*
            None
        }
    };
}

/// The kernel for blocks of plain data. `None` if the words have to be moved one by one.
pub(super) fn choose(level: Level, block: &Block) -> Option<BlocksFn> {
    let table = match (level, block.word) {
        (Level::Avx512(_), 1) => avx512_1,
        (Level::Avx512(_), 2) => avx512_2,
        (Level::Avx512(_), 4) => avx512_4,
        (Level::Avx512(_), 8) => avx512_8,
        (Level::Avx512(_), 16) => avx512_16,
        (Level::Avx2(_), 1) => avx2_1,
        (Level::Avx2(_), 2) => avx2_2,
        (Level::Avx2(_), 4) => avx2_4,
        (Level::Avx2(_), 8) => avx2_8,
        (Level::Avx2(_), 16) => avx2_16,
        (Level::Baseline(_), 1) => sse2_1,
        (Level::Baseline(_), 2) => sse2_2,
        (Level::Baseline(_), 4) => sse2_4,
        (Level::Baseline(_), 8) => sse2_8,
        (Level::Baseline(_), 16) => sse2_16,
        _ => return None,
    };
    table(block)
}

macro_rules! avx512 {
    (
        $name:ident: $w:literal, $tile:ty
        $(, permute_three $three:literal)? $(, permute_tile $permuted:literal)?
    ) => {
        table! {
            $name(block):
            Zmm SingleRow<Zmm, $tile>, if is_single_row::<$tile>(block);
            Zmm InBands<Zmm, $tile>, if has_room::<$tile>(block);
            $( Zmm PermuteThree<$three>, if PermuteThree::<$three>::fits(block); )?
            $( Zmm SingleRow<Zmm, PermuteTile<$permuted>>,
                if is_single_row::<PermuteTile<$permuted>>(block); )?
            Ymm Interleave<$w>, if Interleave::<$w>::fits(block);
            Ymm Pairs<$w>, if Pairs::<$w>::fits(block);
            Zmm Overlapped<Zmm, $w>, if Overlapped::<Zmm, $w>::fits(block);
            Ymm Overlapped<Ymm, $w>, if Overlapped::<Ymm, $w>::fits(block);
            Zmm InBands<Zmm, Shuffled<Zmm, $w, 1>>,
                if has_room::<Shuffled<Zmm, $w, 1>>(block);
            Ymm SingleRow<Ymm, Shuffled<Ymm, $w, 2>>,
                if is_single_row::<Shuffled<Ymm, $w, 2>>(block);
            Ymm InBands<Ymm, Shuffled<Ymm, $w, 2>>,
                if has_room::<Shuffled<Ymm, $w, 2>>(block);
            MaskedXmm SingleRow<MaskedXmm, Shuffled<MaskedXmm, $w, 1>>,
                if is_single_row::<Shuffled<MaskedXmm, $w, 1>>(block);
            MaskedXmm InBands<MaskedXmm, Shuffled<MaskedXmm, $w, 1>>,
                if has_room::<Shuffled<MaskedXmm, $w, 1>>(block);
            MaskedXmm PartialTiles<Shuffled<MaskedXmm, $w, 1>>, if true;
        }
    };
}

avx512!(avx512_1: 1, Shuffled<Zmm, 1, 2>, permute_tile 1);
avx512!(avx512_2: 2, BlendTile<2>, permute_three 2, permute_tile 2);
avx512!(avx512_4: 4, BlendTile<4>, permute_three 4, permute_tile 4);
avx512!(avx512_8: 8, Shuffled<Zmm, 8, 2>, permute_three 8);

table! {
    avx512_16(block):
    Xmm WordCopy16, if WordCopy16::fits(block);
    Zmm SingleRow<Zmm, Shuffled<Zmm, 16, 1>>, if is_single_row::<Shuffled<Zmm, 16, 1>>(block);
    Zmm InBands<Zmm, Shuffled<Zmm, 16, 1>>, if true;
}

/// Whether a block has enough bytes for a tile through buffers to be faster than moving bytes one by
/// one.
const fn is_worth_buffers(block: &Block) -> bool {
    block.rows.saturating_mul(block.columns) >= 64
}

macro_rules! avx2 {
    ($name:ident: $w:literal $(, parts $parts:literal)?) => {
        table! {
            $name(block):
            Ymm SingleRow<Ymm, Shuffled<Ymm, $w, 2>>,
                if is_single_row::<Shuffled<Ymm, $w, 2>>(block);
            Ymm InBands<Ymm, Shuffled<Ymm, $w, 2>>,
                if has_room::<Shuffled<Ymm, $w, 2>>(block);
            Ymm Interleave<$w>, if Interleave::<$w>::fits(block);
            Ymm Pairs<$w>, if Pairs::<$w>::fits(block);
            Ymm Overlapped<Ymm, $w>, if Overlapped::<Ymm, $w>::fits(block);
            Ymm InBands<Ymm, Shuffled<Ymm, $w, 1>>,
                if has_room::<Shuffled<Ymm, $w, 1>>(block);
            Xmm SingleRow<Xmm, Shuffled<Xmm, $w, 1>>,
                if is_single_row::<Shuffled<Xmm, $w, 1>>(block);
            Xmm InBands<Xmm, Shuffled<Xmm, $w, 1>>,
                if has_room::<Shuffled<Xmm, $w, 1>>(block);
            $( Xmm PartialTiles<Shuffled<Xmm, $parts, 1>>, if is_worth_buffers(block); )?
        }
    };
}

avx2!(avx2_1: 1, parts 1);
avx2!(avx2_2: 2);
avx2!(avx2_4: 4);
avx2!(avx2_8: 8);

table! {
    avx2_16(block):
    Xmm WordCopy16, if WordCopy16::fits(block);
    Ymm InBands<Ymm, Shuffled<Ymm, 16, 1>>, if true;
}

macro_rules! sse2 {
    ($name:ident: $w:literal $(, parts $parts:literal)?) => {
        table! {
            $name(block):
            Xmm SingleRow<Xmm, Shuffled<Xmm, $w, 1>>,
                if is_single_row::<Shuffled<Xmm, $w, 1>>(block);
            Xmm InBands<Xmm, Shuffled<Xmm, $w, 1>>,
                if has_room::<Shuffled<Xmm, $w, 1>>(block);
            $( Xmm PartialTiles<Shuffled<Xmm, $parts, 1>>, if is_worth_buffers(block); )?
        }
    };
}

sse2!(sse2_1: 1, parts 1);
sse2!(sse2_2: 2);
sse2!(sse2_4: 4);
sse2!(sse2_8: 8);

table! {
    sse2_16(block):
    Xmm WordCopy16, if WordCopy16::fits(block);
    Xmm InBands<Xmm, Shuffled<Xmm, 16, 1>>, if true;
}
