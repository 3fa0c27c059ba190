//! Tiles that hold all of their B in registers: each row of C comes, meets its products and goes.
//!
//! Loads, products and stores are spread evenly so. (32 by 25 by 3 in f32, where a product is
//! mostly C: 158 GFLOP/s in tiles that hold their sums, 245 in these.) Rows end in [`Pieces`] and
//! not in a mask: the next row's load of C would have to wait for what a masked store wrote.

use core::marker::PhantomData;

use crate::gemm::Epilogue;
use crate::gemm::fixed::ahead::Ahead;
use crate::gemm::fixed::choice::{MAX_DEPTH, Pieces, SHORT};
use crate::gemm::fixed::finish::Finish;
use crate::gemm::fixed::plan::{MAX_ACROSS, MAX_VECTORS};
use crate::gemm::fixed::tables::{Tile, Tiles};
use crate::gemm::fixed::tile::Tiled;
use crate::gemm::float::Float;
use crate::gemm::scale::{Kind, Scale, scaled};
use crate::gemm::unroll::unroll;
use crate::simd::own_register;
use crate::simd::vector::{Isa, Vector};

/// A row of B or of C: full vectors, and the [`Pieces`] of its end.
#[derive(Clone, Copy)]
struct Row<V, H, Q> {
    full: [V; MAX_VECTORS],
    half: H,
    quarter: Q,
    rest: Q,
}

/// [`Row`] with the vectors of a level.
type RowOf<T, I, V> = Row<V, <I as Isa<T>>::Half, <I as Isa<T>>::Quarter>;

/// The end of a row: its pieces, and where they are, counted from the first.
struct End<T, I, X>(PhantomData<(T, I, X)>);

impl<T, I: Isa<T>, X: Tiled> End<T, I, X> {
    const PIECES: Pieces = Pieces::new::<T, I>(X::TILE.last);
    const QUARTER: usize = if Self::PIECES.half { I::Half::LANES } else { 0 };
    const REST: usize = Self::QUARTER + if Self::PIECES.quarter { I::Quarter::LANES } else { 0 };
}

/// A row that starts at `p`, whose vectors are at `places` from there.
///
/// # Safety
///
/// The instructions of `I` and `V` are there, and the elements of the row can be read.
#[inline(always)]
unsafe fn load<T: Float, I: Isa<T>, V: Vector<Element = T>, X: Tiled>(
    p: *const T,
    places: &[usize; MAX_ACROSS],
) -> RowOf<T, I, V> {
    // SAFETY: the caller's promise.
    let mut row = unsafe { zeros::<T, I, V>() };
    unroll!(j < const { X::TILE.vectors }, 4, {
        // SAFETY: elements of the row.
        row.full[j] = unsafe { V::load(p.wrapping_add(places[j])) };
    });
    if const { X::TILE.last > 0 } {
        let pieces = const { End::<T, I, X>::PIECES };
        let p = p.wrapping_add(places[const { X::TILE.vectors }]);
        if pieces.half {
            // SAFETY: elements of the row.
            row.half = unsafe { I::Half::load(p) };
        }
        if pieces.quarter {
            let p = p.wrapping_add(const { End::<T, I, X>::QUARTER });
            // SAFETY: elements of the row.
            row.quarter = unsafe { I::Quarter::load(p) };
        }
        if pieces.rest > 0 {
            let p = p.wrapping_add(const { End::<T, I, X>::REST });
            // SAFETY: elements of the row.
            row.rest = unsafe { I::Quarter::load_first(p, pieces.rest) };
        }
    }
    row
}

/// A row of zeros.
///
/// # Safety
///
/// The instructions of `I` and `V` are there.
#[inline(always)]
unsafe fn zeros<T: Float, I: Isa<T>, V: Vector<Element = T>>() -> RowOf<T, I, V> {
    // SAFETY: the caller's promise.
    let z = unsafe { V::splat(T::ZERO) };
    // SAFETY: the caller's promise.
    let half = unsafe { I::Half::splat(T::ZERO) };
    // SAFETY: the caller's promise.
    let quarter = unsafe { I::Quarter::splat(T::ZERO) };
    Row { full: [z, z, z, z], half, quarter, rest: quarter }
}

