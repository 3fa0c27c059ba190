//! `Tile`: a block transposed in registers, and the portable one for elements of any kind, with
//! which gemm packs its panels.

use core::marker::PhantomData;

/// A kernel that transposes blocks of at most `SIDE` by `SIDE` elements.
///
/// It copies `source[row * source_step + column]` to
/// `destination[column * destination_step + row]` for each `row < rows` and `column < columns`.
pub trait Tile {
    /// What the elements are loaded as.
    type Word: Copy;
    /// The number of rows and of columns of a whole tile.
    const SIDE: usize;

    /// Transposes a tile, or, if `PART`, `1 <= rows <= SIDE` rows and `1 <= columns <= SIDE`
    /// columns of one.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of this tile. Each element of the source that is copied
    /// is readable and holds a value of `Word`, each one of the destination is writable, and the
    /// two do not overlap. No other element is read or written.
    unsafe fn tile<const PART: bool>(
        source: Strip<*const Self::Word>,
        destination: Strip<*mut Self::Word>,
        rows: usize,
        columns: usize,
    );

    /// [`square`] as a function of its own, with the instructions of this tile.
    ///
    /// # Safety
    ///
    /// As for [`tile`](Self::tile).
    unsafe fn square_apart(
        source: Strip<*const Self::Word>,
        destination: Strip<*mut Self::Word>,
        rows: usize,
        columns: usize,
    );
}

/// A pointer to a block and the distance of its rows, which are contiguous.
#[derive(Clone, Copy)]
pub struct Strip<P> {
    pub(crate) start: P,
    pub(crate) step: usize,
}

impl<T> Strip<*const T> {
    /// The place of `row` and `column`; inside the memory if the block has them.
    #[inline(always)]
    pub(crate) fn at(self, row: usize, column: usize) -> *const T {
        self.start.wrapping_add(row * self.step + column)
    }

    #[inline(always)]
    pub(crate) fn shifted(self, row: usize, column: usize) -> Self {
        Self { start: self.at(row, column), step: self.step }
    }
}

impl<T> Strip<*mut T> {
    /// The place of `row` and `column`; inside the memory if the block has them.
    #[inline(always)]
    pub(crate) fn at(self, row: usize, column: usize) -> *mut T {
        self.start.wrapping_add(row * self.step + column)
    }

    #[inline(always)]
    pub(crate) fn shifted(self, row: usize, column: usize) -> Self {
        Self { start: self.at(row, column), step: self.step }
    }
}

/// The bytes that memory moves at once.
const CACHE_LINE: usize = 64;

/// The side of a square: a cache line, or a tile that is larger.
const fn side<V: Tile>() -> usize {
    let elements = match CACHE_LINE.checked_div(size_of::<V::Word>()) {
        Some(elements) => elements,
        None => 1,
    };
    if elements > V::SIDE { elements } else { V::SIDE }
}

/// Transposes a square, or a part of one, tile by tile.
///
/// # Safety
///
/// As for [`Tile::tile`].
#[inline(always)]
pub(crate) unsafe fn square<V: Tile>(
    source: Strip<*const V::Word>,
    destination: Strip<*mut V::Word>,
    rows: usize,
    columns: usize,
) {
    let side = const { side::<V>() };
    if rows == side && columns == side {
        // Said again, so that the numbers are constants in the loops.
        // SAFETY: the caller's promise.
        unsafe { tiles::<V>(source, destination, side, side) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { tiles::<V>(source, destination, rows, columns) };
    }
}

#[inline(always)]
pub(crate) unsafe fn tiles<V: Tile>(
    source: Strip<*const V::Word>,
    destination: Strip<*mut V::Word>,
    rows: usize,
    columns: usize,
) {
    let mut column = 0;
    while column < columns {
        let width = (columns - column).min(V::SIDE);
        let mut row = 0;
        while row < rows {
            let height = (rows - row).min(V::SIDE);
            let (from, to) = (source.shifted(row, column), destination.shifted(column, row));
            if height == V::SIDE && width == V::SIDE {
                // SAFETY: a tile inside the block, of which the caller says all that is needed.
                unsafe { V::tile::<false>(from, to, height, width) };
            } else {
                // SAFETY: as above, and neither side is zero.
                unsafe { V::tile::<true>(from, to, height, width) };
            }
            row += V::SIDE;
        }
        column += V::SIDE;
    }
}

/// Tiles of elements of any type, element by element: the tile only keeps them in the cache.
pub(crate) struct Plain<T>(PhantomData<T>);

impl<T: Copy> Tile for Plain<T> {
    type Word = T;
    const SIDE: usize = 8;

    #[inline(always)]
    unsafe fn tile<const PART: bool>(
        source: Strip<*const T>,
        destination: Strip<*mut T>,
        rows: usize,
        columns: usize,
    ) {
        for column in 0..columns {
            for row in 0..rows {
                // SAFETY: `row < rows` and `column < columns`, so that it may be read.
                let element = unsafe { source.at(row, column).read() };
                // SAFETY: for the same reason it may be written.
                unsafe { destination.at(column, row).write(element) };
            }
        }
    }

    unsafe fn square_apart(
        source: Strip<*const T>,
        destination: Strip<*mut T>,
        rows: usize,
        columns: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { square::<Self>(source, destination, rows, columns) };
    }
}
