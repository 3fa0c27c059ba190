//! `Tile`: a block transposed in registers, in stages that interleave words.
//!
//! With `n` registers of `n` words in each lane, register `i` of row `i`, one stage makes
//! `low(r[i], r[i + n/2])` and `high(r[i], r[i + n/2])` the registers `2 * i` and `2 * i + 1`. As
//! bits, place `(row, column)` of `2 * log2(n)` bits goes to that number rotated left by one; after
//! `log2(n)` stages rows and columns have changed places.

use core::marker::PhantomData;

use super::lanes::{Lane, Lanes, Move};
use super::strip::Strip;

/// A kernel that copies the word of `W` bytes at `source[row][column]` to
/// `destination[column][row]` for each `row < ROWS` and `column < COLUMNS`.
pub(super) trait Tile {
    const ROWS: usize;
    const COLUMNS: usize;

    /// Transposes a tile, with `STREAM` past the caches.
    ///
    /// # Safety
    ///
    /// The instructions are there. Each word of the tile is readable in the source and writable in
    /// the destination, which do not overlap. With `STREAM` the rows of the destination are
    /// aligned to the register.
    unsafe fn tile<const STREAM: bool>(source: Strip<*const u8>, destination: Strip<*mut u8>);
}

/// The tile of registers `V` and words of `W` bytes: as many rows as a register has words, and
/// columns of at most `LANES` lanes, 1 or 2. Of two where rows are loaded in pairs of lanes or in
/// groups of four words.
pub(super) struct Shuffled<V, const W: usize, const LANES: usize>(PhantomData<V>);

/// One stage, with all its register numbers written out: the compiler keeps arrays in registers
/// only when no loop goes over them.
macro_rules! stage {
    ($w:literal, $r:ident: $($i:literal $j:literal),*) => {
        [$(
            // SAFETY: the caller has the instructions.
            unsafe { $r[$i].low::<$w>($r[$j]) },
            // SAFETY: as above.
            unsafe { $r[$i].high::<$w>($r[$j]) },
        )*]
    };
}

/// All stages for words of `$w` bytes.
macro_rules! stages {
    (1, $r:ident) => {{
        let $r = $crate::copy::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
        let $r = $crate::copy::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
        let $r = $crate::copy::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
        $crate::copy::shuffle::stage!(1, $r: 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15)
    }};
    (2, $r:ident) => {{
        let $r = $crate::copy::shuffle::stage!(2, $r: 0 4, 1 5, 2 6, 3 7);
        let $r = $crate::copy::shuffle::stage!(2, $r: 0 4, 1 5, 2 6, 3 7);
        $crate::copy::shuffle::stage!(2, $r: 0 4, 1 5, 2 6, 3 7)
    }};
    (4, $r:ident) => {{
        let $r = $crate::copy::shuffle::stage!(4, $r: 0 2, 1 3);
        $crate::copy::shuffle::stage!(4, $r: 0 2, 1 3)
    }};
    (8, $r:ident) => { $crate::copy::shuffle::stage!(8, $r: 0 1) };
    (16, $r:ident) => { $r };
}

/// Stores one register or streams it.
macro_rules! store {
    ($register:expr, $to:expr) => {
        if STREAM {
            // SAFETY: the row is aligned and has a register's words.
            unsafe { $register.stream($to) }
        } else {
            // SAFETY: the row has a register's words.
            unsafe { $register.store($to) }
        }
    };
}

pub(super) use {stage, stages, store};

macro_rules! tile {
    ($w:tt: $($k:literal)*; groups $groups:literal) => {
        impl<V: Lanes, const LANES: usize> Tile for Shuffled<V, $w, LANES> {
            const ROWS: usize = V::COUNT * 16 / $w;
            const COLUMNS: usize = Self::GROUPS * 16 / $w;

            #[inline(always)]
            unsafe fn tile<const STREAM: bool>(
                source: Strip<*const u8>,
                destination: Strip<*mut u8>,
            ) {
                let distance = 16 / $w * source.step;
                if V::PAIRS && Self::GROUPS == 2 {
                    let r = [$(
                        // SAFETY: a row has 32 bytes, and each lane's row is of the tile.
                        unsafe { V::load_pair(source.at($k, 0), distance) },
                    )*];
                    let (left, right) = ([$(r[$k].0),*], [$(r[$k].1),*]);
                    let (left, right) = (stages!($w, left), stages!($w, right));
                    $( store!(left[$k], destination.at($k, 0)); )*
                    $( store!(right[$k], destination.at(16 / $w + $k, 0)); )*
                } else {
                    let mut group = 0;
                    while group < Self::GROUPS {
                        let r = [$(
                            // SAFETY: a row has 16 bytes here, and each lane's row is of the tile.
                            unsafe { V::load(source.at($k, 16 * group), distance) },
                        )*];
                        let r = stages!($w, r);
                        $( store!(r[$k], destination.at(16 / $w * group + $k, 0)); )*
                        group += 1;
                    }
                }
            }
        }

        impl<V: Lanes, const LANES: usize> Shuffled<V, $w, LANES> {
            /// The lanes that a row of the tile has.
            const GROUPS: usize = if V::COUNT == 1 || LANES == 1 { 1 } else { $groups };
        }

        impl<V: Lane> Part for Shuffled<V, $w, 1> {
            #[inline(always)]
            unsafe fn part(
                source: Strip<*const u8>,
                destination: Strip<*mut u8>,
                rows: usize,
                columns: usize,
            ) {
                let bytes = columns * $w;
                let r = [$(
                    // Where there is no such row the first one, whose words are not stored.
                    // SAFETY: the row has these bytes.
                    unsafe { V::load_part(source.at(if $k < rows { $k } else { 0 }, 0), bytes) },
                )*];
                let r = stages!($w, r);
                $(
                    if $k < columns {
                        // SAFETY: the column exists, with a word for each row.
                        unsafe { r[$k].store_part(destination.at($k, 0), rows * $w) };
                    }
                )*
            }
        }
    };
}

tile!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; groups 1);
tile!(2: 0 1 2 3 4 5 6 7; groups 2);
tile!(4: 0 1 2 3; groups 2);
tile!(8: 0 1; groups 2);
tile!(16: 0; groups 1);

/// A tile that can also be transposed in part.
pub(super) trait Part: Tile {
    /// As [`Tile::tile`] for `1 <= rows <= ROWS` and `1 <= columns <= COLUMNS`.
    ///
    /// # Safety
    ///
    /// As for a whole tile, of these rows and columns. No other word is read or written.
    unsafe fn part(
        source: Strip<*const u8>,
        destination: Strip<*mut u8>,
        rows: usize,
        columns: usize,
    );
}

/// One tile as a [`Move`].
pub(super) struct Whole<K, const STREAM: bool> {
    pub(super) source: Strip<*const u8>,
    pub(super) destination: Strip<*mut u8>,
    pub(super) kernel: PhantomData<K>,
}

impl<K: Tile, const STREAM: bool> Move for Whole<K, STREAM> {
    #[inline(always)]
    unsafe fn run(self) {
        // SAFETY: the caller's promise is that of the tile.
        unsafe { K::tile::<STREAM>(self.source, self.destination) };
    }
}
