//! The table of kernels: which one is for which block.

use super::columns::{Lanewise, Overlapped, Pairs};
use super::cover::{InBands, InOrder, InParts};
use super::halved::Halved;
use super::interleave::Interleave;
use super::permute::{Quads, Triples};
use super::registers::{Lanes, MaskedXmm, Xmm, Ymm, Zmm};
use super::shuffle::{Shuffled, Tile};
use super::{Block, BlocksFn};
use crate::simd::Level;

/// The kernel for blocks of numbers, if this level and word size have one.
pub(super) fn choose(level: Level, block: &Block, stream: bool) -> Option<BlocksFn> {
    /// The first function whose condition holds.
    macro_rules! first {
        ($($register:ident $kernel:ty: $fits:expr;)*) => {
            $( if $fits { return Some($register::call::<$kernel>); } )*
        };
    }
    /// Tiles `$tile`, past the caches where that is asked for and `$past`.
    macro_rules! tiles {
        ($($register:ident $tile:ty $(, past $past:literal)?;)*) => {$(
            if block.rows >= <$tile>::ROWS && block.columns >= <$tile>::COLUMNS {
                $( if $past && stream {
                    first! {
                        $register InOrder<$register, $tile, true>:
                            InOrder::<$register, $tile, true>::fits(block);
                        $register InBands<$register, $tile, true>: true;
                    }
                } )?
                first! {
                    $register InOrder<$register, $tile, false>:
                        InOrder::<$register, $tile, false>::fits(block);
                    $register InBands<$register, $tile, false>: true;
                }
            }
        )*};
    }
    /// The kernels of AVX-512 for words of `$w` bytes, with the first tile `$tile`.
    macro_rules! avx512 {
        ($w:literal, $tile:ty $(, triples $triples:literal)? $(, quads $quads:literal)?) => {{
            tiles! { Zmm $tile, past true; }
            $( first! { Zmm Triples<$triples>: Triples::<$triples>::fits(block); } )?
            $( first! {
                Zmm InOrder<Zmm, Quads<$quads>, false>:
                    InOrder::<Zmm, Quads<$quads>, false>::fits(block);
            } )?
            first! {
                Ymm Interleave<$w>: Interleave::<$w>::fits(block);
                Ymm Pairs<$w>: Pairs::<$w>::fits(block);
                Zmm Overlapped<Zmm, $w>: Overlapped::<Zmm, $w>::fits(block);
                Ymm Overlapped<Ymm, $w>: Overlapped::<Ymm, $w>::fits(block);
            }
            tiles! {
                Zmm Shuffled<Zmm, $w, 1>, past true;
                Ymm Shuffled<Ymm, $w, 2>;
                MaskedXmm Shuffled<MaskedXmm, $w, 1>;
            }
            Some(MaskedXmm::call::<InParts<Shuffled<MaskedXmm, $w, 1>>>)
        }};
    }
    macro_rules! avx2 {
        ($w:literal) => {{
            tiles! { Ymm Shuffled<Ymm, $w, 2>; }
            first! {
                Ymm Interleave<$w>: Interleave::<$w>::fits(block);
                Ymm Pairs<$w>: Pairs::<$w>::fits(block);
                Ymm Overlapped<Ymm, $w>: Overlapped::<Ymm, $w>::fits(block);
            }
            tiles! { Ymm Shuffled<Ymm, $w, 1>; Xmm Shuffled<Xmm, $w, 1>; }
            Some(Xmm::call::<InParts<Shuffled<Xmm, $w, 1>>>)
        }};
    }
    macro_rules! sse2 {
        ($w:literal) => {{
            tiles! { Xmm Shuffled<Xmm, $w, 1>; }
            Some(Xmm::call::<InParts<Shuffled<Xmm, $w, 1>>>)
        }};
    }
    let _ = stream;
    match (level, block.word) {
        (Level::Portable, _) => None,
        (_, 16) if Lanewise::fits(block) => Some(Xmm::call::<Lanewise>),
        (Level::Avx512(_), 1) => avx512!(1, Shuffled<Zmm, 1, 2>, quads 1),
        (Level::Avx512(_), 2) => avx512!(2, Halved<2>, triples 2, quads 2),
        (Level::Avx512(_), 4) => avx512!(4, Halved<4>, triples 4, quads 4),
        (Level::Avx512(_), 8) => avx512!(8, Shuffled<Zmm, 8, 2>, triples 8),
        (Level::Avx512(_), 16) => {
            tiles! { Zmm Shuffled<Zmm, 16, 2>, past true; }
            sse2!(16)
        }
        (Level::Avx2(_), 1) => avx2!(1),
        (Level::Avx2(_), 2) => avx2!(2),
        (Level::Avx2(_), 4) => avx2!(4),
        (Level::Avx2(_), 8) => avx2!(8),
        (Level::Avx2(_), 16) => {
            tiles! { Ymm Shuffled<Ymm, 16, 2>; }
            sse2!(16)
        }
        (_, 1) => sse2!(1),
        (_, 2) => sse2!(2),
        (_, 4) => sse2!(4),
        (_, 8) => sse2!(8),
        (_, 16) => sse2!(16),
        _ => None,
    }
}