/// `sums + x * b`.
///
/// # Safety
///
/// The instructions of `I` and `V` are there.
#[inline(always)]
unsafe fn mul_add<T: Float, I: Isa<T>, V: Vector<Element = T>, X: Tiled>(
    x: T,
    b: &RowOf<T, I, V>,
    mut sums: RowOf<T, I, V>,
) -> RowOf<T, I, V> {
    // SAFETY: the caller's promise.
    let full = unsafe { V::splat(x) };
    unroll!(j < const { X::TILE.vectors }, 4, {
        // SAFETY: the caller's promise.
        sums.full[j] = unsafe { full.mul_add(b.full[j], sums.full[j]) };
    });
    let pieces = const { End::<T, I, X>::PIECES };
    if pieces.half {
        // SAFETY: the caller's promise.
        let half = unsafe { I::Half::splat(x) };
        // SAFETY: the caller's promise.
        sums.half = unsafe { half.mul_add(b.half, sums.half) };
    }
    // SAFETY: the caller's promise.
    let quarter = unsafe { I::Quarter::splat(x) };
    if pieces.quarter {
        // SAFETY: the caller's promise.
        sums.quarter = unsafe { quarter.mul_add(b.quarter, sums.quarter) };
    }
    if pieces.rest > 0 {
        // SAFETY: the caller's promise.
        sums.rest = unsafe { quarter.mul_add(b.rest, sums.rest) };
    }
    sums
}

/// `a + b`.
///
/// # Safety
///
/// The instructions of `I` and `V` are there.
#[inline(always)]
unsafe fn add<T: Float, I: Isa<T>, V: Vector<Element = T>>(
    mut a: RowOf<T, I, V>,
    b: RowOf<T, I, V>,
) -> RowOf<T, I, V> {
    unroll!(j < MAX_VECTORS, 4, {
        // SAFETY: the caller's promise.
        a.full[j] = unsafe { a.full[j].add(b.full[j]) };
    });
    // SAFETY: the caller's promise.
    a.half = unsafe { a.half.add(b.half) };
    // SAFETY: the caller's promise.
    a.quarter = unsafe { a.quarter.add(b.quarter) };
    // SAFETY: the caller's promise.
    a.rest = unsafe { a.rest.add(b.rest) };
    a
}

/// `alpha * sums + beta * C`, of which C is read only where it counts.
///
/// # Safety
///
/// As [`load`], for the row of C that starts at `c`.
#[inline(always)]
unsafe fn scale_row<T: Float, I: Isa<T>, V: Vector<Element = T>, X: Tiled>(
    scale: &Scale<T>,
    mut sums: RowOf<T, I, V>,
    c: *const T,
) -> RowOf<T, I, V> {
    // SAFETY: the caller's promise.
    let mut old = unsafe { zeros::<T, I, V>() };
    if scale.kind == Kind::ScaleAdd {
        // SAFETY: the caller's promise.
        old = unsafe { load::<T, I, V, X>(c, &X::TILE.cn) };
    }
    unroll!(j < const { X::TILE.vectors }, 4, {
        // SAFETY: the caller's promise.
        sums.full[j] = unsafe { scaled(scale, sums.full[j], || old.full[j]) };
    });
    // SAFETY: the caller's promise.
    sums.half = unsafe { scaled(scale, sums.half, || old.half) };
    // SAFETY: the caller's promise.
    sums.quarter = unsafe { scaled(scale, sums.quarter, || old.quarter) };
    // SAFETY: the caller's promise.
    sums.rest = unsafe { scaled(scale, sums.rest, || old.rest) };
    sums
}

