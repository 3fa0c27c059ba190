//! `Shuffled`: in-register transposition of a block in stages that interleave words.
//!
//! Let a lane have `n` words, and let register `i` of `n` registers hold row `i`. A stage writes
//! `low(r[i], r[i + n/2])` and `high(r[i], r[i + n/2])` to registers `2 * i` and `2 * i + 1`. This
//! rotates the bits of the position `(row, column)`, `2 * log2(n)` in all, left by one. After
//! `log2(n)` stages rows and columns have changed places.

use core::marker::PhantomData;

use super::registers::{Lanes, Unmasked};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::x86::MaskedXmm;
use super::{CACHE_LINE, StridedRows, move_run};

/// A tile of words of `WORD` bytes: `source[row][column]` goes to `destination[column][row]` for each
/// `row < ROWS` and `column < COLUMNS`.
pub(crate) trait Tile {
    const ROWS: usize;
    const COLUMNS: usize;
    /// Size of a word in bytes.
    const WORD: usize;

    /// Whether rows of the destination are exactly cache lines, so that non-temporal stores can be
    /// used.
    const CAN_STREAM: bool = Self::ROWS * Self::WORD == CACHE_LINE;

    /// Transposes a tile, with non-temporal stores if `stream`.
    ///
    /// # Safety
    ///
    /// The CPU supports the instructions. Each word of the tile is readable in the source and
    /// writable in the destination, and the two do not overlap. With `stream`,
    /// [`CAN_STREAM`](Self::CAN_STREAM) holds and rows of the destination are aligned to a cache
    /// line.
    unsafe fn tile(source: StridedRows<*const u8>, destination: StridedRows<*mut u8>, stream: bool);
}

/// A tile that can also be transposed partially.
pub(super) trait PartialTile: Tile {
    /// For blocks of fewer words, moving them one by one is faster.
    const MIN_WORDS: usize = 0;

    /// Like [`Tile::tile`], for `1 <= rows <= ROWS` and `1 <= columns <= COLUMNS`. No other word is
    /// read or written.
    ///
    /// # Safety
    ///
    /// That of [`Tile::tile`], for these rows and columns.
    unsafe fn partial_tile(
        source: StridedRows<*const u8>,
        destination: StridedRows<*mut u8>,
        rows: usize,
        columns: usize,
    );
}

/// The tile of registers `V` and words of `W` bytes. It has as many rows as a register has words, and
/// its rows are at most `LANES` lanes wide (1 or 2). Words of 1 or 16 bytes and registers of one lane
/// always have rows of one lane.
pub(super) struct Shuffled<V, const W: usize, const LANES: usize>(PhantomData<V>);

/// One stage, fully unrolled over the register indices: LLVM keeps arrays in registers only if no
/// loop indexes them.
macro_rules! stage {
    ($w:literal, $r:ident: $($i:literal $j:literal),*) => {
        [$($r[$i].low::<$w>($r[$j]), $r[$i].high::<$w>($r[$j])),*]
    };
}

/// All stages for words of `$w` bytes. For use in an `unsafe` block.
macro_rules! stages {
    (1, $r:ident) => {{
        let $r = $crate::transpose::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
        let $r = $crate::transpose::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
        let $r = $crate::transpose::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
        $crate::transpose::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15)
    }};
    (2, $r:ident) => {{
        let $r = $crate::transpose::shuffle::stage!(2, $r: 0 4, 1 5, 2 6, 3 7);
        let $r = $crate::transpose::shuffle::stage!(2, $r: 0 4, 1 5, 2 6, 3 7);
        $crate::transpose::shuffle::stage!(2, $r: 0 4, 1 5, 2 6, 3 7)
    }};
    (4, $r:ident) => {{
        let $r = $crate::transpose::shuffle::stage!(4, $r: 0 2, 1 3);
        $crate::transpose::shuffle::stage!(4, $r: 0 2, 1 3)
    }};
    (8, $r:ident) => { $crate::transpose::shuffle::stage!(8, $r: 0 1) };
    (16, $r:ident) => { $r };
}

/// Stores registers, with non-temporal stores if `$stream`. For use in an `unsafe` block.
macro_rules! store {
    ($stream:expr, $($register:expr, $to:expr;)*) => {
        if const { Self::CAN_STREAM } && $stream {
            $( $register.stream($to); )*
        } else {
            $( $register.store($to); )*
        }
    };
}

