//! Which kernel moves the blocks of a series.

use core::marker::PhantomData;

use super::block::NEAR_BYTES;
use super::bytes::move_bytes;
use super::cover::{Covered, InOrder, cover, in_order, is_in_order};
use super::lanes::{Lane, Lanes};
use super::narrow::narrow;
use super::series::{Block, Every, Kernel, Series};
use super::shuffle::{Part, Shuffled, Tile};
use super::single::Single;

/// Words of `W` bytes, 1, 2, 4, 8 or 16, and their tiles.
pub(super) struct Of<const W: usize>;

pub(super) trait Words {
    const BYTES: usize;
    type Tile<V: Lanes>: Tile;
    /// One of fewer columns, if there is one.
    type Slim<V: Lanes>: Tile;
    type Part<V: Lane>: Part;

    /// Moves one word.
    ///
    /// # Safety
    ///
    /// It can be read, and written.
    unsafe fn move_one(from: *const u8, to: *mut u8);
}

macro_rules! words {
    ($($w:literal)*) => {$(
        impl Words for Of<$w> {
            const BYTES: usize = $w;
            type Tile<V: Lanes> = Shuffled<V, $w, 2>;
            type Slim<V: Lanes> = Shuffled<V, $w, 1>;
            type Part<V: Lane> = Shuffled<V, $w, 1>;

            #[inline(always)]
            unsafe fn move_one(from: *const u8, to: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { move_bytes::<$w>(from, to) };
            }
        }
    )*};
}
words!(1 2 4 8 16);

/// Transposes blocks with the widest tile that they have room for, `K` if it can be.
///
/// # Safety
///
/// As for [`Transposes::blocks`](super::block::Transposes::blocks).
#[inline(always)]
pub(super) unsafe fn tiles<
    X,
    Y,
    Z,
    W,
    K,
    const CONSTANT: bool,
    const INLINE: bool,
    const STREAM: bool,
>(
    series: Series,
) where
    X: Lanes,
    Y: Lanes,
    Z: Lane,
    W: Words,
    K: Tile,
{
    let block = &series.first;
    macro_rules! covered {
        ($register:ident, $tile:ty, $inline:expr) => {
            if block.rows >= <$tile>::ROWS && block.columns >= <$tile>::COLUMNS {
                let is_in_order = is_in_order::<W, $tile>(block);
                if const { !$inline } && is_in_order {
                    let every = Every::<InOrder<$register, W, $tile, STREAM>>::of(series);
                    // SAFETY: the blocks have room for a tile, and their columns are in order; the
                    // rest is the caller's promise.
                    return unsafe { $register::apart(every) };
                } else if const { !$inline } {
                    let every = Every::<Covered<$register, W, $tile, STREAM>>::of(series);
                    // SAFETY: as above.
                    return unsafe { $register::apart(every) };
                }
                for k in 0..series.count {
                    if is_in_order {
                        // SAFETY: as above.
                        unsafe { in_order::<$register, W, $tile, true, STREAM>(series.nth(k)) };
                    } else {
                        // SAFETY: as above.
                        unsafe { cover::<$register, W, $tile, true, STREAM>(series.nth(k)) };
                    }
                }
                return;
            }
        };
    }
    if const { CONSTANT } && is_small::<W, W::Part<Z>>(block) {
        // SAFETY: the caller's promise.
        return unsafe { in_columns::<W>(series) };
    }
    if const { W::BYTES == 16 } && Single::fits(block) {
        return if CONSTANT {
            // SAFETY: the caller's promise.
            unsafe { Single::run(series) }
        } else {
            // SAFETY: as above.
            unsafe { X::apart(Every::<Single>::of(series)) }
        };
    }
    // All tiles inline would be compiled anew for each static copy of a program.
    covered!(X, K, INLINE);
    // SAFETY: the caller's promise.
    if unsafe { narrow::<X, Y, W>(series) } {
        return;
    }
    covered!(X, W::Slim<X>, false);
    covered!(Y, W::Tile<Y>, false);
    covered!(Z, W::Tile<Z>, false);
    // SAFETY: the caller's promise.
    unsafe { Z::apart(Every::<Parts<Z, W>>::of(series)) };
}

/// Whether a block has so few words that they are better written out, where the compiler knows how
/// many they are: fewer still if it has room for a tile `K` of one lane. Nothing is gained by tiles
/// of words of a lane in the first cache.
#[inline(always)]
fn is_small<W: Words, K: Tile>(block: &Block) -> bool {
    let fits = block.rows >= K::ROWS && block.columns >= K::COLUMNS;
    match W::BYTES {
        16 => block.total_bytes <= NEAR_BYTES,
        _ if fits => block.rows * block.columns <= 48,
        _ => block.rows * block.columns <= 64,
    }
}

/// Moves words one by one, in the order of the destination: of a block that the compiler knows it
/// makes what is best.
///
/// # Safety
///
/// As for [`Transposes::blocks`](super::block::Transposes::blocks).
#[inline(always)]
unsafe fn in_columns<W: Words>(series: Series) {
    for k in 0..series.count {
        let Block { source, destination, rows, columns, .. } = series.nth(k);
        for column in 0..columns {
            for row in 0..rows {
                let from = source.at(row, column * W::BYTES);
                let to = destination.at(column, row * W::BYTES);
                // SAFETY: a word of the block.
                unsafe { W::move_one(from, to) };
            }
        }
    }
}

/// A block that has fewer rows or columns than the smallest tile, as a [`Kernel`].
struct Parts<V, W>(PhantomData<(V, W)>);

impl<V: Lane, W: Words> Kernel for Parts<V, W> {
    #[inline(always)]
    unsafe fn run(series: Series) {
        let (height, width) = (<W::Part<V> as Tile>::ROWS, <W::Part<V> as Tile>::COLUMNS);
        for k in 0..series.count {
            let Block { source, destination, rows, columns, .. } = series.nth(k);
            for left in (0..columns).step_by(width) {
                for top in (0..rows).step_by(height) {
                    let from = source.shifted(top, left * W::BYTES);
                    let to = destination.shifted(left, top * W::BYTES);
                    let (rows, columns) = (height.min(rows - top), width.min(columns - left));
                    // SAFETY: a part of the block, of which the caller says all that is needed.
                    unsafe { <W::Part<V> as Part>::part(from, to, rows, columns) };
                }
            }
        }
    }
}