/// A row of C, finished.
///
/// # Safety
///
/// The instructions of `I` and `V` are there.
#[inline(always)]
unsafe fn finished<T: Float, I: Isa<T>, V: Vector<Element = T>, F: Epilogue<T>, X: Tiled>(
    finish: &Finish<'_, F>,
    row: usize,
    mut sums: RowOf<T, I, V>,
) -> RowOf<T, I, V> {
    unroll!(j < const { X::TILE.vectors }, 4, {
        // SAFETY: the caller's promise.
        sums.full[j] = unsafe { finish.lanes(sums.full[j], V::LANES, row, j * V::LANES) };
    });
    let pieces = const { End::<T, I, X>::PIECES };
    let finish = finish.right_of(const { X::TILE.vectors * V::LANES });
    if pieces.half {
        // SAFETY: the caller's promise.
        sums.half = unsafe { finish.lanes(sums.half, I::Half::LANES, row, 0) };
    }
    if pieces.quarter {
        let at = const { End::<T, I, X>::QUARTER };
        // SAFETY: the caller's promise.
        sums.quarter = unsafe { finish.lanes(sums.quarter, I::Quarter::LANES, row, at) };
    }
    if pieces.rest > 0 {
        let at = const { End::<T, I, X>::REST };
        // SAFETY: the caller's promise.
        sums.rest = unsafe { finish.lanes(sums.rest, pieces.rest, row, at) };
    }
    sums
}

/// Writes a row of C that starts at `c`.
///
/// # Safety
///
/// The instructions of `I` and `V` are there, and the elements of the row can be written.
#[inline(always)]
unsafe fn store<T: Float, I: Isa<T>, V: Vector<Element = T>, X: Tiled>(
    row: &RowOf<T, I, V>,
    c: *mut T,
) {
    unroll!(j < const { X::TILE.vectors }, 4, {
        // SAFETY: elements of the row.
        unsafe { row.full[j].store(c.wrapping_add(X::TILE.cn[j])) };
    });
    if const { X::TILE.last > 0 } {
        let pieces = const { End::<T, I, X>::PIECES };
        let c = c.wrapping_add(X::TILE.cn[const { X::TILE.vectors }]);
        if pieces.half {
            // SAFETY: elements of the row.
            unsafe { row.half.store(c) };
        }
        if pieces.quarter {
            let c = c.wrapping_add(const { End::<T, I, X>::QUARTER });
            // SAFETY: elements of the row.
            unsafe { row.quarter.store(c) };
        }
        if pieces.rest > 0 {
            let c = c.wrapping_add(const { End::<T, I, X>::REST });
            // SAFETY: elements of the row.
            unsafe { row.rest.store_first(c, pieces.rest) };
        }
    }
}

/// Whether odd steps have sums of their own, where as many rows as hide the wait for sums are more
/// products than a processor holds back: of a single vector they are so sooner. (f32: 16 by 16 by 12
/// takes 55 ns so and 69 otherwise; 24 by 24 by 9, of two vectors, 87 and 80.)
const fn alternates(tile: &Tile) -> bool {
    tile.depth() > if tile.across() == 1 { SHORT } else { 12 }
}

/// All tiles of a column of tiles: `X`, and `Y` for the rows at the end.
///
/// # Safety
///
/// The instructions of `I` and `V` are there. `a`, `b` and `c` are the places of the first elements
/// of the first tile; at the offsets that `tiles`, `X` and `Y` say, elements of A and B can be read
/// and of C read and written.
#[inline(always)]
pub(crate) unsafe fn column<
    T: Float,
    I: Isa<T>,
    V: Vector<Element = T>,
    F: Epilogue<T>,
    X: Tiled,
    Y: Tiled,