pub(super) use {stage, stages, store};

macro_rules! tile {
    ($w:tt: $($k:literal)*; groups $groups:literal) => {
        impl<V: Lanes, const LANES: usize> Tile for Shuffled<V, $w, LANES> {
            const ROWS: usize = V::BYTES / $w;
            const COLUMNS: usize = Self::LANES_PER_ROW * 16 / $w;
            const WORD: usize = $w;

            #[inline(always)]
            unsafe fn tile(
                source: StridedRows<*const u8>,
                destination: StridedRows<*mut u8>,
                stream: bool,
            ) {
                let stride_bytes = 16 / $w * source.stride_bytes;
                // SAFETY: guaranteed by the caller: rows have `LANES_PER_ROW` lanes of words, and the
                // lanes of a register are rows of the tile.
                unsafe {
                    if const { V::COUNT == 4 && Self::LANES_PER_ROW == 2 } {
                        let r = [$( V::load_pair(source.at($k, 0), stride_bytes) ),*];
                        let (left, right) = ([$(r[$k].0),*], [$(r[$k].1),*]);
                        let (left, right) = (stages!($w, left), stages!($w, right));
                        store!(
                            stream,
                            $( left[$k], destination.at($k, 0); )*
                            $( right[$k], destination.at(16 / $w + $k, 0); )*
                        );
                    } else {
                        let mut group = 0;
                        while group < Self::LANES_PER_ROW {
                            let r = [$( V::load(source.at($k, 16 * group), stride_bytes) ),*];
                            let r = stages!($w, r);
                            store!(stream, $( r[$k], destination.at(16 / $w * group + $k, 0); )*);
                            group += 1;
                        }
                    }
                }
            }
        }

        impl<V: Lanes, const LANES: usize> Shuffled<V, $w, LANES> {
            /// Lanes per row of the tile.
            const LANES_PER_ROW: usize = if V::COUNT == 1 || LANES == 1 { 1 } else { $groups };
        }

        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        impl PartialTile for Shuffled<MaskedXmm, $w, 1> {
            #[inline(always)]
            unsafe fn partial_tile(
                source: StridedRows<*const u8>,
                destination: StridedRows<*mut u8>,
                rows: usize,
                columns: usize,
            ) {
                let bytes = columns * $w;
                // SAFETY: guaranteed by the caller. Missing rows load the first row; their words are
                // not stored.
                unsafe {
                    let r = [$( MaskedXmm::load_part(source.at(if $k < rows { $k } else { 0 }, 0), bytes) ),*];
                    let r = stages!($w, r);
                    $(
                        if $k < columns {
                            r[$k].store_part(destination.at($k, 0), rows * $w);
                        }
                    )*
                }
            }
        }
    };
}

tile!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; groups 1);
tile!(2: 0 1 2 3 4 5 6 7; groups 2);
tile!(4: 0 1 2 3; groups 2);
tile!(8: 0 1; groups 2);
tile!(16: 0; groups 1);

/// Bytes without masks: a whole tile through buffers. (With larger words, moving a partial tile word
/// by word is faster.)
impl<V: Unmasked> PartialTile for Shuffled<V, 1, 1> {
    const MIN_WORDS: usize = 64;

    #[inline(always)]
    unsafe fn partial_tile(
        source: StridedRows<*const u8>,
        destination: StridedRows<*mut u8>,
        rows: usize,
        columns: usize,
    ) {
        let (mut from, mut to) = ([[0u8; 16]; 16], [[0u8; 16]; 16]);
        for (row, buffer) in from[..rows].iter_mut().enumerate() {
            // SAFETY: guaranteed by the caller: the bytes of a row, at most 16.
            unsafe { move_run(source.at(row, 0), buffer.as_mut_ptr(), columns) };
        }
        let whole = StridedRows { start: from.as_flattened().as_ptr(), stride_bytes: 16 };
        let transposed =
            StridedRows { start: to.as_flattened_mut().as_mut_ptr(), stride_bytes: 16 };
        // SAFETY: the buffers have room for a tile.
        unsafe { Self::tile(whole, transposed, false) };
        for (column, buffer) in to[..columns].iter().enumerate() {
            // SAFETY: guaranteed by the caller: the bytes of a column.
            unsafe { move_run(buffer.as_ptr(), destination.at(column, 0), rows) };
        }
    }
}
