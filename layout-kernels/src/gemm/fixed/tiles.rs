//! The loops over the register tiles of a static product.

use core::marker::PhantomData;

use crate::gemm::Epilogue;
use crate::gemm::fixed::ahead::Ahead;
use crate::gemm::fixed::finish::Finish;
use crate::gemm::fixed::tables::Tile;
use crate::gemm::fixed::tile::{Tiled, tile};
use crate::gemm::fixed::{Planned, Product, held};
use crate::gemm::float::Float;
use crate::gemm::scale::Scale;
use crate::simd::vector::{Isa, Vector};

/// A tile of a plan: the full one, or at the end of m, or of n.
struct TileOf<T, I, P, const M_END: bool, const N_END: bool>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: Product, const M_END: bool, const N_END: bool> Tiled
    for TileOf<T, I, P, M_END, N_END>
{
    const TILE: &'static Tile = &Tile::new(&Planned::<T, I, P>::EXPECTED, M_END, N_END);
}

/// All tiles of a row of tiles, from the top of C to its end.
///
/// # Safety
///
/// As [`all`], with `b` and `c` at the first column of the tiles.
#[inline(always)]
unsafe fn column<T, I, P, V, W, F, const N_END: bool>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
    ahead: &mut Ahead,
) where
    T: Float,
    I: Isa<T>,
    P: Product,
    V: Vector<Element = T>,
    W: Vector<Element = T>,
    F: Epilogue<T>,
{
    let tiles = const { Planned::<T, I, P>::TILES };
    if const { Planned::<T, I, P>::HOLDS } {
        type End<T, I, P, const N_END: bool> = TileOf<T, I, P, true, N_END>;
        // SAFETY: the caller's promise.
        return unsafe {
            held::column::<T, I, V, F, TileOf<T, I, P, false, N_END>, End<T, I, P, N_END>>(
                scale, tiles, a, b, c, finish, ahead,
            )
        };
    }
    let mut i = 0;
    while const { Planned::<T, I, P>::TILES.m_blocks > 0 } && i < tiles.m_blocks {
        // SAFETY: the places of the first elements of tile `i`.
        let (a, c) = unsafe { at(a, tiles.am.at(i), c, tiles.cm.at(i)) };
        let finish = finish.below(i * const { Planned::<T, I, P>::EXPECTED.rows });
        // SAFETY: a tile of the product, by the caller's promise.
        unsafe {
            tile::<T, V, W, F, TileOf<T, I, P, false, N_END>>(scale, a, b, c, &finish, ahead);
        };
        i += 1;
    }
    if const { Planned::<T, I, P>::TILES.m_rest > 0 } {
        // SAFETY: the places of the first elements of the tile at the end.
        let (a, c) = unsafe { at(a, tiles.am.at(i), c, tiles.cm.at(i)) };
        let finish = finish.below(i * const { Planned::<T, I, P>::EXPECTED.rows });
        // SAFETY: a tile of the product, by the caller's promise.
        unsafe {
            tile::<T, V, W, F, TileOf<T, I, P, true, N_END>>(scale, a, b, c, &finish, ahead);
        };
    }
}

/// [`all`] with vectors `V`.
///
/// # Safety
///
/// As there.
#[inline(always)]
unsafe fn tiles<T, I, P, V, F>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
) where
    F: Epilogue<T>,
    T: Float,
    I: Isa<T>,
    P: Product,
    V: Vector<Element = T>,
{
    let tiles = const { Planned::<T, I, P>::TILES };
    let mut ahead = Ahead::new(a, b, c.cast_const());
    let mut j = 0;
    while const { Planned::<T, I, P>::TILES.n_blocks > 0 } && j < tiles.n_blocks {
        // SAFETY: the places of the first elements of this column of tiles.
        let (b, c) = unsafe { at(b, tiles.bn.at(j), c, tiles.cn.at(j)) };
        let finish = finish.right_of(
            j * const { Planned::<T, I, P>::EXPECTED.vectors * Planned::<T, I, P>::EXPECTED.lanes },
        );
        // SAFETY: tiles of the product, by the caller's promise.
        unsafe { column::<T, I, P, V, V, F, false>(scale, a, b, c, &finish, &mut ahead) };
        j += 1;
    }
    if const { Planned::<T, I, P>::TILES.n_rest > 0 } {
        // SAFETY: the places of the first elements of this column of tiles.
        let (b, c) = unsafe { at(b, tiles.bn.at(j), c, tiles.cn.at(j)) };
        let finish = finish.right_of(
            j * const { Planned::<T, I, P>::EXPECTED.vectors * Planned::<T, I, P>::EXPECTED.lanes },
        );
        // The narrowest vector that holds what is left.
        if const { Planned::<T, I, P>::last() <= I::Quarter::LANES } {
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe {
                column::<T, I, P, V, I::Quarter, F, true>(scale, a, b, c, &finish, &mut ahead)
            };
        } else if const { Planned::<T, I, P>::last() <= I::Half::LANES } {
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe { column::<T, I, P, V, I::Half, F, true>(scale, a, b, c, &finish, &mut ahead) };
        } else {
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe { column::<T, I, P, V, V, F, true>(scale, a, b, c, &finish, &mut ahead) };
        }
    }
}

/// All tiles, with the vectors of the plan's width.
///
/// # Safety
///
/// The instructions of `I` are there. At the offsets that the plan's modes say, elements of A and B
/// can be read, and of C read and written; nothing else accesses C meanwhile.
#[inline(always)]
pub(crate) unsafe fn all<T, I, P, F>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
) where
    F: Epilogue<T>,
    T: Float,
    I: Isa<T>,
    P: Product,
{
    // Conditions that are constants by themselves, here and for tiles at the ends: the other
    // branches are not even compiled.
    if const { Planned::<T, I, P>::EXPECTED.lanes == I::Full::LANES } {
        // SAFETY: the caller's promise.
        unsafe { tiles::<T, I, P, I::Full, F>(scale, a, b, c, finish) };
    } else if const { Planned::<T, I, P>::EXPECTED.lanes == I::Half::LANES } {
        // SAFETY: the caller's promise.
        unsafe { tiles::<T, I, P, I::Half, F>(scale, a, b, c, finish) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { tiles::<T, I, P, I::Quarter, F>(scale, a, b, c, finish) };
    }
}

/// A place of an operand and one of C, moved.
///
/// # Safety
///
/// Both stay within what they point into.
#[inline(always)]
unsafe fn at<T>(p: *const T, i: usize, c: *mut T, j: usize) -> (*const T, *mut T) {
    // SAFETY: the caller's promise.
    let p = unsafe { p.add(i) };
    // SAFETY: the caller's promise.
    let c = unsafe { c.add(j) };
    (p, c)
}
