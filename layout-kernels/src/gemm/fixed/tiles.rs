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

/// What makes a tile, or a column of tiles.
type Made<T, F> = unsafe fn(&Scale<T>, *const T, *const T, *mut T, &Finish<'_, F>, &mut Ahead);

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
    let made: Option<Made<T, F>> = const {
        let some = Planned::<T, I, P>::TILES.m_blocks > 0;
        if some { Some(tile::<T, V, W, F, TileOf<T, I, P, false, N_END>>) } else { None }
    };
    if let Some(made) = made {
        for i in 0..tiles.m_blocks {
            // SAFETY: the places of the first elements of tile `i`.
            let (a, c) = unsafe { at(a, tiles.am.at(i), c, tiles.cm.at(i)) };
            let finish = finish.below(i * const { Planned::<T, I, P>::EXPECTED.rows });
            // SAFETY: a tile of the product, by the caller's promise.
            unsafe { made(scale, a, b, c, &finish, ahead) };
        }
    }
    let made: Option<Made<T, F>> = const {
        let some = Planned::<T, I, P>::TILES.m_rest > 0;
        if some { Some(tile::<T, V, W, F, TileOf<T, I, P, true, N_END>>) } else { None }
    };
    if let Some(made) = made {
        let i = tiles.m_blocks;
        // SAFETY: the places of the first elements of the tile at the end.
        let (a, c) = unsafe { at(a, tiles.am.at(i), c, tiles.cm.at(i)) };
        let finish = finish.below(i * const { Planned::<T, I, P>::EXPECTED.rows });
        // SAFETY: a tile of the product, by the caller's promise.
        unsafe { made(scale, a, b, c, &finish, ahead) };
    }
}

/// [`column`], for tiles that hold B.
///
/// # Safety
///
/// As there.
#[inline(always)]
unsafe fn held_column<T, I, P, V, F, const N_END: bool>(
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
    F: Epilogue<T>,
{
    type End<T, I, P, const N_END: bool> = TileOf<T, I, P, true, N_END>;
    let tiles = const { Planned::<T, I, P>::TILES };
    // SAFETY: the caller's promise.
    unsafe {
        held::column::<T, I, V, F, TileOf<T, I, P, false, N_END>, End<T, I, P, N_END>>(
            scale, tiles, a, b, c, finish, ahead,
        )
    };
}

/// What makes a column of tiles.
const fn made<T, I, P, V, W, F, const N_END: bool>() -> Made<T, F>
where
    T: Float,
    I: Isa<T>,
    P: Product,
    V: Vector<Element = T>,
    W: Vector<Element = T>,
    F: Epilogue<T>,
{
    if Planned::<T, I, P>::HOLDS {
        held_column::<T, I, P, V, F, N_END>
    } else {
        column::<T, I, P, V, W, F, N_END>
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
    let width = const { Planned::<T, I, P>::EXPECTED.vectors * Planned::<T, I, P>::EXPECTED.lanes };
    let mut ahead = Ahead::new(a, b, c.cast_const());
    let column: Option<Made<T, F>> = const {
        let some = Planned::<T, I, P>::TILES.n_blocks > 0;
        if some { Some(made::<T, I, P, V, V, F, false>()) } else { None }
    };
    if let Some(column) = column {
        for j in 0..tiles.n_blocks {
            // SAFETY: the places of the first elements of this column of tiles.
            let (b, c) = unsafe { at(b, tiles.bn.at(j), c, tiles.cn.at(j)) };
            // SAFETY: tiles of the product, by the caller's promise.
            unsafe { column(scale, a, b, c, &finish.right_of(j * width), &mut ahead) };
        }
    }
    // With the narrowest vector that holds what is left.
    let column: Option<Made<T, F>> = const {
        let last = Planned::<T, I, P>::last();
        if Planned::<T, I, P>::TILES.n_rest == 0 {
            None
        } else if last <= I::Quarter::LANES {
            Some(made::<T, I, P, V, I::Quarter, F, true>())
        } else if last <= I::Half::LANES {
            Some(made::<T, I, P, V, I::Half, F, true>())
        } else {
            Some(made::<T, I, P, V, V, F, true>())
        }
    };
    if let Some(column) = column {
        let j = tiles.n_blocks;
        // SAFETY: the places of the first elements of this column of tiles.
        let (b, c) = unsafe { at(b, tiles.bn.at(j), c, tiles.cn.at(j)) };
        // SAFETY: tiles of the product, by the caller's promise.
        unsafe { column(scale, a, b, c, &finish.right_of(j * width), &mut ahead) };
    }
}

/// All tiles, with the vectors of the plan's width; and that all elements are finished.
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
) -> bool
where
    F: Epilogue<T>,
    T: Float,
    I: Isa<T>,
    P: Product,
{
    let tiles = const {
        let lanes = Planned::<T, I, P>::EXPECTED.lanes;
        if lanes == I::Full::LANES {
            tiles::<T, I, P, I::Full, F>
        } else if lanes == I::Half::LANES {
            tiles::<T, I, P, I::Half, F>
        } else {
            tiles::<T, I, P, I::Quarter, F>
        }
    };
    // SAFETY: the caller's promise.
    unsafe { tiles(scale, a, b, c, finish) };
    true
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
