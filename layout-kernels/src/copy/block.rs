//! A block of any size that is transposed tile by tile, and the tiles of each level.

#[cfg(target_arch = "x86_64")]
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

#[cfg(target_arch = "x86_64")]
use super::lanes::{Lane, Lanes, Move};
#[cfg(target_arch = "x86_64")]
use super::narrow::Narrow;
#[cfg(target_arch = "x86_64")]
use super::registers::{MaskedXmm, Xmm, Ymm, Zmm};
#[cfg(target_arch = "x86_64")]
use super::shuffle::{Part, Piece, Shuffled, Tile, Whole};
use super::strip::Strip;
#[cfg(target_arch = "x86_64")]
use super::wide::Wide;
#[cfg(target_arch = "x86_64")]
use crate::simd::prefetch;

/// The bytes that memory moves at once.
pub(super) const CACHE_LINE: usize = 64;

/// A run of at least so many bytes may start anywhere and still be streamed: what is before the
/// first whole cache line and after the last one is little.
pub(super) const LONG_RUN: usize = 1 << 10;

/// Words of which `rows` lie one after the other in the destination and `columns` in the source.
///
/// The word at `source[row][column]` goes to `destination[column][row]`.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) source: Strip<*const u8>,
    pub(super) destination: Strip<*mut u8>,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// A level as a type: how it transposes numbers.
pub(super) trait Transposes {
    /// Transposes a block of numbers of `W` bytes, 1, 2, 4, 8 or 16.
    ///
    /// With `INLINE` the tiles come into the loops, which is right where strides are constants.
    /// Where they are not, the compiler would keep a pointer for every row of a tile across the
    /// loops, and has not enough registers: then a call for each tile is faster.
    ///
    /// With `STREAM` whole tiles are written past the caches, where the level has registers of a
    /// cache line.
    ///
    /// # Safety
    ///
    /// The instructions of the level are there. Each word of the block is readable in the source,
    /// where it is a number, and writable in the destination, which do not overlap. With `STREAM`,
    /// each row of the destination starts a cache line, and [`fence`](Self::fence) follows.
    unsafe fn block<const W: usize, const INLINE: bool, const STREAM: bool>(block: Block);

    /// Copies a run past the caches, and asks for what is `ahead` bytes behind it in the source. A
    /// long run ([`LONG_RUN`]) may start anywhere: what lies in a cache line with others stays in
    /// the caches. Fewer bytes than a cache line complete one together with those of other calls.
    ///
    /// # Safety
    ///
    /// The instructions of the level are there; the bytes can be read, and written, and do not
    /// overlap; a run that is not long is 16 or 32 bytes at a multiple of so many, or whole cache
    /// lines; [`fence`](Self::fence) follows.
    unsafe fn stream(source: *const u8, destination: *mut u8, bytes: usize, ahead: usize);

    /// Makes what was streamed visible before what is stored later.
    fn fence();
}

/// See [`Level::Portable`](crate::simd::Level::Portable).
pub(super) struct Portable;

impl Transposes for Portable {
    #[inline(always)]
    unsafe fn block<const W: usize, const INLINE: bool, const STREAM: bool>(block: Block) {
        // SAFETY: the caller's promise.
        unsafe { one_by_one::<[MaybeUninit<u8>; W]>(block) };
    }

    #[inline(always)]
    unsafe fn stream(source: *const u8, destination: *mut u8, bytes: usize, _: usize) {
        // SAFETY: the caller's promise.
        unsafe { ptr::copy_nonoverlapping(source, destination, bytes) };
    }

    #[inline(always)]
    fn fence() {}
}

