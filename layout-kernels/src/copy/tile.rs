//! `Tile`: a block transposed in registers, and the portable one for elements of any kind.

use core::marker::PhantomData;

/// A kernel that transposes blocks of at most `SIDE` by `SIDE` elements.
///
/// It copies `source[row * source_step + column]` to
/// `destination[column * destination_step + row]` for each `row < rows` and `column < columns`.
pub(super) trait Tile {
    /// What the elements are loaded as.
    type Word: Copy;
    /// The number of rows and of columns of a whole tile.
    const SIDE: usize;

    /// Transposes a tile, or, if `PART`, `1 <= rows <= SIDE` rows and `1 <= columns <= SIDE`
    /// columns of one.
    ///
    /// With `INLINE` the instructions come into the caller's loops, which is right where strides
    /// are constants. Where they are not, the compiler would keep a pointer for every row of the
    /// tile across the loops, and has not enough registers: then a call is faster.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of this tile. Each element of the source that is copied
    /// is readable and holds a value of `Word`, each one of the destination is writable, and the
    /// two do not overlap. No other element is read or written.
    unsafe fn tile<const PART: bool, const INLINE: bool>(
        source: Strip<*const Self::Word>,
        destination: Strip<*mut Self::Word>,
        rows: usize,
        columns: usize,
    );
}

/// A pointer to a block and the distance of its rows, which are contiguous.
#[derive(Clone, Copy)]
pub(super) struct Strip<P> {
    pub(super) start: P,
    pub(super) step: usize,
}

impl<T> Strip<*const T> {
    /// The place of `row` and `column`; inside the memory if the block has them.
    #[inline(always)]
    pub(super) fn at(self, row: usize, column: usize) -> *const T {
        self.start.wrapping_add(row * self.step + column)
    }

    #[inline(always)]
    pub(super) fn shifted(self, row: usize, column: usize) -> Self {
        Self { start: self.at(row, column), step: self.step }
    }

    #[inline(always)]
    pub(super) fn cast<W>(self) -> Strip<*const W> {
        Strip { start: self.start.cast(), step: self.step }
    }
}

impl<T> Strip<*mut T> {
    /// The place of `row` and `column`; inside the memory if the block has them.
    #[inline(always)]
    pub(super) fn at(self, row: usize, column: usize) -> *mut T {
        self.start.wrapping_add(row * self.step + column)
    }

    #[inline(always)]
    pub(super) fn shifted(self, row: usize, column: usize) -> Self {
        Self { start: self.at(row, column), step: self.step }
    }

    #[inline(always)]
    pub(super) fn cast<W>(self) -> Strip<*mut W> {
        Strip { start: self.start.cast(), step: self.step }
    }
}

/// Transposes a block of any size, tile by tile.
///
/// # Safety
///
/// As for [`Tile::tile`].
#[inline(always)]
pub(super) unsafe fn transpose<V: Tile, const INLINE: bool>(
    source: Strip<*const V::Word>,
    destination: Strip<*mut V::Word>,
    rows: usize,
    columns: usize,
) {
    // Along a line of tiles the destination moves to the next row of memory and the source stays
    // in its rows; the other order measured the same.
    let mut row = 0;
    while row < rows {
        let height = (rows - row).min(V::SIDE);
        let mut column = 0;
        while column < columns {
            let width = (columns - column).min(V::SIDE);
            let (from, to) = (source.shifted(row, column), destination.shifted(column, row));
            if height == V::SIDE && width == V::SIDE {
                // SAFETY: a tile inside the block, of which the caller says all that is needed.
                unsafe { V::tile::<false, INLINE>(from, to, height, width) };
            } else {
                // SAFETY: as above, and neither side is zero.
                unsafe { V::tile::<true, INLINE>(from, to, height, width) };
            }
            column += V::SIDE;
        }
        row += V::SIDE;
    }
}

/// Tiles of elements of any type, element by element: the tile only keeps them in the cache.
pub(super) struct Plain<T>(PhantomData<T>);

impl<T: Copy> Tile for Plain<T> {
    type Word = T;
    const SIDE: usize = 8;

    #[inline(always)]
    unsafe fn tile<const PART: bool, const INLINE: bool>(
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
}
