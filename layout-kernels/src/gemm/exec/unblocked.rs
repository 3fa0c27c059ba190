//! Products that are made at once, as their plan says: tile after tile, or as inner products.

use core::mem::MaybeUninit;

use crate::gemm::exec::arguments::Finish;
use crate::gemm::exec::inner_products::Products;
use crate::gemm::exec::tiling::Tiling;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::plan::STACK;
use crate::gemm::plan::grid::Grid;
use crate::gemm::plan::unblocked::{Tiles, Unblocked, Way, pieces};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::par::Par;
use crate::simd::Level;

/// The matrices of a product: where they are, and what happens to C.
pub struct Matrices<'a, X, Y, T> {
    pub(crate) level: Level,
    pub(crate) scale: &'a Scale<T>,
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    pub(crate) finish: Option<Finish<'a, T>>,
}

impl<'a, X, Y, T> Matrices<'a, X, Y, T> {
    /// The same matrices, whose elements are read as other types of the same size.
    pub(crate) const fn cast<X2, Y2>(&self) -> Matrices<'a, X2, Y2, T> {
        const { assert!(size_of::<X>() == size_of::<X2>() && size_of::<Y>() == size_of::<Y2>()) };
        let &Self { level, scale, a, b, c, finish } = self;
        Matrices { level, scale, a: a.cast(), b: b.cast(), c, finish }
    }

    /// Those of the transposed product.
    const fn transposed(&self) -> Matrices<'a, Y, X, T> {
        let &Self { level, scale, a, b, c, finish } = self;
        Matrices { level, scale, a: b, b: a, c, finish }
    }
}

/// Makes a product as planned.
///
/// # Safety
///
/// As [`exec::run`](super::run), for the product of the plan, whose kernels these are.
#[inline(always)]
pub(crate) unsafe fn run<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    plan: &Unblocked,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: impl Fn() -> &'static Kernels<X, Y, T>,
    transposed: impl Fn() -> &'static Kernels<Y, X, T>,
    par: Par,
) {
    // SAFETY: as required here.
    unsafe {
        match plan.transposed {
            false => make(plan, matrices, kernels(), par),
            true => make(plan, &matrices.transposed(), transposed(), par),
        }
    }
}

/// [`run`] for the matrices of the product as it is made.
///
/// # Safety
///
/// As [`run`].
#[inline(always)]
unsafe fn make<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    plan: &Unblocked,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    par: Par,
) {
    // SAFETY: as required here. The plan of a single tile stays in registers: it takes as long to
    // write it as to make a small product.
    unsafe {
        match &plan.way {
            Way::Tiles(tiles) if tiles.are_one() => {
                Tiling::new(plan, tiles, matrices, kernels).one()
            }
            _ => make_many(*plan, matrices, kernels, par),
        }
    }
}

/// [`make`] for more than one tile.
///
/// # Safety
///
/// As [`run`].
#[inline(never)]
unsafe fn make_many<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    plan: Unblocked,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    par: Par,
) {
    let Unblocked { strided, transposed, way, .. } = &plan;
    let tiles = match way {
        Way::InnerProducts => {
            let products = Products { strided, matrices, kernels, transposed: *transposed };
            // SAFETY: as required here.
            return unsafe { products.run(par) };
        }
        Way::Tiles(tiles) => tiles,
    };
    let tiling = Tiling::new(&plan, tiles, matrices, kernels);
    // SAFETY: as required here. What is not in place is packed.
    unsafe {
        if tiles.steps.contains(&None) {
            return packed(tiling);
        }
        let pieces = pieces(strided, par.threads());
        if pieces == 1 {
            return tiling.all();
        }
        let (down, across) = (tiles.rows.count(), tiles.vectors.count());
        let grid = Grid::new([down, across], 1, pieces, usize::MAX);
        par.each(grid.pieces(), |i| {
            let (below, (beside, _)) = grid.piece(i);
            // Pieces are different parts of C.
            tiling.run(below, grid.columns(beside));
        });
    }
}

/// Memory for a packed operand.
#[repr(align(64))]
pub(crate) struct Memory(pub(crate) MaybeUninit<[u8; STACK]>);

/// Packs what is not used in place, and makes all tiles.
///
/// # Safety
///
/// As [`run`], for a product whose plan has operands that are packed on the stack.
// Not in line: callers that pack nothing should not touch so much of the stack.
#[inline(never)]
unsafe fn packed<X: 'static, Y: 'static, T: Sum>(mut tiling: Tiling<'_, X, Y, T>) {
    let Strided { m, n, k, am, ak, bk, bn, .. } = *tiling.strided;
    let Kernels { lanes, word, more, .. } = *tiling.kernels;
    let (matrices, Tiles { rows, vectors, .. }) = (tiling.matrices, tiling.tiles);
    let (mut for_a, mut for_b) = (Memory(MaybeUninit::uninit()), Memory(MaybeUninit::uninit()));
    let words = tiling.kernels.words_for(k);
    if tiling.a.step.is_none() {
        let to = for_a.0.as_mut_ptr().cast::<u8>();
        let (along, deep) = (Offsets::linear(m, am), Offsets::linear(k, ak));
        for rows in rows.iter() {
            let (first, width) = (rows.start * words * word, rows.len());
            let source = Source {
                level: matrices.level,
                from: matrices.a,
                along,
                across: rows,
                deep,
                steps: 0..k,
            };
            let place = Packed { to: to.wrapping_add(first), width, next: 0, of_b: false };
            // SAFETY: offsets of A; the plan says that the panels together fit.
            unsafe { (tiling.kernels.pack_a)(&source, place) };
        }
        tiling.a.start = to;
    }
    if tiling.b.step.is_none() {
        let to = for_b.0.as_mut_ptr().cast::<u8>();
        let (along, deep) = (Offsets::linear(n, bn), Offsets::linear(k, bk));
        for panel in vectors.iter() {
            let (first, width) = (panel.start * lanes * (words + more) * word, panel.len() * lanes);
            let across = panel.start * lanes..(panel.end * lanes).min(n);
            let source = Source {
                level: matrices.level,
                from: matrices.b,
                along,
                across,
                deep,
                steps: 0..k,
            };
            let place = Packed { to: to.wrapping_add(first), width, next: 0, of_b: true };
            // SAFETY: offsets of B; the plan says that the panels together fit.
            unsafe { (tiling.kernels.pack_b)(&source, place) };
        }
        tiling.b.start = to;
    }
    // SAFETY: as required here; the operands are there or packed.
    unsafe { tiling.all() };
}