#[cfg(target_arch = "x86_64")]
macro_rules! level {
    ($(#[$doc:meta])* $name:ident: $wide:ty, $half:ty, $one:ty) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl Transposes for $name {
            #[inline(always)]
            unsafe fn block<const W: usize, const INLINE: bool, const STREAM: bool>(block: Block) {
                macro_rules! tiles {
                    ($w:literal, $inline:expr) => {
                        // SAFETY: the caller's promise.
                        unsafe { tiles::<$wide, $half, $one, Of<$w>, { $inline }, STREAM>(block) }
                    };
                }
                match W {
                    // These tiles are long, so that a call of one is nothing.
                    1 => tiles!(1, false),
                    2 => tiles!(2, false),
                    4 => tiles!(4, INLINE),
                    8 => tiles!(8, INLINE),
                    _ => tiles!(16, INLINE),
                }
            }

            #[inline(always)]
            unsafe fn stream(source: *const u8, destination: *mut u8, bytes: usize, ahead: usize) {
                // SAFETY: the caller's promise.
                unsafe { stream::<$wide, $half>(source, destination, bytes, ahead) };
            }

            #[inline(always)]
            fn fence() {
                // SAFETY: x86-64 has the instruction.
                unsafe { <$wide>::fence() };
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
level!(
    /// See [`Level::Avx512`](crate::simd::Level::Avx512).
    Avx512: Zmm, Ymm, MaskedXmm
);
#[cfg(target_arch = "x86_64")]
level!(
    /// See [`Level::Avx2`](crate::simd::Level::Avx2).
    Avx2: Ymm, Ymm, Xmm
);
#[cfg(target_arch = "x86_64")]
level!(
    /// See [`Level::Baseline`](crate::simd::Level::Baseline).
    Sse2: Xmm, Xmm, Xmm
);

/// Words of `W` bytes, 1, 2, 4, 8 or 16, and their tiles.
#[cfg(target_arch = "x86_64")]
struct Of<const W: usize>;

#[cfg(target_arch = "x86_64")]
trait Words {
    const BYTES: usize;
    type Tile<V: Lanes>: Tile;
    /// One of fewer columns, if there is one.
    type Slim<V: Lanes>: Tile;
    type Part<V: Lane>: Part;
}

#[cfg(target_arch = "x86_64")]
macro_rules! words {
    ($($w:literal)*) => {$(
        impl Words for Of<$w> {
            const BYTES: usize = $w;
            type Tile<V: Lanes> = Shuffled<V, $w, 2>;
            type Slim<V: Lanes> = Shuffled<V, $w, 1>;
            type Part<V: Lane> = Shuffled<V, $w, 1>;
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
words!(1 2 4 8 16);

/// Transposes a block with the widest tile that it has room for.
///
/// # Safety
///
/// As for [`Transposes::block`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn tiles<X, Y, Z, W, const INLINE: bool, const STREAM: bool>(block: Block)
where
    X: Lanes,
    Y: Lanes,
    Z: Lane,
    W: Words,
{
    macro_rules! covered {
        ($block:expr, $register:ident, $tile:ident, $inline:expr) => {
            let block = $block;
            if block.rows >= <W::$tile<$register> as Tile>::ROWS
                && block.columns >= <W::$tile<$register> as Tile>::COLUMNS
            {
                return if const { $inline } {
                    // SAFETY: the block has room for a tile; the rest is the caller's promise.
                    unsafe { cover::<$register, W, W::$tile<$register>, true, STREAM>(block) }
                } else {
                    let covered = Covered::<$register, W, W::$tile<$register>, STREAM>::new(block);
                    // SAFETY: as above.
                    unsafe { $register::apart(covered) }
                };
            }
        };
    }
    // All tiles inline would be compiled anew for each static copy of a program.
    covered!(block, X, Tile, INLINE);
    // SAFETY: the caller's promise.
    let block = unsafe { narrow::<X, Y, W>(block) };
    covered!(block, X, Slim, false);
    covered!(block, Y, Tile, false);
    covered!(block, Z, Tile, false);
    // SAFETY: the caller's promise, for a part of the block.
    unsafe { parts::<Z, W>(block) };
}

/// Transposes a block that has room for a tile. Where tiles do not divide it, the last ones overlap
/// those before them: copying words twice does no harm, and needs no masks.
///
/// The columns of a cache line of the source come one after the other, and along all their rows:
/// so few rows of the destination are written by turns, each in order, and lines of the source are
/// read once. (The other way round, with rows at a distance of a large power of two, lines that are
/// written take each other's place in the caches: 512 x 512 `f64` took four times as long.) The
/// lines of the next columns are asked for meanwhile.
///
/// # Safety
///
/// As for [`Transposes::block`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn cover<V: Lanes, W: Words, K: Tile, const INLINE: bool, const STREAM: bool>(block: Block) {
    let Block { rows, columns, .. } = block;
    let (height, width) = (K::ROWS, K::COLUMNS);
    let band = CACHE_LINE / W::BYTES;
    let mut left = 0;
    while left < columns {
        let right = if columns - left < band { columns } else { left + band };
        let mut top = 0;
        while top < rows {
            let row = top.min(rows - height);
            if W::BYTES >= 4 && right < columns {
                let next = block.source.shifted(row, right * W::BYTES);
                let mut k = 0;
                while k < height {
                    prefetch(next.at(k, 0));
                    k += 1;
                }
            }
            let mut next = left;
            while next < right {
                let column = next.min(columns - width);
                let source = block.source.shifted(row, column * W::BYTES);
                let destination = block.destination.shifted(column, row * W::BYTES);
                macro_rules! tile {
                    ($stream:expr) => {
                        if INLINE {
                            // SAFETY: a tile inside the block, of which the caller says all that
                            // is needed; only in a streamed block are rows known to be aligned.
                            unsafe { K::tile::<{ $stream }>(source, destination) }
                        } else {
                            let kernel = PhantomData::<K>;
                            let tile = Whole::<_, { $stream }> { source, destination, kernel };
                            // SAFETY: as above.
                            unsafe { V::apart(tile) }
                        }
                    };
                }
                if STREAM && 16 * V::COUNT == CACHE_LINE && row == top {
                    tile!(STREAM);
                } else {
                    tile!(false);
                }
                next += width;
            }
            top += height;
        }
        left = right;
    }
}

/// The most bytes of a tile that comes into the loops of [`Covered`]. Of a larger one the compiler
/// would keep a pointer for every row across the loops, and has not enough registers: then a call
/// for each tile is faster.
#[cfg(target_arch = "x86_64")]
const INLINE_BYTES: usize = 256;

/// A block that has room for a tile as a [`Move`].
#[cfg(target_arch = "x86_64")]
struct Covered<V, W, K, const STREAM: bool> {
    block: Block,
    kernel: PhantomData<(V, W, K)>,
}

#[cfg(target_arch = "x86_64")]
impl<V, W, K, const STREAM: bool> Covered<V, W, K, STREAM> {
    #[inline(always)]
    fn new(block: Block) -> Self {
        Self { block, kernel: PhantomData }
    }
}

#[cfg(target_arch = "x86_64")]
impl<V: Lanes, W: Words, K: Tile, const STREAM: bool> Move for Covered<V, W, K, STREAM> {
    /// # Safety
    ///
    /// That of [`cover`].
    #[inline(always)]
    unsafe fn run(self) {
        if const { K::ROWS * K::COLUMNS * W::BYTES <= INLINE_BYTES } {
            // SAFETY: the caller's promise.
            unsafe { cover::<V, W, K, true, STREAM>(self.block) };
        } else {
            // SAFETY: as above.
            unsafe { cover::<V, W, K, false, STREAM>(self.block) };
        }
    }
}

/// Moves most of a block of few rows or columns that are dense in one memory, where there is AVX2,
/// and returns the rest.
///
/// # Safety
///
/// As for [`Transposes::block`], with the instructions of `X` and `Y`, which have two lanes or more
/// only if AVX2 is there.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn narrow<X: Lanes, Y: Lanes, W: Words>(block: Block) -> Block {
    if X::COUNT == 1 {
        return block;
    }
    let mut done = 0;
    macro_rules! wide {
        ($w:literal) => {{
            let (done, register) = (&mut done, PhantomData);
            if Wide::<X, $w>::fits(&block) {
                // SAFETY: the caller's promise, for a block that is checked.
                unsafe { X::apart(Wide::<X, $w> { block, done, register }) };
            } else if Wide::<Y, $w>::fits(&block) {
                let register = PhantomData;
                // SAFETY: as above.
                unsafe { Y::apart(Wide::<Y, $w> { block, done, register }) };
            }
        }};
    }
    macro_rules! narrow {
        ($w:literal) => {{
            if Narrow::<$w>::interleaves(&block) || Narrow::<$w>::deinterleaves(&block) {
                // SAFETY: the caller's promise, for a block that is checked.
                unsafe { Ymm::apart(Narrow::<$w> { block, done: &mut done }) };
            } else {
                wide!($w);
            }
            Narrow::<$w>::deinterleaves(&block) && !Narrow::<$w>::interleaves(&block)
        }};
    }
    let apart = match W::BYTES {
        1 => narrow!(1),
        2 => narrow!(2),
        4 => narrow!(4),
        8 => narrow!(8),
        _ => {
            wide!(16);
            false
        }
    };
    let Block { source, destination, rows, columns } = block;
    if apart {
        let (source, destination) =
            (source.shifted(done, 0), destination.shifted(0, done * W::BYTES));
        Block { source, destination, rows: rows - done, columns }
    } else {
        let (source, destination) =
            (source.shifted(0, done * W::BYTES), destination.shifted(done, 0));
        Block { source, destination, rows, columns: columns - done }
    }
}

/// Transposes a block that has fewer rows or columns than the smallest tile.
///
/// # Safety
///
/// As for [`Transposes::block`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn parts<V: Lane, W: Words>(block: Block) {
    let (height, width) = (<W::Part<V> as Tile>::ROWS, <W::Part<V> as Tile>::COLUMNS);
    let mut left = 0;
    while left < block.columns {
        let mut top = 0;
        while top < block.rows {
            let part = Piece {
                source: block.source.shifted(top, left * W::BYTES),
                destination: block.destination.shifted(left, top * W::BYTES),
                rows: height.min(block.rows - top),
                columns: width.min(block.columns - left),
                kernel: PhantomData::<W::Part<V>>,
            };
            // SAFETY: a part of the block, of which the caller says all that is needed.
            unsafe { V::apart(part) };
            top += height;
        }
        left += width;
    }
}

/// Copies a run past the caches, but for what a long one has before the first whole cache line of
/// the destination and behind the last one.
///
/// # Safety
///
/// As for [`Transposes::stream`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn stream<V: Lanes, H: Lanes>(
    source: *const u8,
    destination: *mut u8,
    bytes: usize,
    ahead: usize,
) {
    // Registers from the offset `$at` on, until there is none that ends before `$end`.
    macro_rules! registers {
        ($register:ty, $at:ident, $end:expr) => {
            while $at + 16 * <$register>::COUNT <= $end {
                // SAFETY: a part of the bytes.
                let register = unsafe { <$register>::load_all(source.wrapping_add($at)) };
                // SAFETY: a part of the bytes, aligned because the first one was and registers
                // have always the same size.
                unsafe { register.stream(destination.wrapping_add($at)) };
                $at += 16 * <$register>::COUNT;
            }
        };
    }
    let head = destination.addr().wrapping_neg() % CACHE_LINE;
    let mut at = if bytes < LONG_RUN { 0 } else { head };
    if bytes < CACHE_LINE {
        prefetch(source.wrapping_add(ahead));
        registers!(H, at, bytes);
        registers!(Xmm, at, bytes);
        return;
    }
    // SAFETY: a part of the bytes.
    unsafe { ptr::copy_nonoverlapping(source, destination, at) };
    while bytes - at >= CACHE_LINE {
        prefetch(source.wrapping_add(at).wrapping_add(ahead));
        let end = at + CACHE_LINE;
        registers!(V, at, end);
    }
    let (from, to) = (source.wrapping_add(at), destination.wrapping_add(at));
    // SAFETY: the rest of the bytes.
    unsafe { ptr::copy_nonoverlapping(from, to, bytes - at) };
}

/// Transposes a block of anything, in the order of [`cover`].
///
/// # Safety
///
/// Each `T` of the block is readable in the source and writable in the destination, which do not
/// overlap.
#[inline(always)]
pub(super) unsafe fn one_by_one<T: Copy>(block: Block) {
    let band = const {
        match CACHE_LINE.checked_div(size_of::<T>()) {
            Some(0) | None => 1,
            Some(elements) => elements,
        }
    };
    let mut left = 0;
    while left < block.columns {
        let right = if block.columns - left < band { block.columns } else { left + band };
        for row in 0..block.rows {
            for column in left..right {
                let from = block.source.at(row, column * size_of::<T>());
                let to = block.destination.at(column, row * size_of::<T>());
                // SAFETY: a `T` of the block.
                let element = unsafe { from.cast::<T>().read_unaligned() };
                // SAFETY: the same one in the destination.
                unsafe { to.cast::<T>().write_unaligned(element) };
            }
        }
        left = right;
    }
}