>(
    scale: &Scale<T>,
    tiles: &Tiles,
    a: *const T,
    b: *const T,
    c: *mut T,
    finish: &Finish<'_, F>,
    ahead: &mut Ahead,
) {
    // SAFETY: the caller's promise.
    let none = unsafe { zeros::<T, I, V>() };
    let mut rows = [
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
        none,
    ];
    unroll!(p < const { X::TILE.depth() }, 16, {
        // SAFETY: a row of B in the tiles; the rest is the caller's promise.
        rows[p] = unsafe { load::<T, I, V, X>(b.wrapping_add(X::TILE.step(p).1), &X::TILE.bn) };
    });
    // Each twice: sums that start from C, and the others.
    if scale.kind == Kind::Add {
        // SAFETY: the caller's promise.
        unsafe { all_rows::<T, I, V, F, X, Y, true>(scale, tiles, a, &rows, c, finish, ahead) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { all_rows::<T, I, V, F, X, Y, false>(scale, tiles, a, &rows, c, finish, ahead) };
    }
}

/// [`column`], with B in registers.
///
/// # Safety
///
/// As there.
#[inline(always)]
unsafe fn all_rows<
    T: Float,
    I: Isa<T>,
    V: Vector<Element = T>,
    F: Epilogue<T>,
    X: Tiled,
    Y: Tiled,
    const ADD: bool,
>(
    scale: &Scale<T>,
    tiles: &Tiles,
    a: *const T,
    b: &[RowOf<T, I, V>; MAX_DEPTH],
    c: *mut T,
    finish: &Finish<'_, F>,
    ahead: &mut Ahead,
) {
    for i in 0..tiles.m_blocks {
        let a = own_register(a.wrapping_add(tiles.am.at(i)));
        let c = own_register(c.wrapping_add(tiles.cm.at(i))).cast_mut();
        let finish = finish.below(i * X::TILE.rows);
        // SAFETY: a tile, by the caller's promise.
        unsafe { some_rows::<T, I, V, F, X, ADD>(scale, a, b, c, &finish) };
        if X::TILE.pace.lines > 0 {
            ahead.ask(X::TILE.pace.lines * X::TILE.depth().div_ceil(X::TILE.pace.every));
        }
    }
    let rows: Option<SomeRows<T, I, V, F>> =
        const { if Y::TILE.rows > 0 { Some(some_rows::<T, I, V, F, Y, ADD>) } else { None } };
    if let Some(rows) = rows {
        let i = tiles.m_blocks;
        let (a, c) = (a.wrapping_add(tiles.am.at(i)), c.wrapping_add(tiles.cm.at(i)));
        let finish = finish.below(i * X::TILE.rows);
        // SAFETY: the tile at the end, by the caller's promise.
        unsafe { rows(scale, a, b, c, &finish) };
    }
}

/// [`some_rows`].
type SomeRows<T, I, V, F> =
    unsafe fn(&Scale<T>, *const T, &[RowOf<T, I, V>; MAX_DEPTH], *mut T, &Finish<'_, F>);

/// One tile, written out.
///
/// # Safety
///
/// As [`column`], for one tile.
#[inline(always)]
unsafe fn some_rows<
    T: Float,
    I: Isa<T>,
    V: Vector<Element = T>,
    F: Epilogue<T>,
    X: Tiled,
    const ADD: bool,
>(
    scale: &Scale<T>,
    a: *const T,
    b: &[RowOf<T, I, V>; MAX_DEPTH],
    c: *mut T,
    finish: &Finish<'_, F>,
) {
    let t = X::TILE;
    unroll!(i < const { X::TILE.rows }, 16, {
        let (a, c) = (a.wrapping_add(t.am[i]), c.wrapping_add(t.cm[i]));
        // SAFETY: the caller's promise.
        let mut sums = unsafe { zeros::<T, I, V>() };
        let mut odd = sums;
        if ADD {
            // SAFETY: a row of C in the tile; the rest is the caller's promise.
            sums = unsafe { load::<T, I, V, X>(c, &t.cn) };
        }
        unroll!(p < const { X::TILE.depth() }, 16, {
            // SAFETY: an element of A in the tile.
            let x = unsafe { *a.wrapping_add(t.step(p).0) };
            let sums =
                if const { alternates(X::TILE) } && p % 2 == 1 { &mut odd } else { &mut sums };
            // SAFETY: the caller's promise.
            *sums = unsafe { mul_add::<T, I, V, X>(x, &b[p], *sums) };
        });
        if const { alternates(X::TILE) } {
            // SAFETY: the caller's promise.
            sums = unsafe { add::<T, I, V>(sums, odd) };
        }
        if !ADD && scale.kind != Kind::Assign {
            // SAFETY: a row of C in the tile; the rest is the caller's promise.
            sums = unsafe { scale_row::<T, I, V, X>(scale, sums, c) };
        }
        if !F::KEEPS {
            // SAFETY: the caller's promise.
            sums = unsafe { finished::<T, I, V, F, X>(finish, i, sums) };
        }
        // SAFETY: a row of C in the tile; the rest is the caller's promise.
        unsafe { store::<T, I, V, X>(&sums, c) };
    });
}
